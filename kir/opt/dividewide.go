package opt

import (
	"math/bits"

	"github.com/arrayrepl/arrayrepl/kir"
)

// divideWide computes quotients and remainders by constants that are left of divide's: those whose dividend times the
// reciprocal has more bits than a register. They take the upper half of the product (Granlund and Montgomery, 1994,
// figures 4.2 and 5.2), as NVRTC does. It comes when integers have been made narrow, as a division of 32 bits is
// cheaper.
func divideWide(f *kir.Func) bool { return divideOf(f, 4) }

// divideLong is divideWide for kir/cpu, which leaves quotients of 32 bits: with the numbers of threads as dividends
// they are mostly places of elements, which it computes for a row of an array at a time.
func divideLong(f *kir.Func) bool { return divideOf(f, 8) }

// divideOf divides integers of at least so many bytes.
func divideOf(f *kir.Func, bytes int) bool {
	dividends := map[*kir.Value]kir.Range{}
	walkRanges(f, func(v *kir.Value, in [3]kir.Range, _ kir.Range) {
		if (v.Op == kir.OpDiv || v.Op == kir.OpRem) && v.Type.IsInteger() && v.Type.Bytes() >= bytes && v.Args[1].Op == kir.OpConst {
			dividends[v] = in[0]
		}
	})
	if len(dividends) == 0 {
		return false
	}
	changed := false
	by := make(replacements, f.NumValues())
	for _, blk := range f.Blocks {
		r := rewriter{f: f, blk: blk, out: make([]*kir.Value, 0, len(blk.Values)+8)}
		for _, v := range blk.Values {
			for i, a := range v.Args {
				v.Args[i] = by.of(a)
			}
			if n, ok := dividends[v]; ok {
				r.at = v
				x, c := v.Args[0], v.Args[1]
				if q := r.byReciprocal(x, n, c.Imm); q != nil {
					changed = true
					if v.Op == kir.OpDiv {
						by[v.ID] = q
						continue
					}
					v.Op, v.Args = kir.OpSub, []*kir.Value{x, r.op(kir.OpMul, v.Type, q, c)}
				}
			}
			r.out = append(r.out, v)
		}
		blk.Values = r.out
	}
	replaceAll(f, by)
	return changed
}

// byReciprocal returns x/k, where x is in n, or nil for a k for which there are other ways.
func (r *rewriter) byReciprocal(x *kir.Value, n kir.Range, k uint64) *kir.Value {
	t := x.Type
	if k < 3 || bits.OnesCount64(k) == 1 || t.IsSigned() && kir.SignExtend(t, k) < 0 {
		return nil
	}
	width := 8 * t.Bytes()
	known := width // bits of the dividend
	if n.Known && n.Lo >= 0 {
		known = min(known, bits.Len64(uint64(n.Hi)))
	} else if t.IsSigned() {
		return r.signedByReciprocal(x, k)
	}
	if bits.Len64(k) > known {
		return r.constant(t, 0)
	}
	word := kir.U64
	if known <= 32 {
		word, width = kir.U32, 32
	}
	u := r.convert(word, x)
	shift := func(x *kir.Value, by int) *kir.Value {
		if by == 0 {
			return x
		}
		return r.op(kir.OpShr, word, x, r.constant(kir.U32, uint64(by)))
	}
	m, s, ok := reciprocal(width, width-known, k)
	if z := bits.TrailingZeros64(k); !ok && z > 0 {
		u, k = shift(u, z), k>>z
		m, s, ok = reciprocal(width, width-known+z, k)
	}
	q := r.op(kir.OpMulHi, word, u, r.constant(word, m))
	if ok {
		q = shift(q, s)
	} else { // the reciprocal is m and 1 in the bit above: x + q might be too large
		q = shift(r.op(kir.OpAdd, word, shift(r.op(kir.OpSub, word, u, q), 1), q), s-1)
	}
	return r.convert(t, q)
}

// signedByReciprocal returns x/k of an x with a sign. The product rounded down is, for a negative x, one less.
func (r *rewriter) signedByReciprocal(x *kir.Value, k uint64) *kir.Value {
	t, width := x.Type, 8*x.Type.Bytes()
	m, s, _ := reciprocal(width, 1, k)
	q := r.op(kir.OpMulHi, t, x, r.constant(t, m))
	if kir.SignExtend(t, m) < 0 { // m as a signed number is too small by 1<<width
		q = r.op(kir.OpAdd, t, q, x)
	}
	if s > 0 {
		q = r.op(kir.OpShr, t, q, r.constant(kir.U32, uint64(s)))
	}
	return r.op(kir.OpSub, t, q, r.op(kir.OpShr, t, x, r.constant(kir.U32, uint64(width-1))))
}

// reciprocal returns the least shift, and the m of width bits, for which x*m >> (width+shift) is x/k for all x of so
// many bits less. Where m would have one bit more, which happens with none less, it has not got it, and ok is false.
func reciprocal(width, less int, k uint64) (m uint64, shift int, ok bool) {
	scaled := func(a uint64) (quo, rem uint64) { // a << width by k, of an a < k
		if width == 64 {
			return bits.Div64(a, 0, k)
		}
		return a << width / k, a << width % k
	}
	for shift = range bits.Len64(k) {
		quo, rem := scaled(1 << shift)
		if excess := k - rem; shift+less >= 64 || excess <= 1<<(shift+less) { // of m*k over 1 << (width+shift)
			return quo + 1, shift, true
		}
	}
	shift = bits.Len64(k)
	quo, _ := scaled(1<<shift - k)
	return quo + 1, shift, false
}
