package kir

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// ParseError says which line of a text form is wrong, and why.
type ParseError struct {
	Line int
	Msg  string
}

func (e *ParseError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// Parse reads the text form of a kernel (Func.String) and verifies it. Its errors are *ParseError and *VerifyError.
// What stands behind // on a value's line becomes its note.
func Parse(text string) (f *Func, err error) {
	p := &parser{f: &Func{}, values: make(map[int]*Value)}
	defer func() {
		if e, ok := recover().(*ParseError); ok {
			f, err = nil, e
		} else if e != nil {
			panic(e)
		}
	}()
	for line := range strings.Lines(text) {
		p.line++
		p.text = strings.TrimRight(line, "\r\n")
		p.parseLine()
	}
	p.line++
	if p.f.Name == "" && len(p.f.Blocks) == 0 {
		p.fail("the text has no kernel")
	}
	p.resolve()
	if err := Verify(p.f); err != nil {
		return nil, err
	}
	return p.f, nil
}

type parser struct {
	f      *Func
	line   int
	text   string // what is left of the line
	blk    *Block
	values map[int]*Value
	later  []func() // uses of values and blocks, which may be defined further on
}

func (p *parser) fail(format string, args ...any) {
	panic(&ParseError{p.line, fmt.Sprintf(format, brief.Args(args)...)})
}

// resolve looks up what is used, once all is defined.
func (p *parser) resolve() {
	for _, do := range p.later {
		do()
	}
}

func (p *parser) space() { p.text = strings.TrimLeft(p.text, " \t") }

// accept takes s from the line where it stands next.
func (p *parser) accept(s string) bool {
	p.space()
	rest, ok := strings.CutPrefix(p.text, s)
	if ok {
		p.text = rest
	}
	return ok
}

func (p *parser) expect(s string) {
	if !p.accept(s) {
		p.fail("%q expected at %q", s, p.text)
	}
}

func (p *parser) end() {
	if p.space(); p.text != "" {
		p.fail("%q is too much", p.text)
	}
}

// word takes letters, digits and what else names may have.
func (p *parser) word() string {
	p.space()
	n := strings.IndexFunc(p.text, func(r rune) bool { return !isWord(r) })
	if n < 0 {
		n = len(p.text)
	}
	w := p.text[:n]
	if w == "" {
		p.fail("a name is missing at %q", p.text)
	}
	p.text = p.text[n:]
	return w
}

// name takes a word or a quoted string.
func (p *parser) name() string {
	if p.space(); !strings.HasPrefix(p.text, `"`) {
		return p.word()
	}
	q, err := strconv.QuotedPrefix(p.text)
	if err != nil {
		p.fail("the string at %q does not end", p.text)
	}
	p.text = p.text[len(q):]
	s, err := strconv.Unquote(q)
	if err != nil {
		p.fail("%s is not a string", q)
	}
	return s
}

func (p *parser) number() int {
	p.space()
	n := 0
	for n < len(p.text) && p.text[n] >= '0' && p.text[n] <= '9' {
		n++
	}
	x, err := strconv.ParseInt(p.text[:n], 10, 32)
	if err != nil {
		p.fail("a number is missing at %q", p.text)
	}
	p.text = p.text[n:]
	return int(x)
}

func (p *parser) numberAfter(prefix string) int {
	p.expect(prefix)
	return p.number()
}

func (p *parser) typ() Type {
	w := p.word()
	for t, info := range typeTable {
		if info.name == w && Type(t) != Void {
			return Type(t)
		}
	}
	p.fail("%q is not a type", w)
	return Void
}

func indexOf[T ~uint8](p *parser, names []string, what string) T {
	w := p.word()
	i := slices.Index(names, w)
	if i < 0 {
		p.fail("%q is not a %s; there are %s", w, what, brief.Whole(strings.Join(names, ", ")))
	}
	return T(i)
}

func (p *parser) parseLine() {
	if p.space(); p.text == "" || strings.HasPrefix(p.text, "//") {
		return
	}
	switch {
	case p.accept("kernel "):
		p.header()
	case p.accept("shared "):
		p.array(&p.f.Shared)
	case p.accept("local "):
		p.array(&p.f.Local)
	case p.accept("const "):
		p.array(&p.f.Const)
	case p.accept("string "):
		p.f.Strings = append(p.f.Strings, p.name())
		p.end()
	case p.text[0] == 'b' && len(p.text) > 1 && p.text[1] >= '0' && p.text[1] <= '9':
		p.block()
	case p.blk == nil:
		p.fail("%q stands before the first block", p.text)
	case p.blk.Term.Kind != TermNone:
		p.fail("%q stands behind the end of block %s", p.text, blockName(p.blk))
	default:
		p.valueOrEnd()
	}
}

func (p *parser) header() {
	p.f.Name = p.name()
	p.expect("(")
	for !p.accept(")") {
		prm := Param{Name: p.name()}
		align := 1
		if p.accept("[") {
			prm.Size = p.number()
			p.expect("]bytes")
		} else {
			prm.Type = p.typ()
			align = prm.Type.Bytes()
		}
		prm.Offset = p.place(p.f.ParamBytes(), align)
		if p.accept("from ") {
			prm.Least = int64(p.number())
			p.expect("to ")
			prm.Most = int64(p.number())
		}
		p.f.Params = append(p.f.Params, prm)
		if !p.accept(",") {
			p.expect(")")
			break
		}
	}
	for _, b := range p.f.Bounds.boundNames() {
		if p.accept(b.word) {
			*b.value = p.number()
		}
	}
	p.f.Bounds.Compiled = p.accept("compiled")
	p.f.Bounds.Addresses32 = p.accept("addresses32")
	p.f.Bounds.Cooperative = p.accept("cooperative")
	p.f.Bounds.Unscheduled = p.accept("unscheduled")
	p.end()
}

func (p *parser) place(end, align int) int {
	if p.accept("@") {
		return p.number()
	}
	return roundUp(end, align)
}

func (p *parser) array(to *[]Array) {
	a := Array{Name: p.name(), Len: p.numberAfter("[")}
	p.expect("]")
	a.Elem = p.typ()
	a.Offset = p.place(bytesOf(*to), a.Elem.Bytes())
	if p.accept("from ") {
		a.From = 1 + p.number()
	}
	if p.accept("=") {
		p.space()
		data, err := hex.DecodeString(p.text)
		if err != nil {
			p.fail("the data of %s: %v", a.Name, err)
		}
		a.Data, p.text = data, ""
	}
	p.end()
	*to = append(*to, a)
}

// block reads "b3 name(v1 f32, v2 i64):".
func (p *parser) block() {
	id := p.numberAfter("b")
	if id != len(p.f.Blocks) {
		p.fail("block b%d stands where b%d is due", id, len(p.f.Blocks))
	}
	p.blk = &Block{ID: id}
	p.f.Blocks = append(p.f.Blocks, p.blk)
	if p.space(); p.text != "" && p.text[0] != ':' && p.text[0] != '(' {
		p.blk.Name = p.name()
	}
	if p.accept("(") {
		for {
			v := &Value{Op: OpArg, Imm: uint64(len(p.blk.Params)), Block: p.blk}
			p.define(v, p.numberAfter("v"))
			v.Type = p.typ()
			p.blk.Params = append(p.blk.Params, v)
			if !p.accept(",") {
				break
			}
		}
		p.expect(")")
	}
	p.expect(":")
	p.end()
}

func (p *parser) define(v *Value, id int) {
	if p.values[id] != nil {
		p.fail("v%d is defined twice", id)
	}
	if id >= 1<<24 {
		p.fail("v%d: there are not so many values", id)
	}
	v.ID, p.values[id] = id, v
	p.f.nextID = max(p.f.nextID, id+1)
}

// use notes that *to is the value whose name stands next.
func (p *parser) use(to **Value) {
	id, line := p.numberAfter("v"), p.line
	p.later = append(p.later, func() {
		if *to = p.values[id]; *to == nil {
			p.line = line
			p.fail("v%d is used but nowhere defined", id)
		}
	})
}

// uses reads a list of values, to add to those that *to has.
func (p *parser) uses(to *[]*Value) {
	for p.space(); strings.HasPrefix(p.text, "v"); p.space() {
		i := len(*to)
		*to = append(*to, nil)
		var v *Value
		p.use(&v)
		p.later = append(p.later, func() { (*to)[i] = v })
		if !p.accept(",") {
			break
		}
	}
}

func (p *parser) edge(to *Edge) {
	id, line := p.numberAfter("b"), p.line
	p.later = append(p.later, func() {
		if id >= len(p.f.Blocks) {
			p.line = line
			p.fail("there is no block b%d", id)
		}
		to.To = p.f.Blocks[id]
	})
	if p.accept("(") {
		p.uses(&to.Args)
		p.expect(")")
	}
}

func (p *parser) valueOrEnd() {
	t := &p.blk.Term
	switch {
	case p.accept("jump "):
		p.edge(&t.To[0])
		t.Kind = TermJump
	case p.accept("branch "):
		t.Any = p.accept("any ")
		p.use(&t.Cond)
		p.expect(",")
		p.edge(&t.To[0])
		p.expect(",")
		p.edge(&t.To[1])
		t.Kind = TermBranch
	case p.accept("return"):
		t.Kind = TermReturn
	default:
		p.value()
		return
	}
	p.end()
}

func (p *parser) value() {
	v := &Value{Block: p.blk}
	id := -1
	if p.text[0] == 'v' && strings.Contains(p.text, "=") && len(p.text) > 1 && p.text[1] >= '0' && p.text[1] <= '9' {
		id = p.numberAfter("v")
		v.Type = p.typ()
		p.expect("=")
	}
	op := p.word()
	op, vec, isVec := strings.Cut(op, ".v")
	i := slices.IndexFunc(opTable[:], func(info opInfo) bool { return info.name == op && op != "" })
	if i < 0 {
		p.fail("%q is not an operation", op)
	}
	v.Op = Op(i)
	if isVec {
		n, err := strconv.ParseUint(vec, 10, 8)
		if err != nil || n == 0 {
			p.fail("%q is not a vector of 2 or 4", vec)
		}
		v.Vec = uint8(n)
	}
	p.immediate(v)
	p.uses(&v.Args)
	if p.space(); strings.HasPrefix(p.text, "//") {
		v.Note, p.text = strings.TrimSpace(p.text[2:]), ""
	}
	p.end()
	if id < 0 { // numbered behind all others, once those are known
		p.later = append(p.later, func() {
			v.ID = p.f.nextID
			p.f.nextID++
		})
	} else {
		p.define(v, id)
	}
	p.blk.Values = append(p.blk.Values, v)
}

// immediate reads what stands between the operation and its operands.
func (p *parser) immediate(v *Value) {
	switch {
	case v.Op == OpConst:
		p.space()
		word, rest, _ := strings.Cut(p.text, " ")
		p.text = rest
		v.Imm = p.constant(v.Type, word)
	case v.Op == OpParam:
		n, off := p.number(), 0
		if p.accept("+") {
			off = p.number()
		}
		v.Imm = paramImm(n, off)
	case v.Op == OpShared || v.Op == OpLocal || v.Op == OpConstTable || v.Op == OpArg || v.Op == OpPrintf || v.Op == OpMMA || v.Op == OpCopyWait:
		v.Imm = uint64(p.number())
	case v.Op == OpSpecial:
		v.Imm = uint64(indexOf[Special](p, specialNames[:], "special register"))
		v.Note = Special(v.Imm).String()
	case v.Op == OpFence:
		v.Imm = uint64(indexOf[Scope](p, scopeNames[:], "scope"))
	case v.Op == OpShuffle:
		s := Shuffle{Mode: indexOf[ShuffleMode](p, shuffleNames[:], "shuffle")}
		clamp, segment := p.numberAfter(":"), p.numberAfter(":")
		if clamp >= WarpSize || segment >= WarpSize {
			p.fail("a shuffle's clamp and segment are less than %d", WarpSize)
		}
		s.Clamp, s.Segment = uint8(clamp), uint8(segment)
		v.Imm = s.Imm()
	case v.Op == OpWarpReduce:
		v.Imm = uint64(indexOf[Reduction](p, reductionNames[:], "reduction"))
	case v.Op == OpCheck:
		v.Imm = uint64(indexOf[CheckKind](p, checkNames[:], "check"))
		if p.accept(":") {
			v.Imm |= uint64(p.number()+1) << 8
		}
	case v.Op.IsMemory():
		for a := Steady; int(a) < len(accessNames); a++ {
			if p.accept(a.String()) {
				v.Access = a
			}
		}
		v.Space = indexOf[Space](p, spaceNames[:], "memory space")
		v.Args = make([]*Value, 1)
		var addr *Value
		p.use(&addr)
		p.later = append(p.later, func() { v.Args[0] = addr })
		if strings.HasPrefix(p.text, "+") || strings.HasPrefix(p.text, "-") {
			n := 1
			for n < len(p.text) && p.text[n] >= '0' && p.text[n] <= '9' {
				n++
			}
			off, err := strconv.ParseInt(p.text[:n], 10, 64)
			if err != nil {
				p.fail("the offset %s does not fit", p.text[:n])
			}
			v.Imm, p.text = uint64(off), p.text[n:]
		}
		p.accept(",")
	}
}

func (p *parser) constant(t Type, word string) uint64 {
	if hexBits, ok := strings.CutPrefix(word, "0x"); ok {
		bits, err := strconv.ParseUint(hexBits, 16, 64)
		if err != nil || bits != Canonical(t, bits) {
			p.fail("%s is not a constant of type %v", word, t)
		}
		return bits
	}
	size := 8 * t.Bytes()
	var bits uint64
	var err error
	switch {
	case t.IsFloat():
		var x float64
		x, err = strconv.ParseFloat(word, max(size, 32))
		switch t {
		case F16:
			bits = uint64(HalfOf(x))
		case F32:
			bits = uint64(math.Float32bits(float32(x)))
		case F64:
			bits = math.Float64bits(x)
		}
	case t.IsSigned():
		var x int64
		x, err = strconv.ParseInt(word, 10, size)
		bits = Canonical(t, uint64(x))
	case t == Bool:
		bits, err = strconv.ParseUint(word, 10, 1)
	case t.IsUnsigned():
		bits, err = strconv.ParseUint(word, 10, size)
	default:
		p.fail("a constant needs a type")
	}
	if err != nil {
		p.fail("%s is not a constant of type %v", word, t)
	}
	return bits
}
