package arrays

import (
	"fmt"
	"math"
)

// Holds says, as an error, why v is not assigned to elements of dtype d: there is no such conversion, the imaginary
// part of complex numbers would be lost, floats would become dates or spans, or ints cannot hold an element, which is
// NaN or out of range. Fractions are cut off, as in NumPy. It looks at each element of what may not fit; see
// [DType.Looks].
func (d DType) Holds(v *Array) error {
	if err := (Rules{}).Castable(v.dtype, d); err != nil {
		return err
	}
	switch {
	case v.dtype.IsComplex() && d.IsNumber() && !d.IsComplex():
		return &Error{Msg: fmt.Sprintf("%v is not assigned to elements of %v: the imaginary part would be lost; assign Real(value)", v.dtype, d)}
	case d.IsTime() && v.dtype.IsFloat():
		return &Error{Msg: fmt.Sprintf("%v is not assigned to elements of %v: a count of units is whole; assign ints, dates or spans", v.dtype, d)}
	case d.Looks(v.dtype) && v.dtype.IsFloat():
		return floatsFit(v, d)
	case d.Looks(v.dtype):
		return intsFit(v, d)
	}
	return nil
}

// Looks reports whether only the elements of dtype v tell whether elements of dtype d hold them: floats for ints, and
// ints for ints of fewer bits or without a sign.
func (d DType) Looks(v DType) bool {
	return d.IsInt() && (v.IsFloat() || v.IsInt() && Promote(v, d) != d)
}

// floatsFit says, as an error, which of the floats of v no int of dtype d can be.
func floatsFit(v *Array, d DType) error {
	bits := 8 * d.Size()
	least, most := -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1) // most is beyond the range
	if d.IsUnsigned() {
		least, most = 0, math.Ldexp(1, bits)
	}
	return eachFits(v, Float64, d, func(x float64) bool {
		whole := math.Trunc(x)
		return whole >= least && whole < most
	})
}

// intsFit says, as an error, which of the ints of v no int of dtype d can be.
func intsFit(v *Array, d DType) error {
	if v.dtype == Uint64 {
		return eachFits(v, Uint64, d, func(x uint64) bool { return fitsInt(x, d) })
	}
	return eachFits(v, Int64, d, func(x int64) bool { return fitsInt(x, d) })
}

// eachFits returns an error that names the first element of v, read as dtype wide, that does not fit d.
func eachFits[T element](v *Array, wide, d DType, fits func(T) bool) error {
	in := newStream(v, wide)
	for rest := v.Size(); rest > 0; {
		n := min(rest, blockLen)
		for _, x := range elements[T](in.next(n))[:n] {
			if !fits(x) {
				return &Error{Msg: fmt.Sprintf("%v does not fit %v (%s); replace it first, as with Where or Clip, or convert the array", x, d, limits(d))}
			}
		}
		rest -= n
	}
	return nil
}

// assigned returns value as what is assigned to elements of dtype d. It panics with an *Error of op where d does not
// hold it.
func assigned(op string, value any, d DType) *Array {
	v, _, err := AsArray(value)
	check(op, err)
	check(op, d.Holds(v))
	return v
}

// Update assigns to the elements that idx selects what was computed of them: x[idx] op= y in a cell is
// x.Update(x.At(idx) op y, idx). It is [Array.Set], but for a result of another kind than the elements, as of a float
// for ints: there is an error, as with [Into], where Set would cut it to the dtype (numpy.can_cast with "same_kind").
// Ints that overflow wrap, as they do in the operation itself.
func (a *Array) Update(value ArrayLike, idx ...any) {
	a.assigned()
	v := must("update", value)
	check("update", a.dtype.TakesBack(v.dtype))
	if a.dtype.IsInt() && v.dtype.IsInt() {
		v = v.AsType(a.dtype)
	}
	a.Set(v, idx...)
}

// Adds says, as an error, that values of dtype v are not added in place to elements of dtype d. See [Array.AddAt].
func (d DType) Adds(v DType) error {
	if v.IsInt() && d.IsInt() {
		return nil
	}
	return d.TakesBack(v)
}

// TakesBack says, as an error, that results of another dtype are not put back where elements of dtype d were. See
// [Array.Update].
func (d DType) TakesBack(result DType) error {
	if sameKind(result, d) {
		return nil
	}
	return &Error{Msg: fmt.Sprintf("the result is of %v and does not go back into elements of %v; convert the array first, or assign the result as x[...] = (...).AsType(...)", result, d)}
}
