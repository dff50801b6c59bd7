package vector

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPasses compares the passes of Fourier transforms with their definitions, bit by bit, on whatever loops this
// processor has.
func TestPasses(t *testing.T) {
	all := map[string]*Passes{}
	if hasAVX2 {
		all["AVX2"] = &Passes{2, fours2, firstFours2, twos2}
	}
	if hasAVX512 {
		all["AVX-512"] = &Passes{4, fours512, firstFours512, twos512}
	}
	times := func(z, w complex128) complex128 {
		return complex(float64(real(z)*real(w))-float64(imag(z)*imag(w)), float64(real(z)*imag(w))+float64(imag(z)*real(w)))
	}
	four := func(a, b, c, d complex128) [4]complex128 {
		s := b - d
		t0, t1, t2, t3 := a+c, a-c, b+d, complex(imag(s), -real(s))
		return [4]complex128{t0 + t2, t1 + t3, t0 - t2, t1 - t3}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(n int) []complex128 {
		x := make([]complex128, n)
		for i := range x {
			x[i] = complex(rng.NormFloat64(), rng.NormFloat64())
			if rng.IntN(50) == 0 {
				x[i] = complex(0, math.Copysign(0, -1))
			}
		}
		return x
	}
	same := func(name string, m, n int, got, want []complex128) {
		for i, v := range got {
			if math.Float64bits(real(v)) != math.Float64bits(real(want[i])) || math.Float64bits(imag(v)) != math.Float64bits(imag(want[i])) {
				t.Fatalf("%s, m %d, n %d: number %d is %v, want %v", name, m, n, i, v, want[i])
			}
		}
	}
	for name, p := range all {
		for _, m := range []int{1, 2, 3, 7, 16} {
			for _, n := range []int{p.Numbers, 2 * p.Numbers, 5 * p.Numbers, 64} {
				from, w, got, want := draw(4*m*n), draw(3*m), make([]complex128, 4*m*n), make([]complex128, 4*m*n)
				for i := range m {
					for q := range n {
						z := four(from[n*i+q], from[n*(i+m)+q], from[n*(i+2*m)+q], from[n*(i+3*m)+q])
						for k, v := range z {
							if k > 0 && i > 0 { // those of the first are 1
								v = times(v, w[(k-1)*m+i])
							}
							want[n*(4*i+k)+q] = v
						}
					}
				}
				p.Fours(m, n, &got[0], &from[0], &w[0])
				same(name+" fours", m, n, got, want)
				for i := range m {
					for q := range n {
						x, y := from[n*i+q], from[n*(i+m)+q]
						want[2*n*i+q], want[n*(2*i+1)+q] = x+y, times(x-y, w[i])
					}
				}
				p.Twos(m, n, &got[0], &from[0], &w[0])
				same(name+" twos", m, n, got[:2*m*n], want)
			}
			m := m * p.Numbers
			from, w, got, want := draw(4*m), draw(3*m), make([]complex128, 4*m), make([]complex128, 4*m)
			for i := range m {
				z := four(from[i], from[i+m], from[i+2*m], from[i+3*m])
				want[4*i], want[4*i+1], want[4*i+2], want[4*i+3] = z[0], times(z[1], w[i]), times(z[2], w[m+i]), times(z[3], w[2*m+i])
			}
			p.FirstFours(m, &got[0], &from[0], &w[0])
			same(name+" first fours", m, 1, got, want)
		}
	}
}
