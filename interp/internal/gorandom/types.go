package gorandom

import (
	"fmt"
	"go/ast"
	"strings"
)

type kind uint8

const (
	basicKind kind = iota
	namedKind
	arrayKind
	sliceKind
	mapKind
	chanKind
	pointerKind
	structKind
	funcKind
	interfaceKind
	paramKind // a type parameter
)

// typ is a type. Two are identical when they are spelled the same.
type typ struct {
	kind            kind
	name            string // of basic and named types, named interfaces and type parameters
	n               int    // of arrays
	key, elem       *typ
	fields          []field
	params, results []*typ
	under           *typ      // of named types: what the declaration says, which may be a named type again
	methods         []*method // of named types and interfaces
	generic         *generic  // what it is an instance of
	args            []*typ
	constraint      string // of type parameters: a key of constraints
}

type field struct {
	name     string
	typ      *typ
	embedded bool
}

type method struct {
	name            string
	pointer         bool // has a pointer receiver
	params, results []*typ
	pure            bool
	cost            int
}

// generic is a generic type.
type generic struct {
	name    string
	params  []*typ
	under   *typ
	methods []*method
	made    map[string]*typ // its instances
}

// instance returns the type with arguments. What it is made of is worked out when it is asked for, as types name
// themselves.
func (d *generic) instance(args []*typ) *typ {
	name := d.name + "[" + spell(args) + "]"
	if d.made[name] == nil {
		d.made[name] = &typ{kind: namedKind, name: name, generic: d, args: args}
	}
	return d.made[name]
}

func basic(name string) *typ { return &typ{kind: basicKind, name: name} }

