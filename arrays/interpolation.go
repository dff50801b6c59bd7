package arrays

import (
	"fmt"
	"math"
	"sort"
)

// Interp returns the values at x of the line through the points (px, py), px ascending; py[0] before them and py[last]
// behind, or the numbers that the options [Left] and [Right] name. With [Period] the points may be in any order and go
// on at both ends. py may be complex.
//
//mirror:host
func Interp(x, px, py ArrayLike, opts ...InterpOption) *Array {
	a, p, q := realFloats("interp", x), realFloats("interp", px), must("interp", py)
	left, right, period := endsOf(opts)
	if period != 0 && p.NDim() == 1 && q.NDim() == 1 && p.Size() == q.Size() && p.Size() > 0 {
		a, p = Remainder(a.AsType(Float64), period), Remainder(p.AsType(Float64), period)
		order := ArgSort(p)
		p, q = p.At(order), q.At(order)
		p = Concat(0, p.At(From(-1)).Sub(period), p, p.At(To(1)).Add(period))
		q = Concat(0, q.At(From(-1)), q, q.At(To(1)))
		left, right = nil, nil
	}
	if q.dtype.IsComplex() {
		times := func(rise, run float64) float64 { return float64(rise * (1 / run)) } // rounded as in NumPy
		re := throughPoints(a, p, Real(q), partOf(left, Real), partOf(right, Real), times)
		im := throughPoints(a, p, Imag(q), partOf(left, Imag), partOf(right, Imag), times)
		parts := Stack(-1, re, Where(IsNaN(a), 0.0, im))
		return FromBytes(Complex128, a.layout.Shape, parts.data)
	}
	return throughPoints(a, p, realFloats("interp", q), left, right, func(rise, run float64) float64 { return rise / run })
}

// endsOf returns the values before and behind the points, nil where none is named, and the period, 0 for none.
func endsOf(opts []InterpOption) (left, right *Array, period float64) {
	end := func(name string, v any) *Array {
		a := must("interp", v)
		if a.NDim() > 0 || !a.dtype.IsNumber() && !a.dtype.IsBool() {
			check("interp", &Error{Shapes: [][]int{a.layout.Shape}, Msg: fmt.Sprintf("%s is a number, not %v of shape %s", name, a.dtype, shapeString(a.layout.Shape))})
		}
		return a
	}
	for _, opt := range opts {
		switch opt := opt.(type) {
		case LeftOption:
			left = end("Left", opt.Value)
		case RightOption:
			right = end("Right", opt.Value)
		case PeriodOption:
			if period = math.Abs(opt.Length); !(period > 0) || math.IsInf(period, 0) {
				check("interp", &Error{Msg: fmt.Sprintf("the Period is %v; it is a finite number other than 0", opt.Length)})
			}
		default:
			check("interp", &Error{Msg: fmt.Sprintf("%v is not an option; leave it out", opt)})
		}
	}
	return left, right, period
}

// partOf is a part of a complex number that may be nil.
func partOf(v *Array, part func(x any) *Array) *Array {
	if v == nil {
		return nil
	}
	return part(v.AsType(Complex128))
}

// throughPoints is Interp for floats, with slopes of a rise in a run.
func throughPoints(a, p, q, left, right *Array, slopeOf func(rise, run float64) float64) *Array {
	if p.NDim() != 1 || q.NDim() != 1 || p.Size() != q.Size() || p.Size() == 0 {
		check("interp", &Error{Shapes: [][]int{p.layout.Shape, q.layout.Shape}, Msg: fmt.Sprintf(
			"the points have shapes %s and %s; give two 1-D arrays of one length, 1 or more", shapeString(p.layout.Shape), shapeString(q.layout.Shape))})
	}
	xs, ys := elements[float64](p.AsType(Float64).data), elements[float64](q.AsType(Float64).data)
	before, behind := ys[0], ys[len(ys)-1]
	if left != nil {
		before = realFloats("interp", left).AsType(Float64).Float64()
	}
	if right != nil {
		behind = realFloats("interp", right).AsType(Float64).Float64()
	}
	out := a.AsType(Float64)
	v := elements[float64](out.data)
	var work poller
	for i, t := range v {
		work.did(costOfSearch)
		k := sort.Search(len(xs), func(k int) bool { return xs[k] > t }) - 1 // the last that is not behind t
		switch {
		case t != t:
		case k < 0:
			v[i] = before
		case k == len(xs)-1 && xs[k] != t:
			v[i] = behind
		case xs[k] == t:
			v[i] = ys[k]
		default:
			slope := slopeOf(ys[k+1]-ys[k], xs[k+1]-xs[k])
			if v[i] = float64(slope*(t-xs[k])) + ys[k]; v[i] != v[i] { // beside infinities, as NumPy does
				if v[i] = float64(slope*(t-xs[k+1])) + ys[k+1]; v[i] != v[i] && ys[k] == ys[k+1] {
					v[i] = ys[k]
				}
			}
		}
	}
	return out
}
