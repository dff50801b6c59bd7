package tests

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// twins runs one random program on eager and on lazy arrays side by side. exact says whether a pair must be equal bit
// for bit: no reduction of floats, which adds in an order of its own, lies before it.
type twins struct {
	r     *rand.Rand
	pairs []pair
}

type pair struct {
	eager *arrays.Array
	lazy  *lazy.Array
	exact bool
	how   string
}

func newTwins(seed uint64) *twins {
	tw := &twins{r: rand.New(rand.NewPCG(seed, 1))}
	for i, shape := range [][]int{{4, 6}, {6}, {4, 1}, {1, 6}, {}, {4, 6}, {3, 4, 6}} {
		vals := make([]float64, arrays.Contiguous(shape...).Size())
		for k := range vals {
			vals[k] = math.Round(tw.r.NormFloat64()*64) / 16
			if tw.r.IntN(40) == 0 {
				vals[k] = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0}[tw.r.IntN(4)]
			}
		}
		a := arrays.FromSlice(vals, shape...)
		switch i {
		case 1:
			a = a.AsType(arrays.Int64)
		case 5:
			a = a.AsType(arrays.Float32)
		case 3:
			a = a.Greater(0)
		}
		tw.pairs = append(tw.pairs, pair{a, lazy.FromArray(a.Copy()), true, fmt.Sprintf("input %d", i)})
	}
	for range 5 { // of any dtype
		d := dtypes[tw.r.IntN(len(dtypes))]
		shape := [][]int{{4, 6}, {6}, {1, 6}, {4, 1}, {}}[tw.r.IntN(5)]
		vals := make([]float64, arrays.Contiguous(shape...).Size())
		for k := range vals {
			vals[k] = math.Round(tw.r.NormFloat64()*800) / 8
			if tw.r.IntN(20) == 0 {
				vals[k] = []float64{math.NaN(), math.Inf(1), 1e10, -1e20, 70000, math.Copysign(0, -1)}[tw.r.IntN(6)]
			}
		}
		a := arrays.FromSlice(vals).Reshape(shape...).AsType(d)
		if d.IsComplex() {
			a = a.Add(a.T().Reshape(shape...).Mul(0.5i).AsType(d))
		}
		tw.pairs = append(tw.pairs, pair{a, lazy.FromArray(a.Copy()), true, "input of " + d.String()})
	}
	return tw
}

// dtypes are what inputs and conversions are chosen from.
var dtypes = []arrays.DType{
	arrays.Bool, arrays.Int8, arrays.Int16, arrays.Int32, arrays.Int64, arrays.Uint8, arrays.Uint16, arrays.Uint32, arrays.Uint64,
	arrays.Float16, arrays.Float32, arrays.Float64, arrays.Complex64, arrays.Complex128,
	arrays.Str(5), arrays.DateTime(arrays.Day), arrays.TimeDelta(arrays.Hour),
}

func (tw *twins) pick() pair { return tw.pairs[tw.r.IntN(len(tw.pairs))] }

