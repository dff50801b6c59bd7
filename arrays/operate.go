package arrays

import (
	"fmt"
	"reflect"
)

// operations are the operators that [Wiring.Operate] knows.
//
//mirror:copy
var operations = map[string]Ufunc{
	"+": OpAdd, "-": OpSub, "*": OpMul, "/": OpDiv, "%": OpRemainder, "&": OpBitAnd, "|": OpBitOr, "^": OpBitXor, "<<": OpLeftShift, ">>": OpRightShift,
}

// Operate returns x op y for a Go operator, of arrays as the operators of cells do it, of Go numbers of one type as Go
// does: it is what an operator in a generic function becomes whose type may be either.
//
//mirror:copy
func (Wiring) Operate(op string, x, y any) any {
	u, ok := operations[op]
	if !ok && op != "&^" {
		check("operate", &Error{Msg: fmt.Sprintf("%.60q is not an operator of arrays", op)})
	}
	if _, array := x.(*Array); !array {
		if _, array := y.(*Array); !array {
			return arithmetic(op, x, y)
		}
	}
	if op == "&^" { // x ^ x&y: the complement of a number, which is weak, would not fit unsigned elements
		u, y = OpBitXor, Apply(OpBitAnd, x, y)
	}
	return Apply(u, x, y)
}

// arithmetic is x op y of two numbers, in the type of x unless that is an int which stands for an untyped constant.
//
//mirror:copy
func arithmetic(op string, x, y any) any {
	a, b := reflect.ValueOf(x), reflect.ValueOf(y)
	switch t := a.Type(); {
	case t == b.Type():
	case t.Kind() == reflect.Int && a.CanConvert(b.Type()):
		a = a.Convert(b.Type())
	case b.CanConvert(t):
		b = b.Convert(t)
	}
	out := reflect.New(a.Type()).Elem()
	switch {
	case a.CanInt():
		out.SetInt(integers(op, a.Int(), b.Int()))
	case a.CanUint():
		out.SetUint(integers(op, a.Uint(), b.Uint()))
	case a.CanFloat():
		out.SetFloat(inexact(op, a.Float(), b.Float()))
	case a.CanComplex():
		out.SetComplex(inexact(op, a.Complex(), b.Complex()))
	default:
		check("operate", &Error{Msg: fmt.Sprintf("%T %s %T is not an operation", x, op, y)})
	}
	return out.Interface()
}

//mirror:copy
func integers[T int64 | uint64](op string, x, y T) T {
	switch op {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/":
		return x / y
	case "%":
		return x % y
	case "&":
		return x & y
	case "|":
		return x | y
	case "^":
		return x ^ y
	case "&^":
		return x &^ y
	case "<<":
		return x << y
	}
	return x >> y
}

//mirror:copy
func inexact[T float64 | complex128](op string, x, y T) T {
	switch op {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/":
		return x / y
	}
	check("operate", &Error{Msg: fmt.Sprintf("floats have no operator %s", op)})
	return 0
}
