package brook

import "testing"

// SetMostEmitted lets calls of a test emit so many elements.
func SetMostEmitted(t *testing.T, n int) {
	before := mostEmitted
	mostEmitted = n
	t.Cleanup(func() { mostEmitted = before })
}

// Fused is how many kernels of maps a function that combines elements has.
func Fused(f any) int {
	_, s := function("brook.Reduce", f)
	return len(fusedOf(s).of)
}

// MostFused is how many there may be.
const MostFused = mostFused
