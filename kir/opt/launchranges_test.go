package opt_test

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/random"
)

// ranged is f with what its launch k lets one know, or a power of two above it.
func ranged(k *random.Kernel, f *kir.Func, loose bool) *kir.Func {
	g := *f
	g.Params = append([]kir.Param(nil), f.Params...)
	up := func(n int64) int64 {
		m := int64(1)
		for m < n || loose && m < 1<<12 {
			m *= 2
		}
		return m
	}
	for i := range g.Params {
		p := &g.Params[i]
		at, n := k.Params[p.Offset:], int64(-1)
		switch {
		case i < 2:
		case p.Type == kir.I64 || p.Type == kir.U64:
			n = int64(binary.LittleEndian.Uint64(at))
		case p.Type == kir.I32 || p.Type == kir.U32:
			n = int64(int32(binary.LittleEndian.Uint32(at)))
		}
		if n >= 0 && n < 1<<31-1 {
			p.Least, p.Most = min(n, 1), up(n)
		}
	}
	for axis, n := range [3][2]int{{k.Grid.X, k.Block.X}, {k.Grid.Y, k.Block.Y}, {k.Grid.Z, k.Block.Z}} {
		g.Bounds.Blocks[axis], g.Bounds.Threads[axis] = int(up(int64(n[0]))), int(up(int64(n[0]*n[1])))
	}
	return &g
}

// TestLaunchRangesKeepResults: random kernels, optimised with what is known of their launches, compute what the
// reference interpreter does of the kernel as it was made, which knows of no ranges.
func TestLaunchRangesKeepResults(t *testing.T) {
	changed := 0
	for seed := range testsize.Seeds("kir/opt.TestLaunchRangesKeepResults") {
		k := random.New(9000+seed, withIndices)
		plain := opt.Optimize(k.Func)
		for _, loose := range []bool{false, true} {
			change := func(f *kir.Func) *kir.Func {
				g := opt.Optimize(ranged(k, f, loose))
				h := *g
				h.Params, h.Bounds = plain.Params, plain.Bounds
				if !kir.Equal(&h, plain) {
					changed++
				}
				return g
			}
			err := k.Check(random.After("ranged", change, random.Engine(1)))
			if d := (*random.Difference)(nil); errors.As(err, &d) {
				t.Fatalf("%v\n%v\nbecomes\n%v", err, k.Func, opt.Optimize(ranged(k, k.Func, loose)))
			}
			require.NoError(t, err)
		}
	}
	assert.Greater(t, changed, 10, "ranges changed few kernels: the test shows little")
}

// TestLaunchesOutsideTheRangesAreRefused: a kernel that was made for small numbers and grids does not run with others.
func TestLaunchesOutsideTheRangesAreRefused(t *testing.T) {
	b := kir.NewBuilder("small")
	b.Param("n", kir.I64)
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	f.Params[0].Least, f.Params[0].Most = 1, 1000
	f.Bounds.Blocks[0], f.Bounds.Threads[0] = 100, 200
	g, err := kir.Parse(f.String())
	require.NoError(t, err)
	assert.True(t, kir.Equal(f, g), "%v\n%v", f, g)
	g.Params[0].Most = 1001
	assert.False(t, kir.Equal(f, g), "kernels for other ranges are others")
	p, err := cpu.Compile(opt.Optimize(f))
	require.NoError(t, err)
	for _, c := range []struct {
		n           int64
		grid, block int
		says        string
	}{
		{1, 1, 1, ""}, {1000, 100, 2, ""},
		{1001, 1, 1, "kernel small was made for launches with n from 1 to 1000, not 1001"},
		{0, 1, 1, "kernel small was made for launches with n from 1 to 1000, not 0"},
		{-1, 1, 1, "n from 1 to 1000, not -1"},
		{1, 101, 1, "grids of up to 100 blocks along x, not 101"},
		{1, 100, 3, "grids of up to 200 threads along x, not 300"},
	} {
		_, err := p.Run(t.Context(), cpu.Launch{Grid: kir.D1(c.grid), Block: kir.D1(c.block), Params: binary.LittleEndian.AppendUint64(nil, uint64(c.n))})
		if c.says == "" {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, c.says)
		}
	}
}
