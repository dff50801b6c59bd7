// Package odd is for tests: numbers that functions treat by rules of their own, the devices to compute them on, and
// what comes of it.
package odd

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// Devices are the names that Use takes: the CPU, and where kernels do the work.
var Devices = []string{host.ID, "sim:tiny"}

// Numbers returns n numbers of which some are NaN, infinite or zeros of both signs; in a quarter of the cases all are
// NaN.
func Numbers(r *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, r.NormFloat64(), r.NormFloat64()}[r.IntN(8)]
	}
	if r.IntN(4) == 0 {
		for i := range out {
			out[i] = math.NaN()
		}
	}
	return out
}

// Use lets arrays be computed on a device until the test ends.
func Use(t *testing.T, name string) {
	t.Helper()
	var r device.Registry
	r.Add(host.ID, func() (device.Device, error) { return host.Open(0), nil })
	r.Add("sim:tiny", func() (device.Device, error) { return simgpu.Open("sim:tiny") })
	rt, err := offload.New(&r, host.ID)
	require.NoError(t, err)
	np.Wiring{}.SetRuntime(rt)
	np.Use(name)
	t.Cleanup(func() { np.Use(host.ID) })
}

// Outcome is what f returns, or whether it panics.
func Outcome(f func() []float64) (v []float64, panics bool) {
	defer func() { panics = recover() != nil }()
	return f(), false
}
