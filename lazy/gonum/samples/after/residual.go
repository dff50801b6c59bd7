package samples

import (
	"github.com/arrayrepl/arrayrepl/lazy/gonum/mat"
)

// Residual is how far a x is from b at most, for the solution x of n equations with the coefficients a, row by row.
func Residual(n int, a, b []float64) float64 {
	A, B := mat.NewDense(n, n, a), mat.NewDense(n, 1, b)
	var x, r mat.Dense
	if err := x.Solve(A, B); err != nil {
		panic(err)
	}
	r.Mul(A, &x)
	r.Sub(&r, B)
	return max(mat.Max(&r), -mat.Min(&r))
}
