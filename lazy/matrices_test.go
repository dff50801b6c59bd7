package lazy

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

func TestMatricesOfGonum(t *testing.T) {
	d := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6.5})
	for _, tt := range []struct {
		v          mat.Matrix
		what, last string
	}{
		{d, "*mat.Dense of 2 × 3", "6.5"}, {d.T(), "mat.Transpose of 3 × 2", "6.5"}, {mat.NewVecDense(2, []float64{1, 7}), "*mat.VecDense of 2 × 1", "7"},
		{mat.NewDiagDense(2, []float64{1, 8}), "*mat.DiagDense of 2 × 2", "8"}, {mat.NewSymDense(2, []float64{1, 2, 2, 9}), "*mat.SymDense of 2 × 2", "9"},
	} {
		b, err := display.Of(tt.v)
		require.NoError(t, err)
		what, text, _ := strings.Cut(b.Text(), "\n")
		assert.Equal(t, tt.what, what)
		assert.True(t, strings.HasPrefix(text, "["), text)
		assert.Contains(t, b.Data[display.TypeHTML], ">"+tt.last+"</td>")
	}
	b, err := display.Of(mat.NewCDense(1, 1, []complex128{2 - 1i}))
	require.NoError(t, err)
	assert.Contains(t, b.Text(), "2.-1.j")
	b, err = display.Of(mat.NewDense(3000, 3000, nil))
	require.NoError(t, err)
	assert.Contains(t, b.Text(), "3000 × 3000; its first 12 rows and columns")
	b, err = display.Of(&mat.Dense{})
	require.NoError(t, err)
	assert.Contains(t, b.Text(), "0 × 0")
	b, err = display.Of((*mat.Dense)(nil))
	require.NoError(t, err)
	assert.Equal(t, "(*mat.Dense)(nil)", b.Text())
}

// A single number needs no table.
func TestNumbersNeedNoTable(t *testing.T) {
	b := FromSlice([]float64{1, 2}, 2).Sum().MIMEBundle()
	assert.NotContains(t, b.Data[display.TypeHTML], "<table")
	assert.Contains(t, b.Data[display.TypeHTML], "<pre>3.0</pre>")
	b = FromSlice([]float64{1, 2}, 2).MIMEBundle()
	assert.Contains(t, b.Data[display.TypeHTML], display.NumberTableTag)
}
