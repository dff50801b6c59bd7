package functions

import "github.com/arrayrepl/arrayrepl/gpu"

// AcrossBlocks lets each thread read, after each of some barriers of the grid, what a thread of another block has
// written before it: element i takes a*x + b of the element some places on.
func AcrossBlocks(steps []int32, x, y []int32) {
	i := gpu.GlobalID()
	for _, s := range steps {
		y[i] = 3*x[(i+int(s))%len(x)] + s
		gpu.SyncGrid()
		x[i] = y[i]
		if s%2 == 0 { // the whole grid goes this way
			gpu.SyncGrid()
			x[i] += y[(i+1)%len(y)]
			gpu.SyncGrid()
		}
		gpu.SyncGrid()
	}
}

// SomeBlocks is wrong: the blocks from n on never come to the barrier.
func SomeBlocks(x []int32, n int) {
	if gpu.BlockX() >= n {
		return
	}
	gpu.SyncGrid()
	x[gpu.GlobalID()] = 1
}
