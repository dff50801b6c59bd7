package arrays

import (
	"fmt"
	"math"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// Reduction is an operation that turns all elements along some axes into one.
type Reduction uint8

// The reductions.
const (
	ReduceSum Reduction = iota
	ReduceMean
	ReduceMax
	ReduceMin
	ReduceArgMax // the index of the first maximum, over one axis or the flattened array
	ReduceArgMin // and that of the first minimum
	ReduceProd
	ReduceAll     // all elements are not zero
	ReduceAny     // any element is not zero
	NumReductions = iota
)

// reductions is the one table of reductions: NumPy's name, the dtypes, the loop for the dtype in which values are
// accumulated, whether an empty input has a result.
var reductions = [NumReductions]struct {
	name  string
	rule  reduceRule
	run   func(acc DType) reducer
	empty bool
}{
	ReduceSum:    {"sum", reduceSumTime, sumReducer, true},
	ReduceMean:   {"mean", reduceMean, meanReducer, true},
	ReduceMax:    {"max", reduceExtreme, maxReducer, false},
	ReduceMin:    {"min", reduceExtreme, minReducer, false},
	ReduceArgMax: {"argmax", reduceIndex, argMaxReducer, false},
	ReduceArgMin: {"argmin", reduceIndex, argMinReducer, false},
	ReduceProd:   {"prod", reduceSum, func(acc DType) reducer { return prodReducers.get()[acc] }, true},
	ReduceAll:    {"all", reduceTruth, func(DType) reducer { return truthReducers.get()[0] }, true},
	ReduceAny:    {"any", reduceTruth, func(DType) reducer { return truthReducers.get()[1] }, true},
}

// String returns NumPy's name of r, as "sum".
func (r Reduction) String() string {
	if int(r) < NumReductions {
		return reductions[r].name
	}
	return fmt.Sprintf("reduction(%d)", uint8(r))
}

// IsIndex reports whether r finds a place rather than a value: it goes along one axis or over the flattened array.
func (r Reduction) IsIndex() bool { return r == ReduceArgMax || r == ReduceArgMin }

// AxisOption is how functions take an axis: an int, or what [Axis] makes of one, as np.Sort(x, 0) and np.Sort(x,
// np.Axis(0)). Negative ones count from the end. Those that take several take them one after the other, or as an []int.
// Anything else is an *Error.
type AxisOption any

// ReduceOption changes over which axes a reduction goes and the shape of its result: [Axis], or an axis as an int, or
// several as an []int; [KeepDims], [DDof]. Anything else is an *Error.
type ReduceOption any

// reduceOption is what the functions make that return a ReduceOption.
type reduceOption func(*reduceOptions)

// NamedAxes returns the axes that [Axis] was called with, none of other options.
func (f reduceOption) NamedAxes() []int {
	var o reduceOptions
	f(&o)
	return o.axes
}

// FreedomsLost returns the n of [DDof], and whether it was called.
func (f reduceOption) FreedomsLost() (n int, called bool) {
	o := reduceOptions{ddof: math.MinInt}
	f(&o)
	return o.ddof, o.ddof != math.MinInt
}

// readOptions returns what options say.
func readOptions[T any](opts []T) (o reduceOptions, err error) {
	for _, opt := range opts {
		switch opt := any(opt).(type) {
		case int:
			o.axes, o.some = append(o.axes, opt), true
		case []int:
			o.axes, o.some = append(o.axes, opt...), true
		case reduceOption:
			opt(&o)
		default:
			return o, &Error{Msg: fmt.Sprintf("%s is not an option; give axes as ints or Axis(...), KeepDims()", brief.Type(opt))}
		}
	}
	return o, nil
}

type reduceOptions struct {
	ddof int
	axes []int
	some bool // axes were named; without, all are reduced
	keep bool

	lengths []int  // of Fourier transforms
	scaled  string // and what they divide by
}

// Axis reduces over the named axes only; negative ones count from the end. As in NumPy, Axis() with none reduces
// nothing.
func Axis(axes ...int) ReduceOption {
	return reduceOption(func(o *reduceOptions) { o.axes, o.some = append(o.axes, axes...), true })
}

// KeepDims leaves the reduced axes in the result, with size 1, so that it broadcasts against the input.
func KeepDims() ReduceOption {
	return reduceOption(func(o *reduceOptions) { o.keep = true })
}

// DDof makes [Var] and [Std] divide by the number of elements less n: with 1, the estimate from a sample.
func DDof(n int) ReduceOption {
	return reduceOption(func(o *reduceOptions) { o.ddof = n })
}

// ReduceSpec is a reduction with everything decided that does not need the elements.
type ReduceSpec struct {
	Reduction Reduction
	Axes      []int // reduced axes, ascending, from 0
	Keep      bool  // reduced axes stay with size 1
	OutShape  []int
	Out       DType
}

// reducedAxes returns the axes that options name, or all.
func reducedAxes(op string, shape []int, opts []ReduceOption) []int {
	spec, err := ReduceMean.Resolve(Float64, shape, opts...)
	check(op, err)
	return spec.Axes
}

// Resolve decides a reduction of an array of dtype in and the given shape. The error names axes that do not
// exist or are named twice, and reductions of no elements that have no result.
func (r Reduction) Resolve(in DType, shape []int, opts ...ReduceOption) (spec ReduceSpec, err error) {
	o, err := readOptions(opts)
	if err != nil {
		return ReduceSpec{}, withOp(r.String(), err)
	}
	if o.lengths != nil || o.scaled != "" {
		return ReduceSpec{}, &Error{Op: r.String(), Msg: "Length and Scaled are for Fourier transforms; leave them out"}
	}
	if o.ddof != 0 {
		return ReduceSpec{}, &Error{Op: r.String(), Msg: "DDof is for Var, Std and Cov; leave it out"}
	}
	out, _, ok := reductions[r].rule(in)
	if !ok {
		return ReduceSpec{}, withOp(r.String(), refuse(in))
	}
	spec = ReduceSpec{Reduction: r, Axes: []int{}, Keep: o.keep, OutShape: []int{}, Out: out}
	if !o.some {
		for axis := range shape {
			spec.Axes = append(spec.Axes, axis)
		}
	}
	for _, axis := range o.axes {
		axis, err := normalAxis(axis, shape)
		if err != nil {
			return ReduceSpec{}, withOp(r.String(), err)
		}
		if slices.Contains(spec.Axes, axis) {
			return ReduceSpec{}, &Error{Op: r.String(), Shapes: [][]int{shape}, Msg: fmt.Sprintf("axis %d is named twice; name each axis once", axis)}
		}
		spec.Axes = append(spec.Axes, axis)
	}
	slices.Sort(spec.Axes)
	if r.IsIndex() && o.some && len(spec.Axes) != 1 {
		return ReduceSpec{}, &Error{Op: r.String(), Shapes: [][]int{shape}, Msg: fmt.Sprintf("%d axes are named; an index is along one axis, or none named for the flattened array", len(spec.Axes))}
	}
	count := 1
	for axis, size := range shape {
		if !slices.Contains(spec.Axes, axis) {
			spec.OutShape = append(spec.OutShape, size)
			continue
		}
		count *= size
		if o.keep {
			spec.OutShape = append(spec.OutShape, 1)
		}
	}
	if count == 0 && !reductions[r].empty {
		return ReduceSpec{}, &Error{Op: r.String(), Shapes: [][]int{shape}, Msg: fmt.Sprintf("shape %s has no elements to choose from along the reduced axes; check Size before", shapeString(shape))}
	}
	return spec, nil
}

// Reduce applies r to x, an array, Go number or slice: a [Reduction], or a Go function of two numbers, func(a, b T) T,
// that combines neighbours. The function must be associative; the elements keep their order. It panics with *Error as
// [Reduction.Resolve] describes.
func Reduce(r any, x ArrayLike, opts ...ReduceOption) *Array {
	if r, ok := r.(Reduction); ok {
		return reduceOp(r, x, opts...)
	}
	return reduceFunc(r, x, opts...)
}

func reduceOp(r Reduction, x any, opts ...ReduceOption) *Array {
	a, _, err := AsArray(x)
	check(r.String(), err)
	if out := r.ofFew(a, opts); out != nil {
		return out
	}
	spec, err := r.Resolve(a.dtype, a.layout.Shape, opts...)
	check(r.String(), err)
	return spec.Apply(a)
}

// Apply reduces a, which must have the dtype and shape that s was resolved for. The order in which values are added
// depends on the shape alone, so that views and copies of the same elements give the same bits.
func (s ReduceSpec) Apply(a *Array) *Array {
	kept, reduced := Layout{Offset: a.layout.Offset}, Layout{}
	for axis, size := range a.layout.Shape {
		part := &kept
		if slices.Contains(s.Axes, axis) {
			part = &reduced
		}
		part.Shape = append(part.Shape, size)
		part.Strides = append(part.Strides, a.layout.Strides[axis])
	}
	row := reductions[s.Reduction]
	_, acc, _ := row.rule(a.dtype)
	out := row.run(acc).run(newStream(&Array{a.dtype, reduced, a.data}, acc), kept, reduced.Size())
	if out.dtype != s.Out {
		out = out.AsType(s.Out)
	}
	return &Array{out.dtype, Contiguous(s.OutShape...), out.data}
}
