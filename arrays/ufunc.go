package arrays

import (
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
)

// Ufunc is an elementwise operation: its inputs broadcast, and every element of the result depends on the inputs' elements
// at the same place alone.
type Ufunc uint8

// The elementwise operations.
const (
	OpAdd Ufunc = iota
	OpSub
	OpMul
	OpDiv
	OpPow
	OpMinimum
	OpMaximum
	OpNeg
	OpAbs
	OpSqrt
	OpExp
	OpLog
	OpSin
	OpCos
	OpExp2
	OpExpm1
	OpLog2
	OpLog10
	OpLog1p
	OpTan
	OpAsin
	OpAcos
	OpAtan
	OpAtan2
	OpSinh
	OpCosh
	OpTanh
	OpAsinh
	OpAcosh
	OpAtanh
	OpHypot
	OpLogAddExp
	OpErf
	OpErfc
	OpGamma
	OpLGamma
	OpSinc
	OpCbrt
	OpFloor
	OpCeil
	OpTrunc
	OpRint
	OpSign
	OpSquare
	OpReciprocal
	OpFloorDiv
	OpRemainder
	OpCopySign
	OpFMin
	OpFMax
	OpDeg2Rad
	OpRad2Deg
	OpIsNaN
	OpIsInf
	OpIsFinite
	OpSignBit
	OpBitAnd
	OpBitOr
	OpBitXor
	OpInvert
	OpLeftShift
	OpRightShift
	OpLogicalXor
	OpEqual
	OpNotEqual
	OpLess
	OpLessEqual
	OpGreater
	OpGreaterEqual
	OpLogicalAnd
	OpLogicalOr
	OpLogicalNot
	OpWhere
	NumUfuncs = iota // how many there are
)

