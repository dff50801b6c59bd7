package lazy

import "github.com/arrayrepl/arrayrepl/arrays"

// Item returns the only element of a 0-d or one-element array as a Go value: bool, int64, float32 or float64. It evaluates.
func (a *Array) Item() any { return a.Array().Item() }

// Float64 returns the element at idx, one int for each axis, as a float64; without idx, that of an array of size 1. It
// evaluates.
func (a *Array) Float64(idx ...int) float64 { return a.Array().Float64(idx...) }

// Float64s returns the elements in C order, copied into a Go slice. It evaluates.
func (a *Array) Float64s() []float64 { return a.Array().Float64s() }

// Float32s returns the elements in C order, copied into a Go slice. It evaluates.
func (a *Array) Float32s() []float32 { return a.Array().Float32s() }

// Int64s returns the elements in C order, copied into a Go slice. It evaluates.
func (a *Array) Int64s() []int64 { return a.Array().Int64s() }

// Bools returns the elements in C order, copied into a Go slice. It evaluates.
func (a *Array) Bools() []bool { return a.Array().Bools() }

// NonZero returns the places of the elements of x that are not zero, as arrays.NonZero does. It evaluates x.
func NonZero(x any) []*Array {
	places := arrays.NonZero(must("nonzero", x).Array())
	out := make([]*Array, len(places))
	for i, p := range places {
		out[i] = FromArray(p)
	}
	return out
}

// ArgWhere returns the places of the elements of x that are not zero as rows, as arrays.ArgWhere does. It evaluates x.
func ArgWhere(x any) *Array { return FromArray(arrays.ArgWhere(must("argwhere", x).Array())) }

// String evaluates a and formats it as NumPy's str does.
func (a *Array) String() string { return a.Array().String() }

// SetLineWidth sets how many characters a line of a printed array has at most, as numpy.set_printoptions(linewidth=n) does;
// 0 stands for NumPy's 75.
func SetLineWidth(n int) { arrays.SetLineWidth(n) }
