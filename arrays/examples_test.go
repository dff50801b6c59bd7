package arrays_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// TestEveryNameHasAnExample: of each exported function and method there is one whose output is checked.
func TestEveryNameHasAnExample(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var code, tests []*ast.File
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") {
			continue
		}
		file, err := parser.ParseFile(fset, f.Name(), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f.Name(), "_test.go") {
			tests = append(tests, file)
		} else {
			code = append(code, file)
		}
	}
	shown := map[string]bool{}
	for _, e := range doc.Examples(tests...) {
		if e.Output == "" && !e.EmptyOutput {
			t.Errorf("Example%s checks no output", e.Name)
		}
		shown[e.Name] = true
	}
	p, err := doc.NewFromFiles(fset, code, "github.com/arrayrepl/arrayrepl/arrays")
	if err != nil {
		t.Fatal(err)
	}
	missing := func(prefix string, fs []*doc.Func) {
		for _, f := range fs {
			if !shown[prefix+f.Name] {
				t.Errorf("no Example%s%s", prefix, f.Name)
			}
		}
	}
	missing("", p.Funcs)
	for _, typ := range p.Types {
		missing("", typ.Funcs)
		missing(typ.Name+"_", typ.Methods)
	}
}
