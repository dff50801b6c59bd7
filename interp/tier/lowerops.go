package tier

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// instruction lowers what is not a branch.
func (u *unit) instruction(in ssa.Instruction) {
	if u.dead[in] {
		return
	}
	if v, ok := in.(ssa.Value); ok && (u.inline[v] || u.alias(v) != nil) {
		return
	}
	switch in := in.(type) {
	case *ssa.Phi, *ssa.DebugRef:
	case *ssa.ChangeType:
	case *ssa.BinOp:
		u.binary(in)
	case *ssa.UnOp:
		u.unary(in)
	case *ssa.Convert:
		u.convert(in)
	case *ssa.Alloc:
		u.alloc(in)
	case *ssa.FieldAddr:
		u.emit(opLeaF, u.p(in), u.p(in.X), 0, fieldOffset(deref(in.X.Type()), in.Field))
	case *ssa.IndexAddr:
		u.lea(u.p(in), in)
	case *ssa.Field:
		u.field(in)
	case *ssa.Index:
		u.elementOf(in)
	case *ssa.Store:
		u.store(in)
	case *ssa.Slice:
		u.slice(in)
	case *ssa.Range:
		pl, x := u.place(in), u.place(in.X)
		u.emit(opMovP, pl.p, x.p, 0, 0)
		u.emit(opMov, pl.n, x.n, 0, 0)
		u.emit(opConst, pl.n+1, 0, 0, 0)
	case *ssa.Next:
		it := u.place(in.Iter)
		u.c.nexts = append(u.c.nexts, nexting{it, place{n: it.n + 1}, u.place(in)})
		u.emit(opStrNext, 0, 0, 0, int64(len(u.c.nexts)-1))
	case *ssa.Call:
		u.call(in)
	case *ssa.MakeSlice, *ssa.MakeClosure:
		u.escape(in, operands(in))
	default:
		panic(refusal(fmt.Sprintf("the instruction %T has no operation", in)))
	}
}

func operands(in ssa.Instruction) []ssa.Value {
	var out []ssa.Value
	for _, o := range in.Operands(nil) {
		if *o != nil {
			out = append(out, *o)
		}
	}
	return out
}

var arithmetics = map[token.Token]string{token.ADD: "Add", token.SUB: "Sub", token.MUL: "Mul", token.QUO: "Div", token.REM: "Rem",
	token.AND: "And", token.OR: "Or", token.XOR: "Xor", token.AND_NOT: "AndNot", token.SHL: "Shl", token.SHR: "Shr"}

func (u *unit) binary(in *ssa.BinOp) {
	t := in.X.Type()
	switch shapeOf(t).class {
	case word:
	case text:
		if in.Op == token.ADD {
			u.escape(in, operands(in))
			return
		}
		u.c.texts = append(u.c.texts, comparing{u.place(in.X), u.place(in.Y), int(in.Op), u.w(in)})
		u.emit(opStrCompare, 0, 0, 0, int64(len(u.c.texts)-1))
		return
	case complexes:
		x, y := u.w(in.X), u.w(in.Y)
		if in.Op == token.EQL || in.Op == token.NEQ {
			u.emit(op("Eq"+suffix(t)), u.w(in), x, y, 0)
			if in.Op == token.NEQ {
				u.emit(opNot, u.w(in), u.w(in), 0, 0)
			}
			return
		}
		u.emit(op(arithmetics[in.Op]+suffix(t)), u.w(in), x, y, 0)
		return
	default: // pointers, slices, functions, interfaces
		x, y := in.X, in.Y
		if isNil(x) {
			x, y = y, x
		}
		o := opcode(opIsNil)
		if in.Op == token.NEQ {
			o = opNotNil
		}
		if isNil(y) {
			u.emit(o, u.w(in), u.p(x), 0, 0)
			return
		}
		u.emit(opEqP, u.w(in), u.p(x), u.p(y), 0)
		if in.Op == token.NEQ {
			u.emit(opNot, u.w(in), u.w(in), 0, 0)
		}
		return
	}
	x, y := in.X, in.Y
	if name, ok := tests[in.Op]; ok && name != "" {
		tok := in.Op
		if isConst(x) {
			x, y, tok = y, x, swapped[tok]
		}
		u.withConstant(comparison(tok, t), in, x, y)
		return
	}
	name := arithmetics[in.Op]
	s := suffix(t)
	switch in.Op {
	case token.ADD, token.SUB, token.MUL, token.SHL:
		if s == "I64" {
			s = "U64"
		}
		name += s
	case token.QUO:
		if isUnsigned(t) {
			s = "U64"
		}
		name += s
	case token.REM:
		name += map[bool]string{true: "U64", false: "I64"}[isUnsigned(t)]
	case token.SHR:
		name += map[bool]string{true: "U", false: "I"}[isUnsigned(t)]
	}
	if in.Op == token.SHL || in.Op == token.SHR {
		if k, known := constantBits(y); !isUnsigned(y.Type()) && (!known || k < 0) {
			u.emit(opCheckShift, u.w(y), 0, 0, 0)
		}
	}
	switch in.Op {
	case token.ADD, token.MUL, token.AND, token.OR, token.XOR:
		if isConst(x) {
			x, y = y, x
		}
	}
	u.withConstant(name, in, x, y)
}

// withConstant emits the operation with its second operand in the instruction, when that is a constant.
func (u *unit) withConstant(name string, in ssa.Value, x, y ssa.Value) {
	if k, ok := constantBits(y); ok {
		u.emit(op(name+"K"), u.w(in), u.w(x), 0, k)
		return
	}
	u.emit(op(name), u.w(in), u.w(x), u.w(y), 0)
}

