package cpu

import (
	"math"
	"time"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/kir"
)

// rest is how long threads rest before a load that is polled.
const rest = 10 * time.Microsecond

// access executes a load or store for the threads of w.list and reports whether all went well; w.err holds the trap.
func (w *worker) access(in *instr) bool {
	size := in.v.Type.Bytes()
	if in.op == kir.OpStore {
		size = in.v.Args[1].Type.Bytes()
	}
	ok := false
	if in.v.Access == kir.Polled { // what it waits for may need the processor
		time.Sleep(rest)
	}
	switch {
	case w.paged && in.v.Space == kir.Global && w.inLines(in, uint64(size)):
		ok = w.accessLines(in, size)
	case size == 1:
		ok = accessSize[uint8](w, in)
	case size == 2:
		ok = accessSize[uint16](w, in)
	case size == 4:
		ok = accessSize[uint32](w, in)
	case size == 8:
		ok = accessSize[uint64](w, in)
	}
	if ok && in.op == kir.OpLoad && in.v.Type == kir.Bool {
		if d := &w.regs[in.dst]; d.affine {
			d.setUniform(kir.Canonical(kir.Bool, d.base))
		} else {
			z := lanes[uint8](d.p, w.n)
			for i := range z {
				z[i] = bit(z[i] != 0)
			}
		}
	}
	if ok {
		w.record(in)
	}
	return ok
}

// record tells the recorder, if there is one, what the threads of w.list have accessed.
func (w *worker) record(in *instr) {
	if w.rec != nil {
		w.rec.Access(in.v, w.list, Addresses{w, w.address(in), nil})
	}
}

func accessSize[T unsigned](w *worker, in *instr) bool {
	a := w.address(in)
	size := uint64(unsafe.Sizeof(T(0)))
	if in.op == kir.OpStore {
		w.rows = w.rows[:0]
		x := &w.regs[in.args[1]]
		if s, at := w.affineSegment(in, a, size); s != nil && !at.uniform() {
			if at.dense(&w.extent, int64(size)) {
				w.ahead(s, at.base, size)
			}
			storeRuns[T](w, at, x, s)
			return true
		}
		if w.neighbours(a, size) && accessNeighbours(w, in, a, lanes[T](x.lanes(&w.extent), w.n)) {
			return true
		}
		return storeList(w, in, w.addresses(a), lanes[T](x.lanes(&w.extent), w.n))
	}
	d := &w.regs[in.dst]
	d.p = d.home
	masked := w.partial && !in.local
	if a.uniform() && !w.divided(in) {
		s := w.segment(in, a.base, size)
		if s == nil {
			return w.trap(in, w.list[0], a.base, size)
		}
		v := uint64(*(*T)(s.at(a.base)))
		if masked {
			w.fillMasked(d, v)
		} else {
			d.setUniform(v)
		}
		return true
	}
	if s, at := w.affineSegment(in, a, size); s != nil {
		if in.direct && w.n%vector.Step == 0 && at.dense(&w.extent, int64(size)) {
			d.p = s.at(at.base)
			d.setLanes()
			w.ahead(s, at.base, size)
			return true
		}
		if size == 4 && w.loadRows(in, at, d, s) {
			return true
		}
		loadRuns[T](w, at, d, s)
		d.setLanes()
		return true
	}
	if masked {
		d.lanes(&w.extent)
	}
	if w.neighbours(a, size) && accessNeighbours(w, in, a, lanes[T](d.p, w.n)) {
		d.setLanes()
		return true
	}
	ok := loadList(w, in, w.addresses(a), lanes[T](d.p, w.n))
	d.setLanes()
	return ok
}

// address returns the register of the addresses of a memory operation, with its offset added.
func (w *worker) address(in *instr) *reg {
	a := &w.regs[in.args[0]]
	off := in.v.Imm
	if off == 0 {
		return a
	}
	t := &w.moved
	*t = reg{typ: kir.U64, p: w.movedLanes}
	if a.affine {
		t.setAffine(a.base+off, a.s)
		return t
	}
	from, to := lanes[uint64](a.lanes(&w.extent), w.n), lanes[uint64](t.p, w.n)
	for i, x := range from {
		to[i] = x + off
	}
	t.setLanes()
	return t
}

