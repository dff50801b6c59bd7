package tier

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

func (u *unit) call(in *ssa.Call) {
	if b, ok := in.Call.Value.(*ssa.Builtin); ok {
		u.builtin(in, b.Name())
		return
	}
	switch f := in.Call.Value.(type) {
	case *ssa.Function:
		if in.Call.IsInvoke() {
			break
		}
		if u.mathCall(in, f) {
			return
		}
		if f.Blocks != nil {
			if to := u.c.prog.function(f); to != nil {
				u.direct(in, to, in.Call.Args)
				return
			}
		}
	case *ssa.MakeClosure:
		args := append(append([]ssa.Value{}, in.Call.Args...), f.Bindings...)
		if to := u.c.prog.function(f.Fn.(*ssa.Function)); to != nil {
			u.direct(in, to, args)
			return
		}
		u.escape(in, args)
		return
	default:
		if !in.Call.IsInvoke() {
			u.dynamic(in)
			return
		}
	}
	args := in.Call.Args
	if in.Call.IsInvoke() {
		args = append([]ssa.Value{in.Call.Value}, args...)
	}
	u.escape(in, args)
}

// direct calls a function of the tier: the arguments go behind the registers of the caller, where the called one
// begins.
func (u *unit) direct(in *ssa.Call, to *code, args []ssa.Value) {
	u.passing(args)
	u.result(in, opCall, int64(to.id))
}

// out marks a register that is so far behind those of the unit; which that is, is known when all have been given.
const outArgs = 1

// passing emits the moves of arguments, and returns how many registers they take.
func (u *unit) passing(args []ssa.Value) (at place) {
	for _, a := range args {
		s, from := shapeOf(a.Type()), u.place(a)
		for i := range uint16(s.words) {
			u.emit(opMov, at.n+i, from.n+i, outArgs, 0)
		}
		for i := range uint16(s.pointers) {
			u.emit(opMovP, at.p+i, from.p+i, outArgs, 0)
		}
		at.n += uint16(s.words)
		at.p += uint16(s.pointers)
	}
	u.nout, u.pout = max(u.nout, int(at.n)), max(u.pout, int(at.p))
	return at
}

// result emits the call, and takes its results to their registers.
func (u *unit) result(in *ssa.Call, o opcode, imm int64) {
	res := in.Call.Signature().Results()
	if res.Len() == 1 && shapeOf(res.At(0).Type()).class == word {
		u.emit(o, u.w(in), 0, oneWord, imm)
		u.nout = max(u.nout, 1)
		return
	}
	u.emit(o, 0, 0, 0, imm)
	if res.Len() == 0 {
		return
	}
	to := u.place(in)
	var n, p uint16
	for v := range res.Variables() {
		s := shapeOf(v.Type())
		for range s.words {
			u.emit(opMov, to.n+n, n, inResults, 0)
			n++
		}
		for range s.pointers {
			u.emit(opMovP, to.p+p, p, inResults, 0)
			p++
		}
	}
	u.nout, u.pout = max(u.nout, int(n)), max(u.pout, int(p))
}

// inResults marks a source register behind those of the unit.
const inResults = 2

// place the marked registers, now that the number of the unit's own is known.
func (u *unit) settle() {
	for i := range u.ins {
		in := &u.ins[i]
		var base int
		switch in.op {
		case opMov:
			base = max(u.nregs, 1)
		case opMovP:
			base = u.pregs
		default:
			continue
		}
		switch in.c {
		case outArgs:
			in.a += uint16(base)
		case inResults:
			in.b += uint16(base)
		}
		in.c = 0
	}
}

// escape has the engine execute in, which reads args.
func (u *unit) escape(in ssa.Instruction, args []ssa.Value) {
	u.c.escapes = append(u.c.escapes, u.escaping(in, args))
	u.emit(opEscape, 0, 0, 0, int64(len(u.c.escapes)-1))
}

// escaping describes the engine's execution of in.
func (u *unit) escaping(in ssa.Instruction, args []ssa.Value) (e escape) {
	e.run, e.next = u.eng.Instruction(u.fn, in)
	if e.run == nil {
		panic(refusal("an instruction that the engine does not have"))
	}
	for _, a := range args {
		switch a.(type) {
		case *ssa.Const, *ssa.Global, *ssa.Function, *ssa.Builtin:
			continue // in all frames
		}
		e.args = append(e.args, u.slot(a))
	}
	if v, ok := in.(ssa.Value); ok {
		e.results(u, v)
	}
	return e
}

