package arrays

// The elementwise functions that write into an array: see [Out]. Each is the package function of its name.

// Add writes x + y. Of bools it is "or".
func (o Out) Add(x, y ArrayLike) *Array { return o.apply(OpAdd, x, y) }

// Sub writes x - y. Bools have no difference.
func (o Out) Sub(x, y ArrayLike) *Array { return o.apply(OpSub, x, y) }

// Mul writes x * y. Of bools it is "and".
func (o Out) Mul(x, y ArrayLike) *Array { return o.apply(OpMul, x, y) }

// Div writes x / y, always a float (NumPy's true division).
func (o Out) Div(x, y ArrayLike) *Array { return o.apply(OpDiv, x, y) }

// Pow writes x to the power y. int64 powers wrap, and a negative int64 exponent panics.
func (o Out) Pow(x, y ArrayLike) *Array { return o.apply(OpPow, x, y) }

// Minimum writes the smaller of x and y; NaN where either is.
func (o Out) Minimum(x, y ArrayLike) *Array { return o.apply(OpMinimum, x, y) }

// Maximum writes the larger of x and y; NaN where either is.
func (o Out) Maximum(x, y ArrayLike) *Array { return o.apply(OpMaximum, x, y) }

// Equal writes x == y.
func (o Out) Equal(x, y ArrayLike) *Array { return o.apply(OpEqual, x, y) }

// NotEqual writes x != y.
func (o Out) NotEqual(x, y ArrayLike) *Array { return o.apply(OpNotEqual, x, y) }

// Less writes x < y.
func (o Out) Less(x, y ArrayLike) *Array { return o.apply(OpLess, x, y) }

// LessEqual writes x <= y.
func (o Out) LessEqual(x, y ArrayLike) *Array { return o.apply(OpLessEqual, x, y) }

// Greater writes x > y.
func (o Out) Greater(x, y ArrayLike) *Array { return o.apply(OpGreater, x, y) }

// GreaterEqual writes x >= y.
func (o Out) GreaterEqual(x, y ArrayLike) *Array { return o.apply(OpGreaterEqual, x, y) }

// LogicalAnd writes whether x and y are both not zero.
func (o Out) LogicalAnd(x, y ArrayLike) *Array { return o.apply(OpLogicalAnd, x, y) }

// LogicalOr writes whether x or y is not zero.
func (o Out) LogicalOr(x, y ArrayLike) *Array { return o.apply(OpLogicalOr, x, y) }

// Neg writes -x. Bools have no negative.
func (o Out) Neg(x ArrayLike) *Array { return o.apply(OpNeg, x) }

// Abs writes the absolute value of x; the smallest int64 stays as it is.
func (o Out) Abs(x ArrayLike) *Array { return o.apply(OpAbs, x) }

// Sqrt writes the square root of x; NaN below zero.
func (o Out) Sqrt(x ArrayLike) *Array { return o.apply(OpSqrt, x) }

// Exp writes e to the power x.
func (o Out) Exp(x ArrayLike) *Array { return o.apply(OpExp, x) }

// Log writes the natural logarithm of x; -Inf at zero, NaN below.
func (o Out) Log(x ArrayLike) *Array { return o.apply(OpLog, x) }

// Sin writes the sine of x radians.
func (o Out) Sin(x ArrayLike) *Array { return o.apply(OpSin, x) }

// Cos writes the cosine of x radians.
func (o Out) Cos(x ArrayLike) *Array { return o.apply(OpCos, x) }

// LogicalNot writes whether x is zero.
func (o Out) LogicalNot(x ArrayLike) *Array { return o.apply(OpLogicalNot, x) }

// Where writes x where cond is not zero and y elsewhere. The three broadcast together.
func (o Out) Where(cond, x, y ArrayLike) *Array { return o.apply(OpWhere, cond, x, y) }

// Exp2 writes 2 to the power x.
func (o Out) Exp2(x ArrayLike) *Array { return o.apply(OpExp2, x) }

// Expm1 writes e to the power x, less 1, exact for small x too.
func (o Out) Expm1(x ArrayLike) *Array { return o.apply(OpExpm1, x) }

