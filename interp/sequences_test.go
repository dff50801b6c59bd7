package interp

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	sequences    = flag.Int("sequences", 40, "how many random sequences of cells TestSequences runs")
	sequenceSeed = flag.Uint64("sequenceseed", 1, "the seed of the first one")
)

// TestSequences runs random sequences of cells in sessions and, written as programs, through the compiler.
func TestSequences(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command: nothing to compare with")
	}
	const batch = 40 // programs of one build
	for first := *sequenceSeed; first < *sequenceSeed+uint64(*sequences); first += batch {
		n := min(batch, *sequenceSeed+uint64(*sequences)-first)
		compareSequences(t, first, int(n))
	}
}

// FuzzSequences is TestSequences for any seed.
func FuzzSequences(f *testing.F) {
	if _, err := exec.LookPath("go"); err != nil {
		f.Skip("no go command: nothing to compare with")
	}
	f.Fuzz(func(t *testing.T, seed uint64) { compareSequences(t, seed, 4) })
}

func compareSequences(t *testing.T, first uint64, n int) {
	t.Helper()
	all := make([]*sequence, n)
	for i := range all {
		all[i] = newSequence(first + uint64(i))
	}
	want := compiledOutputs(t, all)
	for i, q := range all {
		t.Run(fmt.Sprint(first+uint64(i)), func(t *testing.T) {
			r := newRecorder(t, Options{})
			var got strings.Builder
			for c, cell := range q.cells {
				got.WriteString(r.run(c+1, cell))
			}
			if got, want := strings.TrimSpace(got.String()), strings.TrimSpace(want[i]); got != want {
				t.Errorf("seed %d:\n%s\nthe session prints\n%s\ncompiled Go\n%s", first+uint64(i), strings.Join(q.cells, "\n----\n"), got, want)
			}
		})
	}
}

// compiledOutputs builds one program of all sequences and returns what each prints.
func compiledOutputs(t *testing.T, all []*sequence) []string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var imports, calls strings.Builder
	for i, q := range all {
		write(fmt.Sprintf("s%d/s.go", i), fmt.Sprintf("package s%d\n\n%s", i, q.program()))
		fmt.Fprintf(&imports, "\t\"sequences/s%d\"\n", i)
		fmt.Fprintf(&calls, "\ts%d.Run()\n\tfmt.Print(\"\\x00\")\n", i)
	}
	write("go.mod", "module sequences\n\ngo 1.26\n")
	write("main.go", "package main\n\nimport (\n\t\"fmt\"\n"+imports.String()+")\n\nfunc main() {\n"+calls.String()+"}\n")
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		t.Fatalf("go run: %v\n%s", err, problems.String())
	}
	return strings.Split(out.String(), "\x00")
}

// sequence is a random list of cells and the program that must print the same. What cells declare is written as §n§ while it
// is made: a cell has the name that the user gave, which several declarations may share; the program has a name for each. A
// function is a variable in the program, and a method calls one, as cells may replace them.
type sequence struct {
	*rand.Rand
	cells []string
	decls strings.Builder // of the program
	body  strings.Builder
	names []string // of the declarations, as users write them
	vars  []variable
	funcs []function
	types []*structType
	local int  // local names so far
	plain bool // in a function literal
	pure  bool // in a function: Go leaves open whether a call or a variable beside it comes first

	// of the cell that is being made
	head, stmts         strings.Builder // declarations and statements, for the cell
	progHead, progStmts strings.Builder
	taken               map[string]bool // names that it declares, or that its functions use
}

type variable struct{ id, typ string }

type function struct {
	id     string
	params []string
	result string
}

type structType struct {
	id      string
	fields  []variable // id is the plain name
	methods []function
}

var basicTypes = []string{"int", "int", "string", "float64", "bool", "[]int", "map[string]int", "func(int) int", "int8", "[]string", "any"}

