package judge

import (
	"fmt"
	"strings"
)

// PhiCode is Go code whose functions assign several variables at once in loops, in every way that makes the phis of a
// loop read each other: all assignments among up to three variables, longer cycles, chains that lead into cycles,
// disjoint cycles; values of every kind of type; loops of every kind; functions of every kind. Those named f and g log
// what they assign, and so are not numeric code; those named q compute a number.
func PhiCode() Generated {
	w := &phiWriter{}
	shapes := assignments(1)
	shapes = append(shapes, assignments(2)...)
	shapes = append(shapes, assignments(3)...)
	shapes = append(shapes,
		[]int{1, 2, 3, 0},                   // a cycle of four
		[]int{1, 0, 3, 2},                   // two cycles
		[]int{1, 2, 0, 2},                   // a cycle, and a variable that follows it
		[]int{3, 0, 1, 3},                   // a chain
		[]int{2, 3, 1, 2},                   // a chain that leads into a cycle
		[]int{0, 0, 1, 2},                   // a chain from one that stays
		[]int{1, 0, 1, 0, 4},                // the same values twice, and one that stays
		[]int{4, 3, 2, 1, 0},                // two cycles about one that stays
		[]int{1, 0, 3, 4, 2, fresh},         // cycles of two and three, and a new value
		[]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 0}, // a long cycle
		[]int{9, 0, 1, 2, 3, 4, 5, 6, 7, 8, fresh},
	)
	for _, s := range shapes {
		w.function(phiTypes[0], phiLoops[0], s)
		w.quiet(phiType{"int", "#", "$", "$"}, s)
	}
	for _, t := range phiTypes[1:] {
		for _, s := range [][]int{{1, 0}, {1, 2, 0}, {fresh, 0, 1}, {2, 0, 2}} {
			w.function(t, phiLoops[0], s)
			if t.number != "" {
				w.quiet(t, s)
			}
		}
	}
	for _, l := range phiLoops[1:] {
		for _, s := range [][]int{{1, 0}, {1, 2, 0}, {1, 0, 3, 2}, {fresh, 0, 1}} {
			w.function(phiTypes[0], l, s)
		}
	}
	for i, f := range phiFunctions {
		name := fmt.Sprintf("g%d", i)
		w.decls.WriteString(strings.ReplaceAll(f.decl, "NAME", name) + "\n")
		fmt.Fprintf(&w.calls, "fmt.Println(%q, %s)\n", name, strings.ReplaceAll(f.call, "NAME", name))
	}
	return Generated{Imports: []string{"fmt"}, Decls: phiPrelude + w.decls.String(), Calls: w.calls.String()}
}

// fresh in the place of a variable's number is a new value.
const fresh = -1

// assignments lists all assignments to n variables at once: which variable, or a fresh value, each becomes.
func assignments(n int) (all [][]int) {
	count := 1
	for range n {
		count *= n + 1
	}
	for code := range count {
		var s []int
		for k := code; len(s) < n; k /= n + 1 {
			s = append(s, k%(n+1)-1)
		}
		all = append(all, s)
	}
	return all
}

const phiPrelude = `type phiPair struct { A int; B string }
type phiName string
type phiShower interface { Show() string }
func (p phiPair) Show() string { return fmt.Sprint(p) }
func (n *phiName) Show() string { return string(*n) }
`

// phiType says how a value is made of a number, #, how a variable, $, is shown, and what int stands for it, if any.
type phiType struct{ typ, value, show, number string }

var phiTypes = []phiType{
	{"string", `fmt.Sprint("v", #)`, "$", "len($)+int($[1])"},
	{"phiName", `phiName(fmt.Sprint("v", #))`, "$", "len($)+int($[1])"},
	{"bool", "#%2 == 0", "$", ""},
	{"int", "#", "$", "$"},
	{"int8", "int8(#)", "$", "int($)"},
	{"uint16", "uint16(#)", "$", "int($)"},
	{"float32", "float32(#)/2", "$", "int($*2)"},
	{"float64", "float64(#)/4", "$", "int($*4)"},
	{"complex128", "complex(float64(#), 1)", "$", "int(real($))"},
	{"uintptr", "uintptr(#)", "$", "int($)"},
	{"*int", "func() *int { n := #; return &n }()", "*$", "*$"},
	{"[]int", "[]int{#, 1}", "$", "$[0]"},
	{"[2]string", `[2]string{fmt.Sprint(#), "x"}`, "$", "len($[0])"},
	{"phiPair", `phiPair{#, "x"}`, "$", "$.A"},
	{"*phiPair", `&phiPair{#, "x"}`, "*$", "$.A"},
	{"struct{}", "struct{}{}", "$", ""},
	{"map[string]int", `map[string]int{"a": #}`, "$", ""},
	{"chan int", "make(chan int, #)", "cap($)", ""},
	{"<-chan int", "(<-chan int)(make(chan int, #))", "cap($)", ""},
	{"func() int", "func() int { return # }", "$()", "$()"},
	{"any", "any(#)", "$", ""},
	{"error", `fmt.Errorf("e%d", #)`, "$", ""},
	{"phiShower", "phiShower(phiPair{#, `y`})", "$.Show()", ""},
	{"[]phiPair", "[]phiPair{{#, `z`}}", "$", "$[0].A"},
	{"[1][]any", "[1][]any{{#}}", "$", ""},
}

