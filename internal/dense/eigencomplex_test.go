package dense

import (
	"errors"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

func randomComplex(r *rand.Rand, n int) []complex128 {
	a := make([]complex128, n*n)
	for i := range a {
		a[i] = complex(r.NormFloat64(), r.NormFloat64())
	}
	return a
}

// What defines eigenvalues and eigenvectors: A·v = λ·v, vectors of length 1 with a real largest component; values alone
// are the same.
func TestEigenComplex(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 6))
	for _, n := range []int{0, 1, 2, 3, 5, 8, 20, 61} {
		for kind := range 5 {
			a := randomComplex(r, n)
			grade := func(i int) float64 { // sizes from 1 to 2^60 that balancing takes away
				if kind == 4 {
					return math.Ldexp(1, i*60/n)
				}
				return 1
			}
			for i := range a {
				row, column := i/n, i%n
				switch {
				case kind == 1 && row > column, kind == 2 && row > column+1: // a triangle; a Hessenberg matrix
					a[i] = 0
				case kind == 3: // a cycle, at which steps without another shift go round
					a[i] = complex(0, 1)
					if column != (row+1)%n {
						a[i] = 0
					}
				case kind == 4:
					a[i] *= complex(grade(row)/grade(column), 0)
				}
			}
			w, v, alone := make([]complex128, n), make([]complex128, n*n), make([]complex128, n)
			if err := EigenComplex(n, append([]complex128(nil), a...), w, v); err != nil {
				t.Fatalf("n %d, kind %d: %v", n, kind, err)
			}
			if err := EigenComplex(n, append([]complex128(nil), a...), alone, nil); err != nil {
				t.Fatal(err)
			}
			for k := range n {
				if w[k] != alone[k] {
					t.Errorf("n %d, kind %d: eigenvalue %d is %v with vectors, %v without", n, kind, k, w[k], alone[k])
				}
				// the least imaginary part of a largest component: several may be as large
				length, most, turned := 0.0, 0.0, math.Inf(1)
				for i := range n {
					most = max(most, cmplx.Abs(v[i*n+k]))
				}
				left, sizes := make([]complex128, n), 1e-300
				for i := range n {
					x := v[i*n+k]
					length = math.Hypot(length, cmplx.Abs(x))
					if cmplx.Abs(x) > most*(1-1e-12) {
						turned = min(turned, math.Abs(imag(x)))
					}
					left[i] = -w[k] * x
					size := cmplx.Abs(w[k] * x)
					for j := range n {
						left[i] += a[i*n+j] * v[j*n+k]
						size += cmplx.Abs(a[i*n+j] * v[j*n+k])
					}
					left[i] /= complex(grade(i), 0)
					sizes = max(sizes, size/grade(i))
				}
				for i, d := range left {
					if cmplx.Abs(d) > 1e-13*float64(n)*sizes {
						t.Errorf("n %d, kind %d: row %d of A·v - λ·v is %v for eigenvalue %v, beside terms of %v", n, kind, i, d, w[k], sizes)
					}
				}
				if math.Abs(length-1) > 1e-14 || turned > 1e-14 {
					t.Errorf("n %d, kind %d: vector %d has length %v, its largest component the imaginary part %v", n, kind, k, length, turned)
				}
			}
		}
	}
}

// A matrix times a power of two has its eigenvalues times that, to the last bit, up to the ends of the numbers' range.
func TestEigenComplexOfAnySize(t *testing.T) {
	const n = 4
	a := randomComplex(rand.New(rand.NewPCG(2, 6)), n)
	want := make([]complex128, n)
	if err := EigenComplex(n, append([]complex128(nil), a...), want, nil); err != nil {
		t.Fatal(err)
	}
	for _, exponent := range []int{-900, 900, 1015} {
		b, got := append([]complex128(nil), a...), make([]complex128, n)
		scaleBy(b, exponent)
		if err := EigenComplex(n, b, got, nil); err != nil {
			t.Fatal(err)
		}
		for k := range got {
			if got[k] != complex(math.Ldexp(real(want[k]), exponent), math.Ldexp(imag(want[k]), exponent)) {
				t.Errorf("eigenvalue %d of 2^%d times the matrix is %v, not %v times that", k, exponent, got[k], want[k])
			}
		}
	}
	for _, bad := range []complex128{complex(math.NaN(), 0), complex(0, math.Inf(1))} {
		a[5] = bad
		if err := EigenComplex(n, append([]complex128(nil), a...), want, nil); !errors.Is(err, ErrNotConverged) {
			t.Errorf("of a matrix with %v: %v", bad, err)
		}
	}
}
