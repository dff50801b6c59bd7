package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// A rule says what stands in the place of an operation: a value that is there, a constant, or the operation itself
// after it has become a cheaper one; nil where the rule has nothing to say. Results are the same bit for bit but for
// the payloads and signs of NaNs. Floats have few rules: x+0 is not x where x is -0, x*0 is not 0 where x is NaN.
type rule struct {
	name  string                                           // for Explain
	on    []kir.Op                                         // what it is tried at
	when  operands                                         // what it is tried for
	apply func(r *rewriter, v, x, y *kir.Value) *kir.Value // x and y are the first two operands; y may be nil
}

// operands are what a rule asks of an operation's operands, before it looks itself.
type operands uint8

const (
	same     operands = 1 << iota // the second is the first
	number                        // the second is a constant
	integers                      // the first is an integer
	floats                        // the first is a float
	bools                         // the first is a bool
)

// are reports whether the operands x and y are so.
func (o operands) are(x, y *kir.Value) bool {
	return (o&same == 0 || x == y) && (o&number == 0 || y.Op == kir.OpConst) && (o&integers == 0 || x.Type.IsInteger()) &&
		(o&floats == 0 || x.Type.IsFloat()) && (o&bools == 0 || x.Type == kir.Bool)
}

func on(ops ...kir.Op) []kir.Op { return ops }

var comparisons = on(kir.OpEq, kir.OpNe, kir.OpLt, kir.OpLe, kir.OpGt, kir.OpGe)

