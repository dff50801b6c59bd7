package cpu

import (
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
)

// extent is how the threads that run side by side are indexed, what changes fastest first: x, y and z in the block, and
// the block, of those that follow each other in the grid's x.
type extent [4]int

func (s *extent) count() int { return s[0] * s[1] * s[2] * s[3] }

// reg is the value of one register for all threads that run side by side, in one or both of two forms. As an affine
// value it is base + s·i for the thread with index i in the extent, modulo the width of its type: most indices and
// addresses are such values, and arithmetic on them costs the same for all threads as for one. A value that is the same
// for all threads is affine with s = 0; values that are not integers are affine in this way only. The other form is the
// lanes, an array.
type reg struct {
	affine bool
	full   bool // the lanes hold the value
	typ    kir.Type
	base   uint64
	s      steps
	p      unsafe.Pointer // the lanes: home, or where in memory a load found them side by side
	home   unsafe.Pointer
}

type steps [len(extent{})]int64

func (r *reg) uniform() bool { return r.affine && r.s[0]|r.s[1]|r.s[2]|r.s[3] == 0 }

// setUniform sets r to bits, which are canonical, for all threads.
func (r *reg) setUniform(bits uint64) {
	r.affine, r.full, r.base, r.s = true, false, bits, steps{}
}

// setAffine sets r to base + s·i, of which only what fits in the type's width counts.
func (r *reg) setAffine(base uint64, s steps) {
	r.affine, r.full = true, false
	if n := 8 * r.typ.Bytes(); n < 64 {
		base &= 1<<n - 1
		for i := range s {
			s[i] = kir.SignExtend(r.typ, uint64(s[i]))
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

// takeFrom is copyFrom where nobody wants x any more.
func (r *reg) takeFrom(x *reg, n int) {
	if x.affine || r.p != r.home || x.p != x.home {
		r.copyFrom(x, n)
		return
	}
	r.home, x.home = x.home, r.home
	r.p, x.p = r.home, x.home
	r.setLanes()
	x.setUniform(0)
}

// lanes returns the array of r's values, after filling it where the value was affine only.
func (r *reg) lanes(ext *extent) unsafe.Pointer {
	if r.full {
		return r.p
	}
	switch r.typ.Bytes() {
	case 1:
		fillAffine[uint8](r, ext)
	case 2:
		fillAffine[uint16](r, ext)
	case 4:
		fillAffine[uint32](r, ext)
	case 8:
		fillAffine[uint64](r, ext)
	}
	r.full = true
	return r.p
}

func fillAffine[T unsigned](r *reg, ext *extent) {
	d := lanes[T](r.p, ext.count())
	if r.uniform() {
		fill(d, T(r.base))
		return
	}
	r.runs(ext, func(first, n int, base uint64, step int64) {
		run, v, by := d[first:first+n], T(base), T(step)
		for i := range run {
			run[i] = v
			v += by
		}
	})
}

// runs calls do for each run of threads over which an affine r changes by a constant step: first is the number of the
// run's first thread, n their number, base the value there. All threads are one run where the steps allow it.
func (r *reg) runs(ext *extent, do func(first, n int, base uint64, step int64)) {
	n, step, outer := 1, int64(0), 0
	for ; outer < len(ext); outer++ {
		switch {
		case ext[outer] == 1:
		case n == 1:
			n, step = ext[outer], r.s[outer]
		case r.s[outer] == step*int64(n):
			n *= ext[outer]
		default:
			goto found
		}
	}
found:
	total, base := ext.count(), r.base
	var at extent
	for first := 0; ; {
		do(first, n, base, step)
		if first += n; first >= total {
			return
		}
		for i := outer; ; i++ {
			at[i]++
			base += uint64(r.s[i])
			if at[i] < ext[i] {
				break
			}
			base -= uint64(r.s[i] * int64(ext[i]))
			at[i] = 0
		}
	}
}

// dense reports whether the values of an affine r are step apart from each thread to the next.
func (r *reg) dense(ext *extent, step int64) bool {
	for i, n := range ext {
		if n > 1 && r.s[i] != step {
			return false
		}
		step *= int64(n)
	}
	return true
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

// bounds returns the least and the greatest value of an affine r among the threads of ext, as numbers. It is not ok
// when a thread's value wraps around, or when they are too large for this arithmetic, which no index or address is.
func (r *reg) bounds(ext *extent) (lo, hi int64, ok bool) {
	const large, steep = 1 << 62, 1 << 48
	width := 8 * r.typ.Bytes()
	lo = int64(r.base)
	if r.typ.IsSigned() {
		lo = kir.SignExtend(r.typ, r.base)
	}
	if lo > large || lo < -large || r.typ == kir.U64 && lo < 0 {
		return 0, 0, false
	}
	hi = lo
	for i, n := range ext {
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
