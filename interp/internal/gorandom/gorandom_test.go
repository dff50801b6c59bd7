package gorandom

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

func TestPrograms(t *testing.T) {
	fset := token.NewFileSet()
	imp := importer.ForCompiler(fset, "source", nil)
	for seed := uint64(1); seed <= 300; seed++ {
		p := New(seed)
		f, err := parser.ParseFile(fset, fmt.Sprint(seed), p.Main(), 0)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p.Main())
		}
		conf := types.Config{Importer: imp}
		if _, err := conf.Check("main", fset, []*ast.File{f}, nil); err != nil {
			te := err.(types.Error)
			t.Errorf("seed %d: %v\n%s", seed, err, strings.Split(p.Main(), "\n")[fset.Position(te.Pos).Line-1])
		}
	}
}
