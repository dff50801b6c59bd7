package arrays

// Data returns the elements of a in C order as a slice of T, the Go type of its dtype: bool, int8 to int64, uint8 to
// uint64, float32, float64, complex64 or complex128 (int and uint are 64 bits here). The slice shares memory with a
// when a is contiguous, else it is a copy. It panics with *Error when a holds another type; [Array.AsType] converts.
func Data[T bool | int | uint | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64 | complex64 | complex128](a *Array) []T {
	return a.DataLike(*new(T)).([]T)
}

// Must returns v, or panics with err as an *Error: x := Must(LoadCSV(path)), and so with whatever else gives a value
// and an error.
func Must[T any](v T, err error) T {
	if err == nil {
		return v
	}
	if e, ok := err.(*Error); ok {
		panic(e)
	}
	panic(&Error{Err: err})
}
