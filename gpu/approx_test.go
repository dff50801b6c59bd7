package gpu_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/functions"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

func approximated(v float32) []float32 {
	a := gpu.Approx
	return []float32{a.Rcp(v), a.Rsqrt(v), a.Sqrt(v), a.Exp2(v), a.Log2(v), a.Sin(v), a.Cos(v), a.Div(3, v)}
}

// bitsOf makes one NaN of all.
func bitsOf(y []float32) (out []uint32) {
	for _, v := range y {
		if v != v {
			v = float32(math.NaN())
		}
		out = append(out, math.Float32bits(v))
	}
	return out
}

// What is approximated has the bits of the Go methods on every device, in gpu.Emulate, in warps that part, for numbers
// of all sizes.
func TestApproximationsAreTheSameEverywhere(t *testing.T) {
	testsize.InTurn(t, 0)
	const n = 1024
	kernel := kernelOf(t, "./internal/functions", "Approximated", functions.Approximated)
	r := rand.New(rand.NewPCG(11, 12))
	x := []float32{0, float32(math.Copysign(0, -1)), 1, -1, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1e-40, -1e-45, 3e38, 0.5, 2}
	for len(x) < n {
		x = append(x, math.Float32frombits(r.Uint32()))
	}
	var want []float32
	for f := range 8 {
		for _, v := range x {
			want = append(want, approximated(v)[f])
		}
	}
	emulated := make([]float32, len(want))
	gpu.Emulate(kernel, n/128, 128, emulated, x)
	assert.Equal(t, bitsOf(want), bitsOf(emulated))
	for _, device := range []string{"host", "sim:g80", "sim:v100", "sim:tesla2009"} {
		use(t, device)
		y := make([]float32, len(want))
		gpu.Launch(kernel, n/128, 128, y, x)
		assert.Equal(t, bitsOf(want), bitsOf(y), device)
	}
	use(t, simgpu.Custom("g80", simgpu.Tesla1()))
	y := make([]float32, len(want))
	gpu.Launch(kernel, n/128, 128, y, x)
	for i := range y {
		assert.False(t, y[i] != 0 && math.Abs(float64(y[i])) < 0x1p-126, "subnormal on Tesla1: %g", y[i])
	}
	assert.True(t, math.IsInf(float64(y[7]), 1), "1/1e-40 on Tesla1: %g", y[7])
}

// Fast math computes by gpu.Approx and gpu.FMA, alike on all devices, in less time on a simulated GPU.
func TestFastMath(t *testing.T) {
	const n = 512
	kernel := kernelOf(t, "./internal/functions", "Fast", functions.Fast)
	r := rand.New(rand.NewPCG(13, 14))
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(math.Ldexp(1+r.Float64(), r.IntN(8)-4))
	}
	a := gpu.Approx
	const log2e, ln2, log2 = float32(math.Log2E), float32(math.Ln2), float32(math.Ln2 / math.Ln10)
	want := make([]float32, 17*n)
	for i, v := range x {
		for f, y := range []float32{
			a.Rcp(v), a.Rsqrt(v), a.Rsqrt(v), a.Sqrt(v), a.Sqrt(v), a.Exp2(v), a.Log2(v), a.Sin(v), a.Cos(v), a.Exp2(v * log2e), a.Log2(v) * ln2, a.Log2(v) * log2,
			a.Exp2(1.5 * a.Log2(v)), a.Sin(v) * a.Rcp(a.Cos(v)), gpu.FMA(-2, a.Rcp(a.Exp2(v*(2*math.Log2E))+1), 1), gpu.FMA(v, v, x[0]), gpu.FMA(-v, v, x[0]),
		} {
			want[f*n+i] = y
		}
	}
	for _, device := range []string{"host", "sim:g80", "sim:v100"} {
		use(t, device)
		y := make([]float32, len(want))
		fast := gpu.Launch(kernel, n/128, 128, y, x, gpu.FastMath())
		assert.Equal(t, want, y, device)
		if device != "host" {
			exact := gpu.Launch(kernel, n/128, 128, make([]float32, len(want)), x)
			require.Less(t, fast.Stats().WarpInstructions, exact.Stats().WarpInstructions/3, device)
		}
	}
}
