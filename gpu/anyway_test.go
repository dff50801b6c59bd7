package gpu_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/cudabackend/nvrtc"
	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/lifted"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// TestOldMachines: a kernel that an 8800 could not run is not launched on one, the error has the line as it is in the
// source, of Go and of CUDA C, with and without a stream; gpu.Anyway() launches it, and then it is right. What array
// expressions make runs in any case.
func TestOldMachines(t *testing.T) {
	testsize.InTurn(t, 0)
	use(t, "sim:g80")
	halves := liftedKernel(t, "Halves", lifted.Halves)
	failure := func(f func()) (err error) {
		defer func() { err, _ = recover().(error) }()
		f()
		return nil
	}
	var lack *simgpu.Lack
	x := lazy.Full(3.0, 64)
	err := failure(func() { gpu.Launch(halves, 2, 32, x).Eval() })
	require.ErrorAs(t, err, &lack)
	assert.Equal(t, []string{"Halves", "float64", "1.3", "1.0", "y[i] = y[i] * 0.5"}, []string{lack.Kernel, lack.Feature, lack.Needs, lack.Has, lack.Line})
	assert.Contains(t, err.Error(), "lifted.go:")
	err = failure(func() { gpu.NewStream().Launch(halves, 2, 32, gpu.NewBuffer(arrays.Float64, 64)) })
	require.ErrorAs(t, err, &lack)

	x = lazy.Full(3.0, 64)
	gpu.Launch(halves, 2, 32, x, gpu.Anyway())
	assert.Equal(t, 1.5, x.At(63).Item())
	s, b, out := gpu.NewStream(), gpu.NewBuffer(arrays.Float64, 64), make([]float64, 64)
	s.CopyIn(b, lazy.Full(5.0, 64))
	s.Launch(halves, 2, 32, b, gpu.Anyway())
	s.CopyOut(out, b)
	s.Sync()
	assert.Equal(t, 2.5, out[63])
	assert.Equal(t, 64*2.5, lazy.FromSlice(out).Sum().Item(), "an expression of arrays")

	use(t, "sim:gtx280")
	y := lazy.Full(3.0, 64)
	gpu.Launch(halves, 2, 32, y)
	assert.Equal(t, 1.5, y.At(63).Item(), "1.3 has doubles")

	if _, _, err := nvrtc.Version(); err != nil {
		t.Skip(err)
	}
	m := gpu.CUDA("__global__ void sums(float *x) {\n\tint i = threadIdx.x;\n\tatomicAdd(&x[0], x[i]);\n}\n")
	err = failure(func() { gpu.Launch(m, 1, 32, make([]float32, 32)).Eval() })
	require.ErrorAs(t, err, &lack)
	assert.Equal(t, []string{"atomicAdd(&x[0], x[i]);", "atomic sums of float32", "2.0", "1.3"}, []string{lack.Line, lack.Feature, lack.Needs, lack.Has})
}
