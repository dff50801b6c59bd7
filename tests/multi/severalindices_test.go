package multi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// TestAssignmentsByMasksAndSeveralIndices: what masks and several index arrays assign, or add, goes to the devices that
// have the tiles, which stay there; Explain says why what is not done so is the CPU's.
func TestAssignmentsByMasksAndSeveralIndices(t *testing.T) {
	rt := use(t)
	lazy.Fuse(true)
	offload.MinTile(512)
	defer offload.MinTile(0)
	lazy.Use("sim:v100x8")
	const rows, columns = 96, 40
	start := arrays.Arange(float64(rows*columns)).Mul(0.31).Sin().Reshape(rows, columns)
	i := arrays.FromSlice([]int64{5, 95, -1, 5, 40, 0})
	j := arrays.FromSlice([]int64{-1, 0, 3, 39, 3, 17})
	mask, someRows := start.Greater(0.4), start.At(arrays.All, 0).Greater(0)
	numbers := func(n int) *arrays.Array { return arrays.Arange(float64(n)).Mul(0.7) }
	for what, idx := range map[string][]any{
		"two arrays": {i, j}, "an int and an array": {7, j}, "a mask": {mask}, "a mask of rows": {someRows},
		"arrays that are broadcast": {i.Reshape(6, 1), j},
	} {
		eager := start.Copy()
		shape := eager.At(idx...).Shape()
		n := 1
		for _, k := range shape {
			n *= k
		}
		value := numbers(n).Reshape(shape...)
		x := lazy.FromArray(start).Mul(1)
		lazy.Eval(x)
		require.Len(t, x.Tiling().Tiles, 8, what)
		before := rt.Stats()
		x.Set(lazy.FromArray(value), idx...)
		require.NotContains(t, lazy.Explain(x).String(), "on the CPU", what)
		x.AddAt(lazy.FromArray(value), idx...)
		lazy.Eval(x)
		require.Equal(t, before.CopiesOut, rt.Stats().CopiesOut, "%s: nothing goes to the host", what)
		require.Len(t, x.Tiling().Tiles, 8, what)
		eager.Set(value, idx...)
		eager.AddAt(value, idx...)
		require.Equal(t, eager.Bytes(), x.Copy().Array().Bytes(), what)
	}
	x := lazy.FromArray(start).Mul(1)
	x.Set(1.5, arrays.S(0, 9), j)
	require.Contains(t, lazy.Explain(x).String(), "its index has more than arrays of ints and masks for the first axes")
	y := lazy.FromArray(start).Mul(1)
	y.At(arrays.All, arrays.S(0, 9)).Set(1.5, i)
	require.Contains(t, lazy.Explain(y).String(), "do not lie side by side")
	eager := start.Copy()
	eager.Set(1.5, arrays.S(0, 9), j)
	require.Equal(t, eager.Bytes(), x.Array().Bytes())
}
