package docs

import (
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write reference.md")

// referred are the packages of the page, by the names that cells have for them.
var referred = []struct{ name, dir, title string }{
	{"gpu", "gpu", "gpu: kernels"}, {"viz", "viz", "viz: charts"}, {"offload", "offload", "offload: where things are computed"}, {"np", "lazy", "np: arrays"},
}

const referenceHead = `# Reference

What each function, type and constant of the packages is, in a sentence. In a session ` + "`?gpu.Launch`" + ` shows the whole comment with an example and the options
that the function takes, ` + "`?gpu.Report`" + ` the methods of a type. Of ` + "`np`" + ` it has the names that are not NumPy's, which [numpy.md](numpy.md) lists.

<!-- below: written by go test ./docs -run Reference -update -->
`

// docLink is what a doc comment has for a link to a name.
var docLink = regexp.MustCompile(`\[(\*?(?:\w+\.)?[A-Z][\w.]*)\]`)

// described returns the exported names of a package with the first sentence of what is said of each.
func described(t *testing.T, dir string) map[string]string {
	files, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
	require.NoError(t, err)
	fset := token.NewFileSet()
	var syntax []*ast.File
	for _, path := range files {
		if !strings.HasSuffix(path, "_test.go") {
			f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
			require.NoError(t, err)
			syntax = append(syntax, f)
		}
	}
	p, err := doc.NewFromFiles(fset, syntax, dir)
	require.NoError(t, err)
	out := map[string]string{}
	values := func(all []*doc.Value) {
		for _, v := range all {
			for _, spec := range v.Decl.Specs {
				s := spec.(*ast.ValueSpec)
				text := s.Doc.Text()
				if text == "" {
					text = s.Comment.Text()
				}
				if text == "" {
					text = v.Doc
				}
				for _, id := range s.Names {
					out[id.Name] = text
				}
			}
		}
	}
	funcs := func(all []*doc.Func) {
		for _, f := range all {
			out[f.Name] = f.Doc
		}
	}
	values(p.Consts)
	values(p.Vars)
	funcs(p.Funcs)
	for _, typ := range p.Types {
		out[typ.Name] = typ.Doc
		values(typ.Consts)
		values(typ.Vars)
		funcs(typ.Funcs)
	}
	for name, text := range out {
		if !ast.IsExported(name) {
			delete(out, name)
			continue
		}
		out[name] = p.Synopsis(text)
	}
	return out
}

// TestReference: reference.md is what the packages say of themselves.
func TestReference(t *testing.T) {
	numpy, err := os.ReadFile("numpy.md")
	require.NoError(t, err)
	var page strings.Builder
	page.WriteString(referenceHead)
	for _, pkg := range referred {
		fmt.Fprintf(&page, "\n## %s\n\n| | |\n|---|---|\n", pkg.title)
		all := described(t, pkg.dir)
		var names []string
		for name := range all {
			if pkg.name != "np" || !strings.Contains(string(numpy), "`np."+name+"`") {
				names = append(names, name)
			}
		}
		sort.Strings(names)
		for _, name := range names {
			text := strings.NewReplacer("|", "\\|", "<", "&lt;").Replace(docLink.ReplaceAllString(all[name], "$1"))
			fmt.Fprintf(&page, "| `%s.%s` | %s |\n", pkg.name, name, strings.TrimSpace(strings.TrimPrefix(text, name+" ")))
		}
	}
	if *update {
		require.NoError(t, os.WriteFile("reference.md", []byte(page.String()), 0o644))
	}
	have, err := os.ReadFile("reference.md")
	require.NoError(t, err)
	assert.Equal(t, page.String(), string(have), "go test ./docs -run Reference -update writes it")
}
