package multi_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// pair is one array twice: as lazy computes it on the devices in use, and as package arrays does.
type pair struct {
	lazy  *lazy.Array
	eager *arrays.Array
}

func both(a *arrays.Array) pair { return pair{lazy.FromArray(a), a.Copy()} }

func (p pair) shape() []int { return p.eager.Shape() }

// at is the view of both that idx selects.
func (p pair) at(idx ...any) pair { return pair{p.lazy.At(idx...), p.eager.At(idx...)} }

// view is a random view of x, with steps, reversed, or of another view.
func view(r *rand.Rand, x pair) pair {
	for range 1 + r.IntN(2) {
		idx := make([]any, len(x.shape()))
		for a, n := range x.shape() {
			lo := r.IntN(max(n/3, 1))
			hi := n - r.IntN(max(n/3, 1))
			switch r.IntN(4) {
			case 0:
				idx[a] = arrays.S(arrays.End, -n-1, -1)
			case 1:
				idx[a] = arrays.S(lo, hi, 1+r.IntN(3))
			default:
				idx[a] = arrays.S(lo, hi)
			}
		}
		x = x.at(idx...)
	}
	return x
}

// places are random indices of an axis, some of them twice.
func places(r *rand.Rand, axis, n int) *arrays.Array {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(r.IntN(axis))
	}
	return arrays.FromSlice(out)
}

