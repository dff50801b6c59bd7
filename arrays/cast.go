package arrays

import (
	"math"

	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// castFunc writes len(dst) elements in the destination's dtype, read from element at on in steps of stride.
type castFunc func(dst, src []byte, at, stride int)

// casts holds the conversion from every dtype of numbers (row) to every other (column), as C does it on x86, on every
// machine: to bool is "not zero", ints are cut to their width, floats towards zero (see toInt32 and its kin for those
// out of range), a complex number loses its imaginary part.
var casts = vectoredCasts(plainCasts())

func plainCasts() [numDTypes][numDTypes]castFunc {
	return [numDTypes][numDTypes]castFunc{
		Bool:       castsOfInt[uint8](),
		Int8:       castsOfInt[int8](),
		Int16:      castsOfInt[int16](),
		Int32:      castsOfInt[int32](),
		Int64:      castsOfInt[int64](),
		Uint8:      castsOfInt[uint8](),
		Uint16:     castsOfInt[uint16](),
		Uint32:     castsOfInt[uint32](),
		Uint64:     castsOfInt[uint64](),
		Float16:    castsOfHalf(),
		Float32:    castsOfFloat[float32](),
		Float64:    castsOfFloat[float64](),
		Complex64:  castsOfComplex[complex64](castsOfFloat[float32]()),
		Complex128: castsOfComplex[complex128](castsOfFloat[float64]()),
	}
}

func castsOfInt[S plainInt]() [numDTypes]castFunc {
	return [...]castFunc{
		Bool: nonZero[S],
		Int8: convert[S, int8], Int16: convert[S, int16], Int32: convert[S, int32], Int64: convert[S, int64],
		Uint8: convert[S, uint8], Uint16: convert[S, uint16], Uint32: convert[S, uint32], Uint64: convert[S, uint64],
		Float16: mapped(func(v S) half { return halfOf(float64(v)) }), Float32: convert[S, float32], Float64: convert[S, float64],
		Complex64:  mapped(func(v S) complex64 { return complex(float32(v), 0) }),
		Complex128: mapped(func(v S) complex128 { return complex(float64(v), 0) }),
	}
}

func castsOfFloat[S float]() [numDTypes]castFunc {
	return [...]castFunc{
		Bool:    nonZero[S],
		Int8:    shortened[S, int8],
		Int16:   shortened[S, int16],
		Int32:   shortened[S, int32],
		Int64:   truncated[S, int64],
		Uint8:   shortened[S, uint8],
		Uint16:  shortened[S, uint16],
		Uint32:  truncated[S, uint32],
		Uint64:  mapped(func(v S) uint64 { return toUint64(float64(v)) }),
		Float16: narrowToHalves[S], Float32: convert[S, float32], Float64: convert[S, float64],
		Complex64:  mapped(func(v S) complex64 { return complex(float32(v), 0) }),
		Complex128: mapped(func(v S) complex128 { return complex(float64(v), 0) }),
	}
}

func castsOfHalf() [numDTypes]castFunc {
	return [...]castFunc{
		Bool:       mapped(func(h half) uint8 { return bit(h&0x7fff != 0) }),
		Int8:       mapped(func(h half) int8 { return int8(toInt32(float64(h.float()))) }),
		Int16:      mapped(func(h half) int16 { return int16(toInt32(float64(h.float()))) }),
		Int32:      mapped(func(h half) int32 { return toInt32(float64(h.float())) }),
		Int64:      mapped(func(h half) int64 { return toInt64(float64(h.float())) }),
		Uint8:      mapped(func(h half) uint8 { return uint8(toInt32(float64(h.float()))) }),
		Uint16:     mapped(func(h half) uint16 { return uint16(toInt32(float64(h.float()))) }),
		Uint32:     mapped(func(h half) uint32 { return uint32(toInt64(float64(h.float()))) }),
		Uint64:     mapped(func(h half) uint64 { return toUint64(float64(h.float())) }),
		Float16:    mapped(func(h half) half { return h }),
		Float32:    widenHalves,
		Float64:    mapped(func(h half) float64 { return float64(h.float()) }),
		Complex64:  mapped(func(h half) complex64 { return complex(h.float(), 0) }),
		Complex128: mapped(func(h half) complex128 { return complex(float64(h.float()), 0) }),
	}
}

// castsOfComplex reads the real parts, every second float of the storage, with the casts of those floats.
func castsOfComplex[S complexNumber](real [numDTypes]castFunc) [numDTypes]castFunc {
	var row [numDTypes]castFunc
	for d, cast := range real {
		row[d] = func(dst, src []byte, at, stride int) { cast(dst, src, 2*at, 2*stride) }
	}
	row[Bool] = nonZero[S]
	row[Complex64] = mapped(func(v S) complex64 { return complex64(v) })
	row[Complex128] = mapped(func(v S) complex128 { return complex128(v) })
	return row
}

// castOf is the conversion between any two dtypes. It panics with *Error where there is none, and as a conversion that
// depends on the elements does when it meets one that it cannot convert.
func castOf(from, to DType) castFunc {
	if from.IsNumber() && to.IsNumber() {
		return casts[from][to]
	}
	cast, err := castOther(from, to)
	check("astype", err)
	return cast
}

// Castable reports, as an error, that elements of one dtype do not convert to another. Text may still be no number or
// date.
func (Rules) Castable(from, to DType) error {
	if err := checkDType(to); err != nil && to != classString {
		return err
	}
	if from.IsNumber() && to.IsNumber() {
		return nil
	}
	_, err := castOther(from, to)
	return err
}

func convert[S, D realNumber](dst, src []byte, at, stride int) {
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

func mapped[S, D element](f func(S) D) castFunc {
	return func(dst, src []byte, at, stride int) {
		d, s := elements[D](dst), elements[S](src)
		for i := range d {
			d[i] = f(s[at])
			at += stride
		}
	}
}

// shortened are the low bits of an int32, truncated those of an int64.
func shortened[S float, D plainInt](dst, src []byte, at, stride int) {
	d, s := elements[D](dst), elements[S](src)
	for i := range d {
		d[i] = D(toInt32(float64(s[at])))
		at += stride
	}
}

func truncated[S float, D plainInt](dst, src []byte, at, stride int) {
	d, s := elements[D](dst), elements[S](src)
	for i := range d {
		d[i] = D(toInt64(float64(s[at])))
		at += stride
	}
}

func nonZero[S number](dst, src []byte, at, stride int) {
	d, s := elements[uint8](dst), elements[S](src)
	for i := range d {
		d[i] = bit(s[at] != 0)
		at += stride
	}
}

// toInt64 is C's conversion as x86 does it: what is out of range, and NaN, becomes the smallest value.
func toInt64(v float64) int64 {
	if v >= -0x1p63 && v < 0x1p63 {
		return int64(v)
	}
	return math.MinInt64
}

// toInt32 is that of 32 bits; narrower ints are cut from it.
func toInt32(v float64) int32 {
	if v > -0x1p31-1 && v < 0x1p31 {
		return int32(v)
	}
	return math.MinInt32
}

// toUint64 is that of an unsigned int: a signed conversion, of what is left above 2^63 where that is reached.
func toUint64(v float64) uint64 {
	if v >= 0x1p63 {
		return uint64(toInt64(v-0x1p63)) ^ 1<<63
	}
	return uint64(toInt64(v))
}

// bit is 1 for true.
func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// AsType returns a copy of a with its elements converted to dtype. Between numbers this never fails: to Bool is "not
// zero" (NaN is true), ints are cut to their width, floats lose their fraction, those out of the range of an int become
// what C makes of them on x86 (the smallest int64 or int32, of which narrower ints are the low bits), complex numbers
// lose their imaginary part. Text is read as numbers and dates, and written from them; dates count their unit as ints.
// It panics with *Error on text that is not a number or date, and on conversions that do not exist.
func (a *Array) AsType(dtype DType) *Array {
	a.assigned()
	if a.dtype != dtype && dtype == classString { // as many characters as are needed
		dtype = Str(charsOf(a))
	}
	out := newUnset(dtype, a.layout.Shape)
	total, size := out.Size(), dtype.Size()
	if total > 0 && a.layout.IsContiguous() && (a.dtype == dtype || a.dtype.IsNumber() && dtype.IsNumber()) {
		each := max(share*8/max(size, a.dtype.Size()), 1) // a text may have a million characters
		if total <= shared/share*each {
			a.convertTo(out, 0, total)
			return out
		}
		workers.Do((total+each-1)/each, func(i int) { a.convertTo(out, i*each, min((i+1)*each, total)) }, poll)
		return out
	}
	if total <= shared || !a.dtype.IsNumber() || !dtype.IsNumber() {
		const some = 1 << 14 // texts and dates take hundreds of nanoseconds each
		s := newStream(a, dtype)
		for lo := 0; lo < total; lo += some {
			poll()
			s.read(out.data[lo*size : min(lo+some, total)*size])
		}
		return out
	}
	workers.Do((total+share-1)/share, func(i int) {
		lo, hi := i*share, min((i+1)*share, total)
		s := newStream(a, dtype)
		s.seek(s.view.Offset, lo)
		s.read(out.data[lo*size : hi*size])
	}, poll)
	return out
}

// convertTo writes elements lo to hi of a to those of out, both contiguous.
func (a *Array) convertTo(out *Array, lo, hi int) {
	size, at := out.dtype.Size(), a.layout.Offset
	dst := out.data[lo*size : hi*size]
	if a.dtype == out.dtype {
		copyElements(a.dtype, dst, a.data[(at+lo)*size:])
		return
	}
	casts[a.dtype][out.dtype](dst, a.data, at+lo, 1)
}
