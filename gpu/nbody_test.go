package gpu_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// N bodies on a GeForce 8800 take more than 200 Gflop/s at 20 operations an interaction (Lindholm et al., IEEE Micro
// 2008), and less than its peak, 576, with the inverse of the root in one instruction.
func TestNBodyAtTheRateOfThePaper(t *testing.T) {
	testsize.InTurn(t, 2)
	f, err := kernels.Source("NBodyApprox")
	assert.NoError(t, err)
	const n = 3072
	bodies := make([]kernels.Particle, n)
	for i := range bodies {
		bodies[i] = kernels.Particle{X: float32(i % 17), Y: float32(i % 19), Z: float32(i % 23), M: 1}
	}
	use(t, "sim:g80")
	rate := gpu.Launch(f, n/64, 64, bodies, make([][3]float32, n), float32(0.1)).Rate(20 * n * n)
	t.Log(rate)
	assert.Greater(t, float64(rate), 200e9)
	assert.Less(t, float64(rate), 576e9)
}
