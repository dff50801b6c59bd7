package arrays

import (
	"fmt"
	"slices"
)

// Pad returns x with a border of value: before[i] and after[i] places along axis i, or one number for all axes. For
// value a [PadMode] continues x itself, and a [PadOption] does so with parameters.
//
//mirror:copy
func Pad(x ArrayLike, before, after []int, value any) *Array {
	a := must("pad", x)
	takesWhole("pad", a)
	n := a.NDim()
	wide := func(w []int) []int {
		if len(w) == 1 {
			w = slices.Repeat(w, n)
		}
		if len(w) != n || slices.ContainsFunc(w, func(v int) bool { return v < 0 }) {
			check("pad", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("the widths %v do not fit shape %s; give one number of 0 or more for each axis, or one for all", w, shapeString(a.Shape()))})
		}
		return w
	}
	before, after = wide(before), wide(after)
	switch value := value.(type) {
	case PadMode:
		return padBy(a, before, after, PadOption{Mode: value})
	case PadOption:
		return padBy(a, before, after, value)
	}
	shape, inside := a.Shape(), make([]any, n)
	for axis := range shape {
		inside[axis] = S(before[axis], before[axis]+shape[axis])
		shape[axis] += before[axis] + after[axis]
	}
	out := BroadcastTo(assigned("pad", value, a.DType()).AsType(a.DType()), shape...).Copy()
	out.Set(a, inside...)
	return out
}

// padBy pads along one axis after the other: what is in the corners continues the borders.
//
//mirror:copy
func padBy(a *Array, before, after []int, o PadOption) *Array {
	refuse := func(msg string, args ...any) {
		check("pad", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf(msg, args...)})
	}
	ofElements := o.Mode >= PadMaximum && o.Mode <= PadMinimum
	mirrors := o.Mode == PadReflect || o.Mode == PadSymmetric
	constant := o.Mode == PadConstant
	switch {
	case o.Mode < PadConstant || o.Mode > PadMinimum:
		refuse("there is no PadMode %d; there are PadConstant, PadEdge, PadReflect, PadSymmetric, PadWrap, PadLinearRamp, PadMaximum, PadMean, PadMedian and PadMinimum", o.Mode)
	case o.Odd && !mirrors:
		refuse("PadOdd is for PadReflect and PadSymmetric alone")
	case len(o.Lengths) > 0 && !ofElements:
		refuse("PadWithin is for PadMaximum, PadMean, PadMedian and PadMinimum alone")
	case slices.ContainsFunc(o.Lengths, func(n int) bool { return n < 1 }):
		refuse("PadWithin of %v elements has nothing to pad with; give 1 or more", o.Lengths)
	}
	sides := func(given int) bool { return given <= 2 || given == 2*a.NDim() }
	if !sides(len(o.Values)) || !sides(len(o.Lengths)) {
		refuse("%d numbers are given for the sides of shape %s; give one for all, two for before and behind, or two for each axis", max(len(o.Values), len(o.Lengths)), shapeString(a.Shape()))
	}
	out := a.Copy()
	for axis, n := range a.Shape() {
		wide := [2]int{before[axis], after[axis]}
		switch {
		case wide == [2]int{}:
		case constant:
			out = bordered(out, axis, wide, func(side int) *Array {
				return assigned("pad", ofSide(o.Values, axis, side, 0), a.DType()).AsType(a.DType())
			})
		case n == 0:
			refuse("axis %d of shape %s has nothing to continue with; give a value for the border", axis, shapeString(a.Shape()))
		case o.Mode == PadLinearRamp:
			out = bordered(out, axis, wide, func(side int) *Array { return ramp(out, axis, side, wide[side], ofSide(o.Values, axis, side, 0)) })
		case ofElements:
			out = bordered(out, axis, wide, func(side int) *Array {
				return padValue(beside(out, axis, side, ofSide(o.Lengths, axis, side, n)), axis, o.Mode)
			})
		case o.Odd && n > 1:
			out = oddly(out, axis, wide, o.Mode)
		default:
			places := make([]int, wide[0]+n+wide[1])
			for i := range places {
				places[i] = mirrored(i-wide[0], n, o.Mode)
			}
			out = Take(out, places, axis)
		}
	}
	return out
}

