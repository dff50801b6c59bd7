package emulate

import (
	"fmt"
	"slices"
	"sync"
)

// RunTogether is Run with the threads of all blocks side by side, so that they can wait for each other.
func RunTogether(grid, blockDim [3]int, dynamic int, kernel func()) error {
	g := newTogether("SyncGrid", grid[0]*grid[1]*grid[2])
	var wg sync.WaitGroup
	for at := range placesOf(grid) {
		b := &block{dynamic: map[any]any{}, grid: g}
		wg.Go(func() { g.leave(at, b.run(at, grid, blockDim, dynamic, kernel)) })
	}
	wg.Wait()
	return g.fail
}

// RunClusters is Run with the blocks of clusters of n along x side by side.
func RunClusters(n int, grid, blockDim [3]int, dynamic int, kernel func()) error {
	var g *together
	var wg sync.WaitGroup
	rank := 0
	for at := range placesOf(grid) {
		if rank == 0 {
			g = newTogether("SyncCluster", n)
			for range n {
				g.blocks = append(g.blocks, &block{dynamic: map[any]any{}, cluster: g})
			}
		}
		of, b := g, g.blocks[rank]
		wg.Go(func() { of.leave(at, b.run(at, grid, blockDim, dynamic, kernel)) })
		if rank = (rank + 1) % n; rank == 0 {
			if wg.Wait(); g.fail != nil {
				return g.fail
			}
		}
	}
	return nil
}

func newTogether(call string, blocks int) *together {
	g := &together{call: call, live: blocks, all: blocks}
	g.open = sync.NewCond(&g.mu)
	return g
}

// Cluster returns the number of the thread's block in its cluster and how many blocks that has.
func (t *Thread) Cluster() (rank, blocks int) {
	if t.b.cluster == nil {
		return 0, 1
	}
	n := len(t.b.cluster.blocks)
	return t.Block[0] % n, n
}

// SharedOf returns what another block of the cluster has for an array of Shared.
func (t *Thread) SharedOf(p any, rank int) any {
	if own, n := t.Cluster(); rank < 0 || rank >= n {
		panic(fmt.Sprintf("gpu.SharedOf of block %d of a cluster of %d", rank, n))
	} else if rank == own {
		return p
	}
	t.b.mu.Lock()
	i := slices.Index(t.b.shared, p)
	t.b.mu.Unlock()
	if i < 0 {
		panic("gpu.SharedOf: an emulation knows the pointer that gpu.Shared has returned, and this is another")
	}
	o := t.b.cluster.blocks[rank]
	o.mu.Lock()
	defer o.mu.Unlock()
	if i >= len(o.shared) {
		panic(fmt.Sprintf("gpu.SharedOf: block %d of the cluster has not come to its gpu.Shared yet; put gpu.SyncCluster() before", rank))
	}
	return o.shared[i]
}

// SyncCluster waits for all threads of the cluster.
func (t *Thread) SyncCluster() {
	t.meetBlocks("SyncCluster", t.b.cluster)
}

// meetBlocks waits for all threads of the block, and then for other blocks; nil is none.
func (t *Thread) meetBlocks(call string, of *together) {
	first := true
	for rank, v := range t.Sync(call, t.Rank) { // the first that lives waits for the others
		if v != nil {
			first = rank == t.Rank
			break
		}
	}
	if first && of != nil && !of.wait(t.Block) {
		panic(errLeft)
	}
	t.Sync(call, nil)
}

// together is the blocks of a grid, or a cluster, that wait for each other.
type together struct {
	call    string // that they wait in
	blocks  []*block
	mu      sync.Mutex
	open    *sync.Cond
	all     int
	live    int
	waiting int
	round   int // how often they have met
	one     [3]int
	fail    error // the first
}

// leave ends a block.
func (g *together) leave(at [3]int, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.live--
	if err != nil && g.fail == nil {
		g.fail = err
	}
	g.meet()
}

// meet lets the blocks go on when all have come, or none shall. The lock is held.
func (g *together) meet() {
	if g.fail == nil && g.waiting > 0 && g.waiting == g.live && g.live < g.all {
		g.fail = &Failure{Block: g.one, Value: fmt.Sprintf("waits in gpu.%s for %d blocks that have ended: all must come to it", g.call, g.all-g.live)}
	}
	if g.fail != nil || g.waiting == g.live {
		g.waiting = 0
		g.round++
		g.open.Broadcast()
	}
}

// wait waits for the other blocks, and reports whether to go on.
func (g *together) wait(at [3]int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	round := g.round
	g.waiting++
	g.one = at
	g.meet()
	for g.round == round {
		g.open.Wait()
	}
	return g.fail == nil
}

// SyncGrid waits for all threads of the grid. It panics where blocks run one after another.
func (t *Thread) SyncGrid() {
	if t.b.grid == nil {
		panic("gpu.SyncGrid is for kernels whose blocks are all there at a time: launch it with gpu.LaunchCooperative, emulate it with gpu.Cooperative() among the arguments")
	}
	t.meetBlocks("SyncGrid", t.b.grid)
}
