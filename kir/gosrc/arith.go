package gosrc

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/kir"
)

var binaryOps = map[token.Token]kir.Op{
	token.ADD: kir.OpAdd, token.SUB: kir.OpSub, token.MUL: kir.OpMul, token.QUO: kir.OpDiv, token.REM: kir.OpRem,
	token.AND: kir.OpAnd, token.OR: kir.OpOr, token.XOR: kir.OpXor,
	token.EQL: kir.OpEq, token.NEQ: kir.OpNe, token.LSS: kir.OpLt, token.LEQ: kir.OpLe, token.GTR: kir.OpGt, token.GEQ: kir.OpGe,
}

// binary makes the code of a binary operation with Go's results: integers wrap, a division by zero ends the run.
func (l *lowerer) binary(in *ssa.BinOp, x, y value) value {
	switch in.Op {
	case token.SHL, token.SHR:
		return plain(l.shift(in, x.scalar(), y.scalar()))
	case token.AND_NOT:
		return plain(l.b.Op(kir.OpAnd, x.scalar(), l.b.Op(kir.OpNot, y.scalar())))
	case token.EQL, token.NEQ:
		return plain(l.equal(in, x, y))
	}
	if isComplex(in.X.Type()) {
		return l.complexOp(in, x, y)
	}
	a, b := x.scalar(), y.scalar()
	if a == nil || b == nil {
		l.fail(in.Pos(), "", "kernel code cannot compute with strings")
	}
	if (in.Op == token.QUO || in.Op == token.REM) && a.Type.IsInteger() {
		l.checkDivisor(b)
	}
	return plain(l.b.Op(binaryOps[in.Op], a, b))
}

// shift makes a shift with Go's results: counts of the width and more shift everything out, negative ones end the run.
func (l *lowerer) shift(in *ssa.BinOp, x, count *kir.Value) *kir.Value {
	if count.Op != kir.OpConst {
		if count.Type.IsSigned() && !l.unchecked {
			wide := l.b.Convert(kir.I64, count)
			l.b.Check(kir.CheckShift, l.b.Op(kir.OpGe, wide, l.b.Int(kir.I64, 0)), wide, nil, "")
		}
		if count.Type.Bytes() == 8 { // what is cut off must count
			count = l.b.Op(kir.OpMin, l.b.Convert(kir.U64, count), l.b.Int(kir.U64, 64))
		}
	}
	op := kir.OpShl
	if in.Op == token.SHR {
		op = kir.OpShr
	}
	return l.b.Op(op, x, l.b.Convert(kir.U32, count))
}

// equal compares all parts.
func (l *lowerer) equal(in *ssa.BinOp, x, y value) *kir.Value {
	var all *kir.Value
	if s, ok := in.X.Type().Underlying().(*types.Slice); ok && s != nil { // with nil
		x, y = x[:1], y[:1]
	}
	for i := range x {
		if x[i].v == nil || y[i].v == nil {
			l.fail(in.Pos(), "", "kernel code cannot compare values of type %s", typeName(in.X.Type()))
		}
		eq := l.b.Op(kir.OpEq, x[i].v, y[i].v)
		if all == nil {
			all = eq
		} else {
			all = l.b.Op(kir.OpAnd, all, eq)
		}
	}
	switch {
	case all == nil: // of empty structs
		all = l.b.Bits(kir.Bool, 1)
	case len(x) == 1 && in.Op == token.NEQ:
		return l.b.Op(kir.OpNe, x[0].v, y[0].v)
	}
	if in.Op == token.NEQ {
		all = l.b.Op(kir.OpNot, all)
	}
	return all
}

func isComplex(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsComplex != 0
}

// complexOp is complex arithmetic as Go's compiler does it, without contraction. A quotient has special cases that are
// not worth their code here.
func (l *lowerer) complexOp(in *ssa.BinOp, x, y value) value {
	op := func(o kir.Op, a, b *kir.Value) *kir.Value { return l.b.Op(o, a, b) }
	a, b, c, d := x[0].v, x[1].v, y[0].v, y[1].v
	switch in.Op {
	case token.ADD, token.SUB:
		return plain(op(binaryOps[in.Op], a, c), op(binaryOps[in.Op], b, d))
	case token.MUL:
		re := op(kir.OpSub, op(kir.OpMul, a, c), op(kir.OpMul, b, d))
		im := op(kir.OpAdd, op(kir.OpMul, a, d), op(kir.OpMul, b, c))
		return plain(re, im)
	}
	l.fail(in.Pos(), "multiply with the conjugate and divide by the squared size", "kernel code cannot divide complex numbers")
	return nil
}

// convert makes a conversion between numbers.
func (l *lowerer) convert(in *ssa.Convert, x value) value {
	if isComplex(in.Type()) && isComplex(in.X.Type()) {
		k := l.parts(in.Type(), in.Pos())[0]
		return plain(l.b.Convert(k, x[0].v), l.b.Convert(k, x[1].v))
	}
	k, ok := scalarOf(in.Type())
	if _, from := scalarOf(in.X.Type()); !ok || !from {
		l.fail(in.Pos(), "", "kernel code cannot convert %s to %s", typeName(in.X.Type()), typeName(in.Type()))
	}
	return plain(l.b.Cast(k, x.scalar()))
}
