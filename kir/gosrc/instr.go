package gosrc

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/kir"
)

// instr makes the code of one instruction.
func (l *lowerer) instr(f *frame, instr ssa.Instruction) {
	switch in := instr.(type) {
	case *ssa.DebugRef, *ssa.RunDefers:
	case *ssa.Alloc:
		f.env[in] = l.alloc(in)
	case *ssa.BinOp:
		f.env[in] = l.binary(in, l.value(f, in.X), l.value(f, in.Y))
	case *ssa.UnOp:
		f.env[in] = l.unary(f, in)
	case *ssa.Call:
		f.env[in] = l.callInstr(f, in)
	case *ssa.ChangeType:
		f.env[in] = l.value(f, in.X)
	case *ssa.Convert:
		f.env[in] = l.convert(in, l.value(f, in.X))
	case *ssa.Field:
		x := l.value(f, in.X)
		first := fieldPart(in.X.Type().Underlying().(*types.Struct), in.Field)
		f.env[in] = x[first : first+partsOf(in.Type())]
	case *ssa.Extract:
		t := in.Tuple.Type().(*types.Tuple)
		first := 0
		for i := range in.Index {
			first += partsOf(t.At(i).Type())
		}
		f.env[in] = l.value(f, in.Tuple)[first : first+partsOf(in.Type())]
	case *ssa.FieldAddr:
		f.env[in] = l.fieldAddr(in, l.value(f, in.X))
	case *ssa.IndexAddr:
		f.env[in] = l.indexAddr(in, l.value(f, in.X), l.value(f, in.Index))
	case *ssa.Index:
		f.env[in] = l.index(in, l.value(f, in.X), l.value(f, in.Index))
	case *ssa.Slice:
		f.env[in] = l.slice(f, in)
	case *ssa.Store:
		if _, ok := in.Val.(*ssa.MakeInterface); ok {
			break // an argument of Printf
		}
		l.store(l.value(f, in.Addr)[0], in.Val.Type(), l.value(f, in.Val), in.Pos())
	case *ssa.MakeClosure:
		c := &closure{fn: in.Fn.(*ssa.Function)}
		for _, b := range in.Bindings {
			c.free = append(c.free, l.value(f, b))
		}
		f.env[in] = value{{fn: c}}
	case *ssa.MakeInterface:
		f.env[in] = nil // for panics and Printf, which look at its operand
	case *ssa.Jump:
		b, args := l.edge(f, in.Block(), 0)
		l.jump(b, args...)
	case *ssa.If:
		l.ifInstr(f, in)
	case *ssa.Return:
		var results value
		for _, r := range in.Results {
			results = append(results, l.value(f, r)...)
		}
		l.ret(f, results, in.Pos())
	case *ssa.Panic:
		l.b.Check(kir.CheckPanic, l.b.Bits(kir.Bool, 0), nil, nil, panicText(in))
		l.b.Return()
		l.cur = nil
	default:
		msg, hint := forbidden(instr)
		l.fail(instr.Pos(), hint, "kernel code cannot %s", msg)
	}
}

// ifInstr makes a branch. A condition that is known takes one way: a session's own tests, and those of constants.
func (l *lowerer) ifInstr(f *frame, in *ssa.If) {
	cond := l.value(f, in.Cond).scalar()
	if cond.Op == kir.OpConst {
		n := 0
		if cond.Imm == 0 {
			n = 1
		}
		b, args := l.edge(f, in.Block(), n)
		l.jump(b, args...)
		return
	}
	then, thenArgs := l.edge(f, in.Block(), 0)
	otherwise, otherArgs := l.edge(f, in.Block(), 1)
	l.branch(cond, then, thenArgs, otherwise, otherArgs)
}

// panicText is what a panic says of itself.
func panicText(in *ssa.Panic) string {
	x := in.X
	if mi, ok := x.(*ssa.MakeInterface); ok {
		x = mi.X
	}
	if c, ok := x.(*ssa.Const); ok && c.Value != nil {
		if c.Value.Kind() == constant.String {
			return constant.StringVal(c.Value)
		}
		return c.Value.String()
	}
	return "panic"
}

// constant returns the value of a constant; nil is the zero value.
func (l *lowerer) constant(c *ssa.Const) value {
	if c.Value == nil {
		v := l.zero(c.Type(), c.Pos())
		for _, i := range addresses(c.Type()) {
			v[i].org = new(origin)
		}
		return v
	}
	if c.Value.Kind() == constant.String {
		return value{{text: constant.StringVal(c.Value)}}
	}
	b := c.Type().Underlying().(*types.Basic)
	if k, ok := complexParts[b.Kind()]; ok {
		x := constant.ToComplex(c.Value)
		return plain(l.number(k, constant.Real(x)), l.number(k, constant.Imag(x)))
	}
	k, ok := basicTypes[b.Kind()]
	if !ok {
		l.fail(c.Pos(), "", "kernel code cannot have a constant of type %s", typeName(c.Type()))
	}
	return plain(l.number(k, c.Value))
}

// number returns a constant of type t, rounded once.
func (l *lowerer) number(t kir.Type, x constant.Value) *kir.Value {
	switch {
	case t == kir.Bool:
		if constant.BoolVal(x) {
			return l.b.Bits(t, 1)
		}
		return l.b.Bits(t, 0)
	case t == kir.F32:
		v, _ := constant.Float32Val(constant.ToFloat(x))
		return l.b.Const(t, float64(v))
	case t == kir.F64:
		v, _ := constant.Float64Val(constant.ToFloat(x))
		return l.b.Const(t, v)
	}
	x = constant.ToInt(x)
	if v, ok := constant.Int64Val(x); ok {
		return l.b.Int(t, v)
	}
	v, _ := constant.Uint64Val(x)
	return l.b.Bits(t, v)
}

func fieldPart(s *types.Struct, field int) int {
	first := 0
	for i := range field {
		first += partsOf(s.Field(i).Type())
	}
	return first
}

func (l *lowerer) unary(f *frame, in *ssa.UnOp) value {
	if in.Op == token.MUL {
		if g, ok := in.X.(*ssa.Global); ok {
			if v, ok := g.Object().(*types.Var); ok && l.p.src.Never != nil && l.p.src.Never(v) {
				return plain(l.b.Bits(kir.Bool, 0))
			}
		}
		return l.load(l.value(f, in.X)[0], in.Type(), in.Pos())
	}
	x := l.value(f, in.X)
	switch in.Op {
	case token.NOT, token.XOR:
		return plain(l.b.Op(kir.OpNot, x.scalar()))
	case token.SUB:
		out := make(value, len(x))
		for i := range x {
			out[i].v = l.b.Op(kir.OpNeg, x[i].v)
		}
		return out
	}
	l.fail(in.Pos(), "", "kernel code cannot use channels")
	return nil
}
