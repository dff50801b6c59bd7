package kernels

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/gpu"
)

// GridSum adds all elements of in to sums[0] without atomics: each block its part, then block 0 what they have found.
func GridSum(in, sums []float32) {
	s := gpu.Shared[[128]float32]()
	t := gpu.ThreadX()
	v := float32(0)
	for i := gpu.GlobalID(); i < len(in); i += gpu.GlobalSize() {
		v += in[i]
	}
	v = blockSum(s, t, v)
	if t == 0 {
		sums[gpu.BlockX()] = v
	}
	gpu.SyncGrid()
	if gpu.BlockX() > 0 {
		return
	}
	v = 0
	if t < gpu.GridDimX() {
		v = sums[t]
	}
	v = blockSum(s, t, v)
	if t == 0 {
		sums[0] = v
	}
}

// blockSum adds v over a block of 128 threads.
func blockSum(s *[128]float32, t int, v float32) float32 {
	s[t] = v
	gpu.Sync()
	for h := 64; h > 0; h /= 2 {
		if t < h {
			s[t] += s[t+h]
		}
		gpu.Sync()
	}
	return s[0]
}

// GridRelax replaces each inner element by the mean of its neighbours, many times in one launch.
func GridRelax(x, next []float32, steps int) {
	i := gpu.GlobalID()
	inner := i > 0 && i < len(x)-1
	for range steps {
		if inner {
			next[i] = (x[i-1] + x[i+1]) / 2
		}
		gpu.SyncGrid()
		if inner {
			x[i] = next[i]
		}
		gpu.SyncGrid()
	}
}

// GridSort sorts x, an element for each two threads, by comparing neighbours in turns: Batcher's odd-even
// transposition.
func GridSort(x []int32) {
	i := gpu.GlobalID()
	for turn := range len(x) {
		if at := 2*i + turn%2; at+1 < len(x) && x[at] > x[at+1] {
			x[at], x[at+1] = x[at+1], x[at]
		}
		gpu.SyncGrid()
	}
}

// GridScan scans x over the whole grid: each block its part, then all add the sums of the blocks before theirs.
func GridScan(x, sums []int32) {
	tiles := gpu.Shared[[4]int32]()
	t := gpu.TileOf[int32](32)
	i := gpu.GlobalID()
	v := t.Scan(x[i])
	if t.Rank() == 31 {
		tiles[gpu.WarpID()] = v
	}
	gpu.Sync()
	for w := range gpu.WarpID() {
		v += tiles[w]
	}
	if gpu.ThreadX() == gpu.BlockDimX()-1 {
		sums[gpu.BlockX()] = v
	}
	gpu.SyncGrid()
	for b := range gpu.BlockX() {
		v += sums[b]
	}
	x[i] = v
}

// GridComponents gives each vertex the least number of those that a way of edges leads to: until no label has changed,
// each edge lowers the greater of its ends'.
func GridComponents(from, to, label, changed []int32) {
	i := gpu.GlobalID()
	for round := 0; ; round++ { // changed[0] is the last round in which one has
		a, b := int32(0), int32(0)
		if i < len(from) {
			a, b = label[from[i]], label[to[i]]
		}
		gpu.SyncGrid()
		if a != b {
			gpu.AtomicMin(&label[from[i]], b)
			gpu.AtomicMin(&label[to[i]], a)
			gpu.AtomicMax(&changed[0], int32(round+1))
		}
		gpu.SyncGrid()
		done := changed[0] != int32(round+1)
		gpu.SyncGrid()
		if done {
			break
		}
	}
	if i == 0 {
		changed[0] = 0 // how many rounds it took depends on who came first
	}
}

// grids are the kernels of this file.
var grids = []Kernel{
	{
		Name: "GridSum", Func: GridSum, Grid: d1(5), Block: d1(128), Together: true, Within: 1e-5,
		Args: func() []any { return []any{floats(1500, 6), make([]float32, 5)} },
		Want: func(args []any) {
			in, sums := args[0].([]float32), args[1].([]float32)
			for i, v := range in {
				sums[i/128%5] += v
			}
			for _, v := range sums[1:] {
				sums[0] += v
			}
		},
	},
	{
		Name: "GridRelax", Func: GridRelax, Grid: d1(4), Block: d1(64), Together: true,
		Args: func() []any { return []any{floats(250, 7), make([]float32, 250), 5} },
		Want: func(args []any) {
			x, next := args[0].([]float32), args[1].([]float32)
			for range 5 {
				for i := 1; i < len(x)-1; i++ {
					next[i] = (x[i-1] + x[i+1]) / 2
				}
				copy(x[1:len(x)-1], next[1:])
			}
		},
	},
	{
		Name: "GridSort", Func: GridSort, Grid: d1(3), Block: d1(32), Together: true,
		Args: func() []any { return []any{ints(60, 1000, 11)} },
		Want: func(args []any) { slices.Sort(args[0].([]int32)) },
	},
	{
		Name: "GridScan", Func: GridScan, Grid: d1(6), Block: d1(128), Together: true,
		Args: func() []any { return []any{ints(6*128, 1<<20, 12), make([]int32, 6)} },
		Want: func(args []any) {
			x, sums := args[0].([]int32), args[1].([]int32)
			for i := range x {
				sums[i/128] += x[i]
			}
			for i := range x[1:] {
				x[i+1] += x[i]
			}
		},
	},
	{
		Name: "GridComponents", Func: GridComponents, Grid: d1(3), Block: d1(64), Together: true,
		Args: func() []any {
			label := make([]int32, 160)
			for i := range label {
				label[i] = int32(i)
			}
			return []any{ints(150, 160, 13), ints(150, 160, 14), label, []int32{0}}
		},
		Want: func(args []any) { // union-find
			from, to, label := args[0].([]int32), args[1].([]int32), args[2].([]int32)
			var root func(i int32) int32
			root = func(i int32) int32 {
				if label[i] != i {
					label[i] = root(label[i])
				}
				return label[i]
			}
			for i := range from {
				a, b := root(from[i]), root(to[i])
				label[max(a, b)] = min(a, b)
			}
			for i := range label {
				label[i] = root(int32(i))
			}
			args[3].([]int32)[0] = 0
		},
	},
}
