package dense

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

// singularVectors is SVD with vectors: LAPACK's reduction to a bidiagonal matrix, of the triangle alone of one that has
// many more rows than columns, and its implicit QR steps (Dbdsqr), whose rotations are done on rows, many at a time.
func singularVectors(m, n int, a, s, u, vt []float64, full bool) error {
	if m < n { // aᵀ = v*s*uᵀ
		t := transposed(m, n, a)
		ku, kv := m, m
		if full {
			kv = n
		}
		tu, tvt := make([]float64, n*kv), make([]float64, m*ku)
		if err := singularVectors(n, m, t, s, tu, tvt, full); err != nil {
			return err
		}
		copy(u, transposed(ku, m, tvt))
		copy(vt, transposed(n, kv, tu))
		return nil
	}
	k := n // columns of u
	if full {
		k = m
	}
	exponent := scaleDown(m, n, a, false)
	if 5*m >= 8*n && m > n {
		q, r := make([]float64, m*k), make([]float64, k*n)
		factorQR(m, n, k, a, q, r)
		ur := make([]float64, n*n)
		if err := singularVectors(n, n, r[:n*n], s, ur, vt, false); err != nil {
			return err
		}
		blasOf().Dgemm(blas.NoTrans, blas.NoTrans, m, n, n, 1, q, k, ur, n, 0, u, k)
		for i := range m {
			copy(u[i*k+n:(i+1)*k], q[i*k+n:(i+1)*k])
		}
		raise(s, exponent)
		return nil
	}
	e, tauQ, tauP := make([]float64, n), make([]float64, n), make([]float64, n)
	work := workspace(func(work []float64, size int) { impl.Dgebrd(m, n, a, n, s, e[:n-1], tauQ, tauP, work, size) })
	impl.Dgebrd(m, n, a, n, s, e[:n-1], tauQ, tauP, work, len(work))
	clear(u)
	for i := range m {
		copy(u[i*k:i*k+n], a[i*n:(i+1)*n])
	}
	work = workspace(func(work []float64, size int) { impl.Dorgbr(lapack.GenerateQ, m, k, n, u, k, tauQ, work, size) })
	impl.Dorgbr(lapack.GenerateQ, m, k, n, u, k, tauQ, work, len(work))
	right := rowsFrom(n, n)
	copy(vt, a[:n*n])
	work = workspace(func(work []float64, size int) { impl.Dorgbr(lapack.GeneratePT, n, n, n, vt, n, tauP, work, size) })
	impl.Dorgbr(lapack.GeneratePT, n, n, n, vt, n, tauP, work, len(work))
	for i := range n {
		copy(right.rows[i*right.ld:], vt[i*n:(i+1)*n])
	}
	left := rowsFrom(n, m)
	left.setTransposed(u, m, n, k)
	b := bidiagonal{d: s, e: e[:n-1], left: left, right: right}
	if !b.diagonalize() {
		return ErrNotConverged
	}
	left.flush()
	right.flush()
	order := make([]int, n)
	for i := range order {
		order[i] = i
		if math.Signbit(s[i]) {
			s[i] = -s[i]
			row := right.rows[i*right.ld : i*right.ld+n]
			for j := range row {
				row[j] = -row[j]
			}
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return compare(s[j], s[i]) })
	left.transposeTo(u, m, k, order)
	for i, from := range order {
		copy(vt[i*n:(i+1)*n], right.rows[from*right.ld:])
	}
	slices.Sort(s)
	slices.Reverse(s)
	raise(s, exponent)
	return nil
}

// raise multiplies by two to the power exponent.
func raise(s []float64, exponent int) {
	for i := range s {
		s[i] = math.Ldexp(s[i], exponent)
	}
}

func transposed(rows, columns int, a []float64) []float64 {
	t := make([]float64, len(a))
	for i := range rows {
		at := i
		for row := range slices.Chunk(a[i*columns:(i+1)*columns], passStep) {
			poll(passWork * len(row))
			for _, v := range row {
				t[at] = v
				at += rows
			}
		}
	}
	return t
}

// bidiagonal is an upper bidiagonal matrix, and the transposed left and the right vectors that are rotated with it.
type bidiagonal struct {
	d, e        []float64
	left, right *rotated
}

// tolerance is how much smaller than its neighbours an element is 0: Dbdsqr's for singular values that are exact
// relative to themselves.
var tolerance = max(10, min(100, math.Pow(epsilon, -0.125))) * epsilon

