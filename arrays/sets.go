package arrays

//mirror:host

import (
	"fmt"
	"math"
	"sort"
)

// The shapes of the results below depend on the elements.

// Unique returns the distinct elements of x, ascending; NaNs count as one.
func Unique(x any) *Array {
	a := must("unique", x)
	if int(a.dtype) < len(distinctInts) && distinctInts[a.dtype] != nil {
		return distinctInts[a.dtype](a)
	}
	u, _, _ := unique(a)
	return u
}

// UniqueCounts returns the distinct elements of x, ascending, and how often each is there.
func UniqueCounts(x any) (values, counts *Array) {
	u, _, c := unique(x)
	return u, c
}

// UniqueInverse returns the distinct elements of x, ascending, and for each element of x, in its shape, the index of its value.
func UniqueInverse(x any) (values, inverse *Array) {
	a := must("unique", x)
	u, order, counts := unique(a)
	inv := New(Int64, a.layout.Shape...)
	to, from := elements[int64](inv.data), elements[int64](order.data)
	at := 0
	for v, n := range elements[int64](counts.data) {
		for range n {
			to[from[at]] = int64(v)
			at++
		}
	}
	return u, inv
}

// UniqueAll returns the distinct elements of x, ascending; for each the index in C order at which it is first; in the shape of x
// the indices of values; and how often each is there.
func UniqueAll(x any) (values, first, inverse, counts *Array) {
	u, order, c := unique(x)
	starts := CumSum(c).Sub(c)
	_, inverse = UniqueInverse(x)
	return u, order.At(starts), inverse, c
}

// NextAfter returns the next float from x towards y, y where both are equal, of the dtype that both have in common.
func NextAfter(x, y any) *Array {
	sum := Apply(OpCopySign, x, y) // checks and promotes
	d := sum.dtype
	a := BroadcastTo(must("nextafter", x), sum.layout.Shape...).AsType(d)
	b := BroadcastTo(must("nextafter", y), sum.layout.Shape...).AsType(d)
	switch d {
	case Float64:
		p, q := elements[float64](a.data), elements[float64](b.data)
		for i := range p {
			if p[i] == q[i] {
				p[i] = q[i] // a zero of the sign of y
			} else {
				p[i] = math.Nextafter(p[i], q[i])
			}
		}
	case Float32:
		p, q := elements[float32](a.data), elements[float32](b.data)
		for i := range p {
			if p[i] == q[i] {
				p[i] = q[i] // a zero of the sign of y
			} else {
				p[i] = math.Nextafter32(p[i], q[i])
			}
		}
	case Float16:
		p, q := elements[half](a.data), elements[half](b.data)
		for i := range p {
			p[i] = nextHalf(p[i], q[i])
		}
	}
	return a
}

// nextHalf is the next float16 from x towards y.
func nextHalf(x, y half) half {
	const sign, inf = 0x8000, 0x7c00
	switch {
	case x&^sign > inf:
		return x
	case y&^sign > inf, x == y, (x|y)&^sign == 0:
		return y // a NaN, or a zero of the sign of y
	case x&^sign == 0:
		return y&sign | 1
	}
	if up := x.float() < y.float(); up == (x&sign == 0) {
		return x + 1
	}
	return x - 1
}

// unique returns the values, the indices that sort x, and the counts.
func unique(x any) (values, order, counts *Array) {
	a := must("unique", x).Reshape(-1)
	order = ArgSort(a)
	sorted := a.At(order)
	n := sorted.Len()
	starts := orderOf(a.dtype).starts(contents(sorted))
	counts = New(Int64, len(starts))
	c := elements[int64](counts.data)
	for i, s := range starts {
		end := n
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		c[i] = int64(end - s)
	}
	return sorted.At(FromSlice(starts)), order, counts
}

// Union returns the distinct elements that are in x or y, ascending (numpy.union1d).
func Union(x, y any) *Array {
	return Unique(Concat(0, must("union", x).Reshape(-1), must("union", y).Reshape(-1)))
}

// Intersect returns the distinct elements that are in both x and y, ascending (numpy.intersect1d).
func Intersect(x, y any) *Array {
	a, b := must("intersect", x), must("intersect", y)
	u := Unique(a.AsType(ResultType(a, b)))
	return u.At(IsIn(u, b))
}

// SetDiff returns the distinct elements of x that are not in y, ascending (numpy.setdiff1d).
func SetDiff(x, y any) *Array {
	u := Unique(x)
	return u.At(IsIn(u, y).Not())
}

