package gpu_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/lifted"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// ranOn returns the device on which a launch ran.
func ranOn(r *gpu.Report) string {
	e := r.Log().Events()
	return strings.TrimSuffix(e[len(e)-1].Device, "#0")
}

// A launch runs on the device that was in use when it was asked for, however late it runs, and what it reads and writes
// goes where it is needed.
func TestLaunchesBelongToTheDeviceInUse(t *testing.T) {
	halves := liftedKernel(t, "Halves", lifted.Halves)
	use(t, "host")
	machines := []string{"sim:v100", "sim:a100", "sim:tiny"}
	x, y := lazy.Full(8.0, 64), lazy.Full(16.0, 64)
	var on []*gpu.Report
	for _, m := range machines {
		lazy.Use(m)
		on = append(on, gpu.Launch(halves, 2, 32, x)) // each after the one before
	}
	lazy.Use("host")
	named := gpu.Launch(halves, 2, 32, y, gpu.On("sim:p100"))
	plain := gpu.Launch(halves, 2, 32, y)
	assert.Equal(t, 1.0, x.At(63).Item())
	assert.Equal(t, 64*4.0+64, lazy.Add(y, x).Sum().Item(), "together with work on the device in use now")
	for i, m := range machines {
		assert.Equal(t, m, ranOn(on[i]))
		assert.Greater(t, on[i].Stats().Cycles, int64(0))
	}
	assert.Equal(t, "sim:p100", ranOn(named))
	assert.Equal(t, "host", ranOn(plain))
	// the other way round, and several GPUs
	lazy.Use("sim:v100x8")
	z := lazy.Full(8.0, 64)
	several := gpu.Launch(halves, 2, 32, z)
	lazy.Use("host")
	one := gpu.Launch(halves, 2, 32, z, gpu.On("sim:v100x8#3"))
	assert.Equal(t, 2.0, z.At(0).Item())
	assert.Contains(t, ranOn(several), "sim:v100x8")
	assert.Equal(t, "sim:v100x8#3", ranOn(one))
}

func TestOnRefuses(t *testing.T) {
	halves := liftedKernel(t, "Halves", lifted.Halves)
	use(t, "sim:tiny")
	failure := func(f func()) (err error) {
		defer func() { err, _ = recover().(error) }()
		f()
		return nil
	}
	require.ErrorContains(t, failure(func() { gpu.Launch(halves, 2, 32, lazy.Full(8.0, 64), gpu.On("sim:v101")) }), `there is no simulated GPU "v101"`)
	require.ErrorContains(t, failure(func() { gpu.Launch(halves, 2, 32, lazy.Full(8.0, 64), gpu.On()) }), "name a device")
	require.ErrorContains(t, failure(func() {
		gpu.NewStream().Launch(halves, 2, 32, gpu.NewBuffer(arrays.Float64, 64), gpu.On("host"))
	}), "gpu.On does not go with a stream")
}
