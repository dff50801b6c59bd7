package symbols_test

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	cells "github.com/arrayrepl/arrayrepl/interp/kernels"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
)

// catcher keeps the function that a cell has given last, as package gpu gets it.
type catcher struct {
	cells.Functions
	last *gosrc.Func
}

func (c *catcher) Bind(f *interp.Function, value any) any {
	c.last = c.Functions.Bind(f, value).(*gosrc.Func)
	return c.last
}

// TestCorpusInCells declares the kernels of the corpus in cells, and runs each as the interpreted Go function that it
// is, a goroutine for each thread, and as a kernel on the CPU: both give what plain Go gives, though types are those of
// the session. A short test runs a third of those of many threads as Go functions, each turn others.
func TestCorpusInCells(t *testing.T) {
	symbols.Register()
	c := &catcher{}
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Arrays: symbols.Arrays(), Functions: c})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cell := context.Background(), 0
	run := func(src string) {
		t.Helper()
		cell++
		if _, err := s.Run(ctx, cell, src); err != nil {
			t.Fatalf("%v\nin %.80s…", err, src)
		}
	}
	run(corpusCell(t))
	for i, k := range kernels.All {
		run("gpu.Kernel(" + k.Name + ");")
		f := c.last
		t.Run(k.Name, func(t *testing.T) {
			want := k.Args()
			k.Want(want)
			options := k.Options()
			grid, block := gpu.Grid(k.Grid[:]...), gpu.Block(k.Block[:]...)
			launched := k.Args()
			gpu.Launch(f, grid, block, append(slices.Clone(launched), options...)...)
			same(t, k, "launched", launched, want)
			if threads := k.Grid[0] * k.Grid[1] * k.Grid[2] * k.Block[0] * k.Block[1] * k.Block[2]; threads > 4096 && !testsize.Part(i, 3) {
				return
			}
			emulated := k.Args()
			passed := slices.Clone(emulated)
			for i := range passed {
				passed[i] = asSession(passed[i], reflect.TypeOf(f.Value).In(i))
			}
			gpu.Emulate(f, grid, block, append(passed, options...)...)
			same(t, k, "emulated", emulated, want)
		})
	}
}

// asSession returns x with the type that a session has for it: structs, and slices of them, are others in the same
// memory.
func asSession(x any, t reflect.Type) any {
	v := reflect.ValueOf(x)
	if v.CanConvert(t) {
		return v.Convert(t).Interface()
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return reflect.NewAt(t, p.UnsafePointer()).Elem().Interface()
}

// corpusCell is the declarations of the corpus, without imports and without the lists of launches.
func corpusCell(t *testing.T) string {
	files, err := filepath.Glob("../../gpu/kernels/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	names := map[string]bool{}
	for _, k := range kernels.All {
		names[k.Name] = true
	}
	var b bytes.Buffer
	for _, file := range files {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		has := slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
			fn, ok := d.(*ast.FuncDecl)
			return ok && names[fn.Name.Name]
		})
		if !has {
			continue
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok != token.CONST && g.Tok != token.TYPE && !variables(g) {
				continue
			}
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && !names[fn.Name.Name] && !device(fn) {
				continue // it makes arguments
			}
			if err := printer.Fprint(&b, fset, d); err != nil {
				t.Fatal(err)
			}
			b.WriteString("\n\n")
		}
	}
	return b.String()
}

// variables reports whether a declaration is of variables of a device.
func variables(g *ast.GenDecl) bool {
	if g.Tok != token.VAR {
		return false
	}
	for _, s := range g.Specs {
		for _, name := range s.(*ast.ValueSpec).Names {
			if kernels.Addresses[name.Name] == nil {
				return false
			}
		}
	}
	return true
}

// device reports whether a helper does not make arguments of launches.
func device(fn *ast.FuncDecl) bool {
	host := false
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			host = host || n.Name == "floats" || n.Name == "ints" || n.Name == "next" || n.Name == "big"
		}
		return true
	})
	return !host
}

func same(t *testing.T, k kernels.Kernel, who string, got, want []any) {
	t.Helper()
	for i := range got {
		g, w := reflect.ValueOf(got[i]), reflect.ValueOf(want[i])
		if g.Kind() != reflect.Slice {
			continue
		}
		x, y := fmt.Sprint(g.Interface()), fmt.Sprint(w.Interface())
		if k.Unordered {
			x, y = ordered(x), ordered(y)
		}
		if x == y {
			continue
		}
		if k.Within == 0 || g.Len() != w.Len() {
			t.Fatalf("%s: argument %d is not what plain Go makes", who, i)
		}
		for j := range g.Len() {
			if !near(g.Index(j), w.Index(j), k.Within) {
				t.Fatalf("%s: argument %d, element %d is %v, plain Go has %v", who, i, j, g.Index(j), w.Index(j))
			}
		}
	}
}

func ordered(s string) string {
	words := strings.Fields(strings.Trim(s, "[]"))
	slices.Sort(words)
	return strings.Join(words, " ")
}

func near(x, y reflect.Value, within float64) bool {
	switch {
	case x.CanFloat():
		return math.Abs(x.Float()-y.Float()) <= within*max(math.Abs(x.Float()), math.Abs(y.Float()), 1)
	case x.CanComplex():
		d := x.Complex() - y.Complex()
		return math.Hypot(real(d), imag(d)) <= 2*within*max(math.Hypot(real(x.Complex()), imag(x.Complex())), 1)
	case x.Kind() == reflect.Array:
		for i := range x.Len() {
			if !near(x.Index(i), y.Index(i), within) {
				return false
			}
		}
		return true
	}
	return x.Equal(y)
}
