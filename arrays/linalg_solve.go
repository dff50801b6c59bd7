package arrays

import (
	"math"
	"math/cmplx"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/dense"
)

// Solve returns x with MatMul(a, x) = b, for square matrices a. A list b is one column, as is the result then;
// otherwise the last two axes of b are columns. It panics with *Error when a matrix is singular.
func Solve(a, b ArrayLike) *Array { return call(Routines{}.Solve(), a, b) }

// Inv returns the inverse of square matrices. It panics with *Error when one is singular.
func Inv(x ArrayLike) *Array { return call(Routines{}.Inv(), x) }

// Det returns the determinant of square matrices.
func Det(x ArrayLike) *Array { return call(Routines{}.Det(), x) }

// Cholesky returns the lower triangular L with x = L·Lᴴ for symmetric (Hermitian) positive definite matrices, of which
// the lower triangle is read. It panics with *Error when one is not positive definite.
func Cholesky(x ArrayLike) *Array { return call(Routines{}.Cholesky(), x) }

// SVDVals returns the singular values of matrices, descending.
func SVDVals(x ArrayLike) *Array { return call(Routines{}.SVDVals(), x) }

// EigValsH returns the eigenvalues of symmetric (Hermitian) matrices, ascending. The lower triangle is read.
func EigValsH(x ArrayLike) *Array { return call(Routines{}.EigValsH(), x) }

// EigVals returns the eigenvalues of square matrices, always complex, in no order.
func EigVals(x ArrayLike) *Array { return call(Routines{}.EigVals(), x) }

// PInv returns the Moore-Penrose pseudo-inverse of matrices. Singular values below rcond times the largest count as 0;
// without rcond that is 1e-15, as in numpy.linalg.pinv.
func PInv(x ArrayLike, rcond ...float64) *Array { return call(Routines{}.PInv(rcond), x) }

// Expm returns e to the power of square matrices: 1 + x + x²/2 + ... (scipy.linalg.expm).
func Expm(x ArrayLike) *Array { return call(Routines{}.Expm(), x) }

// Solve is the routine of [Solve].
func (Routines) Solve() Routine {
	r := matrixFunc{name: "solve", square: true, vector: true,
		parts: func(m, n, k int) []part { return []part{{[]int{n, k}, partSame}} },
		run: func(in, out []mat) error {
			a, b, x := in[0], in[1], out[0]
			if x.isComplex() {
				copy(x.z, b.z)
				return dense.SolveComplex(a.rows, b.columns, a.z, x.z)
			}
			copy(x.f, b.f)
			return dense.Solve(a.rows, b.columns, a.f, x.f)
		},
	}.routine()
	r.Plain = true
	return r
}

// Inv is the routine of [Inv].
func (Routines) Inv() Routine {
	return matrixFunc{name: "inv", square: true, parts: sameShape,
		run: inPlace(dense.Inverse, dense.InverseComplex)}.routine()
}

// Cholesky is the routine of [Cholesky].
func (Routines) Cholesky() Routine {
	return matrixFunc{name: "cholesky", square: true, parts: sameShape,
		run: inPlace(dense.Cholesky, dense.CholeskyComplex)}.routine()
}

// Expm is the routine of [Expm].
func (Routines) Expm() Routine {
	return matrixFunc{name: "expm", square: true, parts: sameShape, run: inPlace(
		func(n int, a []float64) error { return dense.Exponential(n, a, dense.Solve, multiply) },
		func(n int, a []complex128) error { return dense.Exponential(n, a, dense.SolveComplex, multiply) })}.routine()
}

func sameShape(m, n, _ int) []part { return []part{{[]int{m, n}, partSame}} }

// inPlace is for what overwrites the matrix with the result.
func inPlace(real func(n int, a []float64) error, complex func(n int, a []complex128) error) func(in, out []mat) error {
	return func(in, out []mat) error {
		if a := out[0]; a.isComplex() {
			copy(a.z, in[0].z)
			return complex(a.rows, a.z)
		}
		copy(out[0].f, in[0].f)
		return real(out[0].rows, out[0].f)
	}
}

