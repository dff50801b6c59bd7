package heldfuncs_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/heldfuncs"
)

func TestFind(t *testing.T) {
	const src = `package p

var top = func() {}
var one, two = func() {}, (func() {})
var none func()
var pair, other = both()
var named = both
var set = func() {}

func both() (f, g func()) { return top, one }

func _() {
	local := func() {}
	again, fresh := func() {}, func() {}
	again, late := func() {}, 1
	ranged := func() {}
	for _, ranged = range []func(){local} {
	}
	address := func() {}
	_ = &(address)
	inner := func() { set = func() { nested := func() {}; nested() } }
	var recursive func()
	recursive = func() { recursive() }
	_, _, _, _ = fresh, late, inner, ranged
	switch again := again; {
	case again == nil:
	}
}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	require.NoError(t, err)
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	_, err = (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, info)
	require.NoError(t, err)
	held, changed := heldfuncs.Find(info, file)
	var names, others []string
	for v, lit := range held {
		require.NotNil(t, lit)
		names = append(names, v.Name())
	}
	for v := range changed {
		others = append(others, v.Name())
	}
	slices.Sort(names)
	slices.Sort(others)
	assert.Equal(t, []string{"fresh", "inner", "local", "nested", "one", "top", "two"}, names)
	assert.Equal(t, []string{"address", "again", "ranged", "recursive", "set"}, others)
}