// rules are tried in this order at every value of which not all operands are constants; the first that says something
// counts.
var rules = []rule{
	{"choice between equals", on(kir.OpSelect), 0, equalChoice},
	{"choice that is known", on(kir.OpSelect), 0, knownChoice},
	{"choice by a not", on(kir.OpSelect), 0, choiceByNot},
	{"choice between true and false", on(kir.OpSelect), 0, choiceOfBools},

	{"function between conversions", on(kir.OpConvert), 0, functionIn32},
	{"conversion and back", on(kir.OpConvert), 0, convertedBack},
	{"conversion of a bool's number", on(kir.OpConvert), 0, convertedBool},
	{"conversion of a conversion", on(kir.OpConvert), 0, convertedTwice},

	{"negative of a negative", on(kir.OpNeg), 0, undone},
	{"not of a not", on(kir.OpNot), 0, undone},
	{"not of a comparison", on(kir.OpNot), 0, notCompared},
	{"flush of what is not subnormal", on(kir.OpFlush), 0, flushed},
	{"absolute of an absolute", on(kir.OpAbs), 0, absolute},
	{"absolute of a negative", on(kir.OpAbs), 0, absOfNegative},

	{"constant to the right", append(commuting(), comparisons...), 0, constantRight},

	{"with itself", on(kir.OpMin, kir.OpMax, kir.OpAnd, kir.OpOr), same, first},
	{"without itself", on(kir.OpXor), same, zero},
	{"without itself", on(kir.OpSub, kir.OpRem), same | integers, zero}, // x%0 is 0 too
	{"less than itself", on(kir.OpLt, kir.OpGt), same, never},
	{"compared with itself", on(kir.OpEq, kir.OpLe, kir.OpGe), same | integers, always},
	{"compared with itself", on(kir.OpEq, kir.OpLe, kir.OpGe), same | bools, always},
	{"compared with itself", on(kir.OpNe), same | integers, never},
	{"compared with itself", on(kir.OpNe), same | bools, never},

	{"bool compared with a bool", comparisons, bools | number, boolCompared},
	{"comparison that ranges decide", comparisons, integers, compareByRanges},
	{"comparison of conversions", comparisons, integers, compareNarrow},
	{"comparison of a conversion", comparisons, integers | number, compareNarrowConstant},
	{"sum compared with a number", on(kir.OpEq, kir.OpNe), integers | number, compareSum},
	{"bool's number compared with 0", on(kir.OpEq, kir.OpNe), integers | number, compareBoolNumber},

	{"sum with a negative", on(kir.OpAdd), 0, addNegative}, // IEEE 754 defines x-y as x+(-y)
	{"difference with a negative", on(kir.OpSub), 0, subNegative},
	{"difference from 0", on(kir.OpSub), integers, fromZero},

	{"product with 1", on(kir.OpMul, kir.OpDiv), floats | number, timesOne},
	{"product with -1", on(kir.OpMul, kir.OpDiv), floats | number, timesMinusOne},
	{"quotient by a power of two", on(kir.OpDiv), floats | number, timesReciprocal},
	{"difference with 0", on(kir.OpSub), floats | number, minusZero},
	{"sum with -0", on(kir.OpAdd), floats | number, plusMinusZero},

	{"bool that is decided", on(kir.OpAnd, kir.OpOr), bools | number, decidedBool},
	{"bool that stays", on(kir.OpAnd, kir.OpOr, kir.OpXor), bools | number, keptBool},
	{"bool that turns", on(kir.OpXor), bools | number, turnedBool},

	{"nothing added", on(kir.OpAdd, kir.OpSub, kir.OpOr, kir.OpXor, kir.OpShl, kir.OpShr), integers | number, plusNothing},
	{"all bits kept", on(kir.OpAnd), integers | number, allKept},
	{"no bits kept", on(kir.OpAnd, kir.OpMul), integers | number, noneKept},
	{"all bits set", on(kir.OpOr), integers | number, allSet},
	{"all bits changed", on(kir.OpXor), integers | number, allChanged},
	{"difference with a number", on(kir.OpSub), integers | number, minusNumber},
	{"shift by the width", on(kir.OpShl, kir.OpShr), integers | number, shiftedOut},
	{"product with 1", on(kir.OpMul), integers | number, timesOneInteger},
	{"product with -1", on(kir.OpMul), integers | number, timesMinusOneInteger},
	{"product with a power of two", on(kir.OpMul), integers | number, timesPower},
	{"number after a number", on(kir.OpAdd, kir.OpAnd, kir.OpOr, kir.OpXor, kir.OpMul), integers | number, chained},
	{"shift of a shift", on(kir.OpShl, kir.OpShr), integers | number, chainedShift},
	{"mask of what fits", on(kir.OpAnd), integers | number, maskFits},
	{"quotient by a number", on(kir.OpDiv), integers | number, (*rewriter).divide},
	{"remainder by a number", on(kir.OpRem), integers | number, (*rewriter).remainder},
}

// rulesOf has the rules of each operation, in their order.
var rulesOf = func() (t [kir.NumOps][]*rule) {
	for i := range rules {
		for _, op := range rules[i].on {
			t[op] = append(t[op], &rules[i])
		}
	}
	return t
}()

// simplify returns a value that equals v, or v itself after changing it to a cheaper form, by the first rule that has
// one; nil when none has.
func (r *rewriter) simplify(v *kir.Value) *kir.Value {
	x, y := v.Args[0], (*kir.Value)(nil)
	if len(v.Args) > 1 {
		y = v.Args[1]
	}
	for _, rule := range rulesOf[v.Op] {
		if !rule.when.are(x, y) {
			continue
		}
		if w := rule.apply(r, v, x, y); w != nil {
			r.says(rule.name)
			return w
		}
	}
	return nil
}

func commuting() (ops []kir.Op) {
	for op := kir.Op(0); op < kir.NumOps; op++ {
		if op.Commutes() && !op.IsCompare() {
			ops = append(ops, op)
		}
	}
	return ops
}

// become makes v another operation that gives the same.
func become(v *kir.Value, op kir.Op, args ...*kir.Value) *kir.Value {
	v.Op, v.Args = op, slices.Clone(args) // args may be another value's, which changes them later
	return v
}
