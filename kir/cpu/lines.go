package cpu

import (
	"math/bits"
	"runtime"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Lines is memory of which threads bring in, line by line, what they touch: a file's, through a cache. Its methods are
// called from several goroutines.
type Lines interface {
	LineShift() uint // the logarithm of a line's bytes
	Slots() int      // how many lines may be there at once
	// Acquire brings a line in for so many accesses, of so many bytes each; it stays where it is until Release is
	// called with the same.
	Acquire(line int64, accesses, bytes int, write bool) (unsafe.Pointer, error)
	Release(line int64, accesses int, write bool)
	// Reuse counts accesses to a line that has not been released.
	Reuse(accesses, bytes int)
	// Coalesces is whether threads of a warp that want one line ask for it together, Reuses whether a warp may hold the
	// line that it had last. Without, programs do the same and take longer.
	Coalesces() bool
	Reuses() bool
}

// PastLines are Lines that can be read past their cache.
type PastLines interface {
	// Past reads all of a line for so many accesses, of so many bytes each, to b, which has room for it.
	Past(line int64, accesses, bytes int, b []byte) error
}

// past reads a line that does not stay, for a load that bypasses caches; nil where in does not, or lines have it not.
func (w *worker) past(in *instr, s *segment, line int64, accesses, bytes int) (unsafe.Pointer, error) {
	lines, ok := s.lines.(PastLines)
	if !ok || in.op != kir.OpLoad || in.v.Access != kir.Bypass {
		return nil, nil
	}
	if size := 1 << s.lines.LineShift(); len(w.line) < size/8 {
		w.line = make([]uint64, size/8)
	}
	p := unsafe.Pointer(unsafe.SliceData(w.line))
	return p, lines.Past(line, accesses, bytes, unsafe.Slice((*byte)(p), 1<<s.lines.LineShift()))
}

// holding is a line that a warp had last by a memory operation, and has still: while its next accesses are to the same
// one, nothing is looked up.
type holding struct {
	lines    Lines
	line     int64
	accesses int
	write    bool
	p        unsafe.Pointer
}

func (h *holding) let() {
	if h.lines != nil {
		h.lines.Release(h.line, h.accesses, h.write)
		h.lines = nil
	}
}

// letLines lets go of what the worker holds.
func (w *worker) letLines() {
	if w.holds == 0 {
		return
	}
	for i := range w.held {
		w.held[i].let()
	}
	w.holds = 0
}

// inLines reports whether a thread of w.list accesses, by in, memory of lines.
func (w *worker) inLines(in *instr, size uint64) bool {
	a, all := w.address(in), w.spaces[kir.Global]
	if a.affine {
		if lo, hi, ok := a.bounds(&w.extent); ok {
			if s := all.find(uint64(lo), uint64(hi-lo)+size); s != nil {
				return s.lines != nil
			}
		}
	}
	addrs := lanes[uint64](a.lanes(&w.extent), w.n)
	near := w.near[in.mem]
	for _, t := range w.list {
		if near.holds(addrs[t], size) {
			continue
		}
		if s := all.find(addrs[t], size); s != nil {
			if s.lines != nil {
				return true
			}
			near = *s
		}
	}
	return false
}

// accessLines is access where inLines is true.
func (w *worker) accessLines(in *instr, size int) bool {
	switch size {
	case 1:
		return loadOrStoreLines[uint8](w, in)
	case 2:
		return loadOrStoreLines[uint16](w, in)
	case 4:
		return loadOrStoreLines[uint32](w, in)
	}
	return loadOrStoreLines[uint64](w, in)
}

func loadOrStoreLines[T unsigned](w *worker, in *instr) bool {
	if in.op == kir.OpStore {
		x := lanes[T](w.regs[in.args[1]].lanes(&w.extent), w.n)
		return eachInLines(w, in, true, func(p *T, t int32) { *p = x[t] },
			func(p *T, t int32, n int) { copy(unsafe.Slice(p, n), x[t:]) })
	}
	d := &w.regs[in.dst]
	d.p = d.home
	if w.partial && !in.local {
		d.lanes(&w.extent)
	}
	to := lanes[T](d.p, w.n)
	ok := eachInLines(w, in, false, func(p *T, t int32) { to[t] = *p },
		func(p *T, t int32, n int) { copy(to[t:], unsafe.Slice(p, n)) })
	d.setLanes()
	return ok
}

// eachInLines calls do for each thread of w.list with the memory that in accesses. It is BaM's coalescer: the threads
// of a warp that access one line are a group, of which one asks for the line on behalf of all. run, which may be nil,
// is do for n threads in a row that access neighbouring elements.
func eachInLines[T unsigned](
	w *worker, in *instr, write bool, do func(p *T, t int32), run func(p *T, t int32, n int),
) bool {
	size := uint64(unsafe.Sizeof(T(0)))
	addrs := lanes[uint64](w.address(in).lanes(&w.extent), w.n)
	all := w.spaces[kir.Global]
	perBlock := (w.per + kir.WarpSize - 1) / kir.WarpSize
	warpOf := func(t int32) int { return int(t)/w.per*perBlock + int(t)%w.per/kir.WarpSize }
	var s segment
	for list := w.list; len(list) > 0; {
		warp, n := warpOf(list[0]), 1
		for n < len(list) && n < kir.WarpSize && warpOf(list[n]) == warp {
			n++
		}
		group := list[:n]
		list = list[n:]
		for left := uint32(1<<n - 1); left != 0; {
			first := bits.TrailingZeros32(left)
			t := group[first]
			addr := addrs[t]
			if !s.holds(addr, size) || addr&(size-1) != 0 {
				f := all.find(addr, size)
				if f == nil || f.readOnly && in.op != kir.OpLoad || addr&(size-1) != 0 {
					return w.trap(in, t, addr, size)
				}
				s = *f
			}
			if s.lines == nil {
				do((*T)(s.at(addr)), t)
				left &^= 1 << first
				continue
			}
			shift := s.lines.LineShift()
			line := (addr - s.base) >> shift
			same, accesses, end := uint32(0), 0, n
			if !s.lines.Coalesces() {
				end = first + 1
			}
			inRow := first == 0 && end == n && run != nil && inARow(addrs, group, size) && s.holds(addr, uint64(n)*size) &&
				(addr+uint64(n)*size-1-s.base)>>shift == line
			if inRow {
				same, accesses, end = left, n, 0
			}
			for i := first; i < end; i++ {
				if a := addrs[group[i]]; left>>i&1 != 0 && s.holds(a, size) && (a-s.base)>>shift == line && a&(size-1) == 0 {
					same |= 1 << i
					accesses++
				}
			}
			left &^= same
			p, err := w.past(in, &s, int64(line), accesses, int(size))
			past := p != nil
			if !past {
				p, err = w.bringLine(in, &s, warp, int64(line), accesses, int(size), write)
			}
			if err != nil {
				w.trap(in, t, addr, size)
				trap := w.err.(*kir.Trap)
				trap.Msg, trap.Err = "is in a file: "+err.Error(), err
				return false
			}
			from := s.base + line<<shift
			if inRow {
				run((*T)(unsafe.Add(p, addr-from)), t, n)
				same = 0
			}
			for m := same; m != 0; m &= m - 1 {
				t := group[bits.TrailingZeros32(m)]
				do((*T)(unsafe.Add(p, addrs[t]-from)), t)
			}
			if !past {
				w.leaveLine(in, &s, warp, int64(line), accesses, write)
			}
		}
	}
	return true
}

// inARow reports whether these threads follow each other and access one element after the other.
func inARow(addrs []uint64, threads []int32, size uint64) bool {
	n := len(threads)
	if int(threads[n-1]-threads[0]) != n-1 {
		return false
	}
	at := addrs[threads[0]:][:n]
	for i, first := 1, at[0]; i < n; i++ {
		if at[i] != first+uint64(i)*size {
			return false
		}
	}
	return true
}

// bringLine gets a line for a group of a warp's threads.
func (w *worker) bringLine(in *instr, s *segment, warp int, line int64, accesses, bytes int, write bool) (unsafe.Pointer, error) {
	h := w.holding(in, s, warp)
	if h == nil {
		return s.lines.Acquire(line, accesses, bytes, write)
	}
	if h.lines == s.lines && h.line == line {
		s.lines.Reuse(accesses, bytes)
		return h.p, nil
	}
	h.let()
	p, err := s.lines.Acquire(line, accesses, bytes, write)
	if err == nil {
		*h = holding{s.lines, line, accesses, write, p}
		w.holds++
	}
	return p, err
}

// leaveLine ends the accesses of a group.
func (w *worker) leaveLine(in *instr, s *segment, warp int, line int64, accesses int, write bool) {
	if w.holding(in, s, warp) == nil {
		s.lines.Release(line, accesses, write)
	}
}

// holding returns what a warp may hold of s, or nil: workers hold no more than a quarter of the lines that may be
// there.
func (w *worker) holding(in *instr, s *segment, warp int) *holding {
	if !s.lines.Reuses() {
		return nil
	}
	warps := (w.n + kir.WarpSize - 1) / kir.WarpSize
	if perBlock := (w.per + kir.WarpSize - 1) / kir.WarpSize; w.per > 0 {
		warps = max(warps, w.n/w.per*perBlock)
	}
	if 4*warps*w.p.memOps*runtime.GOMAXPROCS(0) > s.lines.Slots() {
		return nil
	}
	if need := warps * w.p.memOps; len(w.held) < need {
		w.letLines() // those that it has are numbered otherwise
		w.held = make([]holding, need)
	}
	return &w.held[in.mem*(len(w.held)/w.p.memOps)+warp]
}