// Det is the routine of [Det].
func (Routines) Det() Routine {
	return matrixFunc{name: "det", square: true, parts: func(_, _, _ int) []part { return []part{{nil, partSame}} },
		run: func(in, out []mat) error {
			det, _ := signAndLog(in[0])
			for _, p := range pivotsOf(in[0]) { // exact where the exponential of a sum of logarithms is not
				det *= complex(cmplx.Abs(p), 0)
			}
			if out[0].isComplex() {
				out[0].z[0] = det
			} else {
				out[0].f[0] = real(det)
			}
			return nil
		}}.routine()
}

// signAndLog factors a in place; the determinant is sign times e to the power log.
func signAndLog(a mat) (sign complex128, log float64) {
	n := a.rows
	var exchanged []int
	if a.isComplex() {
		exchanged, _ = dense.LUComplex(n, a.z)
	} else {
		exchanged, _ = dense.LU(n, a.f)
	}
	sign = 1
	for i, p := range exchanged {
		if n > 0 && p != i {
			sign = -sign
		}
	}
	for _, p := range pivotsOf(a) {
		size := cmplx.Abs(p)
		if size == 0 {
			return 0, math.Inf(-1)
		}
		sign *= p / complex(size, 0)
		log += math.Log(size)
	}
	return sign, log
}

// pivotsOf is the diagonal of a.
func pivotsOf(a mat) []complex128 {
	out := make([]complex128, a.rows)
	for i := range out {
		if a.isComplex() {
			out[i] = a.z[i*a.columns+i]
		} else {
			out[i] = complex(a.f[i*a.columns+i], 0)
		}
	}
	return out
}

// slogdet is the function of [SLogDet].
var slogdet = matrixFunc{name: "slogdet", square: true,
	parts: func(_, _, _ int) []part { return []part{{nil, partSame}, {nil, partReal}} },
	run: func(in, out []mat) error {
		sign, log := signAndLog(in[0])
		if out[0].isComplex() {
			out[0].z[0] = sign
		} else {
			out[0].f[0] = real(sign)
		}
		out[1].f[0] = log
		return nil
	}}

// SVDVals is the routine of [SVDVals].
func (Routines) SVDVals() Routine {
	return matrixFunc{name: "svdvals",
		parts: func(m, n, _ int) []part { return []part{{[]int{min(m, n)}, partReal}} },
		run:   func(in, out []mat) error { return svd(in[0], out[0].f, mat{}, mat{}, false) },
	}.routine()
}

// svd is that of package dense; u and vt may be zero.
func svd(a mat, s []float64, u, vt mat, full bool) error {
	if a.isComplex() {
		return dense.SVDComplex(a.rows, a.columns, a.z, s, u.z, vt.z, full)
	}
	return dense.SVD(a.rows, a.columns, a.f, s, u.f, vt.f, full)
}

// svdFunc is the function of [SVD] and [SVDThin].
func svdFunc(full bool) matrixFunc {
	return matrixFunc{name: "svd",
		parts: func(m, n, _ int) []part {
			u, v := min(m, n), min(m, n)
			if full {
				u, v = m, n
			}
			return []part{{[]int{m, u}, partSame}, {[]int{min(m, n)}, partReal}, {[]int{v, n}, partSame}}
		},
		run: func(in, out []mat) error { return svd(in[0], out[1].f, out[0], out[2], full) },
	}
}

// EigValsH is the routine of [EigValsH].
func (Routines) EigValsH() Routine {
	return matrixFunc{name: "eigvalsh", square: true,
		parts: func(m, _, _ int) []part { return []part{{[]int{m}, partReal}} },
		run: func(in, out []mat) error {
			if in[0].isComplex() {
				return dense.EigenHermitian(in[0].rows, in[0].z, out[0].f)
			}
			return dense.EigenSymmetric(in[0].rows, in[0].f, out[0].f, false)
		}}.routine()
}

