package cpu

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
)

// leave takes the threads of w.list over the end of c and returns the number of the basic block that runs next, with
// w.list set to its threads, or -1 when all have returned.
func (w *worker) leave(c *code) int {
	term := &c.blk.Term
	switch {
	case c.barrier != nil:
		if len(w.list) == w.live {
			if !w.reduce(c.barrier) {
				return -1
			}
			return w.follow(&c.edges[0])
		}
		w.put(&w.waiting, c.blk.ID, w.list)
	case term.Kind == kir.TermReturn:
		w.live -= len(w.list)
		if w.extent[3] > 1 {
			w.eachBlock(w.list, func(block int, list []int32) { w.lives[block] -= len(list) })
		}
		if w.p.warps {
			for _, t := range w.list {
				w.alive[t/kir.WarpSize] &^= 1 << (t % kir.WarpSize)
			}
		}
		w.release(w.list)
	case term.Kind == kir.TermJump:
		if next := w.follow(&c.edges[0]); w.alone() {
			return next
		} else {
			w.put(&w.ready, next, w.list)
		}
	case term.Kind == kir.TermBranch:
		yes, no := w.partition(&w.regs[c.cond], term.Any)
		if len(yes) > 0 && len(no) > 0 {
			w.list = yes
			w.partial = true
			w.put(&w.ready, w.follow(&c.edges[0]), yes)
			w.list = no
			w.put(&w.ready, w.follow(&c.edges[1]), no)
			break
		}
		e := &c.edges[0]
		if len(yes) == 0 {
			e = &c.edges[1]
		}
		if next := w.follow(e); w.alone() {
			return next
		} else {
			w.put(&w.ready, next, w.list)
		}
	}
	return w.next()
}

// alone reports whether the threads of w.list may go on at once: no others are ready, and none of blocks beside theirs
// wait, which must come to their turn.
func (w *worker) alone() bool {
	return w.ready.count == 0 && (w.waiting.count == 0 || w.extent[3] == 1)
}

// eachBlock calls do for the threads of each block in list.
func (w *worker) eachBlock(list []int32, do func(block int, list []int32)) {
	for len(list) > 0 {
		block := int(list[0]) / w.per
		n, _ := slices.BinarySearch(list, int32((block+1)*w.per))
		do(block, list[:n])
		list = list[n:]
	}
}

// next takes the threads that wait before a basic block, the lowest numbered one, after opening a barrier when all wait
// there.
func (w *worker) next() int {
	if w.ready.count == 0 && w.stalled.count > 0 && !w.retry() {
		return -1
	}
	if w.ready.count == 0 && w.waiting.count > 0 && !w.open() {
		return -1
	}
	if w.ready.count == 0 {
		return -1
	}
	// Threads that try again and again to take a lock must not hold back the one that has it, nor a block that waits
	// for one beside it: at times the list that is furthest on goes first, as it may, too.
	const patience = 32
	w.picks++
	last := (w.p.locks || !w.p.apart && w.extent[3] > 1) && w.picks%patience == 0
	if last && w.waiting.count > 0 && w.extent[3] > 1 {
		w.openBlocks()
	}
	at := -1
	for i, list := range w.ready.lists {
		if list != nil {
			if at = i; !last {
				break
			}
		}
	}
	w.list = w.ready.lists[at]
	w.ready.lists[at] = nil
	w.ready.count--
	return at
}

// open lets the threads at a barrier go on; all that live wait. When they wait at more than one, w.err says so.
func (w *worker) open() bool {
	var at []int
	for i, list := range w.waiting.lists {
		if list != nil {
			at = append(at, i)
		}
	}
	if len(at) > 1 && (w.extent[3] == 1 || w.torn(at)) {
		e := &kir.BarrierError{Kernel: w.p.f.Name, Block: indexAt(w.l.Grid, w.cta)}
		for i := range e.Barrier {
			list := w.waiting.lists[at[i]]
			e.Barrier[i], e.Thread[i], e.Waiting[i] = w.p.code[at[i]].barrier, w.thread(list[0]), len(list)
		}
		w.err = e
		return false
	}
	w.list = w.waiting.lists[at[0]]
	w.waiting.lists[at[0]] = nil
	w.waiting.count--
	w.partial = len(w.list) != w.live
	if !w.reduce(w.p.code[at[0]].barrier) {
		return false
	}
	w.put(&w.ready, w.follow(&w.p.code[at[0]].edges[0]), w.list)
	return true
}

// torn reports whether threads of one block wait at more than one of the barriers at the ends of the given basic
// blocks. Blocks that run side by side may wait at different ones, each as a whole.
func (w *worker) torn(at []int) bool {
	blocks := make([]bool, w.extent[3])
	torn := false
	for _, i := range at {
		w.eachBlock(w.waiting.lists[i], func(block int, _ []int32) {
			torn = torn || blocks[block]
			blocks[block] = true
		})
	}
	return torn
}

