package arrays

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// Diff returns the differences of neighbours along an axis, the last when none is named.
//
//mirror:copy
func Diff(x ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("diff", axis)
	a := must("diff", x)
	k := axisFor("diff", a, optional("diff", "axes", axes, -1))
	b := a.MoveAxis(k, 0)
	if a.DType().IsBool() {
		return NotEqual(b.At(From(1)), b.At(To(-1))).MoveAxis(0, k)
	}
	return Sub(b.At(From(1)), b.At(To(-1))).MoveAxis(0, k)
}

// EDiff1D returns the differences of neighbours of the flattened x.
//
//mirror:copy
func EDiff1D(x ArrayLike) *Array { return Diff(must("ediff1d", x).Reshape(-1)) }

// Gradient returns the slope of x along an axis (an int as option; the last when none is named) for points h apart, or
// at the coordinates in the 1-D array h: central differences of second order, at the ends the difference to the
// neighbour or with [EdgeOrder](2) one of second order too.
//
//mirror:copy
func Gradient(x, h ArrayLike, opts ...GradientOption) *Array {
	a := must("gradient", x)
	if !a.DType().IsInexact() {
		a = a.AsType(Float64)
	}
	axis, order, named := -1, 1, false
	for _, opt := range opts {
		switch opt := opt.(type) {
		case int, []int, interface{ NamedAxes() []int }:
			if named {
				check("gradient", &Error{Msg: "two axes are given; Gradients returns the slopes along several"})
			}
			axis, named = oneAxis("gradient", opt), true
		case EdgeOption:
			order = opt.Order
		default:
			check("gradient", &Error{Msg: fmt.Sprintf("%s is not an option; give an axis as an int or EdgeOrder(2)", brief.Type(opt))})
		}
	}
	if order != 1 && order != 2 {
		check("gradient", &Error{Msg: fmt.Sprintf("there is no EdgeOrder(%d); there are 1 and 2", order)})
	}
	k := axisFor("gradient", a, axis)
	b := a.MoveAxis(k, 0)
	if b.Len() <= order {
		check("gradient", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("a slope with EdgeOrder(%d) takes %d points or more along the axis", order, order+1)})
	}
	if at := must("gradient", h); at.NDim() > 0 {
		return slopesAt(b, at, order).AsType(a.DType()).MoveAxis(0, k)
	}
	step := must("gradient", h).AsType(Float64).Float64()
	inner := b.At(From(2)).Sub(b.At(To(-2))).Div(2 * step)
	first := b.At(S(1, 2)).Sub(b.At(S(0, 1))).Div(step)
	last := b.At(From(-1)).Sub(b.At(S(-2, -1))).Div(step)
	if order == 2 {
		first = b.At(S(0, 1)).Mul(-1.5 / step).Add(b.At(S(1, 2)).Mul(2 / step)).Add(b.At(S(2, 3)).Mul(-0.5 / step))
		last = b.At(S(-3, -2)).Mul(0.5 / step).Add(b.At(S(-2, -1)).Mul(-2 / step)).Add(b.At(From(-1)).Mul(1.5 / step))
	}
	return Concat(0, first, inner, last).MoveAxis(0, k)
}

// Gradients returns the slopes of x along each of several axes, all or those that are named by ints, as [Gradient]
// gives them for one: numpy.gradient. The points are h apart along all of them, or h is an []any with the distance, or
// the 1-D array of coordinates, of each.
//
//mirror:copy
func Gradients(x ArrayLike, h any, opts ...GradientOption) []*Array {
	a := must("gradient", x)
	var axes []int
	var edges []GradientOption
	for _, opt := range opts {
		switch opt := opt.(type) {
		case int, []int, interface{ NamedAxes() []int }:
			for _, axis := range axesFrom("gradient", []AxisOption{opt}) {
				k := axisFor("gradient", a, axis)
				if slices.Contains(axes, k) {
					check("gradient", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("axis %d is named twice; name each axis once", k)})
				}
				axes = append(axes, k)
			}
		default:
			edges = append(edges, opt)
		}
	}
	if len(axes) == 0 {
		for k := range a.NDim() {
			axes = append(axes, k)
		}
	}
	each, several := h.([]any)
	if several && len(each) != len(axes) {
		check("gradient", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("%d distances are given for %d axes; give one for each, or one for all", len(each), len(axes))})
	}
	out := make([]*Array, len(axes))
	for i, k := range axes {
		if several {
			h = each[i]
		}
		out[i] = Gradient(a, h, append(slices.Clip(edges), k)...)
	}
	return out
}

