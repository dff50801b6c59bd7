package lazy

import (
	"math"

	"github.com/arrayrepl/arrayrepl/kir"
)

// The ufuncs below are expressions of several operations in a kernel. Each gives the bits of the loop in package
// arrays.

// number is the constant v of x's type.
func number(b *kir.Builder, x *kir.Value, v float64) *kir.Value {
	if x.Type.IsFloat() {
		return b.Const(x.Type, v)
	}
	return b.Int(x.Type, int64(v))
}

func times(c float64) func(b *kir.Builder, x []*kir.Value) *kir.Value {
	return func(b *kir.Builder, x []*kir.Value) *kir.Value { return b.Op(kir.OpMul, x[0], number(b, x[0], c)) }
}

// whole makes the expression of a function that rounds floats: f works below the size from which floats are whole, and
// a zero gets the sign of x. Ints and bools are as they are.
func whole(f func(b *kir.Builder, x *kir.Value) *kir.Value) func(b *kir.Builder, x []*kir.Value) *kir.Value {
	return func(b *kir.Builder, args []*kir.Value) *kir.Value {
		x := args[0]
		if !x.Type.IsFloat() {
			return x
		}
		r := f(b, x)
		zero := number(b, x, 0)
		r = b.Op(kir.OpSelect, b.Op(kir.OpEq, r, zero), b.Op(kir.OpMul, x, zero), r)
		return b.Op(kir.OpSelect, b.Op(kir.OpLt, b.Op(kir.OpAbs, x), number(b, x, wholeFrom(x.Type))), r, x)
	}
}

// wholeFrom is the size from which all floats are whole numbers.
func wholeFrom(t kir.Type) float64 {
	if t == kir.F32 {
		return 1 << 23
	}
	return 1 << 52
}

func trunc(b *kir.Builder, x *kir.Value) *kir.Value { return b.Convert(x.Type, b.Convert(kir.I64, x)) }

func floor(b *kir.Builder, x *kir.Value) *kir.Value {
	t := trunc(b, x)
	return b.Op(kir.OpSelect, b.Op(kir.OpGt, t, x), b.Op(kir.OpSub, t, number(b, x, 1)), t)
}

func ceil(b *kir.Builder, x *kir.Value) *kir.Value {
	t := trunc(b, x)
	return b.Op(kir.OpSelect, b.Op(kir.OpLt, t, x), b.Op(kir.OpAdd, t, number(b, x, 1)), t)
}

// rint rounds by adding and taking away the number whose last place is 1: the addition rounds halves to even.
func rint(b *kir.Builder, x *kir.Value) *kir.Value {
	big := number(b, x, wholeFrom(x.Type))
	up := b.Op(kir.OpSub, b.Op(kir.OpAdd, x, big), big)
	down := b.Op(kir.OpAdd, b.Op(kir.OpSub, x, big), big)
	return b.Op(kir.OpSelect, b.Op(kir.OpLt, x, number(b, x, 0)), down, up)
}

func sign(b *kir.Builder, args []*kir.Value) *kir.Value {
	x, zero := args[0], number(b, args[0], 0)
	r := b.Op(kir.OpSelect, b.Op(kir.OpEq, x, zero), zero, x) // -0 and NaN
	r = b.Op(kir.OpSelect, b.Op(kir.OpLt, x, zero), number(b, x, -1), r)
	return b.Op(kir.OpSelect, b.Op(kir.OpGt, x, zero), number(b, x, 1), r)
}

// uneven is where x/y leaves a remainder and the signs differ, so that rounding down is not rounding to zero.
func uneven(b *kir.Builder, x, y, rem *kir.Value) *kir.Value {
	zero := number(b, x, 0)
	signs := b.Op(kir.OpNe, b.Op(kir.OpLt, rem, zero), b.Op(kir.OpLt, y, zero))
	return b.Op(kir.OpAnd, b.Op(kir.OpNe, rem, zero), signs)
}

func floorDiv(b *kir.Builder, x []*kir.Value) *kir.Value {
	q, rem := b.Op(kir.OpDiv, x...), b.Op(kir.OpRem, x...)
	return b.Op(kir.OpSelect, uneven(b, x[0], x[1], rem), b.Op(kir.OpSub, q, number(b, q, 1)), q)
}

func remainder(b *kir.Builder, x []*kir.Value) *kir.Value {
	rem := b.Op(kir.OpRem, x...)
	return b.Op(kir.OpSelect, uneven(b, x[0], x[1], rem), b.Op(kir.OpAdd, rem, x[1]), rem)
}

