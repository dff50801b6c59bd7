package symbols_test

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/docs"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/interp/symbols/internal/table"
	"github.com/arrayrepl/arrayrepl/interp/yaegi"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

func newSession(t *testing.T) *interp.Session {
	t.Helper()
	symbols.Register()
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Docs: symbols.Docs()})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// scopes has what the compiler knows of each package that cells see, by path, as one run of the go command tells it.
var scopes = sync.OnceValues(func() (map[string]*types.Scope, error) {
	var paths []string
	for _, p := range symbols.Packages() {
		paths = append(paths, p.Path)
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes}, paths...)
	if err != nil {
		return nil, err
	}
	all := map[string]*types.Scope{}
	for _, p := range pkgs {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s does not load: %v", p.PkgPath, p.Errors)
		}
		all[p.PkgPath] = p.Types.Scope()
	}
	return all, nil
})

// scopeOf returns the names of a package as the compiler knows them.
func scopeOf(t *testing.T, path string) *types.Scope {
	t.Helper()
	all, err := scopes()
	if err != nil {
		t.Fatal(err)
	}
	if all[path] == nil {
		t.Fatalf("%s does not load", path)
	}
	return all[path]
}

func run(t *testing.T, s *interp.Session, src string) display.Bundle {
	t.Helper()
	b, err := s.Run(context.Background(), 1, src)
	if err != nil {
		t.Fatalf("%s\n%v", src, err)
	}
	return b
}

func TestDisplayFromACell(t *testing.T) {
	s := newSession(t)
	b := run(t, s, "display.HTML(`<b>x</b>`)")
	if b.Data[display.TypeHTML] != "<b>x</b>" {
		t.Errorf("got %v", b.Data)
	}
	b = run(t, s, "type card struct{ n int }\nfunc (c card) MIMEBundle() display.Bundle { return display.Text(fmt.Sprint(`card `, c.n)) }\ncard{3}")
	if b.Text() != "card 3" {
		t.Errorf("a cell's own Bundler shows as %v", b.Data)
	}
	b = run(t, s, "display.TypePNG")
	if b.Text() != "image/png" {
		t.Errorf("a constant shows as %v", b.Data)
	}
}

// TestGenericFunctionsOfPackages: compiled code has no instances of them, so the engines interpret their source.
func TestGenericFunctionsOfPackages(t *testing.T) {
	symbols.Register()
	for _, engine := range []interp.Engine{ixgo.New(), yaegi.New()} {
		s, err := interp.New(interp.Options{Engine: engine, Packages: symbols.Packages()})
		if err != nil {
			t.Fatal(err)
		}
		for src, want := range map[string]string{
			"np.Data[float64](np.Arange(3.0).Mul(2))":                                                                                  "[0 2 4]",
			"n := np.Data[int](np.FromSlice([]int{1, 2})); append(n, 3)":                                                               "[1 2 3]",
			"arrays.Data[bool](arrays.FromSlice([]bool{true, false}))":                                                                 "[true false]",
			"func total[T int | float64](x []T) (s T) { for _, v := range x { s += v }; return }\ntotal(np.Data[float64](np.Ones(4)))": "4",
		} {
			if got := run(t, s, src).Text(); got != want {
				t.Errorf("%s: %s shows as %s, want %s", engine.Name(), src, got, want)
			}
		}
		_, err = s.Run(context.Background(), 1, "np.Data[int32](np.Ones(2))")
		if err == nil || !strings.Contains(err.Error(), "a float64 array does not hold int32; convert it first: AsType(") {
			t.Errorf("%s: data of another type: %v", engine.Name(), err)
		}
		s.Close()
	}
}