// operations are what a random program does to an array x and another y: each returns the results, of which there are
// none where it does not suit them.
var operations = []struct {
	name string
	do   func(r *rand.Rand, x, y pair) []pair
}{
	{"view", func(r *rand.Rand, x, _ pair) []pair {
		v := view(r, x)
		return []pair{{v.lazy.Mul(2), v.eager.Mul(2)}}
	}},
	{"assignment to a view", func(r *rand.Rand, x, _ pair) []pair {
		g := pair{x.lazy.Copy(), x.eager.Copy()}
		v := view(r, g)
		from := pair{v.lazy.Abs().Add(1), v.eager.Abs().Add(1)}
		if r.IntN(2) == 0 { // of the same memory, turned round
			from = v.at(arrays.S(arrays.End, -v.shape()[0]-1, -1))
		}
		v.lazy.Set(from.lazy)
		v.eager.Set(from.eager.Copy())
		return []pair{g}
	}},
	{"broadcast", func(_ *rand.Rand, x, _ pair) []pair {
		row := x.at(0)
		return []pair{{x.lazy.Sub(row.lazy), x.eager.Sub(row.eager)}}
	}},
	{"where", func(_ *rand.Rand, x, y pair) []pair {
		if fmt.Sprint(x.shape()) != fmt.Sprint(y.shape()) {
			return nil
		}
		return []pair{{lazy.Where(x.lazy.Greater(0), x.lazy, y.lazy), arrays.Where(x.eager.Greater(0), x.eager, y.eager)}}
	}},
	{"take", func(r *rand.Rand, x, _ pair) []pair {
		axis := r.IntN(len(x.shape()))
		at := places(r, x.shape()[axis], 1+r.IntN(2*x.shape()[axis]))
		return []pair{{lazy.Take(x.lazy, at, arrays.Axis(axis)), arrays.Take(x.eager, at, arrays.Axis(axis))}}
	}},
	{"picked by a mask", func(_ *rand.Rand, x, _ pair) []pair {
		return []pair{{x.lazy.At(x.lazy.Greater(0.2)), x.eager.At(x.eager.Greater(0.2))}}
	}},
	{"indices for an assignment", func(r *rand.Rand, x, _ pair) []pair {
		g := pair{x.lazy.Copy(), x.eager.Copy()}
		at := places(r, x.shape()[0], 5)
		g.lazy.Set(7, at)
		g.eager.Set(7, at)
		return []pair{g}
	}},
	{"add at", func(r *rand.Rand, x, _ pair) []pair {
		g := pair{x.lazy.Copy(), x.eager.Copy()}
		v := g
		if r.IntN(2) == 0 {
			v = view(r, g)
		}
		if v.shape()[0] == 0 {
			return nil
		}
		at := places(r, v.shape()[0], 3*v.shape()[0])
		if r.IntN(2) == 0 || len(x.shape()) > 1 {
			v.lazy.AddAt(1, at)
			v.eager.AddAt(1, at)
			return []pair{g}
		}
		with := x.at(places(r, x.shape()[0], at.Size()))
		v.lazy.AddAt(with.lazy, at)
		v.eager.AddAt(with.eager, at)
		return []pair{g}
	}},
	{"histogram", func(r *rand.Rand, x, _ pair) []pair {
		n := 5 + r.IntN(60)
		at := pair{x.lazy.Abs().Mul(7).AsType(arrays.Int64).Mod(n), x.eager.Abs().Mul(7).AsType(arrays.Int64).Mod(n)}
		h := both(arrays.New(arrays.Int64, n))
		h.lazy.AddAt(1, at.lazy)
		h.eager.AddAt(1, at.eager)
		return []pair{h}
	}},
	{"running sums of ints", func(r *rand.Rand, x, _ pair) []pair {
		ints := pair{x.lazy.Mul(50).AsType(arrays.Int64), x.eager.Mul(50).AsType(arrays.Int64)}
		if r.IntN(2) == 0 {
			return []pair{{ints.lazy.Reshape(-1).CumSum(), ints.eager.Reshape(-1).CumSum()}}
		}
		axis := arrays.Axis(r.IntN(len(x.shape())))
		return []pair{{ints.lazy.CumSum(axis), ints.eager.CumSum(axis)}}
	}},
	{"running maxima", func(r *rand.Rand, x, _ pair) []pair {
		axis := arrays.Axis(r.IntN(len(x.shape())))
		return []pair{{lazy.CumMax(x.lazy, axis), arrays.CumMax(x.eager, axis)}}
	}},
	{"sorted", func(r *rand.Rand, x, _ pair) []pair {
		axis := arrays.Axis(r.IntN(len(x.shape())))
		return []pair{{x.lazy.Sort(axis), x.eager.Sort(axis)}, {x.lazy.ArgSort(axis), x.eager.ArgSort(axis)}}
	}},
	{"maximum of an axis", func(r *rand.Rand, x, _ pair) []pair {
		axis := arrays.Axis(r.IntN(len(x.shape())))
		return []pair{{x.lazy.Max(axis), x.eager.Max(axis)}, {x.lazy.ArgMax(axis), x.eager.ArgMax(axis)}}
	}},
	{"sum of ints", func(r *rand.Rand, x, _ pair) []pair {
		ints := pair{x.lazy.Mul(50).AsType(arrays.Int64), x.eager.Mul(50).AsType(arrays.Int64)}
		return []pair{{ints.lazy.Sum(), ints.eager.Sum()}, {ints.lazy.Sum(arrays.Axis(0)), ints.eager.Sum(arrays.Axis(0))}}
	}},
	{"kernel", func(r *rand.Rand, x, _ pair) []pair { // of cells: it reads a view, and writes to another
		if x.eager.DType() != arrays.Float64 {
			return nil
		}
		g := pair{x.lazy.Copy().Reshape(-1), x.eager.Copy().Reshape(-1)}
		n := g.shape()[0]
		m := n/2 + 1
		from, at := r.IntN(n-m+1), r.IntN(n-m+1)
		out := both(arrays.New(arrays.Float64, n))
		for range 1 + r.IntN(3) {
			in, to := g.at(arrays.S(from, from+m)), out.at(arrays.S(at, at+m))
			if r.IntN(3) == 0 {
				in, to = in.at(arrays.S(0, arrays.End, 2)), to.at(arrays.S(0, (m+1)/2))
			}
			k := in.shape()[0]
			launch(sharedKernels().mix, k, in.lazy, to.lazy)
			old := to.eager.Copy()
			to.eager.Set(old.Mul(0.5).Add(in.eager.Copy().At(arrays.S(arrays.End, -k-1, -1))))
			from, at = r.IntN(n-m+1), r.IntN(n-m+1)
		}
		return []pair{out}
	}},
	{"kernel with atomics", func(r *rand.Rand, x, _ pair) []pair {
		n := 3 + r.IntN(40)
		at := pair{x.lazy.Abs().Mul(9).AsType(arrays.Int64).Mod(n).Reshape(-1), x.eager.Abs().Mul(9).AsType(arrays.Int64).Mod(n).Reshape(-1)}
		h := both(arrays.New(arrays.Int64, n))
		launch(sharedKernels().count, at.shape()[0], at.lazy, h.lazy)
		h.eager.AddAt(1, at.eager)
		return []pair{h}
	}},
}

