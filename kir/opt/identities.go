package opt

import (
	"math/bits"

	"github.com/arrayrepl/arrayrepl/kir"
)

// What the rules of the table do. See there for the operations that each is tried at, and for what of them.

// swapped is the comparison that says of y and x what the key says of x and y; inverse is the one that is true where
// the key is false, for operands that are never NaN.
var (
	swapped = map[kir.Op]kir.Op{kir.OpEq: kir.OpEq, kir.OpNe: kir.OpNe, kir.OpLt: kir.OpGt, kir.OpLe: kir.OpGe, kir.OpGt: kir.OpLt, kir.OpGe: kir.OpLe}
	inverse = map[kir.Op]kir.Op{kir.OpEq: kir.OpNe, kir.OpNe: kir.OpEq, kir.OpLt: kir.OpGe, kir.OpLe: kir.OpGt, kir.OpGt: kir.OpLe, kir.OpGe: kir.OpLt}
)

func first(_ *rewriter, _, x, _ *kir.Value) *kir.Value  { return x }
func zero(r *rewriter, v, _, _ *kir.Value) *kir.Value   { return r.constant(v.Type, 0) }
func never(r *rewriter, _, _, _ *kir.Value) *kir.Value  { return r.constant(kir.Bool, 0) }
func always(r *rewriter, _, _, _ *kir.Value) *kir.Value { return r.constant(kir.Bool, 1) }

func equalChoice(_ *rewriter, v, _, yes *kir.Value) *kir.Value {
	if yes == v.Args[2] {
		return yes
	}
	return nil
}

func knownChoice(_ *rewriter, v, cond, yes *kir.Value) *kir.Value {
	switch {
	case cond.Op != kir.OpConst:
		return nil
	case cond.Imm != 0:
		return yes
	}
	return v.Args[2]
}

func choiceByNot(_ *rewriter, v, cond, yes *kir.Value) *kir.Value {
	if cond.Op == kir.OpNot {
		return become(v, kir.OpSelect, cond.Args[0], v.Args[2], yes)
	}
	return nil
}

func choiceOfBools(_ *rewriter, v, cond, yes *kir.Value) *kir.Value {
	no := v.Args[2]
	switch {
	case v.Type != kir.Bool || yes.Op != kir.OpConst || no.Op != kir.OpConst || yes.Imm == no.Imm:
		return nil
	case yes.Imm == 1:
		return cond
	}
	return become(v, kir.OpNot, cond)
}

func undone(_ *rewriter, v, x, _ *kir.Value) *kir.Value {
	if x.Op == v.Op {
		return x.Args[0]
	}
	return nil
}

func notCompared(_ *rewriter, v, x, _ *kir.Value) *kir.Value {
	if x.Op.IsCompare() && (!x.Args[0].Type.IsFloat() || x.Op == kir.OpEq || x.Op == kir.OpNe) {
		return become(v, inverse[x.Op], x.Args...)
	}
	return nil
}

func flushed(_ *rewriter, _, x, _ *kir.Value) *kir.Value {
	// no whole number is subnormal
	if x.Op == kir.OpFlush || x.Op == kir.OpConvert && (x.Args[0].Type.IsInteger() || x.Args[0].Type == kir.Bool) {
		return x
	}
	return nil
}

func absolute(_ *rewriter, v, x, _ *kir.Value) *kir.Value {
	if x.Op == kir.OpAbs || v.Type.IsUnsigned() {
		return x
	}
	return nil
}

func absOfNegative(_ *rewriter, v, x, _ *kir.Value) *kir.Value {
	if x.Op == kir.OpNeg {
		return become(v, kir.OpAbs, x.Args[0])
	}
	return nil
}

func constantRight(_ *rewriter, v, x, y *kir.Value) *kir.Value {
	if x.Op != kir.OpConst {
		return nil
	}
	if v.Op.IsCompare() {
		v.Op = swapped[v.Op]
	}
	v.Args[0], v.Args[1] = y, x
	return v
}

