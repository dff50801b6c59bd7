package arrays

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// Concat joins arrays along an axis that they have: their shapes agree but there. Dtypes are promoted. A []*Array
// stands for its arrays, here and in all functions that take any number of arrays.
func Concat(axis AxisOption, xs ...ArrayLike) *Array {
	return call(Routines{}.Concat(oneAxis("concatenate", axis)), unlisted(xs)...)
}

// Stack joins arrays of one shape along a new axis.
func Stack(axis AxisOption, xs ...ArrayLike) *Array {
	return call(Routines{}.Stack(oneAxis("stack", axis)), unlisted(xs)...)
}

// Concat is the routine of [Concat].
func (Routines) Concat(axis int) Routine {
	return Routine{
		Name: "concat", Axis: []int{axis},
		Resolve: func(in []Spec) (Spec, error) {
			if len(in) == 0 {
				return Spec{}, &Error{Msg: "there is nothing to join; give one array or more"}
			}
			k, err := normalAxis(axis, in[0].Shape)
			if err != nil {
				return Spec{}, err
			}
			d, err := promoted(in)
			if err != nil {
				return Spec{}, err
			}
			out := Spec{DType: d, Shape: slices.Clone(in[0].Shape)}
			for i, s := range in[1:] {
				ok := len(s.Shape) == len(out.Shape)
				for a := range s.Shape {
					ok = ok && (a == k || s.Shape[a] == out.Shape[a])
				}
				if !ok {
					return Spec{}, &Error{Shapes: [][]int{in[0].Shape, s.Shape}, Msg: fmt.Sprintf(
						"array %d of shape %s does not join with shape %s along axis %d; all other sizes must be equal", i+1, shapeString(s.Shape), shapeString(in[0].Shape), k)}
				}
				out.Shape[k] += s.Shape[k]
			}
			return out, nil
		},
		Run: func(out *Array, in []*Array) {
			k, _ := normalAxis(axis, out.layout.Shape)
			join(out, in, k)
		},
		Whole: true,
	}
}

// Stack is the routine of [Stack].
func (Routines) Stack(axis int) Routine {
	position := func(shape []int) (int, error) {
		return normalAxis(axis, append(slices.Clone(shape), 1))
	}
	return Routine{
		Name: "stack", Axis: []int{axis},
		Resolve: func(in []Spec) (Spec, error) {
			if len(in) == 0 {
				return Spec{}, &Error{Msg: "there is nothing to stack; give one array or more"}
			}
			k, err := position(in[0].Shape)
			if err != nil {
				return Spec{}, err
			}
			for i, s := range in[1:] {
				if !slices.Equal(s.Shape, in[0].Shape) {
					return Spec{}, &Error{Shapes: [][]int{in[0].Shape, s.Shape}, Msg: fmt.Sprintf(
						"array %d of shape %s does not stack with shape %s; all shapes must be equal", i+1, shapeString(s.Shape), shapeString(in[0].Shape))}
				}
			}
			d, err := promoted(in)
			return Spec{DType: d, Shape: slices.Insert(slices.Clone(in[0].Shape), k, len(in))}, err
		},
		Run: func(out *Array, in []*Array) {
			k, _ := position(in[0].layout.Shape)
			parts := make([]*Array, len(in))
			for i, a := range in {
				parts[i] = a.ExpandDims(k)
			}
			join(out, parts, k)
		},
		Whole: true,
	}
}

// promoted is the common dtype of the operands.
func promoted(in []Spec) (DType, error) {
	operands := make([]Operand, len(in))
	for i, s := range in {
		operands[i] = Operand{DType: s.DType, Weak: s.Weak}
	}
	return commonDType(operands...)
}

const (
	// elements that one processor joins at once: of much larger pieces, copying would go around the caches
	joinPiece = share
	joinRun   = 16 // elements in a row from which copying rows is faster than a loop that leaps
)

// join fills out, which is contiguous, with parts one after the other along axis k.
func join(out *Array, parts []*Array, k int) {
	size := out.dtype.Size()
	row := sizeOf(out.layout.Shape[k:]) // elements of out for each place of the axes before k
	at := 0                             // along axis k
	start := 0                          // in a row
	for _, a := range parts {
		n := a.layout.Shape[k]
		total := a.Size()
		if total == 0 {
			continue
		}
		run := sizeOf(a.layout.Shape[k:])
		copied := a.dtype == out.dtype && a.layout.IsContiguous()
		if run < joinRun && run < total {
			out.At(append(wholeAxes(k), S(at, at+n))...).Set(a)
		} else {
			workers.Do((total+joinPiece-1)/joinPiece, func(piece int) {
				lo, hi := piece*joinPiece, min((piece+1)*joinPiece, total)
				var in *stream
				if !copied {
					in = newStream(a, out.dtype)
					in.seek(in.at, lo)
				}
				for lo < hi {
					m := min(run-lo%run, hi-lo)
					to := (lo/run*row + start + lo%run) * size
					if dst := out.data[to : to+m*size]; copied {
						copyElements(out.dtype, dst, a.data[(a.layout.Offset+lo)*size:])
					} else {
						in.read(dst)
					}
					lo += m
				}
			}, poll)
		}
		at += n
		start += run
	}
}

// wholeAxes is the beginning of an index that leaves n axes whole.
func wholeAxes(n int) []any {
	idx := make([]any, n)
	for i := range idx {
		idx[i] = All
	}
	return idx
}
