package kir

// MaxCluster is how many blocks a cluster has at most: what every machine with clusters takes (CUDA C++ Programming
// Guide, "Thread Block Clusters").
const MaxCluster = 8

// sharedStep is between the shared memories of the blocks of a cluster: more than any machine has.
const sharedStep = 1 << 18

// SharedBase returns where the shared memory of a block begins whose number in its cluster is rank.
func SharedBase(rank int) uint64 { return uint64(rank) * sharedStep }

// SharedOf returns what OpSharedOf gives for an address in shared memory and a block's number in the cluster: addresses
// in the memory of block n of a cluster begin at SharedBase(n). A number that no block has gives an address where
// nothing is.
func SharedOf(addr uint64, rank uint32) uint64 { return addr%sharedStep + SharedBase(int(rank)) }

// SharedPlace returns the number of the block in its cluster whose shared memory an address is in, and the place there.
func SharedPlace(addr uint64) (rank int, at uint64) { return int(addr / sharedStep), addr % sharedStep }

// ClusterOf returns the number of a block in its cluster, and how many blocks that has: 0 and 1 where there are none.
func (f *Func) ClusterOf(cta int, grid Dim3) (rank, blocks int) {
	n := max(f.Bounds.Cluster, 1)
	return cta % grid.X % n, n
}

// ClusterOrder returns an order of the blocks of a grid in which those of a cluster follow one another: clusters in the
// order in which the first of their blocks comes.
func (f *Func) ClusterOrder(order []int) []int {
	n := f.Bounds.Cluster
	if order == nil || n <= 1 {
		return order
	}
	out, seen := make([]int, 0, len(order)), make([]bool, len(order))
	for _, cta := range order {
		for i := range n {
			if first := cta - cta%n; !seen[first+i] { // the grid's x is a multiple of n
				seen[first+i] = true
				out = append(out, first+i)
			}
		}
	}
	return out
}
