package samples

import (
	"encoding/json"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestGonumsOwnTests runs gonum's tests of the functions that are here on ours: testdata has packages with gonum's
// signatures, which call ours, and gonum's test files, from the module as go.mod has it, are added to them, less what
// is about other functions.
func TestGonumsOwnTests(t *testing.T) {
	testsize.InTurn(t, 2)
	judges.Command(t, "go")
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "gonum.org/v1/gonum").Output()
	require.NoError(t, err)
	gonum := strings.TrimSpace(string(out))
	if gonum == "" {
		judges.Missing(t, "the source of gonum is not in the module cache")
	}
	overlay := map[string]string{}
	kept := map[string][]string{}
	for name, files := range map[string][]string{"floats": {"floats_test.go"}, "stat": {"stat_test.go"}, "mat": {"dense_test.go", "matrix_test.go"}} {
		dir, err := filepath.Abs(filepath.Join("testdata", name))
		require.NoError(t, err)
		paths := make([]string, len(files))
		for i, f := range files {
			paths[i] = filepath.Join(gonum, name, f)
		}
		text, tests := testsOf(t, dir, paths)
		kept[name] = tests
		path := filepath.Join(t.TempDir(), name+"_test.go")
		require.NoError(t, os.WriteFile(path, text, 0o600))
		overlay[filepath.Join(dir, "gonum_test.go")] = path
	}
	t.Logf("%v", kept)
	for name, least := range map[string]int{"floats": 11, "stat": 9, "mat": 2} {
		require.GreaterOrEqual(t, len(kept[name]), least, "%v", kept)
	}
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(path, text, 0o600))
	cmd := exec.Command("go", "test", "-vet=off", "-overlay", path, "./testdata/floats", "./testdata/stat", "./testdata/mat")
	out, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// testsOf returns a file of the tests, of files of one package, that use nothing but what the package in dir has, and
// their names.
func testsOf(t *testing.T, dir string, paths []string) (text []byte, tests []string) {
	fset := token.NewFileSet()
	known := map[string]bool{}
	for _, name := range strings.Fields("any append bool byte cap complex complex128 copy error false float32 float64 int int64 iota len make max min new nil panic print println recover rune string true uint uint64 _") {
		known[name] = true
	}
	here, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	for _, path := range here {
		f, err := parser.ParseFile(fset, path, nil, 0)
		require.NoError(t, err)
		for name := range f.Scope.Objects {
			known[name] = true
		}
	}
	var imports []string
	var decls []ast.Decl
	for _, path := range paths {
		f, err := parser.ParseFile(fset, path, nil, 0)
		require.NoError(t, err)
		for _, i := range f.Imports {
			name := i.Path.Value[strings.LastIndexByte(i.Path.Value, '/')+1 : len(i.Path.Value)-1]
			name = strings.TrimPrefix(name, `"`)
			if name == "v2" {
				name = "rand"
			}
			if i.Name != nil {
				name = i.Name.Name
			}
			known[name] = true
			if line := name + " " + i.Path.Value; !slices.Contains(imports, line) && !strings.Contains(line, "/internal/") {
				imports = append(imports, line)
			} else if strings.Contains(line, "/internal/") {
				delete(known, name)
			}
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
				decls = append(decls, d)
			}
		}
	}
	for changed := true; changed; { // what uses something that is not there goes, and then what uses that
		have := map[string]bool{}
		for _, d := range decls {
			for _, name := range declared(d) {
				have[name] = true
			}
		}
		before := len(decls)
		decls = slices.DeleteFunc(decls, func(d ast.Decl) bool {
			return slices.ContainsFunc(used(d), func(name string) bool { return !known[name] && !have[name] })
		})
		changed = len(decls) != before
	}
	byName := map[string]ast.Decl{}
	var wanted []string // names that are needed, tests first
	for _, d := range decls {
		for _, name := range declared(d) {
			byName[name] = d
			if strings.HasPrefix(name, "Test") && !aboutOthers.MatchString(name) && !inside(d) {
				tests = append(tests, name)
			}
		}
	}
	wanted = slices.Clone(tests)
	var body strings.Builder
	written := map[ast.Decl]bool{}
	for len(wanted) > 0 {
		d := byName[wanted[0]]
		wanted = wanted[1:]
		if d == nil || written[d] {
			continue
		}
		written[d] = true
		wanted = append(wanted, used(d)...)
		require.NoError(t, format.Node(&body, fset, d))
		body.WriteString("\n\n")
	}
	file := "package " + filepath.Base(dir) + "\n\n"
	for _, line := range imports {
		name, _, _ := strings.Cut(line, " ")
		if regexp.MustCompile(`\b` + name + `\.`).MatchString(body.String()) {
			file += "import " + line + "\n"
		}
	}
	return []byte(file + body.String()), tests
}

// aboutOthers are tests of functions that are gonum's here, too.
var aboutOthers = regexp.MustCompile("^TestEqual")

// inside reports whether a declaration looks into gonum's matrices, or calls a method that those here have not.
func inside(d ast.Decl) (looks bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && slices.Contains([]string{"mat", "SetRow", "SetCol", "Zero", "Grow", "Pow", "Kronecker", "Copy"}, s.Sel.Name) {
			looks = true
		}
		if k, ok := n.(*ast.KeyValueExpr); ok {
			if id, ok := k.Key.(*ast.Ident); ok && id.Name == "mat" {
				looks = true
			}
		}
		return !looks
	})
	return looks
}

func declared(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			}
		}
	}
	return names
}

// used returns the names that a declaration takes from outside of itself, and, as ".M", the methods and fields that it
// uses of unknown things; the latter are left to the compiler.
func used(d ast.Decl) (names []string) {
	inside := map[any]bool{} // what the declaration declares
	ast.Inspect(d, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Obj != nil && id.Obj.Pos() >= d.Pos() && id.Obj.Pos() < d.End() {
			inside[id.Obj] = true
		}
		return true
	})
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, visit)
			return false
		case *ast.KeyValueExpr:
			if _, ok := n.Key.(*ast.Ident); !ok {
				ast.Inspect(n.Key, visit)
			}
			ast.Inspect(n.Value, visit)
			return false
		case *ast.Field: // names of parameters and fields are not uses
			ast.Inspect(n.Type, visit)
			return false
		case *ast.Ident:
			if n.Obj == nil || !inside[n.Obj] {
				names = append(names, n.Name)
			}
		}
		return true
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil {
			ast.Inspect(d.Recv, visit)
		}
		ast.Inspect(d.Type, visit)
		if d.Body != nil {
			ast.Inspect(d.Body, visit)
		}
	default:
		ast.Inspect(d, visit)
	}
	return names
}
