package gpu_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
)

// TestSectorsOfAProduct: a plain product of n x n matrices takes the sectors that its text says, counted warp by warp
// and load by load, however many rounds its loop has beside its four unrolled ones.
func TestSectorsOfAProduct(t *testing.T) {
	use(t, "sim:v100")
	product, err := kernels.Source("MatMul")
	require.NoError(t, err)
	for _, n := range []int{1, 2, 3, 4, 5, 13, 16, 30} {
		a, b, c := make([]float32, n*n), make([]float32, n*n), make([]float32, n*n)
		blocks := (n + 15) / 16
		st := gpu.Launch(product, gpu.Grid(blocks, 8*blocks), gpu.Block(16, 2), a, b, c, n).Stats()
		want := 0
		for block := range blocks * 8 * blocks { // of one warp
			sectors := func(index func(row, col int) int) int {
				seen := map[int]bool{}
				for lane := range 32 {
					row, col := block/blocks*2+lane/16, block%blocks*16+lane%16
					if row < n && col < n {
						seen[index(row, col)/8] = true
					}
				}
				return len(seen)
			}
			for k := range n {
				want += sectors(func(row, _ int) int { return row*n + k }) + sectors(func(_, col int) int { return k*n + col })
			}
			want += sectors(func(row, col int) int { return row*n + col })
		}
		assert.EqualValues(t, want, st.Sectors, "n is %d", n)
	}
}

// TestPredicatesOfNoLane: a load, a store and an atomic under a condition that no lane of a warp fulfils make no
// request and no sector, in the launch's counters and in those of its lines; each warp whose lanes fulfil it makes one
// of each.
func TestPredicatesOfNoLane(t *testing.T) {
	for _, machine := range []string{"sim:g80", "sim:gtx480", "sim:v100"} {
		use(t, machine)
		saxpy, err := kernels.Source("Saxpy")
		require.NoError(t, err)
		for _, n := range []int{0, 32, 64, 256} {
			x, y := make([]float32, n), make([]float32, n)
			r := gpu.Launch(saxpy, 1, 256, float32(2), x, y)
			lines := gpu.LineCost{}
			for _, l := range r.Lines().List {
				lines.Requests += l.Requests
				lines.Sectors += l.Sectors
			}
			assert.EqualValues(t, 3*4*n/32, r.Stats().Sectors, "%s, %d elements", machine, n)
			assert.EqualValues(t, 3*4*n/32, lines.Sectors, "%s, %d elements", machine, n)
			assert.EqualValues(t, 3*n/32, lines.Requests, "%s, %d elements", machine, n)
		}
	}
}
