package arrays

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestMod: the quick way to a remainder gives the bits of math.Mod, which goes bit by bit.
func TestMod(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2+uint64(testsize.Turn())))
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, 0x1p-1022, math.MaxFloat64, 1, 3, 0.1, 1 << 53}
	draw := func() float64 {
		switch r.IntN(4) {
		case 0:
			return special[r.IntN(len(special))]
		case 1:
			return math.Float64frombits(r.Uint64())
		case 2:
			return float64(r.IntN(2000)-1000) / 8
		}
		return math.Ldexp(r.NormFloat64(), r.IntN(120)-60)
	}
	for range testsize.Of("arrays.TestMod") {
		x, y := draw(), draw()
		if r.IntN(4) == 0 { // a quotient at an integer
			x = math.Nextafter(y*float64(r.IntN(1<<20)), math.Inf(1-2*r.IntN(2)))
		}
		if got, want := mod(x, y), math.Mod(x, y); math.Float64bits(got) != math.Float64bits(want) && !(got != got && want != want) {
			t.Fatalf("mod(%v, %v) is %v, not %v", x, y, got, want)
		}
	}
}