// prelude is the first cell. Functions spend fuel, so that none calls itself for ever.
const prelude = `var fuel = 300
func num(x int) int { return x }
func flt(x float64) float64 { return x }
func ok() bool { fuel--; return fuel > 0 }
func try(f func()) { defer func() { if r := recover(); r != nil { fmt.Println("recovered:", r) } }(); f() }
func Map[T, U any](xs []T, f func(T) U) (out []U) { for _, x := range xs { out = append(out, f(x)) }; return }
func Fold[T, A any](xs []T, a A, f func(A, T) A) A { for _, x := range xs { a = f(a, x) }; return a }
type Pair[K comparable, V any] struct { Key K; Val V }
func (p Pair[K, V]) With(v V) Pair[K, V] { p.Val = v; return p }
type Stack[T any] struct { items []T }
func (s *Stack[T]) Push(x T) *Stack[T] { s.items = append(s.items, x); return s }
func (s *Stack[T]) All() iter.Seq2[int, T] { return func(yield func(int, T) bool) { for i, x := range s.items { if !yield(i, x) { return } } } }
type Sizer interface { Size(int) int }
`

func newSequence(seed uint64) *sequence {
	q := &sequence{Rand: rand.New(rand.NewPCG(seed, 3)), cells: []string{prelude}}
	q.decls.WriteString("import (\"errors\"; \"fmt\"; \"iter\"; \"maps\"; \"slices\"; \"strings\")\n" +
		"var _, _, _, _ = slices.Sorted[int], maps.Keys[map[int]int], strings.ToUpper, errors.New\n" + prelude)
	for range 4 + q.IntN(8) {
		q.cell()
	}
	return q
}

func (q *sequence) program() string {
	return q.decls.String() + "\nfunc Run() {\n" + q.body.String() + "}\n"
}

func (q *sequence) cell() {
	q.head.Reset()
	q.stmts.Reset()
	q.progHead.Reset()
	q.progStmts.Reset()
	q.taken = map[string]bool{}
	q.both("fuel = 300\n")
	for range q.IntN(4) {
		switch q.IntN(5) {
		case 0, 1:
			q.declareFunc()
		case 2:
			q.declareType()
		default:
			q.declareMethod()
		}
	}
	for range 1 + q.IntN(4) {
		if q.IntN(5) < 2 {
			q.declareVar()
		} else {
			q.both(q.statement(3, nil))
		}
	}
	q.both("fmt.Println(" + q.expr(q.valueType(), 2, nil) + ", " + q.expr(q.valueType(), 2, nil) + ")\n")
	q.cells = append(q.cells, q.spell(q.head.String()+q.stmts.String(), false))
	q.body.WriteString(q.spell(q.progHead.String()+q.progStmts.String(), true))
}

// both adds a statement to the cell and to the program.
func (q *sequence) both(s string) {
	q.stmts.WriteString(s)
	q.progStmts.WriteString(s)
}

var marked = regexp.MustCompile(`§\d+§`)

func number(id string) (n int) {
	fmt.Sscanf(id, "§%d§", &n)
	return n
}

// spell writes the names of declarations, for the program or for cells.
func (q *sequence) spell(text string, program bool) string {
	return marked.ReplaceAllStringFunc(text, func(m string) string {
		if n := number(m); program {
			return fmt.Sprintf("%s%d", q.names[n], n)
		} else {
			return q.names[n]
		}
	})
}

func (q *sequence) name(n string) string {
	q.names = append(q.names, n)
	return fmt.Sprintf("§%d§", len(q.names)-1)
}

// take reserves a name for a declaration of the cell.
func (q *sequence) take(n string) bool {
	if q.taken[n] {
		return false
	}
	q.taken[n] = true
	return true
}

// pin keeps the names that text uses from being declared in the rest of the cell.
func (q *sequence) pin(text string) string {
	for _, m := range marked.FindAllString(text, -1) {
		q.taken[q.names[number(m)]] = true
	}
	return text
}

func (q *sequence) pick(list ...string) string { return list[q.IntN(len(list))] }

func (q *sequence) fresh() string {
	q.local++
	return fmt.Sprintf("l%d", q.local)
}

// typ returns a type for a variable, valueType one whose values are printed the same by all.
func (q *sequence) typ() string {
	if len(q.types) > 0 && q.IntN(3) == 0 {
		return q.pick("", "*", "[]") + q.types[q.IntN(len(q.types))].id
	}
	return q.pick(basicTypes...)
}

func (q *sequence) valueType() string {
	for {
		if t := q.typ(); t != "func(int) int" && !strings.HasPrefix(t, "*") {
			return t
		}
	}
}

