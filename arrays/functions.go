package arrays

// The elementary functions below work on any number and give a float; their bounds of error are those of the table in
// internal/elementary: 1 unit in the last place, 2 for Tan, Erf and Erfc, 4 for Gamma and LGamma. All panic with *Error when
// shapes do not broadcast.

// Exp2 returns 2 to the power x.
func Exp2(x any) *Array { return Apply(OpExp2, x) }

// Exp2 returns 2 to the power a.
func (a *Array) Exp2() *Array { return Apply(OpExp2, a) }

// Expm1 returns e to the power x, less 1, exact for small x too.
func Expm1(x any) *Array { return Apply(OpExpm1, x) }

// Expm1 returns e to the power a, less 1, exact for small a too.
func (a *Array) Expm1() *Array { return Apply(OpExpm1, a) }

// Log2 returns the logarithm to base 2 of x.
func Log2(x any) *Array { return Apply(OpLog2, x) }

// Log2 returns the logarithm to base 2 of a.
func (a *Array) Log2() *Array { return Apply(OpLog2, a) }

// Log10 returns the logarithm to base 10 of x.
func Log10(x any) *Array { return Apply(OpLog10, x) }

// Log10 returns the logarithm to base 10 of a.
func (a *Array) Log10() *Array { return Apply(OpLog10, a) }

// Log1p returns the natural logarithm of 1 + x, exact for small x too.
func Log1p(x any) *Array { return Apply(OpLog1p, x) }

// Log1p returns the natural logarithm of 1 + a, exact for small a too.
func (a *Array) Log1p() *Array { return Apply(OpLog1p, a) }

// Tan returns the tangent of x radians.
func Tan(x any) *Array { return Apply(OpTan, x) }

// Tan returns the tangent of a radians.
func (a *Array) Tan() *Array { return Apply(OpTan, a) }

// Asin returns the angle whose sine is x.
func Asin(x any) *Array { return Apply(OpAsin, x) }

// Asin returns the angle whose sine is a.
func (a *Array) Asin() *Array { return Apply(OpAsin, a) }

// Acos returns the angle whose cosine is x.
func Acos(x any) *Array { return Apply(OpAcos, x) }

// Acos returns the angle whose cosine is a.
func (a *Array) Acos() *Array { return Apply(OpAcos, a) }

// Atan returns the angle whose tangent is x.
func Atan(x any) *Array { return Apply(OpAtan, x) }

// Atan returns the angle whose tangent is a.
func (a *Array) Atan() *Array { return Apply(OpAtan, a) }

// Atan2 returns the angle of the point (x, y), from -pi to pi.
func Atan2(y, x any) *Array { return Apply(OpAtan2, y, x) }

// Sinh returns the hyperbolic sine of x.
func Sinh(x any) *Array { return Apply(OpSinh, x) }

// Sinh returns the hyperbolic sine of a.
func (a *Array) Sinh() *Array { return Apply(OpSinh, a) }

// Cosh returns the hyperbolic cosine of x.
func Cosh(x any) *Array { return Apply(OpCosh, x) }

// Cosh returns the hyperbolic cosine of a.
func (a *Array) Cosh() *Array { return Apply(OpCosh, a) }

// Tanh returns the hyperbolic tangent of x.
func Tanh(x any) *Array { return Apply(OpTanh, x) }

// Tanh returns the hyperbolic tangent of a.
func (a *Array) Tanh() *Array { return Apply(OpTanh, a) }

// Asinh returns the inverse hyperbolic sine of x.
func Asinh(x any) *Array { return Apply(OpAsinh, x) }

// Asinh returns the inverse hyperbolic sine of a.
func (a *Array) Asinh() *Array { return Apply(OpAsinh, a) }

// Acosh returns the inverse hyperbolic cosine of x.
func Acosh(x any) *Array { return Apply(OpAcosh, x) }

// Acosh returns the inverse hyperbolic cosine of a.
func (a *Array) Acosh() *Array { return Apply(OpAcosh, a) }

// Atanh returns the inverse hyperbolic tangent of x.
func Atanh(x any) *Array { return Apply(OpAtanh, x) }

// Atanh returns the inverse hyperbolic tangent of a.
func (a *Array) Atanh() *Array { return Apply(OpAtanh, a) }

// Hypot returns the square root of x*x + y*y, without overflow on the way.
func Hypot(x, y any) *Array { return Apply(OpHypot, x, y) }

// LogAddExp returns log(exp(x) + exp(y)), without overflow on the way.
func LogAddExp(x, y any) *Array { return Apply(OpLogAddExp, x, y) }

// Erf returns the error function of x.
func Erf(x any) *Array { return Apply(OpErf, x) }

// Erf returns the error function of a.
func (a *Array) Erf() *Array { return Apply(OpErf, a) }

// Erfc returns the complementary error function of x.
func Erfc(x any) *Array { return Apply(OpErfc, x) }

// Erfc returns the complementary error function of a.
func (a *Array) Erfc() *Array { return Apply(OpErfc, a) }

// Gamma returns the gamma function of x.
func Gamma(x any) *Array { return Apply(OpGamma, x) }

// Gamma returns the gamma function of a.
func (a *Array) Gamma() *Array { return Apply(OpGamma, a) }

// LGamma returns the logarithm of the absolute gamma function of x.
func LGamma(x any) *Array { return Apply(OpLGamma, x) }

// LGamma returns the logarithm of the absolute gamma function of a.
func (a *Array) LGamma() *Array { return Apply(OpLGamma, a) }

// Sinc returns sin(pi x)/(pi x), and 1 at 0.
func Sinc(x any) *Array { return Apply(OpSinc, x) }

// Sinc returns sin(pi a)/(pi a), and 1 at 0.
func (a *Array) Sinc() *Array { return Apply(OpSinc, a) }

// Cbrt returns the cube root of x.
func Cbrt(x any) *Array { return Apply(OpCbrt, x) }

// Cbrt returns the cube root of a.
func (a *Array) Cbrt() *Array { return Apply(OpCbrt, a) }
