package arrays

import (
	"fmt"
	"math"
	"slices"
)

// Elements.

// TakeAlongAxis returns the elements of x at the indices along an axis, the last when none is named: indices has the
// shape of x but along that axis, as ArgSort gives it.
//
//mirror:copy
func TakeAlongAxis(x, indices ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("take_along_axis", axis)
	a, at := must("take_along_axis", x), must("take_along_axis", indices)
	if a.NDim() == 0 || a.NDim() != at.NDim() || !at.DType().IsInt() {
		check("take_along_axis", &Error{Shapes: [][]int{a.Shape(), at.Shape()}, Msg: fmt.Sprintf(
			"%v indices of shape %s do not pick from shape %s; they are ints of as many axes", at.DType(), shapeString(at.Shape()), shapeString(a.Shape()))})
	}
	k := axisFor("take_along_axis", a, optional("take_along_axis", "axes", axes, -1))
	a, at = a.MoveAxis(k, -1), at.MoveAxis(k, -1)
	n, m := a.Shape()[a.NDim()-1], at.Shape()[at.NDim()-1]
	lead := a.Shape()[:a.NDim()-1]
	at = BroadcastTo(at, append(slices.Clone(lead), m)...)
	rows := 1
	for _, size := range lead {
		rows *= size
	}
	out := a.Reshape(rows, n).At(Arange(rows).Reshape(rows, 1), at.Reshape(rows, m))
	return out.Reshape(append(slices.Clone(lead), m)...).MoveAxis(-1, k)
}

// Unstack returns the parts of x along an axis, the first when none is named, as arrays without that axis.
//
//mirror:copy
func Unstack(x ArrayLike, axis ...AxisOption) []*Array {
	axes := axesFrom("unstack", axis)
	a := must("unstack", x)
	a = a.MoveAxis(axisFor("unstack", a, optional("unstack", "axes", axes, 0)), 0)
	parts := make([]*Array, a.Len())
	for i := range parts {
		if i%(1<<14) == 0 { // there may be a million
			poll()
		}
		parts[i] = a.At(i, Dots)
	}
	return parts
}

// BroadcastArrays returns views of all operands in their common shape.
//
//mirror:copy
func BroadcastArrays(xs ...ArrayLike) []*Array {
	xs = unlisted(xs)
	out, shapes := make([]*Array, len(xs)), make([][]int, len(xs))
	for i, x := range xs {
		out[i] = must("broadcast_arrays", x)
		shapes[i] = out[i].Shape()
	}
	shape, err := BroadcastShapes(shapes...)
	check("broadcast_arrays", err)
	for i, a := range out {
		out[i] = BroadcastTo(a, shape...)
	}
	return out
}

// Rot90 turns x by k quarters of a turn, or by one, in the plane of two axes, from the first to the second: Rot90(x, k,
// i, j) names them, otherwise they are the first two of x.
//
//mirror:copy
func Rot90(x ArrayLike, k ...int) *Array {
	a := must("rot90", x)
	if len(k) > 1 {
		return rot90Plane(a, k)
	}
	if a.NDim() < 2 {
		check("rot90", &Error{Shapes: [][]int{a.Shape()}, Msg: "it takes 2 axes or more"})
	}
	switch ((optional("rot90", "numbers of turns", k, 1) % 4) + 4) % 4 {
	case 1:
		return a.Flip(1).SwapAxes(0, 1)
	case 2:
		return a.Flip(0, 1)
	case 3:
		return a.SwapAxes(0, 1).Flip(1)
	}
	return a
}

// rot90Plane is Rot90 in the plane of the axes k[1] and k[2].
//
//mirror:copy
func rot90Plane(a *Array, k []int) *Array {
	if len(k) != 3 {
		check("rot90", &Error{Msg: fmt.Sprintf("%d numbers are given; it takes the quarters of a turn, or these and two axes", len(k))})
	}
	i, j := axisFor("rot90", a, k[1]), axisFor("rot90", a, k[2])
	if i == j {
		check("rot90", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("axis %d is named twice; a plane has two axes", i)})
	}
	order := []int{i, j} // the plane's axes first, then the others
	for axis := range a.NDim() {
		if axis != i && axis != j {
			order = append(order, axis)
		}
	}
	back := make([]int, len(order))
	for to, from := range order {
		back[from] = to
	}
	return Rot90(a.T(order), k[0]).T(back)
}

// Positive returns x, numbers or spans; bools have no sign.
//
//mirror:copy
func Positive(x ArrayLike) *Array {
	computedIn("positive", OpNeg, x)
	return must("positive", x).Copy()
}

// Heaviside returns 0 where x is below 0, 1 where it is above, h where it is 0.
//
//mirror:copy
func Heaviside(x, h ArrayLike) *Array {
	d := computedIn("heaviside", OpCopySign, x, h)
	a, b := must("heaviside", x).AsType(d), must("heaviside", h).AsType(d)
	return Where(IsNaN(a), a, Where(a.Eq(0), b, Where(a.Gt(0), 1.0, 0.0).AsType(d)))
}

