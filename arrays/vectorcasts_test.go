package arrays

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
)

// TestVectorCasts: conversions by vector give the bits of the plain ones, but for the payloads of NaNs, from any place and for every
// length up to some rounds.
func TestVectorCasts(t *testing.T) {
	plain := plainCasts()
	r := rand.New(rand.NewPCG(5, 6))
	special := []float64{0, math.Copysign(0, -1), 1, -1, 127.9, 128, -129, 255, 256, 32768, 65535.5, -65536, 1 << 31, 1<<31 - 1, -1 << 31, -1<<31 - 1, 1 << 32, 1<<32 + 1,
		1 << 53, 1<<53 + 2, math.MaxInt64, math.MinInt64, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, 1e300, 0.5, -0.5}
	const most = 50
	for from := range DType(numDTypes) {
		x := New(from, most+8)
		for i := range x.Size() {
			v := special[r.IntN(len(special))]
			if r.IntN(3) == 0 {
				v = math.Ldexp(r.NormFloat64(), r.IntN(70))
			}
			plain[Float64][from](x.data[i*from.Size():(i+1)*from.Size()], New(Float64).Add(v).data, 0, 1)
		}
		if from.IsInt() { // not all of whose numbers are float64s
			for i := range x.data {
				if r.IntN(2) == 0 {
					x.data[i] = byte(r.Uint32())
				}
			}
		}
		for to := range DType(numDTypes) {
			for n := range most {
				for _, at := range []int{0, 1, 7} {
					for _, stride := range []int{0, 1} {
						want, got := New(to, n), New(to, n)
						plain[from][to](want.data, x.data, at, stride)
						casts[from][to](got.data, x.data, at, stride)
						if !bytes.Equal(want.data, got.data) && !(to.IsFloat() && sameButNaN(want, got)) {
							t.Fatalf("%d of %v from %d as %v: %v, the plain conversion gives %v", n, from, at, to, got, want)
						}
					}
				}
			}
		}
	}
}
