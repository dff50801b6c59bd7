package arrays

import "fmt"

// rule gives the dtypes of an operation: what the inputs are cast to, and what comes out.
type rule func(in []Operand) (compute, out DType, err error)

// ruleCommon computes in the promoted dtype and gives it.
func ruleCommon(in []Operand) (compute, out DType, err error) {
	d := commonDType(in...)
	return d, d, nil
}

// ruleNumber is ruleCommon for operations that bools do not have; instead says what to use for them.
func ruleNumber(instead string) rule {
	return func(in []Operand) (compute, out DType, err error) {
		d := commonDType(in...)
		if d.IsBool() {
			return 0, 0, &Error{Msg: fmt.Sprintf("bools have no such operation; %s, or convert with AsType(Int64)", instead)}
		}
		return d, d, nil
	}
}

// ruleFloat is for operations with real results: ints and bools become float64.
func ruleFloat(in []Operand) (compute, out DType, err error) {
	d := commonDType(in...)
	if !d.IsFloat() {
		d = Float64
	}
	return d, d, nil
}

// rulePower is ruleCommon, but a power of bools is an int64.
func rulePower(in []Operand) (compute, out DType, err error) {
	d := commonDType(in...)
	if d.IsBool() {
		d = Int64
	}
	return d, d, nil
}

// ruleBits is ruleCommon for operations on bits, which floats do not have.
func ruleBits(in []Operand) (compute, out DType, err error) {
	d := commonDType(in...)
	if d.IsFloat() {
		return 0, 0, &Error{Msg: fmt.Sprintf("%v has no bits to work on; convert with AsType(Int64), or compare first", d)}
	}
	return d, d, nil
}

// ruleShift is ruleBits, but bools shift as int64.
func ruleShift(in []Operand) (compute, out DType, err error) {
	d, _, err := ruleBits(in)
	if d.IsBool() {
		d = Int64
	}
	return d, d, err
}

// ruleCompare compares in the promoted dtype.
func ruleCompare(in []Operand) (compute, out DType, err error) {
	return commonDType(in...), Bool, nil
}

// ruleLogical takes every dtype as "not zero".
func ruleLogical(_ []Operand) (compute, out DType, err error) { return Bool, Bool, nil }

// ruleWhere promotes what is chosen from; the condition is "not zero".
func ruleWhere(in []Operand) (compute, out DType, err error) {
	d := commonDType(in[1:]...)
	return d, d, nil
}
