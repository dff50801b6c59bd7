package multi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// kernelsOn counts the kernels of the last evaluation by their devices.
func kernelsOn() map[string]int {
	on := map[string]int{}
	for _, e := range trace.Last().Events() {
		if e.Kind == trace.Kernel {
			on[e.Device]++
		}
	}
	return on
}

// TestTilesOfAChain: each operation of a chain runs on all eight GPUs, on a tile each, and nothing moves between them.
func TestTilesOfAChain(t *testing.T) {
	rt := use(t)
	lazy.Use("sim:v100x8")
	offload.MinTile(1024)
	const n = 8000
	x := lazy.FromArray(arrays.Arange(float64(n)))
	y := x.Mul(2).Add(1).Sqrt()
	lazy.Eval(y)
	require.Len(t, kernelsOn(), 8)
	for _, k := range kernelsOn() {
		require.Equal(t, 3, k)
	}
	z := y.Mul(y)
	lazy.Eval(z)
	s := rt.Stats()
	require.Zero(t, s.CopiesPeer)
	require.Zero(t, s.CopiesOut)
	require.Equal(t, int64(8*n), s.BytesIn)
	want := arrays.Arange(float64(n)).Mul(2).Add(1).Sqrt()
	require.Equal(t, want.Mul(want).Float64s(), z.Array().Float64s())
	require.Equal(t, int64(8), rt.Stats().CopiesOut)
}

// TestExplainedTiles: what is divided, and how, is said before anything is computed, and why the rest is not.
func TestExplainedTiles(t *testing.T) {
	use(t)
	lazy.Use("sim:v100x8")
	offload.MinTile(8000)
	x := lazy.FromArray(arrays.Arange(40_000.0).Reshape(400, 100))
	y := x.Mul(2)
	said := lazy.Explain(y).String()
	require.Contains(t, said, "1. multiply on 8 devices: one operation over shape (400, 100)")
	require.Contains(t, said, "(400, 100) in 8 tiles\n     [0:50, 0:100] on sim:v100x8#0\n     [50:100, 0:100] on sim:v100x8#1\n")
	require.Contains(t, said, "reads 320 kB, of which 320 kB are copied to the devices first")
	require.Empty(t, y.Tiling().Tiles)
	lazy.Eval(y)
	require.Len(t, y.Places(), 8)
	require.Contains(t, y.Tiling().String(), "(400, 100) in 8 tiles\n  [0:50, 0:100] on sim:v100x8#0, 40 kB\n")
	said = lazy.Explain(y.Add(1)).String()
	require.NotContains(t, said, "copied")
	// A row further for each tile but the last, from the GPU that has the next.
	said = lazy.Explain(y.At(arrays.S(1, 400)).Add(y.At(arrays.S(0, 399)))).String()
	require.Contains(t, said, "copied to the devices first")
	require.Contains(t, said, "between devices")
	require.Contains(t, lazy.Explain(y.At(0).Add(1)).String(), "whole on one device: what it works on, 800 B at most, is not two tiles of 8 kB")
	offload.SetTiles(offload.Balanced)
	defer offload.SetTiles(offload.Slabs)
	said = lazy.Explain(x.Reshape(200, 200).Mul(3)).String()
	require.Contains(t, said, "(200, 200) in 8 tiles\n     [0:100, 0:50] on sim:v100x8#0\n     [0:100, 50:100] on sim:v100x8#", said) // four have as much of it
}

