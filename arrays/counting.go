package arrays

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// countOptions are those of counts.
type countOptions struct {
	least   int       // counts that are made
	limits  []float64 // the lowest and the highest value, nil for those of the elements
	weights *Array
	density bool
}

func countOptionsOf[T any](op string, a *Array, opts []T) (o countOptions) {
	for _, opt := range opts {
		switch opt := any(opt).(type) {
		case MinLengthOption:
			o.least = opt.Of
		case LimitsOption:
			o.limits = []float64{opt.Lowest, opt.Highest}
		case DensityOption:
			o.density = true
		case WeightOption:
			w := must(op, opt.Of)
			if !slices.Equal(w.layout.Shape, a.layout.Shape) || !w.dtype.IsNumber() || w.dtype.IsComplex() {
				check(op, &Error{Shapes: [][]int{a.layout.Shape, w.layout.Shape}, Msg: fmt.Sprintf(
					"weights %v of shape %s do not fit shape %s; give a real number for each element", w.dtype, shapeString(w.layout.Shape), shapeString(a.layout.Shape))})
			}
			o.weights = w
		default:
			check(op, &Error{Msg: fmt.Sprintf("%v is not an option; leave it out", opt)})
		}
	}
	return o
}

// each calls add with the place of each element in C order and what it counts.
func (o countOptions) each(n int, add func(i int, weight float64)) {
	if o.weights == nil {
		eachPolled(n, poll, func(i int) { add(i, 1) })
		return
	}
	w := o.weights.AsType(Float64).Float64s()
	eachPolled(len(w), poll, func(i int) { add(i, w[i]) })
}

// BinCount returns how often each of the ints 0, 1, … is in x, whose elements are not negative; at least n counts
// with [MinLength](n). With [Weights] it returns the sums of those of the elements, as float64.
//
//mirror:host
func BinCount(x ArrayLike, opts ...BinCountOption) *Array {
	a := must("bincount", x)
	if !a.dtype.IsInt() && !a.dtype.IsBool() {
		check("bincount", &Error{Msg: fmt.Sprintf("%v cannot be counted by value; use Histogram, or convert with AsType(Int64)", a.dtype)})
	}
	o := countOptionsOf("bincount", a, opts)
	n := int64(o.least)
	if n < 0 {
		check("bincount", &Error{Msg: fmt.Sprintf("%d counts cannot be made; give a MinLength of 0 or more", n)})
	}
	values := a.Int64s()
	inSteps(len(values), func(lo, hi int) {
		for _, v := range values[lo:hi] {
			if v < 0 || v >= math.MaxInt32 {
				check("bincount", &Error{Msg: fmt.Sprintf("the element %d cannot be an index of counts; they go from 0 to %d", v, math.MaxInt32-1)})
			}
			n = max(n, v+1)
		}
	})
	if o.weights != nil {
		out := New(Float64, int(n))
		sums := elements[float64](out.data)
		o.each(len(values), func(i int, w float64) { sums[values[i]] += w })
		return out
	}
	out := New(Int64, int(n))
	c := elements[int64](out.data)
	inSteps(len(values), func(lo, hi int) {
		for _, v := range values[lo:hi] {
			c[v]++
		}
	})
	return out
}

// Histogram counts the elements of x in bins: an int is the number of bins of equal width between the smallest and the
// largest, or between two [Limits]; a 1-D array has the edges of the bins, ascending; a rule finds their
// number: "auto", "doane", "fd", "rice", "scott", "sqrt", "stone" or "sturges", as numpy.histogram_bin_edges describes
// them. The last bin includes its right edge. It returns the counts and the edges, one more. With [Weights] it sums
// those of the elements, in their dtype; [Density] makes of both a density.
//
//mirror:host
func Histogram(x ArrayLike, bins any, opts ...HistogramOption) (counts, edges *Array) {
	a := must("histogram", x)
	a.needKind(Float64)
	o := countOptionsOf("histogram", a, opts)
	var place func(v float64) int // that of a bin, -1 of none
	switch bins := bins.(type) {
	case int:
		edges, place = evenBins(a, bins, o.limits)
	case string:
		edges, place = evenBins(a, binsByRule(a, bins, o), o.limits)
	default:
		edges, place = givenBins(must("histogram", bins), o.limits)
	}
	n := edges.Len() - 1
	if o.weights != nil {
		counts = weightedCounts(a, o, n, place)
	} else {
		counts = plainCounts(a, n, place)
	}
	if o.density {
		counts = counts.AsType(Float64)
		counts = counts.Div(Diff(edges.AsType(Float64))).Div(counts.Sum())
	}
	return counts, edges
}

