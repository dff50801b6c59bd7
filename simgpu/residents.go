package simgpu

import (
	"cmp"
	"container/list"
	"slices"
)

// resident is the lines of one buffer in L2.
type resident struct {
	lines []warmLine // nobody writes to them: launches that are remembered share them
	later uint64     // is added to their uses
	last  uint64     // the last of their uses
	sum   uint64     // of all lines, but for their uses: equal for residents that are alike
}

type warmLine struct {
	used         uint64
	line         uint32 // counted from the buffer's first
	valid, dirty uint8
}

// mix is a number for a line and what is there of it, for sums.
func (l *warmLine) mix() uint64 {
	x := (uint64(l.line)<<16 | uint64(l.valid)<<8 | uint64(l.dirty)) * 0x9e3779b97f4a7c15
	x ^= x >> 29
	return x * 0xbf58476d1ce4e5b9
}

func (r *resident) add(l warmLine) {
	r.lines = append(r.lines, l)
	r.last, r.sum = max(r.last, l.used), r.sum+l.mix()
}

// residents is the lines of all buffers that have some, in the order of their last uses. An L2 holds tens of thousands
// of small buffers, and each launch changes some: they are not sorted for each. The zero residents are empty. Not to be
// copied.
type residents struct {
	at    map[*buffer]*list.Element // their places in order
	order list.List                 // of heldBuffer, the one whose last use is longest ago first
	lines int                       // of all
}

type heldBuffer struct {
	buf *buffer
	*resident
}

// compare orders two by their last use, and where that is the same by their addresses.
func (h heldBuffer) compare(o heldBuffer) int {
	return cmp.Or(cmp.Compare(h.last+h.later, o.last+o.later), cmp.Compare(h.buf.addr, o.buf.addr))
}

// newResidents returns those of buffers.
func newResidents(of map[*buffer]*resident) *residents {
	all := &residents{}
	order := make([]heldBuffer, 0, len(of))
	for b, r := range of {
		order = append(order, heldBuffer{b, r})
	}
	slices.SortFunc(order, heldBuffer.compare)
	for _, h := range order {
		all.put(h.buf, h.resident)
	}
	return all
}

// of returns the lines of b, nil where it has none.
func (all *residents) of(b *buffer) *resident {
	if e := all.at[b]; e != nil {
		return e.Value.(heldBuffer).resident
	}
	return nil
}

// put makes r the lines of b; nil where it has none any more. What was used last finds its place at once.
func (all *residents) put(b *buffer, r *resident) {
	if e := all.at[b]; e != nil {
		all.lines -= len(e.Value.(heldBuffer).lines)
		all.order.Remove(e)
		delete(all.at, b)
	}
	if r == nil {
		return
	}
	if all.at == nil {
		all.at = map[*buffer]*list.Element{}
	}
	all.lines += len(r.lines)
	h := heldBuffer{b, r}
	before := all.order.Back()
	for before != nil && before.Value.(heldBuffer).compare(h) > 0 {
		before = before.Prev()
	}
	if before == nil {
		all.at[b] = all.order.PushFront(h)
	} else {
		all.at[b] = all.order.InsertAfter(h, before)
	}
}

// byUse yields the buffers, the one whose last use is longest ago first. The one that it has yielded may go meanwhile.
func (all *residents) byUse(yield func(*buffer) bool) {
	for e := all.order.Front(); e != nil; {
		next := e.Next()
		if !yield(e.Value.(heldBuffer).buf) {
			return
		}
		e = next
	}
}
