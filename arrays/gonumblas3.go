package arrays

import (
	"gonum.org/v1/gonum/blas"

	"github.com/arrayrepl/arrayrepl/internal/dense"
)

// Routines with a symmetric or triangular matrix are cut into squares, which are products, and what remains on the
// diagonal.

func isTriangle(ul blas.Uplo) bool { return ul == blas.Lower || ul == blas.Upper }

// Dsymv is y = alpha*a*x + beta*y for a symmetric matrix a, of which one triangle is read.
func (r tiledBLAS) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	if n <= diagonalSide || !isTriangle(ul) || alpha == 0 || incX <= 0 || incY <= 0 || !fits(n, n, lda, a) || len(x) < 1+(n-1)*incX || len(y) < 1+(n-1)*incY {
		r.Implementation.Dsymv(ul, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	memory := vectors.Get().(*[2][vectorStack]float64)
	defer vectors.Put(memory)
	x = line(&memory[0], x, n, incX, 1)
	for i := 0; i < n; i += diagonalSide { // the first call for each element of y scales it
		m := min(diagonalSide, n-i)
		r.Implementation.Dsymv(ul, m, alpha, a[i*lda+i:], lda, x[i:], 1, beta, y[i*incY:], incY)
	}
	for i := 0; i < n; i += diagonalSide {
		m, from, to := min(diagonalSide, n-i), 0, i
		if ul == blas.Upper {
			from, to = i+m, n
		}
		if from == to {
			continue
		}
		square := a[i*lda+from:]
		r.Dgemv(blas.NoTrans, m, to-from, alpha, square, lda, x[from:], 1, 1, y[i*incY:], incY)
		r.Dgemv(blas.Trans, m, to-from, alpha, square, lda, x[i:], 1, 1, y[from*incY:], incY)
	}
	dense.Worked(n * n)
}

// Dsyrk is c = alpha*a*aᵀ + beta*c for one triangle of c; of a transposed it is aᵀ*a.
func (r tiledBLAS) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	rows, columns := oriented(t, n, k)
	if !isTriangle(ul) || !isTranspose(t) || alpha == 0 || !fits(rows, columns, lda, a) || !fits(n, n, ldc, c) {
		r.Implementation.Dsyrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	r.triangle(ul, t, n, k, alpha, a, lda, a, lda, beta, c, ldc)
}

// Dsyr2k is c = alpha*(a*bᵀ + b*aᵀ) + beta*c for one triangle of c; of a and b transposed it is aᵀ*b + bᵀ*a.
func (r tiledBLAS) Dsyr2k(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	rows, columns := oriented(t, n, k)
	if !isTriangle(ul) || !isTranspose(t) || alpha == 0 || !fits(rows, columns, lda, a) || !fits(rows, columns, ldb, b) || !fits(n, n, ldc, c) {
		r.Implementation.Dsyr2k(ul, t, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	r.triangle(ul, t, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
	r.triangle(ul, t, n, k, alpha, b, ldb, a, lda, 1, c, ldc)
}

// triangle sets one triangle of c to alpha*a*bᵀ + beta*c, or where t says so to alpha*aᵀ*b + beta*c.
func (r tiledBLAS) triangle(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	part := func(s []float64, ld, i int) []float64 {
		if t == blas.NoTrans {
			return s[i*ld:]
		}
		return s[i:]
	}
	memory := room(diagonalSide * diagonalSide * double)
	defer rooms.Put(memory)
	square := elements[float64](*memory)
	for i := 0; i < n; i += diagonalSide {
		m, from, to := min(diagonalSide, n-i), 0, i
		if ul == blas.Upper {
			from, to = i+m, n
		}
		if from < to {
			r.Dgemm(t, otherWay(t), m, to-from, k, alpha, part(a, lda, i), lda, part(b, ldb, from), ldb, beta, c[i*ldc+from:], ldc)
		}
		r.Dgemm(t, otherWay(t), m, m, k, alpha, part(a, lda, i), lda, part(b, ldb, i), ldb, 0, square[:], diagonalSide)
		for j := range m {
			lo, hi := 0, j+1
			if ul == blas.Upper {
				lo, hi = j, m
			}
			row, add := c[(i+j)*ldc+i+lo:][:hi-lo], square[j*diagonalSide+lo:][:hi-lo]
			for l, v := range add {
				if beta == 0 {
					row[l] = v
				} else {
					row[l] = beta*row[l] + v
				}
			}
		}
	}
}

// halves is the triangular n x n matrix a cut into the triangles first and last and the square between them, of sides
// half and n - half.
func halves(ul blas.Uplo, n int, a []float64, lda int) (half int, first, square, last []float64) {
	half = n / 2
	if n > 64 {
		half = roundUp(half, 16)
	}
	if ul == blas.Lower {
		square = a[half*lda:]
	} else {
		square = a[half:]
	}
	return half, a, square, a[half*lda+half:]
}

func isTriangular(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, a []float64, lda int, b []float64, ldb int) (side int, ok bool) {
	if side = m; s == blas.Right {
		side = n
	}
	ok = (s == blas.Left || s == blas.Right) && isTriangle(ul) && isTranspose(t) && (d == blas.Unit || d == blas.NonUnit) && fits(side, side, lda, a) && fits(m, n, ldb, b)
	return side, ok
}

// Dtrsm overwrites b with x of a*x = alpha*b, or x*a = alpha*b, for a triangular matrix a.
func (r tiledBLAS) Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	side, ok := isTriangular(s, ul, t, d, m, n, a, lda, b, ldb)
	if !ok || side <= triangleBase || alpha == 0 {
		r.Implementation.Dtrsm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
		if ok {
			dense.Worked(m * n * side)
		}
		return
	}
	scaleRows(m, n, alpha, b, ldb)
	h, first, square, last := halves(ul, side, a, lda)
	lower := (ul == blas.Lower) == (t == blas.NoTrans) // what the matrix is in the equation
	if s == blas.Left {
		upper, below := b, b[h*ldb:]
		if lower {
			r.Dtrsm(s, ul, t, d, h, n, 1, first, lda, upper, ldb)
			r.Dgemm(t, blas.NoTrans, m-h, n, h, -1, square, lda, upper, ldb, 1, below, ldb)
			r.Dtrsm(s, ul, t, d, m-h, n, 1, last, lda, below, ldb)
			return
		}
		r.Dtrsm(s, ul, t, d, m-h, n, 1, last, lda, below, ldb)
		r.Dgemm(t, blas.NoTrans, h, n, m-h, -1, square, lda, below, ldb, 1, upper, ldb)
		r.Dtrsm(s, ul, t, d, h, n, 1, first, lda, upper, ldb)
		return
	}
	left, right := b, b[h:]
	if lower {
		r.Dtrsm(s, ul, t, d, m, n-h, 1, last, lda, right, ldb)
		r.Dgemm(blas.NoTrans, t, m, h, n-h, -1, right, ldb, square, lda, 1, left, ldb)
		r.Dtrsm(s, ul, t, d, m, h, 1, first, lda, left, ldb)
		return
	}
	r.Dtrsm(s, ul, t, d, m, h, 1, first, lda, left, ldb)
	r.Dgemm(blas.NoTrans, t, m, n-h, h, -1, left, ldb, square, lda, 1, right, ldb)
	r.Dtrsm(s, ul, t, d, m, n-h, 1, last, lda, right, ldb)
}

// Dtrmm overwrites b with alpha*a*b, or alpha*b*a, for a triangular matrix a.
func (r tiledBLAS) Dtrmm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	side, ok := isTriangular(s, ul, t, d, m, n, a, lda, b, ldb)
	if !ok || side <= triangleBase || alpha == 0 {
		r.Implementation.Dtrmm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
		if ok {
			dense.Worked(m * n * side)
		}
		return
	}
	h, first, square, last := halves(ul, side, a, lda)
	lower := (ul == blas.Lower) == (t == blas.NoTrans)
	if s == blas.Left {
		upper, below := b, b[h*ldb:]
		if lower {
			r.Dtrmm(s, ul, t, d, m-h, n, alpha, last, lda, below, ldb)
			r.Dgemm(t, blas.NoTrans, m-h, n, h, alpha, square, lda, upper, ldb, 1, below, ldb)
			r.Dtrmm(s, ul, t, d, h, n, alpha, first, lda, upper, ldb)
			return
		}
		r.Dtrmm(s, ul, t, d, h, n, alpha, first, lda, upper, ldb)
		r.Dgemm(t, blas.NoTrans, h, n, m-h, alpha, square, lda, below, ldb, 1, upper, ldb)
		r.Dtrmm(s, ul, t, d, m-h, n, alpha, last, lda, below, ldb)
		return
	}
	left, right := b, b[h:]
	if lower {
		r.Dtrmm(s, ul, t, d, m, h, alpha, first, lda, left, ldb)
		r.Dgemm(blas.NoTrans, t, m, h, n-h, alpha, right, ldb, square, lda, 1, left, ldb)
		r.Dtrmm(s, ul, t, d, m, n-h, alpha, last, lda, right, ldb)
		return
	}
	r.Dtrmm(s, ul, t, d, m, n-h, alpha, last, lda, right, ldb)
	r.Dgemm(blas.NoTrans, t, m, n-h, h, alpha, left, ldb, square, lda, 1, right, ldb)
	r.Dtrmm(s, ul, t, d, m, h, alpha, first, lda, left, ldb)
}
