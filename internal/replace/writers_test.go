package replace

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// elsewhere are the files of the program that make files by themselves, and why.
var elsewhere = map[string]string{
	"install/spec.go":             "a whole directory, which is renamed when it is complete",
	"cmd/arrayrepl/lab.go":        "in a Python environment that is taken for complete when its last file has its name",
	"cudabackend/fake/library.go": "a library for tests, in a directory of its own",
	"interp/modules/gocommand.go": "in a directory of its own, which nobody else reads",
	"interp/magic/moduledir.go":   "in a directory of the session's own, which goes with it",
	"interp/langserver/proxy.go":  "in a directory of its own, which goes with the connection",
	"cmd/arrayrepl/gopls.go":      "in that directory",
}

// TestFilesAreReplaced: what the program writes goes through this package, so that a full disk or an end of the process
// destroys no file.
func TestFilesAreReplaced(t *testing.T) {
	root := filepath.Join("..", "..")
	used := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		if d.IsDir() && (name == "tests" || strings.HasPrefix(d.Name(), ".") && name != "." || d.Name() == "testdata" || d.Name() == "judge") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if file.Name.Name == "main" && !strings.HasPrefix(name, "cmd/") {
			return nil // it makes files of the source tree
		}
		ast.Inspect(file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "os" && slices.Contains([]string{"WriteFile", "Create"}, sel.Sel.Name) {
				used[name] = true
				assert.Contains(t, elsewhere, name, "%s uses os.%s: let it use package replace, or say here why not", name, sel.Sel.Name)
			}
			return true
		})
		return nil
	})
	require.NoError(t, err)
	for name := range elsewhere {
		assert.True(t, used[name], "%s writes no files any more", name)
	}
}