// slopesAt returns slopes along the first axis of b, whose points are at coordinates. With the distances h to the point
// before and g to that behind, the slope is -g/(h(h+g))·before + (g-h)/(hg)·here + h/(g(h+g))·behind.
//
//mirror:copy
func slopesAt(b, at *Array, order int) *Array {
	if at.NDim() != 1 || at.Len() != b.Len() {
		check("gradient", &Error{Shapes: [][]int{b.Shape(), at.Shape()}, Msg: fmt.Sprintf("coordinates of shape %s are not those of %d points; give a number, or a list of as many", shapeString(at.Shape()), b.Len())})
	}
	if !at.DType().IsInexact() {
		at = at.AsType(Float64)
	}
	across := slices.Repeat([]int{1}, b.NDim())
	across[0] = -1
	d := Diff(at)
	sum := func(weights, points []*Array) *Array {
		total := weights[0].Reshape(across...).Mul(points[0])
		for i := range points[1:] {
			total = total.Add(weights[i+1].Reshape(across...).Mul(points[i+1]))
		}
		return total
	}
	h, g := d.At(To(-1)), d.At(From(1))
	parts := []any{b.At(S(1, 2)).Sub(b.At(S(0, 1))).Div(d.At(0))}
	if b.Len() > 2 {
		parts = append(parts, sum(
			[]*Array{g.Neg().Div(h.Mul(h.Add(g))), g.Sub(h).Div(h.Mul(g)), h.Div(g.Mul(h.Add(g)))},
			[]*Array{b.At(To(-2)), b.At(S(1, -1)), b.At(From(2))}))
	}
	parts = append(parts, b.At(From(-1)).Sub(b.At(S(-2, -1))).Div(d.At(-1)))
	if order == 2 {
		h, g := d.At(To(1)), d.At(S(1, 2))
		parts[0] = sum([]*Array{h.Mul(2).Add(g).Neg().Div(h.Mul(h.Add(g))), h.Add(g).Div(h.Mul(g)), h.Neg().Div(g.Mul(h.Add(g)))},
			[]*Array{b.At(To(1)), b.At(S(1, 2)), b.At(S(2, 3))})
		h, g = d.At(S(-2, -1)), d.At(From(-1))
		parts[len(parts)-1] = sum([]*Array{g.Div(h.Mul(h.Add(g))), g.Add(h).Neg().Div(h.Mul(g)), g.Mul(2).Add(h).Div(g.Mul(h.Add(g)))},
			[]*Array{b.At(S(-3, -2)), b.At(S(-2, -1)), b.At(From(-1))})
	}
	return Concat(0, parts...)
}

// Trapezoid returns the integral of x by the trapezoidal rule along an axis (the last when none is named), for points h
// apart, or at the coordinates h: a 1-D array, or one that broadcasts to x.
//
//mirror:copy
func Trapezoid(x, h ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("trapezoid", axis)
	a := must("trapezoid", x)
	k := axisFor("trapezoid", a, optional("trapezoid", "axes", axes, -1))
	b := a.MoveAxis(k, 0)
	sums := b.At(From(1)).Add(b.At(To(-1)))
	at := must("trapezoid", h)
	if at.NDim() == 0 {
		return sums.Mul(at.AsType(Float64).Float64() / 2).Sum(Axis(0))
	}
	if at.NDim() == 1 {
		across := slices.Repeat([]int{1}, a.NDim())
		across[k] = -1
		at = at.Reshape(across...)
	}
	if at.NDim() != a.NDim() || at.Shape()[k] != b.Len() {
		check("trapezoid", &Error{Shapes: [][]int{a.Shape(), at.Shape()}, Msg: fmt.Sprintf("coordinates of shape %s are not those of shape %s; give a number, a 1-D array of %d, or one for each element", shapeString(at.Shape()), shapeString(a.Shape()), b.Len())})
	}
	return Diff(at, k).MoveAxis(k, 0).Mul(sums).Div(2.0).Sum(Axis(0))
}
