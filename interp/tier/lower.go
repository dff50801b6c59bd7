package tier

import (
	"fmt"
	"go/constant"
	"go/types"
	"math"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// byName finds the operations that are made of a table.
var byName = func() map[string]opcode {
	m := map[string]opcode{}
	for i, n := range opNames {
		m[n] = opcode(i)
	}
	return m
}()

func op(name string) opcode {
	o, ok := byName[name]
	if !ok {
		panic(refusal("there is no operation " + name))
	}
	return o
}

// Limits of one unit: registers are named by 16 bits, and so are places to go to.
const maxRegisters, maxCode = 1<<16 - 1, 1<<16 - 1

// lower makes the code of u.
func (u *unit) lower() {
	u.collect()
	u.findOutside()
	u.fold()
	u.local = u.locals()
	u.assign()
	u.labels = make([]int, len(u.fn.Blocks))
	for i := range u.labels {
		u.labels[i] = -1
	}
	for i, b := range u.blocks {
		var next *ssa.BasicBlock
		if i+1 < len(u.blocks) {
			next = u.blocks[i+1]
		}
		u.block(b, next)
	}
	u.finish()
}

// assign gives all values their registers. Those of a phi and of what it is made of are the same where they may be.
func (u *unit) assign() {
	if u.c.loop == nil {
		for _, v := range inputs(u.fn) {
			u.places[v] = u.room(shapeOf(v.Type()))
		}
	}
	l := u.lives()
	members := map[ssa.Value][]ssa.Value{}
	of := func(v ssa.Value) []ssa.Value {
		if m := members[v]; m != nil {
			return m
		}
		return []ssa.Value{v}
	}
	for _, b := range u.blocks {
		for _, in := range b.Instrs {
			phi, ok := in.(*ssa.Phi)
			if !ok {
				break
			}
			for k, e := range phi.Edges {
				if !u.in[b.Preds[k].Index] || u.root(e) != e || !u.owns(e) && !u.isInput(e) {
					continue
				}
				x, y := u.leader(phi), u.leader(e)
				if x == y || u.isInput(x) && u.isInput(y) || len(of(x))*len(of(y)) > 4096 {
					continue
				}
				if anyPair(of(x), of(y), l.interfere) {
					continue
				}
				if u.isInput(y) {
					x, y = y, x
				}
				u.shared[y] = x
				members[x] = append(of(x), of(y)...)
			}
		}
	}
	if u.c.loop != nil {
		u.liveIn()
	}
	for _, b := range u.blocks {
		for _, in := range b.Instrs {
			v, ok := in.(ssa.Value)
			if !ok || !u.owns(v) {
				continue
			}
			lead := u.leader(v)
			if _, ok := u.places[lead]; !ok {
				u.places[lead] = u.roomFor(lead)
			}
		}
	}
	for _, v := range inputs(u.fn) {
		if u.c.loop == nil {
			u.c.inputs = append(u.c.inputs, u.slot(v))
		}
	}
}

func (u *unit) isInput(v ssa.Value) bool {
	if u.c.loop != nil {
		return false
	}
	switch v.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		return true
	}
	return false
}

func anyPair(xs, ys []ssa.Value, f func(x, y ssa.Value) bool) bool {
	for _, x := range xs {
		for _, y := range ys {
			if f(x, y) {
				return true
			}
		}
	}
	return false
}

func (u *unit) leader(v ssa.Value) ssa.Value {
	for u.shared[v] != nil {
		v = u.shared[v]
	}
	return v
}

