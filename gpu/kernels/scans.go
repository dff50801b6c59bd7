package kernels

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/gpu"
)

// HillisSteele is the inclusive sum of a block's elements in log2(n) steps of all threads.
func HillisSteele(x []int32) {
	s := gpu.Shared[[256]int32]()
	t := gpu.ThreadX()
	s[t] = x[gpu.GlobalID()]
	gpu.Sync()
	for d := 1; d < gpu.BlockDimX(); d *= 2 {
		var v int32
		if t >= d {
			v = s[t-d]
		}
		gpu.Sync()
		s[t] += v
		gpu.Sync()
	}
	x[gpu.GlobalID()] = s[t]
}

// Blelloch is the exclusive sum of a block's elements, twice as many as threads: a tree up and down again.
func Blelloch(x []int32) {
	s := gpu.Shared[[256]int32]()
	t, n := gpu.ThreadX(), 2*gpu.BlockDimX()
	base := gpu.BlockX() * n
	s[2*t], s[2*t+1] = x[base+2*t], x[base+2*t+1]
	offset := 1
	for d := n / 2; d > 0; d /= 2 {
		gpu.Sync()
		if t < d {
			s[offset*(2*t+2)-1] += s[offset*(2*t+1)-1]
		}
		offset *= 2
	}
	if t == 0 {
		s[n-1] = 0
	}
	for d := 1; d < n; d *= 2 {
		offset /= 2
		gpu.Sync()
		if t < d {
			a, b := offset*(2*t+1)-1, offset*(2*t+2)-1
			s[a], s[b] = s[b], s[b]+s[a]
		}
	}
	gpu.Sync()
	x[base+2*t], x[base+2*t+1] = s[2*t], s[2*t+1]
}

// warpScan is the inclusive sum of v over the lanes of a warp.
func warpScan(v int32) int32 {
	for d := 1; d < 32; d *= 2 {
		below := gpu.ShflUp(v, d)
		if gpu.LaneID() >= d {
			v += below
		}
	}
	return v
}

// ScanBlock is the inclusive sum of a block's elements by warps, whose totals the first warp scans: Sengupta, Harris
// and Garland's scan for up to 1,024 threads.
func ScanBlock(x []int32) {
	totals := gpu.Shared[[32]int32]()
	i, w := gpu.GlobalID(), gpu.WarpID()
	v := warpScan(x[i])
	if gpu.LaneID() == 31 {
		totals[w] = v
	}
	gpu.Sync()
	if w == 0 {
		n := gpu.BlockDimX() / 32
		var total int32
		if gpu.LaneID() < n {
			total = totals[gpu.LaneID()]
		}
		total = warpScan(total)
		if gpu.LaneID() < n {
			totals[gpu.LaneID()] = total
		}
	}
	gpu.Sync()
	if w > 0 {
		v += totals[w-1]
	}
	x[i] = v
}

// ScanRace is the scan of a block as Sengupta, Harris and Garland print it: warps scan in shared memory, their last
// lanes move the totals to its beginning, and the first warp scans those. With 1,024 threads the last total goes to
// s[31], which holds that of warp 0, whose last lane may not have read it by then: a race, which a checker must find.
// Up to 512 threads there is none.
func ScanRace(x []int32) {
	s := gpu.Shared[[1024]int32]()
	t := gpu.ThreadX()
	lane, w := t&31, t>>5
	s[t] = x[gpu.GlobalID()]
	scanShared(s[:], t, lane)
	v := s[t]
	gpu.Sync()
	if lane == 31 {
		s[w] = s[t]
	}
	gpu.Sync()
	if w == 0 {
		scanShared(s[:], t, lane)
	}
	gpu.Sync()
	if w > 0 {
		v += s[w-1]
	}
	x[gpu.GlobalID()] = v
}

// scanShared is the inclusive sum of a warp's elements of s.
func scanShared(s []int32, t, lane int) {
	for d := 1; d < 32; d *= 2 {
		var v int32
		gpu.SyncWarp()
		if lane >= d {
			v = s[t-d]
		}
		gpu.SyncWarp()
		s[t] += v
	}
	gpu.SyncWarp()
}

// Compact keeps the elements that are not zero: a ballot counts those before a thread in its warp, an atomic the
// warps'. The order of the warps is that of their atomics.
func Compact(in, out, count []int32) {
	i := gpu.GlobalID()
	v := int32(0)
	if i < len(in) {
		v = in[i]
	}
	keep := gpu.Ballot(v != 0)
	lane := gpu.LaneID()
	before := popcount(keep & (1<<lane - 1))
	var base int32
	if lane == 0 {
		base = gpu.AtomicAdd(&count[0], popcount(keep))
	}
	base = gpu.ShflIdx(base, 0)
	if v != 0 {
		out[base+before] = v
	}
}