// step adds one random operation. Both sides must accept or refuse it together.
func (tw *twins) step() error {
	a, b, c := tw.pick(), tw.pick(), tw.pick()
	out := pair{exact: a.exact}
	var eager func() *arrays.Array
	var lz func() *lazy.Array
	switch k := tw.r.IntN(14); {
	case k < 5:
		u := arrays.Ufunc(tw.r.IntN(int(arrays.OpWhere) + 1))
		out.how = u.String()
		ea, la := []any{a.eager}, []any{a.lazy}
		if u.NIn() > 1 {
			ea, la, out.exact = append(ea, b.eager), append(la, b.lazy), out.exact && b.exact
			if tw.r.IntN(4) == 0 { // a Go number instead of the second operand
				n := any(tw.r.IntN(5))
				if tw.r.IntN(2) == 0 {
					n = tw.r.Float64()
				}
				ea[1], la[1] = n, n
			}
		}
		if u.NIn() > 2 {
			ea, la, out.exact = append(ea, c.eager), append(la, c.lazy), out.exact && c.exact
		}
		eager = func() *arrays.Array { return arrays.Apply(u, ea...) }
		lz = func() *lazy.Array { return lazy.Apply(u, la...) }
	case k < 7:
		r := arrays.Reduction(tw.r.IntN(arrays.NumReductions))
		out.how = r.String()
		var opts []arrays.ReduceOption
		if n := a.eager.NDim(); n > 0 && tw.r.IntN(3) > 0 {
			opts = append(opts, arrays.Axis(tw.r.IntN(n)))
			if tw.r.IntN(2) == 0 {
				opts = append(opts, arrays.KeepDims())
			}
		}
		if r == arrays.ReduceSum || r == arrays.ReduceMean || r == arrays.ReduceProd {
			out.exact = out.exact && !a.eager.DType().IsInexact() && r != arrays.ReduceMean
		}
		eager = func() *arrays.Array { return arrays.Reduce(r, a.eager, opts...) }
		lz = func() *lazy.Array { return lazy.Reduce(r, a.lazy, opts...) }
	case k == 7:
		out.how = "at"
		var idx []any
		for _, n := range a.eager.Shape() {
			kind := tw.r.IntN(5)
			if n == 0 {
				kind = 4
			}
			switch kind {
			case 0:
				idx = append(idx, tw.r.IntN(n))
			case 1:
				idx = append(idx, arrays.S(arrays.End, -n-1, -1))
			case 2:
				idx = append(idx, arrays.S(tw.r.IntN(n), n, 1+tw.r.IntN(2)))
			case 3:
				idx = append(idx, arrays.NewAxis, arrays.All)
			default:
				idx = append(idx, arrays.All)
			}
		}
		eager = func() *arrays.Array { return a.eager.At(idx...) }
		lz = func() *lazy.Array { return a.lazy.At(idx...) }
	case k == 9 && b.exact && a.eager.NDim() > 0:
		return tw.assign(a, b)
	case k == 10 && a.eager.NDim() > 0:
		out.how = "at arrays"
		ei, li := tw.arrayIndex(a.eager.Shape())
		eager = func() *arrays.Array { return a.eager.At(ei...) }
		lz = func() *lazy.Array { return a.lazy.At(li...) }
	case k == 11 || k == 12:
		return tw.routine(a, b)
	case k == 8:
		out.how = "transpose, reshape"
		eager = func() *arrays.Array { return a.eager.T().Reshape(-1) }
		lz = func() *lazy.Array { return a.lazy.T().Reshape(-1) }
	default:
		d := dtypes[tw.r.IntN(len(dtypes))]
		out.how = "astype " + d.String()
		eager = func() *arrays.Array { return a.eager.AsType(d) }
		lz = func() *lazy.Array { return a.lazy.AsType(d) }
	}
	eerr := try(func() { out.eager = eager() })
	lerr := try(func() { out.lazy = lz() })
	if (eerr == "") != (lerr == "") && !lateError(out.how) {
		return fmt.Errorf("%s: arrays says %q, lazy says %q", out.how, eerr, lerr)
	}
	// Comparisons, conversions and steps turn a rounding difference into another value: follow only exact ones through
	// them.
	if eerr == "" && lerr == "" && (out.exact || out.eager.DType().IsFloat() && !steps[out.how]) && out.eager.Size() < 5000 && out.eager.NDim() < 8 {
		tw.pairs = append(tw.pairs, out)
	}
	return nil
}

// routine adds one operation that is neither elementwise nor a reduction.
func (tw *twins) routine(a, b pair) error {
	k := tw.r.IntN(len(routines))
	r := routines[k]
	axis := tw.r.IntN(4) - 1
	out := pair{exact: a.exact && b.exact && !r.rounds, how: r.name}
	eerr := try(func() { out.eager = r.eager(a.eager, b.eager, axis) })
	lerr := try(func() { out.lazy = r.lazy(a.lazy, b.lazy, axis) })
	if (eerr == "") != (lerr == "") {
		return fmt.Errorf("%s: arrays says %q, lazy says %q", r.name, eerr, lerr)
	}
	if eerr == "" && a.exact && b.exact && out.eager.Size() < 2000 && out.eager.NDim() < 6 {
		tw.pairs = append(tw.pairs, out)
	}
	return nil
}

