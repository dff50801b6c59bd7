package opt_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/random"
)

// vectors returns how many values of f begin a vector access, by its width.
func vectors(f *kir.Func) map[int]int {
	out := map[int]int{}
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if v.Vec > 0 {
				out[int(v.Vec)]++
			}
		}
	}
	return out
}

// TestMergeLoads: loads of neighbouring words of shared memory become one where their address is a multiple of the
// whole, whatever the thread, and nothing between them may write there.
func TestMergeLoads(t *testing.T) {
	for _, c := range []struct {
		name    string
		stride  int64 // words between the places of threads
		offsets []int64
		between func(b *kir.Builder, at *kir.Value)
		want    map[int]int
	}{
		{"four in a row", 4, []int64{0, 4, 8, 12}, nil, map[int]int{4: 1}},
		{"in any order", 4, []int64{8, 0, 12, 4}, nil, map[int]int{4: 1}},
		{"eight", 8, []int64{0, 4, 8, 12, 16, 20, 24, 28}, nil, map[int]int{4: 2}},
		{"two pairs, not aligned to four", 2, []int64{0, 4, 8, 12}, nil, map[int]int{2: 2}},
		{"from the second on", 4, []int64{4, 8, 12, 16}, nil, map[int]int{2: 1}},
		{"not aligned at all", 1, []int64{0, 4, 8, 12}, nil, map[int]int{}},
		{"apart", 4, []int64{0, 8, 16}, nil, map[int]int{}},
		{"a store between", 4, []int64{0, 4}, func(b *kir.Builder, at *kir.Value) {
			b.Store(kir.Shared, b.Op(kir.OpAdd, at, b.Int(kir.U64, 4)), b.Const(kir.F32, 1))
		}, map[int]int{}},
		{"a store to another word", 4, []int64{0, 4}, func(b *kir.Builder, at *kir.Value) { b.Store(kir.Shared, at, b.Const(kir.F32, 1)) }, map[int]int{2: 1}},
		{"a barrier between", 4, []int64{0, 4}, func(b *kir.Builder, _ *kir.Value) { b.Barrier() }, map[int]int{}},
	} {
		b := kir.NewBuilder("loads")
		out := b.Param("out", kir.U64)
		own := b.SharedArray("own", kir.F32, 1024)
		tid := b.Convert(kir.I64, b.Special(kir.TidX))
		at := b.Op(kir.OpAdd, own, b.Convert(kir.U64, b.Op(kir.OpMul, tid, b.Int(kir.I64, 4*c.stride))))
		sum := b.Const(kir.F32, 0)
		for i, off := range c.offsets {
			if i == 1 && c.between != nil {
				c.between(b, at)
			}
			sum = b.Op(kir.OpAdd, sum, b.Load(kir.Shared, kir.F32, b.Op(kir.OpAdd, at, b.Int(kir.U64, off))))
		}
		b.Store(kir.Global, b.Index(out, tid, kir.F32), sum)
		b.Return()
		f, err := b.Func()
		require.NoError(t, err)
		f = opt.Optimize(f)
		g := opt.MergeLoads(f, 64)
		require.NoError(t, kir.Verify(g), c.name)
		assert.Equal(t, c.want, vectors(g), c.name)
		if len(c.offsets) == 8 {
			assert.Empty(t, vectors(opt.MergeLoads(f, 0)), "%s: no further than asked", c.name)
		}
	}
}

// Random kernels with wide loads give what the reference gives without.
func TestMergedRandomKernels(t *testing.T) {
	for seed := range testsize.Seeds("kir/opt.TestMergedRandomKernels") {
		change := func(f *kir.Func) *kir.Func {
			g := opt.MergeLoads(opt.Optimize(f), 64)
			require.NoError(t, kir.Verify(g), "seed %d", seed)
			return g
		}
		err := random.New(seed, random.All).Check(random.After("merged", change, random.Engine(1)))
		if d := (*random.Difference)(nil); errors.As(err, &d) {
			d = random.Shrink(d, 2000)
			t.Fatalf("%v\nafter shrinking: %v\n%v", err, d, d.Kernel.Func)
		}
		require.NoError(t, err)
	}
}