// eigh is the function of [EigH].
var eigh = matrixFunc{name: "eigh", square: true,
	parts: func(m, _, _ int) []part { return []part{{[]int{m}, partReal}, {[]int{m, m}, partSame}} },
	run: func(in, out []mat) error {
		v := out[1]
		if v.isComplex() {
			copy(v.z, in[0].z)
			return dense.EigenHermitian(v.rows, v.z, out[0].f)
		}
		copy(v.f, in[0].f)
		return dense.EigenSymmetric(v.rows, v.f, out[0].f, true)
	}}

// EigVals is the routine of [EigVals].
func (Routines) EigVals() Routine {
	return matrixFunc{name: "eigvals", square: true,
		parts: func(m, _, _ int) []part { return []part{{[]int{m}, partComplex}} },
		run:   func(in, out []mat) error { return eigen(in[0], out[0].z, nil) },
	}.routine()
}

// eig is the function of [Eig].
var eig = matrixFunc{name: "eig", square: true,
	parts: func(m, _, _ int) []part { return []part{{[]int{m}, partComplex}, {[]int{m, m}, partComplex}} },
	run:   func(in, out []mat) error { return eigen(in[0], out[0].z, out[1].z) },
}

// eigen is that of package dense.
func eigen(a mat, w, vectors []complex128) error {
	if a.isComplex() {
		return dense.EigenComplex(a.rows, a.z, w, vectors)
	}
	return dense.Eigen(a.rows, a.f, w, vectors)
}

// qrFunc is the function of [QR] and [QRComplete].
func qrFunc(complete bool) matrixFunc {
	return matrixFunc{name: "qr",
		parts: func(m, n, _ int) []part {
			k := min(m, n)
			if complete {
				k = m
			}
			return []part{{[]int{m, k}, partSame}, {[]int{k, n}, partSame}}
		},
		run: func(in, out []mat) error {
			a, q, r := in[0], out[0], out[1]
			if a.isComplex() {
				dense.QRComplex(a.rows, a.columns, q.columns, a.z, q.z, r.z)
			} else {
				dense.QR(a.rows, a.columns, q.columns, a.f, q.f, r.f)
			}
			return nil
		},
	}
}

// PInv is the routine of [PInv].
func (Routines) PInv(rcond []float64) Routine {
	cut := optional("pinv", "tolerances", rcond, 1e-15)
	return matrixFunc{name: "pinv",
		parts: func(m, n, _ int) []part { return []part{{[]int{n, m}, partSame}} },
		run: func(in, out []mat) error {
			_, err := throughSVD(in[0], nil, out[0], make([]float64, min(in[0].rows, in[0].columns)), cut)
			return err
		}}.routine()
}

// throughSVD sets x to the shortest solution of a*x ≈ b, where b is nil to the pseudo-inverse of a, and s to the
// singular values of a, of which those above rcond times the largest count; rank is how many.
func throughSVD(a mat, b *mat, x mat, s []float64, rcond float64) (rank int, err error) {
	m, n, least := a.rows, a.columns, len(s)
	d := Float64
	if a.isComplex() {
		d = Complex128
	}
	u, vt := newMat(d, m, least), newMat(d, least, n)
	if err := svd(a, s, u, vt, false); err != nil {
		return 0, err
	}
	for rank < least && s[rank] > rcond*s[0] {
		rank++
	}
	if a.isComplex() {
		var right []complex128
		if b != nil {
			right = b.z
		}
		compose(u.z, vt.z, right, x.z, s[:rank], m, n, least, x.columns, cmplx.Conj)
		return rank, nil
	}
	var right []float64
	if b != nil {
		right = b.f
	}
	compose(u.f, vt.f, right, x.f, s[:rank], m, n, least, x.columns, func(v float64) float64 { return v })
	return rank, nil
}

