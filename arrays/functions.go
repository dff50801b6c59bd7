package arrays

// The elementary functions below work on any number and give a float; their bounds of error are those of the table in
// internal/elementary: 1 unit in the last place, 2 for Tan, Erf and Erfc, 4 for Gamma and LGamma. All panic with *Error
// when shapes do not broadcast.

// Exp2 returns 2 to the power x.
func Exp2(x ArrayLike) *Array { return Apply(OpExp2, x) }

// Exp2 returns 2 to the power a.
func (a *Array) Exp2() *Array { return Apply(OpExp2, a) }

// Expm1 returns e to the power x, less 1, exact for small x too.
func Expm1(x ArrayLike) *Array { return Apply(OpExpm1, x) }

// Expm1 returns e to the power a, less 1, exact for small a too.
func (a *Array) Expm1() *Array { return Apply(OpExpm1, a) }

// Log2 returns the logarithm to base 2 of x.
func Log2(x ArrayLike) *Array { return Apply(OpLog2, x) }

// Log2 returns the logarithm to base 2 of a.
func (a *Array) Log2() *Array { return Apply(OpLog2, a) }

// Log10 returns the logarithm to base 10 of x.
func Log10(x ArrayLike) *Array { return Apply(OpLog10, x) }

// Log10 returns the logarithm to base 10 of a.
func (a *Array) Log10() *Array { return Apply(OpLog10, a) }

// Log1p returns the natural logarithm of 1 + x, exact for small x too.
func Log1p(x ArrayLike) *Array { return Apply(OpLog1p, x) }

// Log1p returns the natural logarithm of 1 + a, exact for small a too.
func (a *Array) Log1p() *Array { return Apply(OpLog1p, a) }

// Tan returns the tangent of x radians.
func Tan(x ArrayLike) *Array { return Apply(OpTan, x) }

// Tan returns the tangent of a radians.
func (a *Array) Tan() *Array { return Apply(OpTan, a) }

// Asin returns the angle whose sine is x.
func Asin(x ArrayLike) *Array { return Apply(OpAsin, x) }

// Asin returns the angle whose sine is a.
func (a *Array) Asin() *Array { return Apply(OpAsin, a) }

// Acos returns the angle whose cosine is x.
func Acos(x ArrayLike) *Array { return Apply(OpAcos, x) }

// Acos returns the angle whose cosine is a.
func (a *Array) Acos() *Array { return Apply(OpAcos, a) }

// Atan returns the angle whose tangent is x.
func Atan(x ArrayLike) *Array { return Apply(OpAtan, x) }

// Atan returns the angle whose tangent is a.
func (a *Array) Atan() *Array { return Apply(OpAtan, a) }

// Atan2 returns the angle of the point (x, y), from -pi to pi.
func Atan2(y, x ArrayLike) *Array { return Apply(OpAtan2, y, x) }

// Sinh returns the hyperbolic sine of x.
func Sinh(x ArrayLike) *Array { return Apply(OpSinh, x) }

// Sinh returns the hyperbolic sine of a.
func (a *Array) Sinh() *Array { return Apply(OpSinh, a) }

// Cosh returns the hyperbolic cosine of x.
func Cosh(x ArrayLike) *Array { return Apply(OpCosh, x) }

// Cosh returns the hyperbolic cosine of a.
func (a *Array) Cosh() *Array { return Apply(OpCosh, a) }

// Tanh returns the hyperbolic tangent of x.
func Tanh(x ArrayLike) *Array { return Apply(OpTanh, x) }

// Tanh returns the hyperbolic tangent of a.
func (a *Array) Tanh() *Array { return Apply(OpTanh, a) }

// Asinh returns the inverse hyperbolic sine of x.
func Asinh(x ArrayLike) *Array { return Apply(OpAsinh, x) }

// Asinh returns the inverse hyperbolic sine of a.
func (a *Array) Asinh() *Array { return Apply(OpAsinh, a) }

// Acosh returns the inverse hyperbolic cosine of x.
func Acosh(x ArrayLike) *Array { return Apply(OpAcosh, x) }

// Acosh returns the inverse hyperbolic cosine of a.
func (a *Array) Acosh() *Array { return Apply(OpAcosh, a) }

// Atanh returns the inverse hyperbolic tangent of x.
func Atanh(x ArrayLike) *Array { return Apply(OpAtanh, x) }

// Atanh returns the inverse hyperbolic tangent of a.
func (a *Array) Atanh() *Array { return Apply(OpAtanh, a) }

// Hypot returns the square root of x*x + y*y, without overflow on the way.
func Hypot(x, y ArrayLike) *Array { return Apply(OpHypot, x, y) }