// openBlocks opens barriers for the blocks all of whose threads wait there, though others go on: what those wait for
// may come behind the barrier.
func (w *worker) openBlocks() {
	for i, list := range w.waiting.lists {
		if list == nil {
			continue
		}
		here, rest := w.take(), w.take()
		w.eachBlock(list, func(block int, list []int32) {
			if len(list) == w.lives[block] {
				here = append(here, list...)
			} else {
				rest = append(rest, list...)
			}
		})
		w.release(list)
		if w.waiting.lists[i] = rest; len(rest) == 0 {
			w.release(rest)
			w.waiting.lists[i] = nil
			w.waiting.count--
		}
		if len(here) == 0 {
			w.release(here)
			continue
		}
		w.list, w.partial = here, true
		w.put(&w.ready, w.follow(&w.p.code[i].edges[0]), here)
	}
}

// reduce gives the threads that meet at a barrier, all that live, what it brings, after those of the other blocks have
// come where it is one of the grid. It returns false where nobody shall go on.
func (w *worker) reduce(v *kir.Value) bool {
	switch v.Op {
	case kir.OpBarrier:
		return true
	case kir.OpGridBarrier, kir.OpClusterBarrier:
		if w.grid(v) {
			return true
		}
		w.err = errStopped
		return false
	}
	p := lanes[uint8](w.regs[v.Args[0].ID].lanes(&w.extent), w.n)
	count := 0
	for _, t := range w.list {
		count += int(p[t])
	}
	x := uint64(count)
	switch v.Op {
	case kir.OpBarrierAnd:
		x = uint64(bit(count == len(w.list)))
	case kir.OpBarrierOr:
		x = uint64(bit(count > 0))
	}
	w.regs[v.ID].setUniform(x)
	return true
}

// follow makes the moves of e for the threads of w.list.
func (w *worker) follow(e *edge) int {
	for _, m := range e.moves {
		w.move(m)
	}
	return e.to
}

// put adds list, which it takes over, to the threads of basic block i.
func (w *worker) put(q *queue, i int, list []int32) {
	old := q.lists[i]
	if old == nil {
		q.lists[i] = list
		q.count++
		return
	}
	merged := w.take()
	a, b := old, list
	for len(a) > 0 && len(b) > 0 {
		if a[0] > b[0] {
			a, b = b, a
		}
		n := 1
		for len(a) >= n+8 && a[n+7] < b[0] { // long runs of neighbours mostly
			n += 8
		}
		for n < len(a) && a[n] < b[0] {
			n++
		}
		merged, a = append(merged, a[:n]...), a[n:]
	}
	q.lists[i] = append(append(merged, a...), b...)
	w.release(old)
	w.release(list)
}

// partition divides w.list by cond. Where all go one way that list is w.list itself and the other is empty: with any
// set they do so where one is true.
func (w *worker) partition(cond *reg, any bool) (yes, no []int32) {
	if cond.uniform() {
		if cond.base != 0 {
			return w.list, nil
		}
		return nil, w.list
	}
	p := lanes[uint8](cond.lanes(&w.extent), w.n)
	const run = 8 // lists are long runs of neighbours mostly
	count, rest := 0, w.list
	if len(rest) == w.n {
		count, rest = trues(p), nil
	}
	for ; len(rest) >= run; rest = rest[run:] {
		if t := int(rest[0]); int(rest[run-1])-t == run-1 {
			count += bits.OnesCount64(*(*uint64)(unsafe.Pointer(&p[t])))
			continue
		}
		for _, t := range rest[:run] {
			count += int(p[t])
		}
	}
	for _, t := range rest {
		count += int(p[t])
	}
	switch count {
	case 0:
		return nil, w.list
	case len(w.list):
		return w.list, nil
	}
	if any {
		return w.list, nil
	}
	yes, no = w.take(), w.take()
	for rest = w.list; len(rest) >= run; rest = rest[run:] {
		if t := int(rest[0]); int(rest[run-1])-t == run-1 {
			switch *(*uint64)(unsafe.Pointer(&p[t])) {
			case 0:
				no = append(no, rest[:run]...)
				continue
			case allTrue:
				yes = append(yes, rest[:run]...)
				continue
			}
		}
		yes, no = divide(p, rest[:run], yes, no)
	}
	yes, no = divide(p, rest, yes, no)
	w.release(w.list)
	return yes, no
}

// allTrue is eight true bools.
const allTrue = 0x0101010101010101

// divide adds each thread of list to yes or no.
func divide(p []uint8, list, yes, no []int32) (_, _ []int32) {
	for _, t := range list {
		if p[t] != 0 {
			yes = append(yes, t)
		} else {
			no = append(no, t)
		}
	}
	return yes, no
}

// take returns an empty list with room for all threads.
func (w *worker) take() []int32 {
	if i := len(w.free) - 1; i >= 0 {
		list := w.free[i]
		w.free = w.free[:i]
		return list
	}
	return make([]int32, 0, len(w.threads))
}

func (w *worker) release(list []int32) {
	if unsafe.SliceData(list) != unsafe.SliceData(w.all) {
		w.free = append(w.free, list[:0])
	}
}
