package samples

import (
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/lazy/gonum/stat"
)

// Alike is the square of the correlation of x and y.
func Alike(x, y *np.Array) float64 {
	r := stat.Correlation(x, y, nil).Float64()
	return r * r
}
