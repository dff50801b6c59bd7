package dense

import (
	"math"
	"math/cmplx"
)

// EigenComplex is Eigen of the complex n x n matrix a, which it overwrites: the method of LAPACK's zgeev. The matrix is
// balanced (B. Parlett, C. Reinsch, "Balancing a matrix for calculation of eigenvalues and eigenvectors", Numer. Math.
// 13, 1969), taken to Hessenberg form by Householder's reflections and to triangular form by QR steps with Wilkinson's
// shifts (G. Golub, C. Van Loan, "Matrix Computations", 4th edition, algorithms 7.4.2 and 7.5.1); eigenvectors of the
// triangle are found by substitution. The largest component of each eigenvector is real.
func EigenComplex(n int, a, w, vectors []complex128) error {
	if l := InUse(); l != nil && n > 0 {
		if !finiteComplex(a) {
			return ErrNotConverged
		}
		return l.Complex.Eigen(n, a, w, vectors)
	}
	first, ok := scaleToOne(a) // squares and quotients of the elements neither overflow nor vanish
	if !ok {
		return ErrNotConverged
	}
	scales := balance(n, a)
	second, _ := scaleToOne(a)
	s := schur{n: n, t: a, columns: identityOrNil(n, vectors != nil)}
	s.hessenberg()
	if err := s.triangle(); err != nil {
		return err
	}
	for i := range n {
		w[i] = a[i*n+i]
	}
	scaleBy(w, first+second)
	if vectors != nil {
		s.eigenvectors(scales, vectors)
	}
	return nil
}

// scaleToOne divides a by a power of two, so that its largest element is between 1/2 and 2. ok is false of NaN and
// infinity.
func scaleToOne(a []complex128) (exponent int, ok bool) {
	largest := 0.0
	for _, v := range a {
		largest = max(largest, math.Abs(real(v)), math.Abs(imag(v))) // NaN stays
	}
	if math.IsNaN(largest) || math.IsInf(largest, 0) {
		return 0, false
	}
	_, exponent = math.Frexp(largest)
	scaleBy(a, -exponent)
	return exponent, true
}

// scaleBy multiplies by 2^exponent.
func scaleBy(a []complex128, exponent int) {
	for i, v := range a {
		a[i] = complex(math.Ldexp(real(v), exponent), math.Ldexp(imag(v), exponent))
	}
}

func identityOrNil(n int, wanted bool) []complex128 {
	if !wanted {
		return nil
	}
	q := make([]complex128, n*n)
	identity(n, q)
	return q
}

// balance makes rows and columns of a alike in size by powers of two: a becomes D⁻¹·a·D, of which it returns the
// diagonal D.
func balance(n int, a []complex128) []float64 {
	scales := make([]float64, n)
	for i := range scales {
		scales[i] = 1
	}
	for changed := true; changed; {
		changed = false
		for i := range n {
			row, column := 0.0, 0.0
			for j := range n {
				if j != i {
					row += size1(a[i*n+j])
					column += size1(a[j*n+i])
				}
			}
			if row == 0 || column == 0 {
				continue
			}
			// the power of two nearest to the root of row/column, of which squares are in reach
			k := int(math.Round(math.Log2(row/column) / 2))
			f := math.Ldexp(1, k)
			if k == 0 || column*f+row/f >= 0.95*(column+row) || scales[i]*f > 0x1p400 || scales[i]*f < 0x1p-400 {
				continue
			}
			changed = true
			scales[i] *= f
			for j := range n {
				a[i*n+j] /= complex(f, 0)
				a[j*n+i] *= complex(f, 0)
			}
		}
	}
	return scales
}

// schur is a matrix on its way to Q·T·Qᴴ with a triangle T.
type schur struct {
	n       int
	t       []complex128
	columns []complex128 // Q, nil when nobody asks
}

// hessenberg makes all below the first subdiagonal zero.
func (s *schur) hessenberg() {
	n := s.n
	for k := range max(n-2, 0) {
		norm := 0.0
		v := make([]complex128, n-k-1)
		for i := range v {
			v[i] = s.t[(k+1+i)*n+k]
			if i > 0 {
				norm = math.Hypot(norm, cmplx.Abs(v[i]))
			}
		}
		if norm == 0 {
			continue
		}
		// I - tau·v·vᴴ with the first of v 1 takes the column to its length, with the phase that does not cancel.
		norm = math.Hypot(norm, cmplx.Abs(v[0]))
		phase := complex(1, 0)
		if v[0] != 0 {
			phase = v[0] / complex(cmplx.Abs(v[0]), 0)
		}
		lead := v[0] + phase*complex(norm, 0)
		tau := complex(1+cmplx.Abs(v[0])/norm, 0)
		for i := range v {
			v[i] /= lead
		}
		v[0] = 1
		reflect(s.t[(k+1)*n:], n, k, n, v, tau)
		s.reflectColumns(s.t, k+1, v, tau)
		if s.columns != nil {
			s.reflectColumns(s.columns, k+1, v, tau)
		}
		s.t[(k+1)*n+k] = -phase * complex(norm, 0)
		for i := k + 2; i < n; i++ {
			s.t[i*n+k] = 0
		}
	}
}

// reflectColumns applies I - tau·v·vᴴ from the right to the columns from lo on.
func (s *schur) reflectColumns(a []complex128, lo int, v []complex128, tau complex128) {
	poll(2 * s.n * len(v))
	for i := range s.n {
		row := a[i*s.n+lo : (i+1)*s.n]
		sum := complex128(0)
		for j, x := range v {
			sum += row[j] * x
		}
		sum *= tau
		for j, x := range v {
			row[j] -= sum * cmplx.Conj(x)
		}
	}
}

