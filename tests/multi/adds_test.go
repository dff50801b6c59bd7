package multi_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// TestIntsAreAddedOnDevices: random additions at places, to arrays and to views of some of their rows, of numbers, rows
// and arrays, some of them to one place often, have the values of eager arrays, and the CPU does none.
func TestIntsAreAddedOnDevices(t *testing.T) {
	rt := use(t)
	lazy.Fuse(true)
	defer lazy.Use("host")
	for seed := range testsize.Seeds("tests/multi.TestIntsAreAddedOnDevices") {
		r := rand.New(rand.NewPCG(seed, 13))
		how := setting(r)
		d := []arrays.DType{arrays.Int32, arrays.Int64, arrays.Uint32, arrays.Uint64}[r.IntN(4)]
		shape := []int{1 + r.IntN(30), 1 + r.IntN(9), 1 + r.IntN(3)}[:1+r.IntN(3)]
		size := 1
		for _, n := range shape {
			size *= n
		}
		eager := arrays.Arange(float64(size)).AsType(d).Reshape(shape...)
		x := lazy.FromArray(eager).Mul(lazy.Ones(1).AsType(d))
		lazy.Eval(x)
		eager = eager.Copy()
		before := rt.Stats().CPUTasks
		for range 1 + r.IntN(4) {
			v, e := x, eager
			if lo := r.IntN(shape[0]); r.IntN(2) == 0 {
				v, e = x.At(arrays.S(lo, shape[0])), eager.At(arrays.S(lo, shape[0]))
			}
			rows := e.Shape()[0]
			at := make([]int64, 1+r.IntN(4*rows))
			for i := range at {
				at[i] = int64(r.IntN(2*rows) - rows)
			}
			switch r.IntN(3) {
			case 0:
				v.AddAt(3, at)
				e.AddAt(3, at)
			case 1:
				row := e.At(r.IntN(rows)).Copy()
				v.AddAt(lazy.FromArray(row), lazy.FromArray(arrays.FromSlice(at)))
				e.AddAt(row, at)
			default:
				from := arrays.Take(e, at, arrays.Axis(0)).Mul(arrays.Ones(1).AsType(d)).Copy()
				v.AddAt(lazy.FromArray(from), at)
				e.AddAt(from, at)
			}
		}
		lazy.Eval(x)
		require.Equal(t, before, rt.Stats().CPUTasks, "seed %d, %s", seed, how)
		require.Equal(t, eager.Bytes(), x.Array().Bytes(), "seed %d, %s, %v of %v", seed, how, shape, d)
	}
}
