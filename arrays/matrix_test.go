package arrays_test

import (
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
}

func TestMatricesThatAreNil(t *testing.T) {
	for _, m := range []Matrix{nil, (*mat.Dense)(nil)} {
		require.ErrorContains(t, Try(func() { FromMatrix(m) }), "from_matrix: a matrix that is nil")
	}
}
