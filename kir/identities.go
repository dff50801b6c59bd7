package kir

import (
	"math/bits"
	"slices"
)

// swapped is the comparison that says of y and x what the key says of x and y; inverse is the one that is true where the
// key is false, for operands that are never NaN.
var (
	swapped = map[Op]Op{OpEq: OpEq, OpNe: OpNe, OpLt: OpGt, OpLe: OpGe, OpGt: OpLt, OpGe: OpLe}
	inverse = map[Op]Op{OpEq: OpNe, OpNe: OpEq, OpLt: OpGe, OpLe: OpGt, OpGt: OpLe, OpGe: OpLt}
)

// simplify returns a value that equals v, or v itself after changing it to a cheaper form, or nil when it knows neither.
// Floats have few identities: x+0 is not x when x is -0, x*0 not 0 when x is NaN.
func (r *rewriter) simplify(v *Value) *Value {
	x := v.Args[0]
	switch v.Op {
	case OpSelect:
		return r.simplifySelect(v)
	case OpConvert:
		return r.simplifyConvert(v, x)
	case OpNeg:
		if x.Op == OpNeg {
			return x.Args[0]
		}
	case OpFlush:
		if x.Op == OpFlush || x.Op == OpConvert && (x.Args[0].Type.IsInteger() || x.Args[0].Type == Bool) { // no whole number is subnormal
			return x
		}
	case OpAbs:
		switch {
		case x.Op == OpAbs, v.Type.IsUnsigned():
			return x
		case x.Op == OpNeg && !v.Type.IsUnsigned(): // whose absolute value it is itself
			return become(v, OpAbs, x.Args[0])
		}
	case OpNot:
		switch {
		case x.Op == OpNot:
			return x.Args[0]
		case x.Op.IsCompare() && (!x.Args[0].Type.IsFloat() || x.Op == OpEq || x.Op == OpNe):
			return become(v, inverse[x.Op], x.Args...)
		}
	}
	if len(v.Args) != 2 {
		return nil
	}
	y := v.Args[1]
	if x.Op == OpConst && (v.Op.Commutes() || v.Op.IsCompare()) {
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
	case y.Op != OpConst:
		return nil
	case v.Type.IsFloat():
		return r.simplifyFloat(v, x, y)
	case v.Type == Bool:
		return r.simplifyBool(v, x, y.Imm)
	}
	return r.simplifyInteger(v, x, y)
}

// become makes v another operation that gives the same.
func become(v *Value, op Op, args ...*Value) *Value {
	v.Op, v.Args = op, slices.Clone(args) // args may be another value's, which changes them later
	return v
}

// simplifySame simplifies an operation on x and x.
func (r *rewriter) simplifySame(v, x *Value) *Value {
	exact := !x.Type.IsFloat()
	switch v.Op {
	case OpMin, OpMax, OpAnd, OpOr:
		return x
	case OpXor:
		return r.constant(v.Type, 0)
	case OpSub, OpRem: // x%0 is 0 too
		if exact {
			return r.constant(v.Type, 0)
		}
	case OpLt, OpGt:
		return r.constant(Bool, 0)
	case OpNe:
		if exact {
			return r.constant(Bool, 0)
		}
	case OpEq, OpLe, OpGe:
		if exact {
			return r.constant(Bool, 1)
		}
	}
	return nil
}

// simplifySigns takes negations into additions and subtractions. IEEE 754 defines x-y as x+(-y).
func (r *rewriter) simplifySigns(v, x, y *Value) *Value {
	switch {
	case v.Op == OpAdd && y.Op == OpNeg:
		return become(v, OpSub, x, y.Args[0])
	case v.Op == OpSub && y.Op == OpNeg:
		return become(v, OpAdd, x, y.Args[0])
	case v.Op == OpAdd && x.Op == OpNeg:
		return become(v, OpSub, y, x.Args[0])
	case v.Op == OpSub && x.Op == OpConst && x.Imm == 0 && v.Type.IsInteger(): // 0 - 0 is 0 in floats, its negation -0
		return become(v, OpNeg, y)
	}
	return nil
}

