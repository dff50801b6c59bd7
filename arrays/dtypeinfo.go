package arrays

import (
	"fmt"
	"math"
)

// FloatInfo is what a dtype of floats can hold. Of complex ones it is that of their parts.
type FloatInfo struct {
	Bits           int
	Eps            float64 // from 1 to the next float
	Max, Min       float64 // the largest and the smallest number
	SmallestNormal float64 // the least above 0 with all digits
}

// FInfo returns the limits of a dtype of floats. It panics with *Error for others.
func FInfo(d DType) FloatInfo {
	switch realOf(d) {
	case Float16:
		return FloatInfo{16, 0x1p-10, 65504, -65504, 0x1p-14}
	case Float32:
		return FloatInfo{32, 0x1p-23, math.MaxFloat32, -math.MaxFloat32, 0x1p-126}
	case Float64:
		return FloatInfo{64, 0x1p-52, math.MaxFloat64, -math.MaxFloat64, 0x1p-1022}
	}
	check("finfo", &Error{Msg: fmt.Sprintf("%v is not a dtype of floats; IInfo knows ints", d)})
	return FloatInfo{}
}

// IntInfo is what a dtype of ints can hold.
type IntInfo struct {
	Bits int
	Min  int64
	Max  uint64
}

// IInfo returns the limits of a dtype of ints. It panics with *Error for others.
func IInfo(d DType) IntInfo {
	if !d.IsInt() {
		check("iinfo", &Error{Msg: fmt.Sprintf("%v is not a dtype of ints; FInfo knows floats", d)})
	}
	bits := 8 * d.Size()
	if d.IsUnsigned() {
		return IntInfo{bits, 0, math.MaxUint64 >> (64 - bits)}
	}
	return IntInfo{bits, math.MinInt64 >> (64 - bits), math.MaxInt64 >> (64 - bits)}
}

// CanCast reports whether every value of from is one of to, as numpy.can_cast does it: by promotion.
func CanCast(from, to DType) bool {
	d, err := commonDType(Operand{DType: from}, Operand{DType: to})
	return err == nil && d == to
}

// IsDType reports whether d is of one of the kinds of the Array API standard: "bool", "signed integer", "unsigned
// integer", "integral", "real floating", "complex floating", "numeric".
func IsDType(d DType, kinds ...string) bool {
	for _, k := range kinds {
		var is bool
		switch k {
		case "bool":
			is = d.IsBool()
		case "signed integer":
			is = d.IsInt() && !d.IsUnsigned()
		case "unsigned integer":
			is = d.IsInt() && d.IsUnsigned()
		case "integral":
			is = d.IsInt()
		case "real floating":
			is = d.IsFloat()
		case "complex floating":
			is = d.IsComplex()
		case "numeric":
			is = d.IsNumber() && !d.IsBool()
		default:
			check("isdtype", &Error{Msg: fmt.Sprintf("there is no kind %.60q; the kinds are bool, signed integer, unsigned integer, integral, real floating, complex floating, numeric", k)})
		}
		if is {
			return true
		}
	}
	return false
}

// ResultType returns the dtype that arrays, dtypes and Go numbers have in common; Go numbers are weak. It panics with
// *Error when there is none.
func ResultType(xs ...any) DType {
	var in []Operand
	for _, x := range xs {
		switch v := x.(type) {
		case DType:
			in = append(in, Operand{DType: v})
		case interface{ DType() DType }:
			in = append(in, Operand{DType: v.DType()})
		default:
			a, weak, err := AsArray(x)
			check("result_type", err)
			in = append(in, operandOf(a, weak))
		}
	}
	if len(in) == 0 {
		check("result_type", &Error{Msg: "nothing is given; name arrays, dtypes or numbers"})
	}
	d, err := commonDType(in...)
	check("result_type", err)
	return d
}