// phiLoops are loops whose bodies make the assignment, STEP; STEP also counts n. # is the first variable.
var phiLoops = []string{
	"for n < 6 { STEP }",
	"for i := 0; i < 6; i++ { STEP }",
	"for i := 0; i < 6; i++ { if i%3 == 1 { continue }; STEP }",
	"for range 6 { STEP }",
	"for i := range 6 { STEP; if i == 4 { break } }",
	"for range []int{1, 2, 3, 4, 5} { STEP }",
	"for range [5]string{} { STEP }",
	"for range \"héllo\" { STEP }",
	"for range map[int]int{1: 1, 2: 2, 3: 3} { STEP }",
	"c := make(chan int, 5); for range 5 { c <- 1 }; close(c); for range c { STEP }",
	"for range func(yield func(int) bool) { for i := range 5 { if !yield(i) { return } } } { STEP }",
	"for range 3 { for range 3 { STEP }; STEP }",
	"for i := range 3 { for j := range 3 { if j > i { break }; STEP } }",
	"again: STEP; if n < 6 { goto again }",
	"outer: for range 4 { for j := range 3 { STEP; if j == 1 { continue outer }; if n > 9 { break outer } } }",
	"for n < 8 { if n%2 == 0 { STEP } else { STEP; STEP } }",
	"for n < 8 { if n%3 == 0 { n++; continue }; STEP }",
	"for n < 8 { switch n % 4 { case 0: STEP; case 1: STEP; fallthrough; case 2: STEP; default: n++ } }",
	"for n < 8 { switch v := any(n).(type) { case int: if v > 6 { return log }; STEP; case string: STEP } }",
	"c := make(chan int, 1); for n < 6 { select { case c <- n: STEP; case <-c: STEP } }",
	"for n < 6 { func() { defer func() { _ = recover() }(); panic(1) }(); STEP }",
	"for n < 6 { f := func() any { return # }; STEP; log += fmt.Sprintln(f()) }",
	"do := func() { for n < 6 { STEP } }; do()",
	"defer func() { for n < 6 { STEP } }()",
	"done := make(chan bool); go func() { for n < 6 { STEP }; close(done) }(); <-done",
	"for n < 6 && # == # || n < 3 { STEP }",
}

type phiWriter struct {
	decls, calls strings.Builder
	next         int
}

// function writes a function with one variable for each element of the assignment, which logs them after each step.
func (w *phiWriter) function(t phiType, loop string, assignment []int) {
	name := fmt.Sprintf("f%d", w.next)
	w.next++
	value := func(n string) string { return strings.ReplaceAll(t.value, "#", n) }
	var vars, init, next, shown []string
	for i, from := range assignment {
		v := fmt.Sprint("x", i)
		vars, init = append(vars, v), append(init, value(fmt.Sprint(i+1)))
		shown = append(shown, strings.ReplaceAll(t.show, "$", v))
		if from == fresh {
			next = append(next, value("(n+20)"))
		} else {
			next = append(next, fmt.Sprint("x", from))
		}
	}
	list := func(s []string) string { return strings.Join(s, ", ") }
	step := fmt.Sprintf("%s = %s; n++; log += fmt.Sprintln(%s)", list(vars), list(next), list(shown))
	body := strings.ReplaceAll(strings.ReplaceAll(loop, "STEP", step), "#", vars[0])
	fmt.Fprintf(&w.decls, "func %s() (log string) {\nn := 0\nvar %s %s = %s\n%s\nreturn log + fmt.Sprintln(%s)\n}\n",
		name, list(vars), t.typ, list(init), body, list(shown))
	fmt.Fprintf(&w.calls, "fmt.Printf(\"%s %%q\\n\", %s())\n", name, name)
}

