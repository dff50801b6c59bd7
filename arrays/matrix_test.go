package arrays_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	. "github.com/arrayrepl/arrayrepl/arrays"
)

// TestMatrices: gonum's matrices are operands, dense ones, views, transposed and symmetric ones.
func TestMatrices(t *testing.T) {
	dense := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	for name, m := range map[string]mat.Matrix{
		"dense": dense, "view": dense.Slice(0, 2, 1, 3), "transposed": dense.T(), "symmetric": mat.NewSymDense(2, []float64{1, 2, 2, 5}),
		"triangular": mat.NewTriDense(2, mat.Upper, []float64{1, 2, 0, 5}), "vector": mat.NewVecDense(2, []float64{7, 8}), "diagonal": mat.NewDiagDense(2, []float64{3, 4}),
	} {
		a := FromMatrix(m)
		rows, columns := m.Dims()
		require.Equal(t, []int{rows, columns}, a.Shape(), name)
		for i := range rows {
			for j := range columns {
				assert.Equal(t, m.At(i, j), a.Float64(i, j), name)
			}
		}
		assert.True(t, ArrayEqual(Add(m, 1), a.Add(1)), name)
	}
	var product mat.Dense
	product.Mul(dense, dense.T())
	assert.True(t, ArrayEqual(MatMul(dense, FromMatrix(dense).T()), &product))
	a := FromMatrix(dense)
	dense.Set(0, 0, 100)
	assert.Equal(t, 1.0, a.Float64(0, 0), "memory of its own")
}

func TestTryAnything(t *testing.T) {
	assert.ErrorContains(t, Try(func() { Ones(2).Add(Ones(3)) }), "add: ")
	assert.NoError(t, Try(func() { Ones(2).Add(1) }))
	assert.PanicsWithValue(t, "mine", func() { Try(func() { panic("mine") }) })
	device := errors.New("there is no device")
	assert.Equal(t, device, Try(func() { panic(device) }), "as lazy.Use panics")
	assert.Panics(t, func() { Try(func() { _ = []int{}[len("a")] }) }, "a mistake of the program")
}

func TestMatricesThatAreNil(t *testing.T) {
	for _, m := range []Matrix{nil, (*mat.Dense)(nil)} {
		require.ErrorContains(t, Try(func() { FromMatrix(m) }), "from_matrix: a matrix that is nil")
	}
}

// Dense is gonum's matrix of the same elements, and FromMatrix leads back; what gonum has no matrix of is an error.
func TestDense(t *testing.T) {
	a := Arange(6).Reshape(2, 3)
	m := a.T().Dense()
	r, c := m.Dims()
	assert.Equal(t, []int{3, 2}, []int{r, c})
	for i := range r {
		for j := range c {
			assert.Equal(t, float64(3*j+i), m.At(i, j))
		}
	}
	m.Set(0, 0, 100)
	assert.Equal(t, 0, a.At(0, 0).Int(), "the memory is the matrix's own")
	assert.True(t, ArrayEqual(FromMatrix(a.Dense()), a))
	column := Ones(3).Dense()
	r, c = column.Dims()
	assert.Equal(t, []int{3, 1}, []int{r, c})
	for want, f := range map[string]func(){
		"two dimensions": func() { Ones(2, 2, 2).Dense() },
		"no matrix":      func() { Ones(0, 2).Dense() },
		"complex":        func() { Ones(2, 2).AsType(Complex128).Dense() },
		"never assigned": func() { (*Array)(nil).Dense() },
		"the zero Array": func() { new(Array).Dense() },
	} {
		assert.ErrorContains(t, Try(f), want)
	}
}

// Operations have one word as functions and as methods; the earlier words of methods give the same.
func TestOneWordForAnOperation(t *testing.T) {
	x, y := FromSlice([]float64{1, 2, 0}), FromSlice([]float64{1, 0, 3})
	for name, all := range map[string][]*Array{
		"Equal": {Equal(x, y), x.Equal(y), x.Eq(y)}, "NotEqual": {NotEqual(x, y), x.NotEqual(y), x.Ne(y)},
		"Less": {Less(x, y), x.Less(y), x.Lt(y)}, "LessEqual": {LessEqual(x, y), x.LessEqual(y), x.Le(y)},
		"Greater": {Greater(x, y), x.Greater(y), x.Gt(y)}, "GreaterEqual": {GreaterEqual(x, y), x.GreaterEqual(y), x.Ge(y)},
		"LogicalAnd": {LogicalAnd(x, y), x.LogicalAnd(y), x.And(y)}, "LogicalOr": {LogicalOr(x, y), x.LogicalOr(y), x.Or(y)},
		"LogicalNot": {LogicalNot(x), x.LogicalNot(), x.Not()}, "AllTrue": {AllTrue(x), x.AllTrue(), x.All()}, "AnyTrue": {AnyTrue(x), x.AnyTrue(), x.Any()},
	} {
		for _, other := range all[1:] {
			assert.True(t, ArrayEqual(all[0], other), name)
		}
	}
}
