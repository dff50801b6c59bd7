package brook_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/brook"
	"github.com/arrayrepl/arrayrepl/gpu/brook/internal/streamed"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// What a kernel is can be seen in each form.
func TestSource(t *testing.T) {
	use(t)
	mul := kernel(t, "Mul", streamed.Mul)
	require.Contains(t, brook.Source(mul, "go"), "func Mul(a, b float32) float32")
	require.Contains(t, brook.Source(mul, "kir"), "kernel Mul(n i64, a u64, b u64, out u64)")
	require.Contains(t, brook.Source(mul, "ptx"), "mul.rn.f32")
	require.Contains(t, message(t, func() { brook.Source(mul, "hlsl") }), "there is no form \"hlsl\": go, kir and ptx are there")
}

// The report counts exactly the bytes of the streams that a kernel reads and writes.
func TestStreamedBytes(t *testing.T) {
	use(t)
	n := 1024
	x, y := brook.Of(make([]brook.F4, n)), brook.Of(make([]brook.F4, n))
	brook.Map(kernel(t, "Saxpy", streamed.Saxpy), 2, x, y, brook.On("sim:v100")).Eval()
	for _, e := range trace.Last().Events() {
		if e.Kind == trace.Kernel {
			require.EqualValues(t, 3*16*n, e.Stats.BytesRequested)
		}
	}
	require.Equal(t, []string{"Saxpy"}, kernels())
}
