package cpu

import (
	"math/bits"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/kir"
)

// coalescer makes the accesses of one memory operation, some of which are to lines. It is BaM's: the threads of a warp
// that access one line are a group, of which one asks for the line on behalf of all. Where groups of warps that follow
// each other want one line, the first asks, and the others join it: they are counted as if each had asked.
type coalescer struct {
	w     *worker
	in    *instr
	size  uint64 // bytes of an element
	write bool
	a     *reg
	addrs []uint64 // of a, by thread; not there where rows is enough

	s     segment     // that was accessed last
	shift uint        // of s's lines, if it has any
	held  []holding   // of s by in, by warp; nil where warps hold nothing
	keeps bool        // warps might hold lines of s
	joins bool        // groups of several warps may have a line of s together
	past  PastLines   // lines of s are read past their cache; nil where they are not
	count *lineCounts // of s's lines
	some  [kir.WarpSize]int32
}

func (w *worker) coalescer(in *instr, size uint64, write bool) coalescer {
	return coalescer{w: w, in: in, size: size, write: write, a: w.address(in)}
}

// find makes the memory of an element at addr the one that is accessed, and reports whether it may be.
func (c *coalescer) find(addr uint64) bool {
	if addr&(c.size-1) != 0 {
		return false
	}
	return c.s.holds(addr, c.size) || c.enter(addr, c.size)
}

// enter makes the memory of so many bytes at addr the one that is accessed, and reports whether it may be.
func (c *coalescer) enter(addr, bytes uint64) bool {
	w := c.w
	s := &w.far[c.in.mem]
	if !s.holds(addr, bytes) {
		f := w.spaces[kir.Global].find(addr, bytes)
		if f == nil || f.readOnly && c.in.op != kir.OpLoad {
			return false
		}
		if f.lines == nil {
			c.s = *f
			return true
		}
		*s = *f
	}
	c.s = *s
	c.count = w.counts(s.lines)
	c.shift, c.past, c.held = s.lines.LineShift(), nil, nil
	if c.in.op == kir.OpLoad && c.in.v.Access == kir.Bypass {
		c.past, _ = s.lines.(PastLines)
	}
	c.joins = s.lines.Coalesces() && s.lines.Reuses() && c.past == nil
	if c.keeps = w.mayHold(s); c.keeps && !(c.joins && c.last()) {
		c.held = w.holdings(c.in)
	}
	return true
}

// last reports whether these are the only accesses that the threads make by this operation. A warp comes to each line
// once then, where its threads ask together, and need not hold it.
func (c *coalescer) last() bool { return len(c.w.list) == c.w.n && !c.w.again[c.in.mem] }

// rows calls do for all threads, whose addresses are affine and in one memory of lines: for n of them at a time, from
// thread first on, which access elements of one line, the first one's at p and the others' step bytes apart. do says
// whether the line is to stay where it is. rows reports whether it could: ok is false after a trap.
func (c *coalescer) rows(do func(p unsafe.Pointer, first, n int, step int64) (stays bool)) (could, ok bool) {
	w, a := c.w, c.a
	if !a.affine || len(w.list) != w.n || (a.base|uint64(a.s[0]|a.s[1]|a.s[2]|a.s[3]))&(c.size-1) != 0 {
		return false, true
	}
	lo, hi, known := a.bounds(&w.extent)
	if !known || !c.enter(uint64(lo), uint64(hi-lo)+c.size) || c.s.lines == nil || !c.joins {
		return false, true
	}
	could, ok = true, true
	a.runs(&w.extent, func(first, n int, addr uint64, step int64) {
		if n < w.per && n%kir.WarpSize != 0 { // warps are in several runs, which may come to a line again
			could = false
		}
		for off := addr - c.s.base; could && ok && n > 0; {
			line := off >> c.shift
			in, k := off-line<<c.shift, n
			if step > 0 {
				k = min(n, int((1<<c.shift-1-in)/uint64(step))+1)
			} else if step < 0 {
				k = min(n, int(in/uint64(-step))+1)
			}
			threads := w.list[first:][:k]
			p := c.bring(int64(line), threads)
			if ok = p != nil; !ok {
				return
			}
			if !do(unsafe.Add(p, in), first, k, step) {
				c.leave(int64(line), k)
			} else if c.held == nil {
				w.keep(holding{at: c.address(int64(line)), lines: c.s.lines, line: int64(line), accesses: k, write: c.write})
			}
			first, n, off = first+k, n-k, off+uint64(int64(k)*step)
		}
	})
	return could, ok
}

