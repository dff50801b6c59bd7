package samples

import (
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/lazy/gonum/floats"
)

// Energy is the sum of the squares of 2x + 1.
func Energy(x *np.Array) float64 {
	floats.Scale(2, x)
	floats.AddConst(1, x)
	return floats.Dot(x, x).Float64()
}
