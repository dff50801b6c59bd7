package elementary

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/elementary/exact"
)

// TestPairsOfPow holds the logarithm to 2^-43 of itself, and the power, before it is rounded, to half of the error that
// is taken for it, beside math/big: up to the ends of the range, and for bases near 1 with large exponents.
func TestPairsOfPow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	wide := func(x float64) *big.Float { return new(big.Float).SetPrec(exact.Prec).SetFloat64(x) }
	sum := func(p pairf, scale int) *big.Float {
		s := new(big.Float).SetPrec(exact.Prec).Add(wide(float64(p.hi)), wide(float64(p.lo)))
		return s.SetMantExp(s, scale)
	}
	off := func(got, want *big.Float) float64 {
		d, _ := new(big.Float).SetPrec(exact.Prec).Quo(got.Sub(got, want), want).Float64()
		return math.Abs(d)
	}
	log2 := bigLogOver(2)
	worstLog, worst := 0.0, 0.0
	for i := range 2000 {
		x := float32(math.Exp2(200*r.Float64() - 100))
		if i%2 == 0 {
			x = float32(1 + math.Ldexp(r.NormFloat64(), -r.IntN(20)-2))
		}
		if x == 1 {
			continue
		}
		logarithm := log2(wide(float64(x)))
		e := powLog2Pairf(splitf(x))
		worstLog = max(worstLog, off(sum(e, 0), logarithm))
		rough, _ := logarithm.Float64()
		y := float32((250*r.Float64() - 124) / rough)
		p, k := exp2Pairf(e.times(y))
		want := exact.Exp(new(big.Float).SetPrec(exact.Prec).Mul(wide(float64(y)), exact.Log(wide(float64(x)))))
		worst = max(worst, off(sum(p, int(k)), want))
	}
	t.Logf("logarithm 2^%.1f, power 2^%.1f", math.Log2(worstLog), math.Log2(worst))
	assert.LessOrEqual(t, worstLog, 0x1p-43)
	assert.LessOrEqual(t, worst, powOff/2)
}

// TestPowRoundedIsTheFloat64Function: the bits that the float64 function rounds to, at all sorts of arguments, and
// nearly all from float32 alone.
func TestPowRoundedIsTheFloat64Function(t *testing.T) {
	inf := float32(math.Inf(1))
	special := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 0.5, -0.5, 2, 3, -2, 1.5, 0.25, 1e-45, 0x1p-126, math.MaxFloat32, -math.MaxFloat32, inf, -inf,
		float32(math.NaN()), 127, 128, -126, -149, -150, 1e10, 16777217, 0.99999994, 1.0000001}
	agree := func(x, y float32) {
		got, want := PowRounded(x, y), float32(Pow(float64(x), float64(y)))
		if math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
			require.Failf(t, "other bits", "pow(%g, %g) is %g, not %g", x, y, got, want)
		}
	}
	for _, x := range special {
		for _, y := range special {
			agree(x, y)
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	const n = 50_000
	open := 0
	for i := range n {
		agree(math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32()))
		x, y := float32(math.Exp(3*r.NormFloat64())), float32(4*r.NormFloat64())
		if i%4 == 0 {
			y = float32(r.IntN(9)-4) / 2
		}
		agree(x, y)
		p, _ := exp2Pairf(powLog2Pairf(splitf(x)).times(y))
		if _, certain := p.rounds(powOff); !certain {
			open++
		}
	}
	t.Logf("%.3g %% are left to float64", 100*float64(open)/n)
	assert.Less(t, open, n*3/1000)
}