// each calls do for all threads of w.list, some of a line at a time: the one of address x accesses it at p+(x-from).
func (c *coalescer) each(do func(p unsafe.Pointer, from uint64, threads []int32)) bool {
	c.addrs = c.w.addresses(c.a)
	for list := c.w.list; len(list) > 0; {
		n := c.inOneLine(list)
		if n == 0 {
			_, n = c.w.group(list)
			if !c.apart(list[:n], do) {
				return false
			}
		} else {
			line := int64((c.addrs[list[0]] - c.s.base) >> c.shift)
			p := c.bring(line, list[:n])
			if p == nil {
				return false
			}
			do(p, c.address(line), list[:n])
			c.leave(line, n)
		}
		list = list[n:]
	}
	return true
}

// inOneLine returns how many threads, the first of list, are warps that access nothing but one and the same line, which
// they may have together; 0 where the first warp does not.
func (c *coalescer) inOneLine(list []int32) (n int) {
	first := c.addrs[list[0]]
	if !c.find(first) || c.s.lines == nil || !c.joins {
		return 0
	}
	first -= c.s.base
	if (first>>c.shift+1)<<c.shift > c.s.size { // the last line is shorter
		return 0
	}
	for n < len(list) {
		_, k := c.w.group(list[n:])
		differ := uint64(0)
		for _, t := range list[n : n+k] {
			differ |= (c.addrs[t] - c.s.base) ^ first
		}
		if differ>>c.shift != 0 || differ&(c.size-1) != 0 {
			break
		}
		n += k
	}
	return n
}

// apart calls do for the threads of a warp, whose groups it finds.
func (c *coalescer) apart(threads []int32, do func(p unsafe.Pointer, from uint64, threads []int32)) bool {
	for left := uint32(1<<len(threads) - 1); left != 0; {
		first := bits.TrailingZeros32(left)
		t := threads[first]
		addr := c.addrs[t]
		if !c.find(addr) {
			return c.w.trap(c.in, t, addr, c.size)
		}
		if c.s.lines == nil {
			do(c.s.ptr, c.s.base, threads[first:first+1])
			left &^= 1 << first
			continue
		}
		line, group, end := int64((addr-c.s.base)>>c.shift), c.some[:0], len(threads)
		if !c.s.lines.Coalesces() {
			end = first + 1
		}
		for i := first; i < end; i++ {
			a := c.addrs[threads[i]]
			if left>>i&1 == 0 || a&(c.size-1) != 0 || !c.s.holds(a, c.size) || int64((a-c.s.base)>>c.shift) != line {
				continue
			}
			group = append(group, threads[i])
			left &^= 1 << i
		}
		p := c.bring(line, group)
		if p == nil {
			return false
		}
		do(p, c.address(line), group)
		c.leave(line, len(group))
	}
	return true
}

// address returns that of a line.
func (c *coalescer) address(line int64) uint64 { return c.s.base + uint64(line)<<c.shift }

// bring gets a line for threads, in their order; nil after a trap.
func (c *coalescer) bring(line int64, threads []int32) unsafe.Pointer {
	if c.held != nil && c.past == nil {
		return c.hold(line, threads)
	}
	_, n := c.w.group(threads)
	if c.past != nil {
		return c.readPast(line, threads)
	}
	groups := 1
	if n < len(threads) {
		groups += c.w.groups(threads[n:])
	}
	p, read, err := c.pin(line, groups, len(threads))
	if err != nil {
		c.count.asked(1, n, int(c.size))
		return c.failed(threads[0], err)
	}
	c.count.found(groups, n, len(threads), int(c.size), read)
	return p
}

// pin is Pin of the line while anybody waits for the launch: one access of blocks that run side by side may want a
// thousand lines of a slow disk.
func (c *coalescer) pin(line int64, groups, accesses int) (p unsafe.Pointer, read bool, err error) {
	if c.w.limit.Load() < 0 {
		return nil, false, errAbandoned
	}
	return c.s.lines.Pin(line, groups, accesses, c.write)
}

// readPast is bring past the cache.
func (c *coalescer) readPast(line int64, threads []int32) unsafe.Pointer {
	w := c.w
	if words := 1 << c.shift / 8; len(w.line) < words {
		w.line = make([]uint64, words)
	}
	if w.limit.Load() < 0 {
		return c.failed(threads[0], errAbandoned)
	}
	p := unsafe.Pointer(unsafe.SliceData(w.line))
	if err := c.past.Past(line, len(threads), int(c.size), unsafe.Slice((*byte)(p), 1<<c.shift)); err != nil {
		return c.failed(threads[0], err)
	}
	return p
}