// operate runs a random program of operations, and returns what it made and the names of how.
func operate(seed uint64) (out []pair, how []string) {
	r := rand.New(rand.NewPCG(seed, 10))
	rows, cols := 8+r.IntN(60), 8+r.IntN(200)
	xs := []pair{
		both(arrays.Arange(float64(rows*cols)).Mul(0.37).Sin().Reshape(rows, cols)),
		both(arrays.Arange(float64(rows*cols)).Mul(0.11).Cos().AsType(arrays.Float32).Reshape(rows, cols)),
		both(arrays.Arange(float64(rows * cols)).Mul(0.7).Sin()),
		both(arrays.Arange(float64(rows*cols)).AsType(arrays.Int64).Mod(97).Reshape(rows, cols)),
	}
	given := len(xs)
	for range 10 {
		x, y := xs[r.IntN(len(xs))], xs[r.IntN(len(xs))]
		if len(x.shape()) == 0 || x.eager.Size() < 4 || x.shape()[0] < 2 {
			continue
		}
		op := operations[r.IntN(len(operations))]
		made := op.do(r, x, y)
		for _, p := range made {
			xs, how = append(xs, p), append(how, fmt.Sprintf("%s %v of %v", op.name, p.shape(), x.shape()))
		}
		if made != nil && r.IntN(4) == 0 {
			lazy.Eval(made[0].lazy)
		}
	}
	out = xs[given:]
	all := make([]*lazy.Array, len(out))
	for i, p := range out {
		all[i] = p.lazy
	}
	lazy.Eval(all...)
	return out, how
}

// TestOperationsOnDevices: what random programs make has the bits that package arrays gives it, whatever
// devices, policy, tiles and memory there are: nested views with steps, assignments through them, broadcasts,
// reductions whose order does not matter, gathers, assignments and additions at indices, scans, sorts, and kernels of
// cells over views.
func TestOperationsOnDevices(t *testing.T) {
	rt := use(t)
	defer func() {
		rt.SetMemLimit(0)
		offload.MinTile(0)
		offload.MaxTiles(0)
		offload.SetTiles(offload.Slabs)
		lazy.Fuse(true)
	}()
	for seed := range testsize.Seeds("tests/multi.TestOperationsOnDevices") {
		r := rand.New(rand.NewPCG(seed, 4))
		lazy.Fuse(seed%3 > 0)
		for range 2 {
			how := setting(r)
			rt.SetMemLimit([]int64{0, 0, 100_000}[r.IntN(3)])
			got, names := operate(seed)
			for i, p := range got {
				require.Equal(t, p.eager.DType(), p.lazy.DType(), "seed %d, %s: result %d of %q", seed, how, i, names)
				require.Equal(t, p.shape(), p.lazy.Shape(), "seed %d, %s: result %d of %q", seed, how, i, names)
				require.Equal(t, p.eager.Copy().Bytes(), p.lazy.Copy().Array().Bytes(), "seed %d, %s: result %d of %q", seed, how, i, names)
			}
		}
	}
}

// setting chooses devices, a policy and how large tiles are, and says which.
func setting(r *rand.Rand) string {
	lazy.Use(machines[r.IntN(len(machines))]...)
	names := append(offload.Policies(), "random")
	name := names[r.IntN(len(names))]
	if name == "random" {
		offload.Policy(func(c offload.Candidates) int { return c.Devices[r.IntN(len(c.Devices))] })
	} else {
		offload.Policy(name)
	}
	least, most, form := []int64{16, 1000, 20_000}[r.IntN(3)], []int{0, 0, 3, 20}[r.IntN(4)], []offload.TileForm{offload.Slabs, offload.Balanced}[r.IntN(2)]
	offload.MinTile(least)
	offload.MaxTiles(most)
	offload.SetTiles(form)
	whole := r.IntN(5) == 0
	offload.WholeArrays(whole)
	return fmt.Sprintf("%s, %s, tiles of %d, at most %d, form %d, whole %v", lazy.Device(), name, least, most, form, whole)
}

// machines are the devices of random programs.
var machines = [][]string{
	{"sim:v100x8#2"}, {"sim:v100x8#0", "sim:v100x8#5"}, {"sim:a100x8#1", "sim:a100x8#4", "sim:a100x8#6"},
	{"sim:v100x8#4", "sim:v100x8#5", "sim:v100x8#6", "sim:v100x8#7"}, {"sim:v100x8"}, {"sim:a100x8"},
	{"sim:tiny", "sim:v100x8#2", "sim:v100x8#5"}, {"sim:dgx1v"}, {"sim:l4x8#0", "sim:l4x8#3", "sim:l4x8#4"}, {"sim:h100x8#1", "sim:h100x8#7"},
}
