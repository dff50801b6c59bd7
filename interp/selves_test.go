package interp

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

// TestStructsThatTheirMethodsName runs random programs of types with methods that name unnamed structs which have these
// methods, of what they embed, and compares what they print with compiled Go.
func TestStructsThatTheirMethodsName(t *testing.T) {
	seeds := slices.Collect(testsize.Seeds("interp.TestStructsThatTheirMethodsName"))
	var programs []selvesProgram
	for _, seed := range seeds {
		programs = append(programs, newSelvesProgram(seed))
	}
	compiled := judge.Compiled(t, len(programs), func(i int, pkg string) string {
		p := programs[i]
		return fmt.Sprintf("package %s\nimport (\"fmt\"; \"reflect\")\n%s\nfunc Run() {\n%s}\n", pkg, p.decls, p.body)
	})
	for i, p := range programs {
		require.NoError(t, compiled[i].Err, p.decls+p.body)
		cells := []string{p.decls, p.body}
		if p.whole {
			cells = []string{p.decls + p.body}
		}
		r := newRecorder(t, Options{})
		got := ""
		for n, cell := range cells {
			got += r.Run(n+1, cell)
		}
		r.session.Close() // its method slots are of the process
		want := strings.Split(strings.TrimSpace(compiled[i].Text), "\n")
		for n, line := range strings.Split(strings.TrimSpace(got), "\n") {
			if n >= len(want) || line != want[n] {
				assert.Equal(t, want[min(n, len(want)-1)], line, "seed %d, line %d:\n%s", seeds[i], n+1, strings.Join(cells, "\n-- cell\n"))
				break
			}
		}
	}
}

// selvesProgram is a program of declarations and statements, in one cell or two.
type selvesProgram struct {
	decls, body string
	whole       bool
}

type selvesMaker struct {
	*rand.Rand
	types []selfType
}

type selfType struct {
	name    string // as used
	pointer bool   // may be embedded by its pointer
	value   string // an expression of it
	iface   bool
}

func newSelvesProgram(seed uint64) selvesProgram {
	g := selvesMaker{Rand: rand.New(rand.NewPCG(seed, 27))}
	n := 1 + g.IntN(4)
	for i := range n {
		name := fmt.Sprint("T", i)
		switch g.IntN(6) {
		case 0:
			g.types = append(g.types, selfType{name: name, iface: true, value: fmt.Sprintf("%s(nil)", name)})
		case 1:
			arg := []string{"int", "string", "[]byte"}[g.IntN(3)]
			g.types = append(g.types, selfType{name: name + "[" + arg + "]", pointer: true, value: name + "[" + arg + "]{}"})
		case 2:
			g.types = append(g.types, selfType{name: name, pointer: true, value: fmt.Sprintf("%s(%d)", name, i+1)})
		default:
			g.types = append(g.types, selfType{name: name, pointer: true, value: name + "{}"})
		}
	}
	var decls []string
	for i, t := range g.types {
		decls = append(decls, g.declare(i, t))
	}
	var b strings.Builder
	for range 4 {
		t := g.types[g.IntN(n)]
		s := g.strct()
		fmt.Fprintf(&b, "fmt.Printf(\"%%T %%T\\n\", *new(%s), new(%s))\n", t.name, s)
		fmt.Fprintf(&b, "show(reflect.TypeFor[%s]())\nshow(reflect.TypeFor[*%s]())\n", s, s)
		if !t.iface {
			fmt.Fprintf(&b, "show(reflect.TypeFor[*%s]())\nfmt.Println(%s.String(), any(new(%s)).(fmt.Stringer))\n", t.name, "(&[]"+t.name+"{"+t.value+"}[0])", t.name)
		}
	}
	for _, t := range g.types {
		if t.iface {
			continue
		}
		s := "struct{ " + t.name + " }"
		fmt.Fprintf(&b, "{ v := %s{%s}; fmt.Println(v.String(), any(&v).(fmt.Stringer)); f := reflect.ValueOf(&v).MethodByName(\"String\"); fmt.Println(f.Call(nil)[0]) }\n", s, t.value)
		s = "struct{ *" + t.name + " }"
		fmt.Fprintf(&b, "{ v := %s{new(%s)}; fmt.Println(v.String(), any(v), any(v).(fmt.Stringer), &v == &v); f := reflect.ValueOf(v).MethodByName(\"String\"); fmt.Println(f.Call(nil)[0]) }\n", s, t.name)
	}
	show := "func show(t reflect.Type) { for i := range t.NumMethod() { m := t.Method(i); fmt.Println(t, m.Name, m.Type) } }"
	return selvesProgram{show + "\n" + strings.Join(decls, "\n") + "\n", b.String(), g.IntN(2) == 0}
}