// ofSide is that of the values that is for a side of an axis: before is 0, behind 1.
//
//mirror:copy
func ofSide[T any](values []T, axis, side int, none T) T {
	switch len(values) {
	case 0:
		return none
	case 1:
		return values[0]
	case 2:
		return values[side]
	}
	return values[2*axis+side]
}

// bordered returns a with borders along an axis, which broadcast.
//
//mirror:copy
func bordered(a *Array, axis int, wide [2]int, border func(side int) *Array) *Array {
	parts := []any{a}
	for side, n := range wide {
		if n == 0 {
			continue
		}
		shape := a.Shape()
		shape[axis] = n
		b := BroadcastTo(border(side), shape...)
		if side == 0 {
			parts = append([]any{b}, parts...)
		} else {
			parts = append(parts, b)
		}
	}
	return Concat(axis, parts...)
}

// beside returns up to n elements at an end of an axis.
//
//mirror:copy
func beside(a *Array, axis, side, n int) *Array {
	size := a.Shape()[axis]
	n = min(n, size)
	if side == 0 {
		return pickAlong(a, S(0, n), axis)
	}
	return pickAlong(a, S(size-n, size), axis)
}

// padValue is what a mode makes of the elements at an edge; of ints it is rounded.
//
//mirror:copy
func padValue(a *Array, axis int, mode PadMode) *Array {
	var v *Array
	switch mode {
	case PadMaximum:
		return Max(a, Axis(axis), KeepDims())
	case PadMinimum:
		return Min(a, Axis(axis), KeepDims())
	case PadMean:
		v = Mean(a, Axis(axis), KeepDims())
	default:
		v = Median(a, Axis(axis), KeepDims())
	}
	if a.DType().IsInt() {
		v = Rint(v)
	}
	return v.AsType(a.DType())
}

// ramp goes in n steps from end to the edge of a, which it does not reach; behind a it is turned round. It is NumPy's
// linspace: ints are cut downwards, and where there is a step of 0 the steps are not divided first.
//
//mirror:copy
func ramp(a *Array, axis, side, n int, end any) *Array {
	d := Float64
	if a.DType().IsComplex() {
		d = Complex128
	}
	start := Scalar(end).AsType(d)
	long := Sub(beside(a, axis, side, 1).AsType(d), start)
	along := slices.Repeat([]int{1}, a.NDim())
	along[axis] = n
	i := Arange(n).AsType(Float64).Reshape(along...)
	step := long.Div(n)
	v := Where(step.Equal(0).AnyTrue(), i.Div(n).Mul(long), i.Mul(step)).Add(start)
	if a.DType().IsInt() {
		v = Floor(v)
	}
	if side == 1 {
		v = Flip(v, axis)
	}
	return v.AsType(a.DType())
}

// oddly mirrors at both ends, as often as the widths take: of what is there whole periods, so that all of it goes on.
//
//mirror:copy
func oddly(a *Array, axis int, wide [2]int, mode PadMode) *Array {
	n := a.Shape()[axis]
	for wide != [2]int{} {
		size := a.Shape()[axis]
		most, edge := size/n*n, 0
		if mode == PadReflect {
			most, edge = (size-1)/(n-1)*(n-1), 1
		}
		var now [2]int
		a = bordered(a, axis, [2]int{min(most, wide[0]), min(most, wide[1])}, func(side int) *Array {
			now[side] = min(most, wide[side])
			near := pickAlong(a, S(edge, edge+now[0]), axis)
			if side == 1 {
				near = pickAlong(a, S(size-edge-now[1], size-edge), axis)
			}
			return beside(a, axis, side, 1).Mul(2).Sub(Flip(near, axis)).AsType(a.DType())
		})
		wide[0], wide[1] = wide[0]-now[0], wide[1]-now[1]
	}
	return a
}

// mirrored is the index below n of the element that is at i where an axis of n elements is continued on both sides.
//
//mirror:copy
func mirrored(i, n int, mode PadMode) int {
	period, last := n, n-1 // the second half of a period goes back from last
	switch {
	case mode == PadEdge:
		return min(max(i, 0), n-1)
	case mode == PadReflect && n > 1:
		period, last = 2*n-2, 2*n-2
	case mode == PadSymmetric:
		period, last = 2*n, 2*n-1
	}
	if i = (i%period + period) % period; i >= n {
		return last - i
	}
	return i
}