func (e *escape) results(u *unit, v ssa.Value) {
	t, isTuple := v.Type().(*types.Tuple)
	if isTuple && t.Len() == 0 {
		return
	}
	reg, ok := u.eng.Register(u.fn, v)
	if !ok {
		return
	}
	e.reg, e.wanted = reg, true
	if !isTuple {
		e.result = []slot{u.slot(v)}
		return
	}
	e.tuple = true
	at := u.place(v)
	for x := range t.Variables() {
		s := slot{place: at, shape: shapeOf(x.Type()), typ: u.eng.Type(x.Type())}
		if s.typ == nil {
			panic(refusal("a result of type " + x.Type().String() + ", which is not known here"))
		}
		e.result = append(e.result, s)
		at.n += uint16(s.words)
		at.p += uint16(s.pointers)
	}
}

// poll tests the flag; the engine's own call leaves when it is set.
func (u *unit) poll(b *ssa.BasicBlock) {
	exit := b.Succs[0]
	for _, in := range exit.Instrs {
		if call, ok := in.(*ssa.Call); ok {
			u.at = call
			e := escape{}
			e.run, e.next = u.eng.Instruction(u.fn, call)
			if e.run == nil {
				panic(refusal("a poll that the engine does not have"))
			}
			u.c.escapes = append(u.c.escapes, e)
			u.emit(opPoll, 0, 0, 0, int64(len(u.c.escapes)-1))
			return
		}
	}
	panic(refusal("a poll that leaves nothing"))
}

func (u *unit) builtin(in *ssa.Call, name string) {
	args := in.Call.Args
	t := args[0].Type()
	switch name {
	case "len", "cap": // of a constant: what has a register is an alias
		pl := u.place(args[0])
		if name == "cap" {
			pl.n++
		}
		u.emit(opMov, u.w(in), pl.n, 0, 0)
		return
	case "append":
		if elem := u.appends[in]; elem != nil {
			s := shapeOf(elem.Type())
			rt := u.eng.Type(in.Type())
			if rt == nil {
				panic(refusal("a slice of a type that is not known here"))
			}
			u.c.appends = append(u.c.appends, appending{u.place(args[0]), u.place(in), s.mem, s.size, rt})
			u.emit(opAppend, u.w(elem), 0, 0, int64(len(u.c.appends)-1))
			return
		}
	case "copy":
		elem := t.Underlying().(*types.Slice).Elem()
		if !hasPointers(elem) {
			u.c.copies = append(u.c.copies, copying{u.place(args[0]), u.place(args[1]), sizes.Sizeof(elem), u.w(in)})
			u.emit(opCopy, 0, 0, 0, int64(len(u.c.copies)-1))
			return
		}
	case "min", "max":
		if shapeOf(t).class != word {
			break
		}
		o := map[string]string{"min": "Min", "max": "Max"}[name]
		switch {
		case isFloat(in.Type()):
			o += suffix(in.Type())
		case isUnsigned(in.Type()):
			o += "U"
		default:
			o += "I"
		}
		dst, x := u.room(shapeOf(t)).n, u.w(args[0])
		for i, a := range args[1:] {
			to := dst
			if i == len(args)-2 {
				to = u.w(in)
			}
			u.emit(op(o), to, x, u.w(a), 0)
			x = to
		}
		if len(args) == 1 {
			u.emit(opMov, u.w(in), x, 0, 0)
		}
		return
	case "real", "imag":
		pl := u.place(args[0])
		if name == "imag" {
			pl.n++
		}
		u.emit(opMov, u.w(in), pl.n, 0, 0)
		return
	case "complex":
		dst := u.w(in)
		var ms moves // at once: complex(imag(z), real(z)) may be in the registers of z
		part := shape{class: word, words: 1}
		ms.add(place{n: dst}, u.place(args[0]), part)
		ms.add(place{n: dst + 1}, u.place(args[1]), part)
		u.move(ms)
		return
	}
	u.escape(in, args)
}

// mathCall calls functions of package math without the engine.
func (u *unit) mathCall(in *ssa.Call, f *ssa.Function) bool {
	if f.Pkg == nil || f.Pkg.Pkg.Path() != "math" || f.Signature.Recv() != nil {
		return false
	}
	args := in.Call.Args
	switch f.Name() {
	case "Sqrt":
		u.emit(opSqrt, u.w(in), u.w(args[0]), 0, 0)
		return true
	case "Abs":
		u.emit(opAbs, u.w(in), u.w(args[0]), 0, 0)
		return true
	case "Floor":
		u.emit(opFloor, u.w(in), u.w(args[0]), 0, 0)
		return true
	case "Float64bits", "Float64frombits", "Float32bits", "Float32frombits":
		u.emit(opMov, u.w(in), u.w(args[0]), 0, 0)
		return true
	}
	for i, name := range math1Names {
		if name == f.Name() {
			u.emit(opMath1, u.w(in), u.w(args[0]), 0, int64(i))
			return true
		}
	}
	for i, name := range math2Names {
		if name == f.Name() {
			u.emit(opMath2, u.w(in), u.w(args[0]), u.w(args[1]), int64(i))
			return true
		}
	}
	return false
}
