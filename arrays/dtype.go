package arrays

import "strconv"

// DType is the type of an array's elements. Its numbers are not stable across versions; names are.
type DType uint8

// The dtypes. A bool is one byte, 0 or 1.
const (
	Bool DType = iota
	Int64
	Float32
	Float64
	numDTypes = iota
)

// Kind groups dtypes by what they can represent, in the order in which promotion climbs.
type Kind uint8

// The kinds.
const (
	KindBool Kind = iota
	KindInt
	KindFloat
)

// dtypes is the one table of dtypes: NumPy's name, bytes an element, kind.
var dtypes = [numDTypes]struct {
	name string
	size int
	kind Kind
}{
	Bool:    {"bool", 1, KindBool},
	Int64:   {"int64", 8, KindInt},
	Float32: {"float32", 4, KindFloat},
	Float64: {"float64", 8, KindFloat},
}

// promotions is numpy.promote_types (NumPy 2.3), row and column in the order of the constants.
var promotions = [numDTypes][numDTypes]DType{
	Bool:    {Bool, Int64, Float32, Float64},
	Int64:   {Int64, Int64, Float64, Float64},
	Float32: {Float32, Float64, Float32, Float64},
	Float64: {Float64, Float64, Float64, Float64},
}

// defaults is the dtype that a Go number gets from its kind when no array decides (NEP 50).
var defaults = [...]DType{KindBool: Bool, KindInt: Int64, KindFloat: Float64}

// String returns NumPy's name of d, as "float64".
func (d DType) String() string {
	if int(d) < numDTypes {
		return dtypes[d].name
	}
	return "dtype(" + strconv.Itoa(int(d)) + ")"
}

// Size returns the bytes of one element.
func (d DType) Size() int { return dtypes[d].size }

// Kind returns the kind of d.
func (d DType) Kind() Kind { return dtypes[d].kind }

// IsBool reports whether d is Bool.
func (d DType) IsBool() bool { return d.Kind() == KindBool }

// IsInt reports whether d is an integer dtype; Bool is not.
func (d DType) IsInt() bool { return d.Kind() == KindInt }

// IsFloat reports whether d is a floating-point dtype.
func (d DType) IsFloat() bool { return d.Kind() == KindFloat }

// Promote returns the dtype to which arrays of dtypes a and b are both cast: numpy.promote_types(a, b).
func Promote(a, b DType) DType { return promotions[a][b] }

// Operand is one input of an operation as far as dtypes go. A weak operand is a Go number: it counts by its kind alone.
type Operand struct {
	DType DType
	Weak  bool
}

// commonDType is numpy.result_type: the arrays' promotion, raised to a default dtype where a Go number is of a higher kind.
func commonDType(in ...Operand) DType {
	var strong DType // Bool, the identity of Promote
	anyStrong := false
	weakest := KindBool
	for _, o := range in {
		if o.Weak {
			weakest = max(weakest, o.DType.Kind())
			continue
		}
		strong, anyStrong = Promote(strong, o.DType), true
	}
	if !anyStrong || weakest > strong.Kind() {
		return defaults[weakest]
	}
	return strong
}
