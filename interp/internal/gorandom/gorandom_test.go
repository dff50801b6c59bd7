package gorandom

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestPrograms has the type checker look at programs, and counts how many have each construct.
func TestPrograms(t *testing.T) {
	testsize.InTurn(t, 1)
	fset := token.NewFileSet()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		judges.Missing(t, "no go command: nothing to import packages from")
	}
	build.Default.GOROOT = strings.TrimSpace(string(root)) // a test that was built with -trimpath does not know it
	imp := importer.ForCompiler(fset, "source", nil)
	count := make([]int, len(constructs))
	const programs = 300
	for seed := uint64(1); seed <= programs; seed++ {
		p := New(seed)
		f, err := parser.ParseFile(fset, fmt.Sprint(seed), p.Main(), 0)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p.Main())
		}
		conf := types.Config{Importer: imp}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
			Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
		if _, err := conf.Check("main", fset, []*ast.File{f}, info); err != nil {
			te := err.(types.Error)
			t.Errorf("seed %d: %v\n%s", seed, err, strings.Split(p.Main(), "\n")[fset.Position(te.Pos).Line-1])
			continue
		}
		w, has := &walk{info: info}, make([]bool, len(constructs))
		ast.PreorderStack(f, nil, func(n ast.Node, path []ast.Node) bool {
			w.path = path
			if d, ok := n.(*ast.FuncDecl); ok && inPrelude(d.Name.Name) {
				return false
			}
			for i, c := range constructs {
				has[i] = has[i] || c.in(w, n)
			}
			return true
		})
		for i := range has {
			if has[i] {
				count[i]++
			}
		}
	}
	for i, c := range constructs {
		t.Logf("%3d of %d programs have: %s", count[i], programs, c.name)
		if count[i] < programs/50 {
			t.Errorf("%d of %d programs have: %s", count[i], programs, c.name)
		}
	}
}

// inPrelude reports whether all programs declare a function of that name.
func inPrelude(name string) bool {
	return strings.Contains(prelude, "func "+name+"[") || strings.Contains(prelude, "func "+name+"(") || strings.Contains(prelude, ") "+name+"(")
}
