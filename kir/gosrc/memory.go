package gosrc

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/kir"
)

// alloc makes a variable whose address is taken somewhere: in registers where every use names the part that it wants,
// else in the thread's local memory.
func (l *lowerer) alloc(in *ssa.Alloc) value {
	t := in.Type().Underlying().(*types.Pointer).Elem()
	if printed(in) {
		return value{{ref: &ref{v: &variable{}}}}
	}
	if !l.needsMemory(in) {
		v := &variable{types: l.parts(t, in.Pos())}
		zero := l.zero(t, in.Pos())
		for i := range v.types {
			if zero[i].v == nil {
				l.fail(in.Pos(), "", "kernel code cannot have variables of type %s", typeName(t))
			}
			l.write(slot{v, i}, zero[i].v)
		}
		for _, i := range addresses(t) {
			if v.orgs == nil {
				v.orgs = map[int]*origin{}
			}
			v.orgs[i] = new(origin)
		}
		return value{{ref: &ref{v: v}}}
	}
	addr, org := l.array(kir.Local, in.Comment, t, in.Pos())
	p := part{v: addr, org: org}
	l.clear(p, t)
	return value{p}
}

// clear writes zeros over a variable, a loop for large ones.
func (l *lowerer) clear(p part, t types.Type) {
	size := sizes.Sizeof(t)
	unit := unitOf(t)
	n := size / int64(unit.Bytes())
	const unrolled = 16
	if n <= unrolled {
		for i := range n {
			l.b.Store(p.org.space, l.offset(p.v, i*int64(unit.Bytes())), l.b.Bits(unit, 0))
		}
		return
	}
	head := l.newBlock("clear", kir.I64)
	head.loop = true
	body, done := l.newBlock("clear.body"), l.newBlock("clear.end")
	l.jump(head, l.b.Int(kir.I64, 0))
	l.setBlock(head)
	i := head.kb.Params[0]
	l.branch(l.b.Op(kir.OpLt, i, l.b.Int(kir.I64, n)), body, nil, done, nil)
	l.setBlock(body)
	l.b.Store(p.org.space, l.b.Index(p.v, i, unit), l.b.Bits(unit, 0))
	l.jump(head, l.b.Op(kir.OpAdd, i, l.b.Int(kir.I64, 1)))
	l.setBlock(done)
}

// unitOf returns the type of the elements that a variable of type t is made of: one that all its scalars have, or bytes
// in pieces as large as its alignment.
func unitOf(t types.Type) kir.Type {
	for {
		if a, ok := t.Underlying().(*types.Array); ok && a.Len() > 0 {
			t = a.Elem()
			continue
		}
		break
	}
	if k, ok := scalarOf(t); ok {
		return k
	}
	switch sizes.Alignof(t) {
	case 8:
		return kir.U64
	case 4:
		return kir.U32
	case 2:
		return kir.U16
	}
	return kir.U8
}

// array makes a shared or local variable of type t.
func (l *lowerer) array(space kir.Space, name string, t types.Type, pos token.Pos) (*kir.Value, *origin) {
	if _, err := inMemory(elementOf(t)); err != nil {
		l.fail(pos, "", "kernel code cannot have %v", err)
	}
	unit := unitOf(t)
	n := int(sizes.Sizeof(t)) / unit.Bytes()
	if n == 0 {
		l.fail(pos, "", "a variable of type %s is empty", typeName(t))
	}
	const most = 1 << 20
	if n > most {
		l.fail(pos, "pass a slice to the kernel", "a variable of type %s takes more memory than a thread can have", typeName(t))
	}
	org := &origin{known: true, space: space}
	if space == kir.Shared {
		return l.b.SharedArray(name, unit, n), org
	}
	return l.b.LocalArray(name, unit, n), org
}

func elementOf(t types.Type) types.Type {
	for {
		a, ok := t.Underlying().(*types.Array)
		if !ok {
			return t
		}
		t = a.Elem()
	}
}

// needsMemory reports whether the address of a variable is used in a way that registers do not have: an index that is
// not constant, a slice of it, a pointer that is stored, chosen or given to an atomic.
func (l *lowerer) needsMemory(in *ssa.Alloc) bool {
	if m, ok := l.inMemory[in]; ok {
		return m
	}
	t := in.Type().Underlying().(*types.Pointer).Elem()
	_, err := partTypes(t)
	m := err != nil || !inRegisters(in, 0)
	l.inMemory[in] = m
	return m
}