func plainCounts(a *Array, n int, place func(v float64) int) *Array {
	counts := New(Int64, n)
	c := elements[int64](counts.data)
	in := newStream(a, Float64)
	var work poller
	for left := a.Size(); left > 0; left -= blockLen {
		work.did(16 * blockLen)
		for _, v := range elements[float64](in.next(min(left, blockLen))) {
			if i := place(v); i >= 0 {
				c[i]++
			}
		}
	}
	return counts
}

func weightedCounts(a *Array, o countOptions, n int, place func(v float64) int) *Array {
	d := o.weights.dtype
	if d.IsBool() {
		d = Int64
	}
	sums, values := New(Float64, n), a.AsType(Float64).Float64s()
	s := elements[float64](sums.data)
	o.each(len(values), func(i int, w float64) {
		if k := place(values[i]); k >= 0 {
			s[k] += w
		}
	})
	return sums.AsType(d)
}

// outerEdges are those of bins of equal width.
func outerEdges(a *Array, limits []float64) (lo, hi float64) {
	lo, hi = 0.0, 1.0
	switch {
	case limits != nil:
		lo, hi = limits[0], limits[1]
	case a.Size() > 0:
		lo, hi = a.Min().Float64(), a.Max().Float64()
	}
	if !(lo <= hi) || math.IsInf(hi-lo, 0) {
		check("histogram", &Error{Msg: fmt.Sprintf("bins cannot go from %v to %v; give finite limits, or leave out what is not finite with At(IsFinite(x))", lo, hi)})
	}
	if lo == hi {
		lo, hi = lo-0.5, hi+0.5
	}
	return lo, hi
}

// evenBins are of equal width.
func evenBins(a *Array, bins int, limits []float64) (edges *Array, place func(v float64) int) {
	if bins < 1 {
		check("histogram", &Error{Msg: fmt.Sprintf("%d bins cannot be made; use 1 or more", bins)})
	}
	lo, hi := outerEdges(a, limits)
	edges = Linspace(lo, hi, bins+1)
	e := elements[float64](edges.data)
	for i := range bins {
		if e[i] >= e[i+1] {
			check("histogram", &Error{Msg: fmt.Sprintf("%d bins cannot be made from %v to %v, where floats lie further apart; use fewer, or take something off first", bins, lo, hi)})
		}
	}
	return edges, func(v float64) int {
		if !(v >= lo && v <= hi) {
			return -1
		}
		i := min(int((v-lo)/(hi-lo)*float64(bins)), bins-1)
		if v < e[i] { // rounding put it one bin off
			i--
		} else if v >= e[i+1] && i < bins-1 {
			i++
		}
		return i
	}
}

// givenBins lie between edges.
func givenBins(edges *Array, limits []float64) (_ *Array, place func(v float64) int) {
	if edges.NDim() != 1 || edges.Size() == 0 {
		check("histogram", &Error{Shapes: [][]int{edges.layout.Shape}, Msg: fmt.Sprintf("bins are an int or a 1-D array of edges, not of shape %s", shapeString(edges.layout.Shape))})
	}
	if limits != nil {
		check("histogram", &Error{Msg: "limits go with a number of bins; the edges that are given say where these end"})
	}
	e := edges.AsType(Float64).Float64s()
	for i, v := range e[1:] {
		if !(e[i] <= v) {
			check("histogram", &Error{Msg: fmt.Sprintf("the edges %v and %v do not ascend; sort them first", e[i], v)})
		}
	}
	n := len(e) - 1
	// as what is written into the edges must not be seen in what they were, nor the other way
	return edges.Copy(), func(v float64) int {
		switch {
		case n == 0 || !(v >= e[0] && v <= e[n]):
			return -1
		case v == e[n]:
			return n - 1
		}
		return sort.Search(n, func(i int) bool { return e[i+1] > v })
	}
}
