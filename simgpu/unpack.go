package simgpu

import (
	"encoding/binary"

	"github.com/arrayrepl/arrayrepl/kir"
)

// traceReader unpacks a blockTrace from its beginning, step by step. Addresses of device memory come out at their
// places.
type traceReader struct {
	t    *blockTrace
	code *code
	sh   *shapes
	at   *places
	rest []byte
	live liveThreads
	some []warpLanes
	last []uint64

	// The step that step has found, and its next access.
	block int
	set   []warpLanes
	kept  []warpLanes // room for a set whose threads return
	next  int

	// The access that access has found: a pattern that begins at base, or, when that is nil, one for each warp of the
	// set.
	pattern *pattern
	base    uint64
	warps   []traceAccess
	addrs   []uint64
	strange bool // some addresses had no place
}

func newTraceReader(t *blockTrace, c *code, sh *shapes, at *places, warpSize int) *traceReader {
	r := &traceReader{code: c, sh: sh, at: at, last: make([]uint64, c.accesses)}
	r.begin(t, warpSize)
	return r
}

// begin goes to the beginning of t.
func (r *traceReader) begin(t *blockTrace, warpSize int) {
	r.t, r.rest, r.some, r.strange = t, t.packed, r.some[:0], false
	r.live.reset(t.threads, warpSize)
	clear(r.last)
}

func (r *traceReader) get() uint64 {
	if b := r.rest[0]; b < 0x80 {
		r.rest = r.rest[1:]
		return uint64(b)
	}
	x, n := binary.Uvarint(r.rest)
	r.rest = r.rest[n:]
	return x
}

func (r *traceReader) getSigned() int64 {
	x := r.get()
	return int64(x>>1) ^ -int64(x&1)
}

func (r *traceReader) getPlace(last *uint64) uint64 {
	*last += uint64(r.getSigned())
	return *last
}

// step goes to the next step, or reports that there is none. All accesses of the step before must have been read.
func (r *traceReader) step() bool {
	if len(r.rest) == 0 {
		return false
	}
	x := r.get()
	r.block, r.next = int(x>>stepBits), 0
	switch x & (1<<stepBits - 1) {
	case stepAll:
		r.set = r.live.all
	case stepSome:
		r.some = r.some[:0]
		warp := int32(0)
		for n := r.get(); n > 0; n-- {
			warp += int32(r.get())
			r.some = append(r.some, warpLanes{warp, Mask(r.get())})
		}
		r.set = r.some
	default:
		r.set = r.some
	}
	if r.code.blocks[r.block].returns {
		r.kept = append(r.kept[:0], r.set...)
		r.set = r.kept
		r.live.leave(r.set)
	}
	return true
}

// access reads the next access of the step. It reports false for one that no instruction of the machine makes, of which
// nothing is recorded.
func (r *traceReader) access() bool {
	b := &r.code.blocks[r.block]
	m := &b.memory[r.next]
	last := &r.last[b.firstAccess+r.next]
	r.next++
	if m.instr < 0 {
		return false
	}
	at := r.at
	if m.space != kir.Global {
		at = nil
	}
	r.pattern, r.warps, r.addrs = nil, r.warps[:0], r.addrs[:0]
	if x := r.get(); x != accessWarps {
		p := r.sh.patternOf(m.value, int(x/2))
		base, shift, ok := r.getPlace(last), uint64(0), true
		if at != nil {
			shift, ok = at.shift(base+uint64(p.lo), base+uint64(p.hi))
		}
		if ok {
			r.pattern, r.base = p, base+shift
			return true
		}
		for i := range p.warps {
			w := &p.warps[i]
			r.place(traceAccess{base: base + w.offset, shape: w.shape}, w.shape.lanes, at)
		}
		return true
	}
	for _, s := range r.set {
		switch x := r.get(); {
		case x == warpStride:
			base := r.getPlace(last)
			r.place(traceAccess{base: base, stride: int32(r.getSigned())}, s.lanes, at)
		case x < warpShape:
			first, align := len(r.addrs), x-warpList
			for range s.lanes.Count() {
				*last += uint64(r.getSigned() << align)
				r.addrs = append(r.addrs, *last)
			}
			r.list(first, at)
		default:
			r.place(traceAccess{base: r.getPlace(last), shape: r.sh.of(m.value, int(x-warpShape))}, s.lanes, at)
		}
	}
	return true
}

// place adds an access of lanes m to the warps', moved to its place; as a list where it is in several.
func (r *traceReader) place(a traceAccess, m Mask, at *places) {
	if at == nil {
		r.warps = append(r.warps, a)
		return
	}
	var lo, hi uint64
	if a.shape != nil {
		lo, hi = a.base+uint64(a.shape.lo), a.base+uint64(a.shape.hi)
	} else {
		lo, hi = a.lane(m.first()), a.lane(m.last())
		if a.stride < 0 {
			lo, hi = hi, lo
		}
	}
	if shift, ok := at.shift(lo, hi); ok {
		a.base += shift
		r.warps = append(r.warps, a)
		return
	}
	first := len(r.addrs)
	r.addrs = a.addresses(m, m, nil, r.addrs)
	r.list(first, at)
}

