package samples

import (
	"gonum.org/v1/gonum/stat"
)

// Alike is the square of the correlation of x and y.
func Alike(x, y []float64) float64 {
	r := stat.Correlation(x, y, nil)
	return r * r
}