// compose sets x to v * s⁻¹ * uᴴ * b, without b where it is nil.
func compose[T dense.Number](u, vt, b, x []T, s []float64, m, n, least, columns int, conj func(T) T) {
	inner := make([]T, len(s)*m)
	eachPolled(m, poll, func(i int) {
		for k, v := range s {
			inner[k*m+i] = conj(u[i*least+k]) * reciprocalOf[T](v)
		}
	})
	v := make([]T, n*len(s))
	for k := range s {
		for j := range n {
			v[j*len(s)+k] = conj(vt[k*n+j])
		}
	}
	if b != nil {
		uh := inner
		inner = make([]T, len(s)*columns)
		multiply(len(s), m, columns, uh, b, inner)
	}
	multiply(n, len(s), columns, v, inner, x)
}

// multiply sets the n x m matrix c to the product of a, n x k, and b, k x m.
func multiply[T dense.Number](n, k, m int, a, b, c []T) {
	if n == 0 || k == 0 || m == 0 {
		clear(c)
		return
	}
	d := Float64
	if sizeOfElement[T]() == d.Size()*2 {
		d = Complex128
	}
	products.get()[d](bytesOf(c), &Array{d, Contiguous(n, k), bytesOf(a)}, &Array{d, Contiguous(k, m), bytesOf(b)}, d)
}

func reciprocalOf[T dense.Number](v float64) T {
	var one T
	switch p := any(&one).(type) {
	case *float64:
		*p = 1 / v
	case *complex128:
		*p = complex(1/v, 0)
	}
	return one
}

// leastSquares is throughSVD, by a library where one is in use.
func leastSquares(a, b, x mat, s []float64, rcond float64) (rank int, err error) {
	l := dense.InUse()
	switch {
	case l == nil || len(s) == 0 || b.columns == 0:
		return throughSVD(a, &b, x, s, rcond)
	case a.isComplex():
		return l.Complex.LeastSquares(a.rows, a.columns, b.columns, a.z, b.z, x.z, s, rcond)
	}
	return l.Real.LeastSquares(a.rows, a.columns, b.columns, a.f, b.f, x.f, s, rcond)
}

// lstsq is the function of [LstSq]; of residuals it always gives all.
func lstsq(rcond []float64, epsilon float64) matrixFunc {
	atMost("lstsq", "tolerances", rcond, 1)
	return matrixFunc{name: "lstsq", vector: true,
		parts: func(m, n, k int) []part {
			return []part{{[]int{n, k}, partSame}, {nil, partInt}, {[]int{min(m, n)}, partReal}, {[]int{k}, partReal}}
		},
		run: func(in, out []mat) error {
			a, b, x := in[0], in[1], out[0]
			cut := optional("lstsq", "tolerances", rcond, epsilon*float64(max(a.rows, a.columns)))
			poll()
			original := mat{a.rows, a.columns, slices.Clone(a.f), slices.Clone(a.z)}
			poll()
			rank, err := leastSquares(a, b, x, out[2].f, cut)
			if err != nil {
				return err
			}
			out[1].f[0] = float64(rank)
			k := b.columns
			if a.isComplex() {
				fit := make([]complex128, a.rows*k)
				multiply(a.rows, a.columns, k, original.z, x.z, fit)
				eachPolled(len(fit), poll, func(i int) {
					d := b.z[i] - fit[i]
					out[3].f[i%k] += real(d)*real(d) + imag(d)*imag(d)
				})
				return nil
			}
			fit := make([]float64, a.rows*k)
			multiply(a.rows, a.columns, k, original.f, x.f, fit)
			eachPolled(len(fit), poll, func(i int) {
				d := b.f[i] - fit[i]
				out[3].f[i%k] += d * d
			})
			return nil
		},
	}
}
