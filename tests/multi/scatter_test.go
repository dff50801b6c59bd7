package multi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// TestAssignmentsStayOnDevices: numbers that are assigned at places, and one by one, go to the devices that have the
// tiles; nothing of the array goes to the host. Of two numbers for one place the last counts.
func TestAssignmentsStayOnDevices(t *testing.T) {
	rt := use(t)
	lazy.Use("sim:v100x8")
	defer lazy.Use("host")
	offload.MinTile(500)
	defer offload.MinTile(0)
	for _, d := range []arrays.DType{arrays.Float64, arrays.Int16, arrays.Bool} {
		const rows, columns = 600, 10
		want := arrays.Arange(rows*columns).Mod(7).AsType(d).Reshape(rows, columns).Copy()
		g := lazy.FromArray(want).Copy()
		g.At(0).Set(want.At(1))
		lazy.Eval(g)
		require.Len(t, g.Tiling().Tiles, 8)
		want.At(0).Set(want.At(1).Copy())
		at := arrays.Arange(300).AsType(arrays.Int64).Mul(7919).Mod(2 * rows).Sub(rows)
		with := arrays.Arange(300*columns).Mod(2).AsType(d).Reshape(300, columns)
		before := rt.Stats()
		g.Set(lazy.FromArray(with), at)
		want.Set(with, at)
		lazy.Eval(g)
		for i := range 50 {
			g.Set(i%2, (i*37)%rows, i%columns)
			want.Set(i%2, (i*37)%rows, i%columns)
		}
		require.Contains(t, lazy.Explain(g).String(), "each element by a thread, the last number that the index gives it")
		lazy.Eval(g)
		after := rt.Stats()
		require.Equal(t, before.CPUTasks, after.CPUTasks, "%v", d)
		require.Equal(t, before.BytesOut, after.BytesOut, "%v", d)
		require.Len(t, g.Tiling().Tiles, 8)
		require.Equal(t, want.Bytes(), g.Array().Bytes(), "%v", d)
	}
}