// LogAddExp returns log(exp(x) + exp(y)), without overflow on the way.
func LogAddExp(x, y ArrayLike) *Array { return Apply(OpLogAddExp, x, y) }

// Erf returns the error function of x.
func Erf(x ArrayLike) *Array { return Apply(OpErf, x) }

// Erf returns the error function of a.
func (a *Array) Erf() *Array { return Apply(OpErf, a) }

// Erfc returns the complementary error function of x.
func Erfc(x ArrayLike) *Array { return Apply(OpErfc, x) }

// Erfc returns the complementary error function of a.
func (a *Array) Erfc() *Array { return Apply(OpErfc, a) }

// Gamma returns the gamma function of x.
func Gamma(x ArrayLike) *Array { return Apply(OpGamma, x) }

// Gamma returns the gamma function of a.
func (a *Array) Gamma() *Array { return Apply(OpGamma, a) }

// LGamma returns the logarithm of the absolute gamma function of x.
func LGamma(x ArrayLike) *Array { return Apply(OpLGamma, x) }

// LGamma returns the logarithm of the absolute gamma function of a.
func (a *Array) LGamma() *Array { return Apply(OpLGamma, a) }

// Sinc returns sin(pi x)/(pi x), and 1 at 0.
func Sinc(x ArrayLike) *Array { return Apply(OpSinc, x) }

// Sinc returns sin(pi a)/(pi a), and 1 at 0.
func (a *Array) Sinc() *Array { return Apply(OpSinc, a) }

// Cbrt returns the cube root of x.
func Cbrt(x ArrayLike) *Array { return Apply(OpCbrt, x) }

// Cbrt returns the cube root of a.
func (a *Array) Cbrt() *Array { return Apply(OpCbrt, a) }

// The functions below round, split and inspect numbers; ints stay ints.

// Floor returns the largest whole number not above x; ints and bools are as they are.
func Floor(x ArrayLike) *Array { return Apply(OpFloor, x) }

// Floor returns the largest whole number not above a; ints and bools are as they are.
func (a *Array) Floor() *Array { return Apply(OpFloor, a) }

// Ceil returns the smallest whole number not below x; ints and bools are as they are.
func Ceil(x ArrayLike) *Array { return Apply(OpCeil, x) }

// Ceil returns the smallest whole number not below a; ints and bools are as they are.
func (a *Array) Ceil() *Array { return Apply(OpCeil, a) }

// Trunc returns x without its fraction; ints and bools are as they are.
func Trunc(x ArrayLike) *Array { return Apply(OpTrunc, x) }

// Trunc returns a without its fraction; ints and bools are as they are.
func (a *Array) Trunc() *Array { return Apply(OpTrunc, a) }

// Rint returns the nearest whole number as a float, halves to the even one.
func Rint(x ArrayLike) *Array { return Apply(OpRint, x) }

// Rint returns the nearest whole number as a float, halves to the even one.
func (a *Array) Rint() *Array { return Apply(OpRint, a) }

// Sign returns -1, 0 or 1; NaN for NaN. Bools have no sign.
func Sign(x ArrayLike) *Array { return Apply(OpSign, x) }

// Sign returns -1, 0 or 1; NaN for NaN. Bools have no sign.
func (a *Array) Sign() *Array { return Apply(OpSign, a) }

// Square returns x times x.
func Square(x ArrayLike) *Array { return Apply(OpSquare, x) }

// Square returns a times a.
func (a *Array) Square() *Array { return Apply(OpSquare, a) }

// Reciprocal returns 1/x, always a float.
func Reciprocal(x ArrayLike) *Array { return Apply(OpReciprocal, x) }

// Reciprocal returns 1/a, always a float.
func (a *Array) Reciprocal() *Array { return Apply(OpReciprocal, a) }

// FloorDivide returns x/y rounded down, Python's x//y. An int by zero is 0.
func FloorDivide(x, y ArrayLike) *Array { return Apply(OpFloorDiv, x, y) }

// FloorDivide returns a/y rounded down, Python's a//y. An int by zero is 0.
func (a *Array) FloorDivide(y ArrayLike) *Array { return Apply(OpFloorDiv, a, y) }

// Remainder returns what is left of x after FloorDivide by y, with the sign of y: Python's x%y. An int by zero
// leaves 0.
func Remainder(x, y ArrayLike) *Array { return Apply(OpRemainder, x, y) }

// Mod is Remainder: what is left of x after FloorDivide by y.
func Mod(x, y ArrayLike) *Array { return Apply(OpRemainder, x, y) }

// Mod returns what is left of a after FloorDivide by y, with the sign of y: Python's a%y. An int by zero leaves 0.
func (a *Array) Mod(y ArrayLike) *Array { return Apply(OpRemainder, a, y) }