// declare declares type i with methods.
func (g *selvesMaker) declare(i int, t selfType) string {
	base, param, recv := fmt.Sprint("T", i), "", fmt.Sprint("T", i)
	if strings.Contains(t.name, "[") {
		param, recv = "[E any]", base+"[E]"
	}
	self := func(s string) string { return strings.ReplaceAll(s, t.name, recv) }
	var b strings.Builder
	if t.iface {
		fmt.Fprintf(&b, "type %s interface {\n\tString() string\n", base)
		for m := range 1 + g.IntN(2) {
			fmt.Fprintf(&b, "\tM%d%d%s\n", i, m, g.signature())
		}
		return b.String() + "}"
	}
	switch {
	case strings.HasSuffix(t.value, ")"):
		fmt.Fprintf(&b, "type %s int\n", base)
	case g.IntN(3) == 0:
		fmt.Fprintf(&b, "type %s%s struct { n int; p *%s }\n", base, param, self(g.strct()))
	case g.IntN(3) == 0 && i > 0 && param == "" && !g.types[i-1].iface:
		fmt.Fprintf(&b, "type %s struct { n int; %s }\n", base, g.types[i-1].name)
	default:
		fmt.Fprintf(&b, "type %s%s struct{ n int }\n", base, param)
	}
	star := []string{"", "*"}[g.IntN(2)]
	fmt.Fprintf(&b, "func (t %s%s) String() string { return \"%s%s\" }\n", star, recv, star, base)
	for m := range 1 + g.IntN(2) {
		fmt.Fprintf(&b, "func (t %s%s) M%d%d%s { panic(1) }\n", []string{"", "*"}[g.IntN(2)], recv, i, m, self(g.signature()))
	}
	return b.String()
}

func (g *selvesMaker) signature() string {
	switch g.IntN(3) {
	case 0:
		return "() (r " + g.wrapped() + ")"
	case 1:
		return "(" + g.wrapped() + ", ..." + g.strct() + ")"
	}
	return "(" + g.strct() + ") (a " + g.wrapped() + ", b " + g.strct() + ")"
}

func (g *selvesMaker) wrapped() string {
	s := g.strct()
	switch g.IntN(7) {
	case 0:
		return "[]" + s
	case 1:
		return "map[string]*" + s
	case 2:
		return "func(" + s + ") chan " + s
	case 3:
		return "[2]" + s
	case 4:
		return "interface{ F() " + s + " }"
	}
	return s
}

// strct is an unnamed struct that embeds some of the types.
func (g *selvesMaker) strct() string {
	var fields []string
	for _, i := range g.Perm(len(g.types))[:1+g.IntN(min(2, len(g.types)))] {
		t := g.types[i]
		star := ""
		if t.pointer && g.IntN(2) == 0 {
			star = "*"
		}
		fields = append(fields, star+t.name)
	}
	switch g.IntN(4) {
	case 0:
		fields = append(fields, "B int")
	case 1:
		fields = append([]string{"a string"}, fields...)
	case 2:
		fields = append(fields, "c *struct{ "+fields[0]+" }")
	}
	return "struct { " + strings.Join(fields, "; ") + " }"
}