// quiet writes a function that computes a number of the variables, which are parameters, after each step.
func (w *phiWriter) quiet(t phiType, assignment []int) {
	name := fmt.Sprintf("q%d", w.next)
	w.next++
	var vars, next, args, fresh []string
	sum := "h"
	for i, from := range assignment {
		v := fmt.Sprint("x", i)
		vars, args = append(vars, v), append(args, strings.ReplaceAll(t.value, "#", fmt.Sprint(i+1)))
		sum = "(" + sum + ")*31 + " + strings.ReplaceAll(t.number, "$", v)
		if from < 0 {
			v = "fresh[n]"
		} else {
			v = fmt.Sprint("x", from)
		}
		next = append(next, v)
	}
	for i := range 6 {
		fresh = append(fresh, strings.ReplaceAll(t.value, "#", fmt.Sprint(20+i)))
	}
	list := func(s []string) string { return strings.Join(s, ", ") }
	fmt.Fprintf(&w.decls, "func %s(h int, fresh []%s, %s %s) int {\nfor n := 0; n < 6; n++ { %s = %s; h = %s }\nreturn %s\n}\n",
		name, t.typ, list(vars), t.typ, list(vars), list(next), sum, sum)
	fmt.Fprintf(&w.calls, "fmt.Println(%q, %s(1, []%s{%s}, %s))\n", name, name, t.typ, list(fresh), list(args))
}

// phiFunctions are functions of other kinds.
var phiFunctions = []struct{ decl, call string }{
	{`type NAMEt struct{ log []string }
func (t *NAMEt) turn(n int) []string {
	x, y := "a", "b"
	for range n { x, y = y, x; t.log = append(t.log, x+y) }
	return t.log
}`, "new(NAMEt).turn(3)"},
	{`func NAME[T any](n int, x, y, z T) (log []T) {
	for range n { x, y, z = z, x, y; log = append(log, x, y, z) }
	return log
}`, `NAME(3, "a", "b", "c"), NAME(2, 1, 2, 3), NAME[any](2, 1, "b", nil), NAME[error](1, nil, fmt.Errorf("e"), nil)`},
	{`type NAMEt[T any] struct{ a, b T }
func (p NAMEt[T]) turn(n int) string {
	x, y, m := p.a, p.b, map[int]T{}
	for i := range n { x, y = y, x; m[i] = x }
	return fmt.Sprint(x, y, m)
}`, `NAMEt[string]{"a", "b"}.turn(3), NAMEt[[]int]{[]int{1}, nil}.turn(3), NAMEt[phiShower]{phiPair{1, "q"}, nil}.turn(2)`},
	{`func NAME(edges map[int][]int, from int) (order [][]int) { // breadth first
	seen, cur, next := map[int]bool{from: true}, []int{from}, []int(nil)
	for len(cur) > 0 {
		order = append(order, append([]int(nil), cur...))
		for _, v := range cur {
			for _, to := range edges[v] {
				if !seen[to] { seen[to] = true; next = append(next, to) }
			}
		}
		cur, next = next, cur[:0]
	}
	return order
}`, "NAME(map[int][]int{1: {2, 3}, 2: {4}, 3: {4, 5}, 5: {6, 1}}, 1)"},
	{`type NAMEt struct { v int; next *NAMEt }
func NAME(n int) string { // turns a list round
	var cur, prev *NAMEt
	for i := range n { cur = &NAMEt{i, cur} }
	for cur != nil { prev, cur, cur.next = cur, cur.next, prev }
	s := ""
	for ; prev != nil; prev = prev.next { s += fmt.Sprint(prev.v, " ") }
	return s
}`, "NAME(5)"},
	{`func NAME(a, b int) string { // Euclid, with coefficients
	x0, x1, y0, y1, log := 1, 0, 0, 1, ""
	for b != 0 {
		q := a / b
		a, b, x0, x1, y0, y1 = b, a%b, x1, x0-q*x1, y1, y0-q*y1
		log += fmt.Sprintln(a, b, x0, y0)
	}
	return log
}`, "NAME(240, 46)"},
	{`func NAME(n int) (s string) { // a variable for each turn, captured
	var fs []func() string
	for x, y, i := "a", "b", 0; i < n; x, y, i = y, x, i+1 { fs = append(fs, func() string { return x + y }) }
	for _, f := range fs { s += f() + " " }
	return s
}`, "NAME(4)"},
	{`func NAME(n int) (x, y string, err error) { // results that a deferred function reads
	x, y = "a", "b"
	defer func() { err = fmt.Errorf("%v: %s%s", recover(), x, y) }()
	for i := range 2*n { x, y = y, x; if i == n { panic(i) } }
	return x, y, nil
}`, "fmt.Sprint(NAME(3))"},
	{`func NAME(n int, x, y []string) string { // recursion
	for i := range n { x, y = append(y, fmt.Sprint(n, i)), x; if i == 1 { x, y = []string{NAME(n-1, x, y)}, x } }
	return fmt.Sprint(x, y)
}`, "NAME(4, nil, []string{`b`})"},
	{`func NAME() (log string) { // variables of several types in one cycle of statements
	a, b, s, t := 1, 2, "s", "t"
	var p, q any = "p", 'q'
	for i := range 5 {
		a, b, s, t, p, q = b, a, t, s, q, p
		if i == 2 { a, b = b, a+b; s, t = t, s+t }
		log += fmt.Sprintln(a, b, s, t, p, q)
	}
	return log
}`, "NAME()"},
}
