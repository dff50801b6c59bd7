package dense

import (
	"math"
	"math/cmplx"
	"slices"
)

// gonum's LAPACK has no complex matrices. Those below are what can be done well in few lines; the iterations are
// Jacobi's, which are slower than reductions to tridiagonal form but as accurate.

// LUComplex is LU of complex numbers.
func LUComplex(n int, a []complex128) (pivots []int, ok bool) {
	if l := InUse(); l != nil && n > 0 {
		return l.Complex.LU(n, a)
	}
	pivots, ok = make([]int, n), true
	for k := range n {
		p := k
		for i := k + 1; i < n; i++ {
			if size1(a[i*n+k]) > size1(a[p*n+k]) {
				p = i
			}
		}
		pivots[k] = p
		if a[p*n+k] == 0 {
			ok = false
			continue
		}
		swapRows(a, n, k, p)
		poll(n * (n - k))
		for i := k + 1; i < n; i++ {
			f := a[i*n+k] / a[k*n+k]
			a[i*n+k] = f
			subtractScaled(a[i*n+k+1:(i+1)*n], f, a[k*n+k+1:(k+1)*n])
		}
	}
	return pivots, ok
}

// size1 is LAPACK's measure of a pivot.
func size1(z complex128) float64 { return math.Abs(real(z)) + math.Abs(imag(z)) }

func swapRows(a []complex128, n, i, j int) {
	if i != j {
		x, y := a[i*n:(i+1)*n], a[j*n:(j+1)*n]
		for k := range x {
			x[k], y[k] = y[k], x[k]
		}
	}
}

func subtractScaled(dst []complex128, f complex128, src []complex128) {
	for j, v := range src {
		dst[j] -= f * v
	}
}

// SolveComplex is Solve of complex numbers.
func SolveComplex(n, m int, a, b []complex128) error {
	if l := InUse(); l != nil && n > 0 && m > 0 {
		return l.Complex.Solve(n, m, a, b)
	}
	pivots, ok := LUComplex(n, a)
	if !ok {
		return ErrSingular
	}
	for i, p := range pivots {
		swapRows(b, m, i, p)
	}
	for i := range n {
		for k := range i {
			subtractScaled(b[i*m:(i+1)*m], a[i*n+k], b[k*m:(k+1)*m])
		}
		poll(i * m)
	}
	for i := n - 1; i >= 0; i-- {
		row := b[i*m : (i+1)*m]
		for k := i + 1; k < n; k++ {
			subtractScaled(row, a[i*n+k], b[k*m:(k+1)*m])
		}
		for j := range row {
			row[j] /= a[i*n+i]
		}
		poll((n - i) * m)
	}
	return nil
}

// InverseComplex is Inverse of complex numbers.
func InverseComplex(n int, a []complex128) error {
	if l := InUse(); l != nil && n > 0 {
		return l.Complex.Inverse(n, a)
	}
	lu := slices.Clone(a)
	identity(n, a)
	return SolveComplex(n, n, lu, a)
}

// CholeskyComplex overwrites the Hermitian n x n matrix a, of which the lower triangle is read, with the lower L of a =
// L*Lᴴ.
func CholeskyComplex(n int, a []complex128) error {
	if l := InUse(); l != nil && n > 0 {
		if err := l.Complex.Cholesky(n, a); err != nil {
			return err
		}
		for i := range n {
			clear(a[i*n+i+1 : (i+1)*n])
		}
		return nil
	}
	for i := range n {
		for j := range i + 1 {
			sum := a[i*n+j]
			for k := range j {
				sum -= a[i*n+k] * cmplx.Conj(a[j*n+k])
			}
			switch {
			case j < i:
				a[i*n+j] = sum / a[j*n+j]
			case !(real(sum) > 0):
				return ErrSingular
			default:
				a[i*n+i] = complex(math.Sqrt(real(sum)), 0)
			}
		}
		poll(i * i / 2)
		clear(a[i*n+i+1 : (i+1)*n])
	}
	return nil
}