func isNaN(b *kir.Builder, x []*kir.Value) *kir.Value { return b.Op(kir.OpNe, x[0], x[0]) }

func isInf(b *kir.Builder, x []*kir.Value) *kir.Value {
	if !x[0].Type.IsFloat() {
		return b.Op(kir.OpNe, x[0], x[0])
	}
	return b.Op(kir.OpEq, b.Op(kir.OpAbs, x[0]), number(b, x[0], math.Inf(1)))
}

func isFinite(b *kir.Builder, x []*kir.Value) *kir.Value {
	if !x[0].Type.IsFloat() {
		return b.Op(kir.OpEq, x[0], x[0])
	}
	return b.Op(kir.OpLt, b.Op(kir.OpAbs, x[0]), number(b, x[0], math.Inf(1)))
}

// shift makes the expression of a shift: counts outside of 0 to 63 shift everything out.
func shift(op kir.Op) func(b *kir.Builder, x []*kir.Value) *kir.Value {
	return func(b *kir.Builder, x []*kir.Value) *kir.Value {
		all := b.Int(kir.U64, 64)
		count := b.Op(kir.OpMin, b.Convert(kir.U64, x[1]), all) // a negative count is a large one
		return b.Op(op, x[0], b.Convert(kir.U32, count))
	}
}

// bitCount counts the ones of the absolute value; of the smallest int, which has none, the bits are those of it.
func bitCount(b *kir.Builder, x []*kir.Value) *kir.Value {
	v := x[0]
	switch t := v.Type; {
	case t.Bytes() < 4 && t.IsSigned():
		v = b.Convert(kir.I32, v)
	case t.Bytes() < 4:
		v = b.Convert(kir.U32, v)
	}
	if v.Type.IsSigned() {
		v = b.Op(kir.OpAbs, v)
	}
	return b.Op(kir.OpPopc, v)
}

func itself(_ *kir.Builder, x []*kir.Value) *kir.Value { return x[0] }

// unlessNaN makes the expression of a maximum or a minimum that takes a number rather than a NaN: of ints it is one
// operation, of bools another, and of floats the first operand where it compares so, or the other one is a NaN.
func unlessNaN(op, bools, compare kir.Op) func(b *kir.Builder, x []*kir.Value) *kir.Value {
	return func(b *kir.Builder, x []*kir.Value) *kir.Value {
		switch {
		case x[0].Type == kir.Bool:
			return b.Op(bools, x...)
		case !x[0].Type.IsFloat():
			return b.Op(op, x...)
		}
		return b.Op(kir.OpSelect, b.Op(kir.OpOr, b.Op(compare, x...), b.Op(kir.OpNe, x[1], x[1])), x[0], x[1])
	}
}

// asInt are the bits of x, a float, as an int that is negative where x has its sign bit set.
func asInt(b *kir.Builder, x *kir.Value) *kir.Value {
	if x.Type == kir.F32 {
		return b.Bitcast(kir.I32, x)
	}
	return b.Bitcast(kir.I64, x)
}

func copySign(b *kir.Builder, x []*kir.Value) *kir.Value {
	size, of := asInt(b, x[0]), asInt(b, x[1])
	sign := b.Bits(size.Type, 1<<(8*size.Type.Bytes()-1))
	rest := b.Op(kir.OpXor, sign, b.Bits(size.Type, math.MaxUint64))
	return b.Bitcast(x[0].Type, b.Op(kir.OpOr, b.Op(kir.OpAnd, size, rest), b.Op(kir.OpAnd, of, sign)))
}

func signBit(b *kir.Builder, args []*kir.Value) *kir.Value {
	x := args[0]
	switch {
	case x.Type == kir.Bool:
		return b.Bits(kir.Bool, 0)
	case x.Type.IsFloat():
		x = asInt(b, x)
	}
	return b.Op(kir.OpLt, x, b.Bits(x.Type, 0))
}

// angle is that of a real number: pi where it has a sign, and NaN of NaN.
func angle(b *kir.Builder, args []*kir.Value) *kir.Value {
	x := args[0]
	a := b.Op(kir.OpSelect, signBit(b, args), number(b, x, math.Pi), number(b, x, 0))
	return b.Op(kir.OpSelect, b.Op(kir.OpNe, x, x), x, a)
}

func absolute(b *kir.Builder, x []*kir.Value) *kir.Value {
	if x[0].Type == kir.Bool {
		return x[0]
	}
	return b.Op(kir.OpAbs, x...)
}