// Geomspace returns num float64 values from start to stop, both included, each the same factor times the one before.
//
//mirror:copy
func Geomspace(start, stop float64, num int) *Array {
	if !(start > 0 && stop > 0 || start < 0 && stop < 0) { // their product may be too small for a float64
		check("geomspace", &Error{Msg: fmt.Sprintf("there is no factor between %v and %v; both are above or below 0", start, stop)})
	}
	a := Pow(10.0, Linspace(Log10(math.Abs(start)).Float64(), Log10(math.Abs(stop)).Float64(), num))
	sign := math.Copysign(1, start)
	if num > 0 {
		a.Set(math.Abs(start), 0)
	}
	if num > 1 {
		a.Set(math.Abs(stop), num-1)
	}
	return a.Mul(sign)
}

// Select returns for each element that of the first choice whose condition is true there, or otherwise.
//
//mirror:copy
func Select(conditions, choices []any, otherwise ArrayLike) *Array {
	if len(conditions) != len(choices) || len(conditions) == 0 {
		check("select", &Error{Msg: fmt.Sprintf("%d conditions and %d choices are given; give as many of both", len(conditions), len(choices))})
	}
	out := Where(conditions[len(conditions)-1], choices[len(choices)-1], otherwise)
	for i := len(conditions) - 2; i >= 0; i-- {
		out = Where(conditions[i], choices[i], out)
	}
	return out
}

// Append returns the elements of x and then those of y as one list.
//
//mirror:copy
func Append(x, y ArrayLike) *Array {
	return Concat(0, must("append", x).Reshape(-1), must("append", y).Reshape(-1))
}

// SetXor returns the distinct elements that are in one of x and y, ascending (numpy.setxor1d).
//
//mirror:copy
func SetXor(x, y ArrayLike) *Array { return Union(SetDiff(x, y), SetDiff(y, x)) }

// Elements that are NaN.

// NanToNum returns x with NaN as 0 and infinities as the largest and smallest numbers of its dtype; of complex numbers
// in both parts.
//
//mirror:copy
func NanToNum(x ArrayLike) *Array {
	a := must("nan_to_num", x)
	switch d := a.DType(); {
	case d.IsComplex():
		return Add(NanToNum(Real(a)), NanToNum(Imag(a)).AsType(d).Mul(1i))
	case !d.IsFloat():
		return a.Copy()
	}
	limit := math.MaxFloat64
	switch a.DType() {
	case Float32:
		limit = math.MaxFloat32
	case Float16:
		limit = 65504
	}
	return Where(IsNaN(a), 0.0, Clip(a, -limit, limit)).AsType(a.DType())
}

// NanProd is [Prod] without the NaNs.
//
//mirror:copy
func NanProd(x ArrayLike, opts ...ReduceOption) *Array { return Prod(noNaN(x, 1), opts...) }

// NanCumSum is [CumSum] with NaN as 0.
//
//mirror:copy
func NanCumSum(x ArrayLike, axis ...AxisOption) *Array {
	return cumulate("nancumsum", CumSum, noNaN(x, 0), axesFrom("nancumsum", axis))
}

// NanCumProd is [CumProd] with NaN as 1.
//
//mirror:copy
func NanCumProd(x ArrayLike, axis ...AxisOption) *Array {
	return cumulate("nancumprod", CumProd, noNaN(x, 1), axesFrom("nancumprod", axis))
}

//mirror:copy
func cumulate(op string, along func(x any, axis ...AxisOption) *Array, a *Array, axis []int) *Array {
	for _, k := range axis {
		axisFor(op, a, k)
	}
	return along(a, axis)
}

// NanArgMax is [ArgMax] without the NaNs. It panics with *Error where there is nothing else, as NumPy's does.
//
//mirror:copy
func NanArgMax(x ArrayLike, opts ...ReduceOption) *Array {
	return call(Routines{}.NanArg("nanargmax", ReduceArgMax, opts), x)
}

// NanArgMin is [ArgMin] without the NaNs. It panics with *Error where there is nothing else, as NumPy's does.
//
//mirror:copy
func NanArgMin(x ArrayLike, opts ...ReduceOption) *Array {
	return call(Routines{}.NanArg("nanargmin", ReduceArgMin, opts), x)
}

// Signals.

// Correlate returns the sums of x times y, shifted by each step at which they overlap: numpy.correlate(mode="full").
//
//mirror:copy
func Correlate(x, y ArrayLike) *Array {
	b := must("correlate", y)
	if b.DType().IsComplex() {
		b = b.Conj()
	}
	return Convolve(x, Flip(b))
}

// Unwrap returns angles in radians along an axis, the last when none is named, with steps of more than half a turn
// taken the other way.
//
//mirror:copy
func Unwrap(x ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("unwrap", axis)
	a := must("unwrap", x)
	if !a.DType().IsFloat() {
		a = realFloats("unwrap", a).AsType(Float64)
	}
	k := axisFor("unwrap", a, optional("unwrap", "axes", axes, -1))
	a = a.MoveAxis(k, -1)
	step := Diff(a)
	wrapped := Remainder(step.Add(math.Pi), 2*math.Pi).Sub(math.Pi)
	wrapped = Where(wrapped.Eq(-math.Pi).And(step.Gt(0)), math.Pi, wrapped)
	turn := Where(Abs(step).Lt(math.Pi), 0.0, wrapped.Sub(step)).AsType(a.DType())
	return Concat(-1, a.At(Dots, To(1)), a.At(Dots, From(1)).Add(CumSum(turn, -1))).MoveAxis(-1, k)
}