// forget drops what mentions a declaration that cells cannot name any more.
func (q *sequence) forget(id string) {
	has := func(texts ...string) bool { return strings.Contains(strings.Join(texts, " "), id) }
	q.vars = slices.DeleteFunc(q.vars, func(v variable) bool { return has(v.id, v.typ) })
	q.funcs = slices.DeleteFunc(q.funcs, func(f function) bool { return has(append(f.params, f.id, f.result)...) })
	var lost []string
	q.types = slices.DeleteFunc(q.types, func(t *structType) bool {
		text := t.id
		for _, f := range t.fields {
			text += f.typ
		}
		if has(text) && t.id != id {
			lost = append(lost, t.id)
		}
		return has(text)
	})
	for _, other := range lost {
		q.forget(other)
	}
}

func (q *sequence) declareVar() {
	n := q.pick("a", "b", "c", "d", "e", "g")
	typ := q.typ()
	value := q.expr(typ, 3, nil)
	if !q.take(n) {
		return
	}
	id := ""
	for _, v := range q.vars {
		if q.names[number(v.id)] == n {
			if v.typ == typ {
				id = v.id // with the same type it stays the same variable
			} else {
				q.forget(v.id)
			}
			break
		}
	}
	if id == "" {
		id = q.name(n)
		q.vars = append(q.vars, variable{id, typ})
		q.decls.WriteString(q.spell(fmt.Sprintf("var %s %s\n", id, typ), true))
	}
	fmt.Fprintf(&q.stmts, "var %s %s = %s\n", id, typ, value)
	fmt.Fprintf(&q.progStmts, "%s = %s\n", id, value)
	if q.IntN(2) == 0 {
		q.both("fuel++\n")
	} else {
		q.pin(value) // neighbouring declarations may be in any order: what the value reads must not be declared among them
	}
}

func (q *sequence) declareFunc() {
	n := q.pick("f", "h", "k", "m")
	f := function{params: make([]string, q.IntN(3)), result: q.typ()}
	var old *function
	for i := range q.funcs {
		if q.names[number(q.funcs[i].id)] == n {
			old = &q.funcs[i]
		}
	}
	if old != nil && q.IntN(2) == 0 {
		f = *old // with the same type all its callers call the new one
	} else {
		for i := range f.params {
			f.params[i] = q.typ()
		}
	}
	params, locals := q.params(f.params)
	body := q.pin(q.funcBody(f.result, locals))
	q.pin(strings.Join(f.params, " ") + f.result)
	if !q.take(n) {
		return
	}
	if f.id == "" {
		if old != nil {
			q.forget(old.id)
		}
		f.id = q.name(n)
		q.funcs = append(q.funcs, f)
		q.decls.WriteString(q.spell(fmt.Sprintf("var %s func(%s) %s\n", f.id, strings.Join(f.params, ", "), f.result), true))
	}
	fmt.Fprintf(&q.head, "func %s(%s) %s {\n%s}\n", f.id, params, f.result, body)
	fmt.Fprintf(&q.progHead, "%s = func(%s) %s {\n%s}\n", f.id, params, f.result, body)
}

func (q *sequence) params(types []string) (list string, locals []variable) {
	for i, t := range types {
		v := variable{q.fresh(), t}
		if i > 0 {
			list += ", "
		}
		list += v.id + " " + t
		locals = append(locals, v)
	}
	return list, locals
}

func (q *sequence) funcBody(result string, locals []variable) string {
	q.pure = true
	defer func() { q.pure = false }()
	s := "if !ok() { return " + q.expr(result, 0, nil) + " }\n"
	for range q.IntN(3) {
		s += q.statement(2, locals)
	}
	return s + "return " + q.expr(result, 2, locals) + "\n"
}

