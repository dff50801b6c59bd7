package arrays

import "github.com/arrayrepl/arrayrepl/internal/dense"

// stridedWork is what an element of a column counts, in multiplications: each is in another line of the cache.
const stridedWork = 8

// worked counts a pass over a row or a column.
func worked(n, inc int) {
	if inc != 1 {
		n *= stridedWork
	}
	dense.Worked(n)
}

// Dnrm2 is the length of x, before which it is asked whether to go on: factors of tall matrices begin with those of
// long columns.
func (r tiledBLAS) Dnrm2(n int, x []float64, incX int) float64 {
	worked(n, incX)
	return r.Implementation.Dnrm2(n, x, incX)
}

// Dscal is x *= alpha, likewise.
func (r tiledBLAS) Dscal(n int, alpha float64, x []float64, incX int) {
	worked(n, incX)
	r.Implementation.Dscal(n, alpha, x, incX)
}
