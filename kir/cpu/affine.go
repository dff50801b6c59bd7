package cpu

import (
	"math"

	"github.com/arrayrepl/arrayrepl/kir"
)

// computeAffine sets d to the result of in where that is affine because a, b and c are, and reports whether it did.
func (w *worker) computeAffine(in *instr, d, a, b, c *reg) bool {
	if in.op == kir.OpSelect {
		if !a.uniform() {
			return false
		}
		if a.base == 0 {
			b = c
		}
		d.copyFrom(b, w.n)
		return true
	}
	if !a.affine || in.nargs > 1 && !b.affine || !a.typ.IsInteger() {
		return false
	}
	switch in.op {
	case kir.OpAdd:
		d.setAffine(a.base+b.base, steps{a.s[0] + b.s[0], a.s[1] + b.s[1], a.s[2] + b.s[2], a.s[3] + b.s[3]})
	case kir.OpSub:
		d.setAffine(a.base-b.base, steps{a.s[0] - b.s[0], a.s[1] - b.s[1], a.s[2] - b.s[2], a.s[3] - b.s[3]})
	case kir.OpMul:
		if a.uniform() {
			a, b = b, a
		}
		if !b.uniform() {
			return false
		}
		d.setScaled(a, b.base)
	case kir.OpShl:
		if !b.uniform() || b.base >= uint64(8*a.typ.Bytes()) {
			return false
		}
		d.setScaled(a, 1<<b.base)
	case kir.OpDiv, kir.OpRem, kir.OpShr, kir.OpAnd:
		if w.computeParts(in.op, d, a, b) {
			return true
		}
		w.rowEnded = w.rowEnds(in, a, b)
		return w.rowEnded // then all of this is done again
	case kir.OpConvert:
		if !d.typ.IsInteger() {
			return false
		}
		base := a.base
		if d.typ.Bytes() > a.typ.Bytes() {
			if _, _, ok := a.bounds(&w.extent); !ok {
				return false
			}
			if a.typ.IsSigned() {
				base = uint64(kir.SignExtend(a.typ, a.base))
			}
		}
		d.setAffine(base, a.s)
	case kir.OpMin, kir.OpMax:
		less, ok := w.compareBounds(kir.OpLe, a, b)
		if !ok {
			return false
		}
		if (less == 1) != (in.op == kir.OpMin) {
			a = b
		}
		d.setAffine(a.base, a.s)
	case kir.OpEq, kir.OpNe, kir.OpLt, kir.OpLe, kir.OpGt, kir.OpGe:
		result, ok := w.compareBounds(in.op, a, b)
		if !ok {
			return false
		}
		d.setUniform(result)
	default:
		return false
	}
	return true
}

// computeParts sets d to a quotient, a remainder or some bits of an affine a, where the quotient is the same for all
// threads: with the indices of a row of an array it is, while the threads are in one row.
func (w *worker) computeParts(op kir.Op, d, a, b *reg) bool {
	if !b.uniform() || a.uniform() {
		return false
	}
	if op == kir.OpDiv && b.base == 1 {
		d.setAffine(a.base, a.s)
		return true
	}
	lo, hi, ok := a.bounds(&w.extent)
	if !ok || lo < 0 {
		return false
	}
	by := b.base // of the division
	if (op == kir.OpDiv || op == kir.OpRem) && b.typ.IsSigned() && kir.SignExtend(b.typ, by) <= 0 {
		return false
	}
	switch op {
	case kir.OpShr:
		if by >= 63 {
			return false
		}
		by = 1 << by
	case kir.OpAnd:
		if by++; by&(by-1) != 0 { // not the lowest bits
			return false
		}
	}
	if by == 0 || by > math.MaxInt64 {
		return false
	}
	q := lo / int64(by)
	if hi/int64(by) != q {
		return false
	}
	if op == kir.OpDiv || op == kir.OpShr {
		d.setUniform(uint64(q))
	} else {
		d.setAffine(a.base-uint64(q)*by, a.s)
	}
	return true
}

func (r *reg) setScaled(a *reg, k uint64) {
	m := int64(k)
	r.setAffine(a.base*k, steps{a.s[0] * m, a.s[1] * m, a.s[2] * m, a.s[3] * m})
}

// compareBounds decides a comparison that comes out the same for all threads because the bounds of a and b are apart.
func (w *worker) compareBounds(op kir.Op, a, b *reg) (result uint64, ok bool) {
	alo, ahi, ok1 := a.bounds(&w.extent)
	blo, bhi, ok2 := b.bounds(&w.extent)
	// for every pair of threads, so for each
	return kir.CompareRanges(op, kir.Range{Lo: alo, Hi: ahi, Known: ok1}, kir.Range{Lo: blo, Hi: bhi, Known: ok2})
}