func boolCompared(_ *rewriter, v, x, y *kir.Value) *kir.Value {
	if (v.Op == kir.OpEq) == (y.Imm == 1) {
		return x
	}
	return become(v, kir.OpNot, x)
}

func compareByRanges(r *rewriter, v, x, y *kir.Value) *kir.Value {
	if result, known := kir.CompareRanges(v.Op, rangeOf(x), rangeOf(y)); known {
		return r.constant(kir.Bool, result)
	}
	return nil
}

// narrower returns what x was before it was converted to a type that holds all of its values, or nil. What holds of two
// values holds of them in the narrower type.
func narrower(x *kir.Value) *kir.Value {
	if x.Op == kir.OpConvert && x.Args[0].Type.IsInteger() && holds(x.Type, x.Args[0].Type) {
		return x.Args[0]
	}
	return nil
}

func compareNarrow(_ *rewriter, v, x, y *kir.Value) *kir.Value {
	if from := narrower(x); from != nil && y.Op == kir.OpConvert && y.Args[0].Type == from.Type {
		return become(v, v.Op, from, y.Args[0])
	}
	return nil
}

func compareNarrowConstant(r *rewriter, v, x, y *kir.Value) *kir.Value {
	if from := narrower(x); from != nil && fits(from.Type, x.Type, y.Imm) {
		return become(v, v.Op, from, r.constant(from.Type, y.Imm))
	}
	return nil
}

// compareSum: additions wrap, so x+j = k where x = k-j.
func compareSum(r *rewriter, v, x, y *kir.Value) *kir.Value {
	if x.Op == kir.OpAdd && x.Args[1].Op == kir.OpConst {
		return become(v, v.Op, x.Args[0], r.constant(x.Type, y.Imm-x.Args[1].Imm))
	}
	return nil
}

func compareBoolNumber(_ *rewriter, v, x, y *kir.Value) *kir.Value {
	switch {
	case x.Op != kir.OpConvert || x.Args[0].Type != kir.Bool || y.Imm != 0:
		return nil
	case v.Op == kir.OpNe:
		return x.Args[0]
	}
	return become(v, kir.OpNot, x.Args[0])
}

func addNegative(_ *rewriter, v, x, y *kir.Value) *kir.Value {
	switch {
	case y.Op == kir.OpNeg:
		return become(v, kir.OpSub, x, y.Args[0])
	case x.Op == kir.OpNeg:
		return become(v, kir.OpSub, y, x.Args[0])
	}
	return nil
}

func subNegative(_ *rewriter, v, x, y *kir.Value) *kir.Value {
	if y.Op == kir.OpNeg {
		return become(v, kir.OpAdd, x, y.Args[0])
	}
	return nil
}

// fromZero is for integers: 0 - 0 is 0 in floats, its negation -0.
func fromZero(_ *rewriter, v, x, y *kir.Value) *kir.Value {
	if x.Op == kir.OpConst && x.Imm == 0 {
		return become(v, kir.OpNeg, y)
	}
	return nil
}

func timesOne(_ *rewriter, v, x, c *kir.Value) *kir.Value {
	if kir.FloatOf(v.Type, c.Imm) == 1 {
		return x
	}
	return nil
}

func timesMinusOne(_ *rewriter, v, x, c *kir.Value) *kir.Value {
	if kir.FloatOf(v.Type, c.Imm) == -1 {
		return become(v, kir.OpNeg, x)
	}
	return nil
}

// timesReciprocal is for powers of two whose reciprocal is a normal number: both forms round the same real number.
func timesReciprocal(r *rewriter, v, x, c *kir.Value) *kir.Value {
	if inv, ok := exactReciprocal(v.Type, c.Imm); ok {
		return become(v, kir.OpMul, x, r.constant(v.Type, inv))
	}
	return nil
}

func minusZero(_ *rewriter, _, x, c *kir.Value) *kir.Value {
	if c.Imm == 0 {
		return x
	}
	return nil
}

