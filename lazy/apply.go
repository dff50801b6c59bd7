package lazy

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// ArrayLike is what stands for an array, as NumPy's ArrayLike: an *Array or one of package arrays; a Go number, bool,
// string, time.Time or time.Duration, or of a type that is made of one; a slice or Go array of them, also nested; what
// has a method Array() that gives an array; where there are several, a []*Array. All else is an *Error when the
// function is called, and cells of a notebook say so before they run: a func, a map, a channel, another struct or nil
// is none of these. It is another name for any: see [arrays.ArrayLike].
type ArrayLike = any

// Apply adds a node that computes u on arrays, Go numbers and Go slices, and returns its placeholder. It panics with
// *Error when they do not broadcast or u refuses their dtypes.
func Apply(u Ufunc, args ...ArrayLike) *Array {
	if len(args) != u.NIn() {
		_, _, err := u.Resolve(make([]arrays.Operand, len(args))...) // the one place that says so
		check(u.String(), err)
	}
	var few [3]view // what most operations have at most
	views := few[:0]
	operands := make([]arrays.Operand, len(args))
	for i, arg := range args {
		v, o, err := operandOf(arg)
		check(u.String(), err)
		views, operands[i] = append(views, v), o
	}
	compute, dtype, err := u.Resolve(operands...)
	check(u.String(), err)
	l := oneLayout(views)
	if l == nil {
		shapes := make([][]int, len(views))
		for i, a := range views {
			shapes[i] = a.layout.Shape
		}
		shape, err := arrays.BroadcastShapes(shapes...)
		check(u.String(), err)
		l = contiguous(shape)
	}
	n := newNode(kindUfunc, dtype, l, &ordinary, views...)
	n.ufunc, n.compute = u, compute
	if !n.fusable() {
		n.writtenHere()
	}
	return n.whole()
}

// oneLayout returns the layout of what an elementwise operation makes of args where it is that of one of them, as it
// mostly is: layouts are never written to. It returns nil where that has to be found out.
func oneLayout(args []view) (l *arrays.Layout) {
	for _, a := range args {
		switch {
		case a.layout == l || len(a.layout.Shape) == 0:
		case l == nil:
			l = a.layout
		case !slices.Equal(a.layout.Shape, l.Shape):
			return nil
		}
	}
	if l != nil && (l.Offset != 0 || !l.IsContiguous()) {
		return nil
	}
	return l
}

// Reduce adds a node that reduces x, and returns its placeholder: by a reduction of package arrays, or by a Go function
// of two numbers, func(a, b T) T, which is compiled to a kernel. The function must be associative; the elements keep
// their order. It panics with *Error on bad axes, and on reductions of no elements that have no result.
func Reduce(r any, x ArrayLike, opts ...ReduceOption) *Array {
	if r, ok := r.(arrays.Reduction); ok {
		return reduceOp(r, x, opts...)
	}
	return reduceFunc(r, x, opts...)
}

func reduceOp(r arrays.Reduction, x any, opts ...ReduceOption) *Array {
	a := must(r.String(), x)
	spec, err := r.Resolve(a.DType(), a.layout.Shape, opts...)
	check(r.String(), err)
	n := newNode(kindReduce, spec.Out, contiguous(spec.OutShape), &rare{reduce: &spec}, a.view())
	if !n.fusable() {
		n.writtenHere()
	}
	return n.whole()
}

// reducedAxes returns the axes that options name, or all.
func reducedAxes(op string, shape []int, opts []arrays.ReduceOption) []int {
	spec, err := arrays.ReduceMean.Resolve(arrays.Float64, shape, opts...)
	check(op, err)
	return spec.Axes
}

// operand makes a placeholder of what a call was given; weak is true for Go numbers.
func operand(v any) (a *Array, weak bool, err error) {
	if a, ok := v.(*Array); ok {
		if a.missing() {
			return nil, false, a.unassigned()
		}
		return a, false, nil
	}
	if of, ok := v.(interface{ Array() *Array }); ok {
		return operand(of.Array())
	}
	e, weak, err := arrays.AsArray(v)
	if err != nil {
		return nil, false, err
	}
	return FromArray(e), weak, nil
}

// noAxes is the layout of 0-d arrays.
var noAxes = arrays.Contiguous()

// operandOf returns the elements of what an elementwise operation was given, and what arrays needs to know of them. Of
// numbers, which most operations are given, it makes a node and no placeholder.
func operandOf(v any) (view, arrays.Operand, error) {
	a, ok := v.(*Array)
	if ok && !a.missing() {
		return a.view(), arrays.Operand{DType: a.dtype}, nil
	}
	e, weak, err := (*arrays.Array)(nil), false, error(nil)
	if _, gives := v.(interface{ Array() *Array }); !ok && !gives {
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
	return all(constant(e, &noAxes)), o, nil
}

// computedIn returns the dtype that u computes in for these inputs; the error is op's, a function that is made of
// others.
func computedIn(op string, u arrays.Ufunc, xs ...any) arrays.DType {
	in := make([]arrays.Operand, len(xs))
	for i, x := range xs {
		_, o, err := operandOf(x)
		check(op, err)
		in[i] = o
	}
	d, _, err := u.Resolve(in...)
	if err != nil {
		named := *err.(*Error)
		named.Op = op
		panic(&named)
	}
	return d
}

// must is operand for functions that take one array.
func must(op string, v any) *Array {
	a, _, err := operand(v)
	check(op, err)
	return a
}

// unlisted is the operands of a function that takes any number of them: a []*Array alone stands for its arrays.
func unlisted(xs []any) []any {
	if len(xs) != 1 {
		return xs
	}
	var out []any
	switch list := xs[0].(type) {
	case []*Array:
		for _, a := range list {
			out = append(out, a)
		}
	case []*arrays.Array:
		for _, a := range list {
			out = append(out, a)
		}
	default:
		return xs
	}
	return out
}
