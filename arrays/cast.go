package arrays

import "math"

// castFunc writes len(dst) elements in the destination's dtype, read from element at on in steps of stride.
type castFunc func(dst, src []byte, at, stride int)

// casts holds the conversion from every dtype (row) to every dtype (column), as C does it: to bool is "not zero", floats are
// cut towards zero, and floats that an int64 cannot hold become its smallest value (what x86 does, on every machine).
var casts = [numDTypes][numDTypes]castFunc{
	Bool:    {convert[uint8, uint8], convert[uint8, int64], convert[uint8, float32], convert[uint8, float64]},
	Int64:   {nonZero[int64], convert[int64, int64], convert[int64, float32], convert[int64, float64]},
	Float32: {nonZero[float32], truncate[float32], convert[float32, float32], convert[float32, float64]},
	Float64: {nonZero[float64], truncate[float64], convert[float64, float32], convert[float64, float64]},
}

func convert[S, D element](dst, src []byte, at, stride int) {
	d, s := elements[D](dst), elements[S](src)
	if stride == 1 {
		s = s[at : at+len(d)]
		for i, v := range s {
			d[i] = D(v)
		}
		return
	}
	for i := range d {
		d[i] = D(s[at])
		at += stride
	}
}

func nonZero[S element](dst, src []byte, at, stride int) {
	d, s := elements[uint8](dst), elements[S](src)
	for i := range d {
		d[i] = bit(s[at] != 0)
		at += stride
	}
}

func truncate[S float32 | float64](dst, src []byte, at, stride int) {
	d, s := elements[int64](dst), elements[S](src)
	for i := range d {
		d[i] = toInt64(float64(s[at]))
		at += stride
	}
}

// toInt64 is C's conversion as x86 does it.
func toInt64(v float64) int64 {
	if v >= -0x1p63 && v < 0x1p63 {
		return int64(v)
	}
	return math.MinInt64
}

// bit is 1 for true.
func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// AsType returns a copy of a with its elements converted to dtype. Conversions never fail: to Bool is "not zero" (NaN is
// true), floats lose their fraction to Int64, and those out of its range (and NaN) become the smallest int64.
func (a *Array) AsType(dtype DType) *Array {
	out := New(dtype, a.layout.Shape...)
	newStream(a, dtype).read(out.data)
	return out
}
