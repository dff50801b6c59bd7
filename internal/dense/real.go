package dense

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"
)

var impl gonum.Implementation

// LU factors the n x n matrix a in place with partial pivoting: L below the diagonal of ones, U above, and row i
// exchanged with row pivots[i]. ok is false where a pivot is exactly zero. A library may factor the transpose, whose
// determinant is the same.
func LU(n int, a []float64) (pivots []int, ok bool) {
	if l := InUse(); l != nil && n > 0 {
		return l.Real.LU(n, a)
	}
	pivots = make([]int, n)
	return pivots, factorLU(n, n, a, n, pivots)
}

// factorLU factors the m x n matrix a, of rows that are lda apart: half of the columns, then what they leave of the
// others (S. Toledo, "Locality of reference in LU decomposition with partial pivoting", SIAM J. Matrix Anal. Appl. 18,
// 1997), so that nearly all of it is products.
func factorLU(m, n int, a []float64, lda int, pivots []int) (ok bool) {
	if m == 0 || n == 0 {
		return true
	}
	if n <= 8 {
		return impl.Dgetf2(m, n, a, lda, pivots)
	}
	h := n / 2
	if n > 64 {
		h = h / 16 * 16
	}
	h = min(h, m)
	ok = factorLU(m, h, a, lda, pivots[:h])
	right := a[h:]
	impl.Dlaswp(n-h, right, lda, 0, h-1, pivots[:h], 1)
	blasOf().Dtrsm(blas.Left, blas.Lower, blas.NoTrans, blas.Unit, h, n-h, 1, a, lda, right, lda)
	if m == h {
		return ok
	}
	below := a[h*lda:]
	blasOf().Dgemm(blas.NoTrans, blas.NoTrans, m-h, n-h, h, -1, below, lda, right, lda, 1, below[h:], lda)
	rest := pivots[h:min(m, n)]
	ok = factorLU(m-h, n-h, below[h:], lda, rest) && ok
	impl.Dlaswp(h, below, lda, 0, len(rest)-1, rest, 1)
	for i := range rest {
		rest[i] += h
	}
	return ok
}

// blasOf is what gonum's routines multiply with.
func blasOf() blas.Float64 { return blas64.Implementation() }

// Solve overwrites the n x m matrix b with the solution x of a*x = b, and a with its factors.
func Solve(n, m int, a, b []float64) error {
	if n == 0 || m == 0 {
		return nil
	}
	if l := InUse(); l != nil {
		return l.Real.Solve(n, m, a, b)
	}
	pivots, ok := LU(n, a)
	if !ok {
		return ErrSingular
	}
	impl.Dgetrs(blas.NoTrans, n, m, a, n, pivots, b, m)
	return nil
}

// Inverse overwrites the n x n matrix a with its inverse.
func Inverse(n int, a []float64) error {
	if n == 0 {
		return nil
	}
	if l := InUse(); l != nil {
		defer unsignZeros(a)
		return l.Real.Inverse(n, a)
	}
	pivots, ok := LU(n, a)
	if !ok {
		return ErrSingular
	}
	defer unsignZeros(a)
	work := workspace(func(work []float64, size int) { impl.Dgetri(n, a, n, pivots, work, size) })
	if !impl.Dgetri(n, a, n, pivots, work, len(work)) {
		return ErrSingular
	}
	return nil
}

// unsignZeros makes zeros of a positive: the inverse of a triangle leaves negative ones where there is nothing, and
// that of the identity would be shown with them.
func unsignZeros(a []float64) {
	for i := range a {
		a[i] += 0
	}
}

// workspace asks a routine of LAPACK how much scratch memory is best, and makes it.
func workspace(ask func(work []float64, size int)) []float64 {
	var best [1]float64
	ask(best[:], -1)
	return make([]float64, max(int(best[0]), 1))
}

// Cholesky overwrites the symmetric n x n matrix a, of which the lower triangle is read, with the lower L of a = L*Lᵀ.
func Cholesky(n int, a []float64) error {
	if l := InUse(); l != nil && n > 0 {
		if err := l.Real.Cholesky(n, a); err != nil {
			return err
		}
	} else if n > 0 && !impl.Dpotrf(blas.Lower, n, a, n) {
		return ErrSingular
	}
	for i := range n {
		clear(a[i*n+i+1 : (i+1)*n])
	}
	return nil
}

// QR factors the m x n matrix a, which it overwrites: q is m x k, r is k x n, where k is the number of columns of q,
// between min(m, n) and m.
func QR(m, n, k int, a, q, r []float64) {
	if m == 0 || k == 0 {
		return
	}
	clear(r)
	if l := InUse(); l != nil && n > 0 {
		l.Real.QR(m, n, k, a, q, r)
		return
	}
	factorQR(m, n, k, a, q, r)
}

