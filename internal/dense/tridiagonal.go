package dense

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
)

// Half an ulp of 1, and the least normal number.
const (
	epsilon = 0x1p-53
	least   = 0x1p-1022
)

// eigenSymmetric is EigenSymmetric: LAPACK's reduction to a tridiagonal matrix, and its implicit QL steps (Dsteqr),
// whose rotations are done on rows, many at a time. (gonum's Dsterf, for values alone, panics where it scales a block.)
func eigenSymmetric(n int, a, w []float64, vectors bool) error {
	exponent := scaleDown(n, n, a, true)
	e, tau := make([]float64, max(n-1, 1)), make([]float64, max(n-1, 1))
	work := workspace(func(work []float64, size int) { impl.Dsytrd(blas.Lower, n, a, n, w, e[:n-1], tau[:n-1], work, size) })
	impl.Dsytrd(blas.Lower, n, a, n, w, e[:n-1], tau[:n-1], work, len(work))
	var rows *rotated
	if vectors {
		work = workspace(func(work []float64, size int) { impl.Dorgtr(blas.Lower, n, a, n, tau[:n-1], work, size) })
		impl.Dorgtr(blas.Lower, n, a, n, tau[:n-1], work, len(work))
		rows = rowsFrom(n, n)
		rows.setTransposed(a, n, n, n)
	}
	if !diagonalize(w, e[:n-1], rows) {
		return ErrNotConverged
	}
	if vectors {
		rows.flush()
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int { return compare(w[i], w[j]) })
		rows.transposeTo(a, n, n, order)
	}
	slices.Sort(w)
	raise(w, exponent)
	return nil
}

// scaleDown divides the m x n matrix a by two to the power exponent where its largest element is so large or small that
// squares overflow or vanish. Of a symmetric one the lower triangle counts.
func scaleDown(m, n int, a []float64, symmetric bool) (exponent int) {
	largest := 0.0
	for i := range m {
		to := n
		if symmetric {
			to = i + 1
		}
		poll(to)
		for _, v := range a[i*n : i*n+to] {
			largest = max(largest, math.Abs(v))
		}
	}
	if largest == 0 || largest > 0x1p-450 && largest < 0x1p450 {
		return 0
	}
	_, exponent = math.Frexp(largest)
	for i := range m * n {
		a[i] = math.Ldexp(a[i], -exponent)
	}
	return exponent
}

// diagonalize makes the eigenvalues of the symmetric tridiagonal matrix with the diagonal d and e beside it, in no
// order, in d, and rotates the rows as its columns: implicit QL steps with Wilkinson's shift from that end of each
// block whose element is smaller. ok is false where it takes more than 30 steps for each eigenvalue.
func diagonalize(d, e []float64, rows *rotated) (ok bool) {
	n := len(d)
	steps := 30 * n
	for lo := 0; lo < n-1; {
		hi := lo
		for hi < n-1 && e[hi]*e[hi] > epsilon*epsilon*math.Abs(d[hi])*math.Abs(d[hi+1])+least {
			hi++
		}
		if hi < n-1 {
			e[hi] = 0
		}
		if hi == lo {
			lo++
			continue
		}
		if steps--; steps < 0 {
			return false
		}
		b := chase{d, e, lo, 1, hi - lo}
		if math.Abs(d[hi]) < math.Abs(d[lo]) {
			b.start, b.step = hi, -1
		}
		b.implicitQL(rows)
	}
	return true
}

// chase is a block of a matrix of two diagonals, or three of which two are equal, seen from one of its ends: d(0) to
// d(last), with e(k) between d(k) and d(k+1).
type chase struct {
	d, e              []float64
	start, step, last int
}

func (b *chase) at(k int) *float64 { return &b.d[b.start+b.step*k] }

func (b *chase) beside(k int) *float64 {
	if b.step < 0 {
		return &b.e[b.start-k-1]
	}
	return &b.e[b.start+k]
}

// implicitQL does a step that makes e(0) smaller.
func (b *chase) implicitQL(rows *rotated) {
	m := b.last
	d0, e0 := *b.at(0), *b.beside(0)
	g := (*b.at(1) - d0) / (2 * e0)
	g = *b.at(m) - d0 + e0/(g+math.Copysign(math.Hypot(g, 1), g))
	s, c, p := 1.0, 1.0, 0.0
	rows.begin(b.start+b.step*m, -b.step)
	for i := m - 1; i >= 0; i-- {
		f, h := s**b.beside(i), c**b.beside(i)
		var r float64
		c, s, r = impl.Dlartg(g, f)
		if i < m-1 {
			*b.beside(i + 1) = r
		}
		g = *b.at(i + 1) - p
		r = (*b.at(i)-g)*s + 2*c*h
		p = s * r
		*b.at(i + 1) = g + p
		g = c*r - h
		rows.turn(c, s)
	}
	*b.at(0) -= p
	*b.beside(0) = g
}
