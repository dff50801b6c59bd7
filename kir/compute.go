package kir

import "unsafe"

// compute executes an operation without memory for the threads of w.list.
func (w *worker) compute(in *instr) {
	d, a, b, c := &w.regs[in.dst], &w.regs[in.args[0]], &w.regs[in.args[1]], &w.regs[in.args[2]]
	masked := w.partial && !in.local
	if a.uniform() && (in.nargs < 2 || b.uniform()) && (in.nargs < 3 || c.uniform()) {
		w.arg[0], w.arg[1], w.arg[2], w.arg[3] = 0, a.base, b.base, c.base
		in.fn(1, unsafe.Pointer(&w.arg[0]), unsafe.Pointer(&w.arg[1]), unsafe.Pointer(&w.arg[2]), unsafe.Pointer(&w.arg[3]))
		if masked {
			w.fillMasked(d, w.arg[0])
		} else {
			d.setUniform(w.arg[0])
		}
		return
	}
	if !masked && w.computeAffine(in, d, a, b, c) {
		return
	}
	pa, sa := a.lanes(w.size), a.typ.Bytes()
	pb, sb, pc, sc := pa, 0, pa, 0
	if in.nargs > 1 {
		pb, sb = b.lanes(w.size), b.typ.Bytes()
	}
	if in.nargs > 2 {
		pc, sc = c.lanes(w.size), c.typ.Bytes()
	}
	const few = 8 // one call for each thread pays below this share of the block
	if w.partial && len(w.list)*few < w.n {
		if masked {
			d.lanes(w.size)
		}
		sd := d.typ.Bytes()
		for _, t := range w.list {
			i := int(t)
			in.fn(1, unsafe.Add(d.p, i*sd), unsafe.Add(pa, i*sa), unsafe.Add(pb, i*sb), unsafe.Add(pc, i*sc))
		}
	} else if masked {
		d.lanes(w.size)
		in.fn(w.n, w.spare, pa, pb, pc)
		copyMasked(d.typ.Bytes(), w.list, d.p, w.spare)
	} else {
		in.fn(w.n, d.p, pa, pb, pc)
	}
	d.setLanes()
}

// fillMasked sets d to bits for the threads of w.list and keeps it for the others.
func (w *worker) fillMasked(d *reg, bits uint64) {
	p := d.lanes(w.size)
	switch d.typ.Bytes() {
	case 1:
		setMasked(w.list, lanes[uint8](p, w.n), uint8(bits))
	case 2:
		setMasked(w.list, lanes[uint16](p, w.n), uint16(bits))
	case 4:
		setMasked(w.list, lanes[uint32](p, w.n), uint32(bits))
	case 8:
		setMasked(w.list, lanes[uint64](p, w.n), bits)
	}
	d.setLanes()
}

func setMasked[T any](list []int32, d []T, v T) {
	for _, t := range list {
		d[t] = v
	}
}

// copyMasked copies elements of the given size from s to d for the threads of list.
func copyMasked(size int, list []int32, d, s unsafe.Pointer) {
	n := int(list[len(list)-1]) + 1 // lists increase
	switch size {
	case 1:
		moveMasked(list, lanes[uint8](d, n), lanes[uint8](s, n))
	case 2:
		moveMasked(list, lanes[uint16](d, n), lanes[uint16](s, n))
	case 4:
		moveMasked(list, lanes[uint32](d, n), lanes[uint32](s, n))
	case 8:
		moveMasked(list, lanes[uint64](d, n), lanes[uint64](s, n))
	}
}

func moveMasked[T any](list []int32, d, s []T) {
	for _, t := range list {
		d[t] = s[t]
	}
}

// move executes a move of an edge for the threads of w.list.
func (w *worker) move(m move) {
	d, s := &w.regs[m.dst], &w.regs[m.src]
	switch {
	case !w.partial || m.spare:
		d.copyFrom(s, w.n)
	case s.uniform():
		w.fillMasked(d, s.base)
	default:
		p := s.lanes(w.size)
		copyMasked(d.typ.Bytes(), w.list, d.lanes(w.size), p)
		d.setLanes()
	}
}
