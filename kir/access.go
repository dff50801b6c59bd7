package kir

import "unsafe"

// access executes a load or store for the threads of w.list and reports whether all went well; w.err holds the trap.
func (w *worker) access(in *instr) bool {
	size := in.v.Type.Bytes()
	if in.op == OpStore {
		size = in.v.Args[1].Type.Bytes()
	}
	ok := false
	switch size {
	case 1:
		ok = accessSize[uint8](w, in)
	case 2:
		ok = accessSize[uint16](w, in)
	case 4:
		ok = accessSize[uint32](w, in)
	case 8:
		ok = accessSize[uint64](w, in)
	}
	if ok && in.v.Type == Bool {
		if d := &w.regs[in.dst]; d.affine {
			d.setUniform(canonical(Bool, d.base))
		} else {
			z := lanes[uint8](d.p, w.n)
			for i := range z {
				z[i] = bit(z[i] != 0)
			}
		}
	}
	if ok && w.rec != nil {
		addrs := lanes[uint64](w.regs[in.args[0]].lanes(w.size), w.n)
		w.addrs = w.addrs[:0]
		for _, t := range w.list {
			w.addrs = append(w.addrs, addrs[t])
		}
		w.rec.Access(in.v, w.list, w.addrs)
	}
	return ok
}

func accessSize[T unsigned](w *worker, in *instr) bool {
	a := &w.regs[in.args[0]]
	size := uint64(unsafe.Sizeof(T(0)))
	if in.op == OpStore {
		x := &w.regs[in.args[1]]
		if s := w.affineSegment(in, a, size); s != nil && !a.uniform() {
			storeRows[T](w, a, x, s)
			return true
		}
		addrs := lanes[uint64](a.lanes(w.size), w.n)
		return storeList(w, in, addrs, lanes[T](x.lanes(w.size), w.n))
	}
	d := &w.regs[in.dst]
	masked := w.partial && !in.local
	if a.uniform() {
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
	if s := w.affineSegment(in, a, size); s != nil {
		loadRows[T](w, a, d, s)
		d.setLanes()
		return true
	}
	if masked {
		d.lanes(w.size)
	}
	addrs := lanes[uint64](a.lanes(w.size), w.n)
	ok := loadList(w, in, addrs, lanes[T](d.p, w.n))
	d.setLanes()
	return ok
}

// segment returns the memory that holds size bytes at an aligned addr, or nil. Each instruction remembers where it was last.
func (w *worker) segment(in *instr, addr, size uint64) *segment {
	s := &w.near[in.mem]
	if s.holds(addr, size) {
		return s
	}
	segs := w.segs
	if in.v.Space == Shared {
		segs = w.shared
	}
	f := find(segs, addr, size)
	if f == nil {
		return nil
	}
	*s = *f
	return s
}

// affineSegment returns the memory that holds the accesses of all threads of the block at affine addresses, or nil where
// that is not known at once.
func (w *worker) affineSegment(in *instr, a *reg, size uint64) *segment {
	if !a.affine || len(w.list) != w.n {
		return nil
	}
	lo, hi, ok := a.bounds(w.size)
	if !ok || (a.base|uint64(a.s[0])|uint64(a.s[1])|uint64(a.s[2]))&(size-1) != 0 {
		return nil
	}
	return w.segment(in, uint64(lo), uint64(hi-lo)+size)
}

// rows calls do for each run of threads whose addresses are a constant stride apart: first is the number of the run's first
// thread, n their number. The whole block is one run where the addresses allow it.
func (w *worker) rows(a *reg, do func(first, n int, addr uint64)) {
	x, y, z := int64(w.size.X), w.size.Y, w.size.Z
	if (y == 1 || a.s[1] == a.s[0]*x) && (z == 1 || a.s[2] == a.s[0]*x*int64(y)) {
		do(0, w.n, a.base)
		return
	}
	first := 0
	for k := range z {
		for j := range y {
			do(first, w.size.X, a.base+uint64(a.s[1]*int64(j)+a.s[2]*int64(k)))
			first += w.size.X
		}
	}
}

func loadRows[T unsigned](w *worker, a, d *reg, s *segment) {
	all, stride := lanes[T](d.p, w.n), a.s[0]
	w.rows(a, func(first, n int, addr uint64) {
		to, p := all[first:first+n], s.at(addr)
		switch stride {
		case int64(unsafe.Sizeof(T(0))):
			copy(to, lanes[T](p, n))
		case 0:
			fill(to, *(*T)(p))
		default:
			for i := range to {
				to[i] = *(*T)(unsafe.Add(p, int64(i)*stride))
			}
		}
	})
}

func storeRows[T unsigned](w *worker, a, x *reg, s *segment) {
	all, stride := lanes[T](x.lanes(w.size), w.n), a.s[0]
	w.rows(a, func(first, n int, addr uint64) {
		from, p := all[first:first+n], s.at(addr)
		if stride == int64(unsafe.Sizeof(T(0))) {
			copy(lanes[T](p, n), from)
			return
		}
		for i, v := range from {
			*(*T)(unsafe.Add(p, int64(i)*stride)) = v
		}
	})
}

func loadList[T unsigned](w *worker, in *instr, addrs []uint64, d []T) bool {
	size := uint64(unsafe.Sizeof(T(0)))
	s := &w.near[in.mem]
	for _, t := range w.list {
		addr := addrs[t]
		if addr&(size-1) != 0 || !s.holds(addr, size) && w.segment(in, addr, size) == nil {
			return w.trap(in, t, addr, size)
		}
		d[t] = *(*T)(s.at(addr))
	}
	return true
}

func storeList[T unsigned](w *worker, in *instr, addrs []uint64, x []T) bool {
	size := uint64(unsafe.Sizeof(T(0)))
	s := &w.near[in.mem]
	for _, t := range w.list {
		addr := addrs[t]
		if addr&(size-1) != 0 || !s.holds(addr, size) && w.segment(in, addr, size) == nil {
			return w.trap(in, t, addr, size)
		}
		*(*T)(s.at(addr)) = x[t]
	}
	return true
}

// trap sets w.err for the given thread and returns false.
func (w *worker) trap(in *instr, thread int32, addr, size uint64) bool {
	segs := w.segs
	if in.v.Space == Shared {
		segs = w.shared
	}
	w.err = &Trap{
		Kernel: w.p.f.Name, Block: w.l.Grid.at(w.cta), Thread: w.size.at(int(thread)),
		Value: in.v, Pos: in.v.Pos, Note: in.v.Note, Addr: addr, Bytes: int(size),
		Msg: describe(in.v.Space, segs, addr, size),
	}
	return false
}

// at returns the index of element number i.
func (d Dim3) at(i int) Dim3 { return Dim3{i % d.X, i / d.X % d.Y, i / (d.X * d.Y)} }
