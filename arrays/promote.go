package arrays

import "fmt"

// Promote returns the dtype to which arrays of dtypes a and b are both cast: numpy.promote_types(a, b), the smallest
// that holds the values of both. It panics with *Error where there is none: of strings and numbers, of months and days.
func Promote(a, b DType) DType {
	d, err := promote(a, b)
	check("promote", err)
	return d
}

func promote(a, b DType) (DType, error) {
	if a == b {
		return a, nil
	}
	if a.IsNumber() && b.IsNumber() {
		return promotions[a][b], nil
	}
	switch {
	case a.IsString() && b.IsString() && (a == StringDType || b == StringDType):
		return StringDType, nil
	case a.IsString() && b.IsString():
		return Str(max(a.chars(), b.chars())), nil
	case a.IsTime() && b.IsTime() && a.class() == b.class():
		u, err := commonUnit(a.unit(), b.unit(), a.isSpan(), b.isSpan())
		return a.class() | DType(u)<<8, err
	case a.isSpan() && (b.IsInt() || b.IsBool()):
		return a, nil
	case b.isSpan() && (a.IsInt() || a.IsBool()):
		return b, nil
	}
	return 0, &Error{Msg: fmt.Sprintf("%v and %v have no common dtype; convert one of them with AsType", a, b)}
}

// promotions is Promote of the dtypes of numbers.
var promotions = func() (t [numDTypes][numDTypes]DType) {
	for a := range DType(numDTypes) {
		for b := range DType(numDTypes) {
			t[a][b] = promoteNumbers(a, b)
		}
	}
	return t
}()

// promoteNumbers takes the higher kind, and within it the smallest size that holds both.
func promoteNumbers(a, b DType) DType {
	if a.Kind() > b.Kind() {
		a, b = b, a
	}
	switch {
	case a == b || a.IsBool():
		return b
	case b.IsComplex():
		return max(b, complexOf(floatOf(a)))
	case b.IsFloat():
		return max(b, floatOf(a))
	case a.IsUnsigned() == b.IsUnsigned():
		return max(a, b)
	case b.IsUnsigned():
		a, b = b, a
	}
	// a has no sign, b has one: twice the size of a holds it.
	if a == Uint64 {
		return Float64
	}
	return max(b, a-Uint8+Int16)
}

// floatOf is the smallest float that holds the values of d, or float64 for the largest integers; of a complex dtype,
// itself.
func floatOf(d DType) DType {
	switch {
	case d.IsFloat() || d.IsComplex():
		return d
	case d.Size() == 1:
		return Float16
	case d.Size() == 2:
		return Float32
	}
	return Float64
}

// complexOf is the smallest complex dtype whose parts hold the float d.
func complexOf(d DType) DType {
	if d == Float64 || d == Complex128 {
		return Complex128
	}
	return Complex64
}

// realOf is the dtype of the parts of a complex dtype; others are themselves.
func realOf(d DType) DType {
	switch d {
	case Complex64:
		return Float32
	case Complex128:
		return Float64
	}
	return d
}

// Operand is one input of an operation as far as dtypes go. A weak operand is a Go number: it counts by its kind alone.
type Operand struct {
	DType DType
	Weak  bool
	Value *Array // of a weak operand, if it is known: an integer must fit the dtype that the operation computes in
}

// commonDType is numpy.result_type: the arrays' promotion, raised where a Go number is of a higher kind.
func commonDType(in ...Operand) (DType, error) {
	strong, weak, anyStrong, anyWeak := Bool, Bool, false, false
	for _, o := range in {
		if o.Weak {
			weak, anyWeak = max(weak, defaultOf(o.DType)), true
			continue
		}
		if !anyStrong {
			strong, anyStrong = o.DType, true
			continue
		}
		var err error
		if strong, err = promote(strong, o.DType); err != nil {
			return 0, err
		}
	}
	switch {
	case !anyWeak:
		return strong, nil
	case !anyStrong:
		return weak, nil
	case strong.IsTime() && weak.IsInt() && strong.isSpan():
		return strong, nil
	case !strong.IsNumber():
		return promote(strong, weak)
	case weak.IsComplex() && strong.IsFloat():
		return complexOf(strong), nil
	case weak.Kind() > strong.Kind():
		return weak, nil
	}
	return strong, nil
}

// defaultOf is the dtype of a Go number when no array decides: the widest of its kind; a uint64 that no int64 holds
// stays.
func defaultOf(d DType) DType {
	switch d.Kind() {
	case KindInt:
		if d == Uint64 {
			return Uint64
		}
		return Int64
	case KindFloat:
		return Float64
	case KindComplex:
		return Complex128
	}
	return d
}

// fits reports whether the weak operand o, if its value is known, is representable in d.
func (o Operand) fits(d DType) bool {
	if !o.Weak || o.Value == nil || !o.DType.IsInt() || !d.IsInt() {
		return true
	}
	at := o.Value.layout.Offset
	if o.DType == Uint64 {
		return fitsInt(elements[uint64](o.Value.data)[at], d)
	}
	return fitsInt(elements[int64](o.Value.data)[at], d)
}

// unfit says, as an error, that o does not fit d.
func (o Operand) unfit(d DType) error {
	if o.fits(d) {
		return nil
	}
	return &Error{Msg: fmt.Sprintf("%v does not fit %v (%s); convert the array first, as with AsType(Int64)", o.Value, d, limits(d))}
}

// fitsInt reports whether the integer dtype d holds v.
func fitsInt[T int64 | uint64](v T, d DType) bool {
	bits := 8 * d.Size()
	if d.IsUnsigned() {
		return v >= 0 && uint64(v)>>(bits-1)>>1 == 0
	}
	if v < 0 {
		return int64(v)>>(bits-1) == -1
	}
	return uint64(v)>>(bits-1) == 0
}

// limits is the range of an integer dtype, for messages.
func limits(d DType) string {
	bits := 8 * d.Size()
	if d.IsUnsigned() {
		return fmt.Sprintf("0 to %d", ^uint64(0)>>(64-bits))
	}
	return fmt.Sprintf("%d to %d", int64(-1)<<(bits-1), int64(1)<<(bits-1)-1)
}
