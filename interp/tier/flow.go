package tier

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// block lowers b; next is the block whose code follows.
func (u *unit) block(b, next *ssa.BasicBlock) {
	u.labels[b.Index], u.labelled = len(u.ins), len(u.ins)
	for _, in := range b.Instrs {
		u.at = in
		if what := obstacle(in); what != "" {
			panic(refusal(what))
		}
		switch in := in.(type) {
		case *ssa.Jump:
			u.goTo(b, b.Succs[0], next)
		case *ssa.If:
			u.branch(b, next)
		case *ssa.Return:
			u.ret(in)
		default:
			u.instruction(in)
		}
	}
}

// goTo goes from b to the block to. The head of a loop, when it is short, is done here rather than there.
func (u *unit) goTo(b, to, next *ssa.BasicBlock) {
	if !u.in[to.Index] {
		u.exit(b, to)
		return
	}
	u.phis(b, to)
	if u.labels[to.Index] >= 0 && u.shortTest(to) {
		at := u.at
		for _, in := range to.Instrs[:len(to.Instrs)-1] {
			u.at = in
			u.instruction(in)
		}
		u.at = to.Instrs[len(to.Instrs)-1]
		u.branch(to, next)
		u.at = at
		return
	}
	if to != next {
		u.jump(opJump, 0, 0, to.Index)
	}
}

// shortTest reports whether b does little but branch: the operations of a range's head, or of a test of a package's
// variable.
func (u *unit) shortTest(b *ssa.BasicBlock) bool {
	if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); !ok || u.next[b] != nil {
		return false
	}
	n := 0
	for _, in := range b.Instrs[:len(b.Instrs)-1] {
		v, ok := in.(ssa.Value)
		if ok && (u.inline[v] || u.alias(v) != nil) {
			continue
		}
		switch in.(type) {
		case *ssa.Phi, *ssa.DebugRef:
		case *ssa.BinOp, *ssa.UnOp:
			n++
		default:
			return false
		}
	}
	return n <= maxTest
}

// maxTest is how many operations a loop's head may have to be written at its end too.
const maxTest = 3

// jump emits an operation whose imm is a place to go to.
func (u *unit) jump(o opcode, a, b uint16, label int) {
	u.fixes = append(u.fixes, fix{len(u.ins), label, false})
	u.emit(o, a, b, 0, 0)
}

// label returns where the branch from b to its successor goes: to a block, or to a stub with the moves of the edge.
func (u *unit) label(b, to *ssa.BasicBlock) int {
	if u.in[to.Index] && !u.hasMoves(b, to) {
		return to.Index
	}
	u.stubs = append(u.stubs, stub{from: b, to: to})
	return -len(u.stubs)
}

func (u *unit) branch(b, next *ssa.BasicBlock) {
	if n := u.next[b]; n != nil {
		u.poll(b)
		u.goTo(b, n, next)
		return
	}
	br := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	yes, no := b.Succs[0], b.Succs[1]
	if yes == next && u.in[yes.Index] && !u.hasMoves(b, yes) {
		u.test(br.Cond, false, u.label(b, no))
		return
	}
	u.test(br.Cond, true, u.label(b, yes))
	if !u.in[no.Index] {
		u.exit(b, no)
		return
	}
	u.phis(b, no)
	if no != next {
		u.jump(opJump, 0, 0, no.Index)
	}
}

// negated is the comparison of integers that holds when another does not.
var negated = map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR}
var swapped = map[token.Token]token.Token{token.EQL: token.EQL, token.NEQ: token.NEQ, token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ}
var tests = map[token.Token]string{token.EQL: "Eq", token.NEQ: "Ne", token.LSS: "Lt", token.GTR: "Gt", token.LEQ: "Le", token.GEQ: "Ge"}

// test branches to label when cond is want.
func (u *unit) test(cond ssa.Value, want bool, label int) {
	cmp, ok := cond.(*ssa.BinOp)
	if !ok || !u.inline[cond] {
		o := opcode(opBrTrue)
		if !want {
			o = opBrFalse
		}
		u.jump(o, u.w(cond), 0, label)
		return
	}
	x, y, tok := cmp.X, cmp.Y, cmp.Op
	if isConst(x) {
		x, y, tok = y, x, swapped[tok]
	}
	if s := shapeOf(x.Type()); s.class != word {
		o := opcode(opBrNil)
		if (tok == token.EQL) != want {
			o = opBrNotNil
		}
		u.jump(o, u.p(x), 0, label)
		return
	}
	name := "Br"
	if !want {
		if isFloat(x.Type()) {
			name = "BrNot"
		} else {
			tok = negated[tok]
		}
	}
	name += comparison(tok, x.Type())
	if u.step(name, x, y, label) {
		return
	}
	if k, ok := constantBits(y); ok {
		u.fixes = append(u.fixes, fix{len(u.ins), label, true})
		u.emit(op(name+"K"), u.w(x), 0, 0, k)
		return
	}
	u.jump(op(name), u.w(x), u.w(y), label)
}

