package gosrc

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTextOfOneLine: functions that are written in one line keep that line, as Go can read it: gofmt gives the same for
// the line and for what Text says of it.
func TestTextOfOneLine(t *testing.T) {
	for _, src := range []string{
		`func k(x []float32) { i := 1; x[i] = 2; x[0] = 1 }`,
		`func k(x []int) { for i := range x { if x[i] > 0 { x[i]++; continue } else { x[i] = -x[i] }; x[0]-- }; return }`,
		`func k(x []rune, y *int) { switch x[0] { case 'a': x[0] = 'b'; fallthrough; default: y = &*y }; _ = "s"; var a, b int; a = b }`,
		`func k(x []int) { x[0] = (x[1] + x[2]); x[3] = [2]int{1, 2}[0]; func() { x[0] = 1 }() }`,
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "one.go", "package p\n"+src+"\n", 0)
		require.NoError(t, err)
		info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
		pkg, err := (&types.Config{Error: func(error) {}}).Check("p", fset, []*ast.File{file}, info)
		require.NotNil(t, pkg, err)
		fn := pkg.Scope().Lookup("k").(*types.Func)
		decl := file.Decls[0].(*ast.FuncDecl)
		f := NewFunc(&Source{Fset: fset, Body: func(*types.Func) (*ast.FuncDecl, *types.Info) { return decl, info }}, fn, nil, nil)
		_, lines := f.Text()
		require.Len(t, lines, 1, src)
		got, err := format.Source([]byte("package p\n" + lines[2]))
		require.NoError(t, err, lines[2])
		want, err := format.Source([]byte("package p\n" + src))
		require.NoError(t, err)
		// gofmt leaves what stands in one line there
		assert.Equal(t, strings.Fields(string(want)), strings.Fields(string(got)))
	}
}
