package lazy

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/printer"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// eagerOnly are the exported functions and methods of arrays that have no counterpart: they work on storage and
// geometry. Nor have those that begin with Try, which would have to evaluate to know their error.
var eagerOnly = map[string]bool{
	"FromBytes": true, "AsArray": true, "Contiguous": true,
	"FromNumPy": true, "ReadNPY": true, "Array.WriteNPY": true, "TuneCollector": true, "Array.Bytes": true, "Array.Layout": true, "Array.View": true, "Array.GoString": true,
}

// lazyOnly are those of lazy: evaluation, devices, display, and the two names under which arrays has other signatures.
var lazyOnly = map[string]bool{
	"FromArray": true, "Open": true, "SetHostBudget": true, "Create": true, "Behind": true, "Backing": true, "Writable": true, "Raw": true, "LineBytes": true, "CacheBytes": true, "CachePolicy": true, "Throttle": true, "Column": true, "AsyncWriteback": true, "Without": true, "Drive": true, "Access": true, "OpenWith": true, "Recorded": true, "Array.Storage": true, "Array.Flush": true, "AnnotateObject": true, "Annotate": true, "Eval": true, "TryEval": true, "Explain": true, "Explanation.Source": true, "Explanation.String": true, "Fuse": true, "SimulateProducts": true, "Use": true, "Device": true, "Devices": true, "Runtime": true, "Stats": true,
	"Array.Array": true, "Array.MIMEBundle": true, "Array.Places": true, "Array.Tiling": true, "Array.Tiled": true,
	"RecordsOf": true, "Records.Len": true, "Records.Type": true, "Records.Names": true, "Records.Columns": true, "Records.Offsets": true, "Records.Column": true, "Records.With": true, "Records.Slice": true, "Records.At": true, "Records.String": true,
}

// TestSameSurface: a program changes from eager to lazy by its import alone, so every function and method of arrays
// must exist in lazy with the same parameters and results, on every system.
func TestSameSurface(t *testing.T) {
	testsize.InTurn(t, 2)
	for _, system := range []string{"linux", "darwin", "windows", "freebsd"} {
		t.Run(system, func(t *testing.T) { sameSurface(t, system) })
	}
}

func sameSurface(t *testing.T, system string) {
	eager, lazy := surface(t, "../arrays", system), surface(t, ".", system)
	for name, sig := range eager {
		switch got, ok := lazy[name]; {
		case eagerOnly[name] || strings.HasPrefix(name, "Try"):
			if ok {
				t.Errorf("%s is listed as eager only, but lazy has it", name)
			}
		case !ok:
			t.Errorf("lazy lacks %s%s", name, sig)
		case got != sig:
			t.Errorf("%s: arrays has %s, lazy has %s", name, sig, got)
		}
	}
	for name := range lazy {
		if _, ok := eager[name]; !ok && !lazyOnly[name] {
			t.Errorf("lazy has %s, which arrays lacks", name)
		}
	}
}

// surface returns the signatures of a package's exported functions and of the methods of Array and Out, as it is built
// for a system.
func surface(t *testing.T, dir, system string) map[string]string {
	built := build.Default
	built.GOOS = system
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(dir, err)
	}
	out := make(map[string]string)
	fset := token.NewFileSet()
	for _, file := range files {
		match, err := built.MatchFile(filepath.Split(file))
		if err != nil {
			t.Fatal(err)
		}
		if !match || strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() {
				continue
			}
			name := fn.Name.Name
			if fn.Recv != nil {
				of := fn.Recv.List[0].Type
				if star, ok := of.(*ast.StarExpr); ok {
					of = star.X
				}
				recv := of.(*ast.Ident).Name
				if recv != "Array" && recv != "Out" {
					continue
				}
				name = recv + "." + name
			}
			if fn.Type.Results != nil { // callers do not see their names
				var types []*ast.Field
				for _, r := range fn.Type.Results.List {
					for range max(1, len(r.Names)) {
						types = append(types, &ast.Field{Type: r.Type})
					}
				}
				fn.Type.Results.List = types
				if len(types) == 1 {
					fn.Type.Results.Opening, fn.Type.Results.Closing = 0, 0
				}
			}
			var b strings.Builder
			printer.Fprint(&b, fset, fn.Type)
			out[name] = strings.ReplaceAll(strings.TrimPrefix(b.String(), "func"), "arrays.", "")
		}
	}
	return out
}