var routines = []struct {
	name   string
	eager  func(a, b *arrays.Array, axis int) *arrays.Array
	lazy   func(a, b *lazy.Array, axis int) *lazy.Array
	rounds bool // the order of additions differs
}{
	{"sort", func(a, b *arrays.Array, k int) *arrays.Array { return a.Sort(k) }, func(a, b *lazy.Array, k int) *lazy.Array { return a.Sort(k) }, false},
	{"argsort", func(a, b *arrays.Array, k int) *arrays.Array { return a.ArgSort(k) }, func(a, b *lazy.Array, k int) *lazy.Array { return a.ArgSort(k) }, false},
	{"cumsum", func(a, b *arrays.Array, k int) *arrays.Array { return a.CumSum(k) }, func(a, b *lazy.Array, k int) *lazy.Array { return a.CumSum(k) }, false},
	{"concat", func(a, b *arrays.Array, k int) *arrays.Array { return arrays.Concat(k, a, b) }, func(a, b *lazy.Array, k int) *lazy.Array { return lazy.Concat(k, a, b) }, false},
	{"stack", func(a, b *arrays.Array, k int) *arrays.Array { return arrays.Stack(k, a, b, a) }, func(a, b *lazy.Array, k int) *lazy.Array { return lazy.Stack(k, a, b, a) }, false},
	{"matmul", func(a, b *arrays.Array, k int) *arrays.Array { return a.MatMul(b.T()) }, func(a, b *lazy.Array, k int) *lazy.Array { return a.MatMul(b.T()) }, false},
	{"flip", func(a, b *arrays.Array, k int) *arrays.Array { return a.Flip(k) }, func(a, b *lazy.Array, k int) *lazy.Array { return a.Flip(k) }, false},
	{"roll", func(a, b *arrays.Array, k int) *arrays.Array { return arrays.Roll(a, 2, k) }, func(a, b *lazy.Array, k int) *lazy.Array { return lazy.Roll(a, 2, k) }, false},
	{"repeat", func(a, b *arrays.Array, k int) *arrays.Array { return arrays.Repeat(a, 2, k) }, func(a, b *lazy.Array, k int) *lazy.Array { return lazy.Repeat(a, 2, k) }, false},
	{"tile", func(a, b *arrays.Array, k int) *arrays.Array { return arrays.Tile(a, 2, k) }, func(a, b *lazy.Array, k int) *lazy.Array { return lazy.Tile(a, 2, k) }, false},
	{"diff", func(a, b *arrays.Array, k int) *arrays.Array { return arrays.Diff(a, k) }, func(a, b *lazy.Array, k int) *lazy.Array { return lazy.Diff(a, k) }, false},
	{"pad", func(a, b *arrays.Array, k int) *arrays.Array { return arrays.Pad(a, []int{1}, []int{k}, 3) }, func(a, b *lazy.Array, k int) *lazy.Array { return lazy.Pad(a, []int{1}, []int{k}, 3) }, false},
	{"triu", func(a, b *arrays.Array, k int) *arrays.Array { return arrays.Triu(a, k) }, func(a, b *lazy.Array, k int) *lazy.Array { return lazy.Triu(a, k) }, false},
	{"median", func(a, b *arrays.Array, k int) *arrays.Array { return arrays.Median(a, k) }, func(a, b *lazy.Array, k int) *lazy.Array { return lazy.Median(a, k) }, false},
	{"var", func(a, b *arrays.Array, k int) *arrays.Array { return a.Var(arrays.Axis(k)) }, func(a, b *lazy.Array, k int) *lazy.Array { return a.Var(lazy.Axis(k)) }, true},
	{"clip", func(a, b *arrays.Array, k int) *arrays.Array { return a.Clip(k, b) }, func(a, b *lazy.Array, k int) *lazy.Array { return a.Clip(k, b) }, false},
	{"round", func(a, b *arrays.Array, k int) *arrays.Array { return a.Round(k) }, func(a, b *lazy.Array, k int) *lazy.Array { return a.Round(k) }, false},
	{"unique", func(a, b *arrays.Array, k int) *arrays.Array { return arrays.Unique(a) }, func(a, b *lazy.Array, k int) *lazy.Array { return lazy.Unique(a) }, false},
	{"eye", func(a, b *arrays.Array, k int) *arrays.Array { return arrays.Eye(4, 6, k) }, func(a, b *lazy.Array, k int) *lazy.Array { return lazy.Eye(4, 6, k) }, false},
}

