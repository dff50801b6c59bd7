package kernels

import (
	"math"

	"github.com/arrayrepl/arrayrepl/gpu"
)

// The variables of a device that the kernels of this file use. Each kernel leaves them as it has found them.
var (
	hits, arrived, ticket int32
	partial               [4]int64
	extremes              = struct{ Low, High int32 }{1<<31 - 1, -1 << 31}
	weights               = [5]float32{0.0625, 0.25, 0.375, 0.25, 0.0625}
)

// Addresses are pointers to the variables of a device, by their names.
var Addresses = map[string]any{
	"hits": &hits, "arrived": &arrived, "ticket": &ticket, "partial": &partial, "extremes": &extremes, "weights": &weights,
}

// CountHits counts positive numbers in a variable; the block that comes last says how many.
func CountHits(x []float32, out []int32) {
	if i := gpu.GlobalID(); i < len(x) && x[i] > 0 {
		gpu.AtomicAdd(&hits, 1)
	}
	gpu.Fence()
	gpu.Sync()
	if gpu.ThreadX() == 0 && gpu.AtomicAdd(&arrived, 1) == int32(gpu.GridDimX()-1) {
		out[0] = gpu.AtomicExch(&hits, 0)
		gpu.AtomicExch(&arrived, 0)
	}
}

// LastBlockSum is a sum in one launch: each block has one in a variable, and the block that comes last adds these.
func LastBlockSum(x []int32, out []int64) {
	s := gpu.Shared[[64]int64]()
	t, sum := gpu.ThreadX(), int64(0)
	for i := gpu.GlobalID(); i < len(x); i += gpu.BlockDimX() * gpu.GridDimX() {
		sum += int64(x[i])
	}
	s[t] = sum
	gpu.Sync()
	for h := 32; h > 0; h /= 2 {
		if t < h {
			s[t] += s[t+h]
		}
		gpu.Sync()
	}
	if t > 0 {
		return
	}
	gpu.AtomicExch(&partial[gpu.BlockX()], s[0])
	gpu.Fence()
	if gpu.AtomicAdd(&arrived, 1) == int32(gpu.GridDimX()-1) {
		sum = 0
		for i := range gpu.GridDimX() {
			sum += gpu.AtomicExch(&partial[i], 0)
		}
		out[0] = sum
		gpu.AtomicExch(&arrived, 0)
	}
}

// Extremes finds the least and the greatest number in a variable that is a struct.
func Extremes(x []int32, out []int32) {
	tile := gpu.TileOf[int32](32)
	v := x[gpu.GlobalID()]
	low, high := tile.Min(v), tile.Max(v)
	if tile.Rank() == 0 {
		gpu.AtomicMin(&extremes.Low, low)
		gpu.AtomicMax(&extremes.High, high)
	}
	gpu.Fence()
	gpu.Sync()
	if gpu.ThreadX() == 0 && gpu.AtomicAdd(&arrived, 1) == int32(gpu.GridDimX()-1) {
		out[0], out[1] = gpu.AtomicExch(&extremes.Low, 1<<31-1), gpu.AtomicExch(&extremes.High, -1<<31)
		gpu.AtomicExch(&arrived, 0)
	}
}

// Smooth adds neighbours by the weights of a variable that has values from the start.
func Smooth(in, out []float32) {
	i, sum := gpu.GlobalID(), float32(0)
	for k := range len(weights) {
		sum += float32(weights[k] * in[min(max(i+k-2, 0), len(in)-1)])
	}
	out[i] = sum
}

// Tickets lets threads take work by a counter of the device; the last one that finds none sets it back.
func Tickets(steps []int32, out []int32) {
	for {
		mine := int(gpu.AtomicAdd(&ticket, 1))
		if mine >= len(steps) {
			if mine == len(steps)+gpu.BlockDimX()*gpu.GridDimX()-1 {
				gpu.AtomicExch(&ticket, 0)
			}
			return
		}
		x := int32(mine + 1)
		for range steps[mine] { // Collatz
			if x%2 == 0 {
				x /= 2
			} else {
				x = 3*x + 1
			}
		}
		out[mine] = x
	}
}

// withVariables are the kernels of this file.
var withVariables = []Kernel{
	{
		Name: "CountHits", Func: CountHits, Grid: d1(4), Block: d1(64),
		Args: func() []any { return []any{floats(250, 41), make([]int32, 1)} },
		Want: func(args []any) {
			for _, x := range args[0].([]float32) {
				if x > 0 {
					args[1].([]int32)[0]++
				}
			}
		},
	},
	{
		Name: "LastBlockSum", Func: LastBlockSum, Grid: d1(4), Block: d1(64),
		Args: func() []any { return []any{ints(1000, 1<<30, 42), make([]int64, 1)} },
		Want: func(args []any) {
			for _, x := range args[0].([]int32) {
				args[1].([]int64)[0] += int64(x)
			}
		},
	},
	{
		Name: "Extremes", Func: Extremes, Grid: d1(4), Block: d1(64),
		Args: func() []any { return []any{ints(256, 1<<30, 43), make([]int32, 2)} },
		Want: func(args []any) {
			out := args[1].([]int32)
			out[0], out[1] = math.MaxInt32, math.MinInt32
			for _, x := range args[0].([]int32) {
				out[0], out[1] = min(out[0], x), max(out[1], x)
			}
		},
	},
	{
		Name: "Smooth", Func: Smooth, Grid: d1(4), Block: d1(64),
		Args: func() []any { return []any{floats(256, 44), make([]float32, 256)} },
		Want: func(args []any) {
			in, out := args[0].([]float32), args[1].([]float32)
			for i := range out {
				for k, w := range []float32{1.0 / 16, 4.0 / 16, 6.0 / 16, 4.0 / 16, 1.0 / 16} {
					out[i] += float32(w * in[min(max(i+k-2, 0), len(in)-1)])
				}
			}
		},
	},
	{
		Name: "Tickets", Func: Tickets, Grid: d1(2), Block: d1(32),
		Args: func() []any { return []any{ints(150, 20, 45), make([]int32, 150)} },
		Want: func(args []any) {
			for i, steps := range args[0].([]int32) {
				x := int32(i + 1)
				for range steps {
					x = map[int32]int32{0: x / 2, 1: 3*x + 1}[x%2]
				}
				args[1].([]int32)[i] = x
			}
		},
	},
}
