package kernels

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/gpu"
)

// ClusterSum adds the elements of in, each cluster those of its blocks, to sums: its first block reads what the others
// have found out of their shared memory.
func ClusterSum(in, sums []int32) {
	s := gpu.Shared[[64]int32]()
	t := gpu.ThreadX()
	s[t] = 0
	if i := gpu.GlobalID(); i < len(in) {
		s[t] = in[i]
	}
	gpu.Sync()
	for h := 32; h > 0; h /= 2 {
		if t < h {
			s[t] += s[t+h]
		}
		gpu.Sync()
	}
	gpu.SyncCluster()
	if gpu.ClusterRank() == 0 && t == 0 {
		sum := int32(0)
		for r := range gpu.ClusterBlocks() {
			sum += gpu.SharedOf(s, r)[0]
		}
		sums[gpu.BlockX()/gpu.ClusterBlocks()] = sum
	}
	gpu.SyncCluster()
}

// ClusterHistogram counts the values of in, from 0 to 255, each block of a cluster a part of them: a histogram that is
// in the shared memory of all of its blocks.
func ClusterHistogram(in []uint8, counts []int32) {
	const bins = 256
	s := gpu.Shared[[bins]int32]()
	blocks, rank := gpu.ClusterBlocks(), gpu.ClusterRank()
	own := bins / blocks
	for i := gpu.ThreadX(); i < own; i += gpu.BlockDimX() {
		s[i] = 0
	}
	gpu.SyncCluster()
	for i := gpu.GlobalID(); i < len(in); i += gpu.GlobalSize() {
		bin := int(in[i])
		gpu.AtomicAdd(&gpu.SharedOf(s, bin/own)[bin%own], 1)
	}
	gpu.SyncCluster()
	for i := gpu.ThreadX(); i < own; i += gpu.BlockDimX() {
		gpu.AtomicAdd(&counts[rank*own+i], s[i])
	}
}

// ClusterShift gives each element that of so many places on within the elements of its cluster, which go round.
func ClusterShift(x []float32, by int) {
	s := gpu.Shared[[32]float32]()
	i, n := gpu.GlobalID(), 32*gpu.ClusterBlocks()
	s[gpu.ThreadX()] = x[i]
	gpu.SyncCluster()
	from := (gpu.ClusterRank()*32 + gpu.ThreadX() + by) % n
	v := gpu.SharedOf(s, from/32)[from%32]
	gpu.SyncCluster()
	x[i] = v
}

// ClusterScan scans x in pieces of a cluster: blocks write their sums to all that come after them.
func ClusterScan(x []int32) {
	before := gpu.Shared[[8]int32]()
	tiles := gpu.Shared[[2]int32]()
	t := gpu.TileOf[int32](32)
	i := gpu.GlobalID()
	v := t.Scan(x[i])
	if t.Rank() == 31 {
		tiles[gpu.WarpID()] = v
	}
	gpu.Sync()
	if gpu.WarpID() == 1 {
		v += tiles[0]
	}
	rank := gpu.ClusterRank()
	gpu.SyncCluster()
	if gpu.ThreadX() == 63 {
		for r := range gpu.ClusterBlocks() {
			gpu.SharedOf(before, r)[rank] = v
		}
	}
	gpu.SyncCluster()
	for r := range rank {
		v += before[r]
	}
	x[i] = v
}

// ClusterSort sorts the elements of a cluster, one a thread, by comparing neighbours in turns, which may be of two
// blocks.
func ClusterSort(x []int32) {
	s := gpu.Shared[[32]int32]()
	t, rank, n := gpu.ThreadX(), gpu.ClusterRank(), 32*gpu.ClusterBlocks()
	i := gpu.GlobalID()
	s[t] = x[i]
	gpu.SyncCluster()
	at := rank*32 + t
	for turn := range n {
		if at%2 == turn%2 && at+1 < n {
			own, other := &s[t], &gpu.SharedOf(s, (at+1)/32)[(at+1)%32]
			if *own > *other {
				*own, *other = *other, *own
			}
		}
		gpu.SyncCluster()
	}
	x[i] = s[t]
}

// clusters are the kernels of this file.
var clusters = []Kernel{
	{
		Name: "ClusterSum", Func: ClusterSum, Grid: d1(8), Block: d1(64), Cluster: 4,
		Args: func() []any { return []any{ints(500, 1<<20, 41), make([]int32, 2)} },
		Want: func(args []any) {
			for i, v := range args[0].([]int32) {
				args[1].([]int32)[i/256] += v
			}
		},
	},
	{
		Name: "ClusterHistogram", Func: ClusterHistogram, Grid: d1(4), Block: d1(48), Cluster: 2,
		Args: func() []any {
			in := make([]uint8, 700)
			for i, v := range ints(700, 256, 42) {
				in[i] = uint8(v)
			}
			return []any{in, make([]int32, 256)}
		},
		Want: func(args []any) {
			for _, v := range args[0].([]uint8) {
				args[1].([]int32)[v]++
			}
		},
	},
	{
		Name: "ClusterShift", Func: ClusterShift, Grid: d1(16), Block: d1(32), Cluster: 8,
		Args: func() []any { return []any{floats(512, 43), 45} },
		Want: func(args []any) {
			x, by := args[0].([]float32), args[1].(int)
			old := append([]float32(nil), x...)
			for i := range x {
				x[i] = old[i/256*256+(i+by)%256]
			}
		},
	},
	{
		Name: "ClusterScan", Func: ClusterScan, Grid: d1(8), Block: d1(64), Cluster: 4,
		Args: func() []any { return []any{ints(512, 1000, 44)} },
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
		Name: "ClusterSort", Func: ClusterSort, Grid: d1(4), Block: d1(32), Cluster: 2,
		Args: func() []any { return []any{ints(128, 1000, 45)} },
		Want: func(args []any) {
			x := args[0].([]int32)
			slices.Sort(x[:64])
			slices.Sort(x[64:])
		},
	},
}
