package kernels

import "github.com/arrayrepl/arrayrepl/gpu"

// PlusReduce adds the elements of in to total[0]: a tree in each block, then an atomic for each block.
func PlusReduce(in, total []int32) {
	s := gpu.Shared[[256]int32]()
	tx, i := gpu.ThreadX(), gpu.GlobalID()
	s[tx] = 0
	if i < len(in) {
		s[tx] = in[i]
	}
	gpu.Sync()
	for h := gpu.BlockDimX() / 2; h > 0; h /= 2 {
		if tx < h {
			s[tx] += s[tx+h]
		}
		gpu.Sync()
	}
	if tx == 0 {
		gpu.AtomicAdd(&total[0], s[0])
	}
}

// warpSum adds v over the lanes of a warp; lane 0 has the sum.
func warpSum(v float32) float32 {
	for d := 16; d > 0; d /= 2 {
		v += gpu.ShflDown(v, d)
	}
	return v
}

// Dot adds x[i]*y[i] over blocks of 256 threads, by shuffles: out has one sum for each block.
func Dot(x, y, out []float32) {
	warps := gpu.Shared[[8]float32]()
	var sum float32
	for i := gpu.GlobalID(); i < len(x); i += gpu.GlobalSize() {
		sum += x[i] * y[i]
	}
	sum = warpSum(sum)
	if gpu.LaneID() == 0 {
		warps[gpu.WarpID()] = sum
	}
	gpu.Sync()
	if gpu.WarpID() == 0 {
		sum = 0
		if gpu.LaneID() < 8 {
			sum = warps[gpu.LaneID()]
		}
		sum = warpSum(sum)
		if gpu.LaneID() == 0 {
			out[gpu.BlockX()] = sum
		}
	}
}

// reductions are the kernels of this file.
var reductions = []Kernel{
	{
		Name: "PlusReduce", Func: PlusReduce, Grid: d1(4), Block: d1(256),
		Args: func() []any { return []any{ints(1000, 1<<20, 1), make([]int32, 1)} },
		Want: func(args []any) {
			for _, v := range args[0].([]int32) {
				args[1].([]int32)[0] += v
			}
		},
	},
	{
		Name: "Dot", Func: Dot, Grid: d1(2), Block: d1(256), Within: 1e-5,
		Args: func() []any { return []any{floats(1000, 1), floats(1000, 2), make([]float32, 2)} },
		Want: func(args []any) {
			x, y, out := args[0].([]float32), args[1].([]float32), args[2].([]float32)
			for i := range x {
				out[i/256%2] += x[i] * y[i]
			}
		},
	},
}