// addresses returns an array in which those of the threads of w.list are.
func (w *worker) addresses(a *reg) []uint64 {
	const few = 8
	if a.full || len(w.list)*few > w.n {
		return lanes[uint64](a.lanes(&w.extent), w.n)
	}
	all, e := lanes[uint64](a.p, w.n), &w.extent
	for _, t := range w.list {
		i, addr := int(t), a.base
		for k, n := range e[:3] {
			if n > 1 {
				addr += uint64(i%n) * uint64(a.s[k])
				i /= n
			}
		}
		all[t] = addr + uint64(i)*uint64(a.s[3])
	}
	return all
}

// segment returns the memory that holds size bytes at an aligned addr and that in may access, or nil. Each instruction
// remembers where it was last.
func (w *worker) segment(in *instr, addr, size uint64) *segment {
	s := &w.near[in.mem]
	if s.holds(addr, size) {
		return s
	}
	f := w.spaces[in.v.Space].find(addr, size)
	if f == nil || f.readOnly && in.op != kir.OpLoad || f.lines != nil {
		return nil
	}
	*s = *f
	return s
}

// affineSegment returns the memory that holds the accesses of all threads at affine addresses, and where they are in
// it, or nil where that is not known at once. The threads' local memories, of which the segment is the first, follow
// each other.
func (w *worker) affineSegment(in *instr, a *reg, size uint64) (*segment, *reg) {
	if !a.affine || len(w.list) != w.n {
		return nil, nil
	}
	lo, hi, ok := a.bounds(&w.extent)
	if !ok || (a.base|uint64(a.s[0]|a.s[1]|a.s[2]|a.s[3]))&(size-1) != 0 {
		return nil, nil
	}
	s := w.segment(in, uint64(lo), uint64(hi-lo)+size)
	if s == nil {
		return nil, nil
	}
	return s, w.placed(in, a)
}

// divided reports whether the memory that in accesses is another one at the same address for some of the threads that
// run side by side: local memory is for each, shared memory for each block.
func (w *worker) divided(in *instr) bool {
	return in.v.Space == kir.Local || in.v.Space == kir.Shared && w.extent[3] > 1
}

// placed returns where the threads' addresses, of which a are affine, are in the memories of all, of which a segment is
// the first: they follow each other.
func (w *worker) placed(in *instr, a *reg) *reg {
	if !w.divided(in) {
		return a
	}
	w.moved = *a
	a = &w.moved
	if in.v.Space == kir.Shared {
		a.s[3] += int64(w.apart)
		return a
	}
	step := int64(w.p.localStride)
	for i, n := range w.extent {
		if n > 1 {
			a.s[i] += step
		}
		step *= int64(n)
	}
	return a
}

// ahead has asked for what the threads after these access, where they go on from addr without a gap as these do: it
// comes while these compute, and loads and stores need not wait for it one after the other.
func (w *worker) ahead(s *segment, addr, size uint64) {
	n := uint64(w.n) * size
	if len(w.asks) < mostAsks && s.holds(addr+n, n) {
		w.asks = append(w.asks, ask{p: s.at(addr + n), n: int(n)})
	}
}

// ask is memory to be asked for before it is needed: the bytes from at to n.
type ask struct {
	p     unsafe.Pointer
	at, n int
}

// askStep is how many bytes are asked for after each instruction. A processor has some tens of lines on the way at a
// time: who asks for more waits.
const askStep = 1536

// mostAsks is how many accesses are noted: a loop, which makes more, comes to the memory of its next round long before
// that of other threads.
const mostAsks = 16

// askFor asks for up to n bytes of what ahead has noted.
func (w *worker) askFor(n int) {
	for n > 0 && w.asked < len(w.asks) {
		a := &w.asks[w.asked]
		k := min(n, a.n-a.at)
		vector.Prefetch(k, unsafe.Add(a.p, a.at))
		n -= k
		if a.at += k; a.at == a.n {
			w.asked++
		}
	}
	if w.asked == len(w.asks) {
		w.asks, w.asked = w.asks[:0], 0
	}
}

func loadRuns[T unsigned](w *worker, a, d *reg, s *segment) {
	all := lanes[T](d.p, w.n)
	a.runs(&w.extent, func(first, n int, addr uint64, step int64) {
		to, p := all[first:first+n], s.at(addr)
		switch step {
		case int64(unsafe.Sizeof(T(0))):
			copy(to, lanes[T](p, n))
		case 0:
			fill(to, *(*T)(p))
		default:
			for i := range to {
				to[i] = *(*T)(unsafe.Add(p, int64(i)*step))
			}
		}
	})
}

