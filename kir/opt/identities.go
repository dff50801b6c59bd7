package opt

import (
	"math/bits"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// swapped is the comparison that says of y and x what the key says of x and y; inverse is the one that is true where the
// key is false, for operands that are never NaN.
var (
	swapped = map[kir.Op]kir.Op{kir.OpEq: kir.OpEq, kir.OpNe: kir.OpNe, kir.OpLt: kir.OpGt, kir.OpLe: kir.OpGe, kir.OpGt: kir.OpLt, kir.OpGe: kir.OpLe}
	inverse = map[kir.Op]kir.Op{kir.OpEq: kir.OpNe, kir.OpNe: kir.OpEq, kir.OpLt: kir.OpGe, kir.OpLe: kir.OpGt, kir.OpGt: kir.OpLe, kir.OpGe: kir.OpLt}
)

// simplify returns a value that equals v, or v itself after changing it to a cheaper form, or nil when it knows neither.
// Floats have few identities: x+0 is not x when x is -0, x*0 not 0 when x is NaN.
func (r *rewriter) simplify(v *kir.Value) *kir.Value {
	x := v.Args[0]
	switch v.Op {
	case kir.OpSelect:
		return r.simplifySelect(v)
	case kir.OpConvert:
		return r.simplifyConvert(v, x)
	case kir.OpNeg:
		if x.Op == kir.OpNeg {
			return x.Args[0]
		}
	case kir.OpFlush:
		if x.Op == kir.OpFlush || x.Op == kir.OpConvert && (x.Args[0].Type.IsInteger() || x.Args[0].Type == kir.Bool) { // no whole number is subnormal
			return x
		}
	case kir.OpAbs:
		switch {
		case x.Op == kir.OpAbs, v.Type.IsUnsigned():
			return x
		case x.Op == kir.OpNeg && !v.Type.IsUnsigned(): // whose absolute value it is itself
			return become(v, kir.OpAbs, x.Args[0])
		}
	case kir.OpNot:
		switch {
		case x.Op == kir.OpNot:
			return x.Args[0]
		case x.Op.IsCompare() && (!x.Args[0].Type.IsFloat() || x.Op == kir.OpEq || x.Op == kir.OpNe):
			return become(v, inverse[x.Op], x.Args...)
		}
	}
	if len(v.Args) != 2 {
		return nil
	}
	y := v.Args[1]
	if x.Op == kir.OpConst && (v.Op.Commutes() || v.Op.IsCompare()) {
		if v.Op.IsCompare() {
			v.Op = swapped[v.Op]
		}
		v.Args[0], v.Args[1] = y, x
		return v
	}
	if x == y {
		if w := r.simplifySame(v, x); w != nil {
			return w
		}
	}
	if v.Op.IsCompare() {
		return r.simplifyCompare(v, x, y)
	}
	if w := r.simplifySigns(v, x, y); w != nil {
		return w
	}
	switch {
	case y.Op != kir.OpConst:
		return nil
	case v.Type.IsFloat():
		return r.simplifyFloat(v, x, y)
	case v.Type == kir.Bool:
		return r.simplifyBool(v, x, y.Imm)
	}
	return r.simplifyInteger(v, x, y)
}

// become makes v another operation that gives the same.
func become(v *kir.Value, op kir.Op, args ...*kir.Value) *kir.Value {
	v.Op, v.Args = op, slices.Clone(args) // args may be another value's, which changes them later
	return v
}

// simplifySame simplifies an operation on x and x.
func (r *rewriter) simplifySame(v, x *kir.Value) *kir.Value {
	exact := !x.Type.IsFloat()
	switch v.Op {
	case kir.OpMin, kir.OpMax, kir.OpAnd, kir.OpOr:
		return x
	case kir.OpXor:
		return r.constant(v.Type, 0)
	case kir.OpSub, kir.OpRem: // x%0 is 0 too
		if exact {
			return r.constant(v.Type, 0)
		}
	case kir.OpLt, kir.OpGt:
		return r.constant(kir.Bool, 0)
	case kir.OpNe:
		if exact {
			return r.constant(kir.Bool, 0)
		}
	case kir.OpEq, kir.OpLe, kir.OpGe:
		if exact {
			return r.constant(kir.Bool, 1)
		}
	}
	return nil
}

// simplifySigns takes negations into additions and subtractions. IEEE 754 defines x-y as x+(-y).
func (r *rewriter) simplifySigns(v, x, y *kir.Value) *kir.Value {
	switch {
	case v.Op == kir.OpAdd && y.Op == kir.OpNeg:
		return become(v, kir.OpSub, x, y.Args[0])
	case v.Op == kir.OpSub && y.Op == kir.OpNeg:
		return become(v, kir.OpAdd, x, y.Args[0])
	case v.Op == kir.OpAdd && x.Op == kir.OpNeg:
		return become(v, kir.OpSub, y, x.Args[0])
	case v.Op == kir.OpSub && x.Op == kir.OpConst && x.Imm == 0 && v.Type.IsInteger(): // 0 - 0 is 0 in floats, its negation -0
		return become(v, kir.OpNeg, y)
	}
	return nil
}

func (r *rewriter) simplifyFloat(v, x, c *kir.Value) *kir.Value {
	f := kir.FloatOf(v.Type, c.Imm)
	switch v.Op {
	case kir.OpMul:
		switch f {
		case 1:
			return x
		case -1:
			return become(v, kir.OpNeg, x)
		}
	case kir.OpDiv:
		switch {
		case f == 1:
			return x
		case f == -1:
			return become(v, kir.OpNeg, x)
		default: // by a power of two whose reciprocal is a normal number: both forms round the same real number
			if inv, ok := exactReciprocal(v.Type, c.Imm); ok {
				return become(v, kir.OpMul, x, r.constant(v.Type, inv))
			}
		}
	case kir.OpSub:
		if c.Imm == 0 {
			return x
		}
	case kir.OpAdd:
		if c.Imm == 1<<(8*v.Type.Bytes()-1) { // -0
			return x
		}
	}
	return nil
}

// exactReciprocal returns the bits of 1/x where x is a power of two and 1/x a normal number.
func exactReciprocal(t kir.Type, x uint64) (uint64, bool) {
	mantissa, bias := 52, uint64(1023)
	if t == kir.F32 {
		mantissa, bias = 23, 127
	} else if t != kir.F64 {
		return 0, false
	}
	sign := x >> (8*t.Bytes() - 1) << (8*t.Bytes() - 1)
	exp := (x &^ sign) >> mantissa
	if x&(1<<mantissa-1) != 0 || exp == 0 || exp >= 2*bias {
		return 0, false
	}
	return sign | (2*bias-exp)<<mantissa, true
}

func (r *rewriter) simplifyBool(v, x *kir.Value, k uint64) *kir.Value {
	switch {
	case v.Op == kir.OpAnd && k == 0, v.Op == kir.OpOr && k == 1:
		return r.constant(kir.Bool, k)
	case v.Op == kir.OpAnd, v.Op == kir.OpOr, v.Op == kir.OpXor && k == 0:
		return x
	case v.Op == kir.OpXor:
		return become(v, kir.OpNot, x)
	}
	return nil
}

func (r *rewriter) simplifySelect(v *kir.Value) *kir.Value {
	cond, yes, no := v.Args[0], v.Args[1], v.Args[2]
	switch {
	case yes == no, cond.Op == kir.OpConst && cond.Imm != 0:
		return yes
	case cond.Op == kir.OpConst:
		return no
	case cond.Op == kir.OpNot:
		return become(v, kir.OpSelect, cond.Args[0], no, yes)
	case v.Type == kir.Bool && yes.Op == kir.OpConst && no.Op == kir.OpConst && yes.Imm != no.Imm:
		if yes.Imm == 1 {
			return cond
		}
		return become(v, kir.OpNot, cond)
	}
	return nil
}

// simplifyCompare simplifies the comparison v of x with y; a constant stands on the right.
func (r *rewriter) simplifyCompare(v, x, y *kir.Value) *kir.Value {
	t := x.Type
	if t == kir.Bool {
		if y.Op != kir.OpConst {
			return nil
		}
		if (v.Op == kir.OpEq) == (y.Imm == 1) {
			return x
		}
		return become(v, kir.OpNot, x)
	}
	if t.IsFloat() {
		return nil
	}
	if result, known := kir.CompareRanges(v.Op, rangeOf(x), rangeOf(y)); known {
		return r.constant(kir.Bool, result)
	}
	// What holds of two values holds of them in the narrower type that they were converted from.
	if x.Op == kir.OpConvert && x.Args[0].Type.IsInteger() && holds(t, x.Args[0].Type) {
		from := x.Args[0]
		switch {
		case y.Op == kir.OpConvert && y.Args[0].Type == from.Type:
			return become(v, v.Op, from, y.Args[0])
		case y.Op == kir.OpConst && fits(from.Type, t, y.Imm):
			return become(v, v.Op, from, r.constant(from.Type, y.Imm))
		}
	}
	if (v.Op == kir.OpEq || v.Op == kir.OpNe) && y.Op == kir.OpConst {
		switch {
		case x.Op == kir.OpAdd && x.Args[1].Op == kir.OpConst: // additions wrap: x+j = k where x = k-j
			return become(v, v.Op, x.Args[0], r.constant(t, y.Imm-x.Args[1].Imm))
		case x.Op == kir.OpConvert && x.Args[0].Type == kir.Bool && y.Imm == 0:
			if v.Op == kir.OpNe {
				return x.Args[0]
			}
			return become(v, kir.OpNot, x.Args[0])
		}
	}
	return nil
}

// fits reports whether integer type s holds the number that bits are in integer type t.
func fits(s, t kir.Type, bits uint64) bool {
	n := rangeOf(&kir.Value{Op: kir.OpConst, Type: t, Imm: bits})
	lim, ok := typeRange(s)
	return ok && n.Known && lim.Lo <= n.Lo && n.Hi <= lim.Hi
}

// simplifyInteger simplifies v, an operation on x and a constant.
func (r *rewriter) simplifyInteger(v, x, c *kir.Value) *kir.Value {
	k, t := c.Imm, v.Type
	width := uint64(8 * t.Bytes())
	ones := kir.Canonical(t, ^uint64(0))
	power := bits.OnesCount64(k) == 1 // of two; of a signed type's least value too, which wraps as shifting does
	// (x op j) op k is x op (j op k), which neighbours in a row of an array come to.
	chain := x.Op == v.Op && len(x.Args) == 2 && x.Args[1].Op == kir.OpConst
	again := func(k uint64) *kir.Value { return become(v, v.Op, x.Args[0], r.constant(t, k)) }
	switch v.Op {
	case kir.OpAdd:
		switch {
		case k == 0:
			return x
		case chain:
			return again(x.Args[1].Imm + k)
		}
	case kir.OpSub:
		if k == 0 {
			return x
		}
		return become(v, kir.OpAdd, x, r.constant(t, -k))
	case kir.OpAnd:
		switch {
		case k == 0:
			return c
		case k == ones:
			return x
		case chain:
			return again(x.Args[1].Imm & k)
		case k&(k+1) == 0: // a mask of low bits
			if n := rangeOf(x); n.Known && n.Lo >= 0 && uint64(n.Hi) <= k {
				return x
			}
		}
	case kir.OpOr:
		switch {
		case k == 0:
			return x
		case k == ones:
			return c
		case chain:
			return again(x.Args[1].Imm | k)
		}
	case kir.OpXor:
		switch {
		case k == 0:
			return x
		case k == ones:
			return become(v, kir.OpNot, x)
		case chain:
			return again(x.Args[1].Imm ^ k)
		}
	case kir.OpShl, kir.OpShr:
		switch {
		case k == 0:
			return x
		case k >= width && (v.Op == kir.OpShl || t.IsUnsigned()):
			return r.constant(t, 0)
		case chain: // the sum may wrap around in no U32 that matters: each is less than the width or has been dealt with
			sum := min(x.Args[1].Imm, 64) + min(k, 64)
			return become(v, v.Op, x.Args[0], r.constant(kir.U32, sum))
		}
	case kir.OpMul:
		switch {
		case k == 0:
			return c
		case k == 1:
			return x
		case k == ones && t.IsSigned():
			return become(v, kir.OpNeg, x)
		case power:
			return become(v, kir.OpShl, x, r.constant(kir.U32, uint64(bits.TrailingZeros64(k))))
		case chain:
			return again(x.Args[1].Imm * k)
		}
	case kir.OpDiv:
		return r.divide(v, x, c)
	case kir.OpRem:
		return r.remainder(v, x, c)
	}
	return nil
}

// simplifyConvert takes integer conversions together: what is converted to a type that holds all of its values, and then
// on, is converted on from the start. What is cut to a type no wider than one that it had before was not widened at all.
func (r *rewriter) simplifyConvert(v, x *kir.Value) *kir.Value {
	if v.Type == kir.F32 && x.Type == kir.F64 && len(x.Args) == 1 && sameIn32[x.Op] {
		if in := x.Args[0]; in.Op == kir.OpConvert && in.Args[0].Type == kir.F32 {
			return become(v, x.Op, in.Args[0])
		}
	}
	if x.Op != kir.OpConvert {
		return nil
	}
	from := x.Args[0]
	switch {
	case from.Type == kir.Bool && v.Type == kir.Bool && x.Type != kir.Bool,
		from.Type == kir.F32 && x.Type == kir.F64 && v.Type == kir.F32:
		return from
	case from.Type == kir.Bool && x.Type.IsInteger() && v.Type != kir.Bool:
		return become(v, kir.OpConvert, from)
	case !from.Type.IsInteger() || !x.Type.IsInteger() || !v.Type.IsInteger():
		return nil
	case v.Type == from.Type && (holds(x.Type, from.Type) || x.Type.Bytes() >= from.Type.Bytes()):
		return from
	case !holds(x.Type, from.Type) && v.Type.Bytes() > x.Type.Bytes():
		return nil
	case v.Type.Bytes() == x.Type.Bytes() && x.Type.Bytes() > from.Type.Bytes():
		return nil // another name for the same registers
	case v.Type == from.Type: // cut to x's type before
		return nil
	}
	return become(v, kir.OpConvert, from)
}

// sameIn32 are the functions of which float32(f(float64(x))), as Go has to write it, is f of the float32 x. Rounding twice
// does a square root no harm: 53 >= 2*24+2 bits (Figueroa, "When is double rounding innocuous?", 1995); the others round nothing.
var sameIn32 = [kir.NumOps]bool{kir.OpSqrt: true, kir.OpFloor: true, kir.OpCeil: true, kir.OpTrunc: true, kir.OpRint: true, kir.OpAbs: true, kir.OpNeg: true}

// holds reports whether integer type t holds every value of integer type s.
func holds(t, s kir.Type) bool {
	if t.IsSigned() == s.IsSigned() {
		return t.Bytes() >= s.Bytes()
	}
	return t.IsSigned() && t.Bytes() > s.Bytes()
}