// TestEveryNameFromACell mentions every exported name of every package in a cell of its own, as the compiler knows
// them.
func TestEveryNameFromACell(t *testing.T) {
	s := newSession(t)
	for _, p := range symbols.Packages() {
		scope := scopeOf(t, p.Path)
		for i, name := range scope.Names() {
			obj := scope.Lookup(name)
			if !token.IsExported(name) || generic(obj) || !testsize.Part(i, 3) {
				continue
			}
			src := "_ = " + p.Name + "." + name
			if _, isType := obj.(*types.TypeName); isType {
				src = "var _ " + p.Name + "." + name
			}
			if _, err := s.Run(context.Background(), 1, src); err != nil {
				t.Errorf("%s: %v", src, err)
			}
		}
	}
}

// TestInspectAnArray: the elements of an array are not computed to tell what it is.
func TestInspectAnArray(t *testing.T) {
	s := newSession(t)
	run(t, s, "x := np.Arange(12).Reshape(3, 4)")
	for _, c := range []struct{ src, want string }{
		{"x", "var x *np.Array = { … } // int64 [3 4]"},
		{"x.Reshape(", "func (a *np.Array) Reshape(shape ...int) *np.Array\n// here: shape ...int\n\nReshape returns the elements in C order"},
		{"np.Linspace(0, ", "func np.Linspace(start, stop float64, num int"},
		{"viz.Line(x, y", "func viz.Line(x, y any, opts ...viz.Option) *viz.Chart\n// here: y any"},
	} {
		if got, _ := s.Inspect(c.src, len(c.src)); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s", c.src, got)
		}
	}
}

// TestEveryNameIsDocumented finds every exported name and method of every package in the documentation, as the compiler
// knows them: go generate ./interp/symbols writes it.
func TestEveryNameIsDocumented(t *testing.T) {
	for _, p := range symbols.Packages() {
		doc, err := docs.Load(symbols.Docs(), p.Path)
		if err != nil {
			t.Fatal(err)
		}
		if doc.Doc == "" {
			t.Errorf("package %s has no comment", p.Path)
		}
		scope := scopeOf(t, p.Path)
		for _, name := range scope.Names() {
			obj := scope.Lookup(name)
			if !obj.Exported() {
				continue
			}
			if _, ok := doc.Lookup(name); !ok {
				t.Errorf("%s.%s is not documented", p.Path, name)
			}
			if named, ok := types.Unalias(obj.Type()).(*types.Named); ok && named.Obj() == obj {
				for m := range named.Methods() {
					if _, ok := doc.Method(name, m.Name(), nil); m.Exported() && !ok {
						t.Errorf("%s.%s.%s is not documented", p.Path, name, m.Name())
					}
				}
			}
		}
	}
}

func generic(obj types.Object) bool {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Signature().TypeParams().Len() > 0
	case *types.TypeName:
		if n, ok := types.Unalias(obj.Type()).(*types.Named); ok && n.TypeParams().Len() > 0 {
			return true
		}
		i, ok := obj.Type().Underlying().(*types.Interface)
		return ok && !i.IsMethodSet()
	}
	return false
}

// TestGeneratedFilesAreCurrent runs the generator and compares: `go generate ./interp/symbols` mends it. A short test
// leaves it to make lint, which runs beside make test of each commit and does the same for all generated files.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	if testsize.Short() {
		t.Skip("make lint generates the files, and fails where they are not what is committed")
	}
	dir := t.TempDir()
	if out, err := exec.Command("go", "run", "./internal/gen", "-o", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "zz_*.go"))
	if len(files) != len(table.Packages)+1 {
		t.Errorf("%d files are generated for %d packages", len(files), len(table.Packages))
	}
	for _, p := range table.Packages {
		if len(p.Generic) > 0 {
			files = append(files, filepath.Join(dir, "generic", p.Name+".go.txt"))
		}
	}
	for _, f := range files {
		want, _ := os.ReadFile(f)
		rel, _ := filepath.Rel(dir, f)
		got, err := os.ReadFile(rel)
		if err != nil || strings.TrimSpace(string(got)) != strings.TrimSpace(string(want)) {
			t.Errorf("%s is out of date: run go generate ./interp/symbols", filepath.Base(f))
		}
	}
}