// QRComplex is QR of complex numbers, by Householder's reflections; the diagonal of r is real.
func QRComplex(m, n, k int, a, q, r []complex128) {
	if l := InUse(); l != nil && m > 0 && n > 0 && k > 0 {
		clear(r)
		l.Complex.QR(m, n, k, a, q, r)
		return
	}
	least := min(m, n)
	reflectors := make([][]complex128, least) // of length sqrt 2, so that I - v*vᴴ reflects
	for j := range least {
		v := make([]complex128, m-j)
		norm := 0.0
		for i := range v {
			v[i] = a[(j+i)*n+j]
			norm = math.Hypot(norm, cmplx.Abs(v[i]))
		}
		// LAPACK's choice: the diagonal becomes real and has the sign that does not cancel.
		beta := -math.Copysign(norm, real(v[0]))
		reflectors[j] = v
		if norm == 0 || m-j == 1 && imag(v[0]) == 0 {
			clear(v)
			continue
		}
		// H = I - tau*w*wᴴ with w[0] = 1 takes the column to beta: Hᴴ*x = beta*e.
		tau := complex((beta-real(v[0]))/beta, -imag(v[0])/beta)
		lead := v[0] - complex(beta, 0)
		for i := range v {
			v[i] /= lead
		}
		v[0] = 1
		reflect(a[j*n:], n, j, n, v, cmplx.Conj(tau))
		reflectors[j] = append(v, tau)
	}
	clear(r)
	for i := range least {
		copy(r[i*n+i:(i+1)*n], a[i*n+i:(i+1)*n])
	}
	clear(q)
	for i := range min(m, k) {
		q[i*k+i] = 1
	}
	for j := least - 1; j >= 0; j-- {
		if v := reflectors[j]; len(v) == m-j+1 {
			reflect(q[j*k:], k, 0, k, v[:m-j], v[m-j])
		}
	}
}

// reflect applies I - tau*v*vᴴ to the columns from lo to hi of rows of length n.
func reflect(a []complex128, n, lo, hi int, v []complex128, tau complex128) {
	const some = 1 << 12 // rows between two counts of the work
	sums := make([]complex128, hi-lo)
	for i, x := range v {
		if i%some == 0 {
			poll(min(some, len(v)-i) * len(sums))
		}
		for c := range sums {
			sums[c] += cmplx.Conj(x) * a[i*n+lo+c]
		}
	}
	for i, x := range v {
		if i%some == 0 {
			poll(min(some, len(v)-i) * len(sums))
		}
		subtractScaled(a[i*n+lo:i*n+hi], tau*x, sums)
	}
}

const sweeps = 60

// EigenHermitian gives the eigenvalues of the Hermitian n x n matrix a, ascending, in w, by Jacobi's rotations. Of a
// the lower triangle is read; it is overwritten by the eigenvectors as columns.
func EigenHermitian(n int, a []complex128, w []float64) error {
	if l := InUse(); l != nil && n > 0 {
		if !finiteComplex(a) {
			return ErrNotConverged
		}
		return l.Complex.EigenSymmetric(n, a, w, true)
	}
	total := 0.0
	for i := range n {
		a[i*n+i] = complex(real(a[i*n+i]), 0)
		for j := range i {
			a[j*n+i] = cmplx.Conj(a[i*n+j])
		}
		for j := range n {
			total = math.Hypot(total, cmplx.Abs(a[i*n+j]))
		}
	}
	if math.IsNaN(total) || math.IsInf(total, 0) {
		return ErrNotConverged
	}
	v := make([]complex128, n*n)
	identity(n, v)
	for sweep := 0; ; sweep++ {
		rotated := false
		for p := range n {
			for q := p + 1; q < n; q++ {
				apq := a[p*n+q]
				size := cmplx.Abs(apq)
				if size <= 1e-17*total || size == 0 {
					continue
				}
				rotated = true
				c, s := rotation(real(a[p*n+p]), real(a[q*n+q]), size)
				phase := apq / complex(size, 0)
				poll(6 * n)
				for i := range n { // columns
					x, y := a[i*n+p], a[i*n+q]
					a[i*n+p], a[i*n+q] = turn(x, y, c, s, phase)
					x, y = v[i*n+p], v[i*n+q]
					v[i*n+p], v[i*n+q] = turn(x, y, c, s, phase)
				}
				for i := range n { // rows
					x, y := a[p*n+i], a[q*n+i]
					a[p*n+i], a[q*n+i] = turn(x, y, c, s, cmplx.Conj(phase))
				}
				a[p*n+q], a[q*n+p] = 0, 0
			}
		}
		if !rotated {
			break
		}
		if sweep == sweeps {
			return ErrNotConverged
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return compare(real(a[i*n+i]), real(a[j*n+j])) })
	for k, j := range order {
		w[k] = real(a[j*n+j])
	}
	for i := range n {
		for k, j := range order {
			a[i*n+k] = v[i*n+j]
		}
	}
	return nil
}

