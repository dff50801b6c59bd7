package elementary

import "unsafe"

// Float is a width that the functions exist in.
type Float interface{ float32 | float64 }

// single says that T is float32; the compiler knows the answer.
func single[T Float]() bool {
	var x T
	return unsafe.Sizeof(x) == 4
}

// ExpOf is Exp or Expf, by the width.
func ExpOf[T Float](x T) T {
	if single[T]() {
		return T(Expf(float32(x)))
	}
	return T(Exp(float64(x)))
}

// LogOf is Log or Logf, by the width.
func LogOf[T Float](x T) T {
	if single[T]() {
		return T(Logf(float32(x)))
	}
	return T(Log(float64(x)))
}

// SinOf is Sin or Sinf, by the width.
func SinOf[T Float](x T) T {
	if single[T]() {
		return T(Sinf(float32(x)))
	}
	return T(Sin(float64(x)))
}

// CosOf is Cos or Cosf, by the width.
func CosOf[T Float](x T) T {
	if single[T]() {
		return T(Cosf(float32(x)))
	}
	return T(Cos(float64(x)))
}

// PowOf is Pow or Powf, by the width.
func PowOf[T Float](x, y T) T {
	if single[T]() {
		return T(Powf(float32(x), float32(y)))
	}
	return T(Pow(float64(x), float64(y)))
}
