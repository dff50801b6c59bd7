package lazyregexp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheProgramStartsWithoutExpressions: what is linked into the command compiles no regular expression before main,
// and those that it may compile later, where they are written as constants, are right.
func TestTheProgramStartsWithoutExpressions(t *testing.T) {
	const each = `{{$d := .Dir}}{{if .Module}}{{if .Module.Main}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{end}}{{end}}`
	list := exec.Command("go", "list", "-deps", "-f", each, "./cmd/arrayrepl")
	list.Dir = "../.."
	text, err := list.Output()
	require.NoError(t, err)
	files := strings.Fields(string(text))
	require.Greater(t, len(files), 500)
	constants := 0
	for _, name := range files {
		if strings.Contains(name, "/internal/lazyregexp/") {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			sel, _ := call.Fun.(*ast.SelectorExpr)
			text, _ := call.Args[0].(*ast.BasicLit)
			if sel == nil || text == nil || sel.Sel.Name != "New" {
				return true
			}
			if pkg, _ := sel.X.(*ast.Ident); pkg != nil && pkg.Name == "lazyregexp" {
				expression, err := strconv.Unquote(text.Value)
				require.NoError(t, err)
				_, err = regexp.Compile(expression)
				assert.NoError(t, err, "%s", fset.Position(text.Pos()))
				constants++
			}
			return true
		})
		for _, d := range file.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.VAR {
				continue
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				if _, later := n.(*ast.FuncLit); later {
					return false
				}
				if sel, ok := n.(*ast.SelectorExpr); ok {
					pkg, _ := sel.X.(*ast.Ident)
					assert.False(t, pkg != nil && pkg.Name == "regexp" && strings.HasPrefix(sel.Sel.Name, "MustCompile"),
						"%s: use lazyregexp.New", fset.Position(sel.Pos()))
				}
				return true
			})
		}
	}
	require.Greater(t, constants, 50)
}
