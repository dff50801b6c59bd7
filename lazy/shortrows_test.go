package lazy_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

// TestShortRowsAddAsLongOnesDo: blocks with fewer threads add in the order of a tree of 256 threads, of which those
// without an element bring nothing: the judge is such a tree in plain Go.
func TestShortRowsAddAsLongOnesDo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{33, 63, 64, 65, 100, 128, 129, 255, 256, 257} {
		const rows = 5
		x := make([]float64, rows*n)
		for i := range x {
			x[i] = r.NormFloat64() * float64(uint64(1)<<r.IntN(40))
		}
		want := make([]float64, rows)
		for row := range want {
			var tree [256]float64
			for i, v := range x[row*n:][:n] {
				tree[i%256] += v
			}
			for s := 128; s > 0; s /= 2 {
				for i := range s {
					tree[i] += tree[i+s]
				}
			}
			want[row] = tree[0]
		}
		y := np.Sum(np.FromSlice(x).Reshape(rows, n), np.Axis(1))
		assert.Equal(t, want, y.Float64s(), fmt.Sprintf("rows of %d", n))
	}
}
