package corpora

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// clock are the names of package time by which a function waits or measures.
var clock = map[string]bool{
	"Sleep": true, "After": true, "AfterFunc": true, "Tick": true, "NewTimer": true, "NewTicker": true, "Since": true, "Until": true,
	"Nanosecond": true, "Microsecond": true, "Millisecond": true, "Second": true,
}

// timed finds the tests and examples of p that wait for spans of time or measure them: a busy machine makes such a test
// fail under go test too, so that a difference says nothing of sessions.
func timed(p corpusPackage) (names map[string]bool, err error) {
	names = map[string]bool{}
	fset := token.NewFileSet()
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, 0)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Body != nil && usesClock(fn.Body) {
				names[fn.Name.Name] = true
			}
		}
	}
	return names, nil
}

func usesClock(body ast.Node) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && clock[sel.Sel.Name] {
			pkg, ok := sel.X.(*ast.Ident)
			found = found || ok && pkg.Name == "time"
		}
		return !found
	})
	return found
}

func TestTimed(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		"time.Sleep(10 * time.Millisecond)": true,
		"f(func() { <-time.After(d) })":     true,
		"began := time.Now(); use(began)":   false, // a date
		"clock.Sleep(5)":                    false,
		"x.time.Sleep()":                    false,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p; func f() { "+body+" }", 0)
		require.NoError(t, err)
		assert.Equal(t, want, usesClock(f.Decls[0].(*ast.FuncDecl).Body), body)
	}
}
