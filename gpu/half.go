package gpu

import (
	"github.com/arrayrepl/arrayrepl/internal/tensor"
	"github.com/arrayrepl/arrayrepl/kir"
)

// Float16 is the bits of a number of IEEE's binary16: 11 bits of precision, up to 65504. A kernel's []gpu.Float16 takes
// arrays of np.Float16. Operations are rounded once, to nearest even. [MMA] multiplies matrices of them.
//
// For example:
//
//	func halve(x []gpu.Float16) {
//		x[gpu.GlobalID()] = x[gpu.GlobalID()].Mul(gpu.ToFloat16(0.5))
//	}
type Float16 uint16

// ToFloat16 returns the Float16 nearest to x, the even one of two; infinity beyond 65520.
func ToFloat16(x float32) Float16 { return Float16(kir.HalfOf(float64(x))) }

// Float32 returns the number as a float32, which has all of them.
func (x Float16) Float32() float32 { return float32(kir.HalfValue(uint16(x))) }

// Add returns x + y.
func (x Float16) Add(y Float16) Float16 { return ToFloat16(x.Float32() + y.Float32()) }

// Sub returns x - y.
func (x Float16) Sub(y Float16) Float16 { return ToFloat16(x.Float32() - y.Float32()) }

// Mul returns x * y.
func (x Float16) Mul(y Float16) Float16 { return ToFloat16(x.Float32() * y.Float32()) }

// Div returns x / y.
func (x Float16) Div(y Float16) Float16 { return ToFloat16(x.Float32() / y.Float32()) }

// Less reports whether x < y; false where one is NaN.
func (x Float16) Less(y Float16) bool { return x.Float32() < y.Float32() }

// BFloat16 is the bits of a bfloat16: the upper half of a float32, 8 bits of precision and float32's range. A kernel's
// []gpu.BFloat16 takes arrays of np.Uint16, the bits. Operations are those of float32, rounded to nearest even once
// more.
//
// For example:
//
//	x[i] = x[i].Mul(gpu.ToBFloat16(0.5))
type BFloat16 uint16

// ToBFloat16 returns the BFloat16 nearest to x, the even one of two.
func ToBFloat16(x float32) BFloat16 { return BFloat16(tensor.BrainOf(x)) }

// Float32 returns the number as a float32, which has all of them.
func (x BFloat16) Float32() float32 { return tensor.Brain(uint16(x)) }

// Add returns x + y.
func (x BFloat16) Add(y BFloat16) BFloat16 { return ToBFloat16(x.Float32() + y.Float32()) }

// Sub returns x - y.
func (x BFloat16) Sub(y BFloat16) BFloat16 { return ToBFloat16(x.Float32() - y.Float32()) }

// Mul returns x * y.
func (x BFloat16) Mul(y BFloat16) BFloat16 { return ToBFloat16(x.Float32() * y.Float32()) }

// Div returns x / y.
func (x BFloat16) Div(y BFloat16) BFloat16 { return ToBFloat16(x.Float32() / y.Float32()) }

// Less reports whether x < y; false where one is NaN.
func (x BFloat16) Less(y BFloat16) bool { return x.Float32() < y.Float32() }
