package operators

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/interp/yaegi"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// scope has the variables of a program while the judge executes it: *arrays.Array or int. Each has a name of its own.
type scope map[string]any

func (s scope) array(name string) *arrays.Array { return s[name].(*arrays.Array) }

// formula is a random expression that can be computed again, with other values of its variables.
type formula struct {
	text string
	prec int // as of expr
	eval func(s scope) any
}

func (f formula) at(prec int) string { return expr{text: f.text, prec: f.prec}.at(prec) }

// statement is a random statement: its text, and what it does by calls of package arrays. It panics where arrays
// refuses.
type statement struct {
	text string
	run  func(s scope)
}

// programMaker makes random programs with arrays.
type programMaker struct {
	*rand.Rand
	names, ints []string // in scope
	last        int
}

func (p *programMaker) name(of string) string { p.last++; return fmt.Sprint(of, p.last) }

func (p *programMaker) some() string { return p.names[p.IntN(len(p.names))] }

func variable(name string) formula {
	return formula{name, 7, func(s scope) any { return s.array(name) }}
}

// selection is a random index: its text, and what At takes.
func (p *programMaker) selection() (text string, idx func(s scope) []any) {
	lo, step := p.IntN(3), 1+p.IntN(2)
	k := float64(p.IntN(24)) / 4
	name := p.some()
	fixed := func(idx ...any) func(scope) []any { return func(scope) []any { return idx } }
	switch p.IntN(10) {
	case 0:
		return fmt.Sprint(lo), fixed(lo)
	case 1:
		return ":", fixed(arrays.All)
	case 2:
		return fmt.Sprintf("%d:", lo), fixed(arrays.From(lo))
	case 3:
		return fmt.Sprintf(":-%d", lo+1), fixed(arrays.S(0, -lo-1))
	case 4:
		return fmt.Sprintf("%d::%d", lo, step), fixed(arrays.S(lo, arrays.End, step))
	case 5:
		return fmt.Sprintf(":, %d", lo), fixed(arrays.All, lo)
	case 6:
		return fmt.Sprintf("..., %d:", lo), fixed(arrays.Dots, arrays.From(lo))
	case 7:
		return fmt.Sprintf("%s > %.2f", name, k), func(s scope) []any { return []any{s.array(name).Greater(k)} }
	case 8:
		return fmt.Sprintf("1:, ::%d", step), fixed(arrays.From(1), arrays.S(0, arrays.End, step))
	default:
		if len(p.ints) == 0 {
			return "-1", fixed(-1)
		}
		i := p.ints[p.IntN(len(p.ints))]
		return i, func(s scope) []any { return []any{s[i]} }
	}
}

// formula makes an expression of an array. It may be refused.
func (p *programMaker) formula(depth int) formula {
	if depth == 0 || p.IntN(6) == 0 {
		return variable(p.some())
	}
	x := p.formula(depth - 1)
	of := func(s scope) *arrays.Array { return x.eval(s).(*arrays.Array) }
	switch p.IntN(8) {
	case 0:
		return formula{"-" + expr{text: x.text, prec: x.prec}.at(7), 6, func(s scope) any { return of(s).Neg() }}
	case 1, 2:
		text, idx := p.selection()
		return formula{x.at(7) + "[" + text + "]", 7, func(s scope) any { return of(s).At(idx(s)...) }}
	case 3:
		return formula{"(" + x.text + ")", 7, x.eval}
	}
	o := operatorCalls[p.IntN(len(operatorCalls))]
	y := p.operand(depth - 1)
	if p.IntN(3) == 0 {
		x, y = y, x
	}
	left, right := o.sides(x.text, y.text)
	return formula{x.at(left) + " " + o.op + " " + y.at(right), o.prec, func(s scope) any { return o.call(x.eval(s), y.eval(s)) }}
}

// operand makes an array or a number.
func (p *programMaker) operand(depth int) formula {
	switch n := p.IntN(5); {
	case n == 0:
		k := p.IntN(7)
		return formula{fmt.Sprint(k), 7, func(scope) any { return k }}
	case n == 1:
		v := float64(p.IntN(40)) / 8
		return formula{fmt.Sprintf("%.3f", v), 7, func(scope) any { return v }}
	case n == 2 && len(p.ints) > 0:
		i := p.ints[p.IntN(len(p.ints))]
		return formula{i, 7, func(s scope) any { return s[i] }}
	}
	return p.formula(depth)
}

// assigns are the operators that have an assignment.
var assigns = func() (out []int) {
	for i, o := range operatorCalls {
		if o.prec > 3 {
			out = append(out, i)
		}
	}
	return out
}()

// within makes statements whose names end with them.
func (p *programMaker) within(most int) statement {
	names, ints := len(p.names), len(p.ints)
	var body []statement
	for range 1 + p.IntN(most) {
		body = append(body, p.statement(most-1))
	}
	p.names, p.ints = p.names[:names], p.ints[:ints]
	var text []string
	for _, st := range body {
		text = append(text, "\t"+strings.ReplaceAll(st.text, "\n", "\n\t"))
	}
	return statement{strings.Join(text, "\n"), func(s scope) {
		for _, st := range body {
			st.run(s)
		}
	}}
}