func (q *sequence) declareType() {
	n := q.pick("P", "Q", "R")
	var fields []variable
	for i := range 1 + q.IntN(3) {
		fields = append(fields, variable{string(rune('A' + i)), q.valueType()})
	}
	if !q.take(n) {
		return
	}
	for _, f := range fields {
		q.pin(f.typ)
		if strings.Contains(f.typ, "§") && q.names[number(marked.FindString(f.typ))] == n {
			return // it would contain itself
		}
	}
	for _, t := range q.types {
		if q.names[number(t.id)] == n {
			q.forget(t.id)
			break
		}
	}
	for _, f := range fields { // one may have been made of the type that is forgotten
		id := marked.FindString(f.typ)
		if id != "" && !slices.ContainsFunc(q.types, func(t *structType) bool { return t.id == id }) {
			return
		}
	}
	t := &structType{id: q.name(n), fields: fields}
	q.types = append(q.types, t)
	text := fmt.Sprintf("type %s struct {", t.id)
	for _, f := range fields {
		text += " " + f.id + " " + f.typ + ";"
	}
	text += " }\n"
	q.head.WriteString(text)
	q.decls.WriteString(q.spell(text, true))
}

// declareMethod declares a method of a type of this cell or an earlier one, or replaces one.
func (q *sequence) declareMethod() {
	if len(q.types) == 0 {
		return
	}
	t := q.types[q.IntN(len(q.types))]
	n := q.pick("Size", "M", "N")
	key := q.names[number(t.id)] + "." + n
	if q.taken[key] {
		return
	}
	m := function{id: n, params: []string{"int"}, result: "int"}
	if n != "Size" {
		m.params, m.result = []string{q.pick("int", "string", "[]int")}, q.pick("int", "string", t.id)
	}
	known := false
	for _, old := range t.methods {
		if old.id == n {
			m, known = old, true // a method of another type would leave its callers behind
		}
	}
	recv := q.fresh()
	params, locals := q.params(m.params)
	locals = append(locals, variable{recv, t.id})
	body := q.pin(q.funcBody(m.result, locals))
	q.pin(t.id)
	q.taken[key] = true
	fmt.Fprintf(&q.head, "func (%s %s) %s(%s) %s {\n%s}\n", recv, t.id, n, params, m.result, body)
	impl := t.id + "_" + n
	fmt.Fprintf(&q.progHead, "%s = func(%s %s, %s) %s {\n%s}\n", impl, recv, t.id, params, m.result, body)
	if !known {
		t.methods = append(t.methods, m)
		q.decls.WriteString(q.spell(fmt.Sprintf("var %s func(%s, %s) %s\nfunc (r %s) %s(x %s) %s { return %s(r, x) }\n",
			impl, t.id, m.params[0], m.result, t.id, n, m.params[0], m.result, impl), true))
	}
}

