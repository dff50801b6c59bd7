package elementary

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/elementary/exact"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

func bigLogOver(base int64) func(x *big.Float) *big.Float {
	return func(x *big.Float) *big.Float {
		b := new(big.Float).SetPrec(exact.Prec).SetInt64(base)
		return new(big.Float).SetPrec(exact.Prec).Quo(exact.Log(x), exact.Log(b))
	}
}

func bigRsqrt(x *big.Float) *big.Float {
	one := new(big.Float).SetPrec(exact.Prec).SetInt64(1)
	return one.Quo(one, new(big.Float).SetPrec(exact.Prec).Sqrt(x))
}

func bigTanh(x *big.Float) *big.Float {
	one := new(big.Float).SetPrec(exact.Prec).SetInt64(1)
	e := exact.Exp(new(big.Float).SetPrec(exact.Prec).Add(x, x))
	up, down := new(big.Float).SetPrec(exact.Prec).Sub(e, one), new(big.Float).SetPrec(exact.Prec).Add(e, one)
	return up.Quo(up, down)
}

// TestRoundedPairs holds the pairs of float32, before they are rounded, to half of the error that is taken for them,
// beside math/big.
func TestRoundedPairs(t *testing.T) {
	testsize.InTurn(t, 0)
	normal := func(f func(m, k float32) pairf) func(x float32) (pairf, bool) {
		return func(x float32) (pairf, bool) { return f(splitf(x)), x != 1 }
	}
	for name, p := range map[string]struct {
		lo, hi, off float64
		pair        func(x float32) (pairf, bool)
		want        func(x *big.Float) *big.Float
	}{
		"exp":              {-0.3466, 0.3466, expOff, func(x float32) (pairf, bool) { return pairf{1, 0}.plus(expm1Pairf(pairf{x, 0})), true }, exact.Exp},
		"log":              {0.3, 3, logarithmOff, normal(logOfPairf), exact.Log},
		"log2":             {0.3, 3, logarithmOff, normal(log2OfPairf), bigLogOver(2)},
		"log10":            {0.3, 3, logarithmOff, normal(log10OfPairf), bigLogOver(10)},
		"log of all sizes": {0x1p-20, 0x1p20, logarithmOff, normal(logOfPairf), exact.Log},
		"sin":              {-800, 800, sinusOff, func(x float32) (pairf, bool) { return sinusPairf(x, 0) }, exact.Sin},
		"cos":              {-800, 800, sinusOff, func(x float32) (pairf, bool) { return sinusPairf(x, 1) }, exact.Cos},
		"tanh":             {0x1p-13, 9.5, tanhOff, func(x float32) (pairf, bool) { return tanhPairf(x), true }, bigTanh},
		"tanh of little":   {0x1p-13, 0.2, tanhOff, func(x float32) (pairf, bool) { return tanhPairf(x), true }, bigTanh},
		"rsqrt":            {0.1, 100, rsqrtOff, func(x float32) (pairf, bool) { return rsqrtPairf(x), true }, bigRsqrt},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		worst, at := 0.0, float32(0)
		for range 2000 {
			x := float32(p.lo + (p.hi-p.lo)*r.Float64())
			y, ok := p.pair(x)
			if !ok {
				continue
			}
			want := p.want(new(big.Float).SetPrec(exact.Prec).SetFloat64(float64(x)))
			got := new(big.Float).SetPrec(exact.Prec).Add(big.NewFloat(float64(y.hi)), big.NewFloat(float64(y.lo)))
			d, _ := got.Quo(got.Sub(got, want), want).Float64()
			if d = math.Abs(d); d > worst {
				worst, at = d, x
			}
		}
		t.Logf("%s: 2^%.1f of 2^%.0f, at %v", name, math.Log2(worst), math.Log2(p.off), at)
		assert.LessOrEqual(t, worst, p.off/2, "%s at %v", name, at)
	}
}

// TestRoundedIsTheFloat64Function: each function has the bits that its float64 function rounds to, at all sorts of
// arguments.
func TestRoundedIsTheFloat64Function(t *testing.T) {
	special := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 0.5, 2, 1e-45, -1e-45, 0x1p-126, 0x1p-127, math.MaxFloat32, -math.MaxFloat32, float32(math.Inf(1)), float32(math.Inf(-1)),
		float32(math.NaN()), 88, 88.5, 88.72284, 89, -87, -87.5, -88, -103.9, -104, 127, 128, -126, -149, -150, 10, 1000, 1e10, math.Pi, math.Pi / 2, 800, 799.99, 1e5, 1e30}
	for _, f := range Rounded {
		if f.Binary != nil {
			continue
		}
		r := rand.New(rand.NewPCG(3, 4))
		require.NotNil(t, f.Wide)
		for i := range 100_000 {
			var x float32
			switch {
			case i < len(special):
				x = special[i]
			case i%4 == 0:
				x = math.Float32frombits(r.Uint32())
			default:
				x = float32(math.Ldexp(r.NormFloat64(), r.IntN(18)-9))
			}
			got, want := f.Unary(x), float32(f.Wide(float64(x)))
			if math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
				require.Failf(t, "other bits", "%s(%g) is %g, not %g", f.Name, x, got, want)
			}
		}
	}
}

// TestPairsDecide: all but two in a thousand results are decided by float32 alone, or the functions would cost more
// than they say.
func TestPairsDecide(t *testing.T) {
	for name, f := range map[string]func(x float32) (float32, bool){
		"exp":   func(x float32) (float32, bool) { return pairf{1, 0}.plus(expm1Pairf(pairf{x / 64, 0})).rounds(expOff) },
		"log":   func(x float32) (float32, bool) { return logOfPairf(splitf(x)).rounds(logarithmOff) },
		"sin":   func(x float32) (float32, bool) { p, _ := sinusPairf(x, 0); return p.rounds(sinusOff) },
		"tanh":  func(x float32) (float32, bool) { return tanhPairf(x / 8).rounds(tanhOff) },
		"rsqrt": func(x float32) (float32, bool) { return rsqrtPairf(x).rounds(rsqrtOff) },
	} {
		r := rand.New(rand.NewPCG(1, 2))
		const n = 100_000
		open := 0
		for range n {
			if _, certain := f(0.1 + 20*r.Float32()); !certain {
				open++
			}
		}
		t.Logf("%s: %.3g %%", name, 100*float64(open)/n)
		assert.Less(t, open, n*2/1000, name)
	}
}
