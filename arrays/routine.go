package arrays

import "fmt"

// Routine is an operation that is neither elementwise nor a reduction, as sorting and joining are: dtype and shape of
// its result follow from those of its operands, so that another evaluator can promise them before anything is computed.
type Routine struct {
	Name    string                        // NumPy's
	Resolve func(in []Spec) (Spec, error) // the result's, or what is wrong with the operands
	Run     func(out *Array, in []*Array) // fills out, which is fresh, contiguous and zero; it may panic with *Error
	Plain   bool                          // its name and the operands say all of it: it has no options
	Axis    []int                         // of what goes along one axis: the one that was named, if any
	Right   bool                          // of a search: what is searched for goes behind elements equal to it
	// Run writes every element of out and reads none, so that out may hold anything before
	Whole   bool
	InPlace bool // out may be an operand itself
	// Sorted is Run for elements that are not in memory: those of in[0], which is nil, are a line that is sorted. Nil
	// where a sorted line does not say all.
	Sorted func(out *Array, in []*Array, line SortedLine)
	// Reduced says which axes of in[0] go, of the given shape, where each line along them has results of its own. Nil
	// where that is not so.
	Reduced func(shape []int) []int
}

// SortedLine has the elements of a line in order, those that do not compare (NaN) last.
type SortedLine struct {
	DType  DType
	N      int                            // elements, one at least
	Valid  int                            // those that compare
	Lookup func(dst []byte, places []int) // writes the elements at places, one after the other
}

// pick is that of an order for the line.
func (l SortedLine) pick(dst []byte, valid []int, _ []byte, _ int, want selected) {
	valid[0] = l.N
	if want.skip {
		valid[0] = l.Valid
	}
	places := make([]int, want.count)
	if valid[0] > 0 {
		want.places(valid[0], places, poll)
	}
	if l.Valid == 0 || l.Valid < l.N && !want.skip {
		for i := range places {
			places[i] = l.N - 1
		}
	}
	l.Lookup(dst, places)
}

// Routines has the routines of the package, for another evaluator: what a function as [Sort] calls, before there are
// elements. Its methods have the names of the functions.
type Routines struct{}

// Rules has what another evaluator asks this one for before there are elements, so that both refuse the same.
type Rules struct{}

// Spec is what is known of an array without its elements. Weak is as in [Operand].
type Spec struct {
	DType DType
	Shape []int
	Weak  bool
}

// Call evaluates r on its operands: arrays, Go numbers and Go slices. It panics with *Error when r refuses them.
func (r Routine) Call(args ...any) *Array { return r.fresh(r.prepare(args)) }

// call is [Routine.Call] under the name that it has in lazy too.
func call(r Routine, args ...any) *Array { return r.Call(args...) }

// prepare returns the operands of r and what is known of the result, or panics with *Error.
func (r Routine) prepare(args []any) ([]*Array, Spec) {
	in, specs := make([]*Array, len(args)), make([]Spec, len(args))
	for i, arg := range args {
		a, weak, err := AsArray(arg)
		check(r.Name, err)
		in[i], specs[i] = a, Spec{a.dtype, a.layout.Shape, weak}
	}
	spec, err := r.Resolve(specs)
	check(r.Name, err)
	return in, spec
}

// fresh returns the result as a new array.
func (r Routine) fresh(in []*Array, spec Spec) *Array {
	var out *Array
	if r.Whole {
		check(r.Name, checkShape(spec.Shape))
		out = newUnset(spec.DType, spec.Shape)
	} else {
		out = New(spec.DType, spec.Shape...)
	}
	r.Run(out, in)
	return out
}

// axisOf is the axis of shape that an optional argument names; without it, it is the last, or where flat is set -1,
// which stands for all axes in C order.
func axisOf(axis []int, shape []int, flat bool) (int, error) {
	switch {
	case len(axis) > 1:
		return 0, &Error{Shapes: [][]int{shape}, Msg: fmt.Sprintf("%d axes are named; name one or none", len(axis))}
	case len(axis) == 1:
		return normalAxis(axis[0], shape)
	case flat:
		return -1, nil
	case len(shape) == 0:
		return 0, &Error{Shapes: [][]int{shape}, Msg: "a 0-d array has no axis to go along; reshape it to (1,) first"}
	}
	return len(shape) - 1, nil
}

// along makes a routine that turns each line along one axis into a line of the same length. Without an axis it goes
// along the last, or where flat is set over the elements in C order, which then become the one axis of the result. line
// gets the line as dtype work, in memory of its own, and gives dtype out; allow refuses dtypes.
func along(name string, axis []int, flat bool, work, out func(DType) DType, allow func(DType) error, line func(work, out DType, dst, src []byte)) Routine {
	return Routine{
		Name: name,
		Axis: axis,
		Resolve: func(in []Spec) (Spec, error) {
			if err := allow(in[0].DType); err != nil {
				return Spec{}, err
			}
			shape := in[0].Shape
			k, err := axisOf(axis, shape, flat)
			if k < 0 {
				shape = []int{sizeOf(shape)}
			}
			return Spec{DType: out(in[0].DType), Shape: shape}, err
		},
		Run: func(dst *Array, in []*Array) {
			a := in[0]
			k, _ := axisOf(axis, a.layout.Shape, flat)
			if k < 0 {
				a, k = a.Reshape(-1), 0
			}
			w := work(a.dtype)
			eachLine(a.layout, dst.layout, k, func(from, to Layout) {
				lane := newStream(&Array{a.dtype, from, a.data}, w)
				n := from.Shape[0]
				src := roomFor(w, n)
				inSteps(n, func(lo, hi int) { lane.read(src[lo*w.Size() : hi*w.Size()]) })
				if to.Strides[0] == 1 {
					size := dst.dtype.Size()
					line(w, dst.dtype, dst.data[to.Offset*size:(to.Offset+n)*size], src)
					return
				}
				tmp := roomFor(dst.dtype, n)
				line(w, dst.dtype, tmp, src)
				putLoopOf(dst.dtype)(dst.data, tmp, to.Offset, to.Strides[0])
			})
		},
	}
}

// eachLine calls do with the lines of two layouts of one shape along an axis. There are none in an empty array.
func eachLine(a, b Layout, axis int, do func(a, b Layout)) {
	if a.Size() == 0 {
		return
	}
	restA, restB := without(a, axis), without(b, axis)
	n := restA.Size()
	walkA, walkB := newWalk(restA), newWalk(restB)
	var work poller
	for range n {
		work.did(a.Shape[axis])
		do(Layout{[]int{a.Shape[axis]}, []int{a.Strides[axis]}, walkA.at}, Layout{[]int{b.Shape[axis]}, []int{b.Strides[axis]}, walkB.at})
		walkA.advance(1)
		walkB.advance(1)
	}
}

// without drops an axis.
func without(l Layout, axis int) Layout {
	out := Layout{Offset: l.Offset}
	for k := range l.Shape {
		if k != axis {
			out.Shape, out.Strides = append(out.Shape, l.Shape[k]), append(out.Strides, l.Strides[k])
		}
	}
	return out
}

// newWalk returns a stream whose at goes over the places of l.
func newWalk(l Layout) *stream {
	s := new(stream)
	s.look(l)
	return s
}

func sameDType(d DType) DType { return d }
