package simgpu

import "slices"

// This file is the hardware by which DWF finds the PC at which most threads wait: a heap beside the pool, which learns
// of what comes to the pool through a queue, and takes cycles to be in order.

// Sizes of the paper's heap.
const (
	heapPCs    = 64 // what more PCs than that have stays out of it until one leaves
	heapQueue  = 4  // arrivals that the heap has not taken in; further ones wait before the pool
	heapPorts  = 2  // arrivals that it takes in a cycle
	noMajority = -1
)

// majorityHeap is a Picker's hardware: the PC whose warps issue, and a heap of the others by threads.
type majorityHeap struct {
	pc      int // whose warps issue; noMajority at first
	entries []heapEntry
	queue   []arrival
	over    []arrival // of PCs for which the heap has no room
	moving  []int     // PCs of entries that go up: the heap is in no order while there are some
	sinking int       // place of the entry that goes down, or -1
	worked  int64     // cycle up to which the hardware has worked
	waited  bool      // a group could have issued and the heap was not in order
}

// heapEntry is the threads that wait at a PC, as far as the heap knows.
type heapEntry struct{ pc, threads int }

// arrival is threads that have come to a warp of the pool, known by its age.
type arrival struct {
	pc, threads int
	age         int64
}

func newMajorityHeap() *majorityHeap { return &majorityHeap{pc: noMajority, sinking: -1} }

// full reports whether what comes must wait before the pool.
func (h *majorityHeap) full() bool { return len(h.queue) >= heapQueue }

// hear notes that threads have come to a warp of the pool. It reports whether the warp is listed at once, as those at
// the majority's PC are.
func (h *majorityHeap) hear(pc, threads int, age int64) (listed bool) {
	if pc == h.pc {
		return true
	}
	h.queue = append(h.queue, arrival{pc, threads, age})
	return false
}

// work lets the hardware do what it can before cycle now. Warps whose arrivals are taken in are listed.
func (h *majorityHeap) work(now int64, list func(age int64) bool) {
	for h.worked < now {
		if h.idle() && len(h.queue) == 0 && len(h.over) == 0 {
			h.worked = now
			return
		}
		h.worked++
		h.cycle(list)
	}
}

// idle reports whether the heap is in order.
func (h *majorityHeap) idle() bool { return len(h.moving) == 0 && h.sinking < 0 }

// cycle is one cycle of the heap: a swap for each entry that moves, or else new arrivals.
func (h *majorityHeap) cycle(list func(age int64) bool) {
	if h.sinking >= 0 {
		h.sink()
		return
	}
	if len(h.moving) > 0 {
		h.rise()
		return
	}
	for range heapPorts {
		from := &h.queue
		if len(h.over) > 0 && (len(h.entries) < heapPCs || h.find(h.over[0].pc) >= 0) {
			from = &h.over
		}
		if len(*from) == 0 {
			return
		}
		a := (*from)[0]
		*from = (*from)[1:]
		h.take(a, list)
	}
}

// take takes an arrival in.
func (h *majorityHeap) take(a arrival, list func(age int64) bool) {
	i := h.find(a.pc)
	switch {
	case a.pc == h.pc: // it has become the majority meanwhile
		list(a.age)
		return
	case i < 0 && len(h.entries) >= heapPCs:
		h.over = append(h.over, a)
		return
	case !list(a.age): // the warp has issued with what came before
		return
	case i < 0:
		i = len(h.entries)
		h.entries = append(h.entries, heapEntry{pc: a.pc})
	}
	h.entries[i].threads += a.threads
	if i > 0 && h.above(i, (i-1)/2) && !slices.Contains(h.moving, a.pc) {
		h.moving = append(h.moving, a.pc)
	}
}

// above reports whether entry i belongs above entry k.
func (h *majorityHeap) above(i, k int) bool {
	a, b := h.entries[i], h.entries[k]
	return a.threads > b.threads || a.threads == b.threads && a.pc < b.pc
}

func (h *majorityHeap) find(pc int) int {
	return slices.IndexFunc(h.entries, func(e heapEntry) bool { return e.pc == pc })
}

// rise swaps each entry that goes up with its parent.
func (h *majorityHeap) rise() {
	var still []int
	more := func(i int) { // it goes on up
		if pc := h.entries[i].pc; i > 0 && h.above(i, (i-1)/2) && !slices.Contains(still, pc) {
			still = append(still, pc)
		}
	}
	for _, pc := range h.moving {
		i := h.find(pc)
		if up := (i - 1) / 2; i > 0 && h.above(i, up) {
			h.entries[i], h.entries[up] = h.entries[up], h.entries[i]
			for down := 2*i + 1; down <= 2*i+2 && down < len(h.entries); down++ {
				more(down) // it may have grown in the same cycle, below one that has gone up
			}
			i = up
		}
		more(i)
	}
	h.moving = still
}

// sink swaps the entry that goes down with its larger child.
func (h *majorityHeap) sink() {
	i := h.sinking
	down := 2*i + 1
	if down+1 < len(h.entries) && h.above(down+1, down) {
		down++
	}
	if down >= len(h.entries) || !h.above(down, i) {
		h.sinking = -1
		return
	}
	h.entries[i], h.entries[down] = h.entries[down], h.entries[i]
	h.sinking = down
}

// next makes the PC with most threads the majority, and reports whether it could: it cannot while the heap is not in
// order, nor when it is empty.
func (h *majorityHeap) next() bool {
	if !h.idle() || len(h.entries) == 0 {
		return false
	}
	last := len(h.entries) - 1
	h.pc = h.entries[0].pc
	h.entries[0] = h.entries[last]
	h.entries = h.entries[:last]
	if last > 1 {
		h.sinking = 0
	}
	return true
}

// pick returns the group that issues: the oldest at the majority's PC that the hardware knows of and whose unit is
// free, or -1.
func (h *majorityHeap) pick(c []Cand) int {
	h.waited = false
	for range 2 {
		known := false
		for i := range c {
			if c[i].PC == h.pc && c[i].listed {
				if known = true; c[i].Ready {
					return i
				}
			}
		}
		if known {
			return -1
		}
		if !h.next() {
			break
		}
	}
	h.waited = true
	return -1
}
