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
	require.Contains(t, said, "[0:100, 0:50] on sim:v100x8#0\n     [0:100, 50:100] on sim:v100x8#1\n", said)
}