func storeRuns[T unsigned](w *worker, a, x *reg, s *segment) {
	all := lanes[T](x.lanes(&w.extent), w.n)
	a.runs(&w.extent, func(first, n int, addr uint64, step int64) {
		from, p := all[first:first+n], s.at(addr)
		if step == int64(unsafe.Sizeof(T(0))) {
			copy(lanes[T](p, n), from)
			return
		}
		for i, v := range from {
			*(*T)(unsafe.Add(p, int64(i)*step)) = v
		}
	})
}

func loadList[T unsigned](w *worker, in *instr, addrs []uint64, d []T) bool {
	size := uint64(unsafe.Sizeof(T(0)))
	local := w.localStep(in)
	near := w.near[in.mem]
	list := w.list
	if len(list) == w.n && in.v.Space != kir.Local && w.segment(in, addrs[0], size) != nil {
		near = w.near[in.mem]
		list = list[gather(w, in, &near, addrs, d):]
	}
	block := w.blocks(in)
	for _, t := range list {
		addr := addrs[t]
		if addr&(size-1) != 0 || !near.holds(addr, size) {
			s := w.segment(in, addr, size)
			if s == nil || addr&(size-1) != 0 {
				return w.trap(in, t, addr, size)
			}
			near = *s
		}
		d[t] = *(*T)(unsafe.Add(near.at(addr), int(t)*local+block.offset(t)))
	}
	return true
}

// gather loads elements for all threads, as far as one loop does that, and returns for how many of them it has.
func gather[T unsigned](w *worker, in *instr, near *segment, addrs []uint64, d []T) (done int) {
	size := uint64(unsafe.Sizeof(T(0)))
	n := w.n
	if w.divided(in) {
		n = w.per
	}
	delta := uint64(uintptr(near.ptr)) - near.base
	for done < w.n {
		k := vector.Gather(int(size), n, unsafe.Pointer(&d[done]), unsafe.Pointer(&addrs[done]), near.base, near.base+near.size-size, delta)
		if done += k; k < n {
			break
		}
		delta += uint64(w.apart)
	}
	return done
}

// blocks finds where the shared memories of threads are, in their order.
type blocks struct {
	apart, per int
	end        int32 // the first thread of the next block
	at         int
}

// blocks returns where the memories of threads are of what in accesses, beyond the first one's.
func (w *worker) blocks(in *instr) blocks {
	if in.v.Space != kir.Shared || w.extent[3] == 1 {
		return blocks{end: math.MaxInt32}
	}
	return blocks{apart: w.apart, per: w.per}
}

// offset returns the bytes from the first block's memory to that of thread t.
func (b *blocks) offset(t int32) int {
	if t >= b.end {
		n := int(t) / b.per
		b.at, b.end = n*b.apart, int32((n+1)*b.per)
	}
	return b.at
}

func storeList[T unsigned](w *worker, in *instr, addrs []uint64, x []T) bool {
	size := uint64(unsafe.Sizeof(T(0)))
	s, local, block := &w.near[in.mem], w.localStep(in), w.blocks(in)
	for _, t := range w.list {
		addr := addrs[t]
		if addr&(size-1) != 0 || !s.holds(addr, size) && w.segment(in, addr, size) == nil {
			return w.trap(in, t, addr, size)
		}
		*(*T)(unsafe.Add(s.at(addr), int(t)*local+block.offset(t))) = x[t]
	}
	return true
}

// localStep returns how far apart in's memories of neighbouring threads are: 0 where it is one memory.
func (w *worker) localStep(in *instr) int {
	if in.v.Space == kir.Local {
		return w.p.localStride
	}
	return 0
}

// trap sets w.err for the given thread and returns false.
func (w *worker) trap(in *instr, thread int32, addr, size uint64) bool {
	w.err = &kir.Trap{
		Kernel: w.p.f.Name, Block: w.block(thread), Thread: w.thread(thread),
		Value: in.v, Pos: in.v.Pos, Note: in.v.Note, Addr: addr, Bytes: int(size),
		Msg: describe(in.v.Space, w.spaces[in.v.Space], addr, size),
	}
	return false
}

// block and thread return the indices of thread number t of those that run side by side.
func (w *worker) block(t int32) kir.Dim3  { return indexAt(w.l.Grid, w.cta+int(t)/w.per) }
func (w *worker) thread(t int32) kir.Dim3 { return indexAt(w.l.Block, int(t)%w.per) }

// indexAt returns the index of element number i of d.
func indexAt(d kir.Dim3, i int) kir.Dim3 {
	return kir.Dim3{X: i % d.X, Y: i / d.X % d.Y, Z: i / (d.X * d.Y)}
}
