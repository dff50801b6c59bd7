// Package dense factors and solves dense matrices, one at a time: row-major slices of float64 by gonum's LAPACK, of
// complex128 by code of its own where gonum has none, or all of it by a LAPACK of the machine ([Use]). It knows nothing
// of arrays, dtypes or batches; errors are the two values below.
//
// Sizes are those of the mathematics: an m x n matrix has its element (i, j) at i*n+j. Functions overwrite what they
// say they overwrite, and nothing else. Matrices may be empty.
package dense

import "errors"

var (
	// ErrSingular says that a matrix has no inverse, or is not positive definite.
	ErrSingular = errors.New("singular")
	// ErrNotConverged says that an iteration did not come to an end, as it does not for NaN and infinity.
	ErrNotConverged = errors.New("not converged")
)

// Number is what matrices are of.
type Number interface{ float64 | complex128 }
