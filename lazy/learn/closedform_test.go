package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/host"
)

// randomSamples are n samples of d features, of which some are constant, or multiples of others.
func randomSamples(r *rand.Rand, n, d int) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for j := range d {
		scale, shift := math.Exp(3*r.NormFloat64()), 10*r.NormFloat64()
		kind, of := r.IntN(8), r.IntN(j+1)
		for i := range n {
			switch {
			case kind == 0:
				x.Set(i, j, shift)
			case kind == 1 && of < j:
				x.Set(i, j, 2*x.At(i, of))
			default:
				x.Set(i, j, scale*r.NormFloat64()+shift)
			}
		}
	}
	return x
}

// TestLinearAsClosedForm: the coefficients are those of the least length among those with the least squares, which
// gonum's singular values give; the residuals are at right angles to the features.
func TestLinearAsClosedForm(t *testing.T) {
	use(t, host.ID)
	sure := 0
	for seed := range testsize.Seeds("lazy/learn.TestLinearAsClosedForm") {
		r := rand.New(rand.NewPCG(seed, 3))
		n, d := 1+r.IntN(30), 1+r.IntN(6)
		x := randomSamples(r, n, d)
		y := mat.NewDense(n, 1, nil)
		for i := range n {
			y.Set(i, 0, 5*r.NormFloat64()+100)
		}
		through := r.IntN(3) == 0
		var options []LinearOption
		centred, means, mean := mat.DenseCopyOf(x), make([]float64, d), 0.0
		target := mat.DenseCopyOf(y)
		if through {
			options = append(options, ThroughOrigin())
		} else {
			for i := range n {
				mean += y.At(i, 0) / float64(n)
				for j := range d {
					means[j] += x.At(i, j) / float64(n)
				}
			}
			for i := range n {
				target.Set(i, 0, y.At(i, 0)-mean)
				for j := range d {
					if centred.Set(i, j, x.At(i, j)-means[j]); math.Abs(centred.At(i, j)) < 1e-13*math.Abs(means[j]) {
						centred.Set(i, j, 0) // of a constant
					}
				}
			}
		}
		var svd mat.SVD
		require.True(t, svd.Factorize(centred, mat.SVDThin))
		want := mat.NewDense(d, 1, nil)
		if rank := svd.Rank(1e-12); rank > 0 {
			svd.SolveTo(want, target, rank)
		}
		intercept := mean
		for j := range d {
			intercept -= means[j] * want.At(j, 0)
		}
		m := NewLinearRegression(options...).Fit(np.FromSlice(x.RawMatrix().Data).Reshape(n, d), y.RawMatrix().Data)
		what := fmt.Sprintf("seed %d: %d samples of %d features, through the origin %v", seed, n, d, through)
		fitted := m.Predict(np.FromSlice(x.RawMatrix().Data).Reshape(n, d)).Float64s()
		var there mat.Dense
		there.Mul(centred, want)
		for i := range n {
			require.InDelta(t, there.At(i, 0)+mean, fitted[i], 1e-7*(100+math.Abs(mean)), what)
		}
		// where rounding decides about the rank, other coefficients fit as well
		if values := svd.Values(nil); slices.ContainsFunc(values, func(v float64) bool { return v > 0 && v < 1e-9*values[0] }) {
			continue
		}
		sure++
		coef := m.Coef().Float64s()
		for j := range d {
			require.InDelta(t, want.At(j, 0), coef[j], 1e-7*(1+math.Abs(want.At(j, 0))), what)
		}
		require.InDelta(t, intercept, m.Intercept().Float64s()[0], 1e-6*(1+math.Abs(intercept)), what)
	}
	require.Greater(t, 2*sure, testsize.Of("lazy/learn.TestLinearAsClosedForm"))
}

// TestLogisticIsAtItsMinimum: at the coefficients that are found, the gradient of what is to be minimised is zero, as
// far as scikit-learn's default asks; probabilities add up to 1, and the most probable class is predicted.
func TestLogisticIsAtItsMinimum(t *testing.T) {
	use(t, host.ID)
	for seed := range testsize.Seeds("lazy/learn.TestLogisticIsAtItsMinimum") {
		r := rand.New(rand.NewPCG(seed, 4))
		n, d, classes := 10+r.IntN(60), 1+r.IntN(4), 2+r.IntN(3)
		x, y := make([]float64, n*d), make([]int, n)
		for i := range n {
			y[i] = i % classes
			for k := range d {
				x[i*d+k] = r.NormFloat64() + float64(y[i]*(k%2))
			}
		}
		c := []float64{0.01, 1, 100}[r.IntN(3)]
		m := NewLogisticRegression(Inverse(c)).Fit(np.FromSlice(x).Reshape(n, d), np.FromSlice(y))
		what := fmt.Sprintf("seed %d: %d samples of %d features in %d classes, C %v", seed, n, d, classes, c)
		p, coef := m.PredictProba(np.FromSlice(x).Reshape(n, d)).Float64s(), m.Coef().Float64s()
		rows := len(coef) / d
		require.Equal(t, map[bool]int{true: 1, false: classes}[classes == 2], rows, what)
		predicted := m.Predict(np.FromSlice(x).Reshape(n, d)).Int64s()
		for row := range rows {
			class := row
			if rows == 1 {
				class = 1
			}
			gradient := make([]float64, d+1)
			for i := range n {
				err := p[i*classes+class]
				if y[i] == class {
					err--
				}
				gradient[d] += err
				for k := range d {
					gradient[k] += err * x[i*d+k]
				}
			}
			for k := range d {
				gradient[k] += coef[row*d+k] / c
			}
			for _, g := range gradient {
				require.InDelta(t, 0, g/float64(n), 2e-4, what)
			}
		}
		for i := range n {
			total, most := 0.0, 0
			for k := range classes {
				total += p[i*classes+k]
				if p[i*classes+k] > p[i*classes+most] {
					most = k
				}
			}
			require.InDelta(t, 1, total, 1e-12, what)
			require.Equal(t, int64(most), predicted[i], what)
		}
	}
}
