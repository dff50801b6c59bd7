package vector

// Extreme is the largest or smallest of the elements of x, a multiple of Step and at least one. nan says that a NaN is
// among them; then, and where zeros of both signs are, the result is any of them.
type Extreme[T float32 | float64] func(x []T) (extreme T, nan bool)

// Extremes are the loops of a type, nil where the processor has none.
type Extremes[T float32 | float64] struct{ Max, Min Extreme[T] }
