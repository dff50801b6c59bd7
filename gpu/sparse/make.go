package sparse

import (
	"github.com/arrayrepl/arrayrepl/gpu/dp"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// FromTriplets is the matrix with values[k] in row is[k] and column js[k], for all k in any order; values of one place
// are added. It panics with *Error where a row or column lies outside. How many places there are is looked at now.
func FromTriplets(rows, cols int, is, js, values any) *Matrix {
	const op = "sparse.FromTriplets"
	checkShape(op, rows, cols)
	i, j, v := places(op, "rows", is), places(op, "columns", js), array(op, values)
	if n := v.Size(); v.NDim() != 1 || i.Size() != n || j.Size() != n {
		fail(op, "there are %d rows and %d columns for values of shape %v; give one of each for each value", i.Size(), j.Size(), v.Shape())
	}
	checkNumbers(op, v.DType())
	for _, p := range []struct {
		what string
		at   *np.Array
		n    int
	}{{"row", i, rows}, {"column", j, cols}} {
		if k, ok := firstTrue(p.at.Less(0).LogicalOr(p.at.GreaterEqual(p.n))); ok {
			fail(op, "value %d is in %s %d; %ss go from 0 to %d", k, p.what, p.at.At(k).Int(), p.what, p.n-1)
		}
	}
	if v.Size() == 0 {
		return &Matrix{rows: rows, cols: cols, values: v.Copy(), columns: np.Zeros(0).AsType(np.Int32), offsets: np.Zeros(rows + 1).AsType(np.Int64)}
	}
	key := i.Mul(cols).Add(j) // sorts by rows, and in them by columns
	order := key.ArgSort()
	key = key.At(order)
	heads := np.Concat(np.Axis(0), np.Ones(1).AsType(np.Bool), key.At(np.From(1)).NotEqual(key.At(np.To(-1))))
	value := dp.SegReduce(dp.Sum, v.At(order), dp.Heads(heads))
	return fromOrdered(rows, cols, dp.Pack(key, heads), value)
}

// fromOrdered is the matrix of values at places row·cols+column, which ascend.
func fromOrdered(rows, cols int, at, values *np.Array) *Matrix {
	row := at.FloorDivide(cols)
	return &Matrix{rows: rows, cols: cols, values: values.Copy(), columns: at.Sub(row.Mul(cols)).AsType(np.Int32).Copy(), offsets: beginnings(row, rows)}
}

// beginnings are how many of the sorted ints are less than 0, 1, and so on to n.
func beginnings(sorted *np.Array, n int) *np.Array {
	return np.SearchSorted(sorted, np.Arange(n+1).AsType(np.Int64)).AsType(np.Int64).Copy()
}

// FromDense is the matrix of the elements of x, which has two axes, that are not 0. How many those are is looked at
// now.
func FromDense(x any) *Matrix {
	const op = "sparse.FromDense"
	a := array(op, x)
	if a.NDim() != 2 {
		fail(op, "the array has shape %v; a matrix has two axes", a.Shape())
	}
	checkNumbers(op, a.DType())
	rows, cols := a.Shape()[0], a.Shape()[1]
	checkShape(op, rows, cols)
	line := a.Reshape(-1)
	at := np.NonZero(line)[0]
	if at.Size() == 0 {
		return FromTriplets(rows, cols, []int{}, []int{}, np.Zeros(0).AsType(a.DType()))
	}
	return fromOrdered(rows, cols, at.AsType(np.Int64), np.Take(line, at, 0))
}

// Array returns the matrix as an array, zeros and all, so that functions of np take it; np.MatMul does without.
func (m *Matrix) Array() *np.Array {
	dense := np.Zeros(m.rows * m.cols).AsType(m.DType())
	if m.NNZ() > 0 {
		dense = dp.Send(m.values, m.rowOfEach().Mul(m.cols).Add(m.columns), dp.Sum, dense)
	}
	return dense.Reshape(m.rows, m.cols)
}

// T returns the transposed matrix: its values sorted by their columns, those of one column in the order of rows.
func (m *Matrix) T() *Matrix {
	order := m.columns.ArgSort()
	take := func(x *np.Array) *np.Array { return np.Take(x, order, 0) }
	return &Matrix{
		rows: m.cols, cols: m.rows, values: take(m.values).Copy(), columns: take(m.rowOfEach()).AsType(np.Int32).Copy(),
		offsets: beginnings(take(m.columns).AsType(np.Int64), m.cols),
	}
}
