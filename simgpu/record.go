package simgpu

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// blockTrace is what one thread block did, in the order in which it happened: which threads went through a basic block
// at a time in the functional pass, and where they accessed memory. The way of each thread is what counts, and any
// policy may form other groups from it.
//
// It is packed: a step of all threads that live and an access whose addresses follow a rule take two to four bytes for
// all warps of the block together, so that a block of a million warp instructions takes from some tens of kilobytes
// (warps that stay together) to some megabytes (addresses by chance). A traceReader unpacks it, a little at a time.
type blockTrace struct {
	cta          int
	at           int // its place in the order in which blocks run
	threads      int
	packed       []byte
	parted       []bool // by warp: whether its lanes ever went different ways
	instrs       int64  // warp instructions
	path         int64  // those of the warp that has most
	threadInstrs int64  // of all threads
	foreign      bool   // it holds addresses of buffers that no parameter points to
}

// What a step begins with, in the low bits of its first number, above which the basic block stands.
const (
	stepAll  = iota // all threads that live
	stepSame        // those of the last step that was not of all
	stepSome        // those that follow: the number of warps, then each one's distance from the last and its lanes
	stepBits = 2
)

// What an access begins with: an even number is that of a pattern, times two, and the rest follows from where it
// begins; accessWarps stands before an access that is noted warp by warp, each with one of the codes below.
const accessWarps = 1

const (
	warpStride = iota
	warpList                             // plus how many low bits of all distances are left out
	warpShape  = warpList + 1 + maxAlign // and its number
)

// maxAlign is that of words of eight bytes.
const maxAlign = 3

// warpLanes is lanes of warp number warp of a block.
type warpLanes struct {
	warp  int32
	lanes Mask
}

// liveThreads is which threads of a block have not returned.
type liveThreads struct {
	masks []Mask      // by warp
	all   []warpLanes // the same without warps that have ended
	count int
}

func (l *liveThreads) reset(threads, warpSize int) {
	l.masks, l.count = l.masks[:0], threads
	for first := 0; first < threads; first += warpSize {
		l.masks = append(l.masks, lanes(0, min(warpSize, threads-first)))
	}
	l.list()
}

func (l *liveThreads) list() {
	l.all = l.all[:0]
	for w, m := range l.masks {
		if m != 0 {
			l.all = append(l.all, warpLanes{int32(w), m})
		}
	}
}

// leave notes that threads have returned.
func (l *liveThreads) leave(set []warpLanes) {
	for _, s := range set {
		l.masks[s.warp] &^= s.lanes
		l.count -= s.lanes.Count()
	}
	l.list()
}

// recorder is a kir.Recorder that makes a blockTrace of a block and hands it to a collector at its end.
type recorder struct {
	c     *collector
	tally *tally
	trace blockTrace
	live  liveThreads

	block int         // of the step
	set   []warpLanes // of the step
	some  []warpLanes // of the last step that was not of all
	next  int         // access of the step
	last  []uint64    // by access: where it was last
	addrs []uint64
	tmp   []warpLanes
}

// localBase is where local memory begins for the caches: above all addresses of buffers.
const localBase = 1 << 62

// localPlace is where the caches see address addr of the local memory of a thread, one of so many of block cta, who
// have so many bytes each.
func localPlace(cta, bytes, threads, thread int, addr uint64) uint64 {
	return localBase + uint64(cta*threads*bytes) + (addr/4*uint64(threads)+uint64(thread))*4 + addr%4
}

// begin makes r ready for a block.
func (r *recorder) begin(cta int) {
	r.trace = blockTrace{cta: cta, at: r.c.at(cta), threads: r.c.threads, packed: r.trace.packed[:0], parted: r.trace.parted}
	r.live.reset(r.c.threads, r.c.preset.WarpSize)
	r.trace.parted = append(r.trace.parted[:0], make([]bool, len(r.live.masks))...)
	r.some = r.some[:0]
	clear(r.last)
}

func (r *recorder) put(x uint64) { r.trace.packed = binary.AppendUvarint(r.trace.packed, x) }

// putPlace notes an address, as the distance from where the same access was last.
func (r *recorder) putPlace(addr uint64, last *uint64) {
	r.trace.packed = binary.AppendVarint(r.trace.packed, int64(addr-*last))
	*last = addr
}

