package gorandom

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// prelude is what all programs declare first. id keeps a constant from being folded, clip a text from
// growing. keys sorts by what Go syntax says of the keys: methods may print different keys alike.
const prelude = `func id[T any](x T) T { return x }
func clip[S ~string](s S) S { if len(s) > 24 { return s[:24] }; return s }
func bound(x float64) float64 { if x > -1e6 && x < 1e6 { return x }; return 0 }
func try(f func()) { defer func() { if r := recover(); r != nil { fmt.Println("recovered:", r) } }(); f() }
func keys[M ~map[K]V, K comparable, V any](m M) []K {
	return slices.SortedFunc(maps.Keys(m), func(a, b K) int { return strings.Compare(fmt.Sprintf("%#v", a), fmt.Sprintf("%#v", b)) })
}
type integer interface { ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr }
type number interface { integer | ~float32 | ~float64 | ~complex64 | ~complex128 }
type floating interface { ~float32 | ~float64 }
type pair[K comparable, V any] struct { Key K; Val V }
func (p pair[K, V]) With(v V) pair[K, V] { p.Val = v; return p }
func (p *pair[K, V]) Set(v V) { p.Val = v }
type stack[T any] struct { items []T }
func (s *stack[T]) Push(x T) *stack[T] { s.items = append(s.items, x); return s }
func (s *stack[T]) All() iter.Seq2[int, T] { return func(yield func(int, T) bool) { for i, x := range s.items { if !yield(i, x) { return } } } }
func each[T any](xs ...T) iter.Seq[T] { return func(yield func(T) bool) { for _, x := range xs { if !yield(x) { return } } } }
func collect[K, V, R any](seq iter.Seq2[K, V], f func(K, V) R) (out []R) { for k, v := range seq { out = append(out, f(k, v)) }; return }
func fold[T, A any](xs []T, a A, f func(A, T) A) A { for _, x := range xs { a = f(a, x) }; return a }
func must[T any](v T, err error) T { if err != nil { panic(err) }; return v }
func check[T any](v T, f func(T) error) error { return f(v) }
func label[T any](v T, s fmt.Stringer) string { return fmt.Sprint(v, s) }
func read[T ~[]byte | ~string](rs ...io.Reader) (T, error) { b, err := io.ReadAll(io.MultiReader(rs...)); return T(b), err }`

// variable is a name that is in scope.
type variable struct {
	name     string
	typ      *typ
	fixed    bool // it is not assigned to
	constant bool
	global   bool
	foreign  bool // it was declared outside of the function: code that has no effects leaves it alone
	maybe    bool // it may be nil
	shared   bool // what it refers to may be seen elsewhere: code that has no effects does not write through it
}

type function struct {
	name    string
	tparams []*typ
	params  []*typ
	results []*typ
	pure    bool
	cost    int
}

// generator writes a program.
type generator struct {
	*rand.Rand
	items []Item
	b     *strings.Builder // what is being written

	vars     []*variable // in scope, innermost last
	funcs    []*function
	named    []*typ
	generics []*generic
	ifaces   []*typ
	idioms   []use // statements for what idioms have declared

	next int // numbers names

	// of the code that is being written
	pure     bool     // it has no effects
	plain    bool     // it is for the numeric tier
	inFunc   bool     // it is in a function
	returns  bool     // a return may stand in it: results are those of the innermost function
	results  []*typ   // of the function
	tparams  []*typ   // type parameters in scope
	method   string   // the name of the method, "" in functions
	labels   []string // of loops around it
	loops    int      // loops around it, in the same function
	times    int      // how often it runs when its function is called, estimated
	cost     int      // of the function, so far
	topLevel bool

	outside []*variable // variables at top level, while a function is written
}

const (
	maxCost  = 3000 // of one statement at top level, or a function
	maxWords = 40   // of a value
)

// New makes the program of a seed.
func New(seed uint64) *Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 27)), times: 1}
	for _, line := range splitDecls(prelude) {
		g.items = append(g.items, Item{Text: line, Decl: true})
	}
	g.generics = preludeGenerics()
	opened := g.one(3)
	if opened {
		g.item(false, func() { g.libraryOf(openings) })
	}
	for range 1 + g.IntN(3) {
		g.typeDecl()
	}
	for range 5 + g.IntN(12) {
		switch g.IntN(15) {
		case 0, 1:
			g.typeDecl()
		case 2:
			g.genericType()
		case 3:
			g.interfaceDecl()
		case 4, 5, 6:
			g.funcDecl(g.IntN(3) > 0)
		case 7:
			g.genericFunc()
		case 8:
			g.constDecl()
		case 9:
			g.globalVar()
		case 10:
			g.methodItem()
		case 11:
			g.idiom()
		default:
			g.topStatement()
		}
	}
	for range 3 {
		g.topStatement()
	}
	if opened {
		g.item(false, func() { g.libraryOf(closings) })
	}
	for _, v := range g.vars {
		if v.typ.printable() && !v.constant && g.IntN(2) == 0 {
			g.items = append(g.items, Item{Text: fmt.Sprintf("fmt.Println(%q, %s)", v.name, v.name)})
		}
	}
	p := &Program{Seed: seed, Items: g.items}
	cut := 1 + g.IntN(5)
	for i := range p.Items {
		it := &p.Items[i]
		it.Text = tidy(it.Text)
		it.First = g.IntN(cut) == 0
	}
	return p
}