const (
	unitRoundoff = 0x1p-52
	stepsEach    = 40 // QR steps for an eigenvalue, most; two or three are usual
)

// triangle takes the Hessenberg matrix to triangular form, one eigenvalue after the other from the end.
func (s *schur) triangle() error {
	n, t := s.n, s.t
	for hi, steps := n-1, 0; hi > 0; {
		lo := hi
		for ; lo > 0; lo-- {
			// beside its neighbours on the diagonal, or where both are 0 beside the whole matrix, whose largest element
			// is about 1
			beside := size1(t[lo*n+lo]) + size1(t[(lo-1)*n+lo-1])
			if beside == 0 {
				beside = unitRoundoff
			}
			if size1(t[lo*n+lo-1]) <= unitRoundoff*beside {
				t[lo*n+lo-1] = 0
				break
			}
		}
		if lo == hi {
			hi, steps = hi-1, 0
			continue
		}
		if steps++; steps > stepsEach {
			return ErrNotConverged
		}
		shift := s.shift(hi)
		if steps%10 == 0 { // steps may go round in a circle; any other shift leads out
			shift = t[hi*n+hi] + complex(0.75*size1(t[hi*n+hi-1]), 0)
		}
		s.step(lo, hi, shift)
	}
	return nil
}

// shift is the eigenvalue of the last two rows and columns up to hi that is nearer to the last element.
func (s *schur) shift(hi int) complex128 {
	n, t := s.n, s.t
	a, b, c, d := t[(hi-1)*n+hi-1], t[(hi-1)*n+hi], t[hi*n+hi-1], t[hi*n+hi]
	half := (a - d) / 2
	root := cmplx.Sqrt(half*half + b*c)
	if real(half)*real(root)+imag(half)*imag(root) < 0 {
		root = -root
	}
	if half+root == 0 {
		return d
	}
	return d - b*c/(half+root)
}

// step does a QR step of the rows and columns lo to hi: of t - shift = Q·R it makes R·Q + shift.
func (s *schur) step(lo, hi int, shift complex128) {
	n, t := s.n, s.t
	for i := lo; i <= hi; i++ {
		t[i*n+i] -= shift
	}
	type rotation struct {
		c float64
		s complex128
	}
	rotations := make([]rotation, hi-lo)
	poll(8 * n * (hi - lo))
	for k := lo; k < hi; k++ { // rows k and k+1: (c, s; -s̄, c) makes the subdiagonal zero
		x, y := t[k*n+k], t[(k+1)*n+k]
		r := math.Hypot(cmplx.Abs(x), cmplx.Abs(y))
		if r == 0 {
			rotations[k-lo] = rotation{c: 1}
			continue
		}
		phase := complex(1, 0)
		if x != 0 {
			phase = x / complex(cmplx.Abs(x), 0)
		}
		g := rotation{cmplx.Abs(x) / r, phase * cmplx.Conj(y) / complex(r, 0)}
		rotations[k-lo] = g
		upper, lower := t[k*n+k:(k+1)*n], t[(k+1)*n+k:(k+2)*n]
		c, back := complex(g.c, 0), cmplx.Conj(g.s)
		for j, u := range upper {
			l := lower[j]
			upper[j], lower[j] = c*u+g.s*l, c*l-back*u
		}
		lower[0] = 0
	}
	turn := func(row []complex128, from, to int) { // columns from to to of a row
		for k := from; k < to; k++ {
			g := rotations[k-lo]
			c, x, y := complex(g.c, 0), row[k], row[k+1]
			row[k], row[k+1] = c*x+cmplx.Conj(g.s)*y, c*y-g.s*x
		}
	}
	for i := range hi + 1 {
		turn(t[i*n:], max(lo, i-1), hi)
	}
	for i := 0; i < n && s.columns != nil; i++ {
		turn(s.columns[i*n:], lo, hi)
	}
	for i := lo; i <= hi; i++ {
		t[i*n+i] += shift
	}
}

// eigenvectors sets the columns of vectors to those of the matrix that was balanced with scales.
func (s *schur) eigenvectors(scales []float64, vectors []complex128) {
	n, t := s.n, s.t
	x, v := make([]complex128, n), make([]complex128, n)
	for k := range n {
		poll(2 * n * n)
		x[k] = 1
		for i := k - 1; i >= 0; i-- {
			sum := complex128(0)
			for j := i + 1; j <= k; j++ {
				sum += t[i*n+j] * x[j]
			}
			apart := t[i*n+i] - t[k*n+k]
			if size1(apart) < unitRoundoff { // equal eigenvalues: as little apart as rounding puts them
				apart = unitRoundoff
			}
			x[i] = -sum / apart
			if most := size1(x[i]); most > 0x1p300 {
				for j := i; j <= k; j++ {
					x[j] /= complex(most, 0)
				}
			}
		}
		length, most, at := 0.0, 0.0, 0
		for i := range n {
			sum := complex128(0)
			for j := range k + 1 {
				sum += s.columns[i*n+j] * x[j]
			}
			v[i] = sum * complex(scales[i], 0)
			size := cmplx.Abs(v[i])
			if length = math.Hypot(length, size); size > most {
				most, at = size, i
			}
		}
		phase := cmplx.Conj(v[at]) / complex(most, 0)
		for i := range v {
			vectors[i*n+k] = v[i] * phase / complex(length, 0)
		}
		vectors[at*n+k] = complex(real(vectors[at*n+k]), 0)
	}
}
