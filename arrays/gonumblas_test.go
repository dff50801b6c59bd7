package arrays

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/blas/testblas"
)

// gonum's own tests of the routines.
func TestTiledBLASByGonum(t *testing.T) {
	if tiles64 == nil {
		t.Skip("no vector loops: gonum's own BLAS is in use")
	}
	var b tiledBLAS
	for name, test := range map[string]func(*testing.T){
		"Dgemm":  func(t *testing.T) { testblas.TestDgemm(t, b) },
		"Dgemv":  func(t *testing.T) { testblas.DgemvTest(t, b) },
		"Dger":   func(t *testing.T) { testblas.DgerTest(t, b) },
		"Dsymv":  func(t *testing.T) { testblas.DsymvTest(t, b) },
		"Dsyrk":  func(t *testing.T) { testblas.DsyrkTest(t, b) },
		"Dsyr2k": func(t *testing.T) { testblas.Dsyr2kTest(t, b) },
		"Dtrmm":  func(t *testing.T) { testblas.DtrmmTest(t, b) },
		"Dtrsm":  func(t *testing.T) { testblas.DtrsmTest(t, b) },
	} {
		t.Run(name, test)
	}
}

// Sizes above those of gonum's tests, on which the cuts lie, beside gonum's own loops.
func TestTiledBLASBesideGonum(t *testing.T) {
	if tiles64 == nil {
		t.Skip("no vector loops: gonum's own BLAS is in use")
	}
	var ours tiledBLAS
	var theirs gonum.Implementation
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []float64 {
		s := make([]float64, n)
		for i := range s {
			s[i] = rng.Float64() - 0.5
		}
		return s
	}
	triangles := func(n, ld int) []float64 { // dominated by the diagonal, so that solving does not grow
		s := random(n * ld)
		for i := range n {
			s[i*ld+i] += 8
			for j := range n {
				if i != j {
					s[i*ld+j] /= float64(n)
				}
			}
		}
		return s
	}
	type routines interface {
		blas.Float64Level2
		blas.Float64Level3
	}
	type call func(b routines, c []float64)
	for range 60 {
		m, n, k := 1+rng.IntN(150), 1+rng.IntN(150), 1+rng.IntN(150)
		pad := rng.IntN(3)
		ld := max(m, n, k) + pad
		alpha, beta := []float64{1, -1, 0.5}[rng.IntN(3)], []float64{0, 1, -0.5}[rng.IntN(3)]
		tA, tB := []blas.Transpose{blas.NoTrans, blas.Trans}[rng.IntN(2)], []blas.Transpose{blas.NoTrans, blas.Trans}[rng.IntN(2)]
		ul, d := []blas.Uplo{blas.Lower, blas.Upper}[rng.IntN(2)], []blas.Diag{blas.Unit, blas.NonUnit}[rng.IntN(2)]
		side := []blas.Side{blas.Left, blas.Right}[rng.IntN(2)]
		a, b, c := random(ld*ld), random(ld*ld), random(ld*ld)
		of := m
		if side == blas.Right {
			of = n
		}
		triangle := triangles(of, ld)
		stepX, stepY := 1+rng.IntN(2), 1+rng.IntN(2)
		x, y := random(2*ld), random(2*ld)
		for name, do := range map[string]call{
			"dgemm": func(l routines, c []float64) {
				l.Dgemm(tA, tB, m, n, k, alpha, a, ld, b, ld, beta, c, ld)
			},
			"dgemv": func(l routines, c []float64) {
				l.Dgemv(tA, m, n, alpha, a, ld, x, stepX, beta, c, stepY)
			},
			"dger": func(l routines, c []float64) {
				l.Dger(m, n, alpha, x, stepX, y, stepY, c, ld)
			},
			"dsymv": func(l routines, c []float64) {
				l.Dsymv(ul, n, alpha, a, ld, x, stepX, beta, c, stepY)
			},
			"dsyrk": func(l routines, c []float64) {
				l.Dsyrk(ul, tA, n, k, alpha, a, ld, beta, c, ld)
			},
			"dsyr2k": func(l routines, c []float64) {
				l.Dsyr2k(ul, tA, n, k, alpha, a, ld, b, ld, beta, c, ld)
			},
			"dtrsm": func(l routines, c []float64) {
				l.Dtrsm(side, ul, tA, d, m, n, alpha, triangle, ld, c, ld)
			},
			"dtrmm": func(l routines, c []float64) {
				l.Dtrmm(side, ul, tA, d, m, n, alpha, triangle, ld, c, ld)
			},
		} {
			got, want := append([]float64(nil), c...), append([]float64(nil), c...)
			do(ours, got)
			do(theirs, want)
			for i := range want {
				if math.Abs(got[i]-want[i]) > 1e-12*(1+math.Abs(want[i])) {
					t.Fatalf("%s m=%d n=%d k=%d ld=%d alpha=%v beta=%v %c %c %c %c %c at %d: %v, not %v", name, m, n, k, ld, alpha, beta, tA, tB, ul, d, side, i, got[i], want[i])
				}
			}
		}
	}
}

// A NaN goes where the definition of a product takes it, whatever the size: through a zero too, but not out of what
// beta 0 forgets.
func TestTiledBLASNaN(t *testing.T) {
	if tiles64 == nil {
		t.Skip("no vector loops: gonum's own BLAS is in use")
	}
	var b tiledBLAS
	for _, n := range []int{2, 5, 40, 150} {
		a, x, c := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
		for i := range x {
			x[i], c[i] = 1, math.NaN()
		}
		x[0] = math.NaN()
		b.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, a, n, x, n, 0, c, n)
		for i := range n {
			require.True(t, math.IsNaN(c[i*n]), "0 times NaN, n=%d", n)
			require.Zero(t, c[i*n+1])
		}
		y := make([]float64, n)
		y[0] = math.NaN()
		b.Dgemv(blas.NoTrans, n, n, 1, a, n, make([]float64, n), 1, 0, y, 1)
		assert.Zero(t, y[0])
		b.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 0, x, n, x, n, 0, c, n)
		assert.Zero(t, c[0], "alpha 0")
	}
}
