package gpu_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu"
)

// flushPTX is y[i] = x[i]·x[i] + y[i], twice, as compilers write it with and without --use_fast_math.
const flushPTX = `
.version 7.0
.target sm_70
.address_size 64
.visible .entry chain(.param .u64 y, .param .u64 x) {
	.reg .b32 %r<2>;
	.reg .b64 %rd<8>;
	.reg .f32 %f<8>;
	ld.param.u64 %rd1, [y];
	ld.param.u64 %rd2, [x];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd3, %r1, 4;
	add.s64 %rd4, %rd1, %rd3;
	add.s64 %rd5, %rd2, %rd3;
	ld.global.f32 %f1, [%rd5];
	ld.global.f32 %f2, [%rd4];
	fma.rn.f32 %f3, %f1, %f1, %f2;
	mul.f32 %f4, %f3, %f1;
	add.f32 %f5, %f4, %f2;
	st.global.f32 [%rd4], %f5;
	ret;
}
`

// TestFlushingIsInTheInstruction: a machine makes zeros of subnormal numbers in the instruction that takes or makes
// them, so a kernel of --use_fast_math takes no instruction more. The expected numbers are of float32 arithmetic in Go.
func TestFlushingIsInTheInstruction(t *testing.T) {
	use(t, "sim:v100")
	const small = 0x1p-130 // subnormal
	x := []float32{1.5, small, -small, 3, float32(math.Inf(1)), 0x1p-126}
	run := func(text string) ([]float32, *gpu.Report) {
		y := []float32{2, 1, small, -small, 1, 0}
		r := gpu.Launch(gpu.PTX(text), 1, len(x), y, x)
		return y, r
	}
	want := func(flush func(float32) float32) []float32 {
		y := []float32{2, 1, small, -small, 1, 0}
		for i, v := range x {
			v, w := flush(v), flush(y[i])
			s := flush(float32(float64(v)*float64(v) + float64(w))) // exact before the rounding, for these numbers
			y[i] = flush(flush(s*v) + w)
		}
		return y
	}
	plain, r := run(flushPTX)
	assert.Equal(t, want(func(v float32) float32 { return v }), plain)
	flushed, f := run(strings.NewReplacer("fma.rn.f32", "fma.rn.ftz.f32", "mul.f32", "mul.ftz.f32", "add.f32", "add.ftz.f32").Replace(flushPTX))
	assert.Equal(t, want(func(v float32) float32 {
		if math.Abs(float64(v)) < 0x1p-126 {
			return float32(math.Copysign(0, float64(v)))
		}
		return v
	}), flushed)
	require.Equal(t, r.Stats().WarpInstructions, f.Stats().WarpInstructions)
	require.Equal(t, r.Time(), f.Time())
	require.Equal(t, r.Stats().Registers, f.Stats().Registers)
}
