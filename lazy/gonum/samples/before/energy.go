package samples

import (
	"gonum.org/v1/gonum/floats"
)

// Energy is the sum of the squares of 2x + 1.
func Energy(x []float64) float64 {
	floats.Scale(2, x)
	floats.AddConst(1, x)
	return floats.Dot(x, x)
}
