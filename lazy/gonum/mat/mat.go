// Package mat is a part of gonum.org/v1/gonum/mat on arrays: a Dense with the methods of gonum's, annotated for
// offloading. A program changes by its import. Elementwise operations become kernels on the device that is in use, what
// gonum has from LAPACK runs on the CPU.
//
// Operands are gonum's interface of matrices. Errors are gonum's: those that it returns are returned, and those that it
// panics with are in an *arrays.Error, which has the shapes, where errors.Is finds them. Operations whose error is
// asked for evaluate, others wait.
package mat

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// Dense is a matrix: a placeholder of its elements.
type Dense struct{ *np.Array }

// NewDense returns a matrix of r rows and c columns with the given elements, row by row; zeros when data is nil. As in
// gonum both are 0 or none is, and data has as many elements; else it panics.
func NewDense(r, c int, data []float64) *Dense {
	switch {
	case r < 0 || c < 0:
		fail("NewDense", mat.ErrNegativeDimension, "%d×%d", r, c)
	case r == 0 || c == 0:
		if r != c {
			fail("NewDense", mat.ErrZeroLength, "%d×%d", r, c)
		}
		return &Dense{}
	case data != nil && len(data) != r*c:
		fail("NewDense", mat.ErrShape, "%d elements are given for %d×%d", len(data), r, c)
	}
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

	det = np.Annotate(offload.Annotation{Name: "mat.Det", Args: offload.Types(rows), Ret: offload.Combined("mat.Det", nil), Whole: true,
		CPU: func(a *arrays.Array) float64 { return mat.Det(dense(a)) }})
)

// Matrix is gonum's interface of matrices, which a [Dense] is one of. Others are copied where they are operands.
type Matrix = mat.Matrix

// of returns the elements of a matrix of gonum's, or those of a Dense as they are.
func of(m Matrix) *np.Array {
	if d, ok := m.(*Dense); ok {
		if d.Array == nil {
			return np.Zeros(0, 0)
		}
		return d.Array
	}
	return np.FromArray(array(mat.DenseCopyOf(m)))
}

// become makes m what an operation gives. As in gonum, a matrix that has elements keeps its shape.
func (m *Dense) become(op string, a *np.Array) {
	if m.Array != nil && m.Size() > 0 {
		have, want := m.Shape(), a.Shape()
		if have[0] != want[0] || have[1] != want[1] {
			fail(op, mat.ErrShape, "the receiver has %d rows and %d columns and the result %d and %d; Reset empties it", have[0], have[1], want[0], want[1])
		}
	}
	m.Array = a
}

// fail panics with an error of gonum's, which errors.Is finds, and the shapes.
func fail(op string, cause mat.Error, format string, args ...any) {
	panic(&arrays.Error{Op: "mat." + op, Msg: cause.Error() + ": " + fmt.Sprintf(format, args...), Err: cause})
}

// alike panics when two matrices have not one shape.
func alike(op string, a, b Matrix) {
	ar, ac := a.Dims()
	if br, bc := b.Dims(); ar != br || ac != bc {
		fail(op, mat.ErrShape, "%d×%d and %d×%d; both must have one shape", ar, ac, br, bc)
	}
}

// Dims returns the numbers of rows and columns, 0 and 0 of a Dense that has none yet.
func (m *Dense) Dims() (r, c int) {
	if m.Array == nil {
		return 0, 0
	}
	s := m.Shape()
	return s[0], s[1]
}

// IsEmpty reports whether m has no elements, as the zero Dense, which becomes what an operation gives.
func (m *Dense) IsEmpty() bool { r, c := m.Dims(); return r*c == 0 }

// Reset takes the elements from m, so that it can become one of another shape.
func (m *Dense) Reset() { m.Array = nil }

// At returns one element. It evaluates, and panics when there is none.
func (m *Dense) At(i, j int) float64 {
	m.inside(i, j)
	return m.Float64(i, j)
}

// Set changes one element. It panics when there is none.
func (m *Dense) Set(i, j int, v float64) {
	m.inside(i, j)
	m.Array.Set(v, i, j)
}

func (m *Dense) inside(i, j int) {
	r, c := m.Dims()
	if i < 0 || i >= r {
		fail("At", mat.ErrRowAccess, "row %d of %d", i, r)
	}
	if j < 0 || j >= c {
		fail("At", mat.ErrColAccess, "column %d of %d", j, c)
	}
}

// T returns the transpose, a view.
func (m *Dense) T() Matrix { return &Dense{of(m).T()} }

// CloneFrom makes m a copy of a, whatever shape it has had.
func (m *Dense) CloneFrom(a Matrix) { m.Array = of(a).Copy() }

