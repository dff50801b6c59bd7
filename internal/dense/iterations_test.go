package dense

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/lapack"
)

// kinds are matrices that iterations find easy and hard.
var kinds = map[string]func(m, n int, rng *rand.Rand) []float64{
	"random": func(m, n int, rng *rand.Rand) []float64 {
		return fillMatrix(m, n, func(_, _ int) float64 { return rng.NormFloat64() })
	},
	"graded": func(m, n int, rng *rand.Rand) []float64 {
		return fillMatrix(m, n, func(i, j int) float64 { return rng.NormFloat64() * math.Pow(10, -float64(i+j)/2) })
	},
	"upwards": func(m, n int, rng *rand.Rand) []float64 {
		return fillMatrix(m, n, func(i, j int) float64 { return rng.NormFloat64() * math.Pow(10, float64(i+j)/4) })
	},
	"low rank": func(m, n int, _ *rand.Rand) []float64 {
		return fillMatrix(m, n, func(i, j int) float64 { return float64((i%3 + 1) * (j%3 - 1)) })
	},
	"zero": func(m, n int, _ *rand.Rand) []float64 { return make([]float64, m*n) },
	"one": func(m, n int, _ *rand.Rand) []float64 {
		return fillMatrix(m, n, func(i, j int) float64 { return map[bool]float64{true: 1}[i == j] })
	},
	"equal": func(m, n int, _ *rand.Rand) []float64 { return fillMatrix(m, n, func(_, _ int) float64 { return 1 }) },
	"zero diagonal": func(m, n int, _ *rand.Rand) []float64 {
		return fillMatrix(m, n, func(i, j int) float64 { return map[bool]float64{true: 1}[i == j+1 || j == i+1] })
	},
	"huge": func(m, n int, rng *rand.Rand) []float64 {
		return fillMatrix(m, n, func(_, _ int) float64 { return rng.NormFloat64() * 1e300 })
	},
	"tiny": func(m, n int, rng *rand.Rand) []float64 {
		return fillMatrix(m, n, func(_, _ int) float64 { return rng.NormFloat64() * 1e-300 })
	},
}

func fillMatrix(m, n int, f func(i, j int) float64) []float64 {
	a := make([]float64, m*n)
	for i := range m {
		for j := range n {
			a[i*n+j] = f(i, j)
		}
	}
	return a
}

// norm is the largest element.
func norm(a []float64) (most float64) {
	for _, v := range a {
		most = max(most, math.Abs(v))
	}
	return most
}

// far is how far qᵀ*q of the m x n matrix q is from one.
func far(m, n int, q []float64) (most float64) {
	for i := range n {
		for j := range n {
			sum := 0.0
			for k := range m {
				sum += q[k*n+i] * q[k*n+j]
			}
			if i == j {
				sum--
			}
			most = max(most, math.Abs(sum))
		}
	}
	return most
}

// Vectors are orthogonal, they make up the matrix, and the values are those of gonum's routine.
func TestSVDAsGonum(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for name, kind := range kinds {
		for _, size := range [][2]int{{1, 1}, {2, 2}, {3, 2}, {5, 5}, {7, 20}, {20, 7}, {33, 33}, {70, 64}, {64, 70}, {90, 20}} {
			for _, full := range []bool{false, true} {
				m, n := size[0], size[1]
				a := kind(m, n, rng)
				least := min(m, n)
				ku, kv := least, least
				if full {
					ku, kv = m, n
				}
				s, u, vt := make([]float64, least), make([]float64, m*ku), make([]float64, kv*n)
				require.NoError(t, SVD(m, n, slices.Clone(a), s, u, vt, full), name)
				largest := max(norm(a), math.SmallestNonzeroFloat64)
				require.Less(t, far(m, ku, u), 1e-13*float64(m), "%s %v %v u", name, size, full)
				require.Less(t, far(n, kv, transposed(kv, n, vt)), 1e-13*float64(n), "%s %v %v vt", name, size, full)
				for i := range m {
					for j := range n {
						sum := 0.0
						for k := range least {
							sum += u[i*ku+k] * (s[k] / largest) * vt[k*n+j]
						}
						require.InDelta(t, a[i*n+j]/largest, sum, 1e-13*float64(m+n), "%s %v %v at %d %d", name, size, full, i, j)
					}
				}
				want := make([]float64, least)
				work := make([]float64, 20*(m+n))
				require.True(t, impl.Dgesvd(lapack.SVDNone, lapack.SVDNone, m, n, slices.Clone(a), n, want, nil, 1, nil, n, work, len(work)))
				for i, v := range want {
					assert.InDelta(t, v/largest, s[i]/largest, 1e-13*float64(m+n), "%s %v value %d", name, size, i)
				}
			}
		}
	}
}

func TestEigenSymmetricAsGonum(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for name, kind := range kinds {
		for _, n := range []int{1, 2, 3, 5, 17, 33, 70} {
			a := kind(n, n, rng)
			for i := range n {
				for j := range i {
					a[j*n+i] = a[i*n+j]
				}
			}
			v, w, want := slices.Clone(a), make([]float64, n), make([]float64, n)
			require.NoError(t, EigenSymmetric(n, v, w, true), name)
			require.NoError(t, EigenSymmetric(n, slices.Clone(a), want, false), name)
			largest := max(norm(a), math.SmallestNonzeroFloat64)
			require.Less(t, far(n, n, v), 1e-13*float64(n), "%s %d", name, n)
			for k := range n {
				assert.InDelta(t, want[k]/largest, w[k]/largest, 1e-13*float64(n), "%s %d value %d", name, n, k)
				for i := range n {
					sum := 0.0
					for j := range n {
						sum += a[i*n+j] / largest * v[j*n+k]
					}
					require.InDelta(t, w[k]/largest*v[i*n+k], sum, 1e-12*float64(n), "%s %d vector %d", name, n, k)
				}
			}
		}
	}
}

// L and U make up the matrix with its rows exchanged, and pivots are those of gonum's routine.
func TestLUAsGonum(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{1, 2, 8, 9, 31, 64, 100, 200} {
		a := kinds["random"](n, n, rng)
		got, want := slices.Clone(a), slices.Clone(a)
		pivots, ok := LU(n, got)
		wanted := make([]int, n)
		require.Equal(t, impl.Dgetrf(n, n, want, n, wanted), ok)
		require.Equal(t, wanted, pivots)
		for i := range got {
			require.InDelta(t, want[i], got[i], 1e-10*float64(n), n)
		}
	}
	_, ok := LU(40, kinds["low rank"](40, 40, rng))
	assert.False(t, ok)
}