// Hanning returns the window 0.5 - 0.5·cos(2πj/(n-1)) of n points.
//
//mirror:copy
func Hanning(n int) *Array { return window(n, 0.5, 0.5, 0) }

// Hamming returns the window 0.54 - 0.46·cos(2πj/(n-1)) of n points.
//
//mirror:copy
func Hamming(n int) *Array { return window(n, 0.54, 0.46, 0) }

// Blackman returns the window 0.42 - 0.5·cos(2πj/(n-1)) + 0.08·cos(4πj/(n-1)) of n points.
//
//mirror:copy
func Blackman(n int) *Array { return window(n, 0.42, 0.5, 0.08) }

//mirror:copy
func window(n int, a, b, c float64) *Array {
	if n <= 1 {
		return Ones(max(n, 0))
	}
	j := Arange(1-n, n, 2).Mul(math.Pi / float64(n-1)) // from -π to π, so that both halves are the same
	return j.Cos().Mul(b).Add(a).Add(j.Mul(2).Cos().Mul(c))
}

// Polynomials are lists of coefficients, the highest power first.

// PolyFit returns the coefficients of the polynomial of a degree that is nearest to the points (x, y), in the sum of
// squares.
//
//mirror:copy
func PolyFit(x, y ArrayLike, degree int) *Array {
	a, b := must("polyfit", x), must("polyfit", y)
	if degree < 0 || a.NDim() != 1 || b.NDim() == 0 || b.Len() != a.Len() || a.Len() == 0 {
		check("polyfit", &Error{Shapes: [][]int{a.Shape(), b.Shape()}, Msg: fmt.Sprintf("a polynomial of degree %d does not fit points of shapes %s and %s; x and y are 1-D arrays of the same length", degree, shapeString(a.Shape()), shapeString(b.Shape()))})
	}
	v := Vander(a, degree+1)
	scale := Sqrt(Sum(v.Square(), Axis(0)))
	c, _, _, _ := LstSq(v.Div(scale), b, float64(a.Len())*0x1p-52)
	if c.NDim() > 1 {
		scale = scale.Reshape(-1, 1)
	}
	return c.Div(scale)
}

// Vander returns the powers of a list as columns, the highest first: n columns, or as many as elements.
//
//mirror:copy
func Vander(x ArrayLike, n ...int) *Array {
	a := must("vander", x)
	if a.NDim() != 1 {
		check("vander", &Error{Shapes: [][]int{a.Shape()}, Msg: "it takes a 1-D array"})
	}
	if !a.DType().IsInexact() {
		a = a.AsType(Float64)
	}
	columns := optional("vander", "numbers of columns", n, a.Len())
	if columns < 0 {
		check("vander", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("%d columns cannot be made; n is 0 or more", columns)})
	}
	powers := make([]any, columns)
	p := OnesLike(a)
	for k := columns - 1; k >= 0; k-- {
		powers[k] = p
		p = p.Mul(a)
	}
	if columns == 0 {
		return BroadcastTo(a.Reshape(-1, 1), a.Len(), 1).At(All, To(0))
	}
	return Stack(1, powers...)
}

// PolyAdd returns the sum of two polynomials.
//
//mirror:copy
func PolyAdd(p, q ArrayLike) *Array {
	a, b := evenly("polyadd", p, q)
	return a.Add(b)
}

// PolySub returns the first of two polynomials less the second.
//
//mirror:copy
func PolySub(p, q ArrayLike) *Array {
	a, b := evenly("polysub", p, q)
	return a.Sub(b)
}

// evenly returns polynomials with zeros before the shorter.
//
//mirror:copy
func evenly(op string, p, q any) (a, b *Array) {
	a, b = must(op, p), must(op, q)
	n := max(a.Size(), b.Size())
	return Pad(a, []int{n - a.Size()}, []int{0}, 0), Pad(b, []int{n - b.Size()}, []int{0}, 0)
}

// PolyMul returns the product of two polynomials.
//
//mirror:copy
func PolyMul(p, q ArrayLike) *Array { return Convolve(p, q) }

// PolyDer returns the derivative of a polynomial.
//
//mirror:copy
func PolyDer(p ArrayLike) *Array {
	a := must("polyder", p)
	n := a.Size()
	return a.At(To(max(n-1, 0))).Mul(Arange(n-1, 0, -1))
}

// PolyInt returns the integral of a polynomial that is 0 at 0.
//
//mirror:copy
func PolyInt(p ArrayLike) *Array {
	a := must("polyint", p)
	return Concat(0, a.Div(Arange(a.Size(), 0, -1)), Zeros(1))
}
