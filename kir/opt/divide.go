package opt

import (
	"math"
	"math/bits"

	"github.com/arrayrepl/arrayrepl/kir"
)

// divide replaces a division of the integer x by the constant c: by shifts for powers of two, else, where 64 bits hold
// the product, by a multiplication with a scaled reciprocal (Granlund and Montgomery, "Division by Invariant Integers
// using Multiplication", 1994).
func (r *rewriter) divide(v, x, c *kir.Value) *kir.Value {
	t, n := v.Type, rangeOf(x)
	k := c.Imm
	if t.IsSigned() {
		s := kir.SignExtend(t, k)
		if s < 0 && s != math.MinInt64 && kir.Canonical(t, uint64(-s)) != k { // x / -k = -(x / k)
			return become(v, kir.OpNeg, r.op(kir.OpDiv, t, x, r.constant(t, uint64(-s))))
		}
		if s <= 0 && s != 0 {
			return nil // the least value
		}
	}
	nonNegative := n.Known && n.Lo >= 0 || t.IsUnsigned()
	switch {
	case k == 0:
		return c // x/0 is 0
	case k == 1:
		return x
	case nonNegative && n.Known && uint64(n.Hi) < k:
		return r.constant(t, 0)
	case bits.OnesCount64(k) == 1:
		s := uint64(bits.TrailingZeros64(k))
		if !nonNegative { // towards zero: a negative x is rounded up by adding k-1
			sign := r.op(kir.OpShr, t, x, r.constant(kir.U32, uint64(8*t.Bytes()-1)))
			x = r.op(kir.OpAdd, t, x, r.op(kir.OpAnd, t, sign, r.constant(t, k-1)))
		}
		return become(v, kir.OpShr, x, r.constant(kir.U32, s))
	case !nonNegative:
		return r.divideSigned(v, x, k)
	case n.Known:
		return r.divideUnsigned(v, x, uint64(n.Hi), k)
	}
	return nil
}

// remainder is x - x/c*c, where the quotient has a cheap form.
func (r *rewriter) remainder(v, x, c *kir.Value) *kir.Value {
	t, n, k := v.Type, rangeOf(x), c.Imm
	if t.IsSigned() {
		if s := kir.SignExtend(t, k); s < 0 && s != math.MinInt64 && kir.Canonical(t, uint64(-s)) != k {
			return become(v, kir.OpRem, x, r.constant(t, uint64(-s))) // its sign is the dividend's
		} else if s < 0 {
			return nil
		}
	}
	nonNegative := n.Known && n.Lo >= 0 || t.IsUnsigned()
	switch {
	case k <= 1:
		return r.constant(t, 0)
	case nonNegative && n.Known && uint64(n.Hi) < k:
		return x
	case nonNegative && bits.OnesCount64(k) == 1:
		return become(v, kir.OpAnd, x, r.constant(t, k-1))
	}
	q := &kir.Value{ID: r.f.NewID(), Op: kir.OpDiv, Type: t, Args: []*kir.Value{x, c}, Block: r.blk, Pos: v.Pos, Note: v.Note}
	by := r.divide(q, x, c)
	if by == nil {
		return nil // q was not kept
	}
	if by == q {
		r.out = append(r.out, q)
	}
	return become(v, kir.OpSub, x, r.op(kir.OpMul, t, by, c))
}

// divideUnsigned divides 0 <= x <= most by k, which is not a power of two: x/k = x*m >> s where m = ceil(2^s/k) and
// m*k-2^s is at most 2^s/(most+1).
func (r *rewriter) divideUnsigned(v, x *kir.Value, most, k uint64) *kir.Value {
	n := bits.Len64(most)
	for s := n; s <= n+bits.Len64(k) && s < 63; s++ {
		m := (1<<s + k - 1) / k
		if excess := m*k - 1<<s; bits.Len64(excess)+n > 63 || excess<<n > 1<<s {
			continue
		}
		if n+bits.Len64(m) > 64 {
			return nil
		}
		return r.convert(v.Type, r.op(kir.OpShr, kir.U64, r.op(kir.OpMul, kir.U64, r.convert(kir.U64, x), r.constant(kir.U64, m)), r.constant(kir.U32, uint64(s))))
	}
	return nil
}

// divideSigned divides x of at most 32 bits by k > 2, no power of two: with s and m as above for the absolute value of
// x, x*m >> s is the quotient rounded down and, for a negative x, less one.
func (r *rewriter) divideSigned(v, x *kir.Value, k uint64) *kir.Value {
	n := 8*v.Type.Bytes() - 1
	if n > 31 {
		return nil
	}
	s := n + bits.Len64(k)
	m := uint64(1)<<s/k + 1
	q := r.op(kir.OpShr, kir.I64, r.op(kir.OpMul, kir.I64, r.convert(kir.I64, x), r.constant(kir.I64, m)), r.constant(kir.U32, uint64(s)))
	sign := r.op(kir.OpShr, v.Type, x, r.constant(kir.U32, uint64(n)))
	return become(v, kir.OpSub, r.convert(v.Type, q), sign)
}
