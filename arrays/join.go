package arrays

import (
	"fmt"
	"slices"
)

// Concat joins arrays along an axis that they have: their shapes agree but there. Dtypes are promoted.
func Concat(axis int, xs ...any) *Array { return Call(RoutineConcat(axis), xs...) }

// Stack joins arrays of one shape along a new axis.
func Stack(axis int, xs ...any) *Array { return Call(RoutineStack(axis), xs...) }

// RoutineConcat is the routine of [Concat].
func RoutineConcat(axis int) Routine {
	return Routine{
		Name: "concat",
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
			at := 0
			for _, a := range in {
				n := a.layout.Shape[k]
				out.At(slices.Concat(wholeAxes(k), []any{S(at, at+n)})...).Set(a)
				at += n
			}
		},
	}
}

// RoutineStack is the routine of [Stack].
func RoutineStack(axis int) Routine {
	position := func(shape []int) (int, error) {
		return normalAxis(axis, append(slices.Clone(shape), 1))
	}
	return Routine{
		Name: "stack",
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
			for i, a := range in {
				out.Set(a, append(wholeAxes(k), i)...)
			}
		},
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

// wholeAxes is the beginning of an index that leaves n axes whole.
func wholeAxes(n int) []any {
	idx := make([]any, n)
	for i := range idx {
		idx[i] = All
	}
	return idx
}