// statement returns a statement that ends with a new line. What it declares is in a block of its own.
func (q *sequence) statement(depth int, locals []variable) string {
	e := func(typ string) string { return q.expr(typ, depth-1, locals) }
	if depth <= 0 {
		return "fmt.Println(" + e(q.valueType()) + ")\n"
	}
	inner := func(more ...variable) string {
		return q.statement(depth-1, append(slices.Clone(locals), more...))
	}
	l, m := q.fresh(), q.fresh()
	switch q.IntN(23) {
	case 0, 1, 2, 3:
		if v, ok := q.assignable(locals); ok {
			switch v.typ {
			case "int", "int8":
				return v.id + q.pick(" = ", " += ", " -= ", " ^= ") + e(v.typ) + "\n"
			case "string":
				return fmt.Sprintf("if len(%s) < 60 { %s += %s }\n", v.id, v.id, e("string"))
			}
			return v.id + " = " + e(v.typ) + "\n"
		}
	case 4:
		return "if " + e("bool") + " {\n" + inner() + "} else {\n" + inner() + "}\n"
	case 5:
		return fmt.Sprintf("for %s := range %d {\n_ = %s\n%s}\n", l, 1+q.IntN(3), l, inner(variable{l, "int"}))
	case 6:
		return fmt.Sprintf("for _, %s := range %s {\n_ = %s\n%sif %s { break }\n}\n", l, e("[]int"), l, inner(variable{l, "int"}), e("bool"))
	case 7:
		return fmt.Sprintf("{ %s := %s\nfor _, %s := range slices.Sorted(maps.Keys(%s)) {\nfmt.Println(%s, %s[%s])\n%s} }\n",
			l, e("map[string]int"), m, l, m, l, m, inner(variable{m, "string"}))
	case 8:
		return fmt.Sprintf("switch %s := %s; {\ncase %s > 3:\n%sfallthrough\ncase %s == 0:\n%sdefault:\n%s}\n",
			l, e("int"), l, inner(variable{l, "int"}), l, inner(), inner())
	case 9:
		return fmt.Sprintf("switch %s := %s.(type) {\ncase int:\nfmt.Println(\"int\", %s+1)\ncase string, bool:\nfmt.Println(\"other\", %s)\ncase fmt.Stringer:\nfmt.Println(%s.String())\ncase nil:\ndefault:\n_ = %s\n%s}\n",
			l, e("any"), l, l, l, l, inner())
	case 10:
		return fmt.Sprintf("try(func() { %s := %s; fmt.Println(%s[%s]) })\n", l, e("[]int"), l, e("int"))
	case 11:
		return fmt.Sprintf("try(func() { defer func() { fmt.Println(\"deferred\", %s) }()\nfmt.Println(%s / num(%s %% 2)) })\n", e("int"), e("int"), e("int"))
	case 12:
		return fmt.Sprintf("{ %s := make(chan int)\ngo func() { defer close(%s); for i := range %d { %s <- i * i } }()\nfor %s := range %s {\nfmt.Print(%s, \" \")\n}\nfmt.Println() }\n", l, l, 1+q.IntN(4), l, m, l, m)
	case 13:
		return fmt.Sprintf("{ var %s []func() int\nfor i := range 3 { %s = append(%s, func() int { i += %s; return i }) }\nfor _, %s := range %s { fmt.Print(%s(), %s(), \" \") }\nfmt.Println() }\n",
			l, l, l, e("int"), m, l, m, m)
	case 14:
		return fmt.Sprintf("{ %s := (&Stack[%s]{}).Push(%s)\n%s.Push(%s)\nfor %s, x := range %s.All() {\nfmt.Println(%s, x)\nif %s { continue }\n%s} }\n",
			l, "string", e("string"), l, e("string"), m, l, m, e("bool"), inner(variable{m, "int"}))
	case 15:
		return fmt.Sprintf("outer%s:\nfor %s := range 3 {\nfor %s := range 3 {\nif %s > %s { continue outer%s }\nif %s { break outer%s }\nfmt.Print(%s, %s, \" \")\n}\n}\n", l, l, m, m, l, l, e("bool"), l, l, m)
	case 16:
		return fmt.Sprintf("{ %s := []Sizer{%s}\nfor _, %s := range %s { fmt.Println(%s.Size(%s)) } }\n", l, q.sizers(depth, locals), m, l, m, e("int"))
	case 17:
		return fmt.Sprintf("{ %s := %s\n%s := &%s\n*%s += 1\nfmt.Println(%s) }\n", l, e("int"), m, l, m, l)
	case 18:
		return fmt.Sprintf("{ %s := [3]int{%s, %s}\n%s := %s\n%s[1]++\nfmt.Println(%s == %s, %s, %s) }\n", l, e("int"), e("int"), m, l, m, l, m, l, m)
	case 19:
		return fmt.Sprintf("{ %s := %s\n%s := func() (out int, err error) { defer func() { if out > 0 { err = errors.New(\"positive\") }; out *= 2 }(); return %s, nil }\n_ = %s\nfmt.Println(%s()) }\n", l, e("int"), m, l, l, m)
	case 21:
		if v, ok := q.assignable(nil); ok {
			return fmt.Sprintf("func() { %s = %s }()\n", v.id, e(v.typ))
		}
	case 20:
		if p, t := q.pointer(locals); p != "" && !q.pure {
			f := t.fields[q.IntN(len(t.fields))]
			return p + "." + f.id + " = " + e(f.typ) + "\n"
		}
	}
	return "fmt.Println(" + e(q.valueType()) + ", " + e(q.valueType()) + ")\n"
}

// assignable is a variable to assign to.
func (q *sequence) assignable(locals []variable) (variable, bool) {
	if q.pure && len(locals) == 0 {
		return variable{}, false
	}
	if q.pure {
		return locals[q.IntN(len(locals))], true
	}
	return q.target(locals)
}