func plusMinusZero(_ *rewriter, v, x, c *kir.Value) *kir.Value {
	if c.Imm == 1<<(8*v.Type.Bytes()-1) {
		return x
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

func decidedBool(r *rewriter, v, _, c *kir.Value) *kir.Value {
	if (v.Op == kir.OpOr) == (c.Imm == 1) {
		return r.constant(kir.Bool, c.Imm)
	}
	return nil
}

func keptBool(_ *rewriter, v, x, c *kir.Value) *kir.Value {
	if v.Op != kir.OpXor || c.Imm == 0 { // what is decided is dealt with
		return x
	}
	return nil
}

func turnedBool(_ *rewriter, v, x, _ *kir.Value) *kir.Value { return become(v, kir.OpNot, x) }

func plusNothing(_ *rewriter, _, x, c *kir.Value) *kir.Value {
	if c.Imm == 0 {
		return x
	}
	return nil
}

// onesOf returns the constant of type t that has all bits.
func onesOf(t kir.Type) uint64 { return kir.Canonical(t, ^uint64(0)) }

func allKept(_ *rewriter, v, x, c *kir.Value) *kir.Value {
	if c.Imm == onesOf(v.Type) {
		return x
	}
	return nil
}

func noneKept(_ *rewriter, _, _, c *kir.Value) *kir.Value {
	if c.Imm == 0 {
		return c
	}
	return nil
}

func allSet(_ *rewriter, v, _, c *kir.Value) *kir.Value {
	if c.Imm == onesOf(v.Type) {
		return c
	}
	return nil
}

func allChanged(_ *rewriter, v, x, c *kir.Value) *kir.Value {
	if c.Imm == onesOf(v.Type) {
		return become(v, kir.OpNot, x)
	}
	return nil
}

func minusNumber(r *rewriter, v, x, c *kir.Value) *kir.Value {
	return become(v, kir.OpAdd, x, r.constant(v.Type, -c.Imm))
}

func shiftedOut(r *rewriter, v, _, c *kir.Value) *kir.Value {
	if c.Imm >= uint64(8*v.Type.Bytes()) && (v.Op == kir.OpShl || v.Type.IsUnsigned()) {
		return r.constant(v.Type, 0)
	}
	return nil
}

func timesOneInteger(_ *rewriter, _, x, c *kir.Value) *kir.Value {
	if c.Imm == 1 {
		return x
	}
	return nil
}

func timesMinusOneInteger(_ *rewriter, v, x, c *kir.Value) *kir.Value {
	if c.Imm == onesOf(v.Type) && v.Type.IsSigned() {
		return become(v, kir.OpNeg, x)
	}
	return nil
}

// timesPower is for a signed type's least value too, which wraps as shifting does.
func timesPower(r *rewriter, v, x, c *kir.Value) *kir.Value {
	if bits.OnesCount64(c.Imm) == 1 {
		return become(v, kir.OpShl, x, r.constant(kir.U32, uint64(bits.TrailingZeros64(c.Imm))))
	}
	return nil
}

// chained: (x op j) op k is x op (j op k), which neighbours in a row of an array come to.
func chained(r *rewriter, v, x, c *kir.Value) *kir.Value {
	if x.Op != v.Op || x.Args[1].Op != kir.OpConst {
		return nil
	}
	j, k := x.Args[1].Imm, c.Imm
	switch v.Op {
	case kir.OpAdd:
		k += j
	case kir.OpAnd:
		k &= j
	case kir.OpOr:
		k |= j
	case kir.OpXor:
		k ^= j
	case kir.OpMul:
		k *= j
	}
	return become(v, v.Op, x.Args[0], r.constant(v.Type, k))
}

// chainedShift: the sum may wrap around in no U32 that matters, as each is less than the width or has been dealt with.
func chainedShift(r *rewriter, v, x, c *kir.Value) *kir.Value {
	if x.Op != v.Op || x.Args[1].Op != kir.OpConst {
		return nil
	}
	return become(v, v.Op, x.Args[0], r.constant(kir.U32, min(x.Args[1].Imm, 64)+min(c.Imm, 64)))
}

// maskFits is for a mask of low bits.
func maskFits(_ *rewriter, _, x, c *kir.Value) *kir.Value {
	if k := c.Imm; k&(k+1) == 0 {
		if n := rangeOf(x); n.Known && n.Lo >= 0 && uint64(n.Hi) <= k {
			return x
		}
	}
	return nil
}

// functionIn32: a function of a float32 that is exact, or rounds as it would in float32, between conversions to float64
// and back.
func functionIn32(_ *rewriter, v, x, _ *kir.Value) *kir.Value {
	if v.Type == kir.F32 && x.Type == kir.F64 && len(x.Args) == 1 && sameIn32[x.Op] {
		if in := x.Args[0]; in.Op == kir.OpConvert && in.Args[0].Type == kir.F32 {
			return become(v, x.Op, in.Args[0])
		}
	}
	return nil
}

// convertedBack: x has all values of what it is converted from.
func convertedBack(_ *rewriter, v, x, _ *kir.Value) *kir.Value {
	if x.Op != kir.OpConvert || v.Type != x.Args[0].Type {
		return nil
	}
	from := x.Args[0]
	switch {
	case from.Type == kir.Bool && x.Type != kir.Bool, from.Type == kir.F32 && x.Type == kir.F64,
		from.Type.IsInteger() && x.Type.IsInteger() && (holds(x.Type, from.Type) || x.Type.Bytes() >= from.Type.Bytes()):
		return from
	}
	return nil
}

func convertedBool(_ *rewriter, v, x, _ *kir.Value) *kir.Value {
	if x.Op == kir.OpConvert && x.Args[0].Type == kir.Bool && x.Type.IsInteger() && v.Type != kir.Bool {
		return become(v, kir.OpConvert, x.Args[0])
	}
	return nil
}

// convertedTwice takes integer conversions together: what is converted to a type that holds all of its values, and then
// on, is converted on from the start. What is cut to a type no wider than one that it had before was not widened at
// all.
func convertedTwice(_ *rewriter, v, x, _ *kir.Value) *kir.Value {
	if x.Op != kir.OpConvert {
		return nil
	}
	from := x.Args[0]
	switch {
	case !from.Type.IsInteger() || !x.Type.IsInteger() || !v.Type.IsInteger(),
		!holds(x.Type, from.Type) && v.Type.Bytes() > x.Type.Bytes(),
		v.Type.Bytes() == x.Type.Bytes() && x.Type.Bytes() > from.Type.Bytes(), // another name for the same registers
		v.Type == from.Type: // cut to x's type before
		return nil
	}
	return become(v, kir.OpConvert, from)
}

// sameIn32 are the functions of which float32(f(float64(x))), as Go has to write it, is f of the float32 x. Rounding
// twice does a square root no harm: 53 >= 2*24+2 bits (Figueroa, "When is double rounding innocuous?", 1995); the
// others round nothing.
var sameIn32 = [kir.NumOps]bool{kir.OpSqrt: true, kir.OpFloor: true, kir.OpCeil: true, kir.OpTrunc: true, kir.OpRint: true, kir.OpAbs: true, kir.OpNeg: true}

// fits reports whether integer type s holds the number that bits are in integer type t.
func fits(s, t kir.Type, bits uint64) bool {
	n := rangeOf(&kir.Value{Op: kir.OpConst, Type: t, Imm: bits})
	lim, ok := typeRange(s)
	return ok && n.Known && lim.Lo <= n.Lo && n.Hi <= lim.Hi
}

// holds reports whether integer type t holds every value of integer type s.
func holds(t, s kir.Type) bool {
	if t.IsSigned() == s.IsSigned() {
		return t.Bytes() >= s.Bytes()
	}
	return t.IsSigned() && t.Bytes() > s.Bytes()
}
