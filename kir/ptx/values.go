package ptx

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// parameters declares the kernel's parameters. One of 8 bits that is only read as Print reads a bool is one.
func (l *lowerer) parameters(code []*inst) {
	asBool, asByte := map[string]bool{}, map[string]bool{}
	read := idioms[slices.IndexFunc(idioms, func(id idiom) bool { return id.lines[0] == loadBool })]
	for i, in := range code {
		if in.label != "" || len(in.args) != 2 || in.args[1].kind != '[' || in.name() != "ld.param.u8" {
			continue
		}
		m := &match{args: map[string]operand{}, mods: map[string]string{}}
		if m.line(read.lines[0], in) && i+1 < len(code) && m.line(read.lines[1], code[i+1]) {
			asBool[in.args[1].name] = true
		} else {
			asByte[in.args[1].name] = true
		}
	}
	for _, v := range l.k.params {
		if v.elem == kir.U8 && asBool[v.name] && !asByte[v.name] {
			v.elem = kir.Bool
		}
		if v.array {
			l.params[v.name] = l.b.ParamBlock(l.ownName(v.name), max(v.len*v.elem.Bytes(), 1), v.align)
			continue
		}
		p := l.b.Param(l.ownName(v.name), v.elem)
		n, _ := p.ParamRef()
		l.params[v.name] = n
	}
}

// ownName takes the kernel's name off the one of a parameter or array, where compilers and Print put it.
func (l *lowerer) ownName(name string) string {
	return strings.TrimPrefix(name, l.k.name+"_")
}

// variables declares the arrays that the instructions name.
func (l *lowerer) variables(code []*inst) {
	used := map[string]bool{}
	var walk func(o operand)
	walk = func(o operand) {
		used[o.name] = true
		for _, p := range o.list {
			walk(p)
		}
	}
	stored := map[string]int{}
	for _, in := range code {
		for i, a := range in.args {
			walk(a)
			if a.kind == '[' && (in.op[0] == "st" || in.op[0] == "atom" || in.op[0] == "red") && i < 2 {
				stored[a.name] = in.line
			}
		}
	}
	var all []*variable
	all = append(all, l.k.vars...)
	for _, name := range l.u.order {
		if v := l.u.globals[name]; used[name] && !isText(name) && !slices.ContainsFunc(l.k.vars, func(w *variable) bool { return w.name == name }) {
			all = append(all, v)
		}
	}
	// Dynamic shared arrays stand behind the others.
	slices.SortStableFunc(all, func(a, b *variable) int { return b2i(dynamic(a)) - b2i(dynamic(b)) })
	for _, v := range all {
		switch {
		case dynamic(v):
			l.arrays[v.name] = placeOf(l.b.DynamicShared(l.ownName(v.name), v.elem))
		case v.space == "shared":
			l.arrays[v.name] = placeOf(l.b.AlignedArray(kir.OpShared, kir.Array{Name: l.ownName(v.name), Elem: v.elem, Len: v.len}, v.align))
		case v.space == "local":
			l.arrays[v.name] = placeOf(l.b.AlignedArray(kir.OpLocal, kir.Array{Name: l.ownName(v.name), Elem: v.elem, Len: v.len}, v.align))
		case v.space == "global" && stored[v.name] > 0:
			failAt(stored[v.name], v.name, "variables in global memory that are written are not supported; pass memory as a parameter")
		default: // tables
			if from := l.lateFrom(v); from > 0 {
				l.arrays[v.name] = placeOf(l.b.AlignedArray(kir.OpConstTable, kir.Array{Name: l.ownName(v.name), Elem: v.elem, Len: v.len, From: from}, v.align))
				break
			}
			data := v.data
			if data == nil {
				data = make([]byte, v.len*v.elem.Bytes())
			}
			if len(data) == 0 {
				failAt(v.line, v.name, "the variable has no size")
			}
			l.arrays[v.name] = placeOf(l.b.AlignedArray(kir.OpConstTable, kir.Array{Name: l.ownName(v.name), Elem: v.elem, Len: v.len, Data: data}, v.align))
		}
	}
}

// lateFrom returns kir.Array.From of what Print writes for a table that launches fill; 0 of others.
func (l *lowerer) lateFrom(v *variable) int {
	number, ok := strings.CutPrefix(v.name, ConstantName)
	offset, err := strconv.Atoi(number)
	if !ok || err != nil || v.data != nil {
		return 0
	}
	for i, p := range l.b.Params() {
		if p.Offset == offset && p.Type == kir.U64 {
			return i + 1
		}
	}
	return 0
}

// isText reports whether a variable is what Print writes for the text of a check.
func isText(name string) bool { return strings.HasPrefix(name, "arrayrepl_text") }

func dynamic(v *variable) bool { return v.space == "shared" && v.array && v.len == 0 }

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func placeOf(v *kir.Value) place { return place{v.Op, int(v.Imm)} }