// TestColumnsOfTiles: where rows become columns, each GPU gets its part of every other's tile in one copy, packed by a
// kernel, and reductions down the columns have the bits of one device. Elements of each size go that way.
func TestColumnsOfTiles(t *testing.T) {
	rt := use(t)
	offload.MinTile(256)
	defer offload.MinTile(0)
	for _, d := range []arrays.DType{arrays.Bool, arrays.Int16, arrays.Float32, arrays.Float64, arrays.Complex128} {
		lazy.Use("sim:v100x8")
		eager := arrays.Arange(96.0*80).Mod(7).AsType(d).Reshape(96, 80)
		x := lazy.FromArray(eager)
		if d.IsComplex() {
			require.Equal(t, eager.T().Copy().Bytes(), x.T().Copy().Array().Bytes()) // has no kernels
			continue
		}
		same := lazy.FromArray(eager.Copy())
		x = lazy.Maximum(x, same)
		lazy.Eval(x)
		require.Len(t, x.Tiling().Tiles, 8)
		before := rt.Stats()
		y := lazy.Maximum(x.T(), same.T())
		lazy.Eval(y)
		after := rt.Stats()
		require.Equal(t, int64(2*8*7), after.CopiesPeer-before.CopiesPeer, "%v", d)
		require.Equal(t, int64(2*96*80*d.Size()*7/8), after.BytesPeer-before.BytesPeer, "%v", d)
		require.Equal(t, eager.T().Copy().Bytes(), y.Array().Bytes(), "%v", d)
	}
	offload.SetTiles(offload.Balanced)
	defer offload.SetTiles(offload.Slabs)
	cube := arrays.Arange(8.0*24*40).Reshape(8, 24, 40)
	x := lazy.FromArray(cube).Mul(2)
	lazy.Eval(x)
	offload.SetTiles(offload.Slabs)
	y := x.At(arrays.S(1, 8), arrays.All, arrays.S(0, 39)).Add(x.At(arrays.S(0, 7), arrays.All, arrays.S(1, 40)))
	c := cube.Mul(2)
	want := c.At(arrays.S(1, 8), arrays.All, arrays.S(0, 39)).Add(c.At(arrays.S(0, 7), arrays.All, arrays.S(1, 40)))
	require.Equal(t, want.Float64s(), lazy.Data[float64](y))
}

// TestOneElementOfTiles: an element that is assigned changes in its tile alone.
func TestOneElementOfTiles(t *testing.T) {
	use(t)
	offload.MinTile(8)
	defer offload.MinTile(0)
	for _, at := range []int{0, 5, 13, 29} {
		lazy.Use("sim:v100x8")
		eager := arrays.Arange(30.0).Mul(2)
		eager.At(at).Set(-1)
		x := lazy.FromArray(arrays.Arange(30.0)).Mul(2)
		lazy.Eval(x)
		x.At(at).Set(lazy.FromArray(arrays.Arange(3.0)).Sum().Mul(0).Sub(1))
		lazy.Eval(x)
		require.Len(t, x.Tiling().Tiles, 8)
		require.Equal(t, eager.Float64s(), lazy.Data[float64](x))
	}
}

// TestStepsOfAStencil: of steps that are evaluated together, fused as they are where nothing else is asked for, each
// copies the edges of the tiles and little more, in slabs and in balanced tiles: corners, whose elements two edges
// have.
func TestStepsOfAStencil(t *testing.T) {
	rt := use(t)
	lazy.Fuse(true)
	lazy.Use("sim:v100x8")
	offload.MinTile(1000)
	defer offload.MinTile(0)
	defer offload.SetTiles(offload.Slabs)
	const n, steps = 82, 4 // 80 points within
	for form, edges := range map[offload.TileForm]int{offload.Slabs: 7 * 2, offload.Balanced: (1 + 3) * 2} {
		offload.SetTiles(form)
		g := lazy.FromArray(arrays.Arange(float64(n*n)).Reshape(n, n)).Mul(2)
		want := arrays.Arange(float64(n*n)).Reshape(n, n).Mul(2)
		lazy.Eval(g)
		require.Len(t, g.Tiling().Tiles, 8)
		all, up, down := arrays.S(1, -1), arrays.S(0, -2), arrays.S(2, n)
		before := rt.Stats()
		for range steps {
			g.Set(g.At(all, all).Add(g.At(up, all)).Add(g.At(down, all)).Add(g.At(all, up)).Add(g.At(all, down)).Mul(0.2), all, all)
			want.Set(want.At(all, all).Add(want.At(up, all)).Add(want.At(down, all)).Add(want.At(all, up)).Add(want.At(all, down)).Mul(0.2), all, all)
		}
		lazy.Eval(g)
		copied := rt.Stats().BytesPeer - before.BytesPeer
		require.InEpsilon(t, steps*edges*(n-2)*8, copied, 0.05, "form %d", form)
		require.Equal(t, want.Float64s(), lazy.Data[float64](g))
	}
}
