package arrays

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
)

// TestVectorCasts: conversions by vector give the bits of the plain ones, but for the payloads of NaNs, from any place
// and for every length up to some rounds.
func TestVectorCasts(t *testing.T) {
	plain := plainCasts()
	r := rand.New(rand.NewPCG(5, 6))
	special := []float64{0, math.Copysign(0, -1), 1, -1, 127.9, 128, -129, 255, 256, 32768, 65535.5, -65536, 1 << 31, 1<<31 - 1, -1 << 31, -1<<31 - 1, 1 << 32, 1<<32 + 1,
		1 << 53, 1<<53 + 2, math.MaxInt64, math.MinInt64, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, 1e300, 0.5, -0.5,
		65504, 65519.999, 65520, -65520.5, 0x1p-14, 0x1p-24, 0x1p-25, 0x1.0000000001p-25, 0x1.004p0, 0x1.00400000001p0, 0x1.00bfffffffp0, 0x1.00cp0, -0x1.ffcp-15, 0x1p-126, 0x1p-149}
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
		if from.IsInt() || from == Float16 { // not all of whose numbers are float64s
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

// TestHalfConversions: every float16, and every float32 next to one or to the middle of two, converts to the same bits
// everywhere, those of NaNs included, and to the nearest number.
func TestHalfConversions(t *testing.T) {
	all := New(Float16, 1<<16)
	for i := range elements[half](all.data) {
		elements[half](all.data)[i] = half(i)
	}
	wide := all.AsType(Float32)
	var near []float32
	for i, v := range elements[float32](wide.data) {
		h := half(i)
		if bits := math.Float32bits(h.float()); bits != math.Float32bits(v) {
			t.Fatalf("%#x: %#x, not %#x", i, math.Float32bits(v), bits)
		}
		exp, frac := i>>10&31, float64(i&0x3ff)
		want := math.Ldexp(frac, -24)
		switch {
		case exp == 31 && frac != 0:
			want = math.NaN()
		case exp == 31:
			want = math.Inf(1)
		case exp > 0:
			want = math.Ldexp(0x400+frac, exp-25)
		}
		if want = math.Copysign(want, float64(1-2*(i>>15))); float64(v) != want && want == want {
			t.Fatalf("%#x: %v, not %v", i, v, want)
		}
		bits := math.Float32bits(v)
		for _, step := range []uint32{0, 1, ^uint32(0), 0xfff, 0x1000, 0x1001} { // 0x1000 is half of a step
			near = append(near, math.Float32frombits(bits+step))
		}
	}
	x := FromSlice(near)
	for _, from := range []*Array{x, x.AsType(Float64)} {
		got := elements[half](from.AsType(Float16).data)
		for i, v := range near {
			if want := halfOf(float64(v)); got[i] != want {
				t.Fatalf("%v %v (%#x): %#x, not %#x", from.dtype, v, math.Float32bits(v), got[i], want)
			}
		}
	}
}