// leave ends the accesses of n threads to a line.
func (c *coalescer) leave(line int64, n int) {
	if c.held == nil && c.past == nil {
		c.s.lines.Release(line, n, c.write)
	}
}

// hold is bring where warps hold what they had last.
func (c *coalescer) hold(line int64, threads []int32) (p unsafe.Pointer) {
	w, at := c.w, c.address(line)
	first, groups, asked := 0, 0, 0
	for rest := threads; len(rest) > 0; {
		warp, n := w.group(rest)
		if h := &c.held[warp]; h.lines != nil && h.at == at {
			p = h.p
		} else if groups++; groups == 1 {
			first, asked = len(threads)-len(rest), n
		} else {
			asked += n
		}
		rest = rest[n:]
	}
	if reused := len(threads) - asked; reused > 0 {
		c.count.reused += reused
		c.count.bytes += reused * int(c.size)
	}
	if groups == 0 {
		return p
	}
	w.holds = true
	var before letting
	warp, n := w.group(threads[first:])
	before.add(&c.held[warp]) // who may wait for the line has let go of the one before
	before.end()
	p, read, err := c.pin(line, groups, asked)
	if err != nil {
		c.count.asked(1, n, int(c.size))
		return c.failed(threads[first], err)
	}
	c.count.found(groups, n, asked, int(c.size), read)
	for rest := threads[first:]; len(rest) > 0; {
		warp, n := w.group(rest)
		if h := &c.held[warp]; h.lines == nil || h.at != at {
			before.add(h)
			*h = holding{at: at, lines: c.s.lines, line: line, accesses: n, write: c.write, p: p}
		}
		rest = rest[n:]
	}
	before.end()
	return p
}

// failed is the trap of a thread whose line cannot be had.
func (c *coalescer) failed(t int32, err error) unsafe.Pointer {
	w := c.w
	w.trap(c.in, t, lanes[uint64](c.a.lanes(&w.extent), w.n)[t], c.size)
	trap := w.err.(*kir.Trap)
	trap.Msg, trap.Err = "is in a file: "+err.Error(), err
	return nil
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
		return storeLines[T](w, in)
	}
	return loadLines[T](w, in)
}

func storeLines[T unsigned](w *worker, in *instr) bool {
	size := unsafe.Sizeof(T(0))
	c := w.coalescer(in, uint64(size), true)
	x := lanes[T](w.regs[in.args[1]].lanes(&w.extent), w.n)
	could, ok := c.rows(func(p unsafe.Pointer, first, n int, step int64) bool {
		from := x[first : first+n]
		if step == int64(size) {
			copy(lanes[T](p, n), from)
			return false
		}
		for i, v := range from {
			*(*T)(unsafe.Add(p, int64(i)*step)) = v
		}
		return false
	})
	if could {
		return ok
	}
	return c.each(func(p unsafe.Pointer, from uint64, threads []int32) {
		for _, t := range threads {
			*(*T)(unsafe.Add(p, c.addrs[t]-from)) = x[t]
		}
	})
}

func loadLines[T unsigned](w *worker, in *instr) bool {
	size := unsafe.Sizeof(T(0))
	c := w.coalescer(in, uint64(size), false)
	d := &w.regs[in.dst]
	d.p = d.home
	to := lanes[T](d.p, w.n)
	could, ok := c.rows(func(p unsafe.Pointer, first, n int, step int64) bool {
		to := to[first : first+n]
		switch {
		case step == 0:
			fill(to, *(*T)(p))
		case step != int64(size):
			for i := range to {
				to[i] = *(*T)(unsafe.Add(p, int64(i)*step))
			}
		case n == w.n && in.direct && c.keeps && n%vector.Step == 0:
			d.p = p
			return true
		default:
			copy(to, lanes[T](p, n))
		}
		return false
	})
	if could {
		d.setLanes()
		return ok
	}
	if w.partial && !in.local {
		d.lanes(&w.extent)
	}
	ok = c.each(func(p unsafe.Pointer, from uint64, threads []int32) {
		if n := len(threads); int(threads[n-1]-threads[0]) == n-1 {
			d, a := unsafe.Pointer(&to[threads[0]]), unsafe.Pointer(&c.addrs[threads[0]])
			last := from + 1<<c.shift - uint64(size)
			threads = threads[vector.Gather(int(size), n, d, a, from, last, uint64(uintptr(p))-from):]
		}
		for _, t := range threads {
			to[t] = *(*T)(unsafe.Add(p, c.addrs[t]-from))
		}
	})
	d.setLanes()
	return ok
}