// Add makes m the sum of a and b.
func (m *Dense) Add(a, b Matrix) {
	alike("Add", a, b)
	m.become("Add", add(of(a), of(b)))
}

// Sub makes m the difference of a and b.
func (m *Dense) Sub(a, b Matrix) {
	alike("Sub", a, b)
	m.become("Sub", sub(of(a), of(b)))
}

// MulElem makes m the product of a and b, element by element.
func (m *Dense) MulElem(a, b Matrix) {
	alike("MulElem", a, b)
	m.become("MulElem", mulElem(of(a), of(b)))
}

// DivElem makes m the quotient of a and b, element by element.
func (m *Dense) DivElem(a, b Matrix) {
	alike("DivElem", a, b)
	m.become("DivElem", divElem(of(a), of(b)))
}

// Mul makes m the matrix product of a and b.
func (m *Dense) Mul(a, b Matrix) {
	ar, ac := a.Dims()
	if br, bc := b.Dims(); ac != br {
		fail("Mul", mat.ErrShape, "%d×%d by %d×%d; the columns of the first must be as many as the rows of the second", ar, ac, br, bc)
	}
	m.become("Mul", mul(of(a), of(b)))
}

// Scale makes m f times a.
func (m *Dense) Scale(f float64, a Matrix) { m.become("Scale", of(a).Mul(f)) }

// solved runs what gives a matrix and an error of gonum's, on the CPU and at once, as the error is asked for.
func (m *Dense) solved(op string, args []offload.Param, rowsOf, columnsOf int, f func(c *mat.Dense, in []*mat.Dense) error, in ...*np.Array) (err error) {
	run := func(operands ...*arrays.Array) *arrays.Array {
		list := make([]*mat.Dense, len(operands))
		for i, a := range operands {
			list[i] = dense(a)
		}
		var c mat.Dense
		err = f(&c, list)
		return array(&c)
	}
	annotation := offload.Annotation{Name: "mat." + op, Args: args, Ret: rows, Whole: true,
		Result: arrays.Spec{DType: arrays.Float64, Shape: []int{rowsOf, columnsOf}}}
	list := []any{in[0]}
	if len(in) == 1 {
		annotation.CPU = func(a *arrays.Array) *arrays.Array { return run(a) }
	} else {
		annotation.CPU = func(a, b *arrays.Array) *arrays.Array { return run(a, b) }
		list = append(list, in[1])
	}
	out := np.Annotate(annotation)(list...)
	np.Eval(out)
	m.become(op, out)
	return err
}

// Inverse makes m the inverse of a, and returns gonum's error when a is singular or nearly so: a mat.Condition, the
// condition number. It evaluates.
func (m *Dense) Inverse(a Matrix) error {
	r, c := a.Dims()
	if r != c {
		fail("Inverse", mat.ErrSquare, "%d×%d", r, c)
	}
	return m.solved("Inverse", offload.Types(rows), r, c, func(c *mat.Dense, in []*mat.Dense) error { return c.Inverse(in[0]) }, of(a))
}

// Solve makes m the solution of a·m = b, of least squares or least norm where a is not square, and returns gonum's
// error as [Dense.Inverse] does. It evaluates.
func (m *Dense) Solve(a, b Matrix) error {
	ar, ac := a.Dims()
	br, bc := b.Dims()
	if ar != br {
		fail("Solve", mat.ErrShape, "%d×%d and %d×%d; both must have as many rows", ar, ac, br, bc)
	}
	return m.solved("Solve", offload.Types(offload.Broadcast, rows), ac, bc, func(c *mat.Dense, in []*mat.Dense) error { return c.Solve(in[0], in[1]) }, of(a), of(b))
}

// Det returns the determinant of a. It evaluates.
func Det(a Matrix) float64 {
	if r, c := a.Dims(); r != c {
		fail("Det", mat.ErrSquare, "%d×%d", r, c)
	}
	return det(of(a)).Float64()
}

// Sum returns the sum of the elements. It evaluates.
func Sum(a Matrix) float64 { return of(a).Sum().Float64() }

// Max returns the largest element, NaNs aside, -Inf where all are. It evaluates, and panics when there are none.
func Max(a Matrix) float64 {
	x := some("Max", a)
	return np.Where(np.IsNaN(x), math.Inf(-1), x).Max().Float64()
}

// Min returns the smallest element, NaNs aside, +Inf where all are. It evaluates, and panics when there are none.
func Min(a Matrix) float64 {
	x := some("Min", a)
	return np.Where(np.IsNaN(x), math.Inf(1), x).Min().Float64()
}

func some(op string, a Matrix) *np.Array {
	r, c := a.Dims()
	if r*c == 0 {
		fail(op, mat.ErrZeroLength, "%d×%d", r, c)
	}
	return of(a)
}
