package arrays

import (
	"bytes"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// TestMatMulTiles: products in tiles have the bits of the plain loop, at all edges of tiles and panels, for any number of goroutines.
func TestMatMulTiles(t *testing.T) {
	defer workers.SetCount(0)
	rng := DefaultRNG(11)
	for _, s := range [][3]int{{20, 20, 20}, {1, 9000, 1}, {4, 300, 8}, {5, 257, 17}, {64, 64, 64}, {67, 256, 33}, {130, 513, 31}, {3, 100, 100}, {100, 1, 100}, {129, 65, 7}} {
		for _, d := range []DType{Float64, Float32} {
			x, y := rng.Normal(0, 1, s[0], s[1]).AsType(d), rng.Normal(0, 1, s[1], s[2]).AsType(d)
			x.Set(1e30, 0, 0)
			want := New(d, s[0], s[2])
			if d == Float64 {
				matMulOf[float64](want.data, x.data, y.data, s[1], s[2])
			} else {
				matMulOf[float32](want.data, x.data, y.data, s[1], s[2])
			}
			for _, threads := range []int{1, 2, 5} {
				workers.SetCount(threads)
				if got := MatMul(x, y); !bytes.Equal(got.data, want.data) {
					t.Errorf("%v of %v, %d threads: the tiles give other bits than the plain loop", s, d, threads)
				}
			}
		}
	}
}