var (
	integers   = []string{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr"}
	floats     = []string{"float64", "float32"}
	complexes  = []string{"complex128", "complex64"}
	anyType    = &typ{kind: interfaceKind, name: "any"}
	errorType  = &typ{kind: interfaceKind, name: "error", methods: []*method{{name: "Error", results: []*typ{basic("string")}, pure: true}}}
	stringer   = &typ{kind: interfaceKind, name: "fmt.Stringer", methods: []*method{{name: "String", results: []*typ{basic("string")}, pure: true}}}
	duration   = &typ{kind: namedKind, name: "time.Duration", under: basic("int64"), methods: stringer.methods}
	intType    = basic("int")
	stringType = basic("string")
	boolType   = basic("bool")
)

func sliceOf(t *typ) *typ        { return &typ{kind: sliceKind, elem: t} }
func arrayOf(n int, t *typ) *typ { return &typ{kind: arrayKind, n: n, elem: t} }
func pointerTo(t *typ) *typ      { return &typ{kind: pointerKind, elem: t} }
func mapOf(k, v *typ) *typ       { return &typ{kind: mapKind, key: k, elem: v} }

func spell(list []*typ) string {
	var out []string
	for _, t := range list {
		out = append(out, t.String())
	}
	return strings.Join(out, ", ")
}

func (t *typ) String() string {
	if t.name != "" {
		return t.name
	}
	switch t.kind {
	case arrayKind:
		return fmt.Sprintf("[%d]%v", t.n, t.elem)
	case sliceKind:
		return "[]" + t.elem.String()
	case mapKind:
		return fmt.Sprintf("map[%v]%v", t.key, t.elem)
	case chanKind:
		return "chan " + t.elem.String()
	case pointerKind:
		return "*" + t.elem.String()
	case funcKind:
		return "func(" + spell(t.params) + ")" + resultText(t.results)
	case structKind:
		var list []string
		for _, f := range t.fields {
			if f.embedded {
				list = append(list, f.typ.String())
			} else {
				list = append(list, f.name+" "+f.typ.String())
			}
		}
		return "struct { " + strings.Join(list, "; ") + " }"
	case interfaceKind:
		var list []string
		for _, m := range t.methods {
			list = append(list, m.name+"("+spell(m.params)+")"+resultText(m.results))
		}
		return "interface { " + strings.Join(list, "; ") + " }"
	}
	panic("a type without a spelling")
}

func resultText(results []*typ) string {
	switch len(results) {
	case 0:
		return ""
	case 1:
		return " " + results[0].String()
	}
	return " (" + spell(results) + ")"
}

func same(a, b *typ) bool { return a.String() == b.String() }

// declared returns what a named type is declared as.
func (t *typ) declared() *typ {
	if t.under == nil && t.generic != nil {
		t.under = subst(t.generic.under, t.generic.params, t.args)
	}
	return t.under
}

// base is the underlying type.
func (t *typ) base() *typ {
	for t.kind == namedKind {
		t = t.declared()
	}
	return t
}

// own returns the methods that are declared for a type.
func (t *typ) own() []*method {
	if t.generic == nil {
		return t.methods
	}
	var out []*method
	for _, m := range t.generic.methods {
		c := *m
		c.params, c.results = substAll(m.params, t.generic.params, t.args), substAll(m.results, t.generic.params, t.args)
		out = append(out, &c)
	}
	return out
}

func substAll(list, params, args []*typ) (out []*typ) {
	for _, t := range list {
		out = append(out, subst(t, params, args))
	}
	return out
}

// subst returns t with arguments in the place of type parameters.
func subst(t *typ, params, args []*typ) *typ {
	if t == nil {
		return nil
	}
	if t.kind == paramKind {
		for i, p := range params {
			if p.name == t.name {
				return args[i]
			}
		}
		return t
	}
	if t.generic != nil {
		return t.generic.instance(substAll(t.args, params, args))
	}
	if t.name != "" {
		return t
	}
	c := *t
	c.key, c.elem = subst(t.key, params, args), subst(t.elem, params, args)
	c.params, c.results = substAll(t.params, params, args), substAll(t.results, params, args)
	c.fields = nil
	for _, f := range t.fields {
		c.fields = append(c.fields, field{f.name, subst(f.typ, params, args), f.embedded})
	}
	return &c
}

// all says whether a property holds for a type and what it contains by value and, when deep, by reference.
func (t *typ) all(deep bool, ok func(*typ) bool) bool {
	return t.walk(deep, ok, map[string]bool{})
}

func (t *typ) walk(deep bool, ok func(*typ) bool, seen map[string]bool) bool {
	if seen[t.String()] {
		return true
	}
	seen[t.String()] = true
	b := t.base()
	if !ok(b) {
		return false
	}
	switch b.kind {
	case arrayKind:
		return b.elem.walk(deep, ok, seen)
	case sliceKind, chanKind, pointerKind:
		return !deep || b.elem.walk(deep, ok, seen)
	case mapKind:
		return !deep || b.key.walk(deep, ok, seen) && b.elem.walk(deep, ok, seen)
	case structKind:
		for _, f := range b.fields {
			if !f.typ.walk(deep, ok, seen) {
				return false
			}
		}
	}
	return true
}

// comparable says that == can compare values, and does not panic.
func (t *typ) comparable() bool {
	return t.all(false, func(b *typ) bool {
		switch b.kind {
		case sliceKind, mapKind, funcKind, interfaceKind:
			return false
		case paramKind:
			return b.constraint != "any" && b.constraint != "fmt.Stringer"
		}
		return true
	})
}

// isKey says that values can be keys whose order in print is certain.
func (t *typ) isKey() bool {
	return t.comparable() && t.all(false, func(b *typ) bool {
		return b.kind != pointerKind && b.kind != chanKind && b.kind != paramKind && !isFloat(b) && !isComplex(b)
	})
}

// printable says that package fmt prints values without an address. What fields that are not exported hold in
// interfaces is printed as it is, an error as the address that it mostly is.
func (t *typ) printable() bool { return t.prints(false, map[string]bool{}) }

// prints is printable, for what is in a field that is not exported where it is hidden.
func (t *typ) prints(hidden bool, seen map[string]bool) bool {
	key := fmt.Sprint(hidden, t)
	if seen[key] {
		return true
	}
	seen[key] = true
	switch b := t.base(); b.kind {
	case pointerKind, chanKind, funcKind:
		return false
	case interfaceKind, paramKind:
		return !hidden
	case arrayKind, sliceKind:
		return b.elem.prints(hidden, seen)
	case mapKind:
		return b.key.prints(hidden, seen) && b.elem.prints(hidden, seen)
	case structKind:
		for _, f := range b.fields {
			if !f.typ.prints(hidden || !ast.IsExported(f.name), seen) {
				return false
			}
		}
	}
	return true
}

// plain says that values are those of the numeric tier.
func (t *typ) plain() bool {
	return t.all(true, func(b *typ) bool {
		return b.kind != mapKind && b.kind != chanKind && b.kind != funcKind && b.kind != interfaceKind && b.kind != paramKind
	})
}

// words estimates the size of a value.
func (t *typ) words() int {
	switch b := t.base(); b.kind {
	case arrayKind:
		return b.n * b.elem.words()
	case structKind:
		n := 0
		for _, f := range b.fields {
			n += f.typ.words()
		}
		return n
	}
	return 1
}

func in(list []string, t *typ) bool {
	for _, s := range list {
		if t.kind == basicKind && t.name == s {
			return true
		}
	}
	return false
}

func isInteger(b *typ) bool {
	return in(integers, b) || b.kind == paramKind && b.constraint == "integer"
}
func isFloat(b *typ) bool   { return in(floats, b) }
func isComplex(b *typ) bool { return in(complexes, b) }
func isString(b *typ) bool  { return b.kind == basicKind && b.name == "string" }
func isBool(b *typ) bool    { return b.kind == basicKind && b.name == "bool" }

// isNumber says that + - * and op= work; isOrdered that < does.
func isNumber(b *typ) bool {
	return isInteger(b) || isFloat(b) || isComplex(b) || b.kind == paramKind && b.constraint == "number"
}
func isOrdered(b *typ) bool {
	return isInteger(b) || isFloat(b) || isString(b) || b.kind == paramKind && (b.constraint == "integer" || b.constraint == "cmp.Ordered")
}

// selected is a method of a type, its own or one of what it embeds.
type selected struct {
	*method
	depth int
}

// methodSet returns the methods that x.name selects for an x of type t that can be addressed, by name. What is
// ambiguous is left out.
func (t *typ) methodSet() map[string]selected {
	out := map[string]selected{}
	type at struct {
		t     *typ
		depth int
	}
	twice := map[string]bool{}
	for queue := []at{{t, 0}}; len(queue) > 0 && queue[0].depth < 3; queue = queue[1:] {
		a := queue[0]
		for _, m := range a.t.own() {
			if old, ok := out[m.name]; !ok {
				out[m.name] = selected{m, a.depth}
			} else if old.depth == a.depth {
				twice[m.name] = true
			}
		}
		if b := a.t.base(); b.kind == structKind {
			for _, f := range b.fields {
				if f.embedded {
					queue = append(queue, at{f.typ, a.depth + 1})
				}
			}
		}
	}
	for name := range twice {
		delete(out, name)
	}
	return out
}

// implements says that a value of t, or a pointer to one, is an i.
func (t *typ) implements(i *typ, pointer bool) bool {
	set := t.methodSet()
	for _, want := range i.base().methods {
		m, ok := set[want.name]
		if !ok || m.pointer && !pointer || spell(m.params) != spell(want.params) || spell(m.results) != spell(want.results) {
			return false
		}
	}
	return true
}
