package lazy

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// Apply adds a node that computes u on arrays, Go numbers and Go slices, and returns its placeholder. It panics with *Error
// when they do not broadcast or u refuses their dtypes.
func Apply(u arrays.Ufunc, args ...any) *Array {
	n := &node{kind: kindUfunc, ufunc: u, args: make([]view, len(args))}
	operands := make([]arrays.Operand, len(args))
	for i, arg := range args {
		var err error
		n.args[i], operands[i], err = operandOf(arg)
		check(u.String(), err)
	}
	var err error
	n.compute, n.dtype, err = u.Resolve(operands...)
	check(u.String(), err)
	if l, ok := oneLayout(n.args); ok {
		n.shape = l.Shape
		return newArray(n, l)
	}
	shapes := make([][]int, len(args))
	for i, a := range n.args {
		shapes[i] = a.layout.Shape
	}
	n.shape, err = arrays.BroadcastShapes(shapes...)
	check(u.String(), err)
	return n.whole()
}

// oneLayout returns the layout of what an elementwise operation makes of args where it is that of one of them, as it mostly is:
// layouts are never written to. It returns false where that has to be found out.
func oneLayout(args []view) (l arrays.Layout, ok bool) {
	for _, a := range args {
		switch {
		case len(a.layout.Shape) == 0:
		case l.Shape == nil:
			l = a.layout
		case !slices.Equal(a.layout.Shape, l.Shape):
			return l, false
		}
	}
	return l, l.Shape != nil && l.Offset == 0 && l.IsContiguous()
}

// Reduce adds a node that reduces x, and returns its placeholder: by a reduction of package arrays, or by a Go function of
// two numbers, func(a, b T) T, which is compiled to a kernel. The function must be associative; the elements keep their
// order. It panics with *Error on bad axes, and on reductions of no elements that have no result.
func Reduce(r any, x any, opts ...ReduceOption) *Array {
	if r, ok := r.(arrays.Reduction); ok {
		return reduceOp(r, x, opts...)
	}
	return reduceFunc(r, x, opts...)
}

func reduceOp(r arrays.Reduction, x any, opts ...ReduceOption) *Array {
	a := must(r.String(), x)
	spec, err := arrays.ResolveReduction(r, a.DType(), a.layout.Shape, opts...)
	check(r.String(), err)
	n := &node{kind: kindReduce, dtype: spec.Out, shape: spec.OutShape, reduce: &spec, args: []view{a.view()}}
	return n.whole()
}

// reducedAxes returns the axes that options name, or all.
func reducedAxes(op string, shape []int, opts []arrays.ReduceOption) []int {
	spec, err := arrays.ResolveReduction(arrays.ReduceMean, arrays.Float64, shape, opts...)
	check(op, err)
	return spec.Axes
}

// operand makes a placeholder of what a call was given; weak is true for Go numbers.
func operand(v any) (a *Array, weak bool, err error) {
	if a, ok := v.(*Array); ok {
		if a == nil {
			return nil, false, &Error{Msg: "an operand is a nil *Array; was it never assigned?"}
		}
		return a, false, nil
	}
	e, weak, err := arrays.AsArray(v)
	if err != nil {
		return nil, false, err
	}
	if e.NDim() == 0 { // nobody holds it: it needs no cleanup that says so, which would take as long as all else here
		n := numberNode(e)
		return &Array{storage: &storage{n.dtype, &ref{node: n}}, layout: arrays.Contiguous()}, weak, nil
	}
	return FromArray(e), weak, nil
}

// numberNode returns the node of a 0-d array.
func numberNode(e *arrays.Array) *node {
	return &node{kind: kindConst, dtype: e.DType(), shape: []int{}, scalar: e}
}

// operandOf returns the elements of what an elementwise operation was given, and what arrays needs to know of them. Of numbers, which
// most operations are given, it makes a node and no placeholder.
func operandOf(v any) (view, arrays.Operand, error) {
	a, ok := v.(*Array)
	if ok && a != nil {
		return a.view(), arrays.Operand{DType: a.dtype}, nil
	}
	e, weak, err := (*arrays.Array)(nil), false, error(nil)
	if !ok {
		e, weak, err = arrays.AsArray(v)
	}
	switch {
	case err != nil:
		return view{}, arrays.Operand{}, err
	case e == nil || e.NDim() > 0:
		a, weak, err := operand(v)
		if err != nil {
			return view{}, arrays.Operand{}, err
		}
		return a.view(), arrays.Operand{DType: a.dtype, Weak: weak}, nil
	}
	o := arrays.Operand{DType: e.DType(), Weak: weak}
	if weak {
		o.Value = e
	}
	n := numberNode(e)
	return view{n, arrays.Layout{Shape: n.shape, Strides: n.shape}}, o, nil
}

// must is operand for functions that take one array.
func must(op string, v any) *Array {
	a, _, err := operand(v)
	check(op, err)
	return a
}
