package operators

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// declarations stand before random programs: what cannot be declared in a function.
const declarations = `type holder struct { a *np.Array; more []*np.Array }
func (h *holder) add(by *np.Array) *np.Array { h.a += by; h.more = append(h.more, h.a); return h.more[len(h.more)-1] }
func twice[T int | float64 | *np.Array](v T) T { w := v + v; w -= v; w += v; return w }
func parts(x *np.Array, k int) (head, rest *np.Array, n int) { head = x[:k]; rest = x[k:]; return head, rest, len(x) }
func all(xs ...*np.Array) (sum *np.Array) { for i, x := range xs { if i == 0 { sum = x } else { sum += x } }; return sum }
func each(xs []*np.Array) func(func(int, *np.Array) bool) {
	return func(yield func(int, *np.Array) bool) { for i, x := range xs { if !yield(i, x * (i + 1)) { return } } }
}
`

// reduceOption is an option of a reduction, and its text.
type reduceOption struct {
	text  string
	value arrays.ReduceOption
}

func (p *programMaker) option() reduceOption {
	options := []reduceOption{{"0", 0}, {"np.Axis(-1)", arrays.Axis(-1)}, {"np.KeepDims()", arrays.KeepDims()}}
	return options[p.IntN(len(options))]
}

// flow makes a statement in which an array goes through what Go has besides operators: exchanges, pointers, methods,
// generic and variadic functions, several results, type switches, labels, deferred calls, channels, shadowed names,
// iterators.
func (p *programMaker) flow(deep int) statement {
	e, target := p.formula(1+p.IntN(2)), p.some()
	o := operatorCalls[assigns[p.IntN(len(assigns))]]
	y := p.operand(1)
	of := func(s scope) *arrays.Array { return e.eval(s).(*arrays.Array) }
	declared := func(form string, run func(s scope, v string)) statement { // $ is the name
		v := p.name("v")
		p.names = append(p.names, v)
		return statement{strings.ReplaceAll(form, "$", v) + "\n_ = " + v, func(s scope) { run(s, v) }}
	}
	switch n := p.IntN(17); {
	case n == 0: // two variables change places
		other := p.some()
		return statement{fmt.Sprintf("%s, %s = %s, %s", target, other, other, target), func(s scope) { s[target], s[other] = s[other], s[target] }}
	case n == 1: // so do elements or rows, which are views
		i, j := p.IntN(3), -1-p.IntN(2)
		return statement{fmt.Sprintf("%[1]s[%[2]d], %[1]s[%[3]d] = %[1]s[%[3]d], %[1]s[%[2]d]", target, i, j), func(s scope) {
			a := s.array(target)
			x, y := a.At(j), a.At(i)
			a.Set(x, i)
			a.Set(y, j)
		}}
	case n == 2: // through a pointer
		q := p.name("p")
		return statement{fmt.Sprintf("%s := &%s\n*%s %s= %s\n(*%s)[:1] = 2", q, target, q, o.op, y.text, q), func(s scope) {
			s[target] = o.call(s[target], y.eval(s))
			s.array(target).Set(2, arrays.S(0, 1))
		}}
	case n == 3: // a method that keeps it
		h := p.name("h")
		return declared(fmt.Sprintf("%s := holder{a: %s}\n$ := %s.add(%s[:1])", h, e.text, h, target), func(s scope, v string) {
			s[v] = arrays.Add(of(s), s.array(target).At(arrays.S(0, 1)))
		})
	case n == 4:
		return declared(fmt.Sprintf("$ := twice(%s)", e.text), func(s scope, v string) {
			x := of(s)
			s[v] = arrays.Add(arrays.Sub(arrays.Add(x, x), x), x)
		})
	case n == 5: // three results
		a, b, k := p.name("v"), p.name("v"), p.IntN(4)
		p.names = append(p.names, a, b)
		return statement{fmt.Sprintf("%[1]s, %[2]s, n%[1]s := parts(%[3]s, %[4]d)\n%[1]s *= n%[1]s\n_, _ = %[1]s, %[2]s", a, b, e.text, k), func(s scope) {
			x := of(s)
			s[a], s[b] = arrays.Mul(x.At(arrays.S(0, k)), x.Len()), x.At(arrays.From(k))
		}}
	case n == 6:
		return declared(fmt.Sprintf("$ := all(%s, %s, %s)", e.text, target, target), func(s scope, v string) {
			s[v] = arrays.Add(arrays.Add(of(s), s[target]), s[target])
		})
	case n == 7:
		v := p.name("v")
		p.names = append(p.names, v)
		form := "var %[1]s *np.Array\nswitch t := any(%[2]s).(type) {\ncase int:\n\t%[1]s = np.Arange(t)\ncase *np.Array:\n\tt %[3]s= %[4]s\n\t%[1]s = t\n}\n_ = %[1]s"
		return statement{fmt.Sprintf(form, v, e.text, o.op, y.text), func(s scope) { s[v] = o.call(e.eval(s), y.eval(s)) }}
	case n == 8 && deep > 0: // a label
		l, i, times, skip := p.name("next"), p.name("i"), 2+p.IntN(2), p.IntN(3)
		p.ints = append(p.ints, i)
		body := p.within(deep)
		p.ints = p.ints[:len(p.ints)-1]
		form := "%[1]s:\nfor %[2]s := range %[3]d {\n\tfor range 2 {\n\t\tif %[2]s == %[4]d { continue %[1]s }\n%[5]s\n\t\tcontinue %[1]s\n\t}\n}"
		return statement{fmt.Sprintf(form, l, i, times, skip, body.text), func(s scope) {
			for k := range times {
				if s[i] = k; k != skip {
					body.run(s)
				}
			}
		}}
	case n == 9 && deep > 0: // what is deferred runs last
		last, first := p.within(1), p.within(deep)
		return statement{fmt.Sprintf("func() {\n\tdefer func() {\n%s\n\t}()\n%s\n}()", last.text, first.text), func(s scope) { first.run(s); last.run(s) }}
	case n == 10:
		c, v := p.name("c"), p.name("v")
		p.names = append(p.names, v)
		form := "%[1]s := make(chan *np.Array, 1)\n%[1]s <- %[2]s\nvar %[3]s *np.Array\nselect {\ncase w := <-%[1]s:\n\tw %[4]s= %[5]s\n\t%[3]s = w\n}\n_ = %[3]s"
		return statement{fmt.Sprintf(form, c, e.text, v, o.op, y.text), func(s scope) { s[v] = o.call(e.eval(s), y.eval(s)) }}
	case n == 11: // a name that hides another, of another type
		v := p.name("v")
		p.names = append(p.names, v)
		return statement{fmt.Sprintf("%[1]s := %[2]s\n{\n\t%[3]s := 3\n\t%[1]s = %[1]s * %[3]s\n\t{\n\t\t%[3]s := %[1]s\n\t\t%[1]s = %[3]s + %[3]s\n\t}\n}\n_ = %[1]s", v, e.text, target), func(s scope) {
			x := arrays.Mul(e.eval(s), 3)
			s[v] = arrays.Add(x, x)
		}}
	case n == 12: // an iterator
		return declared(fmt.Sprintf("$ := %s\nfor i, w := range each([]*np.Array{%s, %s}) {\n\t$ += w * i\n}", e.text, target, target), func(s scope, v string) {
			s[v] = arrays.Add(arrays.Add(of(s), arrays.Mul(arrays.Mul(s[target], 1), 0)), arrays.Mul(arrays.Mul(s[target], 2), 1))
		})
	case n == 13: // rows of rows
		v, row := p.name("v"), p.name("w")
		p.names = append(p.names, v)
		form := "%[1]s := %[2]s[:1]\nfor _, %[3]s := range %[4]s {\n\tfor j, u := range %[3]s {\n\t\t%[1]s += u - j\n\t}\n}\n_ = %[1]s"
		return statement{fmt.Sprintf(form, v, e.at(7), row, target), func(s scope) {
			sum := of(s).At(arrays.S(0, 1))
			for _, r := range s.array(target).Rows() {
				for j, u := range r.Rows() {
					sum = arrays.Add(sum, arrays.Sub(u, j))
				}
			}
			s[v] = sum
		}}
	case n == 14: // a method as a value, which keeps the array that the name had
		f, opt := p.name("f"), p.option()
		return declared(fmt.Sprintf("%s := %s.Max\n%s %s= %s\n$ := %s(%s)", f, target, target, o.op, y.text, f, opt.text), func(s scope, v string) {
			x := s.array(target)
			s[target] = o.call(x, y.eval(s))
			s[v] = x.Max(opt.value)
		})
	case n == 15: // functions with options as values, and options in a list
		fs, opts, opt := p.name("f"), p.name("s"), p.option()
		form := "%[1]s := []func(any, ...np.ReduceOption) *np.Array{np.Max, np.Min}\n%[2]s := []np.ReduceOption{%[3]s}\n$ := %[4]s\nfor _, fold := range %[1]s { $ += fold(%[5]s, %[2]s...) }"
		return declared(fmt.Sprintf(form, fs, opts, opt.text, e.text, target), func(s scope, v string) {
			s[v] = arrays.Add(arrays.Add(of(s), arrays.Max(s[target], opt.value)), arrays.Min(s[target], opt.value))
		})
	}
	k := p.IntN(8) // bits are cleared
	v := p.name("v")
	p.names = append(p.names, v)
	return statement{fmt.Sprintf("%[1]s := %[2]s\n%[1]s &^= %[3]d\n_ = %[1]s", v, e.text, k), func(s scope) {
		x := of(s)
		s[v] = arrays.Sub(arrays.Add(x, 0), arrays.BitAnd(x, k))
	}}
}
