package arrays

// The functions below have more than one result, and are computed when they are called.

// SLogDet returns the sign of the determinant of square matrices, and the natural logarithm of its absolute value: 0
// and -Inf for singular ones. The sign of a complex determinant is a number of absolute value 1.
//
//mirror:host
func SLogDet(x ArrayLike) (sign, logdet *Array) {
	r := slogdet.call(x)
	return r[0], r[1]
}

// QR returns q with orthonormal columns and an upper triangular r with x = q·r. For m x n matrices q has min(m, n)
// columns.
//
//mirror:host
func QR(x ArrayLike) (q, r *Array) {
	f := qrFunc(false).call(x)
	return f[0], f[1]
}

// QRComplete is [QR] with a square q: numpy.linalg.qr(mode="complete").
//
//mirror:host
func QRComplete(x ArrayLike) (q, r *Array) {
	f := qrFunc(true).call(x)
	return f[0], f[1]
}

// SVD returns the singular value decomposition x = u·diag(s)·vh of m x n matrices, u (m x m) and vh (n x n) unitary,
// the values s descending. It panics with *Error for NaN and infinity. [SVDThin] needs less memory for long matrices.
//
//mirror:host
func SVD(x ArrayLike) (u, s, vh *Array) {
	r := svdFunc(true).call(x)
	return r[0], r[1], r[2]
}

// SVDThin is [SVD] with the first min(m, n) columns of u and rows of vh alone: numpy.linalg.svd(full_matrices=False).
//
//mirror:host
func SVDThin(x ArrayLike) (u, s, vh *Array) {
	r := svdFunc(false).call(x)
	return r[0], r[1], r[2]
}

// EigH returns the eigenvalues of symmetric (Hermitian) matrices, ascending, and their eigenvectors as columns,
// orthonormal. The lower triangle is read.
//
//mirror:host
func EigH(x ArrayLike) (values, vectors *Array) {
	r := eigh.call(x)
	return r[0], r[1]
}

// Eig returns the eigenvalues of square matrices and their right eigenvectors as columns, of length 1. Both are always
// complex.
//
//mirror:host
func Eig(x ArrayLike) (values, vectors *Array) {
	r := eig.call(x)
	return r[0], r[1]
}

// LstSq returns the x that makes the sum of squares of MatMul(a, x) - b least, of several the shortest; those sums, for
// each column of b, or none where the rank is not full or there are no more rows than columns; the rank of a; and its
// singular values. Of these the ones below rcond times the largest count as 0, without rcond the precision of the dtype
// times the longer side of a.
//
//mirror:host
func LstSq(a, b ArrayLike, rcond ...float64) (x, residuals, rank, values *Array) {
	m := must("lstsq", a)
	epsilon := 0x1p-52
	if d := Promote(m.dtype, must("lstsq", b).dtype); d == Float32 || d == Complex64 {
		epsilon = 0x1p-23
	}
	r := lstsq(rcond, epsilon).call(m, b)
	x, rank, values, residuals = r[0], r[1], r[2], r[3]
	if rows, columns := m.layout.Shape[m.NDim()-2], m.layout.Shape[m.NDim()-1]; m.NDim() == 2 && (rows <= columns || rank.Int() < columns) {
		residuals = New(residuals.dtype, 0)
	}
	return x, residuals, rank, values
}