// factorQR is QR into q and r; what r has below its diagonal is not touched.
func factorQR(m, n, k int, a, q, r []float64) {
	least := min(m, n)
	tau := make([]float64, least)
	if n > 0 {
		work := workspace(func(work []float64, size int) { impl.Dgeqrf(m, n, a, n, tau, work, size) })
		impl.Dgeqrf(m, n, a, n, tau, work, len(work))
	}
	for i := range least {
		copy(r[i*n+i:(i+1)*n], a[i*n+i:(i+1)*n])
	}
	clear(q)
	for i := range m {
		copy(q[i*k:i*k+min(least, k)], a[i*n:i*n+least])
	}
	work := workspace(func(work []float64, size int) { impl.Dorgqr(m, k, least, q, k, tau, work, size) })
	impl.Dorgqr(m, k, least, q, k, tau, work, len(work))
}

// EigenSymmetric gives the eigenvalues of the symmetric n x n matrix a, ascending, in w. Of a the lower triangle is
// read; it is overwritten, with vectors by the eigenvectors as columns.
func EigenSymmetric(n int, a, w []float64, vectors bool) error {
	if n == 0 {
		return nil
	}
	for i := range n {
		if !finite(a[i*n : i*n+i+1]) {
			return ErrNotConverged
		}
	}
	if l := InUse(); l != nil {
		var err error
		unasked("the library's dsyevd", func() { err = l.Real.EigenSymmetric(n, a, w, vectors) })
		return err
	}
	return eigenSymmetric(n, a, w, vectors)
}

// Eigen gives the eigenvalues of the n x n matrix a, which it overwrites, in w, and where vectors is not nil the right
// eigenvectors of length 1 as its columns.
func Eigen(n int, a []float64, w, vectors []complex128) error {
	if n == 0 {
		return nil
	}
	if !finite(a) {
		return ErrNotConverged
	}
	if l := InUse(); l != nil {
		var err error
		unasked("the library's dgeev", func() { err = l.Real.Eigen(n, a, w, vectors) })
		return err
	}
	job, size := lapack.RightEVNone, 0
	if vectors != nil {
		job, size = lapack.RightEVCompute, n*n
	}
	re, im, v := make([]float64, n), make([]float64, n), make([]float64, size)
	run := func(work []float64, lwork int) int {
		return impl.Dgeev(lapack.LeftEVNone, job, n, a, n, re, im, nil, 1, v, max(n, 1), work, lwork)
	}
	work := workspace(func(work []float64, size int) { run(work, size) })
	failed := 0
	unasked("gonum's Dgeev", func() { failed = run(work, len(work)) })
	if failed != 0 {
		return ErrNotConverged
	}
	for j := range n {
		w[j] = complex(re[j], im[j])
	}
	for j := 0; j < n && vectors != nil; j++ {
		for i := range n {
			switch {
			case im[j] == 0:
				vectors[i*n+j] = complex(v[i*n+j], 0)
			case im[j] > 0: // of a pair, column j has the real part and column j+1 the imaginary one
				vectors[i*n+j] = complex(v[i*n+j], v[i*n+j+1])
				vectors[i*n+j+1] = complex(v[i*n+j], -v[i*n+j+1])
			}
		}
	}
	return nil
}

// SVD gives the singular values of the m x n matrix a, which it overwrites, descending, in s. Where u is not nil, it
// takes the k left vectors as columns (m x k) and vt the right ones as rows (k' x n): both all of them where full, else
// min(m, n).
func SVD(m, n int, a, s, u, vt []float64, full bool) error {
	least := min(m, n)
	if least == 0 {
		if full && u != nil {
			identity(m, u)
			identity(n, vt)
		}
		return nil
	}
	if !finite(a) {
		return ErrNotConverged
	}
	if l := InUse(); l != nil {
		var err error
		unasked("the library's dgesdd", func() { err = l.Real.SVD(m, n, a, s, u, vt, full) })
		return err
	}
	if u != nil {
		return singularVectors(m, n, a, s, u, vt, full)
	}
	run := func(work []float64, size int) bool {
		return impl.Dgesvd(lapack.SVDNone, lapack.SVDNone, m, n, a, n, s, nil, 1, nil, n, work, size)
	}
	work := workspace(func(work []float64, size int) { run(work, size) })
	converged := false
	unasked("gonum's Dgesvd", func() { converged = run(work, len(work)) })
	if !converged {
		return ErrNotConverged
	}
	return nil
}

func identity[T Number](n int, a []T) {
	clear(a)
	for i := range n {
		a[i*n+i] = 1
	}
}

func finite(a []float64) bool {
	for part := range slices.Chunk(a, passStep) {
		poll(len(part))
		if slices.ContainsFunc(part, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
			return false
		}
	}
	return true
}