// assign writes b, or a number, into a part of a; views of it must see the change on both sides.
func (tw *twins) assign(a, b pair) error {
	idx := func(n int) any {
		if n == 0 {
			return arrays.All
		}
		switch tw.r.IntN(4) {
		case 0:
			return tw.r.IntN(n)
		case 1:
			return arrays.S(tw.r.IntN(n), n, 1+tw.r.IntN(2))
		case 2:
			return arrays.S(arrays.End, tw.r.IntN(n)-n-1, -1)
		}
		return arrays.All
	}
	var ei, li []any
	if tw.r.IntN(3) == 0 {
		ei, li = tw.arrayIndex(a.eager.Shape())
	} else {
		for _, n := range a.eager.Shape()[:tw.r.IntN(a.eager.NDim()+1)] {
			ei = append(ei, idx(n))
		}
		li = ei
	}
	var ev, lv any = b.eager, b.lazy
	if a.eager.DType().IsString() != b.eager.DType().IsString() {
		return nil // text may be no number, which lazy finds when it evaluates
	}
	if tw.r.IntN(2) == 0 {
		ev = tw.r.IntN(9)
		lv = ev
	}
	how := "set"
	set := func() { a.eager.Set(ev, ei...) }
	lset := func() { a.lazy.Set(lv, li...) }
	if tw.r.IntN(5) == 0 && a.exact {
		how, set, lset = "add_at", func() { a.eager.AddAt(ev, ei...) }, func() { a.lazy.AddAt(lv, li...) }
	}
	eerr, lerr := try(set), try(lset)
	if (eerr == "") != (lerr == "") {
		return fmt.Errorf("%s: arrays says %q, lazy says %q", how, eerr, lerr)
	}
	return nil
}

// arrayIndex returns an index with an array of ints or a mask in it.
func (tw *twins) arrayIndex(shape []int) (eager, lz []any) {
	axis := tw.r.IntN(len(shape))
	for range axis {
		eager, lz = append(eager, arrays.All), append(lz, arrays.All)
	}
	n := shape[axis]
	var a *arrays.Array
	if tw.r.IntN(2) == 0 {
		mask := make([]bool, n)
		for i := range mask {
			mask[i] = tw.r.IntN(2) == 0
		}
		a = arrays.FromSlice(mask)
		if tw.r.IntN(3) == 0 { // over all axes
			shapes := arrays.Contiguous(shape...)
			whole := make([]bool, shapes.Size())
			for i := range whole {
				whole[i] = tw.r.IntN(2) == 0
			}
			a = arrays.FromSlice(whole, shape...)
			return []any{a}, []any{lazy.FromArray(a.Copy())}
		}
	} else {
		at := make([]int, tw.r.IntN(4)*min(n, 1))
		for i := range at {
			at[i] = tw.r.IntN(2*n) - n
		}
		if tw.r.IntN(3) == 0 {
			return append(eager, at), append(lz, at)
		}
		a = arrays.FromSlice(at)
	}
	return append(eager, a), append(lz, lazy.FromArray(a))
}

// steps are the functions that jump.
var steps = map[string]bool{"floor": true, "ceil": true, "trunc": true, "rint": true, "sign": true, "floor_divide": true, "remainder": true}

// lateError names operations whose errors depend on elements: lazy reports them when it evaluates.
func lateError(how string) bool { return how == "power" || strings.HasPrefix(how, "astype") }

func try(f func()) (msg string) {
	defer func() {
		if p := recover(); p != nil {
			msg = fmt.Sprint(p)
		}
	}()
	f()
	return ""
}

// differ compares a pair and describes the first difference, "" when there is none.
func (p pair) differ() string {
	var got *arrays.Array
	if msg := try(func() { got = p.lazy.Array() }); msg != "" {
		return p.how + " failed: " + msg
	}
	if fmt.Sprint(p.eager.Shape(), p.eager.DType()) != fmt.Sprint(got.Shape(), got.DType()) ||
		fmt.Sprint(p.lazy.Shape(), p.lazy.DType()) != fmt.Sprint(got.Shape(), got.DType()) {
		return fmt.Sprintf("%s: eager is %v of %v, lazy promised %v of %v and gave %v of %v", p.how, p.eager.Shape(),
			p.eager.DType(), p.lazy.Shape(), p.lazy.DType(), got.Shape(), got.DType())
	}
	if d := p.eager.DType(); !d.IsNumber() || d.IsComplex() {
		if want, have := p.eager.Strings(), got.Strings(); p.exact && !slices.Equal(want, have) {
			return fmt.Sprintf("%s: %v, eager gives %v", p.how, have, want)
		}
		return ""
	}
	want, have := p.eager.Float64s(), got.Float64s()
	tol := 0.0
	if !p.exact {
		tol = 1e-9
		switch p.eager.DType() {
		case arrays.Float32:
			tol = 1e-4
		case arrays.Float16:
			tol = 1e-2
		}
	}
	for i := range want {
		w, h := want[i], have[i]
		if math.Float64bits(w) == math.Float64bits(h) || w != w && h != h || w == h && !p.exact {
			continue
		}
		if tol > 0 && math.Abs(w-h) <= tol*max(1, math.Abs(w), math.Abs(h)) {
			continue
		}
		return fmt.Sprintf("%s: element %d is %v, eager gives %v (exact: %v)", p.how, i, h, w, p.exact)
	}
	return ""
}