// statement makes one statement; deep is how many may lie in each other.
func (p *programMaker) statement(deep int) statement {
	e := p.formula(1 + p.IntN(3))
	declared := func(form string) statement {
		n := p.name("v")
		p.names = append(p.names, n)
		return statement{fmt.Sprintf(form, n, e.text) + "\n_ = " + n, func(s scope) { s[n] = e.eval(s).(*arrays.Array) }}
	}
	target := p.some()
	o := operatorCalls[assigns[p.IntN(len(assigns))]]
	switch n := p.IntN(24); {
	case n >= 16:
		return p.flow(deep)
	case n < 3:
		return declared("%s := %s")
	case n == 3:
		return declared("var %s = %s")
	case n == 4:
		return statement{target + " = " + e.text, func(s scope) { s[target] = e.eval(s).(*arrays.Array) }}
	case n == 5:
		y := p.operand(1)
		return statement{target + " " + o.op + "= " + y.text, func(s scope) { s[target] = o.call(s[target], y.eval(s)) }}
	case n == 6:
		y := p.operand(1)
		text, idx := p.selection()
		return statement{fmt.Sprintf("%s[%s] = %s", target, text, y.text), func(s scope) { s.array(target).Set(y.eval(s), idx(s)...) }}
	case n == 7:
		y := p.operand(1)
		text, idx := p.selection()
		return statement{fmt.Sprintf("%s[%s] %s= %s", target, text, o.op, y.text), func(s scope) {
			at := idx(s)
			s.array(target).Update(o.call(s.array(target).At(at...), y.eval(s)), at...)
		}}
	case n == 8: // a pair
		e2 := p.formula(1)
		a, b := p.name("v"), p.name("v")
		p.names = append(p.names, a, b)
		return statement{fmt.Sprintf("%s, %s := %s, %s\n_, _ = %s, %s", a, b, e.text, e2.text, a, b), func(s scope) {
			s[a], s[b] = e.eval(s).(*arrays.Array), e2.eval(s).(*arrays.Array)
		}}
	case n == 9: // a field
		y := p.operand(1)
		st, v := p.name("s"), p.name("v")
		p.names = append(p.names, v)
		return statement{fmt.Sprintf("%s := struct{ a *np.Array }{%s}\n%s.a %s= %s\n%s := %s.a\n_ = %s", st, e.text, st, o.op, y.text, v, st, v), func(s scope) {
			a := e.eval(s).(*arrays.Array)
			s[v] = o.call(a, y.eval(s))
		}}
	case n == 10 && deep > 0: // a loop
		i, times := p.name("i"), 1+p.IntN(3)
		p.ints = append(p.ints, i)
		body := p.within(deep)
		p.ints = p.ints[:len(p.ints)-1]
		return statement{fmt.Sprintf("for %s := range %d {\n\t_ = %s\n%s\n}", i, times, i, body.text), func(s scope) {
			for k := range times {
				s[i] = k
				body.run(s)
			}
		}}
	case n == 11 && deep > 0: // over rows
		row := p.name("v")
		p.names = append(p.names, row)
		body := p.within(deep)
		p.names = p.names[:len(p.names)-1]
		return statement{fmt.Sprintf("for _, %s := range %s {\n\t_ = %s\n%s\n}", row, e.at(7), row, body.text), func(s scope) {
			over := e.eval(s).(*arrays.Array)
			for k := range over.Len() {
				s[row] = over.At(k)
				body.run(s)
			}
		}}
	case n == 12 && deep > 0: // a condition of names of its own
		v := p.name("v")
		p.names = append(p.names, v)
		body := p.within(deep)
		p.names = p.names[:len(p.names)-1]
		return statement{fmt.Sprintf("if %s := %s; %s != nil {\n%s\n}", v, e.text, v, body.text), func(s scope) {
			s[v] = e.eval(s).(*arrays.Array)
			body.run(s)
		}}
	case n == 13 && deep > 0: // a closure that writes to variables around it
		body := p.within(deep)
		return statement{"func() {\n" + body.text + "\n}()", body.run}
	case n == 14 && deep > 0: // a function with a parameter, and what it returns
		f, arg, v := p.name("f"), p.name("v"), p.name("v")
		p.names = append(p.names, arg)
		names := len(p.names)
		body := p.within(deep)
		p.names = p.names[:names]
		out := p.formula(2)
		p.names = append(p.names[:names-1], v)
		return statement{fmt.Sprintf("%s := func(%s *np.Array) *np.Array {\n%s\n\treturn %s\n}\n%s := %s(%s)\n_ = %s", f, arg, body.text, out.text, v, f, e.text, v), func(s scope) {
			s[arg] = e.eval(s).(*arrays.Array)
			body.run(s)
			s[v] = out.eval(s).(*arrays.Array)
		}}
	case n == 15: // a slice and a map
		xs, m, v := p.name("s"), p.name("s"), p.name("v")
		y := p.operand(1)
		p.names = append(p.names, v)
		return statement{fmt.Sprintf("%s := []*np.Array{%s}\n%s := map[string]*np.Array{\"k\": %s[0]}\n%s[\"k\"] %s= %s\n%s := %s[\"k\"]\n_ = %s", xs, e.text, m, xs, m, o.op, y.text, v, m, v), func(s scope) {
			s[v] = o.call(e.eval(s).(*arrays.Array), y.eval(s))
		}}
	}
	return declared("%s := %s")
}

