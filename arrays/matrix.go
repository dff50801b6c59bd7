package arrays

import (
	"fmt"
	"reflect"

	"gonum.org/v1/gonum/blas/blas64"
	mat64 "gonum.org/v1/gonum/mat"
)

// Matrix is what gonum's mat.Matrix is, as far as its elements are read: every matrix of gonum stands for an array
// wherever an [ArrayLike] is taken.
type Matrix interface {
	Dims() (rows, columns int)
	At(row, column int) float64
}

// FromMatrix returns the elements of a matrix of gonum as an array of float64 of its two dimensions, of its own memory.
// It panics with *Error when m is nil.
func FromMatrix(m Matrix) *Array {
	if v := reflect.ValueOf(m); m == nil || v.Kind() == reflect.Pointer && v.IsNil() {
		check("from_matrix", &Error{Msg: fmt.Sprintf("a matrix that is nil (%T) has no elements; give a matrix, as mat.NewDense(2, 2, nil)", m)})
	}
	rows, columns := m.Dims()
	out := New(Float64, rows, columns)
	to := elements[float64](out.data)
	if raw, ok := m.(interface{ RawMatrix() blas64.General }); ok {
		from := raw.RawMatrix()
		for i := range rows {
			copy(to[i*columns:(i+1)*columns], from.Data[i*from.Stride:])
		}
		return out
	}
	for i := range rows {
		for j := range columns {
			to[i*columns+j] = m.At(i, j)
		}
	}
	return out
}

// Dense returns the elements of a, of two dimensions, as a matrix of gonum of its own memory, for what gonum has and
// this package has not; of one dimension as a matrix of one column. Numbers become float64. It panics with *Error for
// other shapes, for those without elements, of which gonum has no matrix, and for dtypes that are not numbers.
func (a *Array) Dense() *mat64.Dense {
	var rows, columns int
	switch shape := a.Shape(); len(shape) {
	case 1:
		rows, columns = shape[0], 1
	case 2:
		rows, columns = shape[0], shape[1]
	default:
		check("dense", &Error{Shapes: [][]int{shape},
			Msg: fmt.Sprintf("an array of shape %s is not a matrix, which has two dimensions: reshape it, or take a part",
				shapeString(shape))})
	}
	if rows == 0 || columns == 0 {
		check("dense", &Error{Shapes: [][]int{a.Shape()}, Msg: "gonum has no matrix without elements"})
	}
	return mat64.NewDense(rows, columns, a.Float64s())
}
