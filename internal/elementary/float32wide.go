package elementary

// These functions of float32 are the float64 ones rounded: at most 0.5 ulp and 2^-28. Their float64 steps (a logarithm, a quotient, a
// product with pi in more than 24 bits) would be pairs of float32 otherwise, at no smaller cost.

// Exp2f returns 2 to the power x.
func Exp2f(x float32) float32 { return float32(Exp2(float64(x))) }

// Expm1f returns e^x - 1, accurate near zero.
func Expm1f(x float32) float32 { return float32(Expm1(float64(x))) }

// Log2f returns the binary logarithm of x, exact for powers of two.
func Log2f(x float32) float32 { return float32(Log2(float64(x))) }

// Log10f returns the decimal logarithm of x, exact for powers of ten.
func Log10f(x float32) float32 { return float32(Log10(float64(x))) }

// Log1pf returns log(1+x), accurate near zero.
func Log1pf(x float32) float32 { return float32(Log1p(float64(x))) }

// Tanf returns the tangent of x radians.
func Tanf(x float32) float32 { return float32(Tan(float64(x))) }

// Asinf returns the arc sine of x, -1 <= x <= 1.
func Asinf(x float32) float32 { return float32(Asin(float64(x))) }

// Acosf returns the arc cosine of x, -1 <= x <= 1.
func Acosf(x float32) float32 { return float32(Acos(float64(x))) }

// Atanf returns the arc tangent of x.
func Atanf(x float32) float32 { return float32(Atan(float64(x))) }

// Atan2f returns the angle of the point (x, y), in [-pi, pi].
func Atan2f(y, x float32) float32 { return float32(Atan2(float64(y), float64(x))) }

// Sinhf returns the hyperbolic sine of x.
func Sinhf(x float32) float32 { return float32(Sinh(float64(x))) }

// Coshf returns the hyperbolic cosine of x.
func Coshf(x float32) float32 { return float32(Cosh(float64(x))) }

// Tanhf returns the hyperbolic tangent of x.
func Tanhf(x float32) float32 { return float32(Tanh(float64(x))) }

// Asinhf returns the inverse hyperbolic sine of x.
func Asinhf(x float32) float32 { return float32(Asinh(float64(x))) }

// Acoshf returns the inverse hyperbolic cosine of x >= 1.
func Acoshf(x float32) float32 { return float32(Acosh(float64(x))) }

// Atanhf returns the inverse hyperbolic tangent of x, -1 <= x <= 1.
func Atanhf(x float32) float32 { return float32(Atanh(float64(x))) }

// Hypotf returns sqrt(x^2+y^2) without overflow or underflow on the way.
func Hypotf(x, y float32) float32 { return float32(Hypot(float64(x), float64(y))) }

// Logaddexpf returns log(e^a + e^b) without overflow.
func Logaddexpf(a, b float32) float32 { return float32(Logaddexp(float64(a), float64(b))) }

// Erff returns the error function of x.
func Erff(x float32) float32 { return float32(Erf(float64(x))) }

// Erfcf returns 1 - erf(x), accurate where it is small.
func Erfcf(x float32) float32 { return float32(Erfc(float64(x))) }

// Gammaf returns the gamma function of x.
func Gammaf(x float32) float32 { return float32(Gamma(float64(x))) }

// Lgammaf returns log(|gamma(x)|).
func Lgammaf(x float32) float32 { return float32(Lgamma(float64(x))) }

// Sincf returns sin(pi*x)/(pi*x), and 1 at 0.
func Sincf(x float32) float32 { return float32(Sinc(float64(x))) }

// Powf returns x to the power y.
func Powf(x, y float32) float32 { return float32(Pow(float64(x), float64(y))) }

// Cbrtf returns the cube root of x.
func Cbrtf(x float32) float32 { return float32(Cbrt(float64(x))) }
