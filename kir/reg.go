package kir

import "unsafe"

// reg is the value of one register for all threads of a block, in one or both of two forms. As an affine value it is
// base + s·tid for the thread with index tid, modulo the width of its type: most indices and addresses are such values, and
// arithmetic on them costs the same for a whole block as for one thread. A value that is the same for all threads is affine
// with s = 0; values that are no integers are affine in this way only. The other form is the lanes, an array.
type reg struct {
	affine bool
	full   bool // the lanes hold the value
	base   uint64
	s      [3]int64
	p      unsafe.Pointer // the lanes
	typ    Type
}

func (r *reg) uniform() bool { return r.affine && r.s[0]|r.s[1]|r.s[2] == 0 }

// setUniform sets r to bits, which are canonical, for all threads.
func (r *reg) setUniform(bits uint64) {
	r.affine, r.full, r.base = true, false, bits
	r.s[0], r.s[1], r.s[2] = 0, 0, 0
}

// setAffine sets r to base + s·tid, of which only what fits in the type's width counts.
func (r *reg) setAffine(base uint64, s [3]int64) {
	r.affine, r.full = true, false
	if n := 8 * r.typ.Bytes(); n < 64 {
		base &= 1<<n - 1
		for i := range s {
			s[i] = signExtend(r.typ, uint64(s[i]))
		}
	}
	r.base, r.s = base, s
}

func (r *reg) setLanes() { r.affine, r.full = false, true }

// copyFrom makes r the same as x for all threads. It copies the lanes only where the value has no other form.
func (r *reg) copyFrom(x *reg, n int) {
	if x.affine {
		r.affine, r.full, r.base, r.s = true, false, x.base, x.s
		return
	}
	size := r.typ.Bytes()
	copy(lanes[byte](r.p, n*size), lanes[byte](x.p, n*size))
	r.setLanes()
}

// lanes returns the array of r's values, after filling it where the value was affine only.
func (r *reg) lanes(size Dim3) unsafe.Pointer {
	if r.full {
		return r.p
	}
	switch r.typ.Bytes() {
	case 1:
		fillAffine[uint8](r, size)
	case 2:
		fillAffine[uint16](r, size)
	case 4:
		fillAffine[uint32](r, size)
	case 8:
		fillAffine[uint64](r, size)
	}
	r.full = true
	return r.p
}

func fillAffine[T unsigned](r *reg, size Dim3) {
	d := lanes[T](r.p, size.Count())
	if r.uniform() {
		fill(d, T(r.base))
		return
	}
	for z := range size.Z {
		for y := range size.Y {
			v := T(r.base) + T(r.s[1])*T(y) + T(r.s[2])*T(z)
			row := d[:size.X]
			d = d[size.X:]
			for x := range row {
				row[x] = v
				v += T(r.s[0])
			}
		}
	}
}

// fill sets all of d to v by copying what is filled already, which moves more bytes at a time than a loop does.
func fill[T any](d []T, v T) {
	const first = 16
	for i := range min(first, len(d)) {
		d[i] = v
	}
	for n := first; n < len(d); n *= 2 {
		copy(d[n:], d[:n])
	}
}

// bounds returns the least and the greatest value of an affine r in a block of the given size, as numbers. It is not ok
// when a thread's value wraps around, or when they are too large for this arithmetic, which no index or address is.
func (r *reg) bounds(size Dim3) (lo, hi int64, ok bool) {
	const large, steep = 1 << 62, 1 << 48
	width := 8 * r.typ.Bytes()
	lo = int64(r.base)
	if r.typ.IsSigned() {
		lo = signExtend(r.typ, r.base)
	}
	if lo > large || lo < -large || r.typ == U64 && lo < 0 {
		return 0, 0, false
	}
	hi = lo
	for i, n := range [3]int{size.X, size.Y, size.Z} {
		if r.s[i] > steep || r.s[i] < -steep {
			return 0, 0, false
		}
		if far := r.s[i] * int64(n-1); far < 0 {
			lo += far
		} else {
			hi += far
		}
	}
	switch {
	case r.typ.IsUnsigned():
		ok = lo >= 0 && (width == 64 || hi < 1<<width)
	default:
		ok = width == 64 || lo >= -1<<(width-1) && hi < 1<<(width-1)
	}
	return lo, hi, ok
}
