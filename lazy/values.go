package lazy

import (
	"fmt"
	"iter"
	"time"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// Item returns the only element of a 0-d or one-element array as the Go value of its dtype; see
// arrays.Array.Item. It evaluates.
func (a *Array) Item() any {
	a.assigned()
	return look(a, (*arrays.Array).Item)
}

// Float64 returns the element at idx, one int for each axis, as a float64; without idx, that of an array of size 1. It
// evaluates.
func (a *Array) Float64(idx ...int) float64 {
	a.assigned()
	if len(idx) > 0 && a.tooLarge() {
		at := make([]any, len(idx))
		for i, k := range idx {
			at[i] = k
		}
		return a.At(at...).Copy().Float64()
	}
	return look(a, func(e *arrays.Array) float64 { return e.Float64(idx...) })
}

// Complex128 returns the element of an array of size 1 as a complex128. It evaluates.
func (a *Array) Complex128() complex128 {
	a.assigned()
	return look(a, (*arrays.Array).Complex128)
}

// Float64s returns the elements in C order, copied into a Go slice; see arrays.Array.Float64s. It evaluates.
func (a *Array) Float64s() []float64 {
	a.assigned()
	return look(a, (*arrays.Array).Float64s)
}

// Float32s returns the elements in C order, copied into a Go slice; see arrays.Array.Float32s. It evaluates.
func (a *Array) Float32s() []float32 {
	a.assigned()
	return look(a, (*arrays.Array).Float32s)
}

// Complex128s returns the elements in C order, copied into a Go slice; see arrays.Array.Complex128s. It evaluates.
func (a *Array) Complex128s() []complex128 {
	a.assigned()
	return look(a, (*arrays.Array).Complex128s)
}

// Ints returns the elements in C order, copied into a Go slice; see arrays.Array.Ints. It evaluates.
func (a *Array) Ints() []int {
	a.assigned()
	return look(a, (*arrays.Array).Ints)
}

// Int64s returns the elements in C order, copied into a Go slice; see arrays.Array.Int64s. It evaluates.
func (a *Array) Int64s() []int64 {
	a.assigned()
	return look(a, (*arrays.Array).Int64s)
}

// Int32s returns the elements in C order, copied into a Go slice; see arrays.Array.Int32s. It evaluates.
func (a *Array) Int32s() []int32 {
	a.assigned()
	return look(a, (*arrays.Array).Int32s)
}

// Int16s returns the elements in C order, copied into a Go slice; see arrays.Array.Int16s. It evaluates.
func (a *Array) Int16s() []int16 {
	a.assigned()
	return look(a, (*arrays.Array).Int16s)
}

// Int8s returns the elements in C order, copied into a Go slice; see arrays.Array.Int8s. It evaluates.
func (a *Array) Int8s() []int8 {
	a.assigned()
	return look(a, (*arrays.Array).Int8s)
}

// Uint64s returns the elements in C order, copied into a Go slice; see arrays.Array.Uint64s. It evaluates.
func (a *Array) Uint64s() []uint64 {
	a.assigned()
	return look(a, (*arrays.Array).Uint64s)
}

// Uint32s returns the elements in C order, copied into a Go slice; see arrays.Array.Uint32s. It evaluates.
func (a *Array) Uint32s() []uint32 {
	a.assigned()
	return look(a, (*arrays.Array).Uint32s)
}

// Uint16s returns the elements in C order, copied into a Go slice; see arrays.Array.Uint16s. It evaluates.
func (a *Array) Uint16s() []uint16 {
	a.assigned()
	return look(a, (*arrays.Array).Uint16s)
}

// Uint8s returns the elements in C order, copied into a Go slice; see arrays.Array.Uint8s. It evaluates.
func (a *Array) Uint8s() []uint8 {
	a.assigned()
	return look(a, (*arrays.Array).Uint8s)
}

// Bools returns the elements in C order, copied into a Go slice; see arrays.Array.Bools. It evaluates.
func (a *Array) Bools() []bool {
	a.assigned()
	return look(a, (*arrays.Array).Bools)
}

// Strings returns the elements in C order, as text; see arrays.Array.Strings. It evaluates.
func (a *Array) Strings() []string {
	a.assigned()
	return look(a, (*arrays.Array).Strings)
}

// Times returns the elements in C order, as time.Time in UTC; see arrays.Array.Times. It evaluates.
func (a *Array) Times() []time.Time {
	a.assigned()
	return look(a, (*arrays.Array).Times)
}

// Values returns the elements in C order as float64, with their places, for range loops. It evaluates.
func (a *Array) Values() iter.Seq2[int, float64] {
	a.assigned()
	return a.Array().Values()
}

// DataLike is [Data] for the type of the value like; see arrays.Array.DataLike. It evaluates.
func (a *Array) DataLike(like any) any {
	a.assigned()
	return a.Array().DataLike(like)
}

// NonZero returns the places of the elements of x that are not zero, as arrays.NonZero does. It evaluates x, of which
// kernels bring only the number of those elements to the host.
func NonZero(x ArrayLike) []*Array {
	a := must("nonzero", x)
	flat, found := placesInBlocks(a)
	if found || inKernels(a.dtype) && a.NDim() > 0 && !inHostMemory() {
		if !found {
			if a.dtype != Bool {
				a = a.Ne(0)
			}
			flat = a.places()
		}
		shape := a.layout.Shape
		if len(shape) == 1 {
			return []*Array{flat}
		}
		out := make([]*Array, len(shape))
		for k, size := range shape {
			out[k] = flat.FloorDivide(elementsIn(shape[k+1:])).Mod(size)
		}
		return out
	}
	places := arrays.NonZero(a.Array())
	out := make([]*Array, len(places))
	for i, p := range places {
		out[i] = FromArray(p)
	}
	return out
}

// ArgWhere returns the places of the elements of x that are not zero as rows, as arrays.ArgWhere does. It evaluates x.
func ArgWhere(x ArrayLike) *Array {
	a := must("argwhere", x)
	if a.oversized() != "" {
		places := NonZero(a)
		if len(places) == 1 { // which may be in a file
			return places[0].Reshape(-1, 1)
		}
		var columns []ArrayLike
		for _, c := range places {
			columns = append(columns, c)
		}
		return Stack(Axis(1), columns...)
	}
	return FromArray(arrays.ArgWhere(a.Array()))
}

// String evaluates a and formats it as NumPy's str does.
func (a *Array) String() string {
	if a.missing() {
		return noText
	}
	if a.tooLarge() {
		return a.unshown()
	}
	return look(a, (*arrays.Array).String)
}

// Format evaluates a and writes it for the verbs of package fmt, the elements by verbs of numbers; see
// arrays.Array.Format.
func (a *Array) Format(s fmt.State, verb rune) {
	if a.missing() {
		fmt.Fprint(s, noText)
		return
	}
	if a.tooLarge() {
		fmt.Fprint(s, a.unshown())
		return
	}
	look(a, func(e *arrays.Array) bool { e.Format(s, verb); return true })
}

// SetPrintOptions changes how arrays are written from now on, as numpy.set_printoptions does; what is not named stays.
// Without any option all are again as they were at first.
func SetPrintOptions(opts ...PrintOption) { arrays.SetPrintOptions(opts...) }