// liveIn gives registers to what the loop reads and does not compute, and to what its phis begin with.
func (u *unit) liveIn() {
	seen := map[ssa.Value]bool{}
	add := func(v ssa.Value) {
		if v == nil || seen[v] {
			return
		}
		if in, ok := v.(ssa.Instruction); ok && u.in[in.Block().Index] {
			return
		}
		seen[v] = true
		u.places[v] = u.roomFor(v)
		u.c.inputs = append(u.c.inputs, u.slot(v))
	}
	for _, b := range u.blocks {
		for _, in := range b.Instrs {
			if phi, ok := in.(*ssa.Phi); ok {
				for k, e := range phi.Edges {
					if u.in[b.Preds[k].Index] {
						add(u.root(e))
					}
				}
				continue
			}
			for _, v := range u.uses(in) {
				add(v)
			}
		}
	}
}

// room takes registers for a value.
func (u *unit) room(s shape) place {
	if s.class == unknown {
		panic(refusal("a value of a type that the tier does not hold"))
	}
	pl := place{uint16(u.nregs), uint16(u.pregs)}
	u.nregs += s.words
	u.pregs += s.pointers
	if u.nregs > maxRegisters || u.pregs > maxRegisters {
		panic(refusal("too many values"))
	}
	return pl
}

// roomFor takes registers for v: of a tuple, for its parts one after the other.
func (u *unit) roomFor(v ssa.Value) place {
	switch v.(type) {
	case *ssa.Range:
		pl := place{uint16(u.nregs), uint16(u.pregs)}
		u.nregs, u.pregs = u.nregs+2, u.pregs+1
		return pl
	case *ssa.Next:
		pl := place{uint16(u.nregs), uint16(u.pregs)}
		u.nregs += 3
		return pl
	}
	if t, ok := v.Type().(*types.Tuple); ok {
		pl := place{uint16(u.nregs), uint16(u.pregs)}
		for x := range t.Variables() {
			u.room(shapeOf(x.Type()))
		}
		return pl
	}
	return u.room(shapeOf(v.Type()))
}

// slot is v on both sides.
func (u *unit) slot(v ssa.Value) slot {
	s := slot{place: u.place(v), shape: shapeOf(v.Type()), typ: u.eng.Type(v.Type())}
	if s.typ == nil || s.class == unknown {
		panic(refusal("a value of type " + v.Type().String() + ", which is not known here"))
	}
	var ok bool
	if s.reg, ok = u.eng.Register(u.fn, v); !ok {
		panic(refusal("a value that the engine has no register for"))
	}
	return s
}

// place is where v is.
func (u *unit) place(v ssa.Value) place {
	switch v := v.(type) {
	case *ssa.Const:
		return u.constant(v)
	case *ssa.Global, *ssa.Function:
		return u.fixed(v)
	case *ssa.Extract:
		if u.mine(v) {
			pl := u.place(v.Tuple)
			if _, ok := v.Tuple.(*ssa.Next); ok {
				return place{pl.n + uint16(v.Index), pl.p}
			}
			t := v.Tuple.Type().(*types.Tuple)
			for i := range v.Index {
				s := shapeOf(t.At(i).Type())
				pl.n += uint16(s.words)
				pl.p += uint16(s.pointers)
			}
			return pl
		}
	case *ssa.Call:
		if a := u.alias(v); a != nil {
			pl := u.place(a)
			if name := v.Call.Value.Name(); name == "cap" || name == "imag" {
				pl.n++
			}
			return pl
		}
	}
	if a := u.alias(v); a != nil {
		return u.place(a)
	}
	pl, ok := u.places[u.leader(v)]
	if !ok {
		panic(refusal(fmt.Sprintf("%s has no register", v.Name())))
	}
	return pl
}

func (u *unit) w(v ssa.Value) uint16 { return u.place(v).n }
func (u *unit) p(v ssa.Value) uint16 { return u.place(v).p }

