package arrays

import (
	"fmt"
	"slices"
)

// Ufunc is an elementwise operation: its inputs broadcast, and every element of the result depends on the inputs'
// elements at the same place alone.
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
	OpReal
	OpImag
	OpConj
	OpAngle
	OpWhere
	NumUfuncs = iota // how many there are
)

// ufuncs is the one table of elementwise operations: NumPy's name, the number of inputs, and what decides the dtypes.
// The loops are in ufuncLoops; a dtype without one is refused.
var ufuncs = [NumUfuncs]struct {
	name string
	nin  int
	rule rule
}{
	OpAdd:          {"add", 2, ruleCommon},
	OpSub:          {"subtract", 2, ruleNumber("use NotEqual for exclusive or")},
	OpMul:          {"multiply", 2, ruleCommon},
	OpDiv:          {"divide", 2, ruleDivide},
	OpPow:          {"power", 2, rulePower},
	OpMinimum:      {"minimum", 2, ruleCommon},
	OpMaximum:      {"maximum", 2, ruleCommon},
	OpNeg:          {"negative", 1, ruleNumber("use Not")},
	OpAbs:          {"absolute", 1, ruleReal},
	OpSqrt:         {"sqrt", 1, ruleFloat},
	OpExp:          {"exp", 1, ruleFloat},
	OpLog:          {"log", 1, ruleFloat},
	OpSin:          {"sin", 1, ruleFloat},
	OpCos:          {"cos", 1, ruleFloat},
	OpExp2:         {"exp2", 1, ruleFloat},
	OpExpm1:        {"expm1", 1, ruleFloat},
	OpLog2:         {"log2", 1, ruleFloat},
	OpLog10:        {"log10", 1, ruleFloat},
	OpLog1p:        {"log1p", 1, ruleFloat},
	OpTan:          {"tan", 1, ruleFloat},
	OpAsin:         {"arcsin", 1, ruleFloat},
	OpAcos:         {"arccos", 1, ruleFloat},
	OpAtan:         {"arctan", 1, ruleFloat},
	OpAtan2:        {"arctan2", 2, ruleFloat},
	OpSinh:         {"sinh", 1, ruleFloat},
	OpCosh:         {"cosh", 1, ruleFloat},
	OpTanh:         {"tanh", 1, ruleFloat},
	OpAsinh:        {"arcsinh", 1, ruleFloat},
	OpAcosh:        {"arccosh", 1, ruleFloat},
	OpAtanh:        {"arctanh", 1, ruleFloat},
	OpHypot:        {"hypot", 2, ruleFloat},
	OpLogAddExp:    {"logaddexp", 2, ruleFloat},
	OpErf:          {"erf", 1, ruleFloat},
	OpErfc:         {"erfc", 1, ruleFloat},
	OpGamma:        {"gamma", 1, ruleFloat},
	OpLGamma:       {"lgamma", 1, ruleFloat},
	OpSinc:         {"sinc", 1, ruleDivide},
	OpCbrt:         {"cbrt", 1, ruleFloat},
	OpFloor:        {"floor", 1, ruleCommon},
	OpCeil:         {"ceil", 1, ruleCommon},
	OpTrunc:        {"trunc", 1, ruleCommon},
	OpRint:         {"rint", 1, ruleFloat},
	OpSign:         {"sign", 1, ruleNumber("they have no sign")},
	OpSquare:       {"square", 1, rulePower},
	OpReciprocal:   {"reciprocal", 1, ruleDivide},
	OpFloorDiv:     {"floor_divide", 2, rulePower},
	OpRemainder:    {"remainder", 2, rulePower},
	OpCopySign:     {"copysign", 2, ruleFloat},
	OpFMin:         {"fmin", 2, ruleCommon},
	OpFMax:         {"fmax", 2, ruleCommon},
	OpDeg2Rad:      {"deg2rad", 1, ruleFloat},
	OpRad2Deg:      {"rad2deg", 1, ruleFloat},
	OpIsNaN:        {"isnan", 1, ruleCompare},
	OpIsInf:        {"isinf", 1, ruleCompare},
	OpIsFinite:     {"isfinite", 1, ruleCompare},
	OpSignBit:      {"signbit", 1, ruleCompare},
	OpBitAnd:       {"bitwise_and", 2, ruleCommon},
	OpBitOr:        {"bitwise_or", 2, ruleCommon},
	OpBitXor:       {"bitwise_xor", 2, ruleCommon},
	OpInvert:       {"invert", 1, ruleCommon},
	OpLeftShift:    {"left_shift", 2, rulePower},
	OpRightShift:   {"right_shift", 2, rulePower},
	OpEqual:        {"equal", 2, ruleCompare},
	OpNotEqual:     {"not_equal", 2, ruleCompare},
	OpLess:         {"less", 2, ruleCompare},
	OpLessEqual:    {"less_equal", 2, ruleCompare},
	OpGreater:      {"greater", 2, ruleCompare},
	OpGreaterEqual: {"greater_equal", 2, ruleCompare},
	OpLogicalAnd:   {"logical_and", 2, ruleLogical},
	OpLogicalOr:    {"logical_or", 2, ruleLogical},
	OpLogicalXor:   {"logical_xor", 2, ruleLogical},
	OpLogicalNot:   {"logical_not", 1, ruleLogical},
	OpReal:         {"real", 1, ruleReal},
	OpImag:         {"imag", 1, ruleReal},
	OpConj:         {"conjugate", 1, rulePower},
	OpAngle:        {"angle", 1, ruleAngle},
	OpWhere:        {"where", 3, ruleWhere},
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
// OpWhere compute is that of the second and third input; the first is cast to Bool. The error says which dtypes u
// refuses.
func (u Ufunc) Resolve(in ...Operand) (compute, out DType, err error) {
	if len(in) != u.NIn() {
		return 0, 0, &Error{Op: u.String(), Msg: fmt.Sprintf("%d operands are given; it takes %d", len(in), u.NIn())}
	}
	compute, out, err = u.resolve(in)
	if err != nil {
		return 0, 0, withOp(u.String(), err)
	}
	for _, o := range in {
		if out != Bool {
			if err := o.unfit(compute); err != nil {
				return 0, 0, withOp(u.String(), err)
			}
		}
	}
	return compute, out, nil
}

// resolve is Resolve but for the values of Go numbers.
func (u Ufunc) resolve(in []Operand) (compute, out DType, err error) {
	if slices.ContainsFunc(in, func(o Operand) bool { return o.DType.IsTime() }) && u != OpWhere && !u.isLogical() {
		return u.resolveTime(in)
	}
	compute, out, err = ufuncs[u].rule(in)
	if err == nil && loopOf(u, compute, out) == nil {
		err = refuse(compute)
	}
	return compute, out, err
}

// isLogical reports whether u takes every dtype as "not zero".
func (u Ufunc) isLogical() bool { return u >= OpLogicalAnd && u <= OpLogicalNot || u == OpLogicalXor }

// isCheap reports whether u takes of ints hardly more time than they take to come from memory.
func (u Ufunc) isCheap() bool {
	switch u {
	case OpPow, OpFloorDiv, OpRemainder:
		return false
	}
	return functionNames[u] == ""
}

// logicalLoop returns the loop of a logical operation on elements of dtype d as they are, nil where they are converted
// to bools first.
func (u Ufunc) logicalLoop(d DType) loop {
	if !u.isLogical() || !d.IsNumber() {
		return nil
	}
	return ufuncLoops[d][u]
}

// loopOf returns the loop of u for what Resolve gave, nil when there is none.
func loopOf(u Ufunc, compute, out DType) loop {
	switch {
	case u == OpWhere && !compute.IsNumber():
		return chooseLoop(compute)
	case compute.IsNumber() && out.IsTime():
		if u == OpFloorDiv { // spans are cut towards zero anyway
			u = OpDiv
		}
		return spanOfFloat(ufuncLoops[compute][u])
	case compute.IsNumber():
		return ufuncLoops[compute][u]
	case compute.IsString():
		return stringLoop(u, compute)
	}
	return timeLoop(u, out)
}

// refuse says what to do instead of an operation that d does not have.
func refuse(d DType) error {
	hint := "convert with AsType(Float64) first"
	switch d.Kind() {
	case KindBool:
		hint = "convert with AsType(Int64) first"
	case KindFloat:
		return &Error{Msg: fmt.Sprintf("%v has no bits to work on; convert with AsType(Int64), or compare first", d)}
	case KindComplex:
		hint = "take Real, Imag or Abs first"
	case KindString:
		hint = "strings compare and sort; read numbers from them with AsType(Float64)"
	case KindTime:
		hint = timeHint
	}
	return &Error{Msg: fmt.Sprintf("there is no such operation on %v; %s", d, hint)}
}