// refOf returns what an operand is.
func (l *lowerer) refOf(o operand) ref {
	switch o.kind {
	case 'i':
		return ref{t: kir.I64, bits: o.bits}
	case 'f':
		return ref{t: kir.F32, bits: o.bits}
	case 'd':
		return ref{t: kir.F64, bits: o.bits}
	case 'r':
		if l.isRegister(o) {
			return l.lookup(l.cur.order, o.name)
		}
		if s, ok := specials[o.name]; ok {
			return ref{v: s(l), t: kir.U32}.typed()
		}
		if n, ok := constants[o.name]; ok {
			return ref{t: kir.U32, bits: n}
		}
		if isText(o.name) && l.u.globals[o.name] != nil {
			return ref{t: kir.U64, text: strings.TrimRight(string(l.u.globals[o.name].data), "\x00")}
		}
		if a, ok := l.arrays[o.name]; ok {
			v := l.b.ArrayAddress(a.op, a.num)
			return ref{v: v, t: kir.U64}
		}
		if _, ok := l.params[o.name]; ok {
			l.asm.fail("addresses of parameters are not supported: read %s with ld.param", o.name)
		}
		l.asm.fail("%s is not a register, variable or special register that is known", o.name)
	}
	l.asm.fail("the operand %v does not fit here", o)
	return ref{}
}

func (r ref) typed() ref { return ref{v: r.v, t: r.v.Type} }

var constants = map[string]uint64{"WARP_SZ": kir.WarpSize}

// specials are the special registers.
var specials = func() map[string]func(l *lowerer) *kir.Value {
	m := map[string]func(l *lowerer) *kir.Value{
		"%clock":    func(l *lowerer) *kir.Value { return l.b.Convert(kir.U32, l.b.Special(kir.Clock64)) },
		"%clock_hi": func(l *lowerer) *kir.Value { return l.high(l.b.Special(kir.Clock64)) },
		"%nwarpid": func(l *lowerer) *kir.Value {
			n := l.b.Op(kir.OpMul, l.b.Special(kir.NTidX), l.b.Op(kir.OpMul, l.b.Special(kir.NTidY), l.b.Special(kir.NTidZ)))
			return l.b.Op(kir.OpShr, l.b.Op(kir.OpAdd, n, l.b.Int(kir.U32, kir.WarpSize-1)), l.b.Int(kir.U32, 5))
		},
		"%lanemask_eq": func(l *lowerer) *kir.Value { return l.laneBit() },
		"%lanemask_lt": func(l *lowerer) *kir.Value { return l.b.Op(kir.OpSub, l.laneBit(), l.b.Int(kir.U32, 1)) },
		"%lanemask_le": func(l *lowerer) *kir.Value {
			bit := l.laneBit()
			return l.b.Op(kir.OpOr, bit, l.b.Op(kir.OpSub, bit, l.b.Int(kir.U32, 1)))
		},
		"%lanemask_ge": func(l *lowerer) *kir.Value { return l.b.Op(kir.OpNeg, l.laneBit()) },
		"%lanemask_gt": func(l *lowerer) *kir.Value {
			return l.b.Op(kir.OpNeg, l.b.Op(kir.OpShl, l.laneBit(), l.b.Int(kir.U32, 1)))
		},
	}
	for s := kir.Special(0); s < kir.NumSpecials; s++ {
		m["%"+s.String()] = func(l *lowerer) *kir.Value { return l.b.Special(s) }
	}
	return m
}()

func (l *lowerer) laneBit() *kir.Value {
	return l.b.Op(kir.OpShl, l.b.Int(kir.U32, 1), l.b.Special(kir.LaneID))
}

func (l *lowerer) high(v *kir.Value) *kir.Value {
	return l.b.Convert(kir.U32, l.b.Op(kir.OpShr, v, l.b.Int(kir.U32, 32)))
}

// value returns an operand as type t.
func (l *lowerer) value(o operand, t kir.Type) *kir.Value {
	v := l.coerce(l.refOf(o), t)
	if o.not {
		if t != kir.Bool {
			l.asm.fail("! stands before predicates only")
		}
		v = l.b.Op(kir.OpNot, v)
	}
	return v
}

func (l *lowerer) bool(o operand) *kir.Value { return l.value(o, kir.Bool) }

// coerce reads a register's bits as type t.
func (l *lowerer) coerce(r ref, t kir.Type) *kir.Value {
	if r.v == nil {
		return l.b.Bits(t, constantAs(r, t))
	}
	v, from := r.v, r.t
	if from == t {
		return v
	}
	if from == kir.Bool || t == kir.Bool {
		l.failType("a predicate and a %v do not go together", map[bool]kir.Type{true: t, false: from}[from == kir.Bool])
	}
	if from.IsFloat() && from.Bytes() != t.Bytes() {
		v = l.b.Bitcast(unsigned(from.Bytes()), v)
		from = v.Type
	}
	switch {
	case from.Bytes() == t.Bytes() && from.IsInteger() == t.IsInteger():
		return l.b.Convert(t, v)
	case from.Bytes() == t.Bytes():
		return l.b.Bitcast(t, v)
	case t.IsFloat():
		return l.b.Bitcast(t, l.b.Convert(unsigned(t.Bytes()), v))
	}
	return l.b.Convert(t, v)
}

