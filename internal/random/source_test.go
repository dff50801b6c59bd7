package random

import (
	"math"
	"testing"
)

// TestBits: the bits that NumPy's PCG64(42) gives.
func TestBits(t *testing.T) {
	s := New(42)
	// numpy.random.PCG64(42).random_raw(3)
	for i, want := range []uint64{14276969152011380360, 8095878257575067585, 15838336090824644132} {
		if got := s.Uint64(); got != want {
			t.Errorf("number %d is %d, NumPy's %d", i, got, want)
		}
	}
}

// TestStrips: the strips of the ziggurats have equal areas, and the tables fit each other.
func TestStrips(t *testing.T) {
	area := normalEdge * math.Exp(-normalEdge*normalEdge/2)
	area += math.Sqrt(math.Pi/2) * math.Erfc(normalEdge/math.Sqrt2)
	for i := 2; i < 256; i++ {
		x := normalWidth[i] * (1 << 52)
		if a := x * (normalHeight[i-1] - normalHeight[i]); math.Abs(a-area) > 1e-15 {
			t.Errorf("strip %d of the normal density has area %v, want %v", i, a, area)
		}
		if h := math.Exp(-x * x / 2); math.Abs(h-normalHeight[i]) > 1e-15 {
			t.Errorf("height %d is %v, want %v", i, normalHeight[i], h)
		}
	}
}
