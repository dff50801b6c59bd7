package tests

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// Arrays are joined in kernels, along any axis and a new one, of all dtypes and of views, empty ones too; what comes
// behind stays in kernels as well.
func TestJoinsInKernels(t *testing.T) {
	rt := testdevices.Use(t)
	lazy.Use("sim:v100")
	r := rand.New(rand.NewPCG(1, 35))
	types := []lazy.DType{lazy.Bool, lazy.Int8, lazy.Uint16, lazy.Int32, lazy.Int64, lazy.Float16, lazy.Float32, lazy.Float64}
	for range 60 {
		axis := r.IntN(6) - 3
		var eager, lz []any
		base, stacks := []int{1 + r.IntN(4), 1 + r.IntN(40), 1 + r.IntN(9)}, r.IntN(2) == 0
		for range 1 + r.IntN(4) {
			shape := slices.Clone(base)
			if !stacks {
				shape[(axis+3)%3] = r.IntN(5)
			}
			e := arrays.DefaultRNG(r.IntN(1000)).Random(shape...).Mul(9).AsType(types[r.IntN(len(types))])
			x := lazy.FromArray(e)
			if r.IntN(3) == 0 {
				e, x = e.Flip(1), x.Flip(1)
			}
			if r.IntN(3) == 0 {
				e, x = e.Mul(2), x.Mul(2)
			}
			eager, lz = append(eager, e), append(lz, x)
		}
		want, got := (*arrays.Array)(nil), (*lazy.Array)(nil)
		if stacks {
			want, got = arrays.Stack(axis, eager...), lazy.Stack(axis, lz...)
		} else {
			want, got = arrays.Concat(axis, eager...), lazy.Concat(axis, lz...)
		}
		want, got = want.Add(1), got.Add(1)
		before := rt.Stats().CPUTasks
		require.Equal(t, want.DType(), got.DType())
		require.Equal(t, want.Shape(), got.Shape())
		require.Equal(t, want.Copy().Bytes(), got.Array().Bytes())
		if want.Size() > 0 {
			require.Equal(t, before, rt.Stats().CPUTasks)
		}
	}
}
