package puzzle

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/puzzle/internal/answers"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/gosrc/load"
)

// mutant is one slip in a solution: do makes it, undo takes it back.
type mutant struct {
	says     string
	do, undo func()
}

// harmless are slips after which a solution is still one, and why.
var harmless = map[string]string{
	"Apart, line 3: <= for <":       "the sign of 0 is changed, too",
	"RunningSums, line 5: <= for <": "one more step, in which no thread has a neighbour so far away",
}

// TestSlipsAreFound: a solution with one barrier less, or with one operator that is another, is refused.
func TestSlipsAreFound(t *testing.T) {
	use(t, "host")
	p, err := load.Load(".", "./internal/answers")
	require.NoError(t, err)
	n, used := 0, map[string]bool{}
	for i, a := range answers.All() {
		_, name, _ := strings.Cut(runtime.FuncForPC(reflect.ValueOf(a.Func).Pointer()).Name(), "answers.")
		fn, err := p.Func(name)
		require.NoError(t, err)
		decl, info := p.Source.Body(fn)
		check := func() (passed bool, said string) {
			defer func() {
				if e := recover(); e != nil { // it does not compile
					said = fmt.Sprint(e)
				}
			}()
			r := Check(i+1, gosrc.NewFunc(p.Source, fn, nil, a.Func))
			return r.Passed, r.Text
		}
		constant := func(e ast.Expr) bool { return info.Types[e].Value != nil }
		for k, m := range mutantsOf(decl, constant, func(pos token.Pos) int { return p.Fset.Position(pos).Line - p.Fset.Position(decl.Pos()).Line }) {
			if !testsize.Part(i+k, 3) {
				continue
			}
			says := name + ", " + m.says
			m.do()
			passed, _ := check()
			m.undo()
			used[says] = passed
			assert.Equal(t, harmless[says] != "", passed, says)
			n++
		}
		passed, said := check()
		assert.True(t, passed, "%s: %s", name, said)
	}
	assert.Greater(t, n, 20)
	if !testsize.Short() {
		for says := range harmless {
			assert.Contains(t, used, says)
		}
	}
}

// mutantsOf are the slips that a function can have, in the order of its text.
func mutantsOf(decl *ast.FuncDecl, constant func(ast.Expr) bool, line func(token.Pos) int) []mutant {
	other := map[token.Token]token.Token{token.LSS: token.LEQ, token.GEQ: token.GTR, token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.ADD}
	var all []mutant
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			for i, st := range n.List {
				call, ok := st.(*ast.ExprStmt)
				if !ok {
					continue
				}
				if c, ok := call.X.(*ast.CallExpr); !ok || !strings.HasSuffix(fmt.Sprint(c.Fun), "Sync}") {
					continue
				}
				list := n.List
				all = append(all, mutant{fmt.Sprintf("line %d: no barrier", line(st.Pos())), func() { n.List = slices.Delete(slices.Clone(list), i, i+1) }, func() { n.List = list }})
			}
		case *ast.BinaryExpr:
			if to, ok := other[n.Op]; ok && !constant(n) {
				op := n.Op
				all = append(all, mutant{fmt.Sprintf("line %d: %s for %s", line(n.OpPos), to, op), func() { n.Op = to }, func() { n.Op = op }})
			}
		}
		return true
	})
	return all
}
