package functions

import "github.com/arrayrepl/arrayrepl/gpu"

// InClusters lets each thread work on what a thread of another block of its cluster has in shared memory, step after
// step: where a step is odd it reads there, else it adds there.
func InClusters(steps []int32, x []int32) {
	s := gpu.Shared[[32]int32]()
	t, rank, blocks := gpu.ThreadX(), gpu.ClusterRank(), gpu.ClusterBlocks()
	s[t] = x[gpu.GlobalID()]
	gpu.SyncCluster()
	for _, step := range steps {
		other := gpu.SharedOf(s, (rank+int(step))%blocks)
		if step%2 == 1 {
			v := 3*other[(t+int(step))%32] + step
			gpu.SyncCluster()
			s[t] = v
		} else {
			gpu.AtomicAdd(&other[(t*7+int(step))%32], int32(rank+1)*step)
		}
		gpu.SyncCluster()
	}
	x[gpu.GlobalID()] = s[t]
}

// TooEarly is wrong: the other block may not have begun.
func TooEarly(x []int32) {
	s := gpu.Shared[[32]int32]()
	gpu.SharedOf(s, gpu.ClusterRank()^1)[gpu.ThreadX()] = 1
	gpu.SyncCluster()
	x[gpu.GlobalID()] = s[gpu.ThreadX()]
}

// TooLate is wrong: the other block may have ended.
func TooLate(x []int32) {
	s := gpu.Shared[[32]int32]()
	s[gpu.ThreadX()] = 1
	gpu.SyncCluster()
	x[gpu.GlobalID()] = gpu.SharedOf(s, gpu.ClusterRank()^1)[gpu.ThreadX()]
}

// InOneBlock is wrong: nothing stands between what a block writes and another reads.
func InOneBlock(x []int32) {
	s := gpu.Shared[[32]int32]()
	s[gpu.ThreadX()] = 1
	gpu.SyncCluster()
	s[gpu.ThreadX()] = int32(gpu.ClusterRank())
	gpu.Sync()
	x[gpu.GlobalID()] = gpu.SharedOf(s, gpu.ClusterRank()^1)[gpu.ThreadX()]
	gpu.SyncCluster()
}

// OutsideOfClusters is wrong where a cluster has fewer blocks.
func OutsideOfClusters(x []int32, rank int) {
	s := gpu.Shared[[32]int32]()
	s[gpu.ThreadX()] = 1
	gpu.SyncCluster()
	x[gpu.GlobalID()] = gpu.SharedOf(s, rank)[gpu.ThreadX()]
	gpu.SyncCluster()
}

// SomeOfClusters is wrong: the first block of each cluster does not come to the barrier.
func SomeOfClusters(x []int32) {
	if gpu.ClusterRank() > 0 {
		gpu.SyncCluster()
	}
	x[gpu.GlobalID()] = 1
}
