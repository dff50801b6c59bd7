package tensor_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/tensor"
)

// exactly is the sum in math/big, which rounds once.
func exactly(c float32, a, b []float64) float32 {
	sum := new(big.Float).SetPrec(2000).SetFloat64(float64(c))
	for i := range a {
		p := new(big.Float).SetPrec(2000).SetFloat64(a[i])
		sum.Add(sum, p.Mul(p, new(big.Float).SetFloat64(b[i])))
	}
	f, _ := sum.Float32()
	return f
}

// Sums of terms of all sizes, that cancel, that tie and that are subnormal are rounded once. The judge is math/big.
func TestDotIsRoundedOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	for trial := range 20_000 {
		spread := []int{1, 8, 30, 60, 250}[trial%5]
		number := func() float64 {
			if r.IntN(8) == 0 {
				return 0
			}
			return math.Ldexp(float64(r.IntN(511)-255), r.IntN(spread)-spread/2)
		}
		a, b := make([]float64, []int{4, 8, 16, tensor.MostDepth}[trial%4]), make([]float64, tensor.MostDepth)
		for i := range a {
			a[i], b[i] = number(), number()
			if i > 0 && r.IntN(3) == 0 { // near what stands before, and against it
				a[i], b[i] = -a[i-1], b[i-1]
			}
		}
		c := float32(number() * number())
		want, got := exactly(c, a, b), tensor.Dot(c, a, b)
		if want == 0 && got == 0 {
			continue // signs of zeros are tested below
		}
		require.Equal(t, math.Float32bits(want), math.Float32bits(got), "%v + %v · %v = %v, not %v", c, a, b, want, got)
	}
}

func TestDotOfZerosAndInfinities(t *testing.T) {
	zero, one, low := make([]float64, 16), make([]float64, 16), make([]float64, 16)
	for i := range one {
		one[i], low[i] = 1, math.Copysign(0, -1)
	}
	negative := float32(math.Copysign(0, -1))
	assert.False(t, math.Signbit(float64(tensor.Dot(0, zero, one))))
	assert.True(t, math.Signbit(float64(tensor.Dot(negative, low, one))))
	assert.False(t, math.Signbit(float64(tensor.Dot(negative, zero, one))))
	infinite := slices.Clone(one)
	infinite[3] = math.Inf(1)
	assert.Equal(t, float32(math.Inf(1)), tensor.Dot(-3, infinite, one))
	infinite[4] = math.Inf(-1)
	assert.Equal(t, uint32(0x7fc00000), math.Float32bits(tensor.Dot(-3, infinite, one)))
}

// bfloat16 is the upper half of a float32: the nearest is found among all of them.
func TestBrainOf(t *testing.T) {
	for bits := range 1 << 16 {
		x := tensor.Brain(uint16(bits))
		if x != x {
			assert.Equal(t, uint16(0x7fff), tensor.BrainOf(x))
			continue
		}
		require.Equal(t, uint16(bits), tensor.BrainOf(x))
		up := math.Nextafter32(x, float32(math.Inf(1)))
		if !math.IsInf(float64(x), 0) && x != 0 {
			require.Equal(t, uint16(bits), tensor.BrainOf(up), "one float32 above %v", x)
		}
	}
	assert.Equal(t, uint16(0x3f80), tensor.BrainOf(math.Float32frombits(0x3f808000)), "a tie goes to the even one")
	assert.Equal(t, uint16(0x3f82), tensor.BrainOf(math.Float32frombits(0x3f818000)))
	assert.Equal(t, uint16(0x7f80), tensor.BrainOf(math.MaxFloat32))
}