func (r *rewriter) simplifyFloat(v, x, c *Value) *Value {
	f := floatOf(v.Type, c.Imm)
	switch v.Op {
	case OpMul:
		switch f {
		case 1:
			return x
		case -1:
			return become(v, OpNeg, x)
		}
	case OpDiv:
		switch {
		case f == 1:
			return x
		case f == -1:
			return become(v, OpNeg, x)
		default: // by a power of two whose reciprocal is a normal number: both forms round the same real number
			if inv, ok := exactReciprocal(v.Type, c.Imm); ok {
				return become(v, OpMul, x, r.constant(v.Type, inv))
			}
		}
	case OpSub:
		if c.Imm == 0 {
			return x
		}
	case OpAdd:
		if c.Imm == 1<<(8*v.Type.Bytes()-1) { // -0
			return x
		}
	}
	return nil
}

// exactReciprocal returns the bits of 1/x where x is a power of two and 1/x a normal number.
func exactReciprocal(t Type, x uint64) (uint64, bool) {
	mantissa, bias := 52, uint64(1023)
	if t == F32 {
		mantissa, bias = 23, 127
	} else if t != F64 {
		return 0, false
	}
	sign := x >> (8*t.Bytes() - 1) << (8*t.Bytes() - 1)
	exp := (x &^ sign) >> mantissa
	if x&(1<<mantissa-1) != 0 || exp == 0 || exp >= 2*bias {
		return 0, false
	}
	return sign | (2*bias-exp)<<mantissa, true
}

func (r *rewriter) simplifyBool(v, x *Value, k uint64) *Value {
	switch {
	case v.Op == OpAnd && k == 0, v.Op == OpOr && k == 1:
		return r.constant(Bool, k)
	case v.Op == OpAnd, v.Op == OpOr, v.Op == OpXor && k == 0:
		return x
	case v.Op == OpXor:
		return become(v, OpNot, x)
	}
	return nil
}

func (r *rewriter) simplifySelect(v *Value) *Value {
	cond, yes, no := v.Args[0], v.Args[1], v.Args[2]
	switch {
	case yes == no, cond.Op == OpConst && cond.Imm != 0:
		return yes
	case cond.Op == OpConst:
		return no
	case cond.Op == OpNot:
		return become(v, OpSelect, cond.Args[0], no, yes)
	case v.Type == Bool && yes.Op == OpConst && no.Op == OpConst && yes.Imm != no.Imm:
		if yes.Imm == 1 {
			return cond
		}
		return become(v, OpNot, cond)
	}
	return nil
}

// simplifyCompare simplifies the comparison v of x with y; a constant stands on the right.
func (r *rewriter) simplifyCompare(v, x, y *Value) *Value {
	t := x.Type
	if t == Bool {
		if y.Op != OpConst {
			return nil
		}
		if (v.Op == OpEq) == (y.Imm == 1) {
			return x
		}
		return become(v, OpNot, x)
	}
	if t.IsFloat() {
		return nil
	}
	if result, known := compareRanges(v.Op, rangeOf(x), rangeOf(y)); known {
		return r.constant(Bool, result)
	}
	// What holds of two values holds of them in the narrower type that they were converted from.
	if x.Op == OpConvert && x.Args[0].Type.IsInteger() && holds(t, x.Args[0].Type) {
		from := x.Args[0]
		switch {
		case y.Op == OpConvert && y.Args[0].Type == from.Type:
			return become(v, v.Op, from, y.Args[0])
		case y.Op == OpConst && fits(from.Type, t, y.Imm):
			return become(v, v.Op, from, r.constant(from.Type, y.Imm))
		}
	}
	if (v.Op == OpEq || v.Op == OpNe) && y.Op == OpConst {
		switch {
		case x.Op == OpAdd && x.Args[1].Op == OpConst: // additions wrap: x+j = k where x = k-j
			return become(v, v.Op, x.Args[0], r.constant(t, y.Imm-x.Args[1].Imm))
		case x.Op == OpConvert && x.Args[0].Type == Bool && y.Imm == 0:
			if v.Op == OpNe {
				return x.Args[0]
			}
			return become(v, OpNot, x.Args[0])
		}
	}
	return nil
}

// fits reports whether integer type s holds the number that bits are in integer type t.
func fits(s, t Type, bits uint64) bool {
	n := rangeOf(&Value{Op: OpConst, Type: t, Imm: bits})
	lim, ok := typeRange(s)
	return ok && n.known && lim.lo <= n.lo && n.hi <= lim.hi
}