func compare(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// rotation makes the off-diagonal of the symmetric 2 x 2 matrix (p, off; off, q) zero.
func rotation(p, q, off float64) (c, s float64) {
	theta := (q - p) / (2 * off)
	t := 1 / (math.Abs(theta) + math.Hypot(theta, 1))
	if theta < 0 {
		t = -t
	}
	c = 1 / math.Hypot(t, 1)
	return c, t * c
}

// turn rotates a pair of elements; phase makes their product real.
func turn(x, y complex128, c, s float64, phase complex128) (complex128, complex128) {
	return complex(c, 0)*x - complex(s, 0)*cmplx.Conj(phase)*y, complex(s, 0)*phase*x + complex(c, 0)*y
}

// SVDComplex is SVD of complex numbers, by one-sided Jacobi rotations of the columns.
func SVDComplex(m, n int, a []complex128, s []float64, u, vt []complex128, full bool) error {
	if l := InUse(); l != nil && m > 0 && n > 0 {
		if !finiteComplex(a) {
			return ErrNotConverged
		}
		return l.Complex.SVD(m, n, a, s, u, vt, full)
	}
	if m < n { // aᴴ = v*s*uᴴ
		t := adjoint(m, n, a)
		if u == nil {
			return SVDComplex(n, m, t, s, nil, nil, false)
		}
		ku, kv := m, m
		if full {
			kv = n
		}
		tu, tvt := make([]complex128, n*kv), make([]complex128, m*ku)
		if err := SVDComplex(n, m, t, s, tu, tvt, full); err != nil {
			return err
		}
		copy(u, adjoint(ku, m, tvt))
		copy(vt, adjoint(n, kv, tu))
		return nil
	}
	power := squarable(a)
	v := make([]complex128, n*n)
	identity(n, v)
	for sweep := 0; ; sweep++ {
		rotated := false
		for p := range n {
			for q := p + 1; q < n; q++ {
				var pp, qq float64
				var pq complex128
				for i := range m {
					x, y := a[i*n+p], a[i*n+q]
					pp += real(x)*real(x) + imag(x)*imag(x)
					qq += real(y)*real(y) + imag(y)*imag(y)
					pq += cmplx.Conj(x) * y
				}
				poll(4 * m)
				size := cmplx.Abs(pq)
				if math.IsNaN(size) || math.IsInf(pp+qq, 0) {
					return ErrNotConverged
				}
				if size <= 1e-16*math.Sqrt(pp)*math.Sqrt(qq) || size == 0 {
					continue
				}
				rotated = true
				c, sn := rotation(pp, qq, size)
				phase := pq / complex(size, 0)
				for i := range m {
					a[i*n+p], a[i*n+q] = turn(a[i*n+p], a[i*n+q], c, sn, phase)
				}
				poll(8 * m)
				for i := range n {
					v[i*n+p], v[i*n+q] = turn(v[i*n+p], v[i*n+q], c, sn, phase)
				}
			}
		}
		if !rotated {
			break
		}
		if sweep == sweeps {
			return ErrNotConverged
		}
	}
	norms, order := make([]float64, n), make([]int, n)
	for j := range n {
		order[j] = j
		for i := range m {
			norms[j] = math.Hypot(norms[j], cmplx.Abs(a[i*n+j]))
		}
		poll(16 * m)
		if math.IsNaN(norms[j]) || math.IsInf(norms[j], 0) {
			return ErrNotConverged
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return compare(norms[j], norms[i]) })
	for k, j := range order {
		s[k] = math.Ldexp(norms[j], power)
	}
	if u == nil {
		return nil
	}
	k := n
	if full {
		k = m
	}
	const some = 1 << 12 // rows between two counts of the work
	columns := make([]complex128, m*n)
	for i := range m {
		if i%some == 0 {
			poll(8 * min(some, m-i) * n)
		}
		for c, j := range order {
			if norms[j] > 0 {
				columns[i*n+c] = a[i*n+j] / complex(norms[j], 0)
			}
		}
	}
	// The reflections of QR complete the columns, also those of singular values that are zero, to a basis; a column and
	// its original differ by the diagonal of r, which has length 1.
	basis, r := make([]complex128, m*k), make([]complex128, k*n)
	QRComplex(m, n, k, slices.Clone(columns), basis, r)
	for i := range m {
		if i%some == 0 {
			poll(min(some, m-i) * k)
		}
		for c := range k {
			u[i*k+c] = basis[i*k+c]
			if c < n && norms[order[c]] > 0 {
				u[i*k+c] = columns[i*n+c]
			}
		}
	}
	for c, j := range order {
		for i := range n {
			vt[c*n+i] = cmplx.Conj(v[i*n+j])
		}
	}
	return nil
}

// squarable divides a by a power of two where squares of its elements would leave the range of numbers, and returns the
// exponent.
func squarable(a []complex128) int {
	largest := 0.0
	for _, z := range a {
		largest = max(largest, math.Abs(real(z)), math.Abs(imag(z)))
	}
	_, power := math.Frexp(largest)
	if power > -400 && power < 400 || largest == 0 || math.IsInf(largest, 0) || math.IsNaN(largest) {
		return 0
	}
	for i, z := range a {
		a[i] = complex(math.Ldexp(real(z), -power), math.Ldexp(imag(z), -power))
	}
	return power
}

// adjoint is the conjugate transpose of an m x n matrix.
func adjoint(m, n int, a []complex128) []complex128 {
	t := make([]complex128, len(a))
	for i := range m {
		for j := range n {
			t[j*m+i] = cmplx.Conj(a[i*n+j])
		}
	}
	return t
}

func finiteComplex(a []complex128) bool {
	return !slices.ContainsFunc(a, func(v complex128) bool { return cmplx.IsNaN(v) || cmplx.IsInf(v) })
}
