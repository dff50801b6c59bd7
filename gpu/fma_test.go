package gpu_test

import (
	"math"
	"testing"

	"github.com/arrayrepl/arrayrepl/gpu"
)

// The product of 1+2^-12 and 1-2^-12 is 1-2^-24: as a float32 of its own it would be 1, and the sum with -1 would be 0.
func TestFMARoundsOnce(t *testing.T) {
	const e = 1.0 / 4096
	if got := gpu.FMA[float32](1+e, 1-e, -1); got != -1.0/(1<<24) {
		t.Errorf("float32: %g", got)
	}
	if got, want := gpu.FMA(0.1, 10, -1), math.FMA(0.1, 10, -1); got != want || got == 0 {
		t.Errorf("float64: %g, want %g", got, want)
	}
}