// IsIn returns, in the shape of x, which of its elements are in y. No element is a NaN.
func IsIn(x, y any) *Array {
	a, set := must("isin", x), Unique(y)
	if _, err := commonDType(operandOf(a, false), operandOf(set, false)); err != nil || set.Size() == 0 { // what has no dtype in common is never equal
		return New(Bool, a.layout.Shape...)
	}
	at := Minimum(SearchSorted(set, a), set.Size()-1)
	return set.At(at).Eq(a)
}

// Interp returns the values at x of the line through the points (px, py), px ascending; py[0] before them and py[last] behind. py may be complex.
func Interp(x, px, py any) *Array {
	a, p, q := realFloats("interp", x), realFloats("interp", px).AsType(Float64), must("interp", py)
	if q.dtype.IsComplex() {
		parts := Stack(-1, Interp(a, p, Real(q)), Interp(a, p, Imag(q)))
		return FromBytes(Complex128, a.layout.Shape, parts.data)
	}
	q = realFloats("interp", q).AsType(Float64)
	if p.NDim() != 1 || q.NDim() != 1 || p.Size() != q.Size() || p.Size() == 0 {
		check("interp", &Error{Shapes: [][]int{p.layout.Shape, q.layout.Shape}, Msg: fmt.Sprintf(
			"the points have shapes %s and %s; give two lists of one length, 1 or more", shapeString(p.layout.Shape), shapeString(q.layout.Shape))})
	}
	xs, ys := elements[float64](p.data), elements[float64](q.data)
	out := a.AsType(Float64)
	v := elements[float64](out.data)
	for i, t := range v {
		k := sort.Search(len(xs), func(k int) bool { return xs[k] > t }) - 1 // the last that is not behind t
		switch {
		case t != t:
		case k < 0:
			v[i] = ys[0]
		case k == len(xs)-1 || xs[k] == t:
			v[i] = ys[k]
		default:
			slope := (ys[k+1] - ys[k]) / (xs[k+1] - xs[k])
			if v[i] = float64(slope*(t-xs[k])) + ys[k]; v[i] != v[i] { // beside infinities, as NumPy does
				if v[i] = float64(slope*(t-xs[k+1])) + ys[k+1]; v[i] != v[i] && ys[k] == ys[k+1] {
					v[i] = ys[k]
				}
			}
		}
	}
	return out
}

// Convolve returns the discrete convolution of two lists, of length len(x)+len(y)-1; that of bools is bool.
func Convolve(x, y any) *Array {
	a, b := must("convolve", x), must("convolve", y)
	if a.NDim() != 1 || b.NDim() != 1 || a.Size() == 0 || b.Size() == 0 {
		check("convolve", &Error{Shapes: [][]int{a.layout.Shape, b.layout.Shape}, Msg: fmt.Sprintf(
			"shapes %s and %s do not convolve; give two lists that are not empty", shapeString(a.layout.Shape), shapeString(b.layout.Shape))})
	}
	d := Promote(a.dtype, b.dtype)
	switch {
	case !d.IsNumber():
		check("convolve", refuse(d))
	case d == Float16:
		return Convolve(a.AsType(Float32), b.AsType(Float32)).AsType(d)
	}
	a, b = a.AsType(d), b.AsType(d)
	out := New(d, a.Size()+b.Size()-1)
	convolutions[d](out.data, a.data, b.data)
	return out
}

// convolutions convolves lists of each dtype.
var convolutions = [numDTypes]func(dst, x, y []byte){
	Bool: convolveBool,
	Int8: convolveOf[int8], Int16: convolveOf[int16], Int32: convolveOf[int32], Int64: convolveOf[int64],
	Uint8: convolveOf[uint8], Uint16: convolveOf[uint16], Uint32: convolveOf[uint32], Uint64: convolveOf[uint64],
	Float32: convolveOf[float32], Float64: convolveOf[float64], Complex64: convolveOf[complex64], Complex128: convolveOf[complex128],
}

func convolveOf[T number](dst, x, y []byte) {
	convolve(elements[T](dst), elements[T](x), elements[T](y))
}

// convolveBool is whether any pair is true on both sides.
func convolveBool(dst, x, y []byte) {
	for i, v := range x {
		if v != 0 {
			row := dst[i : i+len(y)]
			or(row, row, y)
		}
	}
}

func convolve[T number](dst, x, y []T) {
	for i, v := range x {
		row := dst[i : i+len(y)]
		for j := range row {
			row[j] += T(v * y[j])
		}
	}
}
