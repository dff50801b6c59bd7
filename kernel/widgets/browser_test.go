package widgets

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every function that makes something for the page is in the test that moves controls in a browser.
func TestTheBrowserMovesEachControl(t *testing.T) {
	text, err := os.ReadFile("../../tests/browser/test_widgets.py")
	require.NoError(t, err)
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	n := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || !fn.Name.IsExported() || fn.Type.Results == nil || name == "comm.go" {
				continue
			}
			n++
			assert.Regexp(t, regexp.MustCompile(`widgets\.`+fn.Name.Name+`\(`), string(text))
		}
	}
	assert.Greater(t, n, 50)
}
