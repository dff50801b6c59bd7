package gpu

import (
	"math"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
)

// The functions of float32 by their names in C, with the bits that np.Exp and its kin have for float32: at most 1 ulp
// from the exact result, 2 for Tanf, Powf and Erff. Go's own spelling, float32(math.Exp(float64(x))), is right to half
// an ulp and takes two to four times as long.

// Expf returns e to the power x.
//
// For example:
//
//	y[i] = gpu.Expf(x[i]) // float32
func Expf(x float32) float32 { return elementary.Expf(x) }

// Exp2f returns 2 to the power x.
func Exp2f(x float32) float32 { return elementary.Exp2f(x) }

// Expm1f returns e^x - 1, accurate near zero.
func Expm1f(x float32) float32 { return elementary.Expm1f(x) }

// Logf returns the natural logarithm of x.
func Logf(x float32) float32 { return elementary.Logf(x) }

// Log2f returns the binary logarithm of x.
func Log2f(x float32) float32 { return elementary.Log2f(x) }

// Log10f returns the decimal logarithm of x.
func Log10f(x float32) float32 { return elementary.Log10f(x) }

// Log1pf returns log(1+x), accurate near zero.
func Log1pf(x float32) float32 { return elementary.Log1pf(x) }

// Sinf returns the sine of x radians.
func Sinf(x float32) float32 { return elementary.Sinf(x) }

// Cosf returns the cosine of x radians.
func Cosf(x float32) float32 { return elementary.Cosf(x) }

// Tanf returns the tangent of x radians.
func Tanf(x float32) float32 { return elementary.Tanf(x) }

// Tanhf returns the hyperbolic tangent of x.
func Tanhf(x float32) float32 { return elementary.Tanhf(x) }

// Erff returns the error function of x.
func Erff(x float32) float32 { return elementary.Erff(x) }

// Powf returns x to the power y.
func Powf(x, y float32) float32 { return elementary.Powf(x, y) }

// Sqrtf returns the square root of x, rounded once, as float32(math.Sqrt(float64(x))) does.
//
// For example:
//
//	length := gpu.Sqrtf(x*x + y*y)
func Sqrtf(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// Rsqrtf returns 1/Sqrtf(x), rounded twice: at most 1 ulp from the exact result.
//
// For example:
//
//	scale := gpu.Rsqrtf(x*x + y*y + z*z)
func Rsqrtf(x float32) float32 { return 1 / Sqrtf(x) }
