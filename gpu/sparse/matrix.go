package sparse

import (
	"fmt"
	"math"
	"sync"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu/dp"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Matrix is a sparse matrix in compressed sparse rows. It does not change. Make one with [CSR], [FromTriplets],
// [FromDense] or [Load].
type Matrix struct {
	rows, cols               int
	values, columns, offsets *np.Array // of shapes nnz, nnz (int32) and rows+1 (int64), the matrix's own

	once     sync.Once
	segments *dp.Segments // the rows, when they have been asked for
}

// Error is what was wrong with a call.
type Error = np.Error

func fail(op, format string, args ...any) {
	panic(&Error{Op: op, Msg: fmt.Sprintf(format, args...)})
}

// CSR is the matrix whose row i has the values offsets[i] to offsets[i+1]-1, in the columns that stand at the same
// places: the three arrays of compressed sparse rows. Values of one row and column count together. The offsets and
// columns are looked at now. It panics with *Error where the offsets do not begin with 0, fall, or do not end with the
// number of values, where a column is not 0 to cols-1, and where values are not ints or floats.
func CSR(rows, cols int, offsets, columns, values any) *Matrix {
	const op = "sparse.CSR"
	checkShape(op, rows, cols)
	at, js, v := places(op, "offsets", offsets), places(op, "columns", columns), array(op, values)
	nnz := v.Size()
	switch {
	case v.NDim() != 1 || js.Size() != nnz:
		fail(op, "values have shape %v, columns %v; both have one axis, and each value a column", v.Shape(), js.Shape())
	case at.Size() != rows+1:
		fail(op, "there are %d offsets for %d rows; give one for each row, and the end of the last: %d", at.Size(), rows, rows+1)
	}
	checkNumbers(op, v.DType())
	first, last := at.At(0), at.At(rows)
	np.Eval(at, first, last)
	if first.Int() != 0 || last.Int() != nnz {
		fail(op, "the offsets go from %d to %d; they go from 0 to the number of values, %d", first.Int(), last.Int(), nnz)
	}
	if rows > 1 {
		falls := at.At(np.From(1)).Less(at.At(np.To(rows)))
		if i, ok := firstTrue(falls); ok {
			fail(op, "offset %d is %d, after %d: offsets must not fall", i+1, at.At(i+1).Int(), at.At(i).Int())
		}
	}
	if i, ok := firstTrue(js.Less(0).LogicalOr(js.GreaterEqual(cols))); ok {
		fail(op, "value %d is in column %d; columns go from 0 to %d", i, js.At(i).Int(), cols-1)
	}
	return &Matrix{rows: rows, cols: cols, values: v.Copy(), columns: js.AsType(np.Int32).Copy(), offsets: at.Copy()}
}

// firstTrue is the place of the first true element.
func firstTrue(flags *np.Array) (int, bool) {
	if flags.Size() == 0 || !flags.AnyTrue().Item().(bool) {
		return 0, false
	}
	return flags.ArgMax().Int(), true
}

func checkShape(op string, rows, cols int) {
	if rows < 0 || cols < 0 || cols > math.MaxInt32 || budget.Product(max(rows, 1), max(cols, 1)) > math.MaxInt64/2 {
		fail(op, "a matrix of %d rows and %d columns: both are 0 or more, columns at most %d", rows, cols, math.MaxInt32)
	}
}

// checkNumbers refuses elements that are not added and multiplied in kernels.
func checkNumbers(op string, d np.DType) {
	if !d.IsInt() && !d.IsFloat() {
		fail(op, "the values are %v; give ints or floats: AsType converts them", d)
	}
}

// array is x as a lazy array.
func array(op string, x any) *np.Array {
	if a, ok := x.(*np.Array); ok {
		if a == nil {
			fail(op, "an operand is a nil *Array; was it never assigned?")
		}
		return a
	}
	a, _, err := arrays.AsArray(x)
	if err != nil {
		fail(op, "%v", err)
	}
	return np.FromArray(a)
}

// places are ints of one axis, as int64.
func places(op, what string, x any) *np.Array {
	a := array(op, x)
	if !a.DType().IsInt() && a.Size() > 0 || a.NDim() != 1 {
		fail(op, "the %s are %v of shape %v; give a list of ints", what, a.DType(), a.Shape())
	}
	return a.AsType(np.Int64)
}

// Shape returns the numbers of rows and columns.
func (m *Matrix) Shape() []int { return []int{m.rows, m.cols} }

// NNZ returns how many values are kept.
func (m *Matrix) NNZ() int { return m.values.Size() }

// DType returns the type of the values.
func (m *Matrix) DType() np.DType { return m.values.DType() }

// Values returns the values that are kept, row by row.
func (m *Matrix) Values() *np.Array { return m.values.Copy() }

// Columns returns the column of each value, as int32.
func (m *Matrix) Columns() *np.Array { return m.columns.Copy() }

// Offsets returns for each row how many values stand before it, and how many there are, as int64.
func (m *Matrix) Offsets() *np.Array { return m.offsets.Copy() }

// Lengths returns how many values each row has, as int64.
func (m *Matrix) Lengths() *np.Array { return np.Diff(m.offsets) }

// AsType returns the matrix with values of another type.
func (m *Matrix) AsType(d np.DType) *Matrix {
	checkNumbers("sparse.AsType", d)
	return &Matrix{rows: m.rows, cols: m.cols, values: m.values.AsType(d).Copy(), columns: m.columns, offsets: m.offsets}
}

// String says what the matrix is; it computes nothing.
func (m *Matrix) String() string {
	return fmt.Sprintf("sparse matrix of shape [%d %d] with %d values of %v", m.rows, m.cols, m.NNZ(), m.DType())
}

// rowOfEach is the row of each value, as int64.
func (m *Matrix) rowOfEach() *np.Array {
	return np.SearchSortedRight(m.offsets, np.Arange(m.NNZ()).AsType(np.Int64)).Sub(1)
}

// byRows are the rows as segments.
func (m *Matrix) byRows() *dp.Segments {
	m.once.Do(func() { m.segments = dp.Offsets(m.offsets) })
	return m.segments
}
