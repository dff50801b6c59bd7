package multi_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// TestNumbersAreAddedOnDevices: random additions at places, to arrays and to views of some of their rows, of numbers,
// rows and arrays, some of them to one place often, have the bits of eager arrays, and the CPU does none.
func TestNumbersAreAddedOnDevices(t *testing.T) {
	rt := use(t)
	lazy.Fuse(true)
	defer lazy.Use("host")
	for seed := range testsize.Seeds("tests/multi.TestNumbersAreAddedOnDevices") {
		r := rand.New(rand.NewPCG(seed, 13))
		how := setting(r)
		d := oneOf(r, arrays.Int32, arrays.Int64, arrays.Uint32, arrays.Uint64, arrays.Int8, arrays.Uint16, arrays.Float32, arrays.Float64, arrays.Float64, arrays.Float16)
		shape := []int{1 + r.IntN(60), 1 + r.IntN(30), 1 + r.IntN(3)}[:1+r.IntN(3)]
		size := 1
		for _, n := range shape {
			size *= n
		}
		eager := arrays.Arange(float64(size)).Mul(0.37).AsType(d).Reshape(shape...)
		if d == arrays.Float32 || d == arrays.Float64 {
			eager = eager.Mul(1.7).Sin().AsType(d)
		}
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

// TestAdditionsAreDivided: each device adds to its tiles what the index sends there, in the order of the index. What
// one thread would add for long is the CPU's, and Explain says so.
func TestAdditionsAreDivided(t *testing.T) {
	rt := use(t)
	lazy.Use("sim:v100x8")
	defer lazy.Use("host")
	offload.MinTile(1000)
	defer offload.MinTile(0)
	const n = 4000
	at, with := arrays.Arange(3.0*n).AsType(arrays.Int64).Mul(7919).Mod(n), arrays.Arange(3.0*n).Sin()
	want := arrays.Arange(float64(n)).Cos()
	g := lazy.FromArray(want).Mul(1)
	want = want.Copy()
	want.AddAt(with, at)
	g.AddAt(lazy.FromArray(with), at)
	require.Contains(t, lazy.Explain(g).String(), "the numbers of each element by a thread, in the order of the index")
	before := rt.Stats().CPUTasks
	lazy.Eval(g)
	require.Equal(t, before, rt.Stats().CPUTasks)
	require.Len(t, g.Tiling().Tiles, 8)
	require.Equal(t, want.Bytes(), g.Array().Bytes())

	one := lazy.Zeros(2)
	one.AddAt(0.1, arrays.New(arrays.Int64, 100_000))
	require.Contains(t, lazy.Explain(one).String(), "100000 numbers are added to one element, one after the other")
	eager := arrays.New(arrays.Float64, 2)
	eager.AddAt(0.1, arrays.New(arrays.Int64, 100_000))
	require.Equal(t, eager.Bytes(), one.Array().Bytes())
}
