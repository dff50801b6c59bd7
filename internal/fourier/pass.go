package fourier

import "github.com/arrayrepl/arrayrepl/internal/vector"

// vectors are passes by the processor's vectors, which round as the others do; nil where it has none.
var vectors = vector.Fourier()

// do transforms from into to: with m*radix the length that is left and stride neighbours,
// to[q+stride*(radix*p+k)] = w^(p*k) * Σ_j from[q+stride*(p+j*m)] * root^(j*k).
func (s *pass) do(to, from []complex128) {
	switch {
	case vectors != nil && s.byVectors(to, from):
	case s.radix == 4 && s.stride == 1:
		s.four1(to, from)
	case s.radix == 4:
		s.four(to, from)
	case s.radix == 2:
		s.two(to, from)
	case s.radix == 3:
		s.three(to, from)
	default:
		s.any(to, from)
	}
}

// byVectors does it where there is a loop for it, and reports whether there is.
func (s *pass) byVectors(to, from []complex128) bool {
	whole := s.stride%vectors.Numbers == 0
	switch {
	case s.radix == 4 && s.stride == 1 && s.m%vectors.Numbers == 0:
		vectors.FirstFours(s.m, &to[0], &from[0], &s.twiddles[0])
	case s.radix == 4 && whole:
		vectors.Fours(s.m, s.stride, &to[0], &from[0], &s.twiddles[0])
	case s.radix == 2 && whole:
		vectors.Twos(s.m, s.stride, &to[0], &from[0], &s.twiddles[0])
	default:
		return false
	}
	return true
}

// turned is -i*z.
func turned(z complex128) complex128 { return complex(imag(z), -real(z)) }

func (s *pass) four1(to, from []complex128) {
	m := s.m
	a, b, c, d := from[:m], from[m:2*m], from[2*m:3*m], from[3*m:4*m]
	b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
	w1, w2, w3 := s.twiddles[:len(a)], s.twiddles[m:][:len(a)], s.twiddles[2*m:][:len(a)]
	for p := range a {
		t0, t1, t2, t3 := a[p]+c[p], a[p]-c[p], b[p]+d[p], turned(b[p]-d[p])
		z := to[4*p : 4*p+4 : 4*p+4]
		z[0] = t0 + t2
		z[1] = times(t1+t3, w1[p])
		z[2] = times(t0-t2, w2[p])
		z[3] = times(t1-t3, w3[p])
	}
}

func (s *pass) four(to, from []complex128) {
	m, n := s.m, s.stride
	for p := range m {
		w1, w2, w3 := s.twiddles[p], s.twiddles[m+p], s.twiddles[2*m+p]
		a := from[n*p : n*p+n]
		b, c, d := from[n*(p+m):][:len(a)], from[n*(p+2*m):][:len(a)], from[n*(p+3*m):][:len(a)]
		z0 := to[4*n*p:][:len(a)]
		z1, z2, z3 := to[n*(4*p+1):][:len(a)], to[n*(4*p+2):][:len(a)], to[n*(4*p+3):][:len(a)]
		if p == 0 { // the twiddles are 1
			for q := range a {
				t0, t1, t2, t3 := a[q]+c[q], a[q]-c[q], b[q]+d[q], turned(b[q]-d[q])
				z0[q], z1[q], z2[q], z3[q] = t0+t2, t1+t3, t0-t2, t1-t3
			}
			continue
		}
		for q := range a {
			t0, t1, t2, t3 := a[q]+c[q], a[q]-c[q], b[q]+d[q], turned(b[q]-d[q])
			z0[q] = t0 + t2
			z1[q] = times(t1+t3, w1)
			z2[q] = times(t0-t2, w2)
			z3[q] = times(t1-t3, w3)
		}
	}
}

func (s *pass) two(to, from []complex128) {
	m, n := s.m, s.stride
	for p := range m {
		w := s.twiddles[p]
		a := from[n*p : n*p+n]
		b := from[n*(p+m):][:len(a)]
		z0, z1 := to[2*n*p:][:len(a)], to[n*(2*p+1):][:len(a)]
		for q := range a {
			x, y := a[q], b[q]
			z0[q], z1[q] = x+y, times(x-y, w)
		}
	}
}

const half3 = 0.86602540378443864676372317075293618 // the sine of a third of a turn

func (s *pass) three(to, from []complex128) {
	m, n := s.m, s.stride
	for p := range m {
		w1, w2 := s.twiddles[p], s.twiddles[m+p]
		a := from[n*p : n*p+n]
		b, c := from[n*(p+m):][:len(a)], from[n*(p+2*m):][:len(a)]
		z0 := to[3*n*p:][:len(a)]
		z1, z2 := to[n*(3*p+1):][:len(a)], to[n*(3*p+2):][:len(a)]
		for q := range a {
			sum, difference := b[q]+c[q], turned(b[q]-c[q])
			middle := complex(real(a[q])-float64(0.5*real(sum)), imag(a[q])-float64(0.5*imag(sum)))
			side := complex(half3*real(difference), half3*imag(difference))
			z0[q] = a[q] + sum
			z1[q] = times(middle+side, w1)
			z2[q] = times(middle-side, w2)
		}
	}
}

// any is the definition, for odd radices: sums and differences of opposite elements halve the products.
func (s *pass) any(to, from []complex128) {
	r, m, n := s.radix, s.m, s.stride
	half := r / 2
	var room [2 * largestPrime]complex128
	sums, differences := room[:half], room[largestPrime:largestPrime+half]
	for p := range m {
		w := s.twiddles[p:] // of k at (k-1)*m
		for q := range n {
			x0 := from[q+n*p]
			total := x0
			for j := 1; j <= half; j++ {
				x, y := from[q+n*(p+j*m)], from[q+n*(p+(r-j)*m)]
				sums[j-1], differences[j-1] = x+y, turned(x-y)
				total += x + y
			}
			to[q+n*r*p] = total
			for k := 1; k <= half; k++ {
				even, odd := x0, complex128(0)
				at := 0
				for j := range half {
					if at += k; at >= r {
						at -= r
					}
					c, sn := real(s.roots[at]), -imag(s.roots[at])
					even += complex(float64(c*real(sums[j])), float64(c*imag(sums[j])))
					odd += complex(float64(sn*real(differences[j])), float64(sn*imag(differences[j])))
				}
				to[q+n*(r*p+k)] = times(even+odd, w[(k-1)*m])
				to[q+n*(r*p+r-k)] = times(even-odd, w[(r-k-1)*m])
			}
		}
	}
}
