package multi_test

import (
	"math/rand/v2"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// movements put elements elsewhere.
var movements = []operation{
	{"take", func(r *rand.Rand, x, _ pair) []pair {
		axis := some(r, x)
		return []pair{call(lazy.Take, arrays.Take, x, places(r, x.shape()[axis], 1+r.IntN(2*x.shape()[axis])), arrays.Axis(axis))}
	}},
	{"take computed places", func(r *rand.Rand, x, y pair) []pair {
		if y.loose {
			return nil
		}
		axis := some(r, x)
		return []pair{call(lazy.Take, arrays.Take, x, ints(y, x.shape()[axis]).do("Reshape", -1), arrays.Axis(axis))}
	}},
	{"picked by two index arrays", func(r *rand.Rand, x, _ pair) []pair {
		if x.axes() < 2 {
			return nil
		}
		n := 1 + r.IntN(50)
		return []pair{x.at(places(r, x.shape()[0], n), places(r, x.shape()[1], n))}
	}},
	{"picked by a mask", func(_ *rand.Rand, x, _ pair) []pair {
		if x.loose {
			return nil
		}
		return []pair{x.at(x.do("Greater", 0.2))}
	}},
	{"along an axis", func(r *rand.Rand, x, _ pair) []pair {
		axis := arrays.Axis(some(r, x))
		return []pair{call(lazy.TakeAlongAxis, arrays.TakeAlongAxis, x, x.do("ArgSort", axis), axis)}
	}},
	{"sorted", func(r *rand.Rand, x, _ pair) []pair {
		axis := arrays.Axis(some(r, x))
		return []pair{x.do("Sort", axis), x.do("ArgSort", axis)}
	}},
	{"one line sorted", func(_ *rand.Rand, x, _ pair) []pair {
		return []pair{x.do("Reshape", -1).do("Sort"), x.do("Reshape", -1).do("ArgSort")}
	}},
	{"searched", func(_ *rand.Rand, x, y pair) []pair {
		return []pair{call(lazy.SearchSorted, arrays.SearchSorted, x.do("Reshape", -1).do("Sort"), y)}
	}},
	{"unique", func(_ *rand.Rand, x, _ pair) []pair {
		if x.loose {
			return nil
		}
		return []pair{call(lazy.Unique, arrays.Unique, x)}
	}},
	{"unique in all ways", func(_ *rand.Rand, x, _ pair) []pair {
		if x.loose {
			return nil
		}
		values, first, inverse, counts := lazy.UniqueAll(x.lazy)
		v, f, i, c := arrays.UniqueAll(x.eager)
		return []pair{{lazy: values, eager: v}, {lazy: first, eager: f}, {lazy: inverse, eager: i}, {lazy: counts, eager: c}}
	}},
	{"joined", func(r *rand.Rand, x, y pair) []pair {
		return []pair{call(lazy.Concat, arrays.Concat, arrays.Axis(some(r, x)), x, y, x)}
	}},
	{"stacked", func(r *rand.Rand, x, y pair) []pair {
		if x.axes() > 2 {
			return nil
		}
		return []pair{call(lazy.Stack, arrays.Stack, arrays.Axis(r.IntN(x.axes()+1)), x, y)}
	}},
	{"turned", func(r *rand.Rand, x, _ pair) []pair {
		switch r.IntN(4) {
		case 0:
			return []pair{x.do("T").do("Add", 1)}
		case 1:
			return []pair{call(lazy.Roll, arrays.Roll, x, r.IntN(20)-10, arrays.Axis(some(r, x)))}
		case 2:
			return []pair{call(lazy.Roll, arrays.Roll, x, r.IntN(200)-100)}
		}
		return []pair{x.do("Flip")}
	}},
	{"reshaped", func(r *rand.Rand, x, _ pair) []pair {
		n := x.eager.Size()
		for _, k := range []int{2 + r.IntN(6), 2, 3, 5, 7} {
			if n%k == 0 {
				return []pair{x.do("Reshape", k, n/k).do("Mul", 3), x.do("Reshape", n/k, k)}
			}
		}
		return []pair{x.do("Reshape", -1)}
	}},
	{"padded", func(r *rand.Rand, x, _ pair) []pair {
		before, after := make([]int, x.axes()), make([]int, x.axes())
		for a := range before {
			before[a], after[a] = r.IntN(3), r.IntN(4)
		}
		return []pair{call(lazy.Pad, arrays.Pad, x, before, after, 1)}
	}},
	{"repeated", func(r *rand.Rand, x, _ pair) []pair {
		if r.IntN(2) == 0 {
			return []pair{call(lazy.Repeat, arrays.Repeat, x, 2, arrays.Axis(some(r, x)))}
		}
		return []pair{call(lazy.Tile, arrays.Tile, x, 1, 2)}
	}},
	{"triangle", func(r *rand.Rand, x, _ pair) []pair {
		return []pair{call(lazy.Tril, arrays.Tril, x, r.IntN(7)-3), x.do("Diagonal")}
	}},
	{"stretched", func(_ *rand.Rand, x, _ pair) []pair {
		if x.axes() > 2 {
			return nil
		}
		args := []any{x, 3}
		for _, n := range x.shape() {
			args = append(args, n)
		}
		return []pair{call(lazy.BroadcastTo, arrays.BroadcastTo, args...)}
	}},
}

// along are options of a reduction of x.
func along(r *rand.Rand, x pair) []any {
	var out []any
	switch k := r.IntN(4); {
	case k == 0:
	case k == 1 && x.axes() > 2:
		out = append(out, arrays.Axis(0, x.axes()-1))
	default:
		out = append(out, arrays.Axis(some(r, x)))
	}
	if r.IntN(3) == 0 {
		out = append(out, arrays.KeepDims())
	}
	return out
}

var reductions = []operation{
	{"reduction", func(r *rand.Rand, x, _ pair) []pair {
		return []pair{x.do(oneOf(r, "Max", "Min", "AllTrue", "AnyTrue"), along(r, x)...)}
	}},
	{"place of an extremum", func(r *rand.Rand, x, _ pair) []pair {
		return []pair{x.do(oneOf(r, "ArgMax", "ArgMin"), arrays.Axis(some(r, x)))}
	}},
	{"sum", func(r *rand.Rand, x, _ pair) []pair {
		opts := along(r, x)
		s := x.do(oneOf(r, "Sum", "Sum", "Mean", "Var"), opts...)
		s.loose = s.loose || x.floats() || s.floats()
		return []pair{s}
	}},
	{"less a sum", func(r *rand.Rand, x, _ pair) []pair {
		s := x.do("Sum", arrays.Axis(some(r, x)), arrays.KeepDims())
		s.loose = s.loose || x.floats()
		return []pair{x.do("Sub", s), s}
	}},
	{"running sums", func(r *rand.Rand, x, _ pair) []pair {
		if r.IntN(2) == 0 {
			x = x.do("Reshape", -1)
		}
		s := x.do("CumSum", arrays.Axis(some(r, x)))
		s.loose = s.loose || x.floats()
		return []pair{s}
	}},
	{"running extrema", func(r *rand.Rand, x, _ pair) []pair {
		if r.IntN(3) == 0 {
			x = x.do("Reshape", -1)
		}
		axis := arrays.Axis(some(r, x))
		if r.IntN(2) == 0 {
			return []pair{call(lazy.CumMin, arrays.CumMin, x, axis)}
		}
		return []pair{call(lazy.CumMax, arrays.CumMax, x, axis)}
	}},
	{"running products", func(r *rand.Rand, x, _ pair) []pair {
		if r.IntN(3) == 0 {
			x = x.do("Reshape", -1)
		}
		s := ints(x, 3).do("Add", 1).do("CumProd", arrays.Axis(some(r, x)))
		return []pair{s}
	}},
	{"running sums between operations", func(r *rand.Rand, x, _ pair) []pair {
		axis := some(r, x)
		s := ints(x, 50).do("Mul", 3).do("CumSum", arrays.Axis(axis)).do("Sub", 1)
		return []pair{s, s.do("CumSum")}
	}},
	{"product", func(r *rand.Rand, x, y pair) []pair {
		if x.axes() != 2 || y.axes() > 2 || x.eager.Size()*y.eager.Size()/x.shape()[1] > 1<<18 {
			return nil
		}
		if y.axes() == 2 && x.shape()[1] != y.shape()[0] {
			y = y.do("T")
		}
		if y.axes() == 1 && r.IntN(3) == 0 {
			x = x.do("T")
		}
		p := call(lazy.Dot, arrays.Dot, x, y)
		p.loose = p.loose || p.floats()
		return []pair{p}
	}},
	{"outer product", func(r *rand.Rand, x, y pair) []pair {
		row, col := x.do("Reshape", -1).at(arrays.S(0, 20+r.IntN(100))), y.do("Reshape", -1).at(arrays.S(0, 20+r.IntN(100)))
		return []pair{row.do("ExpandDims", arrays.Axis(1)).do("Mul", col)}
	}},
}

// kernelOperations launch kernels of cells.
var kernelOperations = []operation{
	{"kernel", func(r *rand.Rand, x, _ pair) []pair { // it reads a view, and writes to another
		if x.eager.DType() != arrays.Float64 {
			return nil
		}
		g := x.copied().do("Reshape", -1)
		n := g.shape()[0]
		m := n/2 + 1
		from, at := r.IntN(n-m+1), r.IntN(n-m+1)
		out := both(arrays.New(arrays.Float64, n))
		out.loose = x.loose
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
	{"kernel that changes two", func(r *rand.Rand, x, _ pair) []pair {
		if x.eager.DType() != arrays.Float64 || x.eager.Size() < 8 {
			return nil
		}
		in, a := x.do("Reshape", -1), x.copied().do("Reshape", -1)
		n := x.eager.Size() / 2
		b := both(arrays.Arange(float64(n)))
		b.loose = x.loose
		for range 1 + r.IntN(2) {
			from := r.IntN(n)
			v, w := in.at(arrays.S(from, from+n)), a.at(arrays.S(n/3, n/3+n))
			launch(sharedKernels().both, n, v.lazy, w.lazy, b.lazy)
			left := b.eager.Mul(0.5).Add(v.eager)
			b.eager = w.eager.Sub(v.eager)
			w.eager.Set(left)
		}
		return []pair{a, b}
	}},
	{"kernel with atomics", func(r *rand.Rand, x, _ pair) []pair {
		if x.loose {
			return nil
		}
		n := 3 + r.IntN(40)
		at := ints(x, n).do("Reshape", -1)
		h := both(arrays.New(arrays.Int64, n))
		launch(sharedKernels().count, at.shape()[0], at.lazy, h.lazy)
		h.eager.AddAt(1, at.eager)
		return []pair{h}
	}},
}