// inRegisters reports whether all uses of an address name a fixed part of the variable.
func inRegisters(addr ssa.Value, depth int) bool {
	if depth > maxDepth {
		return false
	}
	for _, use := range *addr.Referrers() {
		switch use := use.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
		case *ssa.Store:
			if use.Val == addr {
				return false
			}
		case *ssa.FieldAddr:
			if !inRegisters(use, depth+1) {
				return false
			}
		case *ssa.IndexAddr:
			if _, ok := use.Index.(*ssa.Const); !ok || !inRegisters(use, depth+1) {
				return false
			}
		case *ssa.MakeClosure:
			for i, b := range use.Bindings {
				if b == addr && !inRegisters(use.Fn.(*ssa.Function).FreeVars[i], depth+1) {
					return false
				}
			}
		case *ssa.Call:
			fn := use.Call.StaticCallee()
			if fn == nil || len(fn.Blocks) == 0 || use.Call.IsInvoke() {
				return false
			}
			for i, a := range use.Call.Args {
				if a == addr && !inRegisters(fn.Params[i], depth+1) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// offset returns an address n bytes on.
func (l *lowerer) offset(addr *kir.Value, n int64) *kir.Value {
	if n == 0 {
		return addr
	}
	return l.b.Op(kir.OpAdd, addr, l.b.Int(kir.U64, n))
}

// load reads a t.
func (l *lowerer) load(p part, t types.Type, pos token.Pos) value {
	if p.ref != nil {
		out := make(value, partsOf(t))
		for i := range out {
			out[i].v = l.read(l.cur, slot{p.ref.v, p.ref.first + i})
			out[i].org = p.ref.v.orgs[p.ref.first+i]
		}
		return out
	}
	ls, err := inMemory(t)
	if err != nil {
		l.fail(pos, "", "kernel code cannot have %v", err)
	}
	org := p.org.root()
	org.read = true
	out := make(value, len(ls))
	for i, leaf := range ls {
		out[i].v = l.b.Load(org.space, leaf.kind, l.offset(p.v, leaf.off))
		out[i].v.Note = p.v.Note
	}
	return out
}

// store writes a t.
func (l *lowerer) store(p part, t types.Type, x value, pos token.Pos) {
	if p.ref != nil {
		for i := range x {
			if x[i].v == nil {
				l.fail(pos, "use it where it is", "kernel code cannot put a value of type %s into a variable", typeName(t))
			}
			if org := p.ref.v.orgs[p.ref.first+i]; org != nil && !join(org, x[i].org) {
				l.fail(pos, "use two variables", "this variable is a slice of global memory here and of shared or local memory elsewhere")
			}
			l.write(slot{p.ref.v, p.ref.first + i}, x[i].v)
		}
		return
	}
	if p.org != nil && p.org.root().space == kir.Const {
		l.fail(pos, "use a variable of the thread, or gpu.Shared", "kernel code cannot write to a table of gpu.Constant")
	}
	ls, err := inMemory(t)
	if err != nil {
		l.fail(pos, "", "kernel code cannot have %v", err)
	}
	org := p.org.root()
	org.written = true
	for i, leaf := range ls {
		l.b.Store(org.space, l.offset(p.v, leaf.off), x[i].v)
		l.note(p.v.Note)
	}
}

// note says what the value that was made last is to a person.
func (l *lowerer) note(text string) {
	vs := l.b.Block().Values
	vs[len(vs)-1].Note = text
}

func (l *lowerer) fieldAddr(in *ssa.FieldAddr, x value) value {
	s := in.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
	p := x[0]
	if p.ref != nil {
		return value{{ref: &ref{p.ref.v, p.ref.first + fieldPart(s, in.Field)}}}
	}
	var fields []*types.Var
	for f := range s.Fields() {
		fields = append(fields, f)
	}
	addr := l.offset(p.v, sizes.Offsetsof(fields)[in.Field])
	if text := l.p.text[in.Pos()]; text != "" && addr != p.v {
		addr.Note = text
	}
	return value{{v: addr, org: p.org}}
}

// indexAddr returns the address of an element, after a test of the index.
func (l *lowerer) indexAddr(in *ssa.IndexAddr, x, index value) value {
	i := l.b.Convert(kir.I64, index.scalar())
	p := x[0]
	if ptr, ok := in.X.Type().Underlying().(*types.Pointer); ok {
		arr := ptr.Elem().Underlying().(*types.Array)
		if p.ref != nil {
			c, _ := constant.Int64Val(in.Index.(*ssa.Const).Value)
			return value{{ref: &ref{p.ref.v, p.ref.first + int(c)*partsOf(arr.Elem())}}}
		}
		l.bounds(i, l.b.Int(kir.I64, arr.Len()), in.Pos())
		return value{l.element(p, i, arr.Elem(), in.Pos())}
	}
	l.bounds(i, x[1].v, in.Pos())
	return value{l.element(p, i, in.X.Type().Underlying().(*types.Slice).Elem(), in.Pos())}
}

// element returns the address of element i of elements of type t.
func (l *lowerer) element(p part, i *kir.Value, t types.Type, pos token.Pos) part {
	off := l.b.Op(kir.OpMul, i, l.b.Int(kir.I64, sizes.Sizeof(t)))
	addr := l.b.Op(kir.OpAdd, p.v, l.b.Convert(kir.U64, off))
	addr.Note = l.p.text[pos]
	return part{v: addr, org: p.org}
}

// bounds ends the run unless 0 <= i < n.
func (l *lowerer) bounds(i, n *kir.Value, pos token.Pos) { l.boundsOf(i, n, pos, "") }

// boundsOf is bounds; the error says what has n elements.
func (l *lowerer) boundsOf(i, n *kir.Value, pos token.Pos, what string) {
	if l.unchecked || i.Op == kir.OpConst && n.Op == kir.OpConst && i.Imm < n.Imm {
		return
	}
	l.at(pos)
	ok := l.b.Op(kir.OpLt, l.b.Convert(kir.U64, i), l.b.Convert(kir.U64, n))
	l.b.Check(kir.CheckIndex, ok, i, n, what)
	l.note(l.p.text[pos])
}

// index picks an element of an array that is a value.
func (l *lowerer) index(in *ssa.Index, x, index value) value {
	arr, ok := in.X.Type().Underlying().(*types.Array)
	if !ok {
		l.fail(in.Pos(), "", "kernel code cannot index values of type %s", typeName(in.X.Type()))
	}
	per := partsOf(arr.Elem())
	i := l.b.Convert(kir.I64, index.scalar())
	if i.Op == kir.OpConst {
		return x[int(i.Imm)*per : (int(i.Imm)+1)*per]
	}
	l.bounds(i, l.b.Int(kir.I64, arr.Len()), in.Pos())
	out := append(value(nil), x[:per]...)
	for k := int64(1); k < arr.Len(); k++ {
		here := l.b.Op(kir.OpEq, i, l.b.Int(kir.I64, k))
		for j := range out {
			out[j].v = l.b.Op(kir.OpSelect, here, x[int(k)*per+j].v, out[j].v)
		}
	}
	return out
}

// slice makes x[low:high:max].
func (l *lowerer) slice(f *frame, in *ssa.Slice) value {
	x := l.value(f, in.X)
	var elem types.Type
	var length, capacity *kir.Value
	switch t := in.X.Type().Underlying().(type) {
	case *types.Pointer:
		arr := t.Elem().Underlying().(*types.Array)
		if a, ok := in.X.(*ssa.Alloc); ok && printed(a) {
			return nil
		}
		elem, length = arr.Elem(), l.b.Int(kir.I64, arr.Len())
		capacity = length
	case *types.Slice:
		elem, length, capacity = t.Elem(), x[1].v, x[2].v
	default:
		l.fail(in.Pos(), "", "kernel code cannot use strings")
	}
	bound := func(v ssa.Value, otherwise *kir.Value) *kir.Value {
		if v == nil {
			return otherwise
		}
		return l.b.Convert(kir.I64, l.value(f, v).scalar())
	}
	low := bound(in.Low, l.b.Int(kir.I64, 0))
	high := bound(in.High, length)
	most := bound(in.Max, capacity)
	check := func(x, limit *kir.Value) {
		if l.unchecked || x == limit || x.Op == kir.OpConst && limit.Op == kir.OpConst && x.Imm <= limit.Imm {
			return
		}
		ok := l.b.Op(kir.OpLe, l.b.Convert(kir.U64, x), l.b.Convert(kir.U64, limit))
		l.b.Check(kir.CheckSlice, ok, x, limit, "")
	}
	check(most, capacity)
	check(high, most)
	check(low, high)
	base := part{v: x[0].v, org: x[0].org}
	if low.Op != kir.OpConst || low.Imm != 0 {
		base = l.element(base, low, elem, in.Pos())
	}
	return value{base, {v: l.b.Op(kir.OpSub, high, low)}, {v: l.b.Op(kir.OpSub, most, low)}}
}
