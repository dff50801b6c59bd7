package ptx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

func newScope(suffix string) *scope {
	return &scope{names: map[string]string{}, ranges: map[string]rangeOf{}, suffix: suffix}
}

func (r *reader) statement() {
	t := r.next()
	top := r.scopes[len(r.scopes)-1]
	switch t.text {
	case "":
		if t.kind == 0 {
			r.fail("the body of %s does not end", r.f.name)
		}
		failAt(t.line, "", "a string has no meaning here")
	case "{":
		r.count++
		r.scopes = append(r.scopes, newScope(fmt.Sprintf("'%d", r.count)))
	case "}":
		r.scopes = r.scopes[:len(r.scopes)-1]
	case ";":
	case ".reg":
		v := r.typed("reg")
		for {
			name := r.word().text
			if r.accept("<") {
				top.ranges[name] = rangeOf{r.integer(), v.elem}
				r.expect(">")
			} else {
				top.names[name] = name + top.suffix
				r.f.regs[name+top.suffix] = v.elem
			}
			if !r.accept(",") {
				break
			}
		}
		r.expect(";")
	case ".shared", ".local":
		for _, v := range r.variables(t.text[1:]) {
			top.names[v.name] = v.name + top.suffix
			v.name += top.suffix
			r.f.vars = append(r.f.vars, v)
		}
	case ".param":
		for _, v := range r.variables("param") {
			top.names[v.name] = v.name + top.suffix
		}
	case ".loc":
		at, inlined := sourceLine{r.next().text, r.integer(), r.integer()}, false
		for r.accept(",") { // function_name, inlined_at
			if k := r.peek(); k.text == "inlined_at" {
				r.next()
				r.calls[at], inlined = sourceLine{r.next().text, r.integer(), r.integer()}, true
				continue
			}
			for k := r.peek(); k.line == t.line && k.text != "," && k.kind != 0; k = r.peek() {
				r.next()
			}
		}
		if !inlined {
			r.own = at.file
		}
		for range 100 { // what a header has is said to be at the place where the program calls it
			if up, ok := r.calls[at]; ok && at.file != r.own {
				at = up
			}
		}
		r.pos = kir.Pos{File: r.u.files[at.file], Line: at.line, Col: at.col}
		if r.pos.File == "" {
			r.pos.File = "file " + at.file // its name stands at the end of the text
		}
	case ".pragma":
		r.skipTo(";")
	case ".file":
		r.next()
		r.next()
	default:
		r.i--
		r.instruction()
	}
}

// foreignForms are instructions that no kernel here can have, with what they are of.
var foreignForms = map[string]string{
	"tex": "textures are", "tld4": "textures are", "txq": "textures are", "suld": "surfaces are", "sust": "surfaces are", "sured": "surfaces are", "suq": "surfaces are",
	"wmma": "tensor cores are", "wgmma": "tensor cores are", "ldmatrix": "tensor cores are",
	"mbarrier": "barriers in shared memory are", "setmaxnreg": "the form is", "griddepcontrol": "dependent launches are",
}

func (r *reader) instruction() {
	t := r.next()
	in := &inst{line: t.line, pos: r.pos}
	if in.pos == (kir.Pos{}) { // no .loc names a place in another text
		in.pos = kir.Pos{File: "PTX", Line: t.line}
	}
	if t.text == "@" {
		g := operand{kind: 'r', not: r.accept("!")}
		g.name = r.resolve(r.word())
		in.guard = &g
		t = r.next()
	} else if r.peek().text == ":" {
		r.i++
		in.label = t.text
		r.f.body = append(r.f.body, in)
		return
	}
	if t.kind != 'w' || strings.HasPrefix(t.text, ".") || strings.HasPrefix(t.text, "%") {
		failAt(t.line, t.text, "an instruction is expected")
	}
	in.op = strings.Split(t.text, ".")
	if slices.Contains(in.op, "") {
		failAt(t.line, t.text, "this is not the name of an instruction")
	}
	if what, ok := foreignForms[in.op[0]]; ok {
		panic(&Error{Line: t.line, Text: t.text, Msg: what + " not supported", Pos: in.pos})
	}
	for !r.accept(";") {
		in.args = append(in.args, r.operand(in))
		if !r.accept(",") {
			r.expect(";")
			break
		}
	}
	r.f.body = append(r.f.body, in)
}

func (r *reader) operand(in *inst) operand {
	t := r.next()
	switch t.kind {
	case '{', '(':
		o := operand{kind: t.kind}
		end := map[byte]string{'{': "}", '(': ")"}[t.kind]
		if r.nested++; r.nested > mostNested {
			failAt(t.line, in.name(), "more than %d lists of operands stand in each other", mostNested)
		}
		defer func() { r.nested-- }()
		for !r.accept(end) {
			o.list = append(o.list, r.operand(in))
			if !r.accept(",") {
				r.expect(end)
				break
			}
		}
		return o
	case '[':
		o := operand{kind: '['}
		if b := r.next(); b.kind == 'n' {
			o.bits, _ = number(b)
		} else if b.kind == 'w' {
			o.name = r.resolve(b)
		} else {
			failAt(b.line, "", "an address is expected, not %q", b.text)
		}
		for r.peek().text == "+" || r.peek().text == "-" {
			neg := r.next().text == "-"
			if r.accept("-") {
				neg = !neg
			}
			n := r.next()
			if n.kind != 'n' {
				failAt(n.line, "", "the offset of an address must be a number, not %q", n.text)
			}
			off, _ := number(n)
			if neg {
				off = -off
			}
			o.bits += off
		}
		r.expect("]")
		return o
	case '!':
		return operand{kind: 'r', not: true, name: r.resolve(r.word())}
	case '-':
		o := r.operand(in)
		switch o.kind {
		case 'i':
			o.bits = -o.bits
		case 'd':
			o.bits ^= 1 << 63
		case 'f':
			o.bits ^= 1 << 31
		default:
			failAt(t.line, "", "- stands before numbers only")
		}
		return o
	case 'n':
		bits, float := number(t)
		return operand{kind: map[int]byte{0: 'i', 32: 'f', 64: 'd'}[float], bits: bits}
	case 'w':
		if t.text == "_" {
			return operand{kind: '_'}
		}
		o := operand{kind: 'r', name: r.resolve(t)}
		if r.accept("|") {
			o.pair = r.resolve(r.word())
		}
		return o
	}
	failAt(t.line, in.name(), "an operand is expected, not %q", t.text)
	return operand{}
}

// resolve returns the name, unique in the function, of a register or a variable; other names stay.
func (r *reader) resolve(t token) string {
	name := t.text
	member := ""
	if i := strings.IndexByte(name, '.'); i > 0 && strings.HasPrefix(name, "%") { // %tid.x
		return name
	} else if i > 0 {
		name, member = name[:i], name[i:]
	}
	digits := len(strings.TrimRight(name, "0123456789"))
	for i := len(r.scopes) - 1; i >= 0; i-- {
		s := r.scopes[i]
		if unique, ok := s.names[name]; ok {
			return unique + member
		}
		for cut := len(name) - 1; cut >= max(digits, 1); cut-- {
			if rg, ok := s.ranges[name[:cut]]; ok && !(len(name)-cut > 1 && name[cut] == '0') {
				n := 0
				fmt.Sscan(name[cut:], &n)
				if n >= rg.n {
					failAt(t.line, name, "there are %d registers %s, from %s0 on", rg.n, name[:cut], name[:cut])
				}
				r.f.regs[name+s.suffix] = rg.t
				return name + s.suffix + member
			}
		}
	}
	return t.text
}
