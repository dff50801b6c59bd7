package ptx

import (
	"fmt"
	"math"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

func float64bits(x float64) uint64 { return math.Float64bits(x) }

// operand is one operand of an instruction.
type operand struct {
	// 'r' register, symbol or label; 'i' integer; 'f', 'd' float; '[' address; '{' vector; '(' list of a call; '_'
	// nothing
	kind byte
	name string    // 'r', and the base of '['
	bits uint64    // of numbers, and the offset of '['
	not  bool      // of a predicate
	list []operand // of '{' and '('
	pair string    // second register of a|b
}

func (o operand) String() string {
	var parts []string
	for _, p := range o.list {
		parts = append(parts, p.String())
	}
	switch o.kind {
	case 'i':
		return fmt.Sprint(int64(o.bits))
	case 'f':
		return fmt.Sprintf("0f%08X", o.bits)
	case 'd':
		return fmt.Sprintf("0d%016X", o.bits)
	case '[':
		if o.name == "" {
			return fmt.Sprintf("[%d]", int64(o.bits))
		}
		return fmt.Sprintf("[%s+%d]", o.name, int64(o.bits))
	case '{':
		return "{" + strings.Join(parts, ", ") + "}"
	case '(':
		return "(" + strings.Join(parts, ", ") + ")"
	case '_':
		return "_"
	}
	s := o.name
	if o.not {
		s = "!" + s
	}
	if o.pair != "" {
		s += "|" + o.pair
	}
	return s
}

// inst is an instruction, or a label.
type inst struct {
	line  int
	label string
	guard *operand // @p, @!p
	op    []string // "add", "rn", "f32"
	args  []operand
	pos   kir.Pos
}

func (in *inst) name() string { return strings.Join(in.op, ".") }

func (in *inst) String() string {
	if in.label != "" {
		return in.label + ":"
	}
	var s strings.Builder
	if in.guard != nil {
		fmt.Fprintf(&s, "@%v ", *in.guard)
	}
	s.WriteString(in.name())
	for i, a := range in.args {
		s.WriteString(map[bool]string{true: " ", false: ", "}[i == 0] + a.String())
	}
	return s.String()
}

// has reports whether the instruction has a modifier.
func (in *inst) has(mod string) bool {
	for _, m := range in.op[1:] {
		if m == mod {
			return true
		}
	}
	return false
}

// types returns the types among the modifiers, in their order.
func (in *inst) types() (out []kir.Type) {
	for _, m := range in.op[1:] {
		if t, ok := scalars[m]; ok {
			out = append(out, t)
		}
	}
	return out
}

func (in *inst) fail(format string, args ...any) { failAt(in.line, in.String(), format, args...) }

// variable is a declared variable of a memory space, or a parameter.
type variable struct {
	name  string
	space string
	elem  kir.Type
	align int
	len   int // elements; 1 for scalars, 0 for []
	array bool
	data  []byte
	line  int
}

// function is a kernel or a function.
type function struct {
	name    string
	line    int
	entry   bool
	params  []variable
	results []variable
	body    []*inst
	regs    map[string]kir.Type // register, unique in the function
	vars    []*variable         // shared, local
	defined bool
	bounds  kir.Bounds
}

// unit is a PTX text.
type unit struct {
	globals map[string]*variable
	order   []string
	funcs   map[string]*function
	entries []*function
	files   map[string]string
}

type reader struct {
	tokens []token
	i      int
	u      *unit
	f      *function
	scopes []*scope
	count  int
	nested int // lists of operands that are open
	pos    kir.Pos
	own    string // the file of the function's own code
	// where what stands at a place was called, of code that the compiler has put into another function's
	calls map[sourceLine]sourceLine
}

// sourceLine is the place of a .loc; the file is a number.
type sourceLine struct {
	file      string
	line, col int
}

// mostNested is how many lists of operands may stand in each other: a list of a call has vectors in it, and they have
// nothing.
const mostNested = 8

// scope maps names to what is unique in the function.
type scope struct {
	names  map[string]string
	ranges map[string]rangeOf // prefix of numbered registers
	suffix string
}

type rangeOf struct {
	n int
	t kir.Type
}

func (r *reader) peek() token { return r.tokens[r.i] }

func (r *reader) next() token {
	t := r.tokens[r.i]
	if t.kind != 0 {
		r.i++
	}
	return t
}

func (r *reader) accept(s string) bool {
	if t := r.peek(); t.text == s && t.kind != 's' && t.kind != 0 {
		r.i++
		return true
	}
	return false
}

func (r *reader) expect(s string) token {
	t := r.peek()
	if !r.accept(s) {
		r.fail("%q expected, not %q", s, t.text)
	}
	return t
}

func (r *reader) fail(format string, args ...any) { failAt(r.peek().line, "", format, args...) }

func (r *reader) word() token {
	t := r.next()
	if t.kind != 'w' {
		failAt(t.line, "", "a name is expected, not %q", t.text)
	}
	return t
}

func (r *reader) integer() int {
	t := r.next()
	neg := t.text == "-"
	if neg {
		t = r.next()
	}
	if t.kind != 'n' {
		failAt(t.line, "", "a number is expected, not %q", t.text)
	}
	x, float := number(t)
	if float != 0 || x > math.MaxInt32 {
		failAt(t.line, "", "the number %s does not fit here", t.text)
	}
	if neg {
		return -int(x)
	}
	return int(x)
}

// skipTo goes behind the next sign s.
func (r *reader) skipTo(s string) {
	for !r.accept(s) {
		if r.next().kind == 0 {
			r.fail("%q is missing at the end", s)
		}
	}
}

// skipBlock goes over { ... }.
func (r *reader) skipBlock() {
	r.expect("{")
	for depth := 1; depth > 0; {
		switch t := r.next(); t.kind {
		case '{':
			depth++
		case '}':
			depth--
		case 0:
			r.fail("a } is missing")
		}
	}
}

func (r *reader) module() {
	for {
		t := r.next()
		switch t.text {
		case ".version", ".target":
			for line := t.line; r.peek().line == line && r.peek().kind != 0; {
				r.next()
			}
		case ".address_size":
			if n := r.integer(); n != 64 {
				failAt(t.line, "", "addresses of %d bits are not supported: compile for 64", n)
			}
		case ".visible", ".weak", ".extern", ".common", "":
			if t.kind == 0 {
				return
			}
		case ".entry", ".func":
			r.function(t.text == ".entry")
		case ".global", ".const", ".shared":
			for _, v := range r.variables(t.text[1:]) {
				r.u.globals[v.name] = v
				r.u.order = append(r.u.order, v.name)
			}
		case ".file":
			n := r.next().text
			r.u.files[n] = r.next().text
			for r.accept(",") {
				r.next()
			}
		case ".section":
			r.next()
			r.skipBlock()
		case ".pragma", ".alias":
			r.skipTo(";")
		default:
			failAt(t.line, t.text, "this directive is not known")
		}
	}
}

// variables reads what stands behind .shared and its like, up to the semicolon.
func (r *reader) variables(space string) (out []*variable) {
	base := r.typed(space)
	for {
		v := base
		v.name, v.line = r.word().text, r.peek().line
		if r.accept("<") { // numbered ones
			n := r.integer()
			r.expect(">")
			if n > 4096 {
				r.fail("%d variables are too many", n)
			}
			for i := range n {
				w := v
				w.name = fmt.Sprintf("%s%d", v.name, i)
				out = append(out, &w)
			}
		} else {
			r.dimensions(&v)
			if r.accept("=") {
				r.initial(&v)
			}
			out = append(out, &v)
		}
		if !r.accept(",") {
			break
		}
	}
	r.expect(";")
	return out
}

// typed reads alignment and type.
func (r *reader) typed(space string) variable {
	v := variable{space: space, len: 1}
	for {
		t := r.word()
		switch {
		case t.text == ".align":
			v.align = r.integer()
			if v.align < 1 || v.align > 4096 || v.align&(v.align-1) != 0 {
				failAt(t.line, "", "%d is not an alignment", v.align)
			}
		case t.text == ".ptr" || t.text == ".global" || t.text == ".shared" || t.text == ".local" || t.text == ".const" || t.text == ".attribute":
			if t.text == ".attribute" {
				r.skipTo(")")
			}
		case t.text == ".v2" || t.text == ".v4":
			failAt(t.line, t.text, "variables of vector type are not supported")
		default:
			typ, ok := scalars[strings.TrimPrefix(t.text, ".")]
			if !ok || typ == kir.Bool && space != "reg" {
				failAt(t.line, t.text, "this is not a type for a variable")
			}
			v.elem = typ
			// .param .u64 .ptr .global .align 4 name
			for strings.HasPrefix(r.peek().text, ".") {
				if w := r.next(); w.text == ".align" {
					r.integer()
				}
			}
			if v.align == 0 {
				v.align = max(typ.Bytes(), 1)
			}
			return v
		}
	}
}

func (r *reader) dimensions(v *variable) {
	for r.accept("[") {
		n := 0
		if !r.accept("]") {
			n = r.integer()
			r.expect("]")
		}
		if n < 0 || n > 1<<28 || v.len*n > 1<<28 {
			r.fail("%s has too many elements", v.name)
		}
		v.array, v.len = true, v.len*n
	}
}

// initial reads the data of a variable.
func (r *reader) initial(v *variable) {
	size := v.elem.Bytes()
	if v.array && v.len == 0 {
		r.fail("%s needs a size", v.name)
	}
	v.data = make([]byte, v.len*size)
	i := 0
	var read func()
	read = func() {
		if r.accept("{") {
			for !r.accept("}") {
				read()
				if !r.accept(",") {
					r.expect("}")
					return
				}
			}
			return
		}
		neg := r.accept("-")
		t := r.next()
		if t.kind != 'n' {
			failAt(t.line, t.text, "the data of %s must be numbers; addresses of other variables are not supported", v.name)
		}
		bits, float := number(t)
		if neg {
			bits = -bits
		}
		if float == 64 && v.elem == kir.F32 {
			bits = uint64(math.Float32bits(float32(math.Float64frombits(bits))))
		}
		if i >= v.len {
			failAt(t.line, t.text, "%s has more data than elements", v.name)
		}
		for j := range size {
			v.data[i*size+j] = byte(bits >> (8 * j))
		}
		i++
	}
	read()
}

func (r *reader) parameterList() (out []variable) {
	if !r.accept("(") {
		return nil
	}
	for !r.accept(")") {
		t := r.word()
		if t.text != ".param" && t.text != ".reg" {
			failAt(t.line, t.text, "parameters begin with .param")
		}
		v := r.typed(t.text[1:])
		v.line = t.line
		v.name = r.word().text
		r.dimensions(&v)
		out = append(out, v)
		if !r.accept(",") {
			r.expect(")")
			break
		}
	}
	return out
}

func (r *reader) function(entry bool) {
	f := &function{entry: entry, regs: map[string]kir.Type{}}
	if !entry {
		f.results = r.parameterList()
	}
	t := r.word()
	f.name, f.line = t.text, t.line
	f.params = r.parameterList()
	for !r.accept("{") {
		switch t := r.next(); t.text {
		case ";":
			if r.u.funcs[f.name] == nil {
				r.u.funcs[f.name] = f
			}
			return
		case ".maxntid", ".reqntid", ".minnctapersm", ".maxnreg", ".maxnctapersm":
			n := r.integer()
			for r.accept(",") {
				n = min(n, 1<<20) * min(r.integer(), 1<<10)
			}
			switch t.text {
			case ".maxntid", ".reqntid":
				f.bounds.MaxThreads = n
			case ".minnctapersm":
				f.bounds.MinBlocks = n
			case ".maxnreg":
				f.bounds.MaxRegisters = n
			}
		case ".explicitcluster":
		case ".reqnctapercluster":
			f.bounds.Cluster = r.integer()
			for r.accept(",") {
				if n := r.integer(); n != 1 {
					failAt(t.line, t.text, "clusters of more than one block along y or z are not supported")
				}
			}
		case ".noreturn":
		case ".pragma":
			r.skipTo(";")
		default:
			failAt(t.line, t.text, "the body of %s is expected", f.name)
		}
	}
	f.defined = true
	if old := r.u.funcs[f.name]; old != nil && old.defined {
		failAt(f.line, f.name, "there are two of this name")
	}
	r.u.funcs[f.name] = f
	if entry {
		r.u.entries = append(r.u.entries, f)
	}
	r.f, r.pos = f, kir.Pos{}
	r.scopes = []*scope{newScope("")}
	for _, list := range [][]variable{f.results, f.params} {
		for _, v := range list {
			if v.space == "reg" {
				f.regs[v.name] = v.elem
				r.scopes[0].names[v.name] = v.name
			}
		}
	}
	for len(r.scopes) > 0 {
		r.statement()
	}
}
