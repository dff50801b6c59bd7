package vector

//go:noescape
func largestF64(n int, x *float64) (extreme float64, nan bool)

//go:noescape
func smallestF64(n int, x *float64) (extreme float64, nan bool)

//go:noescape
func largestF32(n int, x *float32) (extreme float32, nan bool)

//go:noescape
func smallestF32(n int, x *float32) (extreme float32, nan bool)

// ExtremesFloat64 returns the loops for float64.
func ExtremesFloat64() Extremes[float64] { return extremesOf(largestF64, smallestF64) }

// ExtremesFloat32 returns the loops for float32.
func ExtremesFloat32() Extremes[float32] { return extremesOf(largestF32, smallestF32) }

func extremesOf[T float32 | float64](largest, smallest func(n int, x *T) (T, bool)) Extremes[T] {
	if !hasAVX2 {
		return Extremes[T]{}
	}
	return Extremes[T]{
		Max: func(x []T) (T, bool) { return largest(len(x), &x[0]) },
		Min: func(x []T) (T, bool) { return smallest(len(x), &x[0]) },
	}
}
