package operators

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestOrdinaryGoIsUntouched: a thousand files of the standard library come out as they went in, parsed by Parse and
// rewritten with their types known.
func TestOrdinaryGoIsUntouched(t *testing.T) {
	testsize.InTurn(t, 0)
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	root := filepath.Join(strings.TrimSpace(string(goroot)), "src")
	if _, serr := os.Stat(root); err != nil || serr != nil {
		judges.Missing(t, "the standard library's source is not here: %v, %v", err, serr)
	}
	o := New("github.com/arrayrepl/arrayrepl/lazy", "github.com/arrayrepl/arrayrepl/arrays")
	fset := token.NewFileSet()
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil), Error: func(error) {}, FakeImportC: true}
	files := 0
	filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		name := strings.TrimPrefix(filepath.ToSlash(strings.TrimPrefix(dir, root)), "/")
		if err != nil || !d.IsDir() || files >= 1000 {
			return nil
		}
		if d.Name() == "testdata" || name == "cmd" || name == "vendor" || name == "builtin" {
			return fs.SkipDir
		}
		pkg, err := build.ImportDir(dir, 0)
		if err != nil {
			return nil
		}
		var trees []*ast.File
		var before [][]byte
		for _, f := range pkg.GoFiles {
			path := filepath.Join(dir, f)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if b := scan(string(text), 0, len(text)); len(b) > 0 {
				t.Errorf("%s: %q is taken for an index of arrays", path, text[b[0].open:b[0].close+1])
			}
			tree, err := o.Parse(fset, path, string(text), parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			trees = append(trees, tree)
			before = append(before, printed(t, fset, tree))
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
		conf.Check(name, fset, trees, info)
		for i, tree := range trees {
			res := o.Rewrite(tree, info, fset)
			if res.Changed || len(res.Errors) > 0 || len(res.Refused) > 0 || !bytes.Equal(printed(t, fset, tree), before[i]) {
				t.Errorf("%s/%s is changed: %d edits, errors %v", dir, pkg.GoFiles[i], len(res.Edits), res.Errors)
			}
		}
		files += len(trees)
		return nil
	})
	if files < 1000 {
		t.Errorf("%d files", files)
	}
}

func printed(t *testing.T, fset *token.FileSet, tree *ast.File) []byte {
	var b bytes.Buffer
	if err := format.Node(&b, fset, tree); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestScan: what Go's parser refuses is found, what is Go is not.
func TestScan(t *testing.T) {
	for _, c := range []struct {
		src  string
		want string // the brackets, "" for none
	}{
		{"x[1:2]", ""}, {"x[1:2:3]", ""}, {"x[i, j]", ""}, {"F[int, string](x)", ""}, {"F[[2]int, map[string]int]", ""}, {"F[*T, func(int) string, chan int]", ""},
		{"[...]int{1, 2}", ""}, {"m[k{1, 2}]", ""}, {"x[f(a, b)]", ""}, {"map[string][]int{}", ""}, {"type T[K comparable, V any] struct{}", ""},
		{"x[:, 0]", "[:, 0]"}, {"x[::2]", "[::2]"}, {"x[1::2]", "[1::2]"}, {"x[::-1]", "[::-1]"}, {"x[1:2:]", "[1:2:]"}, {"x[..., 0]", "[..., 0]"},
		{"x[0, 1]", "[0, 1]"}, {"x[i+1, j]", "[i+1, j]"}, {"x[y[0], 1:]", "[y[0], 1:]"}, {"x[y[:, 0], 1:]", "[y[:, 0], 1:]"}, {"f(x)[:, 0]", "[:, 0]"},
		{"x[0][:, 1]", "[:, 1]"}, {"x[f(1), j]", "[f(1), j]"}, {"x[\"]\", 1:]", "[\"]\", 1:]"}, {"x[\n\t1:,\n\t0,\n]", "[\n\t1:,\n\t0,\n]"},
	} {
		got := ""
		for _, b := range scan(c.src, 0, len(c.src)) {
			got += c.src[b.open : b.close+1]
		}
		if got != c.want {
			t.Errorf("%q: found %q, want %q", c.src, got, c.want)
		}
	}
}

// FuzzParse: no text makes Parse panic, and what Go's parser takes it reads the same.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"x[:, 0]", "x[::2, 1:] = 3", "x[..., y[::-1]]", "x[\n:,\n]", "x[1:2:3:4]", "x[:,", "a[b[c[:, 1], 2:], ...]", "x[,]", "F[int, string]()"} {
		f.Add(s)
	}
	o := New("a")
	f.Fuzz(func(t *testing.T, body string) {
		text := "package p\nfunc _() {\n" + body + "\n}\n"
		plain, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
		fset := token.NewFileSet()
		tree, perr := o.Parse(fset, "", text, 0)
		if err != nil || len(scan(text, 0, len(text))) > 0 {
			return
		}
		if perr != nil || !bytes.Equal(printed(t, fset, tree), printed(t, fset, plain)) {
			t.Errorf("%q is Go, but Parse says %v", body, perr)
		}
	})
}
