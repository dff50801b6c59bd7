package arrays

import (
	"fmt"
	"slices"
)

// Ufunc is an elementwise operation: its inputs broadcast, and every element of the result depends on the inputs'
// elements at the same place alone.
type Ufunc uint8

// String returns NumPy's name of u, as "add".
func (u Ufunc) String() string {
	if int(u) < NumUfuncs {
		return ufuncs[u].name
	}
	return fmt.Sprintf("ufunc(%d)", uint8(u))
}

// NIn returns the number of inputs.
func (u Ufunc) NIn() int { return int(ufuncInputs[u]) }

// Resolve returns the dtype to which the inputs are cast and in which u computes, and the dtype of the result. For
// OpWhere compute is that of the second and third input; the first is cast to Bool. The error says which dtypes u
// refuses.
func (u Ufunc) Resolve(in ...Operand) (compute, out DType, err error) {
	return allOperations[u].dtypes(in)
}

// dtypes is Resolve.
func (op *operation) dtypes(in []Operand) (compute, out DType, err error) {
	if len(in) != op.NIn() {
		return 0, 0, &Error{Op: op.String(), Msg: fmt.Sprintf("%d operands are given; it takes %d", len(in), op.NIn())}
	}
	compute, out, err = op.resolve(in)
	if err != nil {
		return 0, 0, withOp(op.String(), err)
	}
	for _, o := range in {
		if out != Bool {
			if err := o.unfit(compute); err != nil {
				return 0, 0, withOp(op.String(), err)
			}
		}
	}
	return compute, out, nil
}

// resolve is Resolve but for the values of Go numbers.
func (op *operation) resolve(in []Operand) (compute, out DType, err error) {
	u := op.Ufunc
	if slices.ContainsFunc(in, func(o Operand) bool { return o.DType.IsTime() }) && u != OpWhere && !u.isLogical() {
		return u.resolveTime(in)
	}
	compute, out, err = ufuncs[u].rule(in)
	if err == nil && op.loopOf(compute, out) == nil {
		err = refuse(compute)
	}
	return compute, out, err
}

// isLogical reports whether u takes every dtype as "not zero".
func (u Ufunc) isLogical() bool { return u >= OpLogicalAnd && u <= OpLogicalNot || u == OpLogicalXor }

// isCheap reports whether u takes of ints hardly more time than they take to come from memory.
func (u Ufunc) isCheap() bool {
	switch u {
	case OpPow, OpFloorDiv, OpRemainder:
		return false
	}
	return ufuncs[u].function == ""
}

// logicalLoop returns the loop of a logical operation on elements of dtype d as they are, nil where they are converted
// to bools first.
func (op *operation) logicalLoop(d DType) loop {
	if !op.isLogical() || !d.IsNumber() {
		return nil
	}
	return op.loops()[d]
}

// loopOf returns the loop of op for what Resolve gave, nil when there is none.
func (op *operation) loopOf(compute, out DType) loop {
	switch u := op.Ufunc; {
	case u == OpWhere && !compute.IsNumber():
		return chooseLoop(compute)
	case compute.IsNumber() && out.IsTime():
		if u == OpFloorDiv { // spans are cut towards zero anyway
			op = &opDiv
		}
		return spanOfFloat(op.loops()[compute])
	case compute.IsNumber():
		return op.loops()[compute]
	case compute.IsString():
		return stringLoop(u, compute)
	default:
		return timeLoop(u, out)
	}
}

// refuse says what to do instead of an operation that d does not have.
func refuse(d DType) error {
	hint := "convert with AsType(Float64) first"
	switch d.Kind() {
	case KindBool:
		hint = "convert with AsType(Int64) first"
	case KindFloat:
		return &Error{Msg: fmt.Sprintf("%v has no bits to work on; convert with AsType(Int64), or compare first", d)}
	case KindComplex:
		hint = "take Real, Imag or Abs first"
	case KindString:
		hint = "strings compare and sort; read numbers from them with AsType(Float64)"
	case KindTime:
		hint = timeHint
	}
	return &Error{Msg: fmt.Sprintf("there is no such operation on %v; %s", d, hint)}
}