func (u *unit) unary(in *ssa.UnOp) {
	t := in.Type()
	switch in.Op {
	case token.MUL:
		u.load(in)
	case token.NOT:
		u.emit(opNot, u.w(in), u.w(in.X), 0, 0)
	case token.SUB:
		s := suffix(t)
		if isComplex(t) {
			f := map[string]string{"C64": "F32", "C128": "F64"}[s]
			x := u.w(in.X)
			u.emit(op("Neg"+f), u.w(in), x, 0, 0)
			u.emit(op("Neg"+f), u.w(in)+1, x+1, 0, 0)
			return
		}
		if s == "I64" {
			s = "U64"
		}
		u.emit(op("Neg"+s), u.w(in), u.w(in.X), 0, 0)
	case token.XOR:
		mask := int64(-1)
		if s := shapeOf(t); isUnsigned(t) && s.size < 8 {
			mask = 1<<(8*s.size) - 1
		}
		u.emit(opXorK, u.w(in), u.w(in.X), 0, mask)
	default:
		panic(refusal(fmt.Sprintf("the instruction %T has no operation", in)))
	}
}

func (u *unit) convert(in *ssa.Convert) {
	from, to := in.X.Type(), in.Type()
	f, t := shapeOf(from), shapeOf(to)
	switch {
	case f.class == word && t.class == word:
	case f.class == complexes && t.class == complexes:
		x := u.w(in.X)
		if f.size == t.size {
			u.emit(opMovN, u.w(in), x, 2, 0)
		} else {
			u.emit(op(suffix(from)+"To"+suffix(to)), u.w(in), x, 0, 0)
		}
		return
	default: // strings and their bytes
		u.escape(in, operands(in))
		return
	}
	fs, ts := suffix(from), suffix(to)
	switch {
	case isFloat(from):
		if fs == ts {
			u.emit(opMov, u.w(in), u.w(in.X), 0, 0)
			return
		}
		u.emit(op(fs+"To"+ts), u.w(in), u.w(in.X), 0, 0)
	case isFloat(to):
		fs = "I64"
		if isUnsigned(from) {
			fs = "U64"
		}
		u.emit(op(fs+"To"+ts), u.w(in), u.w(in.X), 0, 0)
	case ts == "I64" || ts == "U64":
		u.emit(opMov, u.w(in), u.w(in.X), 0, 0)
	default:
		u.emit(op("To"+ts), u.w(in), u.w(in.X), 0, 0)
	}
}

func fieldOffset(t types.Type, field int) int64 {
	st := t.Underlying().(*types.Struct)
	fields := make([]*types.Var, st.NumFields())
	for i := range fields {
		fields[i] = st.Field(i)
	}
	return sizes.Offsetsof(fields)[field]
}

func (u *unit) field(in *ssa.Field) {
	off := fieldOffset(in.X.Type(), in.Field)
	s, dst := shapeOf(in.Type()), u.place(in)
	if shapeOf(in.X.Type()).class == boxed {
		u.loadFrom(dst, in.Type(), u.p(in.X), off)
		return
	}
	x := u.w(in.X)
	switch {
	case s.class == word:
		u.emit(opFlatGet, dst.n, x, uint16(s.mem), off)
	case s.class == complexes && s.size == 8:
		u.emit(opFlatGet, dst.n, x, uint16(memU32), off)
		u.emit(opFlatGet, dst.n+1, x, uint16(memU32), off+4)
	case s.words > 0:
		u.emit(opFlatCopy, dst.n, x, uint16(s.words), s.size<<32|off)
	}
}

// elementOf lowers the index of a string, or of an array that is not a variable.
func (u *unit) elementOf(in *ssa.Index) {
	x, i, dst := u.place(in.X), u.w(in.Index), u.place(in)
	a, ok := in.X.Type().Underlying().(*types.Array)
	if !ok {
		u.emit(opLoadXU8, dst.n, x.p, i, int64(x.n))
		return
	}
	elem := shapeOf(a.Elem())
	if elem.class == word && shapeOf(a).class == flat {
		u.emit(opFlatIndex, dst.n, x.n, i, a.Len()<<8|int64(elem.mem))
		return
	}
	u.emit(opCheckIndex, i, 0, 0, a.Len())
	switch {
	case shapeOf(a).class == boxed:
		at := u.spare()
		u.emit(opElem, at, x.p, i, elem.size)
		u.loadFrom(dst, a.Elem(), at, 0)
	case elem.class == complexes && elem.size == 8:
		u.emit(opFlatElemC64, dst.n, x.n, i, 0)
	case elem.size > 0:
		u.emit(opFlatElem, dst.n, x.n, i, elem.size)
	}
}

func (u *unit) slice(in *ssa.Slice) {
	s := slicing{src: u.place(in.X), dst: u.place(in), array: -1}
	reg := func(v ssa.Value) int32 {
		if v == nil {
			return -1
		}
		return int32(u.w(v))
	}
	s.lo, s.hi, s.max = reg(in.Low), reg(in.High), reg(in.Max)
	switch t := in.X.Type().Underlying().(type) {
	case *types.Basic:
		s.isText, s.size = true, 1
	case *types.Slice:
		s.size, s.simple = sizes.Sizeof(t.Elem()), in.Max == nil
	case *types.Pointer:
		a := t.Elem().Underlying().(*types.Array)
		s.size, s.array = sizes.Sizeof(a.Elem()), a.Len()
	default:
		panic(refusal("a slice of " + in.X.Type().String()))
	}
	u.c.slices = append(u.c.slices, s)
	u.emit(opSlice, 0, 0, 0, int64(len(u.c.slices)-1))
}