// list adds an access with the addresses from place first of addrs on.
func (r *traceReader) list(first int, at *places) {
	if at != nil && !at.move(r.addrs[first:]) {
		r.strange = true
	}
	r.warps = append(r.warps, traceAccess{base: uint64(first), listed: true})
}

// warpTrace is steps of one warp, those from number first on, and no more than its threads are about to need.
type warpTrace struct {
	first  int32
	steps  []traceStep
	access []traceAccess
	addrs  []uint64
}

type traceStep struct {
	block  int32
	access int32 // its first
	lanes  Mask
}

// traceAccess is the addresses of one memory operation of a step: a shape that begins at base; a list with one entry
// per lane, which begins at place base of addrs; or base + lane*stride.
type traceAccess struct {
	base   uint64
	shape  *shape
	stride int32
	listed bool
}

func (a *traceAccess) lane(n int) uint64 { return a.base + uint64(n)*uint64(int64(a.stride)) }

// addresses appends those of lanes m, some of the lanes all that made the access. The result is only valid until the
// next call where out is empty.
func (a *traceAccess) addresses(m, all Mask, addrs, out []uint64) []uint64 {
	switch {
	case a.shape != nil:
		return a.shape.addresses(a.base, m, out)
	case !a.listed:
		for rest := m; rest != 0; rest &= rest - 1 {
			out = append(out, a.lane(rest.first()))
		}
	case m == all && len(out) == 0:
		return addrs[a.base : int(a.base)+m.Count()]
	default:
		for rest := m; rest != 0; rest &= rest - 1 {
			below := all & (rest&-rest - 1)
			out = append(out, addrs[int(a.base)+below.Count()])
		}
	}
	return out
}

// unpackAhead is how many steps are unpacked at a time.
const unpackAhead = 64

// blockWarps is the warps of a block whose trace is being read.
type blockWarps struct {
	reader *traceReader
	warps  []*warpTrace // nil of those that nobody asks for
}

// begin goes to the beginning of another block's trace.
func (b *blockWarps) begin(t *blockTrace, warpSize int) {
	b.reader.begin(t, warpSize)
	for _, w := range b.warps {
		w.begin()
	}
}

// begin empties t for another warp.
func (t *warpTrace) begin() {
	*t = warpTrace{steps: t.steps[:0], access: t.access[:0], addrs: t.addrs[:0]}
}

// more unpacks steps until warp number w has some more, and reports whether it has. Steps of w before number done,
// which no lane of it needs any more, are dropped.
func (b *blockWarps) more(w int, done int32) bool {
	t := b.warps[w]
	t.drop(done)
	for had := len(t.steps); len(t.steps) < had+unpackAhead; {
		if !b.step() {
			return len(t.steps) > had
		}
	}
	return true
}

// drop forgets the steps before number done.
func (t *warpTrace) drop(done int32) {
	n := int(done - t.first)
	if n < unpackAhead || n < len(t.steps)/2 {
		return
	}
	t.first = done
	access := int32(len(t.access))
	if n < len(t.steps) {
		access = t.steps[n].access
	}
	t.steps = t.steps[:copy(t.steps, t.steps[n:])]
	for i := range t.steps {
		t.steps[i].access -= access
	}
	t.access = t.access[:copy(t.access, t.access[access:])]
	addrs := len(t.addrs)
	for i := range t.access {
		if t.access[i].listed {
			addrs = min(addrs, int(t.access[i].base))
		}
	}
	if addrs == 0 {
		return
	}
	t.addrs = t.addrs[:copy(t.addrs, t.addrs[addrs:])]
	for i := range t.access {
		if t.access[i].listed {
			t.access[i].base -= uint64(addrs)
		}
	}
}

// step unpacks a step.
func (b *blockWarps) step() bool {
	r := b.reader
	if !r.step() {
		return false
	}
	for _, s := range r.set {
		if t := b.warps[s.warp]; t != nil {
			t.steps = append(t.steps, traceStep{int32(r.block), int32(len(t.access)), s.lanes})
		}
	}
	for range r.code.blocks[r.block].memory {
		if !r.access() {
			for _, s := range r.set {
				if t := b.warps[s.warp]; t != nil {
					t.access = append(t.access, traceAccess{})
				}
			}
			continue
		}
		for i, s := range r.set {
			t := b.warps[s.warp]
			switch {
			case t == nil:
			case r.pattern != nil:
				w := &r.pattern.warps[i]
				t.access = append(t.access, traceAccess{base: r.base + w.offset, shape: w.shape})
			case r.warps[i].listed:
				from := r.warps[i].base
				t.access = append(t.access, traceAccess{base: uint64(len(t.addrs)), listed: true})
				t.addrs = append(t.addrs, r.addrs[from:int(from)+s.lanes.Count()]...)
			default:
				t.access = append(t.access, r.warps[i])
			}
		}
	}
	return true
}