// ufuncs is the one table of elementwise operations. A loop stands under the dtype that it computes in; a dtype without one
// is refused by the operation's rule.
var ufuncs = [NumUfuncs]struct {
	name  string // NumPy's
	nin   int
	rule  rule
	loops loopTable
}{
	OpAdd: {"add", 2, ruleCommon,
		loopTable{Bool: binary(or), Int64: binary(add[int64]), Float32: binary(add[float32]), Float64: binary(add[float64])}},
	OpSub: {"subtract", 2, ruleNumber("use NotEqual for exclusive or"),
		loopTable{Int64: binary(sub[int64]), Float32: binary(sub[float32]), Float64: binary(sub[float64])}},
	OpMul: {"multiply", 2, ruleCommon,
		loopTable{Bool: binary(and), Int64: binary(mul[int64]), Float32: binary(mul[float32]), Float64: binary(mul[float64])}},
	OpDiv: {"divide", 2, ruleFloat, loopTable{Float32: binary(div[float32]), Float64: binary(div[float64])}},
	OpPow: {"power", 2, rulePower,
		loopTable{Int64: binary(powInt), Float32: binary(eachPair(elementary.Powf)), Float64: binary(eachPair(elementary.Pow))}},

	OpMinimum: {"minimum", 2, ruleCommon,
		loopTable{Bool: binary(and), Int64: binary(minimum[int64]), Float32: binary(minimum[float32]), Float64: binary(minimum[float64])}},
	OpMaximum: {"maximum", 2, ruleCommon,
		loopTable{Bool: binary(or), Int64: binary(maximum[int64]), Float32: binary(maximum[float32]), Float64: binary(maximum[float64])}},

	OpNeg: {"negative", 1, ruleNumber("use Not"),
		loopTable{Int64: unary(neg[int64]), Float32: unary(neg[float32]), Float64: unary(neg[float64])}},
	OpAbs: {"absolute", 1, ruleCommon,
		loopTable{Bool: unary(same), Int64: unary(absInt), Float32: unary(absFloat[float32]), Float64: unary(absFloat[float64])}},
	OpSqrt:      {"sqrt", 1, ruleFloat, loopTable{Float32: unary(sqrt[float32]), Float64: unary(sqrt[float64])}},
	OpExp:       {"exp", 1, ruleFloat, functionLoops("exp")},
	OpLog:       {"log", 1, ruleFloat, functionLoops("log")},
	OpSin:       {"sin", 1, ruleFloat, functionLoops("sin")},
	OpCos:       {"cos", 1, ruleFloat, functionLoops("cos")},
	OpExp2:      {"exp2", 1, ruleFloat, functionLoops("exp2")},
	OpExpm1:     {"expm1", 1, ruleFloat, functionLoops("expm1")},
	OpLog2:      {"log2", 1, ruleFloat, functionLoops("log2")},
	OpLog10:     {"log10", 1, ruleFloat, functionLoops("log10")},
	OpLog1p:     {"log1p", 1, ruleFloat, functionLoops("log1p")},
	OpTan:       {"tan", 1, ruleFloat, functionLoops("tan")},
	OpAsin:      {"arcsin", 1, ruleFloat, functionLoops("asin")},
	OpAcos:      {"arccos", 1, ruleFloat, functionLoops("acos")},
	OpAtan:      {"arctan", 1, ruleFloat, functionLoops("atan")},
	OpAtan2:     {"arctan2", 2, ruleFloat, functionLoops("atan2")},
	OpSinh:      {"sinh", 1, ruleFloat, functionLoops("sinh")},
	OpCosh:      {"cosh", 1, ruleFloat, functionLoops("cosh")},
	OpTanh:      {"tanh", 1, ruleFloat, functionLoops("tanh")},
	OpAsinh:     {"arcsinh", 1, ruleFloat, functionLoops("asinh")},
	OpAcosh:     {"arccosh", 1, ruleFloat, functionLoops("acosh")},
	OpAtanh:     {"arctanh", 1, ruleFloat, functionLoops("atanh")},
	OpHypot:     {"hypot", 2, ruleFloat, functionLoops("hypot")},
	OpLogAddExp: {"logaddexp", 2, ruleFloat, functionLoops("logaddexp")},
	OpErf:       {"erf", 1, ruleFloat, functionLoops("erf")},
	OpErfc:      {"erfc", 1, ruleFloat, functionLoops("erfc")},
	OpGamma:     {"gamma", 1, ruleFloat, functionLoops("gamma")},
	OpLGamma:    {"lgamma", 1, ruleFloat, functionLoops("lgamma")},
	OpSinc:      {"sinc", 1, ruleFloat, functionLoops("sinc")},
	OpCbrt:      {"cbrt", 1, ruleFloat, functionLoops("cbrt")},

	OpFloor:      {"floor", 1, ruleCommon, roundLoops(math.Floor)},
	OpCeil:       {"ceil", 1, ruleCommon, roundLoops(math.Ceil)},
	OpTrunc:      {"trunc", 1, ruleCommon, roundLoops(math.Trunc)},
	OpRint:       {"rint", 1, ruleFloat, roundLoops(math.RoundToEven)},
	OpSign:       {"sign", 1, ruleNumber("they have no sign"), loopTable{Int64: unary(sign[int64]), Float32: unary(sign[float32]), Float64: unary(sign[float64])}},
	OpSquare:     {"square", 1, rulePower, loopTable{Int64: unary(square[int64]), Float32: unary(square[float32]), Float64: unary(square[float64])}},
	OpReciprocal: {"reciprocal", 1, ruleFloat, loopTable{Float32: unary(reciprocal[float32]), Float64: unary(reciprocal[float64])}},
	OpFloorDiv: {"floor_divide", 2, rulePower,
		loopTable{Int64: binary(eachPair2(floorDivInt)), Float32: binary(eachPair(floorDiv[float32])), Float64: binary(eachPair(floorDiv[float64]))}},
	OpRemainder: {"remainder", 2, rulePower,
		loopTable{Int64: binary(eachPair2(remainderInt)), Float32: binary(eachPair(remainder[float32])), Float64: binary(eachPair(remainder[float64]))}},
	OpCopySign: {"copysign", 2, ruleFloat, loopTable{Float32: binary(eachPair(copySign[float32])), Float64: binary(eachPair(math.Copysign))}},
	OpFMin: {"fmin", 2, ruleCommon,
		loopTable{Bool: binary(and), Int64: binary(minimum[int64]), Float32: binary(eachPair(fmin[float32])), Float64: binary(eachPair(fmin[float64]))}},
	OpFMax: {"fmax", 2, ruleCommon,
		loopTable{Bool: binary(or), Int64: binary(maximum[int64]), Float32: binary(eachPair(fmax[float32])), Float64: binary(eachPair(fmax[float64]))}},
	OpDeg2Rad: {"deg2rad", 1, ruleFloat, loopTable{Float32: unary(times[float32](math.Pi / 180)), Float64: unary(times[float64](math.Pi / 180))}},
	OpRad2Deg: {"rad2deg", 1, ruleFloat, loopTable{Float32: unary(times[float32](180 / math.Pi)), Float64: unary(times[float64](180 / math.Pi))}},

	OpIsNaN:    {"isnan", 1, ruleCompare, testLoops(func(v float64) bool { return v != v })},
	OpIsInf:    {"isinf", 1, ruleCompare, testLoops(func(v float64) bool { return math.IsInf(v, 0) })},
	OpIsFinite: {"isfinite", 1, ruleCompare, testLoops(func(v float64) bool { return v-v == 0 })},
	OpSignBit:  {"signbit", 1, ruleCompare, testLoops(math.Signbit)},

	OpBitAnd:     {"bitwise_and", 2, ruleBits, loopTable{Bool: binary(and), Int64: binary(eachPair2(bitAnd))}},
	OpBitOr:      {"bitwise_or", 2, ruleBits, loopTable{Bool: binary(or), Int64: binary(eachPair2(bitOr))}},
	OpBitXor:     {"bitwise_xor", 2, ruleBits, loopTable{Bool: binary(xor), Int64: binary(eachPair2(bitXor))}},
	OpInvert:     {"invert", 1, ruleBits, loopTable{Bool: unary(not), Int64: unary(invert)}},
	OpLeftShift:  {"left_shift", 2, ruleShift, loopTable{Int64: binary(eachPair2(leftShift))}},
	OpRightShift: {"right_shift", 2, ruleShift, loopTable{Int64: binary(eachPair2(rightShift))}},

	OpEqual: {"equal", 2, ruleCompare,
		loopTable{binary(equal[uint8]), binary(equal[int64]), binary(equal[float32]), binary(equal[float64])}},
	OpNotEqual: {"not_equal", 2, ruleCompare,
		loopTable{binary(notEqual[uint8]), binary(notEqual[int64]), binary(notEqual[float32]), binary(notEqual[float64])}},
	OpLess: {"less", 2, ruleCompare,
		loopTable{binary(less[uint8]), binary(less[int64]), binary(less[float32]), binary(less[float64])}},
	OpLessEqual: {"less_equal", 2, ruleCompare,
		loopTable{binary(lessEqual[uint8]), binary(lessEqual[int64]), binary(lessEqual[float32]), binary(lessEqual[float64])}},
	OpGreater: {"greater", 2, ruleCompare,
		loopTable{binary(greater[uint8]), binary(greater[int64]), binary(greater[float32]), binary(greater[float64])}},
	OpGreaterEqual: {"greater_equal", 2, ruleCompare,
		loopTable{binary(greaterEqual[uint8]), binary(greaterEqual[int64]), binary(greaterEqual[float32]), binary(greaterEqual[float64])}},

	OpLogicalAnd: {"logical_and", 2, ruleLogical, loopTable{Bool: binary(and)}},
	OpLogicalOr:  {"logical_or", 2, ruleLogical, loopTable{Bool: binary(or)}},
	OpLogicalXor: {"logical_xor", 2, ruleLogical, loopTable{Bool: binary(xor)}},
	OpLogicalNot: {"logical_not", 1, ruleLogical, loopTable{Bool: unary(not)}},

	OpWhere: {"where", 3, ruleWhere,
		loopTable{choose(where[uint8]), choose(where[int64]), choose(where[float32]), choose(where[float64])}},
}

// String returns NumPy's name of u, as "add".
func (u Ufunc) String() string {
	if int(u) < NumUfuncs {
		return ufuncs[u].name
	}
	return fmt.Sprintf("ufunc(%d)", uint8(u))
}

// NIn returns the number of inputs.
func (u Ufunc) NIn() int { return ufuncs[u].nin }

// Resolve returns the dtype to which the inputs are cast and in which u computes, and the dtype of the result. For
// OpWhere compute is that of the second and third input; the first is cast to Bool. The error says which dtypes u refuses.
func (u Ufunc) Resolve(in ...Operand) (compute, out DType, err error) {
	if len(in) != u.NIn() {
		return 0, 0, &Error{Op: u.String(), Msg: fmt.Sprintf("%d operands are given; it takes %d", len(in), u.NIn())}
	}
	compute, out, err = ufuncs[u].rule(in)
	if err != nil {
		return 0, 0, withOp(u.String(), err)
	}
	return compute, out, nil
}