// Log2 writes the logarithm to base 2 of x.
func (o Out) Log2(x ArrayLike) *Array { return o.apply(OpLog2, x) }

// Log10 writes the logarithm to base 10 of x.
func (o Out) Log10(x ArrayLike) *Array { return o.apply(OpLog10, x) }

// Log1p writes the natural logarithm of 1 + x, exact for small x too.
func (o Out) Log1p(x ArrayLike) *Array { return o.apply(OpLog1p, x) }

// Tan writes the tangent of x radians.
func (o Out) Tan(x ArrayLike) *Array { return o.apply(OpTan, x) }

// Asin writes the angle whose sine is x.
func (o Out) Asin(x ArrayLike) *Array { return o.apply(OpAsin, x) }

// Acos writes the angle whose cosine is x.
func (o Out) Acos(x ArrayLike) *Array { return o.apply(OpAcos, x) }

// Atan writes the angle whose tangent is x.
func (o Out) Atan(x ArrayLike) *Array { return o.apply(OpAtan, x) }

// Atan2 writes the angle of the point (x, y), from -pi to pi.
func (o Out) Atan2(y, x ArrayLike) *Array { return o.apply(OpAtan2, y, x) }

// Sinh writes the hyperbolic sine of x.
func (o Out) Sinh(x ArrayLike) *Array { return o.apply(OpSinh, x) }

// Cosh writes the hyperbolic cosine of x.
func (o Out) Cosh(x ArrayLike) *Array { return o.apply(OpCosh, x) }

// Tanh writes the hyperbolic tangent of x.
func (o Out) Tanh(x ArrayLike) *Array { return o.apply(OpTanh, x) }

// Asinh writes the inverse hyperbolic sine of x.
func (o Out) Asinh(x ArrayLike) *Array { return o.apply(OpAsinh, x) }

// Acosh writes the inverse hyperbolic cosine of x.
func (o Out) Acosh(x ArrayLike) *Array { return o.apply(OpAcosh, x) }

// Atanh writes the inverse hyperbolic tangent of x.
func (o Out) Atanh(x ArrayLike) *Array { return o.apply(OpAtanh, x) }

// Hypot writes the square root of x*x + y*y, without overflow on the way.
func (o Out) Hypot(x, y ArrayLike) *Array { return o.apply(OpHypot, x, y) }

// LogAddExp writes log(exp(x) + exp(y)), without overflow on the way.
func (o Out) LogAddExp(x, y ArrayLike) *Array { return o.apply(OpLogAddExp, x, y) }

// Erf writes the error function of x.
func (o Out) Erf(x ArrayLike) *Array { return o.apply(OpErf, x) }

// Erfc writes the complementary error function of x.
func (o Out) Erfc(x ArrayLike) *Array { return o.apply(OpErfc, x) }

// Gamma writes the gamma function of x.
func (o Out) Gamma(x ArrayLike) *Array { return o.apply(OpGamma, x) }

// LGamma writes the logarithm of the absolute gamma function of x.
func (o Out) LGamma(x ArrayLike) *Array { return o.apply(OpLGamma, x) }

// Sinc writes sin(pi x)/(pi x), and 1 at 0.
func (o Out) Sinc(x ArrayLike) *Array { return o.apply(OpSinc, x) }

// Cbrt writes the cube root of x.
func (o Out) Cbrt(x ArrayLike) *Array { return o.apply(OpCbrt, x) }

// Floor writes the largest whole number not above x; ints and bools are as they are.
func (o Out) Floor(x ArrayLike) *Array { return o.apply(OpFloor, x) }

// Ceil writes the smallest whole number not below x; ints and bools are as they are.
func (o Out) Ceil(x ArrayLike) *Array { return o.apply(OpCeil, x) }

// Trunc writes x without its fraction; ints and bools are as they are.
func (o Out) Trunc(x ArrayLike) *Array { return o.apply(OpTrunc, x) }

// Rint writes the nearest whole number as a float, halves to the even one.
func (o Out) Rint(x ArrayLike) *Array { return o.apply(OpRint, x) }

// Sign writes -1, 0 or 1; NaN for NaN. Bools have no sign.
func (o Out) Sign(x ArrayLike) *Array { return o.apply(OpSign, x) }

