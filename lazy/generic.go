package lazy

// Data returns the elements of a in C order as a slice of T, the Go type of its dtype; do not write to it. It
// evaluates.
func Data[T bool | int | uint | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64 | complex64 | complex128](a *Array) []T {
	return a.DataLike(*new(T)).([]T)
}

// Must returns v, or panics with err as an *Error: x := np.Must(np.LoadCSV(path)), and so with whatever else gives a
// value and an error.
func Must[T any](v T, err error) T {
	if err == nil {
		return v
	}
	if e, ok := err.(*Error); ok {
		panic(e)
	}
	panic(&Error{Err: err})
}