func (l *lowerer) failType(format string, args ...any) {
	if l.asm == nil {
		failAt(l.k.line, l.k.name, format, args...)
	}
	l.asm.fail(format, args...)
}

func unsigned(bytes int) kir.Type {
	return map[int]kir.Type{1: kir.U8, 2: kir.U16, 4: kir.U32, 8: kir.U64}[bytes]
}

// constantAs returns the bits of a constant as type t. A float literal of 64 bits becomes one of 32 by value, as in
// PTX.
func constantAs(r ref, t kir.Type) uint64 {
	switch {
	case r.t == kir.F64 && t == kir.F32:
		return uint64(math.Float32bits(float32(math.Float64frombits(r.bits))))
	case r.t == kir.F32 && t == kir.F64:
		return math.Float64bits(float64(math.Float32frombits(uint32(r.bits))))
	case r.t.IsSigned() && r.t.Bytes() < t.Bytes():
		shift := 64 - 8*r.t.Bytes()
		return uint64(int64(r.bits<<shift) >> shift)
	}
	return r.bits
}

// set makes a register hold v. Under a guard, the old value stays where the guard is false.
func (l *lowerer) set(o operand, v *kir.Value) { l.setRef(o, ref{v: v, t: v.Type}) }

func (l *lowerer) setRef(o operand, r ref) {
	if o.kind == '_' {
		return
	}
	t, ok := l.k.regs[o.name]
	if !ok || o.kind != 'r' || o.not {
		l.asm.fail("%v is not a register", o)
	}
	if (t == kir.Bool) != (r.t == kir.Bool) {
		if r.v != nil || r.t.IsFloat() {
			l.asm.fail("%s is a register of type %v, which does not hold a %v", o.name, t, r.t)
		}
		r = ref{t: t, bits: uint64(b2i(r.bits != 0))} // mov.pred %p, 1
	}
	if t != kir.Bool && r.t.Bytes() > t.Bytes() {
		if r.v == nil {
			r = ref{t: t, bits: constantAs(r, t) & (1<<(8*t.Bytes()) - 1)}
		} else {
			l.asm.fail("%s is a register of %d bits, too narrow for a %v", o.name, 8*t.Bytes(), r.t)
		}
	}
	if g := l.asm.guard; g != nil {
		old := l.lookup(l.cur.order, o.name)
		typ := r.t
		if r.v == nil && old.v != nil && old.t.Bytes() == t.Bytes() {
			typ = old.t
		}
		cond := l.bool(operand{kind: 'r', name: g.name})
		yes, no := l.coerce(r, typ), l.coerce(old, typ)
		if g.not {
			yes, no = no, yes
		}
		v := l.b.Op(kir.OpSelect, cond, yes, no)
		r = ref{v: v, t: v.Type}
	}
	l.cur.env[o.name] = r
}

// spaces finds the space of memory operations that do not say theirs.
func (l *lowerer) spaces() {
	if len(l.generic) == 0 {
		return
	}
	edges := map[*kir.Value][]*kir.Value{} // what the edges bring for a block's parameter
	for _, b := range l.blocks {
		for _, e := range b.kb.Term.Edges() {
			for i, a := range e.Args {
				p := e.To.Params[i]
				edges[p] = append(edges[p], a)
			}
		}
	}
	for _, v := range l.generic {
		seen := map[*kir.Value]bool{}
		found := map[kir.Space]bool{}
		var walk func(a *kir.Value)
		walk = func(a *kir.Value) {
			if seen[a] {
				return
			}
			seen[a] = true
			switch a.Op {
			case kir.OpShared:
				found[kir.Shared] = true
			case kir.OpLocal:
				found[kir.Local] = true
			case kir.OpConstTable:
				found[kir.Const] = true
			case kir.OpParam, kir.OpLoad, kir.OpAtomicExch:
				if a.Type == kir.U64 || a.Type == kir.I64 {
					found[kir.Global] = true
				}
			case kir.OpArg:
				for _, e := range edges[a] {
					walk(e)
				}
			case kir.OpAdd, kir.OpSub, kir.OpConvert, kir.OpBitcast, kir.OpAnd, kir.OpOr:
				for _, e := range a.Args {
					walk(e)
				}
			case kir.OpSelect:
				walk(a.Args[1])
				walk(a.Args[2])
			}
		}
		walk(v.Args[0])
		special := len(found)
		if found[kir.Global] {
			special--
		}
		var space kir.Space
		for s := range found {
			if s != kir.Global {
				space = s
			}
		}
		if special > 1 {
			failAt(v.Pos.Line, v.Text(), "its address may be in more than one memory space; write the space, as in ld.shared")
		}
		if space == kir.Const && v.Op != kir.OpLoad {
			failAt(v.Pos.Line, fmt.Sprint(v.Op), "it writes to a table, which is constant")
		}
		v.Space = space
	}
}
