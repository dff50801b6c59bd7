package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// exported returns the functions, types, constants and variables that a package exports, without what is deprecated.
func exported(t *testing.T, dir string) (names []string) {
	files, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
	require.NoError(t, err)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names = append(names, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						names = append(names, s.Name.Name)
					case *ast.ValueSpec:
						for _, id := range s.Names {
							names = append(names, id.Name)
						}
					}
				}
			}
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !ast.IsExported(name) })
	slices.Sort(names)
	return slices.Compact(names)
}

// Every name that a cell can call of the packages for arrays, kernels, charts and placement is on a page.
func TestEveryExportedNameIsOnAPage(t *testing.T) {
	pages, err := filepath.Glob("*.md")
	require.NoError(t, err)
	said := map[string]bool{}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, word := range regexp.MustCompile(`[A-Z]\w*`).FindAllString(string(text), -1) {
			said[word] = true
		}
	}
	for name, dir := range map[string]string{"np": "lazy", "gpu": "gpu", "viz": "viz", "offload": "offload"} {
		var missing []string
		for _, n := range exported(t, dir) {
			if !said[n] {
				missing = append(missing, n)
			}
		}
		assert.Empty(t, missing, "%s: %d names are on no page of docs", name, len(missing))
	}
}
