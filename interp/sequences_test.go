package interp

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

var (
	sequences    = flag.Int("sequences", 0, "how many random sequences of cells TestSequences runs; 0 for as many as its size says")
	sequenceSeed = flag.Uint64("sequenceseed", 1, "the seed of the first one")
)

// TestSequences runs random sequences of cells in sessions and, written as programs, through the compiler.
func TestSequences(t *testing.T) {
	judges.Command(t, "go")
	const batch = 40 // programs of one build
	seeds := slices.Collect(testsize.Seeds("interp.TestSequences"))
	first, n := *sequenceSeed+seeds[0], uint64(len(seeds))
	if *sequences > 0 {
		first, n = *sequenceSeed, uint64(*sequences)
	}
	for end := first + n; first < end; first += batch {
		compareSequences(t, first, int(min(batch, end-first)))
	}
}

// FuzzSequences is TestSequences for any seed.
func FuzzSequences(f *testing.F) {
	judges.Command(f, "go")
	f.Fuzz(func(t *testing.T, seed uint64) { compareSequences(t, seed, 4) })
}

func compareSequences(t *testing.T, first uint64, n int) {
	t.Helper()
	all := make([]*sequence, n)
	for i := range all {
		all[i] = newSequence(first + uint64(i))
	}
	want := judge.Compiled(t, n, func(i int, pkg string) string { return "package " + pkg + "\n\n" + all[i].program() })
	for i, q := range all {
		t.Run(fmt.Sprint(first+uint64(i)), func(t *testing.T) {
			require.NoError(t, want[i].Err)
			r := newRecorder(t, Options{})
			var got strings.Builder
			for c, cell := range q.cells {
				got.WriteString(r.Run(c+1, cell))
			}
			if got, want := strings.TrimSpace(got.String()), strings.TrimSpace(want[i].Text); got != want {
				t.Errorf("seed %d:\n%s\nthe session prints\n%s\ncompiled Go\n%s", first+uint64(i), strings.Join(q.cells, "\n----\n"), got, want)
			}
		})
	}
}

// sequence is a random list of cells and the program that must print the same. What cells declare is written as §n§
// while it is made: a cell has the name that the user gave, which several declarations may share; the program has a
// name for each. A function is a variable in the program, and a method calls one, as cells may replace them.
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
		// neighbouring declarations may be in any order: what the value reads must not be declared among them
		q.pin(value)
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