// step makes one operation of the addition of a constant, which has just been emitted, and a branch on the sum.
func (u *unit) step(name string, x, y ssa.Value, label int) bool {
	last := len(u.ins) - 1
	if last < u.labelled {
		return false
	}
	add := u.ins[last]
	o, ok := byName["Step"+name]
	if !ok || add.op != opAddU64K || add.a != add.b || add.a != u.w(x) {
		return false
	}
	k, constant := constantBits(y)
	if constant && add.imm != int64(int16(add.imm)) || !constant && u.w(y) == add.a {
		return false
	}
	u.ins, u.from = u.ins[:last], u.from[:last]
	u.fixes = append(u.fixes, fix{last, label, true})
	if constant {
		u.emit(byName["Step"+name+"K"], add.a, uint16(add.imm), 0, k)
	} else {
		u.emit(o, add.a, u.w(y), 0, add.imm)
	}
	return true
}

// comparison names the operation of a comparison of words.
func comparison(tok token.Token, t types.Type) string {
	name := tests[tok]
	switch {
	case isFloat(t):
		return name + suffix(t)
	case tok == token.EQL || tok == token.NEQ:
		return name
	case isUnsigned(t):
		return name + "U"
	}
	return name + "I"
}

// exit leaves the code for a block that the engine runs.
func (u *unit) exit(b, to *ssa.BasicBlock) {
	x := exit{from: b, to: to}
	for _, v := range u.outsideValues() {
		if in, ok := v.(ssa.Instruction); ok && (!u.in[in.Block().Index] || !in.Block().Dominates(b)) {
			continue
		}
		if isTuple(v.Type()) {
			panic(refusal("several results that are taken apart elsewhere"))
		}
		x.live = append(x.live, u.slot(v))
	}
	u.c.exits = append(u.c.exits, x)
	u.emit(opExit, 0, 0, 0, int64(len(u.c.exits)-1))
}

// ret puts the results into the first registers and returns.
func (u *unit) ret(in *ssa.Return) {
	if u.c.msize > 0 {
		u.emit(opLeave, 0, 0, 0, 0)
	}
	if len(in.Results) == 1 && shapeOf(in.Results[0].Type()).class == word {
		u.emit(opRet1, u.w(in.Results[0]), 0, 0, 0)
		return
	}
	var ms moves
	var to place
	for _, v := range in.Results {
		s := shapeOf(v.Type())
		ms.add(to, u.place(v), s)
		to.n += uint16(s.words)
		to.p += uint16(s.pointers)
	}
	u.nregs, u.pregs = max(u.nregs, int(to.n)), max(u.pregs, int(to.p))
	u.move(ms)
	u.emit(opRet, 0, 0, 0, 0)
}

// finish puts the prologue, the code and the stubs together.
func (u *unit) finish() {
	for i := 0; i < len(u.stubs); i++ {
		s := &u.stubs[i]
		s.pc = len(u.ins)
		u.at = s.from.Instrs[len(s.from.Instrs)-1]
		if !u.in[s.to.Index] {
			u.exit(s.from, s.to)
			continue
		}
		u.phis(s.from, s.to)
		u.jump(opJump, 0, 0, s.to.Index)
	}
	if u.c.msize > 0 {
		u.prologue = append(u.prologue, instr{op: opEnter})
	}
	u.settle()
	n := len(u.prologue)
	if n+len(u.ins) > maxCode {
		panic(refusal("too much code"))
	}
	for _, f := range u.fixes {
		pc := 0
		if f.label < 0 {
			pc = u.stubs[-f.label-1].pc
		} else {
			pc = u.labels[f.label]
		}
		if f.short {
			u.ins[f.ins].c = uint16(pc + n)
		} else {
			u.ins[f.ins].imm = int64(pc + n)
		}
	}
	c := u.c
	c.ins = append(append(roomFor(n+len(u.ins)), u.prologue...), u.ins...)
	c.from = append(make([]ssa.Instruction, n, n+len(u.ins)), u.from...)
	c.nsize, c.psize = uint32(max(u.nregs, 1)), uint32(u.pregs)
	c.nneed, c.pneed = c.nsize+uint32(u.nout)+1, c.psize+uint32(u.pout)+1
	if int(c.nneed) > maxRegisters || int(c.pneed) > maxRegisters {
		panic(refusal("too many values"))
	}
	if c.loop != nil {
		u.entry()
		return
	}
	c.results = resultSlots(u.fn, u.eng)
}

// resultSlots are the results of fn in the tier's first registers and in the engine's.
func resultSlots(fn *ssa.Function, eng Engine) []slot {
	var out []slot
	var at place
	for i := range fn.Signature.Results().Len() {
		t := fn.Signature.Results().At(i).Type()
		s := slot{place: at, shape: shapeOf(t), typ: eng.Type(t), reg: i}
		if s.typ == nil {
			panic(refusal("a result of type " + t.String() + ", which is not known here"))
		}
		out = append(out, s)
		at.n += uint16(s.words)
		at.p += uint16(s.pointers)
	}
	return out
}

// entry notes what the phis at the head of the loop begin with.
func (u *unit) entry() {
	u.c.phis = map[int][]slot{}
	for k, p := range u.head.Preds {
		if u.in[p.Index] {
			continue
		}
		var slots []slot
		for _, in := range u.head.Instrs {
			phi, ok := in.(*ssa.Phi)
			if !ok {
				break
			}
			s := slot{place: u.place(phi), shape: shapeOf(phi.Type()), typ: u.eng.Type(phi.Type())}
			if s.typ == nil {
				panic(refusal("a value of type " + phi.Type().String() + ", which is not known here"))
			}
			if s.reg, ok = u.eng.Register(u.fn, phi.Edges[k]); !ok {
				panic(refusal("a value that the engine has no register for"))
			}
			slots = append(slots, s)
		}
		u.c.phis[p.Index] = slots
	}
}