// splitDecls splits declarations that begin at the start of lines.
func splitDecls(text string) (out []string) {
	for _, line := range strings.Split(text, "\n") {
		if n := len(out); n > 0 && (line[0] == '\t' || line[0] == '}') {
			out[n-1] += "\n" + line
		} else {
			out = append(out, line)
		}
	}
	return out
}

func preludeGenerics() []*generic {
	k, v := &typ{kind: paramKind, name: "K", constraint: "comparable"}, &typ{kind: paramKind, name: "V", constraint: "any"}
	pair := &generic{name: "pair", params: []*typ{k, v}, under: &typ{kind: structKind, fields: []field{{"Key", k, false}, {"Val", v, false}}}, made: map[string]*typ{}}
	pair.methods = []*method{
		{name: "With", params: []*typ{v}, results: []*typ{pair.instance([]*typ{k, v})}, pure: true, cost: 1},
		{name: "Set", pointer: true, params: []*typ{v}, cost: 1},
	}
	t := &typ{kind: paramKind, name: "T", constraint: "any"}
	stack := &generic{name: "stack", params: []*typ{t}, under: &typ{kind: structKind, fields: []field{{"items", sliceOf(t), false}}}, made: map[string]*typ{}}
	return []*generic{pair, stack}
}

// item adds what write writes to the program.
func (g *generator) item(decl bool, write func()) {
	g.b = &strings.Builder{}
	write()
	g.items = append(g.items, Item{Text: g.b.String(), Decl: decl})
}

func (g *generator) topStatement() {
	g.topLevel, g.times, g.cost = true, 1, 0
	g.item(false, func() { g.statement(pick(g, 1, 2, 2, 3)) })
	g.topLevel = false
}

func (g *generator) w(format string, args ...any) { fmt.Fprintf(g.b, format, args...) }

// one says yes once in n times.
func (g *generator) one(n int) bool { return g.IntN(n) == 0 }

func pick[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

func (g *generator) name(prefix string) string { g.next++; return fmt.Sprint(prefix, g.next) }

// declare brings a variable into scope.
func (g *generator) declare(name string, t *typ) *variable {
	v := &variable{name: name, typ: t}
	g.vars = append(g.vars, v)
	return v
}

// fresh is declare with a name of its own, or now and then one that is taken further out.
func (g *generator) fresh(t *typ) *variable {
	if g.inFunc && g.one(8) && len(g.vars) > 0 {
		if v := g.vars[g.IntN(len(g.vars))]; v.global {
			for _, o := range g.vars {
				if o.name == v.name && !o.global {
					return g.declare(g.name("v"), t)
				}
			}
			return g.declare(v.name, t)
		}
	}
	return g.declare(g.name("v"), t)
}

// mark keeps the compiler from saying that variables are not used.
func mark(vars ...*variable) string {
	if len(vars) == 0 {
		return ""
	}
	var blanks, names []string
	for _, v := range vars {
		blanks, names = append(blanks, "_"), append(names, v.name)
	}
	return strings.Join(blanks, ", ") + " = " + strings.Join(names, ", ") + "\n"
}

// scope runs write and forgets what it declared.
func (g *generator) scope(write func()) {
	n := len(g.vars)
	write()
	g.vars = slices.Clip(g.vars[:n])
}

// visible returns the variables in scope that ok likes, the nearest last, without those that are shadowed.
func (g *generator) visible(ok func(*variable) bool) (out []*variable) {
	seen := map[string]bool{}
	for _, v := range slices.Backward(g.vars) {
		if !seen[v.name] && ok(v) {
			out = append(out, v)
		}
		seen[v.name] = true
	}
	slices.Reverse(out)
	return out
}

// variableOf is a random variable in scope that ok likes, or nil. Near ones are taken more often.
func (g *generator) variableOf(ok func(*variable) bool) *variable {
	list := g.visible(ok)
	if len(list) == 0 {
		return nil
	}
	if n := len(list); n > 4 && g.one(2) {
		list = list[n-4:]
	}
	return list[g.IntN(len(list))]
}

// repeat writes code that runs n times.
func (g *generator) repeat(n int, write func()) {
	old := g.times
	g.times *= max(n, 1)
	write()
	g.times = old
}

// affords says whether code that is written may spend so much, and spends it.
func (g *generator) affords(cost int) bool {
	if g.cost+g.times*cost > maxCost {
		return false
	}
	g.cost += g.times * cost
	return true
}