// target is any variable.
func (q *sequence) target(locals []variable) (variable, bool) {
	all := append(slices.Clone(locals), q.vars...)
	if len(all) == 0 {
		return variable{}, false
	}
	return all[q.IntN(len(all))], true
}

// pointer is a variable that points to a struct, or is one.
func (q *sequence) pointer(locals []variable) (string, *structType) {
	for _, i := range q.Perm(len(q.vars)) {
		for _, t := range q.types {
			if v := q.vars[i]; v.typ == t.id || v.typ == "*"+t.id {
				return v.id, t
			}
		}
	}
	return "", nil
}

// sizers is a list of values that are Sizers.
func (q *sequence) sizers(depth int, locals []variable) string {
	var list []string
	for _, t := range q.types {
		for _, m := range t.methods {
			if m.id == "Size" {
				list = append(list, q.expr(t.id, depth-1, locals), "&"+q.literal(t, depth-1, locals))
			}
		}
	}
	return strings.Join(list, ", ")
}

func (q *sequence) literal(t *structType, depth int, locals []variable) string {
	var list []string
	for _, f := range t.fields {
		if q.IntN(4) > 0 {
			list = append(list, f.id+": "+q.expr(f.typ, depth-1, locals))
		}
	}
	return t.id + "{" + strings.Join(list, ", ") + "}"
}

