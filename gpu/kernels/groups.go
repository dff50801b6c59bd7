package kernels

import (
	"math"
	"math/bits"
	"slices"

	"github.com/arrayrepl/arrayrepl/gpu"
)

// TileSums adds the elements of in by 16: one sum for each tile.
func TileSums(in, out []float32) {
	t := gpu.Tile(16)
	i := gpu.GlobalID()
	v := float32(0)
	if i < len(in) {
		v = in[i]
	}
	v = t.Reduce(v)
	if t.Rank() == 0 {
		out[i/t.Size()] = v
	}
}

// TileScan scans a block of 256 elements by tiles of 32: each tile its own elements, then one tile the tiles' sums.
func TileScan(x []int32) {
	sums := gpu.Shared[[8]int32]()
	warp, eight := gpu.TileOf[int32](32), gpu.TileOf[int32](8)
	i := gpu.GlobalID()
	v := warp.Scan(x[i])
	if warp.Rank() == warp.Size()-1 {
		sums[gpu.WarpID()] = v
	}
	gpu.Sync()
	if gpu.ThreadX() < 8 {
		sums[gpu.ThreadX()] = eight.Scan(sums[gpu.ThreadX()])
	}
	gpu.Sync()
	if gpu.WarpID() > 0 {
		v += sums[gpu.WarpID()-1]
	}
	x[i] = v
}

// TileSort sorts each eight elements, a bitonic sort in a tile.
func TileSort(x []float32) {
	t := gpu.Tile(8)
	i, r := gpu.GlobalID(), t.Rank()
	v := x[i]
	for k := 2; k <= 8; k *= 2 {
		for j := k / 2; j > 0; j /= 2 {
			other := t.ShflXor(v, j)
			if (r&k == 0) == (r&j == 0) {
				v = min(v, other)
			} else {
				v = max(v, other)
			}
		}
	}
	x[i] = v
}

// CompactTogether copies the positive elements of in to out, in some order: those threads of a warp that have one take
// their places by one atomic.
func CompactTogether(in, out, count []int32) {
	i := gpu.GlobalID()
	if i < len(in) && in[i] > 0 {
		g := gpu.CoalescedOf[int32]()
		first := int32(0)
		if g.Rank() == 0 {
			first = gpu.AtomicAdd(&count[0], int32(g.Size()))
		}
		out[int(g.Shfl(first, 0))+g.Rank()] = in[i]
	}
}

// HistogramTogether counts keys: of the threads of a tile that have the same, the first adds for all.
func HistogramTogether(keys, bins []int32) {
	t := gpu.TileOf[int32](16)
	i := gpu.GlobalID()
	key := int32(-1)
	if i < len(keys) {
		key = keys[i]
	}
	same := t.MatchAny(key)
	if key >= 0 && bits.TrailingZeros32(same) == t.Rank() {
		gpu.AtomicAdd(&bins[key], int32(bits.OnesCount32(same)))
	}
}

// WarpWords reduces each 32 words in six ways by an instruction each, and says whether all are alike.
func WarpWords(x []int32, out [][7]int32) {
	v := x[gpu.GlobalID()]
	s := [7]int32{gpu.ReduceAdd(v), gpu.ReduceMin(v), gpu.ReduceMax(v), gpu.ReduceAnd(v), gpu.ReduceOr(v), gpu.ReduceXor(v), 0}
	if lanes, same := gpu.MatchAll(v); same {
		s[6] = int32(bits.OnesCount32(lanes))
	}
	if gpu.LaneID() == 0 {
		out[gpu.GlobalID()/32] = s
	}
}

// TileSoftmax makes each line of 32 numbers add up to one, a tile for each: their greatest, the exponentials, their
// sum.
func TileSoftmax(x []float32) {
	t := gpu.Tile(32)
	i := gpu.GlobalID()
	v := gpu.Expf(x[i] - t.Max(x[i]))
	x[i] = v / t.Reduce(v)
}

// groups are the kernels of this file.
var groups = []Kernel{
	{
		Name: "TileSums", Func: TileSums, Grid: d1(3), Block: d1(128),
		Args: func() []any { return []any{floats(330, 4), make([]float32, 24)} },
		Want: func(args []any) {
			in, out := args[0].([]float32), args[1].([]float32)
			for i := range out {
				var s [16]float32
				copy(s[:], in[min(16*i, len(in)):])
				for d := 1; d < 16; d *= 2 {
					for j := 0; j < 16; j += 2 * d {
						s[j] += s[j+d]
					}
				}
				out[i] = s[0]
			}
		},
	},
	{
		Name: "TileScan", Func: TileScan, Grid: d1(2), Block: d1(256),
		Args: func() []any { return []any{ints(512, 1<<24, 7)} },
		Want: func(args []any) {
			x := args[0].([]int32)
			for i := range x {
				if i%256 > 0 {
					x[i] += x[i-1]
				}
			}
		},
	},
	{
		Name: "TileSort", Func: TileSort, Grid: d1(2), Block: d1(64),
		Args: func() []any { return []any{floats(128, 9)} },
		Want: func(args []any) {
			for x := args[0].([]float32); len(x) > 0; x = x[8:] {
				slices.Sort(x[:8])
			}
		},
	},
	{
		Name: "CompactTogether", Func: CompactTogether, Grid: d1(3), Block: d1(96), Unordered: true,
		Args: func() []any {
			in := ints(280, 100, 3)
			for i := range in {
				in[i] -= 50
			}
			return []any{in, make([]int32, 280), make([]int32, 1)}
		},
		Want: func(args []any) {
			n := 0
			for _, v := range args[0].([]int32) {
				if v > 0 {
					args[1].([]int32)[n] = v
					n++
				}
			}
			args[2].([]int32)[0] = int32(n)
		},
	},
	{
		Name: "HistogramTogether", Func: HistogramTogether, Grid: d1(4), Block: d1(64),
		Args: func() []any { return []any{ints(250, 5, 8), make([]int32, 5)} },
		Want: func(args []any) {
			for _, k := range args[0].([]int32) {
				args[1].([]int32)[k]++
			}
		},
	},
	{
		Name: "WarpWords", Func: WarpWords, Grid: d1(2), Block: d1(64),
		Args: func() []any {
			x := ints(128, 1<<30, 2)
			for i := 32; i < 64; i++ {
				x[i] = -77
			}
			return []any{x, make([][7]int32, 4)}
		},
		Want: func(args []any) {
			x, out := args[0].([]int32), args[1].([][7]int32)
			for i := range out {
				w := x[32*i : 32*i+32]
				r := [7]int32{0, slices.Min(w), slices.Max(w), -1, 0, 0, 0}
				for _, v := range w {
					r[0] += v
					r[3] &= v
					r[4] |= v
					r[5] ^= v
				}
				if r[1] == r[2] {
					r[6] = 32
				}
				out[i] = r
			}
		},
	},
	{
		Name: "TileSoftmax", Func: TileSoftmax, Grid: d1(2), Block: d1(64), Within: 1e-6,
		Args: func() []any { return []any{floats(128, 5)} },
		Want: func(args []any) {
			for x := args[0].([]float32); len(x) > 0; x = x[32:] {
				top, sum := float64(slices.Max(x[:32])), 0.0
				for _, v := range x[:32] {
					sum += math.Exp(float64(v) - top)
				}
				for i, v := range x[:32] {
					x[i] = float32(math.Exp(float64(v)-top) / sum)
				}
			}
		},
	},
}
