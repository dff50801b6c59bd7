package fma

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestFloat32 compares with the way that always rounds to odd, at sums near the middle between two float32 (a sum of a
// product with few bits and something far smaller), near the ends of the range, and anywhere; package kir compares that
// one with rational arithmetic.
func TestFloat32(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	special := []float32{0, float32(math.Copysign(0, -1)), 1, -1, math.MaxFloat32, -math.MaxFloat32, 0x1p-126, -0x1p-126, 0x1p-149, -0x1p-149,
		float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}
	any := func() float32 {
		switch rng.IntN(4) {
		case 0:
			return special[rng.IntN(len(special))]
		case 1:
			return math.Float32frombits(rng.Uint32())
		case 2:
			return float32(1+rng.IntN(1<<13)) * float32(math.Ldexp(1, rng.IntN(60)-30))
		}
		return float32(rng.NormFloat64())
	}
	middles := 0
	for range 2_000_000 {
		x, y, z := any(), any(), any()
		if rng.IntN(3) == 0 { // x*y is a middle, z decides
			x, y = float32(1<<12+1+2*rng.IntN(1<<10)), float32(1<<12+1+2*rng.IntN(1<<10))
			z = float32(math.Ldexp(rng.Float64()-0.5, -rng.IntN(60)))
			middles++
		}
		got, want := Float32(x, y, z), toOdd(x, y, z)
		if math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
			t.Fatalf("fma(%g, %g, %g) = %g, want %g", x, y, z, got, want)
		}
	}
	if middles < 100_000 {
		t.Errorf("%d sums near a middle", middles)
	}
}