// simplifyInteger simplifies v, an operation on x and a constant.
func (r *rewriter) simplifyInteger(v, x, c *Value) *Value {
	k, t := c.Imm, v.Type
	width := uint64(8 * t.Bytes())
	ones := canonical(t, ^uint64(0))
	power := bits.OnesCount64(k) == 1 // of two; of a signed type's least value too, which wraps as shifting does
	// (x op j) op k is x op (j op k), which neighbours in a row of an array come to.
	chain := x.Op == v.Op && len(x.Args) == 2 && x.Args[1].Op == OpConst
	again := func(k uint64) *Value { return become(v, v.Op, x.Args[0], r.constant(t, k)) }
	switch v.Op {
	case OpAdd:
		switch {
		case k == 0:
			return x
		case chain:
			return again(x.Args[1].Imm + k)
		}
	case OpSub:
		if k == 0 {
			return x
		}
		return become(v, OpAdd, x, r.constant(t, -k))
	case OpAnd:
		switch {
		case k == 0:
			return c
		case k == ones:
			return x
		case chain:
			return again(x.Args[1].Imm & k)
		case k&(k+1) == 0: // a mask of low bits
			if n := rangeOf(x); n.known && n.lo >= 0 && uint64(n.hi) <= k {
				return x
			}
		}
	case OpOr:
		switch {
		case k == 0:
			return x
		case k == ones:
			return c
		case chain:
			return again(x.Args[1].Imm | k)
		}
	case OpXor:
		switch {
		case k == 0:
			return x
		case k == ones:
			return become(v, OpNot, x)
		case chain:
			return again(x.Args[1].Imm ^ k)
		}
	case OpShl, OpShr:
		switch {
		case k == 0:
			return x
		case k >= width && (v.Op == OpShl || t.IsUnsigned()):
			return r.constant(t, 0)
		case chain: // the sum may wrap around in no U32 that matters: each is less than the width or has been dealt with
			sum := min(x.Args[1].Imm, 64) + min(k, 64)
			return become(v, v.Op, x.Args[0], r.constant(U32, sum))
		}
	case OpMul:
		switch {
		case k == 0:
			return c
		case k == 1:
			return x
		case k == ones && t.IsSigned():
			return become(v, OpNeg, x)
		case power:
			return become(v, OpShl, x, r.constant(U32, uint64(bits.TrailingZeros64(k))))
		case chain:
			return again(x.Args[1].Imm * k)
		}
	case OpDiv:
		return r.divide(v, x, c)
	case OpRem:
		return r.remainder(v, x, c)
	}
	return nil
}

// simplifyConvert takes integer conversions together: what is converted to a type that holds all of its values, and then
// on, is converted on from the start. What is cut to a type no wider than one that it had before was not widened at all.
func (r *rewriter) simplifyConvert(v, x *Value) *Value {
	if v.Type == F32 && x.Type == F64 && len(x.Args) == 1 && sameIn32[x.Op] {
		if in := x.Args[0]; in.Op == OpConvert && in.Args[0].Type == F32 {
			return become(v, x.Op, in.Args[0])
		}
	}
	if x.Op != OpConvert {
		return nil
	}
	from := x.Args[0]
	switch {
	case from.Type == Bool && v.Type == Bool && x.Type != Bool,
		from.Type == F32 && x.Type == F64 && v.Type == F32:
		return from
	case from.Type == Bool && x.Type.IsInteger() && v.Type != Bool:
		return become(v, OpConvert, from)
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
	return become(v, OpConvert, from)
}

// sameIn32 are the functions of which float32(f(float64(x))), as Go has to write it, is f of the float32 x. Rounding twice
// does a square root no harm: 53 >= 2*24+2 bits (Figueroa, "When is double rounding innocuous?", 1995); the others round nothing.
var sameIn32 = [numOps]bool{OpSqrt: true, OpFloor: true, OpCeil: true, OpTrunc: true, OpRint: true, OpAbs: true, OpNeg: true}

// holds reports whether integer type t holds every value of integer type s.
func holds(t, s Type) bool {
	if t.IsSigned() == s.IsSigned() {
		return t.Bytes() >= s.Bytes()
	}
	return t.IsSigned() && t.Bytes() > s.Bytes()
}
