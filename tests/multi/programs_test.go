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

// program runs a random program over arrays of so many elements that reductions have several blocks, and returns what
// it made: elementwise operations, views with steps and reversed ones, shifted windows, broadcasts, reshaped and
// transposed arrays, reductions of all and of an axis, products, assignments through views, of which several are
// evaluated one after the other, running sums and sorts along one line of all elements, additions at places, and
// kernels of cells over views.
func program(seed uint64) (out []*arrays.Array, how []string) {
	r := rand.New(rand.NewPCG(seed, 9))
	rows, cols := 8+r.IntN(50), 8+r.IntN(400)
	xs := []*lazy.Array{
		lazy.FromArray(arrays.Arange(float64(rows*cols)).Mul(0.37).Sin().Reshape(rows, cols)),
		lazy.FromArray(arrays.Arange(float64(rows*cols)).Mul(0.11).Cos().AsType(arrays.Float32).Reshape(rows, cols)),
		lazy.FromArray(arrays.Arange(float64(cols)).Mul(0.7).Sin()),
		lazy.FromArray(arrays.Arange(float64(rows * cols)).AsType(arrays.Int64).Mod(97)),
		lazy.FromArray(arrays.Arange(float64(rows)).Sqrt().Reshape(rows, 1)),
	}
	pick := func(axes int) *lazy.Array {
		for range 40 {
			if x := xs[r.IntN(len(xs))]; len(x.Shape()) == axes && x.Size() > 1 {
				return x
			}
		}
		return xs[map[int]int{1: 2, 2: 0}[axes]]
	}
	add := func(name string, x *lazy.Array) { xs, how = append(xs, x), append(how, fmt.Sprint(name, x.Shape())) }
	for range 14 {
		switch x := pick(2); r.IntN(17) {
		case 0:
			add("chain", x.Mul(1.5).Add(x.Abs()).Sub(0.25))
		case 1:
			y := pick(2)
			if fmt.Sprint(x.Shape()) == fmt.Sprint(y.Shape()) {
				add("add", x.Add(y))
			}
		case 2:
			if n := x.Shape()[1]; n == cols {
				add("broadcast", x.Mul(pick(1).At(arrays.S(0, 1)).Add(xs[2])))
			}
		case 3:
			add("sum", x.Sum())
			add("less the sum", x.Sub(x.Sum()))
		case 4:
			add("sum of an axis", x.Sum(arrays.Axis(r.IntN(2))))
		case 5:
			add("max", x.Max(arrays.Axis(r.IntN(2)), arrays.KeepDims()))
		case 6:
			s := x.Shape()
			if s[0] > 4 && s[1] > 4 {
				c := x.At(arrays.S(1, -1), arrays.S(1, -1))
				add("stencil", c.Add(x.At(arrays.S(0, -2), arrays.S(1, -1))).Add(x.At(arrays.S(2, s[0]), arrays.S(1, -1))).
					Add(x.At(arrays.S(1, -1), arrays.S(0, -2))).Add(x.At(arrays.S(1, -1), arrays.S(2, s[1]))).Mul(0.2))
			}
		case 7: // assigned through a view, again and again
			s := x.Shape()
			if s[0] > 4 && s[1] > 4 && x.DType() != arrays.Int64 {
				g := x.Copy()
				for range 1 + r.IntN(3) {
					c := g.At(arrays.S(1, -1), arrays.S(1, -1))
					c.Set(c.Add(g.At(arrays.S(0, -2), arrays.S(1, -1))).Add(g.At(arrays.S(2, s[0]), arrays.S(1, -1))).Mul(0.3))
					if r.IntN(2) == 0 {
						lazy.Eval(g)
					}
				}
				add("relaxed", g)
			}
		case 8:
			g := x.Copy()
			i := r.IntN(g.Shape()[0])
			switch r.IntN(3) {
			case 0:
				g.At(i).Set(g.At(g.Shape()[0] - 1 - i).Mul(2))
			case 1:
				g.At(arrays.S(i, arrays.End, 2), r.IntN(g.Shape()[1])).Set(7)
			default:
				g.At(i, 0).Set(-1)
			}
			add("changed", g)
		case 9:
			add("transposed", x.T().Mul(2))
		case 10:
			add("reversed", x.At(arrays.S(arrays.End, -x.Shape()[0]-1, -1)).Sub(1))
		case 11:
			flat := x.Reshape(-1)
			add("flat", flat.At(arrays.S(1, arrays.End)).Sub(flat.At(arrays.S(0, -1))))
			add("its sum", flat.Mul(flat).Sum())
		case 12:
			if y := pick(2).T(); x.Shape()[1] == y.Shape()[0] && x.DType() != arrays.Int64 && x.DType() == y.DType() && x.Shape()[0]*x.Shape()[1]*y.Shape()[1] < 1<<17 {
				add("product", lazy.Dot(x, y))
			} else if x.Shape()[1] == cols && x.DType() == arrays.Float64 {
				add("product with a vector", lazy.Dot(x, xs[2]))
			}
		case 13: // of floats too: along one line of all elements, and along an axis
			add("running sums", x.Reshape(-1).CumSum())
			add("running sums of an axis", x.CumSum(arrays.Axis(r.IntN(2))))
		case 14:
			flat := x.Mul(7).Sin().Reshape(-1)
			add("sorted", flat.Sort())
			add("order", flat.ArgSort())
			add("picked by it", lazy.Take(flat, flat.ArgSort().At(arrays.S(0, flat.Size()/2))))
		case 15: // floats that are added at places, some of them often, and through a view
			g := x.AsType(lazy.Float64).Copy()
			s := g.Shape()
			at := lazy.Arange(float64(3 * s[0])).AsType(lazy.Int64).Mul(7).Mod(s[0])
			g.AddAt(0.37, at)
			g.At(arrays.S(0, arrays.End, 2)).AddAt(x.At(0).Mul(0.3), []int{0, -1, 0})
			add("added at places", g)
		case 16: // by a kernel of cells over views of one array
			g := x.AsType(lazy.Float64).Copy().Reshape(-1)
			out := lazy.Zeros(g.Size())
			n := g.Size()/2 - 1
			if n < 1 {
				break
			}
			for range 1 + r.IntN(3) {
				launch(sharedKernels().mix, n, g.At(arrays.S(1, n+1)), out.At(arrays.S(n/2, n/2+n)))
				launch(sharedKernels().mix, n, out.At(arrays.S(n/3, n/3+n)), g.At(arrays.S(n, n+n)))
			}
			add("by a kernel", out.Reshape(x.Shape()...))
			add("and back", g.Sub(out))
		}
		if r.IntN(4) == 0 {
			lazy.Eval(xs[len(xs)-1])
		}
	}
	last := xs[max(5, len(xs)-8):]
	lazy.Eval(last...)
	for _, x := range last {
		out = append(out, x.Array())
	}
	return out, how
}

// TestProgramsOnAnyNumberOfDevices: random programs have the same bits on the host and on 1, 2, 3, 4 and 8 GPUs, under
// each policy and form of tiles, with many tiles and few, and where memory is short. Sums of floats are among them:
// their order does not depend on the devices.
func TestProgramsOnAnyNumberOfDevices(t *testing.T) {
	rt := use(t)
	defer func() {
		rt.SetMemLimit(0)
		offload.MinTile(0)
	}()
	for seed := range seeds(testsize.Seeds("tests/multi.TestProgramsOnAnyNumberOfDevices")) {
		lazy.Use("host")
		lazy.Fuse(seed%3 > 0)
		want, _ := program(seed)
		r := rand.New(rand.NewPCG(seed, 3))
		for range 3 {
			how := setting(r)
			limit := []int64{0, 0, 100_000}[r.IntN(3)]
			rt.SetMemLimit(limit)
			got, made := program(seed)
			for i := range want {
				require.Equal(t, want[i].Bytes(), got[i].Bytes(), "seed %d, %s, memory %d: result %d of %q", seed, how, limit, i, made)
			}
		}
	}
	s := rt.Stats()
	require.Positive(t, s.CopiesPeer)
	t.Logf("%v", s)
}
