package tensor_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/tensor"
)

// The greatest and least numbers are those of the tables of the paper "FP8 formats for deep learning", the nearest
// one is found among all, and what is beyond the greatest is that.
func TestFormatsOf8Bits(t *testing.T) {
	e5m2 := func(bits uint8) float32 { // the upper half of a binary16
		sign, e, m := 1-2*float64(bits>>7), int(bits>>2&31), float64(bits&3)
		switch {
		case e == 31 && m == 0:
			return float32(math.Inf(int(sign)))
		case e == 31:
			return float32(math.NaN())
		case e == 0:
			return float32(sign * math.Ldexp(m, -16))
		}
		return float32(sign * math.Ldexp(4+m, e-17))
	}
	for _, f := range []struct {
		name                     string
		format                   tensor.Small
		value                    func(uint8) float32
		greatest, normal, lowest float32
	}{
		{"e4m3", tensor.FormatE4M3, tensor.E4M3, 448, 1.0 / 64, 1.0 / 512},
		{"e5m2", tensor.FormatE5M2, e5m2, 57344, 1.0 / (1 << 14), 1.0 / (1 << 16)},
	} {
		t.Run(f.name, func(t *testing.T) {
			assert.Equal(t, f.greatest, f.value(uint8(f.format.Greatest)))
			assert.Equal(t, f.normal, f.value(1<<f.format.Fraction))
			assert.Equal(t, f.lowest, f.value(1))
			assert.True(t, math.IsNaN(float64(f.value(0x7f))))
			nearest := func(x float32) (best uint8) {
				for code := uint8(1); code <= uint8(f.format.Greatest); code++ {
					size := math.Abs(float64(x))
					d, least := math.Abs(float64(f.value(code))-size), math.Abs(float64(f.value(best))-size)
					if d < least || d == least && code%2 == 0 {
						best = code
					}
				}
				return best | uint8(math.Float32bits(x)>>31<<7)
			}
			r := rand.New(rand.NewPCG(8, 37))
			for range 20_000 {
				x := float32(math.Ldexp(r.Float64()*2-1, r.IntN(44)-24))
				if r.IntN(2) == 0 { // a number of the format, or between two
					x = (f.value(uint8(r.IntN(int(f.format.Greatest)))) + f.value(uint8(r.IntN(int(f.format.Greatest))))) / 2
				}
				require.Equal(t, nearest(x), f.format.Of(x), "%v", x)
			}
			for code := range f.format.Greatest + 1 {
				require.Equal(t, uint8(code), f.format.Of(f.value(uint8(code))))
				require.Equal(t, uint8(code|0x80), f.format.Of(f.value(uint8(code|0x80))))
			}
			inf := float32(math.Inf(-1))
			assert.Equal(t, uint8(f.format.Greatest|0x80), f.format.Of(inf))
			assert.Equal(t, uint8(f.format.Greatest), f.format.Of(math.MaxFloat32))
			assert.Equal(t, uint8(0x7f), f.format.Of(inf-inf))
		})
	}
}

// A tf32 is nearest, and farther from zero of two.
func TestTF32(t *testing.T) {
	assert.Equal(t, uint32(0x3f802000), tensor.TF32Of(math.Float32frombits(0x3f801000)))
	assert.Equal(t, uint32(0xbf802000), tensor.TF32Of(math.Float32frombits(0xbf801000)))
	assert.Equal(t, uint32(0x3f800000), tensor.TF32Of(math.Float32frombits(0x3f800fff)))
	assert.Equal(t, float32(math.Inf(1)), tensor.TF32(tensor.TF32Of(math.MaxFloat32)))
	assert.Equal(t, float32(math.Inf(-1)), tensor.TF32(tensor.TF32Of(float32(math.Inf(-1)))))
	assert.Equal(t, uint32(0x7fffe000), tensor.TF32Of(float32(math.NaN())))
	assert.Equal(t, float32(1), tensor.TF32(0x3f801fff), "the last 13 bits are ignored")
}
