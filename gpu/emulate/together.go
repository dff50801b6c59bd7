package emulate

import (
	"fmt"
	"sync"
)

// RunTogether is Run with the threads of all blocks side by side, so that they can wait for each other.
func RunTogether(grid, blockDim [3]int, dynamic int, kernel func()) error {
	g := &together{live: grid[0] * grid[1] * grid[2], all: grid[0] * grid[1] * grid[2]}
	g.open = sync.NewCond(&g.mu)
	var wg sync.WaitGroup
	for at := range placesOf(grid) {
		b := &block{dynamic: map[any]any{}, grid: g}
		wg.Go(func() { g.leave(at, b.run(at, grid, blockDim, dynamic, kernel)) })
	}
	wg.Wait()
	return g.fail
}

// together is the blocks of a grid that wait for each other.
type together struct {
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
		g.fail = &Failure{Block: g.one, Value: fmt.Sprintf("waits in gpu.SyncGrid for %d blocks that have ended: all blocks of a grid must come to it", g.all-g.live)}
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
	first := true
	for rank, v := range t.Sync("SyncGrid", t.Rank) { // the first that lives waits for the others
		if v != nil {
			first = rank == t.Rank
			break
		}
	}
	if first && !t.b.grid.wait(t.Block) {
		panic(errLeft)
	}
	t.Sync("SyncGrid", nil)
}