// beginning is what programs begin with, in both languages.
func beginning() (string, scope, []string) {
	return `x := np.Arange(6.0)
y := np.FromSlice([]float64{3, 1, 4, 1, 5, 9})
m := np.Arange(12).Reshape(2, 6).Copy()
i := np.FromSlice([]int{5, -4, 3, 0, 1, 2})
f := np.FromSlice([]float32{0.5, 1.5, 2.5, -1, 0.25, 8})
b := np.FromSlice([]bool{true, false, true, false, true, true})
`, scope{
			"x": arrays.Arange(6.0), "y": arrays.FromSlice([]float64{3, 1, 4, 1, 5, 9}), "m": arrays.Arange(12).Reshape(2, 6).Copy(),
			"i": arrays.FromSlice([]int{5, -4, 3, 0, 1, 2}), "f": arrays.FromSlice([]float32{0.5, 1.5, 2.5, -1, 0.25, 8}),
			"b": arrays.FromSlice([]bool{true, false, true, false, true, true}),
		}, []string{"x", "y", "m", "i", "f", "b"}
}

// randomProgram makes statements that arrays does not refuse, the names that are in scope at their end, and the text of
// their values.
func randomProgram(seed uint64, length int) (sts []statement, names []string, want string) {
	p := &programMaker{Rand: rand.New(rand.NewPCG(seed, 29))}
	_, _, p.names = beginning()
	runAll := func(sts []statement, names []string) (text string, ok bool) {
		_, s, _ := beginning()
		msg := try(func() {
			for _, st := range sts {
				st.run(s)
			}
			var vals []any
			for _, n := range names {
				if s.array(n).Size() > 400 {
					panic("too large")
				}
				vals = append(vals, s.array(n).DType(), s.array(n))
			}
			text = fmt.Sprint(vals...)
		})
		return text, msg == ""
	}
	for range 6 * length {
		if len(sts) == length {
			break
		}
		before := len(p.names)
		next := append(sts[:len(sts):len(sts)], p.statement(2))
		text, ok := runAll(next, p.names)
		if !ok {
			p.names = p.names[:before]
			continue
		}
		sts, want = next, text
	}
	return sts, p.names, want
}

// FuzzOperatorPrograms: random programs in which arrays flow through names, views, masks, tuples, closures, fields,
// maps, loops and functions, with op= on all of them, have the values of calls of package arrays: in a cell, statement
// by statement, in a function, as the plain Go that PlainGo makes, and a part of them on the second engine.
func FuzzOperatorPrograms(f *testing.F) {
	for seed := range uint64(25) {
		if testsize.Part(int(seed), 3) {
			f.Add(seed)
		}
	}
	testdevices.Use(f)
	symbols.Register()
	session := func(engine interp.Engine) *interp.Session {
		s, err := interp.New(interp.Options{Engine: engine, Packages: symbols.Packages(), Arrays: symbols.Arrays()})
		require.NoError(f, err)
		f.Cleanup(s.Close)
		return s
	}
	s, second := session(ixgo.New()), session(yaegi.New())
	f.Fuzz(func(t *testing.T, seed uint64) {
		sts, names, want := randomProgram(seed, 3+int(seed%6))
		begin, _, _ := beginning()
		var texts, shown []string
		for _, st := range sts {
			texts = append(texts, st.text)
		}
		for _, n := range names {
			shown = append(shown, n+".DType(), "+n)
		}
		show := "fmt.Sprint(" + strings.Join(shown, ", ") + ")"
		program := begin + strings.Join(texts, "\n") + "\n"
		check := func(how string, s *interp.Session, cells ...string) {
			got := ""
			for k, cell := range cells {
				b, err := s.Run(context.Background(), k+1, cell)
				if err != nil {
					t.Errorf("seed %d, %s: %v\n%s", seed, how, err, cell)
					return
				}
				got = b.Text()
			}
			if got != want {
				t.Errorf("seed %d, %s:\n%s\ngives\n%s\nby methods\n%s", seed, how, program, got, want)
			}
		}
		whole := declarations + program + show
		check("a cell", s, whole)
		check("in a function", s, declarations+"func run() string {\n"+program+"return "+show+"\n}\nrun()")
		check("cell by cell", s, append(append([]string{declarations + begin}, texts...), show)...)
		plain, err := s.PlainGo(2, whole)
		if err != nil {
			t.Errorf("seed %d: PlainGo: %v\n%s", seed, err, program)
			return
		}
		before := s.SetOperators(false)
		check("as plain Go", s, plain)
		s.SetOperators(before)
		if seed%8 == 0 {
			check("on the second engine", second, whole)
		}
	})
}
