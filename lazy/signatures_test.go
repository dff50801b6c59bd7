package lazy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a session says of a function is its declaration here: a type that this package has too is named as its users
// name it.
func TestSignaturesNameTypesOfThisPackage(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	own, used := map[string]bool{}, map[string][]string{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && s.Assign != 0 {
						own[s.Name.Name] = true
					}
				}
			case *ast.FuncDecl:
				if !d.Name.IsExported() {
					continue
				}
				ast.Inspect(d.Type, func(n ast.Node) bool {
					if sel, ok := n.(*ast.SelectorExpr); ok {
						if p, ok := sel.X.(*ast.Ident); ok && p.Name == "arrays" {
							used[sel.Sel.Name] = append(used[sel.Sel.Name], d.Name.Name)
						}
					}
					return true
				})
			}
		}
	}
	require.True(t, own["ReduceOption"])
	for name, functions := range used {
		assert.False(t, own[name], "arrays.%s is %s here: %v", name, name, functions)
	}
}
