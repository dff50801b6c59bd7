package gpu

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/gpu/emulate"
	"github.com/arrayrepl/arrayrepl/kir"
)

// Clusters launches the blocks of a grid in clusters of so many along x, a power of two up to 8: the blocks of a
// cluster run at the same time, wait for each other with [SyncCluster], and use each other's shared memory with
// [SharedOf]. It is CUDA's __cluster_dims__, for compute capability 9.0 and on; the grid's x is a multiple of n. It is
// for [Emulate] and [Check], too.
//
// For example:
//
//	np.Use("sim:h200")
//	gpu.Launch(histogram, 32, 256, x, counts, gpu.Clusters(4))
func Clusters(n int) Option { return Option{bounds: kir.Bounds{Cluster: n}, clusters: true} }

// clustered says why a grid cannot be launched in clusters of n blocks.
func clustered(n int, grid kir.Dim3) error {
	if n < 1 || n > kir.MaxCluster || n&(n-1) != 0 {
		return fmt.Errorf("clusters of %d blocks: there are clusters of 1, 2, 4 and %d", n, kir.MaxCluster)
	}
	if grid.X%n != 0 {
		return fmt.Errorf("clusters of %d blocks along x in a grid of %d: make it a multiple", n, grid.X)
	}
	return nil
}

// ClusterRank returns the number of the block in its cluster, 0 where the launch has none.
//
// For example:
//
//	if gpu.ClusterRank() == 0 { // the first block of each cluster
//		sums[gpu.BlockX()/gpu.ClusterBlocks()] = s[0]
//	}
func ClusterRank() int { r, _ := emulate.Current("ClusterRank").Cluster(); return r }

// ClusterBlocks returns how many blocks a cluster has, 1 where the launch has none.
//
// For example:
//
//	for r := range gpu.ClusterBlocks() {
//		sum += gpu.SharedOf(s, r)[0]
//	}
func ClusterBlocks() int { _, n := emulate.Current("ClusterBlocks").Cluster(); return n }

// SyncCluster waits for all threads of the cluster's blocks: what each wrote before, all see after it. Blocks come to
// it before they use each other's shared memory, so that all have begun, and after, so that none has ended.
//
// For example:
//
//	s[t] = v
//	gpu.SyncCluster()
//	v += gpu.SharedOf(s, gpu.ClusterRank()^1)[t] // the neighbour's
//	gpu.SyncCluster()
func SyncCluster() { emulate.Current("SyncCluster").SyncCluster() }
