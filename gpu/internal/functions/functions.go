// Package functions has kernels that compute functions of float32: in Go's spelling, by way of float64, and by their
// names in C.
package functions

import (
	"math"

	"github.com/arrayrepl/arrayrepl/gpu"
)

// Each of these writes f(x[i]) to y[i].

func Exp(y, x []float32)   { y[gpu.GlobalX()] = float32(math.Exp(float64(x[gpu.GlobalX()]))) }
func Exp2(y, x []float32)  { y[gpu.GlobalX()] = float32(math.Exp2(float64(x[gpu.GlobalX()]))) }
func Log(y, x []float32)   { y[gpu.GlobalX()] = float32(math.Log(float64(x[gpu.GlobalX()]))) }
func Log2(y, x []float32)  { y[gpu.GlobalX()] = float32(math.Log2(float64(x[gpu.GlobalX()]))) }
func Log10(y, x []float32) { y[gpu.GlobalX()] = float32(math.Log10(float64(x[gpu.GlobalX()]))) }
func Sin(y, x []float32)   { y[gpu.GlobalX()] = float32(math.Sin(float64(x[gpu.GlobalX()]))) }
func Cos(y, x []float32)   { y[gpu.GlobalX()] = float32(math.Cos(float64(x[gpu.GlobalX()]))) }
func Tanh(y, x []float32)  { y[gpu.GlobalX()] = float32(math.Tanh(float64(x[gpu.GlobalX()]))) }
func Rsqrt(y, x []float32) { y[gpu.GlobalX()] = float32(1 / math.Sqrt(float64(x[gpu.GlobalX()]))) }
func Pow(y, x []float32)   { y[gpu.GlobalX()] = float32(math.Pow(float64(x[gpu.GlobalX()]), 2.5)) }

// Powers writes x[i] to the power x[i+1], around.
func Powers(y, x []float32) {
	i := gpu.GlobalX()
	y[i] = float32(math.Pow(float64(x[i]), float64(x[(i+1)%len(x)])))
}

// PowerOf is for np.Map.
func PowerOf(x float32) float32 { return float32(math.Pow(float64(x), 2.5)) }

// Short writes functions of float32 by their names in C.
func Short(y, x []float32) {
	i := gpu.GlobalX()
	v := x[i]
	y[i] = gpu.Expf(v)
	n := gpu.GlobalSize()
	y[i+n], y[i+2*n], y[i+3*n] = gpu.Exp2f(v), gpu.Expm1f(v), gpu.Logf(v)
	y[i+4*n], y[i+5*n], y[i+6*n] = gpu.Log2f(v), gpu.Log10f(v), gpu.Log1pf(v)
	y[i+7*n], y[i+8*n], y[i+9*n] = gpu.Sinf(v), gpu.Cosf(v), gpu.Tanf(v)
	y[i+10*n], y[i+11*n], y[i+12*n] = gpu.Tanhf(v), gpu.Erff(v), gpu.Powf(v, 1.5)
	y[i+13*n], y[i+14*n] = gpu.Sqrtf(v), gpu.Rsqrtf(v)
}

// Approximated writes what a special function unit gives of x.
func Approximated(y, x []float32) {
	i, n := gpu.GlobalX(), gpu.GlobalSize()
	v := x[i]
	y[i], y[i+n], y[i+2*n] = gpu.Approx.Rcp(v), gpu.Approx.Rsqrt(v), gpu.Approx.Sqrt(v)
	y[i+3*n], y[i+4*n] = gpu.Approx.Exp2(v), gpu.Approx.Log2(v)
	y[i+5*n], y[i+6*n], y[i+7*n] = gpu.Approx.Sin(v), gpu.Approx.Cos(v), gpu.Approx.Div(3, v)
}

// Fast writes what fast math approximates, in both spellings, of the same x.
func Fast(y, x []float32) {
	i, n := gpu.GlobalX(), gpu.GlobalSize()
	v := x[i]
	y[i], y[i+n], y[i+2*n] = 1/v, float32(1/math.Sqrt(float64(v))), gpu.Rsqrtf(v)
	y[i+3*n], y[i+4*n], y[i+5*n] = gpu.Sqrtf(v), float32(math.Sqrt(float64(v))), float32(math.Exp2(float64(v)))
	y[i+6*n], y[i+7*n], y[i+8*n] = gpu.Log2f(v), gpu.Sinf(v), float32(math.Cos(float64(v)))
	y[i+9*n], y[i+10*n], y[i+11*n] = gpu.Expf(v), gpu.Logf(v), gpu.Log10f(v)
	y[i+12*n], y[i+13*n], y[i+14*n] = gpu.Powf(v, 1.5), gpu.Tanf(v), gpu.Tanhf(v)
	y[i+15*n], y[i+16*n] = v*v+x[0], x[0]-v*v
}
