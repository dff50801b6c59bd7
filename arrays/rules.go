package arrays

import "fmt"

// rule gives the dtypes of an operation: what the inputs are cast to, and what comes out. A dtype for which the
// operation has no loop is refused afterwards.
type rule func(in []Operand) (compute, out DType, err error)

// ruleCommon computes in the promoted dtype and gives it.
func ruleCommon(in []Operand) (compute, out DType, err error) {
	d, err := commonDType(in...)
	return d, d, err
}

// ruleNumber is ruleCommon for operations that bools do not have; instead says what to use for them.
func ruleNumber(instead string) rule {
	return func(in []Operand) (compute, out DType, err error) {
		d, err := commonDType(in...)
		if err == nil && d.IsBool() {
			err = &Error{Msg: fmt.Sprintf("bools have no such operation; %s, or convert with AsType(Int64)", instead)}
		}
		return d, d, err
	}
}

// ruleFloat is for functions of real numbers: every array counts as the smallest float that holds its values.
func ruleFloat(in []Operand) (compute, out DType, err error) {
	d, err := commonDType(in...)
	if err != nil || !d.IsNumber() {
		return d, d, err
	}
	floats, strongest := Float16, -1
	for _, o := range in {
		if !o.Weak {
			floats, strongest = Promote(floats, floatOf(o.DType)), max(strongest, int(o.DType.Kind()))
		}
	}
	if int(d.Kind()) > strongest { // a Go number decides
		floats = floatOf(d)
	}
	return floats, floats, nil
}

// ruleDivide is ruleFloat, but of ints and bools the result is float64.
func ruleDivide(in []Operand) (compute, out DType, err error) {
	d, err := commonDType(in...)
	if err == nil && d.Kind() <= KindInt {
		return Float64, Float64, nil
	}
	return ruleFloat(in)
}

// rulePower is ruleCommon, but a power of bools is an int8.
func rulePower(in []Operand) (compute, out DType, err error) {
	d, err := commonDType(in...)
	if d.IsBool() {
		d = Int8
	}
	return d, d, err
}

// ruleReal is ruleCommon, but what comes out of complex numbers is real.
func ruleReal(in []Operand) (compute, out DType, err error) {
	d, err := commonDType(in...)
	return d, realOf(d), err
}

// ruleAngle is that of arctan2 with the Go number 0 for the imaginary part.
func ruleAngle(in []Operand) (compute, out DType, err error) {
	d, _, err := ruleFloat([]Operand{in[0], {DType: Int64, Weak: true}})
	return d, realOf(d), err
}

// ruleCompare compares in the promoted dtype; a Go number that does not fit it is no longer weak, so that bytes compare
// with 300.
func ruleCompare(in []Operand) (compute, out DType, err error) {
	d, err := commonDType(in...)
	for i, o := range in {
		if err == nil && !o.fits(d) {
			wide := append([]Operand{}, in...)
			wide[i].Weak = false
			return ruleCompare(wide)
		}
	}
	return d, Bool, err
}

// ruleLogical takes every dtype as "not zero".
func ruleLogical(_ []Operand) (compute, out DType, err error) { return Bool, Bool, nil }

// ruleWhere promotes what is chosen from; the condition is "not zero".
func ruleWhere(in []Operand) (compute, out DType, err error) {
	d, err := commonDType(in[1:]...)
	return d, d, err
}

// ruleBitCount counts in ints; bools are those of one bit.
func ruleBitCount(in []Operand) (compute, out DType, err error) {
	d, err := commonDType(in...)
	switch {
	case err != nil:
	case d.IsBool():
		d = Uint8
	case !d.IsInt():
		err = &Error{Msg: fmt.Sprintf("%v are not ints; convert them with AsType(Int64)", d)}
	}
	return d, Uint8, err
}