// Square writes x times x.
func (o Out) Square(x ArrayLike) *Array { return o.apply(OpSquare, x) }

// Reciprocal writes 1/x, always a float.
func (o Out) Reciprocal(x ArrayLike) *Array { return o.apply(OpReciprocal, x) }

// FloorDivide writes x/y rounded down, Python's x//y. An int by zero is 0.
func (o Out) FloorDivide(x, y ArrayLike) *Array { return o.apply(OpFloorDiv, x, y) }

// Remainder writes what is left of x after FloorDivide by y, with the sign of y: Python's x%y. An int by zero leaves 0.
func (o Out) Remainder(x, y ArrayLike) *Array { return o.apply(OpRemainder, x, y) }

// Mod is Remainder: what is left of x after FloorDivide by y.
func (o Out) Mod(x, y ArrayLike) *Array { return o.apply(OpRemainder, x, y) }

// CopySign writes x with the sign of y.
func (o Out) CopySign(x, y ArrayLike) *Array { return o.apply(OpCopySign, x, y) }

// FMin writes the smaller of x and y; of a number and a NaN the number.
func (o Out) FMin(x, y ArrayLike) *Array { return o.apply(OpFMin, x, y) }

// FMax writes the larger of x and y; of a number and a NaN the number.
func (o Out) FMax(x, y ArrayLike) *Array { return o.apply(OpFMax, x, y) }

// Deg2Rad writes degrees x as radians.
func (o Out) Deg2Rad(x ArrayLike) *Array { return o.apply(OpDeg2Rad, x) }

// Rad2Deg writes radians x as degrees.
func (o Out) Rad2Deg(x ArrayLike) *Array { return o.apply(OpRad2Deg, x) }

// IsNaN writes where x is not a number.
func (o Out) IsNaN(x ArrayLike) *Array { return o.apply(OpIsNaN, x) }

// IsInf writes where x is infinite, of either sign.
func (o Out) IsInf(x ArrayLike) *Array { return o.apply(OpIsInf, x) }

// IsFinite writes where x is neither infinite nor NaN.
func (o Out) IsFinite(x ArrayLike) *Array { return o.apply(OpIsFinite, x) }

// SignBit writes where x is negative, -0 and negative NaN included.
func (o Out) SignBit(x ArrayLike) *Array { return o.apply(OpSignBit, x) }

// BitAnd writes the bits that are set in both x and y, ints or bools.
func (o Out) BitAnd(x, y ArrayLike) *Array { return o.apply(OpBitAnd, x, y) }

// BitOr writes the bits that are set in x or y, ints or bools.
func (o Out) BitOr(x, y ArrayLike) *Array { return o.apply(OpBitOr, x, y) }

// BitXor writes the bits that are set in one of x and y, ints or bools.
func (o Out) BitXor(x, y ArrayLike) *Array { return o.apply(OpBitXor, x, y) }

// Invert writes x with every bit turned; of bools "not".
func (o Out) Invert(x ArrayLike) *Array { return o.apply(OpInvert, x) }

// LeftShift writes x shifted left by y bits, 0 from 64 bits on.
func (o Out) LeftShift(x, y ArrayLike) *Array { return o.apply(OpLeftShift, x, y) }

// RightShift writes x shifted right by y bits; the sign stays.
func (o Out) RightShift(x, y ArrayLike) *Array { return o.apply(OpRightShift, x, y) }

// LogicalXor writes whether exactly one of x and y is not zero.
func (o Out) LogicalXor(x, y ArrayLike) *Array { return o.apply(OpLogicalXor, x, y) }

// Real writes the real parts of x; real numbers are as they are.
func (o Out) Real(x ArrayLike) *Array { return o.apply(OpReal, x) }

// Imag writes the imaginary parts of x, 0 for real numbers.
func (o Out) Imag(x ArrayLike) *Array { return o.apply(OpImag, x) }

// Conj writes the complex conjugate of x: the sign of the imaginary part turned.
func (o Out) Conj(x ArrayLike) *Array { return o.apply(OpConj, x) }

// Angle writes the angle of x from the positive real axis, from -pi to pi.
func (o Out) Angle(x ArrayLike) *Array { return o.apply(OpAngle, x) }