// expr returns an expression of a type.
func (q *sequence) expr(typ string, depth int, locals []variable) string {
	if q.IntN(3) > 0 || depth > 0 {
		for range 3 {
			if v, ok := q.target(locals); ok && v.typ == typ {
				return v.id
			}
		}
	}
	e := func(typ string) string { return q.expr(typ, depth-1, locals) }
	if depth > 0 && q.IntN(3) == 0 && !q.plain {
		if s := q.access(typ, depth, locals); s != "" {
			return s
		}
	}
	x := q.fresh()
	switch typ {
	case "int":
		if depth > 0 {
			switch q.IntN(14) {
			case 0, 1, 2:
				return "(" + e("int") + q.pick(" + ", " - ", " * ", " & ", " | ", " ^ ", " &^ ") + e("int") + ")"
			case 3:
				return "len(" + e(q.pick("[]int", "string", "map[string]int", "[]string")) + ")"
			case 4:
				return "Fold(" + e("[]int") + ", " + e("int") + ", func(acc, " + x + " int) int { return acc*2 + " + q.expr("int", depth-1, append(slices.Clone(locals), variable{x, "int"})) + " })"
			case 5:
				return e("map[string]int") + "[" + e("string") + "]"
			case 6:
				return q.pick("min(", "max(") + e("int") + ", " + e("int") + ")"
			case 7:
				return "int(" + e("int8") + ")"
			case 8:
				return "(num(" + e("int") + ")" + q.pick(" << ", " >> ") + fmt.Sprint(q.IntN(70)) + ")"
			case 9:
				return e("func(int) int") + "(" + e("int") + ")"
			case 10:
				return "(Pair[int, int]{" + e("int") + ", 1}).With(" + e("int") + ").Val"
			case 11:
				return "func() (" + x + " int) { defer func() { " + x + " += 3 }(); return " + e("int") + " }()"
			case 12:
				return "*new(" + e("int") + ")"
			}
		}
		return fmt.Sprintf("num(%d)", q.IntN(20)-5)
	case "int8":
		if depth > 0 {
			return "(int8(" + e("int") + ")" + q.pick(" + ", " - ", " * ") + e("int8") + ")"
		}
		return fmt.Sprintf("int8(num(%d))", q.IntN(255)-127)
	case "string":
		if depth > 0 {
			switch q.IntN(7) {
			case 0, 1:
				return "(" + e("string") + " + " + e("string") + ")"
			case 2:
				return "fmt.Sprint(" + e(q.valueType()) + ")"
			case 3:
				return "strings.ToUpper(" + e("string") + ")"
			case 4:
				return fmt.Sprintf("func() string { %s := %s; return %s[len(%s)/2:] }()", x, e("string"), x, x)
			case 5:
				return "string([]rune(" + e("string") + "))"
			}
		}
		return q.pick(`"a"`, `"xyz"`, `""`, `"ü→"`, "`raw`", `"b\tc"`)
	case "float64":
		if depth > 0 {
			return "(" + q.pick(e("float64"), "float64("+e("int")+")") + q.pick(" + ", " - ", " * ", " / ") + e("float64") + ")"
		}
		return "flt(" + q.pick("1.5", "0.25", "-3.0", "1e10", "0.1") + ")"
	case "bool":
		if depth > 0 {
			switch q.IntN(6) {
			case 0:
				return "(" + e("bool") + q.pick(" && ", " || ") + e("bool") + ")"
			case 1:
				return "!" + e("bool")
			case 2:
				return "(" + e("string") + q.pick(" == ", " < ", " != ") + e("string") + ")"
			case 3:
				return "(" + e("any") + " == any(" + e(q.pick("int", "string")) + "))"
			}
			return "(" + e("int") + q.pick(" == ", " < ", " != ", " >= ") + e("int") + ")"
		}
		return q.pick("true", "false")
	case "[]int":
		if depth > 0 {
			switch q.IntN(5) {
			case 0:
				return "append(slices.Clone(" + e("[]int") + "), " + e("int") + ")"
			case 1:
				return "Map(" + e("[]int") + ", " + e("func(int) int") + ")"
			case 2:
				return "slices.Sorted(maps.Values(" + e("map[string]int") + "))"
			case 3:
				return fmt.Sprintf("func() []int { %s := %s; return %s[len(%s)/2:] }()", x, e("[]int"), x, x)
			}
		}
		return "[]int{" + strings.Join([]string{e1(q, depth, locals), e1(q, depth, locals)}[:q.IntN(3)], ", ") + "}"
	case "[]string":
		if depth > 0 {
			return "Map(" + e("[]int") + ", func(" + x + " int) string { return fmt.Sprint(" + x + ", " + e("string") + ") })"
		}
		return q.pick("[]string{}", `[]string{"p", "q"}`)
	case "map[string]int":
		if depth > 0 && q.IntN(2) == 0 {
			return "maps.Clone(" + e("map[string]int") + ")"
		}
		return q.pick(`map[string]int{"a": 1}`, `map[string]int{"xyz": 3, "": 4}`, "map[string]int{"+`"k": `+fmt.Sprint(q.IntN(9))+"}")
	case "func(int) int": // a function literal keeps to the definitions of its time: it calls nothing that may be replaced
		plain := q.plain
		q.plain = true
		defer func() { q.plain = plain }()
		return "func(" + x + " int) int { if !ok() { return 0 }; return " + q.expr("int", depth-1, append(slices.Clone(locals), variable{x, "int"})) + " }"
	case "any":
		return "any(" + e(q.pick("int", "string", "bool", "float64", "[]int")) + ")"
	}
	for _, t := range q.types {
		switch typ {
		case t.id:
			return "(" + q.literal(t, depth, locals) + ")"
		case "*" + t.id:
			return "(&" + q.literal(t, depth, locals) + ")"
		case "[]" + t.id:
			return "[]" + t.id + "{" + q.literal(t, depth-1, locals) + "}"
		}
	}
	panic("no expression of type " + q.spell(typ, false))
}

func e1(q *sequence, depth int, locals []variable) string { return q.expr("int", depth-1, locals) }

// access returns an expression of a type that uses what was declared: a call, a field, a method; or "".
func (q *sequence) access(typ string, depth int, locals []variable) string {
	for _, i := range q.Perm(len(q.funcs)) {
		if f := q.funcs[i]; f.result == typ {
			var args []string
			for _, p := range f.params {
				args = append(args, q.expr(p, depth-1, locals))
			}
			return f.id + "(" + strings.Join(args, ", ") + ")"
		}
	}
	for _, i := range q.Perm(len(q.types)) {
		t := q.types[i]
		for _, m := range t.methods {
			if m.result == typ && q.IntN(2) == 0 {
				recv := q.expr(q.pick("", "*")+t.id, depth-1, locals)
				return recv + "." + m.id + "(" + q.expr(m.params[0], depth-1, locals) + ")"
			}
		}
		for _, f := range t.fields {
			if f.typ == typ && q.IntN(2) == 0 {
				return q.expr(t.id, depth-1, locals) + "." + f.id
			}
		}
	}
	return ""
}
