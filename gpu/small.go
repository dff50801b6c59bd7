package gpu

import (
	"github.com/arrayrepl/arrayrepl/internal/tensor"
	"github.com/arrayrepl/arrayrepl/kir"
)

// TFloat32 is the bits of a tf32, a float32 of which the last 13 bits are ignored: 11 bits of precision and float32's
// range. A kernel's []gpu.TFloat32 takes arrays of np.Uint32, the bits. [MMA] multiplies matrices of them.
//
// For example:
//
//	s[i] = gpu.ToTFloat32(x[i]) // a tile in shared memory, of float32 in x
type TFloat32 uint32

// ToTFloat32 returns the TFloat32 nearest to x, that farther from zero of two, as the conversion of a card does.
func ToTFloat32(x float32) TFloat32 { return TFloat32(tensor.TF32Of(x)) }

// Float32 returns the number as a float32.
func (x TFloat32) Float32() float32 { return tensor.TF32(uint32(x)) }

// Float8E4M3 is the bits of a number of 8 bits, four of them of the exponent: 4 bits of precision, from 1/512 up to
// 448, without infinities. A kernel's []gpu.Float8E4M3 takes arrays of np.Uint8, the bits. [MMA] multiplies matrices
// of them.
type Float8E4M3 uint8

// ToFloat8E4M3 returns the Float8E4M3 nearest to x, the even one of two, and 448 or -448 where x is beyond them.
func ToFloat8E4M3(x float32) Float8E4M3 { return Float8E4M3(tensor.FormatE4M3.Of(x)) }

// Float32 returns the number as a float32, which has all of them.
func (x Float8E4M3) Float32() float32 { return tensor.E4M3(uint8(x)) }

// Float8E5M2 is the bits of a number of 8 bits, five of them of the exponent: the upper half of a Float16, 3 bits of
// precision, up to 57344. A kernel's []gpu.Float8E5M2 takes arrays of np.Uint8, the bits. [MMA] multiplies matrices of
// them.
type Float8E5M2 uint8

// ToFloat8E5M2 returns the Float8E5M2 nearest to x, the even one of two, and 57344 or -57344 where x is beyond them.
func ToFloat8E5M2(x float32) Float8E5M2 { return Float8E5M2(tensor.FormatE5M2.Of(x)) }

// Float32 returns the number as a float32, which has all of them.
func (x Float8E5M2) Float32() float32 { return float32(kir.HalfValue(uint16(x) << 8)) }
