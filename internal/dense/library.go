package dense

import (
	"sync/atomic"
	"unsafe"
)

// Library is a LAPACK of the machine, which then does what this package does otherwise: functions as this package's, of
// matrices that are not empty.
type Library struct {
	Real    Routines[float64]
	Complex Routines[complex128]
	// Multiply writes the n x m product of x, n x k, and y, k x m, of float32, float64, complex64 or complex128, by
	// these letters of LAPACK: s, d, c, z. dst is row-major.
	Multiply func(kind byte, n, k, m int, dst unsafe.Pointer, x, y Matrix)
}

// Matrix is a matrix somewhere in memory: rows and columns so many elements apart.
type Matrix struct {
	At          unsafe.Pointer
	Row, Column int
}

// Routines is a library's functions of one kind of numbers. LU may factor the transpose, whose determinant is the same.
// LeastSquares sets x (n x k) to the shortest of what makes the sums of squares of a*x - b least, for a (m x n) and b
// (m x k), of which it overwrites a, and s to the singular values of a, of which those above rcond times the largest
// count; rank is how many.
type Routines[T Number] struct {
	Solve          func(n, m int, a, b []T) error
	LU             func(n int, a []T) (pivots []int, ok bool)
	Inverse        func(n int, a []T) error
	Cholesky       func(n int, a []T) error
	QR             func(m, n, k int, a, q, r []T)
	EigenSymmetric func(n int, a []T, w []float64, vectors bool) error
	Eigen          func(n int, a []T, w, vectors []complex128) error
	SVD            func(m, n int, a []T, s []float64, u, vt []T, full bool) error
	LeastSquares   func(m, n, k int, a, b, x []T, s []float64, rcond float64) (rank int, err error)
}

var library atomic.Pointer[Library]

// Use lets l do the work; nil is this package itself.
func Use(l *Library) { library.Store(l) }

// InUse is what Use was given last.
func InUse() *Library { return library.Load() }