// diagonalize makes the singular values, with signs and in no order, in d: J. Demmel, W. Kahan, "Accurate singular
// values of bidiagonal matrices", SIAM J. Sci. Stat. Comput. 11 (1990). ok is false where it takes too many steps.
func (b *bidiagonal) diagonalize() (ok bool) {
	n, d, e := len(b.d), b.d, b.e
	smallest := math.Abs(d[0])
	for i, mu := 1, smallest; i < n && smallest > 0; i++ {
		mu = math.Abs(d[i]) * (mu / (mu + math.Abs(e[i-1])))
		smallest = min(smallest, mu)
	}
	threshold := max(tolerance*smallest/math.Sqrt(float64(n)), 6*float64(n)*float64(n)*least)
	lastLo, lastHi, backward := -1, -1, false
	steps := 6 * n * n // of rotations
	for hi := n - 1; hi > 0; {
		if steps < 0 {
			return false
		}
		if math.Abs(d[hi]) <= threshold {
			d[hi] = 0
		}
		lo, largest := hi, math.Abs(d[hi])
		for lo > 0 && math.Abs(e[lo-1]) > threshold {
			lo--
			if math.Abs(d[lo]) <= threshold {
				d[lo] = 0
			}
			largest = max(largest, math.Abs(d[lo]), math.Abs(e[lo]))
		}
		if lo > 0 {
			e[lo-1] = 0
		}
		if lo == hi {
			hi--
			continue
		}
		if lo == hi-1 {
			small, large, sr, cr, sl, cl := impl.Dlasv2(d[lo], e[lo], d[hi])
			d[lo], e[lo], d[hi] = large, 0, small
			b.right.begin(lo, 1)
			b.right.turn(cr, sr)
			b.left.begin(lo, 1)
			b.left.turn(cl, sl)
			hi -= 2
			continue
		}
		if lo > lastHi || hi < lastLo { // another block: from its larger end
			backward = math.Abs(d[lo]) < math.Abs(d[hi])
		}
		c, first, second := chase{d, e, lo, 1, hi - lo}, b.right, b.left
		if backward {
			c, first, second = chase{d, e, hi, -1, hi - lo}, b.left, b.right
		}
		small, split := c.negligible()
		if split {
			continue
		}
		lastLo, lastHi = lo, hi
		shift := 0.0
		if float64(n)*tolerance*(small/largest) > max(epsilon, 0.01*tolerance) {
			shift, _ = impl.Dlas2(*c.at(c.last - 1), *c.beside(c.last - 1), *c.at(c.last))
			if q := shift / math.Abs(*c.at(0)); q*q < epsilon {
				shift = 0
			}
		}
		steps -= hi - lo
		if shift == 0 {
			c.withoutShift(first, second)
		} else {
			c.withShift(shift, first, second)
		}
		if last := c.beside(c.last - 1); math.Abs(*last) <= threshold {
			*last = 0
		}
	}
	return true
}

// negligible sets an element beside the diagonal to 0 that changes no singular value by more than the tolerance.
// smallest is a bound of the singular values.
func (b *chase) negligible() (smallest float64, split bool) {
	if last := b.beside(b.last - 1); math.Abs(*last) <= tolerance*math.Abs(*b.at(b.last)) {
		*last = 0
		return 0, true
	}
	mu := math.Abs(*b.at(0))
	smallest = mu
	for k := range b.last {
		e := b.beside(k)
		if math.Abs(*e) <= tolerance*mu {
			*e = 0
			return 0, true
		}
		mu = math.Abs(*b.at(k + 1)) * (mu / (mu + math.Abs(*e)))
		smallest = min(smallest, mu)
	}
	return smallest, false
}

// withoutShift does a step that keeps small singular values exact.
func (b *chase) withoutShift(first, second *rotated) {
	first.begin(b.start, b.step)
	second.begin(b.start, b.step)
	c, oldC, oldS := 1.0, 1.0, 0.0
	for k := range b.last {
		var s, r float64
		c, s, r = impl.Dlartg(*b.at(k)*c, *b.beside(k))
		if k > 0 {
			*b.beside(k - 1) = oldS * r
		}
		oldC, oldS, *b.at(k) = impl.Dlartg(oldC*r, *b.at(k + 1)*s)
		first.turn(c, s)
		second.turn(oldC, oldS)
	}
	h := *b.at(b.last) * c
	*b.at(b.last) = h * oldC
	*b.beside(b.last - 1) = h * oldS
}

// withShift does a step of Golub and Kahan.
func (b *chase) withShift(shift float64, first, second *rotated) {
	first.begin(b.start, b.step)
	second.begin(b.start, b.step)
	d0 := *b.at(0)
	f := (math.Abs(d0) - shift) * (math.Copysign(1, d0) + shift/d0)
	g := *b.beside(0)
	for k := range b.last {
		d, next, e := b.at(k), b.at(k+1), b.beside(k)
		c, s, r := impl.Dlartg(f, g)
		if k > 0 {
			*b.beside(k - 1) = r
		}
		first.turn(c, s)
		f = c**d + s**e
		*e = c**e - s**d
		g = s * *next
		*next *= c
		c, s, r = impl.Dlartg(f, g)
		second.turn(c, s)
		*d = r
		f = c**e + s**next
		*next = c**next - s**e
		if k < b.last-1 {
			after := b.beside(k + 1)
			g = s * *after
			*after *= c
		}
	}
	*b.beside(b.last - 1) = f
}
