package lazy

import "github.com/arrayrepl/arrayrepl/arrays"

// Apply adds a node that computes u on arrays, Go numbers and Go slices, and returns its placeholder. It panics with *Error
// when they do not broadcast or u refuses their dtypes.
func Apply(u arrays.Ufunc, args ...any) *Array {
	n := &node{kind: kindUfunc, ufunc: u, args: make([]view, len(args))}
	operands := make([]arrays.Operand, len(args))
	shapes := make([][]int, len(args))
	for i, arg := range args {
		a, weak, err := operand(arg)
		check(u.String(), err)
		n.args[i], operands[i], shapes[i] = a.view(), operandOf(a, weak), a.layout.Shape
	}
	var err error
	n.compute, n.dtype, err = u.Resolve(operands...)
	check(u.String(), err)
	n.shape, err = arrays.BroadcastShapes(shapes...)
	check(u.String(), err)
	arrays.Contiguous(n.shape...) // panics on a shape that no memory holds
	return n.whole()
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
	n := &node{kind: kindReduce, dtype: spec.Out, shape: spec.OutShape, reduce: spec, args: []view{a.view()}}
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
		n := &node{kind: kindConst, dtype: e.DType(), shape: []int{}, scalar: e}
		return &Array{storage: &storage{n.dtype, &ref{node: n}}, layout: arrays.Contiguous()}, weak, nil
	}
	return FromArray(e), weak, nil
}

// operandOf is what arrays needs to know of an operand.
func operandOf(a *Array, weak bool) arrays.Operand {
	o := arrays.Operand{DType: a.dtype, Weak: weak}
	if weak {
		o.Value = a.view().node.scalar
	}
	return o
}

// must is operand for functions that take one array.
func must(op string, v any) *Array {
	a, _, err := operand(v)
	check(op, err)
	return a
}
