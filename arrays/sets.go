package arrays

import (
	"fmt"
	"math"
)

// NextAfter returns the next float from x towards y, y where both are equal, of the dtype that both have in common.
//
//mirror:host
func NextAfter(x, y ArrayLike) *Array {
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

// Union returns the distinct elements that are in x or y, ascending (numpy.union1d).
//
//mirror:host
func Union(x, y ArrayLike) *Array {
	return Unique(Concat(0, must("union", x).Reshape(-1), must("union", y).Reshape(-1)))
}

// Intersect returns the distinct elements that are in both x and y, ascending (numpy.intersect1d).
//
//mirror:host
func Intersect(x, y ArrayLike) *Array {
	a, b := must("intersect", x), must("intersect", y)
	u := Unique(a.AsType(ResultType(a, b)))
	return u.At(IsIn(u, b))
}

// SetDiff returns the distinct elements of x that are not in y, ascending (numpy.setdiff1d).
//
//mirror:host
func SetDiff(x, y ArrayLike) *Array {
	u := Unique(x)
	return u.At(IsIn(u, y).Not())
}

// IsIn returns, in the shape of x, which of its elements are in y. No element is a NaN.
//
//mirror:host
func IsIn(x, y ArrayLike) *Array {
	a, set := must("isin", x), Unique(y)
	// what has no dtype in common is never equal
	if _, err := commonDType(operandOf(a, false), operandOf(set, false)); err != nil || set.Size() == 0 {
		return New(Bool, a.layout.Shape...)
	}
	at := Minimum(SearchSorted(set, a), set.Size()-1)
	return set.At(at).Eq(a)
}

// Convolve returns the discrete convolution of two lists, of length len(x)+len(y)-1; that of bools is bool.
//
//mirror:host
func Convolve(x, y ArrayLike) *Array {
	a, b := must("convolve", x), must("convolve", y)
	if a.NDim() != 1 || b.NDim() != 1 || a.Size() == 0 || b.Size() == 0 {
		check("convolve", &Error{Shapes: [][]int{a.layout.Shape, b.layout.Shape}, Msg: fmt.Sprintf(
			"shapes %s and %s do not convolve; give two 1-D arrays that are not empty", shapeString(a.layout.Shape), shapeString(b.layout.Shape))})
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
	var work poller
	for i, v := range x {
		if work.did(len(y)); v != 0 {
			row := dst[i : i+len(y)]
			or(row, row, y)
		}
	}
}

func convolve[T number](dst, x, y []T) {
	var work poller
	for i, v := range x {
		work.did(len(y))
		row := dst[i : i+len(y)]
		for j := range row {
			row[j] += T(v * y[j])
		}
	}
}