// bits is the content of a register with the constant v.
func bits(v *ssa.Const) (uint64, bool) {
	s := shapeOf(v.Type())
	if s.class != word {
		return 0, false
	}
	if v.Value == nil {
		return 0, true
	}
	switch {
	case v.Value.Kind() == constant.Bool:
		if constant.BoolVal(v.Value) {
			return 1, true
		}
		return 0, true
	case isFloat(v.Type()):
		if s.size == 4 {
			f, _ := constant.Float32Val(v.Value)
			return uint64(math.Float32bits(f)), true
		}
		f, _ := constant.Float64Val(v.Value)
		return math.Float64bits(f), true
	case isUnsigned(v.Type()):
		return v.Uint64(), true
	}
	return uint64(v.Int64()), true
}

// constantBits is bits for any value.
func constantBits(v ssa.Value) (int64, bool) {
	c, ok := v.(*ssa.Const)
	if !ok {
		return 0, false
	}
	b, ok := bits(c)
	return int64(b), ok
}

// constant is the register that holds a constant from the beginning.
func (u *unit) constant(v *ssa.Const) place {
	s := shapeOf(v.Type())
	switch s.class {
	case word:
		b, _ := bits(v)
		return place{n: u.word(b)}
	case complexes:
		var re, im uint64
		if v.Value != nil {
			z := v.Complex128()
			re, im = math.Float64bits(real(z)), math.Float64bits(imag(z))
			if s.size == 8 {
				z := complex64(z)
				re, im = uint64(math.Float32bits(real(z))), uint64(math.Float32bits(imag(z)))
			}
		}
		pl := u.room(s)
		u.prologue = append(u.prologue, instr{op: opConst, a: pl.n, imm: int64(re)}, instr{op: opConst, a: pl.n + 1, imm: int64(im)})
		return pl
	case flat:
		n, ok := u.zeros[s.words]
		if !ok {
			n = u.room(s).n
			u.zeros[s.words] = n
			u.prologue = append(u.prologue, instr{op: opZeroN, a: n, c: uint16(s.words)})
		}
		return place{n: n}
	}
	return u.fixed(v)
}

func (u *unit) word(b uint64) uint16 {
	n, ok := u.words[b]
	if !ok {
		n = u.room(shape{class: word, words: 1}).n
		u.words[b] = n
		u.prologue = append(u.prologue, instr{op: opConst, a: n, imm: int64(b)})
	}
	return n
}

// fixed is the place of a value that is the same in all activations: strings, nil, functions, addresses of variables.
func (u *unit) fixed(v ssa.Value) place {
	if pl, ok := u.ptrs[v]; ok {
		return pl
	}
	s := shapeOf(v.Type())
	pl := u.room(s)
	var data unsafe.Pointer
	switch c, isConst := v.(*ssa.Const); {
	case isConst && s.class == text:
		str := ""
		if c.Value != nil {
			str = constant.StringVal(c.Value)
		}
		data = unsafe.Pointer(unsafe.StringData(str))
		u.c.keep = append(u.c.keep, str)
		u.prologue = append(u.prologue, instr{op: opConst, a: pl.n, imm: int64(len(str))})
	case isConst && s.class == boxed:
		t := u.eng.Type(v.Type())
		if t == nil {
			panic(refusal("a zero value of a type that is not known here"))
		}
		data = zeroOf(t)
	case isConst && s.class == slice:
		u.prologue = append(u.prologue, instr{op: opZeroN, a: pl.n, c: 2})
	case isConst:
	default:
		reg, ok := u.eng.Register(u.fn, v)
		if !ok {
			panic(refusal(v.Name() + " has no value"))
		}
		x := u.eng.Constant(u.fn, reg)
		u.c.keep = append(u.c.keep, x)
		data = dataOf(&x)
	}
	u.c.pointers = append(u.c.pointers, data)
	u.prologue = append(u.prologue, instr{op: opConstP, a: pl.p, imm: int64(len(u.c.pointers) - 1)})
	u.ptrs[v] = pl
	return pl
}

func (u *unit) emit(o opcode, a, b, c uint16, imm int64) {
	u.ins = append(u.ins, instr{o, a, b, c, imm})
	u.from = append(u.from, u.at)
}
