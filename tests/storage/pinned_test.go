//go:build unix

package storage

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWarpsThatWaitForEachOtherHoldNoLines: warps that wait for the whole grid give back the lines that they use. With
// fewer lines in the cache than warps the kernel goes on, and its result is right.
func TestWarpsThatWaitForEachOtherHoldNoLines(t *testing.T) {
	const threads, block = 256, 32
	b := kir.NewBuilder("meet")
	data, idx, out := b.Param("data", kir.U64), b.Param("idx", kir.U64), b.Param("out", kir.U64)
	i := b.GlobalIDX()
	k := b.Load(kir.Global, kir.I64, b.Index(idx, i, kir.I64))
	first := b.Load(kir.Global, kir.F64, b.Index(data, k, kir.F64))
	b.GridBarrier()
	b.Store(kir.Global, b.Index(out, i, kir.F64), b.Op(kir.OpAdd, first, b.Load(kir.Global, kir.F64, b.Index(data, k, kir.F64))))
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	f.Bounds.Cooperative = true
	places := lazy.Arange(threads).FloorDivide(block).Mul(4096) // each warp has a line of its own
	onEach(t, small, func(t *testing.T, rt *offload.Runtime) {
		path := saved(t)
		for _, lines := range []int64{1, 3, 64} {
			x, err := lazy.Open(path, lazy.LineBytes(512), lazy.CacheBytes(512*lines))
			require.NoError(t, err)
			y := lazy.Zeros(threads)
			c := kernelcall.Call[lazy.Array]{Name: f.Name, Func: f, Grid: kir.D1(threads / block), Block: kir.D1(block)}
			for j, a := range []*lazy.Array{x, places, y} {
				c.Args = append(c.Args, kernelcall.Arg[lazy.Array]{Array: a, Writes: j == 2})
			}
			err = panicOf(func() { lazy.Wiring{}.Launch(c); lazy.Eval(y) })
			require.NoError(t, err, "%d lines", lines)
			assert.Equal(t, places.Mul(2).AsType(lazy.Float64).Float64s(), y.Float64s(), "%d lines", lines)
			assert.Zero(t, storageOf(t, x).Cache.InUse)
			require.NoError(t, x.Close())
		}
	})
}
