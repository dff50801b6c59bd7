package cpu

import (
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
)

// compute executes an operation without memory for the threads of w.list.
func (w *worker) compute(in *instr) {
	d, a, b, c := &w.regs[in.dst], &w.regs[in.args[0]], &w.regs[in.args[1]], &w.regs[in.args[2]]
	masked := w.partial && !in.local
	if in.same {
		d.p = d.home
	}
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
	if in.same {
		d.p = a.lanes(&w.extent)
		d.setLanes()
		return
	}
	// Over the threads from first to the last of the list one loop does all, unless there are so few that one call for
	// each thread pays.
	first, n := 0, w.n
	if w.partial {
		first = int(w.list[0]) &^ (vector.Step - 1)
		n = int(w.list[len(w.list)-1]) + 1 - first
	}
	const few = 8
	if len(w.list)*few < n {
		w.computeFew(in, d, a, b, c)
		return
	}
	form := a.form(0)
	if in.nargs > 1 {
		form |= b.form(1)
	}
	if in.nargs > 2 {
		form |= c.form(2)
	}
	fn := in.fn
	if in.wide != nil && in.wide[form] != nil {
		fn = vecFunc(in.wide[form])
	} else {
		form = 0
	}
	pa := a.operand(&w.extent, form&1, first)
	pb, pc := pa, pa
	if in.nargs > 1 {
		pb = b.operand(&w.extent, form&2, first)
	}
	if in.nargs > 2 {
		pc = c.operand(&w.extent, form&4, first)
	}
	if masked {
		to, size := d.lanes(&w.extent), d.typ.Bytes()
		fn(n, unsafe.Add(w.spare, first*size), pa, pb, pc)
		copyMasked(size, w.list, to, w.spare)
	} else {
		fn(n, unsafe.Add(d.p, first*d.typ.Bytes()), pa, pb, pc)
	}
	d.setLanes()
}

// form returns the bit of operand i in the set of uniform operands.
func (r *reg) form(i int) int {
	if r.uniform() {
		return 1 << i
	}
	return 0
}

// operand returns where the values of r begin for the threads from first on: one value for all where uniform is not 0.
func (r *reg) operand(ext *extent, uniform, first int) unsafe.Pointer {
	if uniform != 0 {
		return unsafe.Pointer(&r.base)
	}
	return unsafe.Add(r.lanes(ext), first*r.typ.Bytes())
}

// computeFew executes an operation by a call for each thread of w.list.
func (w *worker) computeFew(in *instr, d, a, b, c *reg) {
	pa, sa := a.lanes(&w.extent), a.typ.Bytes()
	pb, sb, pc, sc := pa, 0, pa, 0
	if in.nargs > 1 {
		pb, sb = b.lanes(&w.extent), b.typ.Bytes()
	}
	if in.nargs > 2 {
		pc, sc = c.lanes(&w.extent), c.typ.Bytes()
	}
	if !in.local {
		d.lanes(&w.extent) // keeps the other threads' values
	}
	sd := d.typ.Bytes()
	for _, t := range w.list {
		i := int(t)
		in.fn(1, unsafe.Add(d.p, i*sd), unsafe.Add(pa, i*sa), unsafe.Add(pb, i*sb), unsafe.Add(pc, i*sc))
	}
	d.setLanes()
}

// fillMasked sets d to bits for the threads of w.list and keeps it for the others.
func (w *worker) fillMasked(d *reg, bits uint64) {
	p := d.lanes(&w.extent)
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
	const run = 16 // lists are long runs of neighbours mostly
	for len(list) >= run {
		if t := int(list[0]); int(list[run-1])-t == run-1 {
			*(*[run]T)(d[t:]) = *(*[run]T)(s[t:])
		} else {
			for _, t := range list[:run] {
				d[t] = s[t]
			}
		}
		list = list[run:]
	}
	for _, t := range list {
		d[t] = s[t]
	}
}

// move executes a move of an edge for the threads of w.list.
func (w *worker) move(m move) {
	d, s := &w.regs[m.dst], &w.regs[m.src]
	switch {
	case !w.partial && m.dies:
		d.takeFrom(s, w.n)
	case !w.partial || m.spare:
		d.copyFrom(s, w.n)
	case s.uniform():
		w.fillMasked(d, s.base)
	default:
		p := s.lanes(&w.extent)
		copyMasked(d.typ.Bytes(), w.list, d.lanes(&w.extent), p)
		d.setLanes()
	}
}
