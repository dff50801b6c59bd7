// Package mat is a part of gonum.org/v1/gonum/mat on arrays: a Dense with the methods of gonum's, annotated for offloading. A
// program changes by its import. Elementwise operations become kernels on the device that is in use, what gonum has from
// LAPACK runs on the CPU.
package mat

import (
	"gonum.org/v1/gonum/mat"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// Dense is a matrix: a placeholder of its elements.
type Dense struct{ *np.Array }

// NewDense returns a matrix of r rows and c columns with the given elements, row by row; zeros when data is nil.
func NewDense(r, c int, data []float64) *Dense {
	if data == nil {
		return &Dense{np.Zeros(r, c)}
	}
	return &Dense{np.FromSlice(data, r, c)}
}

// gonum's matrix of an array, which shares its elements where they lie as gonum wants them.
func dense(a *arrays.Array) *mat.Dense {
	shape := a.Shape()
	return mat.NewDense(shape[0], shape[1], arrays.Data[float64](a))
}

func array(m *mat.Dense) *arrays.Array {
	r, c := m.Dims()
	return arrays.FromSlice(mat.DenseCopyOf(m).RawMatrix().Data, r, c)
}

var rows = offload.Generic("A")

// elementwise annotates an operation on two matrices, row by row.
func elementwise(name string, cpu func(c *mat.Dense, a, b mat.Matrix), gpu func(a, b *np.Array) *np.Array) func(args ...any) *np.Array {
	return np.Annotate(offload.Annotation{Name: name, Args: offload.Types(rows, rows), Ret: rows, GPU: gpu,
		CPU: func(a, b *arrays.Array) *arrays.Array {
			var c mat.Dense
			cpu(&c, dense(a), dense(b))
			return array(&c)
		}})
}

var (
	add     = elementwise("mat.Add", (*mat.Dense).Add, func(a, b *np.Array) *np.Array { return a.Add(b) })
	sub     = elementwise("mat.Sub", (*mat.Dense).Sub, func(a, b *np.Array) *np.Array { return a.Sub(b) })
	mulElem = elementwise("mat.MulElem", (*mat.Dense).MulElem, func(a, b *np.Array) *np.Array { return a.Mul(b) })
	divElem = elementwise("mat.DivElem", (*mat.Dense).DivElem, func(a, b *np.Array) *np.Array { return a.Div(b) })

	// The rows of a product are those of its first factor times all of the second.
	mul = np.Annotate(offload.Annotation{Name: "mat.Mul", Args: offload.Types(rows, offload.Broadcast), Ret: rows,
		Result: func(in []arrays.Spec) (arrays.Spec, error) {
			a, b := in[0].Shape, in[1].Shape
			if len(a) != 2 || len(b) != 2 || a[1] != b[0] {
				return arrays.Spec{}, &arrays.Error{Shapes: [][]int{a, b}, Msg: "the columns of the first matrix must be as many as the rows of the second"}
			}
			return arrays.Spec{DType: arrays.Float64, Shape: []int{a[0], b[1]}}, nil
		},
		CPU: func(a, b *arrays.Array) *arrays.Array {
			var c mat.Dense
			c.Mul(dense(a), dense(b))
			return array(&c)
		}})

	inverse = np.Annotate(offload.Annotation{Name: "mat.Inverse", Args: offload.Types(rows), Ret: rows, Whole: true,
		CPU: func(a *arrays.Array) *arrays.Array {
			var c mat.Dense
			if err := c.Inverse(dense(a)); err != nil {
				panic(err)
			}
			return array(&c)
		}})

	solve = np.Annotate(offload.Annotation{Name: "mat.Solve", Args: offload.Types(offload.Broadcast, rows), Ret: rows, Whole: true,
		CPU: func(a, b *arrays.Array) *arrays.Array {
			var c mat.Dense
			if err := c.Solve(dense(a), dense(b)); err != nil {
				panic(err)
			}
			return array(&c)
		}})

	det = np.Annotate(offload.Annotation{Name: "mat.Det", Args: offload.Types(rows), Ret: offload.Combined("mat.Det", nil), Whole: true,
		CPU: func(a *arrays.Array) float64 { return mat.Det(dense(a)) }})
)

// Dims returns the numbers of rows and columns.
func (m *Dense) Dims() (r, c int) { s := m.Shape(); return s[0], s[1] }

// At returns one element. It evaluates.
func (m *Dense) At(i, j int) float64 { return m.Float64(i, j) }

// T returns the transpose, a view.
func (m *Dense) T() *Dense { return &Dense{m.Array.T()} }

// Add makes m the sum of a and b.
func (m *Dense) Add(a, b *Dense) { m.Array = add(a.Array, b.Array) }

// Sub makes m the difference of a and b.
func (m *Dense) Sub(a, b *Dense) { m.Array = sub(a.Array, b.Array) }

// MulElem makes m the product of a and b, element by element.
func (m *Dense) MulElem(a, b *Dense) { m.Array = mulElem(a.Array, b.Array) }

// DivElem makes m the quotient of a and b, element by element.
func (m *Dense) DivElem(a, b *Dense) { m.Array = divElem(a.Array, b.Array) }

// Mul makes m the matrix product of a and b.
func (m *Dense) Mul(a, b *Dense) { m.Array = mul(a.Array, b.Array) }

// Scale makes m f times a.
func (m *Dense) Scale(f float64, a *Dense) { m.Array = a.Array.Mul(f) }

// Inverse makes m the inverse of a. Evaluation panics when there is none.
func (m *Dense) Inverse(a *Dense) error { m.Array = inverse(a.Array); return nil }

// Solve makes m the solution of a·m = b. Evaluation panics when there is none.
func (m *Dense) Solve(a, b *Dense) error { m.Array = solve(a.Array, b.Array); return nil }

// Det returns the determinant of a. It evaluates.
func Det(a *Dense) float64 { return det(a.Array).Float64() }

// Sum returns the sum of the elements. It evaluates.
func Sum(a *Dense) float64 { return a.Array.Sum().Float64() }

// Max returns the largest element. It evaluates.
func Max(a *Dense) float64 { return a.Array.Max().Float64() }

// Min returns the smallest element. It evaluates.
func Min(a *Dense) float64 { return a.Array.Min().Float64() }