func popcount(x uint32) int32 {
	x -= x >> 1 & 0x55555555
	x = x&0x33333333 + x>>2&0x33333333
	x = (x + x>>4) & 0x0f0f0f0f
	return int32(x * 0x01010101 >> 24)
}

// RadixPass sorts the elements of a block by one bit, keeping the order of equal ones.
func RadixPass(x []uint32, bit int) {
	s := gpu.Shared[[256]int32]()
	t, n := gpu.ThreadX(), gpu.BlockDimX()
	base := gpu.BlockX() * n
	v := x[base+t]
	zero := int32(1 - v>>bit&1)
	s[t] = zero
	gpu.Sync()
	for d := 1; d < n; d *= 2 {
		var below int32
		if t >= d {
			below = s[t-d]
		}
		gpu.Sync()
		s[t] += below
		gpu.Sync()
	}
	zeros := int(s[n-1])
	to := int(s[t]) - 1
	if zero == 0 {
		to = zeros + t - int(s[t])
	}
	x[base+to] = v
}

// BitonicSort sorts the elements of a block, a power of two.
func BitonicSort(x []float32) {
	s := gpu.Shared[[256]float32]()
	t := gpu.ThreadX()
	s[t] = x[gpu.GlobalID()]
	gpu.Sync()
	for k := 2; k <= gpu.BlockDimX(); k *= 2 {
		for j := k / 2; j > 0; j /= 2 {
			if other := t ^ j; other > t {
				if up := t&k == 0; s[t] > s[other] == up {
					s[t], s[other] = s[other], s[t]
				}
			}
			gpu.Sync()
		}
	}
	x[gpu.GlobalID()] = s[t]
}

// scans are the kernels of this file.
var scans = []Kernel{
	{Name: "HillisSteele", Func: HillisSteele, Grid: d1(3), Block: d1(256), Args: func() []any { return []any{ints(768, 1000, 1)} }, Want: inclusive(256)},
	{
		Name: "Blelloch", Func: Blelloch, Grid: d1(3), Block: d1(128), Args: func() []any { return []any{ints(768, 1000, 1)} },
		Want: func(args []any) {
			x := args[0].([]int32)
			var sum int32
			for i := range x {
				if i%256 == 0 {
					sum = 0
				}
				x[i], sum = sum, sum+x[i]
			}
		},
	},
	{Name: "ScanBlock", Func: ScanBlock, Grid: d1(2), Block: d1(1024), Args: func() []any { return []any{ints(2048, 1000, 1)} }, Want: inclusive(1024)},
	{Name: "ScanRace", Func: ScanRace, Grid: d1(2), Block: d1(32), Args: func() []any { return []any{ints(64, 1000, 1)} }, Want: inclusive(32)},
	{
		Name: "Compact", Func: Compact, Grid: d1(4), Block: d1(256), Unordered: true,
		Args: func() []any { return []any{ints(1000, 3, 1), make([]int32, 1000), make([]int32, 1)} },
		Want: func(args []any) {
			in, out, count := args[0].([]int32), args[1].([]int32), args[2].([]int32)
			for _, v := range in {
				if v != 0 {
					out[count[0]] = v
					count[0]++
				}
			}
		},
	},
	{
		Name: "RadixPass", Func: RadixPass, Grid: d1(2), Block: d1(256), Args: func() []any { return []any{words(512, 1), 3} },
		Want: func(args []any) {
			x, bit := args[0].([]uint32), args[1].(int)
			for b := 0; b < len(x); b += 256 {
				var low, high []uint32
				for _, v := range x[b : b+256] {
					if v>>bit&1 == 0 {
						low = append(low, v)
					} else {
						high = append(high, v)
					}
				}
				copy(x[b:], append(low, high...))
			}
		},
	},
	{
		Name: "BitonicSort", Func: BitonicSort, Grid: d1(2), Block: d1(256), Args: func() []any { return []any{floats(512, 1)} },
		Want: func(args []any) {
			x := args[0].([]float32)
			for b := 0; b < len(x); b += 256 {
				slices.Sort(x[b : b+256])
			}
		},
	},
}

// inclusive are the running sums within blocks.
func inclusive(block int) func(args []any) {
	return func(args []any) {
		x := args[0].([]int32)
		for i := range x {
			if i%block > 0 {
				x[i] += x[i-1]
			}
		}
	}
}

// words are n numbers of 32 bits, always the same.
func words(n int, seed uint32) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = next(&seed)
	}
	return out
}
