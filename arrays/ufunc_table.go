package arrays

import "strings"

//go:generate go run ./internal/ufuncs

// ufuncs is the one table of elementwise operations. A comment is that of the operation's function: of the row, go
// generate makes the constant, the function, the method where there is one, and the method of [Out], in zz_ufuncs.go,
// and from there package lazy has them. What the row names is looked up: NumPy's names, the loops and kernels of
// elementary functions and of basic operations. Loops of other operations are in loops_table.go, by dtype, and their
// kernels in package lazy; a dtype without a loop is refused. NIn counts what is between the brackets of call.
var ufuncs = [NumUfuncs]struct {
	call     string // the function, with its operands
	name     string // NumPy's
	also     string // more of NumPy's names, with spaces between them
	section  string // of the page of NumPy's names; empty for what NumPy has elsewhere
	method   bool   // arrays have it as a method, whose operand is a
	rule     rule   // what decides the dtypes
	function string // its name in package elementary, and in kernels: floats alone are computed
	basic    string // its name in package vector, and in kernels where they have one of that name
	bools    string // the basic operation that it is of bools
}{
	// Add returns x + y. Of bools it is "or".
	OpAdd: {call: "Add(x, y)", name: "add", section: "Arithmetic", rule: ruleCommon, basic: "add", bools: "or"},
	// Sub returns x - y. Bools have no difference.
	OpSub: {call: "Sub(x, y)", name: "subtract", section: "Arithmetic", rule: ruleNumber("use NotEqual for exclusive or"), basic: "sub"},
	// Mul returns x * y. Of bools it is "and".
	OpMul: {call: "Mul(x, y)", name: "multiply", section: "Arithmetic", rule: ruleCommon, basic: "mul", bools: "and"},
	// Div returns x / y, always a float (NumPy's true division).
	OpDiv: {call: "Div(x, y)", name: "divide", also: "true_divide", section: "Arithmetic", rule: ruleDivide, basic: "div"},
	// Pow returns x to the power y. int64 powers wrap, and a negative int64 exponent panics.
	OpPow: {call: "Pow(x, y)", name: "power", also: "pow", section: "Arithmetic", rule: rulePower, function: "pow"},
	// Minimum returns the smaller of x and y; NaN where either is.
	OpMinimum: {call: "Minimum(x, y)", name: "minimum", section: "Arithmetic", rule: ruleCommon, basic: "min", bools: "and"},
	// Maximum returns the larger of x and y; NaN where either is.
	OpMaximum: {call: "Maximum(x, y)", name: "maximum", section: "Arithmetic", rule: ruleCommon, basic: "max", bools: "or"},
	// Neg returns -x. Bools have no negative.
	OpNeg: {call: "Neg(x)", name: "negative", section: "Arithmetic", rule: ruleNumber("use Not"), basic: "neg"},
	// Abs returns the absolute value of x; the smallest int64 stays as it is.
	OpAbs: {call: "Abs(x)", name: "absolute", also: "abs", section: "Arithmetic", rule: ruleReal, basic: "abs"},
	// Sqrt returns the square root of x; NaN below zero.
	OpSqrt: {call: "Sqrt(x)", name: "sqrt", section: "Arithmetic", rule: ruleFloat, basic: "sqrt"},
	// Elementary functions work on any number and give a float. Their bounds of error are those of the table in
	// internal/elementary: 1 unit in the last place, 2 for Tan, Erf and Erfc, 4 for Gamma and LGamma.

	// Exp returns e to the power x.
	OpExp: {call: "Exp(x)", name: "exp", section: "Functions", rule: ruleFloat, function: "exp"},
	// Log returns the natural logarithm of x; -Inf at zero, NaN below.
	OpLog: {call: "Log(x)", name: "log", section: "Functions", rule: ruleFloat, function: "log"},
	// Sin returns the sine of x radians.
	OpSin: {call: "Sin(x)", name: "sin", section: "Functions", rule: ruleFloat, function: "sin"},
	// Cos returns the cosine of x radians.
	OpCos: {call: "Cos(x)", name: "cos", section: "Functions", rule: ruleFloat, function: "cos"},
	// Exp2 returns 2 to the power x.
	OpExp2: {call: "Exp2(x)", name: "exp2", section: "Functions", method: true, rule: ruleFloat, function: "exp2"},
	// Expm1 returns e to the power x, less 1, exact for small x too.
	OpExpm1: {call: "Expm1(x)", name: "expm1", section: "Functions", method: true, rule: ruleFloat, function: "expm1"},
	// Log2 returns the logarithm to base 2 of x.
	OpLog2: {call: "Log2(x)", name: "log2", section: "Functions", method: true, rule: ruleFloat, function: "log2"},
	// Log10 returns the logarithm to base 10 of x.
	OpLog10: {call: "Log10(x)", name: "log10", section: "Functions", method: true, rule: ruleFloat, function: "log10"},
	// Log1p returns the natural logarithm of 1 + x, exact for small x too.
	OpLog1p: {call: "Log1p(x)", name: "log1p", section: "Functions", method: true, rule: ruleFloat, function: "log1p"},
	// Tan returns the tangent of x radians.
	OpTan: {call: "Tan(x)", name: "tan", section: "Functions", method: true, rule: ruleFloat, function: "tan"},
	// Asin returns the angle whose sine is x.
	OpAsin: {call: "Asin(x)", name: "arcsin", also: "asin", section: "Functions", method: true, rule: ruleFloat, function: "asin"},
	// Acos returns the angle whose cosine is x.
	OpAcos: {call: "Acos(x)", name: "arccos", also: "acos", section: "Functions", method: true, rule: ruleFloat, function: "acos"},
	// Atan returns the angle whose tangent is x.
	OpAtan: {call: "Atan(x)", name: "arctan", also: "atan", section: "Functions", method: true, rule: ruleFloat, function: "atan"},
	// Atan2 returns the angle of the point (x, y), from -pi to pi.
	OpAtan2: {call: "Atan2(y, x)", name: "arctan2", also: "atan2", section: "Functions", rule: ruleFloat, function: "atan2"},
	// Sinh returns the hyperbolic sine of x.
	OpSinh: {call: "Sinh(x)", name: "sinh", section: "Functions", method: true, rule: ruleFloat, function: "sinh"},
	// Cosh returns the hyperbolic cosine of x.
	OpCosh: {call: "Cosh(x)", name: "cosh", section: "Functions", method: true, rule: ruleFloat, function: "cosh"},
	// Tanh returns the hyperbolic tangent of x.
	OpTanh: {call: "Tanh(x)", name: "tanh", section: "Functions", method: true, rule: ruleFloat, function: "tanh"},
	// Asinh returns the inverse hyperbolic sine of x.
	OpAsinh: {call: "Asinh(x)", name: "arcsinh", also: "asinh", section: "Functions", method: true, rule: ruleFloat, function: "asinh"},
	// Acosh returns the inverse hyperbolic cosine of x.
	OpAcosh: {call: "Acosh(x)", name: "arccosh", also: "acosh", section: "Functions", method: true, rule: ruleFloat, function: "acosh"},
	// Atanh returns the inverse hyperbolic tangent of x.
	OpAtanh: {call: "Atanh(x)", name: "arctanh", also: "atanh", section: "Functions", method: true, rule: ruleFloat, function: "atanh"},
	// Hypot returns the square root of x*x + y*y, without overflow on the way.
	OpHypot: {call: "Hypot(x, y)", name: "hypot", section: "Arithmetic", rule: ruleFloat, function: "hypot"},
	// LogAddExp returns log(exp(x) + exp(y)), without overflow on the way.
	OpLogAddExp: {call: "LogAddExp(x, y)", name: "logaddexp", section: "Functions", rule: ruleFloat, function: "logaddexp"},
	// Erf returns the error function of x.
	OpErf: {call: "Erf(x)", name: "erf", method: true, rule: ruleFloat, function: "erf"},
	// Erfc returns the complementary error function of x.
	OpErfc: {call: "Erfc(x)", name: "erfc", method: true, rule: ruleFloat, function: "erfc"},
	// Gamma returns the gamma function of x.
	OpGamma: {call: "Gamma(x)", name: "gamma", method: true, rule: ruleFloat, function: "gamma"},
	// LGamma returns the logarithm of the absolute gamma function of x.
	OpLGamma: {call: "LGamma(x)", name: "lgamma", method: true, rule: ruleFloat, function: "lgamma"},
	// Sinc returns sin(pi x)/(pi x), and 1 at 0.
	OpSinc: {call: "Sinc(x)", name: "sinc", section: "Functions", method: true, rule: ruleDivide, function: "sinc"},
	// Cbrt returns the cube root of x.
	OpCbrt: {call: "Cbrt(x)", name: "cbrt", section: "Arithmetic", method: true, rule: ruleFloat, function: "cbrt"},
	// Floor returns the largest whole number not above x; ints and bools are as they are.
	OpFloor: {call: "Floor(x)", name: "floor", section: "Arithmetic", method: true, rule: ruleCommon, basic: "floor"},
	// Ceil returns the smallest whole number not below x; ints and bools are as they are.
	OpCeil: {call: "Ceil(x)", name: "ceil", section: "Arithmetic", method: true, rule: ruleCommon, basic: "ceil"},
	// Trunc returns x without its fraction; ints and bools are as they are.
	OpTrunc: {call: "Trunc(x)", name: "trunc", section: "Arithmetic", method: true, rule: ruleCommon, basic: "trunc"},
	// Rint returns the nearest whole number as a float, halves to the even one.
	OpRint: {call: "Rint(x)", name: "rint", section: "Arithmetic", method: true, rule: ruleFloat, basic: "rint"},
	// Sign returns -1, 0 or 1; NaN for NaN. Bools have no sign.
	OpSign: {call: "Sign(x)", name: "sign", section: "Arithmetic", method: true, rule: ruleNumber("they have no sign"), basic: "sign"},
	// Square returns x times x.
	OpSquare: {call: "Square(x)", name: "square", section: "Arithmetic", method: true, rule: rulePower},
	// Reciprocal returns 1/x, always a float.
	OpReciprocal: {call: "Reciprocal(x)", name: "reciprocal", section: "Arithmetic", method: true, rule: ruleDivide},
	// FloorDivide returns x/y rounded down, Python's x//y. An int by zero is 0.
	OpFloorDiv: {call: "FloorDivide(x, y)", name: "floor_divide", section: "Arithmetic", method: true, rule: rulePower},
	// Remainder returns what is left of x after FloorDivide by y, with the sign of y: Python's x%y. An int by zero
	// leaves 0.
	OpRemainder: {call: "Remainder(x, y)", name: "remainder", section: "Arithmetic", rule: rulePower},
	// CopySign returns x with the sign of y.
	OpCopySign: {call: "CopySign(x, y)", name: "copysign", section: "Arithmetic", rule: ruleFloat, basic: "copysign"},
	// FMin returns the smaller of x and y; of a number and a NaN the number.
	OpFMin: {call: "FMin(x, y)", name: "fmin", section: "Arithmetic", rule: ruleCommon, basic: "fmin", bools: "and"},
	// FMax returns the larger of x and y; of a number and a NaN the number.
	OpFMax: {call: "FMax(x, y)", name: "fmax", section: "Arithmetic", rule: ruleCommon, basic: "fmax", bools: "or"},
	// Deg2Rad returns degrees x as radians.
	OpDeg2Rad: {call: "Deg2Rad(x)", name: "deg2rad", also: "radians", section: "Arithmetic", rule: ruleFloat},
	// Rad2Deg returns radians x as degrees.
	OpRad2Deg: {call: "Rad2Deg(x)", name: "rad2deg", also: "degrees", section: "Arithmetic", rule: ruleFloat},
	// IsNaN returns where x is not a number.
	OpIsNaN: {call: "IsNaN(x)", name: "isnan", also: "isnat", section: "Comparison and logic", rule: ruleCompare, basic: "isnan"},
	// IsInf returns where x is infinite, of either sign.
	OpIsInf: {call: "IsInf(x)", name: "isinf", section: "Comparison and logic", rule: ruleCompare, basic: "isinf"},
	// IsFinite returns where x is neither infinite nor NaN.
	OpIsFinite: {call: "IsFinite(x)", name: "isfinite", section: "Comparison and logic", rule: ruleCompare, basic: "isfinite"},
	// SignBit returns where x is negative, -0 and negative NaN included.
	OpSignBit: {call: "SignBit(x)", name: "signbit", section: "Comparison and logic", rule: ruleCompare, basic: "signbit"},
	// BitAnd returns the bits that are set in both x and y, ints or bools.
	OpBitAnd: {call: "BitAnd(x, y)", name: "bitwise_and", section: "Comparison and logic", method: true, rule: ruleCommon, basic: "and", bools: "and"},
	// BitOr returns the bits that are set in x or y, ints or bools.
	OpBitOr: {call: "BitOr(x, y)", name: "bitwise_or", section: "Comparison and logic", method: true, rule: ruleCommon, basic: "or", bools: "or"},
	// BitXor returns the bits that are set in one of x and y, ints or bools.
	OpBitXor: {call: "BitXor(x, y)", name: "bitwise_xor", section: "Comparison and logic", method: true, rule: ruleCommon, basic: "xor", bools: "xor"},
	// Invert returns x with every bit turned; of bools "not".
	OpInvert: {call: "Invert(x)", name: "invert", also: "bitwise_not bitwise_invert", section: "Comparison and logic", method: true, rule: ruleCommon, basic: "not", bools: "not"},
	// LeftShift returns x shifted left by y bits, 0 from 64 bits on.
	OpLeftShift: {call: "LeftShift(x, y)", name: "left_shift", also: "bitwise_left_shift", section: "Comparison and logic", method: true, rule: rulePower, basic: "lshift"},
	// RightShift returns x shifted right by y bits; the sign stays.
	OpRightShift: {call: "RightShift(x, y)", name: "right_shift", also: "bitwise_right_shift", section: "Comparison and logic", method: true, rule: rulePower, basic: "rshift"},
	// LogicalXor returns whether exactly one of x and y is not zero.
	OpLogicalXor: {call: "LogicalXor(x, y)", name: "logical_xor", section: "Comparison and logic", rule: ruleLogical, basic: "logical_xor", bools: "xor"},
	// Equal returns x == y.
	OpEqual: {call: "Equal(x, y)", name: "equal", section: "Comparison and logic", rule: ruleCompare, basic: "eq", bools: "eq"},
	// NotEqual returns x != y.
	OpNotEqual: {call: "NotEqual(x, y)", name: "not_equal", section: "Comparison and logic", rule: ruleCompare, basic: "ne", bools: "ne"},
	// Less returns x < y.
	OpLess: {call: "Less(x, y)", name: "less", section: "Comparison and logic", rule: ruleCompare, basic: "lt"},
	// LessEqual returns x <= y.
	OpLessEqual: {call: "LessEqual(x, y)", name: "less_equal", section: "Comparison and logic", rule: ruleCompare, basic: "le"},
	// Greater returns x > y.
	OpGreater: {call: "Greater(x, y)", name: "greater", section: "Comparison and logic", rule: ruleCompare, basic: "gt"},
	// GreaterEqual returns x >= y.
	OpGreaterEqual: {call: "GreaterEqual(x, y)", name: "greater_equal", section: "Comparison and logic", rule: ruleCompare, basic: "ge"},
	// LogicalAnd returns whether x and y are both not zero.
	OpLogicalAnd: {call: "LogicalAnd(x, y)", name: "logical_and", section: "Comparison and logic", rule: ruleLogical, basic: "logical_and", bools: "and"},
	// LogicalOr returns whether x or y is not zero.
	OpLogicalOr: {call: "LogicalOr(x, y)", name: "logical_or", section: "Comparison and logic", rule: ruleLogical, basic: "logical_or", bools: "or"},
	// LogicalNot returns whether x is zero.
	OpLogicalNot: {call: "LogicalNot(x)", name: "logical_not", section: "Comparison and logic", rule: ruleLogical, basic: "logical_not", bools: "not"},
	// Real returns the real parts of x; real numbers are as they are.
	OpReal: {call: "Real(x)", name: "real", section: "Arithmetic", method: true, rule: ruleReal},
	// Imag returns the imaginary parts of x, 0 for real numbers.
	OpImag: {call: "Imag(x)", name: "imag", section: "Arithmetic", method: true, rule: ruleReal},
	// Conj returns the complex conjugate of x: the sign of the imaginary part turned.
	OpConj: {call: "Conj(x)", name: "conjugate", also: "conj", section: "Arithmetic", method: true, rule: rulePower},
	// Angle returns the angle of x from the positive real axis, from -pi to pi.
	OpAngle: {call: "Angle(x)", name: "angle", section: "Arithmetic", method: true, rule: ruleAngle},
	// BitCount returns how many bits of x are 1, of negative ints those of the absolute value, as uint8.
	OpBitCount: {call: "BitCount(x)", name: "bitwise_count", section: "Comparison and logic", rule: ruleBitCount},
	// Where returns x where cond is not zero and y elsewhere. The three broadcast together.
	OpWhere: {call: "Where(cond, x, y)", name: "where", rule: ruleWhere, basic: "select", bools: "select"},
}

// goName is the function of u, as cells call it.
func (u Ufunc) goName() string {
	name, _, _ := strings.Cut(ufuncs[u].call, "(")
	return name
}

// isNumPy reports whether u has a name of NumPy's.
func (u Ufunc) isNumPy(name string) bool {
	for also := range strings.FieldsSeq(ufuncs[u].also) {
		if also == name {
			return true
		}
	}
	return ufuncs[u].name == name && ufuncs[u].section != ""
}

// Basic names the operations of kernels that compute u: of numbers, or of floats alone, and of bools; the names are
// empty for what kernels do not have or put together.
func (Wiring) Basic(u Ufunc) (number, bools string, floats bool) {
	row := &ufuncs[u]
	if row.function != "" {
		return row.function, "", true
	}
	return row.basic, row.bools, false
}