// CopySign returns x with the sign of y.
func CopySign(x, y ArrayLike) *Array { return Apply(OpCopySign, x, y) }

// FMin returns the smaller of x and y; of a number and a NaN the number.
func FMin(x, y ArrayLike) *Array { return Apply(OpFMin, x, y) }

// FMax returns the larger of x and y; of a number and a NaN the number.
func FMax(x, y ArrayLike) *Array { return Apply(OpFMax, x, y) }

// Deg2Rad converts degrees to radians.
func Deg2Rad(x ArrayLike) *Array { return Apply(OpDeg2Rad, x) }

// Rad2Deg converts radians to degrees.
func Rad2Deg(x ArrayLike) *Array { return Apply(OpRad2Deg, x) }

// IsNaN returns where x is not a number.
func IsNaN(x ArrayLike) *Array { return Apply(OpIsNaN, x) }

// IsInf returns where x is infinite, of either sign.
func IsInf(x ArrayLike) *Array { return Apply(OpIsInf, x) }

// IsFinite returns where x is neither infinite nor NaN.
func IsFinite(x ArrayLike) *Array { return Apply(OpIsFinite, x) }

// SignBit returns where x is negative, -0 and negative NaN included.
func SignBit(x ArrayLike) *Array { return Apply(OpSignBit, x) }

// BitAnd returns the bits that are set in both x and y, ints or bools.
func BitAnd(x, y ArrayLike) *Array { return Apply(OpBitAnd, x, y) }

// BitAnd returns the bits that are set in both a and y, ints or bools.
func (a *Array) BitAnd(y ArrayLike) *Array { return Apply(OpBitAnd, a, y) }

// BitOr returns the bits that are set in x or y, ints or bools.
func BitOr(x, y ArrayLike) *Array { return Apply(OpBitOr, x, y) }

// BitOr returns the bits that are set in a or y, ints or bools.
func (a *Array) BitOr(y ArrayLike) *Array { return Apply(OpBitOr, a, y) }

// BitXor returns the bits that are set in one of x and y, ints or bools.
func BitXor(x, y ArrayLike) *Array { return Apply(OpBitXor, x, y) }

// BitXor returns the bits that are set in one of a and y, ints or bools.
func (a *Array) BitXor(y ArrayLike) *Array { return Apply(OpBitXor, a, y) }

// Invert returns x with every bit turned; of bools "not".
func Invert(x ArrayLike) *Array { return Apply(OpInvert, x) }

// Invert returns a with every bit turned; of bools "not".
func (a *Array) Invert() *Array { return Apply(OpInvert, a) }

// LeftShift returns x shifted left by y bits, 0 from 64 bits on.
func LeftShift(x, y ArrayLike) *Array { return Apply(OpLeftShift, x, y) }

// LeftShift returns a shifted left by y bits, 0 from 64 bits on.
func (a *Array) LeftShift(y ArrayLike) *Array { return Apply(OpLeftShift, a, y) }

// RightShift returns x shifted right by y bits; the sign stays.
func RightShift(x, y ArrayLike) *Array { return Apply(OpRightShift, x, y) }

// RightShift returns a shifted right by y bits; the sign stays.
func (a *Array) RightShift(y ArrayLike) *Array { return Apply(OpRightShift, a, y) }

// LogicalXor returns whether exactly one of x and y is not zero.
func LogicalXor(x, y ArrayLike) *Array { return Apply(OpLogicalXor, x, y) }

// Real returns the real parts of x; real numbers are as they are.
func Real(x ArrayLike) *Array { return Apply(OpReal, x) }

// Real returns the real parts of a; real numbers are as they are.
func (a *Array) Real() *Array { return Apply(OpReal, a) }

// Imag returns the imaginary parts of x, 0 for real numbers.
func Imag(x ArrayLike) *Array { return Apply(OpImag, x) }

// Imag returns the imaginary parts of a, 0 for real numbers.
func (a *Array) Imag() *Array { return Apply(OpImag, a) }

// Conj returns the complex conjugate of x: the sign of the imaginary part turned.
func Conj(x ArrayLike) *Array { return Apply(OpConj, x) }

// Conj returns the complex conjugate of a: the sign of the imaginary part turned.
func (a *Array) Conj() *Array { return Apply(OpConj, a) }

// Angle returns the angle of x from the positive real axis, from -pi to pi.
func Angle(x ArrayLike) *Array { return Apply(OpAngle, x) }

// Angle returns the angle of a from the positive real axis, from -pi to pi.
func (a *Array) Angle() *Array { return Apply(OpAngle, a) }
