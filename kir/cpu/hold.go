package cpu

import (
	"runtime"
	"slices"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
)

// holding is a line that a warp had last by a memory operation, and has still: while its next accesses are to the same
// one, nothing is looked up.
type holding struct {
	at       uint64 // the line's address
	lines    Lines  // nil where nothing is held
	line     int64
	accesses int
	write    bool
	p        unsafe.Pointer
}

// letting releases what warps have held. Neighbours often held one line, which is released for them together.
type letting struct{ of holding }

func (l *letting) add(h *holding) {
	if h.lines == nil {
		return
	}
	if l.of.lines != nil && l.of.at == h.at && l.of.write == h.write {
		l.of.accesses += h.accesses
	} else {
		l.end()
		l.of = *h
	}
	h.lines, h.p = nil, nil
}

func (l *letting) end() {
	if l.of.lines != nil {
		l.of.lines.Release(l.of.line, l.of.accesses, l.of.write)
		l.of.lines = nil
	}
}

// lineCounts are what a worker has counted of lines, which it tells them when it lets go of them.
type lineCounts struct {
	lines                               Lines
	groups, hits, misses, reused, bytes int
}

// asked counts groups of threads that have asked for a line.
func (c *lineCounts) asked(groups, accesses, size int) {
	c.groups += groups
	c.bytes += accesses * size
}

// found counts groups of threads that have asked for a line and got it. The first one makes so many of the accesses,
// and has waited for the line where that was read.
func (c *lineCounts) found(groups, first, accesses, size int, read bool) {
	if c.asked(groups, accesses, size); read {
		c.misses += first
		accesses -= first
	}
	c.hits += accesses
}

// counts returns the worker's counts of lines.
func (w *worker) counts(lines Lines) *lineCounts {
	for _, c := range w.counted {
		if c.lines == lines {
			return c
		}
	}
	c := &lineCounts{lines: lines}
	w.counted = append(w.counted, c)
	return c
}

// keep has the worker hold a line until it lets go of all.
func (w *worker) keep(h holding) { w.kept = append(w.kept, h) }

// letLines lets go of what the worker holds, and tells lines what was counted.
func (w *worker) letLines() {
	for _, c := range w.counted {
		if c.groups+c.reused > 0 {
			c.lines.Count(c.groups, c.hits, c.misses, c.reused, c.bytes)
			*c = lineCounts{lines: c.lines}
		}
	}
	var l letting
	for i := range w.kept {
		l.add(&w.kept[i])
	}
	l.end()
	w.kept = w.kept[:0]
	if !w.holds {
		return
	}
	for i := range w.held {
		l.add(&w.held[i])
	}
	l.end()
	w.holds = false
}

// fitLines makes w ready for memory of lines, with no more threads side by side than there are now.
func (w *worker) fitLines() {
	w.procs = runtime.GOMAXPROCS(0)
	w.p.loops.Do(func() { w.p.again = w.p.repeated() })
	w.again = w.p.again
	if w.far == nil {
		w.far = make([]segment, w.p.memOps)
	}
	clear(w.far)
	if need := w.warps() * w.p.memOps; len(w.held) < need {
		w.held = make([]holding, need)
	}
}

// perBlock returns how many warps a block has.
func (w *worker) perBlock() int { return (w.per + kir.WarpSize - 1) / kir.WarpSize }

// warps returns how many warps run side by side.
func (w *worker) warps() int { return w.extent[3] * w.perBlock() }

// group returns the number of the warp that the first of some threads is in, which are in order, and how many of them
// are in that.
func (w *worker) group(threads []int32) (warp, n int) {
	first := threads[0]
	end := int32(0) // the first thread behind the warp
	if w.per%kir.WarpSize == 0 {
		warp = int(uint32(first) / kir.WarpSize)
		end = int32(warp+1) * kir.WarpSize
	} else {
		block := int(first) / w.per
		at := (int(first) - block*w.per) / kir.WarpSize
		warp, end = block*w.perBlock()+at, int32(block*w.per+min((at+1)*kir.WarpSize, w.per))
	}
	if n = int(end - first); n <= len(threads) && threads[n-1] == end-1 {
		return warp, n
	}
	for n = 1; n < len(threads) && threads[n] < end; {
		n++
	}
	return warp, n
}

// groups returns how many warps some threads are of, which are in order.
func (w *worker) groups(threads []int32) (groups int) {
	n := len(threads)
	if first, last := threads[0], threads[n-1]; w.per%kir.WarpSize == 0 && int(last-first) == n-1 {
		return int(uint32(last)/kir.WarpSize-uint32(first)/kir.WarpSize) + 1
	}
	for ; len(threads) > 0; groups++ {
		_, n := w.group(threads)
		threads = threads[n:]
	}
	return groups
}

// mayHold reports whether warps may hold lines of s: workers hold no more than a quarter of those that may be there.
func (w *worker) mayHold(s *segment) bool {
	return s.lines.Reuses() && 4*w.warps()*w.p.memOps*w.procs <= s.lines.Slots()
}

// holdings returns what warps hold by in.
func (w *worker) holdings(in *instr) []holding {
	n := len(w.held) / w.p.memOps
	return w.held[in.mem*n:][:n]
}

// repeated returns, by memory operation, whether a thread may come to it again, as in a loop.
func (p *Program) repeated() []bool {
	succ := p.f.Succs()
	again := make([]bool, p.memOps)
	for b := range p.code {
		instrs := p.code[b].instrs
		if !slices.ContainsFunc(instrs, func(in instr) bool { return in.v.Op.IsMemory() }) {
			continue
		}
		seen := make([]bool, len(succ))
		for todo := slices.Clone(succ[b]); len(todo) > 0; {
			last := todo[len(todo)-1]
			if todo = todo[:len(todo)-1]; !seen[last] {
				seen[last] = true
				todo = append(todo, succ[last]...)
			}
		}
		for i := range instrs {
			if instrs[i].v.Op.IsMemory() {
				again[instrs[i].mem] = seen[b]
			}
		}
	}
	return again
}