// Step notes that threads went through blk.
func (r *recorder) Step(blk *kir.Block, threads []int32) {
	b := &r.c.code.blocks[blk.ID]
	r.block, r.next = blk.ID, 0
	switch {
	case len(threads) == r.live.count:
		r.set = r.live.all
		r.put(uint64(blk.ID)<<stepBits + stepAll)
	default:
		r.tmp = r.warps(threads, r.tmp[:0])
		if slices.Equal(r.tmp, r.some) {
			r.put(uint64(blk.ID)<<stepBits | stepSame)
		} else {
			r.some, r.tmp = r.tmp, r.some
			r.put(uint64(blk.ID)<<stepBits | stepSome)
			r.put(uint64(len(r.some)))
			warp := int32(0)
			for _, s := range r.some {
				r.put(uint64(s.warp - warp))
				r.put(uint64(s.lanes))
				warp = s.warp
				if s.lanes != r.live.masks[s.warp] {
					r.trace.parted[s.warp] = true
				}
			}
		}
		r.set = r.some
	}
	if b.returns {
		// Accesses of the step still come: r.set must stay.
		r.tmp = append(r.tmp[:0], r.set...)
		r.set = r.tmp
		r.live.leave(r.set)
	}
}

// warps appends the warps of the threads with their lanes.
func (r *recorder) warps(threads []int32, out []warpLanes) []warpLanes {
	size := int32(r.c.preset.WarpSize)
	for len(threads) > 0 {
		w := threads[0] / size
		first, end := w*size, (w+1)*size
		m, n := Mask(0), 0
		for n < len(threads) && threads[n] < end {
			m |= 1 << uint(threads[n]-first)
			n++
		}
		out, threads = append(out, warpLanes{w, m}), threads[n:]
	}
	return out
}

// Access notes the addresses of the next memory operation of the step. Words of local memory lie side by side for the
// threads of a block, so that lanes that use the same place of it touch neighbours.
func (r *recorder) Access(v *kir.Value, threads []int32, at cpu.Addresses) {
	b := &r.c.code.blocks[r.block]
	last := &r.last[b.firstAccess+r.next]
	used := b.memory[r.next].instr >= 0
	r.next++
	if !used {
		return
	}
	if v.Space != kir.Local && len(threads) == r.trace.threads {
		if base, step, ok := at.Affine(); ok {
			if p := r.c.shapes.pattern(v.ID, step, r.set, at); p != nil {
				r.put(uint64(p.index) * 2)
				r.putPlace(base, last)
				return
			}
		}
	}
	addrs := at.List()
	if v.Space == kir.Local {
		r.addrs = r.addrs[:0]
		for i, addr := range addrs {
			r.addrs = append(r.addrs, localPlace(r.trace.cta, r.c.code.local, r.trace.threads, int(threads[i]), addr))
		}
		addrs = r.addrs
	}
	r.put(accessWarps)
	for _, s := range r.set {
		n := s.lanes.Count()
		r.warp(v.ID, s.lanes, addrs[:n], last)
		addrs = addrs[n:]
	}
}

// warp notes an access of a warp: a shape, a stride, or a list of addresses.
func (r *recorder) warp(op int, m Mask, addrs []uint64, last *uint64) {
	if sh := r.c.shapes.find(op, m, addrs); sh != nil {
		r.put(warpShape + uint64(sh.index))
		r.putPlace(addrs[0], last)
		return
	}
	if a, ok := inSteps(m, addrs); ok {
		r.put(warpStride)
		r.putPlace(a.base, last)
		r.trace.packed = binary.AppendVarint(r.trace.packed, int64(a.stride))
		return
	}
	distances := uint64(1 << maxAlign)
	for i, before := 0, *last; i < len(addrs); i++ {
		distances |= addrs[i] - before
		before = addrs[i]
	}
	align := bits.TrailingZeros64(distances)
	r.put(uint64(warpList + align))
	for _, addr := range addrs {
		r.trace.packed = binary.AppendVarint(r.trace.packed, int64(addr-*last)>>align)
		*last = addr
	}
}

// End counts the block and hands it over.
func (r *recorder) End() { r.c.take(r) }

// inSteps returns the access of lanes m where addresses follow from the numbers of lanes, as they do in loops that
// lanes leave one by one, of which there are too many shapes. Not with a stride that has no room, nor with a hole after
// the first lane.
func inSteps(m Mask, addrs []uint64) (a traceAccess, ok bool) {
	a = traceAccess{base: addrs[0]}
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
