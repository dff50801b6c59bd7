package arrays

import (
	"fmt"
	"slices"
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

// reductions is the one table of reductions: NumPy's name; for each input dtype that of the result and the one in which
// values are accumulated; the loop for each accumulated dtype; whether an empty input has a result.
var reductions = [NumReductions]struct {
	name     string
	out, acc [numDTypes]DType
	run      [numDTypes]reducer
	empty    bool
}{
	ReduceSum: {"sum", [...]DType{Int64, Int64, Float32, Float64}, [...]DType{Int64, Int64, Float64, Float64},
		[...]reducer{Int64: folding(Int64, sumBlock[int64], plus), Float64: folding(Float64, sumBlock[float64], plus)}, true},
	ReduceMean: {"mean", [...]DType{Float64, Float64, Float32, Float64}, [...]DType{Float64, Float64, Float64, Float64},
		[...]reducer{Float64: averaging(folding(Float64, sumBlock[float64], plus))}, true},
	ReduceMax: {"max", [...]DType{Bool, Int64, Float32, Float64}, [...]DType{Bool, Int64, Float32, Float64},
		[...]reducer{folding(Bool, maxBlock[uint8], larger), folding(Int64, maxBlock[int64], larger), folding(Float32, maxBlock[float32], larger), folding(Float64, maxBlock[float64], larger)}, false},
	ReduceMin: {"min", [...]DType{Bool, Int64, Float32, Float64}, [...]DType{Bool, Int64, Float32, Float64},
		[...]reducer{folding(Bool, minBlock[uint8], smaller), folding(Int64, minBlock[int64], smaller), folding(Float32, minBlock[float32], smaller), folding(Float64, minBlock[float64], smaller)}, false},
	ReduceArgMax: {"argmax", [...]DType{Int64, Int64, Int64, Int64}, [...]DType{Bool, Int64, Float32, Float64},
		[...]reducer{firstMax[uint8], firstMax[int64], firstMax[float32], firstMax[float64]}, false},
	ReduceArgMin: {"argmin", [...]DType{Int64, Int64, Int64, Int64}, [...]DType{Bool, Int64, Float32, Float64},
		[...]reducer{firstMin[uint8], firstMin[int64], firstMin[float32], firstMin[float64]}, false},
	ReduceProd: {"prod", [...]DType{Int64, Int64, Float32, Float64}, [...]DType{Int64, Int64, Float64, Float64},
		[...]reducer{Int64: folding(Int64, prodBlock[int64], product), Float64: folding(Float64, prodBlock[float64], product)}, true},
	ReduceAll: {"all", [...]DType{Bool, Bool, Bool, Bool}, [...]DType{Bool, Bool, Bool, Bool}, [numDTypes]reducer{Bool: folding(Bool, allBlock, smaller)}, true},
	ReduceAny: {"any", [...]DType{Bool, Bool, Bool, Bool}, [...]DType{Bool, Bool, Bool, Bool}, [numDTypes]reducer{Bool: folding(Bool, anyBlock, larger)}, true},
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

// ReduceOption changes over which axes a reduction goes and the shape of its result: see [Axis] and [KeepDims].
type ReduceOption func(*reduceOptions)

type reduceOptions struct {
	ddof int
	axes []int
	some bool // axes were named; without, all are reduced
	keep bool
}

// Axis reduces over the named axes only; negative ones count from the end. As in NumPy, Axis() with none reduces nothing.
func Axis(axes ...int) ReduceOption {
	return func(o *reduceOptions) { o.axes, o.some = append(o.axes, axes...), true }
}

// KeepDims leaves the reduced axes in the result, with size 1, so that it broadcasts against the input.
func KeepDims() ReduceOption { return func(o *reduceOptions) { o.keep = true } }

// DDof makes [Var] and [Std] divide by the number of elements less n: with 1, the estimate from a sample.
func DDof(n int) ReduceOption { return func(o *reduceOptions) { o.ddof = n } }

// DDofOf returns the n of [DDof] among opts, 0 when it is not there.
func DDofOf(opts ...ReduceOption) int {
	var o reduceOptions
	for _, opt := range opts {
		opt(&o)
	}
	return o.ddof
}

// ReduceSpec is a reduction with everything decided that does not need the elements.
type ReduceSpec struct {
	Reduction Reduction
	Axes      []int // reduced axes, ascending, from 0
	Keep      bool  // reduced axes stay with size 1
	OutShape  []int
	Out       DType
}

// ResolveReduction decides a reduction of an array of dtype in and the given shape. The error names axes that do not exist
// or are named twice, and reductions of no elements that have no result.
func ResolveReduction(r Reduction, in DType, shape []int, opts ...ReduceOption) (spec ReduceSpec, err error) {
	var o reduceOptions
	for _, opt := range opts {
		opt(&o)
	}
	spec = ReduceSpec{Reduction: r, Axes: []int{}, Keep: o.keep, OutShape: []int{}, Out: reductions[r].out[in]}
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

// Reduce applies r to x, an array, Go number or slice. It panics with *Error as [ResolveReduction] describes.
func Reduce(r Reduction, x any, opts ...ReduceOption) *Array {
	a, _, err := AsArray(x)
	check(r.String(), err)
	spec, err := ResolveReduction(r, a.dtype, a.layout.Shape, opts...)
	check(r.String(), err)
	return spec.Apply(a)
}

// Apply reduces a, which must have the dtype and shape that s was resolved for. The order in which values are added depends
// on the shape alone, so that views and copies of the same elements give the same bits.
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
	acc := row.acc[a.dtype]
	out := row.run[acc](newStream(&Array{a.dtype, reduced, a.data}, acc), kept, reduced.Size())
	if out.dtype != s.Out {
		out = out.AsType(s.Out)
	}
	return out.Reshape(s.OutShape...)
}
