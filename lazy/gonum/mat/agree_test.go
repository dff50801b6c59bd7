package mat

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// caught returns what f panics with.
func caught(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// TestErrorsAsGonum: matrices of random shapes, some of which do not fit: what gonum panics with is in ours, and what
// it returns is returned.
func TestErrorsAsGonum(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	wrong := 0
	for range 300 {
		make2 := func() (*Dense, *mat.Dense) {
			rows, columns := 1+r.IntN(3), 1+r.IntN(3)
			data := make([]float64, rows*columns)
			for i := range data {
				data[i] = []float64{0, 1, 1, 2, math.NaN(), r.NormFloat64()}[r.IntN(6)]
			}
			return NewDense(rows, columns, append([]float64{}, data...)), mat.NewDense(rows, columns, data)
		}
		a, ga := make2()
		b, gb := make2()
		c, gc := make2()
		if r.IntN(2) == 0 {
			c, gc = new(Dense), new(mat.Dense)
		}
		type answer struct {
			ours, gonums func() error
		}
		does := func(f func()) func() error { return func() error { f(); return nil } }
		for name, f := range map[string]answer{
			"Add":     {does(func() { c.Add(a, b) }), does(func() { gc.Add(ga, gb) })},
			"DivElem": {does(func() { c.DivElem(a, b) }), does(func() { gc.DivElem(ga, gb) })},
			"Mul":     {does(func() { c.Mul(a, b) }), does(func() { gc.Mul(ga, gb) })},
			"MulT":    {does(func() { c.Mul(a.T(), b) }), does(func() { gc.Mul(ga.T(), gb) })},
			"foreign": {does(func() { c.Add(a, gb) }), does(func() { gc.Add(ga, gb) })},
			"Scale":   {does(func() { c.Scale(2, a) }), does(func() { gc.Scale(2, ga) })},
			"Inverse": {func() error { return c.Inverse(a) }, func() error { return gc.Inverse(ga) }},
			"Solve":   {func() error { return c.Solve(a, b) }, func() error { return gc.Solve(ga, gb) }},
			"Det":     {does(func() { c = NewDense(1, 1, []float64{Det(a)}) }), does(func() { gc = mat.NewDense(1, 1, []float64{mat.Det(ga)}) })},
			"Max":     {does(func() { c = NewDense(1, 1, []float64{Max(a)}) }), does(func() { gc = mat.NewDense(1, 1, []float64{mat.Max(ga)}) })},
			"Min":     {does(func() { c = NewDense(1, 1, []float64{Min(a)}) }), does(func() { gc = mat.NewDense(1, 1, []float64{mat.Min(ga)}) })},
			"Sum":     {does(func() { c = NewDense(1, 1, []float64{Sum(a)}) }), does(func() { gc = mat.NewDense(1, 1, []float64{mat.Sum(ga)}) })},
			"At":      {does(func() { a.At(2, 1) }), does(func() { ga.At(2, 1) })},
			"Set":     {does(func() { a.Set(1, 2, 3) }), does(func() { ga.Set(1, 2, 3) })},
		} {
			var err, want error
			panicked := caught(func() { err = f.ours() })
			should := caught(func() { want = f.gonums() })
			what := name + " of\n" + a.String() + "\n" + b.String()
			if should != nil {
				wrong++
				require.IsType(t, &arrays.Error{}, panicked, what)
				require.ErrorIs(t, panicked.(error), should.(error), what)
				c, gc = new(Dense), new(mat.Dense)
				continue
			}
			require.Nil(t, panicked, what)
			if want != nil {
				wrong++
			}
			require.IsType(t, want, err, what)
			if condition, ok := want.(mat.Condition); ok && !math.IsNaN(float64(condition)) && !math.IsInf(float64(condition), 0) {
				require.InEpsilon(t, float64(condition), float64(err.(mat.Condition)), 1e-9, what)
			}
			if want == nil && !gc.IsEmpty() {
				rows, columns := gc.Dims()
				for i := range rows {
					for j := range columns {
						x, y := gc.At(i, j), c.At(i, j)
						require.True(t, x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= 1e-9*math.Abs(x)+1e-12, "%s: %v, gonum gives %v", what, y, x)
					}
				}
			}
			c, gc = new(Dense), new(mat.Dense)
		}
	}
	require.Greater(t, wrong, 500)
}
