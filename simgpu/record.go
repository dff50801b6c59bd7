package simgpu

import "github.com/arrayrepl/arrayrepl/kir"

// blockTrace is what one thread block did: for each warp its steps. The lanes of a step say only which threads went through
// a basic block at a time in the functional pass; the way of each thread is what counts, and any policy may form other
// groups from it.
type blockTrace struct {
	warps   []warpTrace
	threads int
	ops     int64 // executed operations in it, as kir counts them
	flops   flops
	shapes  *shapes
}

type warpTrace struct {
	lanes  Mask
	steps  []traceStep
	access []traceAccess
	addrs  []uint64
	shapes *shapes
}

type traceStep struct {
	block  int32
	access int32 // its first
	lanes  Mask
}

// traceAccess is the addresses of one memory operation of a step: a shape that begins at base; else base + lane*stride; else a
// list with one entry per lane, which begins at place base of addrs. There are as many as accesses of warps: most of what a
// launch is recorded in.
type traceAccess struct {
	base   uint64
	stride int32
	shape  int32 // the number of one, or one of these
}

const (
	inStride = -1 - iota
	inList
)

// recorder is a kir.Recorder that keeps a blockTrace of at most limit warp instructions.
type recorder struct {
	code   *code
	warp   int // size
	trace  blockTrace
	cta    int
	addrs  []uint64
	room   int64
	ignore bool

	places  *places
	foreign bool // it holds addresses that have no place yet
}

// localBase is where local memory begins for the caches: above all addresses of buffers.
const localBase = 1 << 62

// localPlace is where the caches see address addr of the local memory of a thread, one of so many of block cta, who have so many
// bytes each.
func localPlace(cta, bytes, threads, thread int, addr uint64) uint64 {
	return localBase + uint64(cta*threads*bytes) + (addr/4*uint64(threads)+uint64(thread))*4 + addr%4
}

func newRecorder(c *code, at *places, sh *shapes, cta, threads, warpSize int, limit int64) *recorder {
	r := &recorder{code: c, places: at, warp: warpSize, room: limit, cta: cta}
	r.trace.threads, r.trace.shapes = threads, sh
	r.trace.warps = make([]warpTrace, (threads+warpSize-1)/warpSize)
	for i := range r.trace.warps {
		r.trace.warps[i].shapes = sh
		r.trace.warps[i].lanes = lanes(0, min(warpSize, threads-i*warpSize))
	}
	return r
}

// cut reports whether a block did more than its recorder has room for.
func cut(recorders map[int]*recorder) bool {
	for _, r := range recorders {
		if r.ignore {
			return true
		}
	}
	return false
}

// Step notes that threads went through blk.
func (r *recorder) Step(blk *kir.Block, threads []int32) {
	r.ignore = r.room <= 0
	if r.ignore {
		return
	}
	b := &r.code.blocks[blk.ID]
	r.trace.ops += b.ops * int64(len(threads))
	r.trace.flops.add(b.flops, int64(len(threads)))
	for len(threads) > 0 {
		w, m, n := r.group(threads)
		threads = threads[n:]
		t := &r.trace.warps[w]
		t.steps = append(t.steps, traceStep{int32(blk.ID), int32(len(t.access)), m})
		r.room -= int64(len(b.instrs)) + 1
	}
}

// Access notes the addresses of the next memory operation of the step. Words of local memory lie side by side for the threads
// of a block, so that lanes that use the same place of it touch neighbours.
func (r *recorder) Access(v *kir.Value, threads []int32, addrs []uint64) {
	if r.ignore {
		return
	}
	if v.Space == kir.Local {
		r.addrs = r.addrs[:0]
		for i, addr := range addrs {
			r.addrs = append(r.addrs, localPlace(r.cta, r.code.local, r.trace.threads, int(threads[i]), addr))
		}
		addrs = r.addrs
	}
	at := r.places
	if v.Space != kir.Global {
		at = nil
	}
	for len(threads) > 0 {
		w, m, n := r.group(threads)
		known := r.trace.warps[w].add(v.ID, m, addrs[:n], at)
		r.foreign = r.foreign || !known
		threads, addrs = threads[n:], addrs[n:]
	}
}

// group returns the warp of the first thread, the lanes of it that follow, and their number.
func (r *recorder) group(threads []int32) (warp int, m Mask, n int) {
	warp = int(threads[0]) / r.warp
	first, end := int32(warp*r.warp), int32((warp+1)*r.warp)
	for n < len(threads) && threads[n] < end {
		m |= 1 << uint(threads[n]-first)
		n++
	}
	return warp, m, n
}

// add notes an access of operation op by lanes m. Addresses of device memory are moved to their places; it reports whether they
// have them.
func (t *warpTrace) add(op int, m Mask, addrs []uint64, at *places) (known bool) {
	shift, inside := uint64(0), true // all in one place
	if sh := t.shapes.find(op, m, addrs); sh != nil {
		if at != nil {
			shift, inside = at.shift(addrs[0]+uint64(sh.lo), addrs[0]+uint64(sh.hi))
		}
		if inside {
			t.access = append(t.access, traceAccess{base: addrs[0] + shift, shape: sh.number})
			return true
		}
	} else if a, ok := inSteps(m, addrs); ok {
		if at != nil {
			shift, inside = at.shift(addrs[0], addrs[len(addrs)-1])
		}
		if inside {
			a.base += shift
			t.access = append(t.access, a)
			return true
		}
	}
	return t.list(addrs, at)
}

// list notes an access whose addresses follow no rule, and reports whether all have places.
func (t *warpTrace) list(addrs []uint64, at *places) (known bool) {
	first := len(t.addrs)
	t.access = append(t.access, traceAccess{base: uint64(first), shape: inList})
	t.addrs = append(t.addrs, addrs...)
	return at == nil || at.move(t.addrs[first:])
}

// inSteps returns the access of lanes m where addresses follow from the numbers of lanes, as they do in loops that lanes leave one
// by one, of which there are too many shapes. Not with a stride that has no room, nor with a hole after the first lane.
func inSteps(m Mask, addrs []uint64) (a traceAccess, ok bool) {
	a = traceAccess{base: addrs[0], shape: inStride}
	if len(addrs) > 1 {
		a.stride = int32(addrs[1] - addrs[0])
	}
	step := uint64(int64(a.stride))
	a.base -= uint64(m.first()) * step
	for i, rest := 0, m; rest != 0; i, rest = i+1, rest&(rest-1) {
		if addrs[i] != a.base+uint64(rest.first())*step {
			return a, false
		}
	}
	return a, true
}

// addresses returns the addresses of access number n of the step for the given lanes, a subset of the step's. It may use
// the room in out, which it appends to.
func (t *warpTrace) addresses(s *traceStep, n int32, m Mask, out []uint64) []uint64 {
	a := &t.access[s.access+n]
	switch {
	case a.shape >= 0:
		return t.shapes.all[a.shape].addresses(a.base, m, out)
	case a.shape == inStride:
		for rest := m; rest != 0; rest &= rest - 1 {
			out = append(out, a.base+uint64(rest.first())*uint64(int64(a.stride)))
		}
	case m == s.lanes && len(out) == 0:
		return t.addrs[a.base : int(a.base)+m.Count()]
	default:
		for rest := m; rest != 0; rest &= rest - 1 {
			below := s.lanes & (rest&-rest - 1)
			out = append(out, t.addrs[int(a.base)+below.Count()])
		}
	}
	return out
}
