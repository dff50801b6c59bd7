package corpora

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// tags select the same files in sessions and in go test: plain Go.
const tags = "purego,noasm"

// corpora are the packages whose tests are run, by the patterns of the go command.
var corpora = []string{
	"github.com/samber/lo/...", "github.com/emirpasic/gods/...",
	"gonum.org/v1/gonum/stat/...", "gonum.org/v1/gonum/floats/...", "gonum.org/v1/gonum/mat",
}

// corpusPackage is a package that has tests, as the go command lists it.
type corpusPackage struct {
	ImportPath, Name, Dir              string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Module                             *struct{ Path, Dir string }
}

// list finds the packages.
func list(patterns []string) (all []corpusPackage, err error) {
	out, err := goCommand(append([]string{"list", "-json=ImportPath,Name,Dir,GoFiles,TestGoFiles,XTestGoFiles,Module", "-tags", tags}, patterns...)...)
	if err != nil {
		return nil, err
	}
	for dec := json.NewDecoder(strings.NewReader(out)); ; {
		var p corpusPackage
		switch err := dec.Decode(&p); {
		case err == io.EOF:
			return all, nil
		case err != nil:
			return nil, err
		}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 && p.Name != "main" {
			all = append(all, p)
		}
	}
}

// goCommand runs the go command with the pinned modules.
func goCommand(args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = "pinned"
	cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=readonly", "GOWORK=off", "CGO_ENABLED=0")
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("go %s: %w\n%s", args[0], err, said.String())
	}
	return string(out), err
}

// judge has go test run the package: how each test and example ended, "pass", "fail" or "skip". With an overlay it runs
// a copy of the module with these files, below dir.
func judge(p corpusPackage, overlay map[string]string, dir string) (map[string]string, error) {
	args := []string{"test", "-json", "-tags", tags}
	if len(overlay) > 0 {
		if _, err := linked(p, filepath.Join(dir, "module"), overlay, func(name string) string { return name }); err != nil {
			return nil, err
		}
		for _, name := range []string{"go.mod", "go.sum"} {
			raw, err := os.ReadFile(filepath.Join("pinned", name))
			if err == nil && name == "go.mod" {
				raw = fmt.Appendf(raw, "\nreplace %s => %s\n", p.Module.Path, filepath.Join(dir, "module"))
			}
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, name), raw, 0o644)
			}
			if err != nil {
				return nil, err
			}
		}
		args = append(args, "-modfile", filepath.Join(dir, "go.mod"))
	}
	out, err := goCommand(append(args, p.ImportPath)...)
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	results := map[string]string{}
	for dec := json.NewDecoder(strings.NewReader(out)); ; {
		var event struct{ Action, Test string }
		switch err := dec.Decode(&event); {
		case err == io.EOF:
			return results, nil
		case err != nil:
			return nil, err
		}
		if event.Test != "" && !strings.Contains(event.Test, "/") && (event.Action == "pass" || event.Action == "fail" || event.Action == "skip") {
			results[event.Test] = event.Action
		}
	}
}

// externalTests is the directory below a package in which a copy has the tests of package NAME_test.
const externalTests = "corpus_external"

// linked makes a copy of p's module below root: links, but for the directories on the way to p. The files of p's tests
// get names by rename, "" for none, and are those of the overlay where it has them. It returns p's directory in the
// copy.
func linked(p corpusPackage, root string, overlay map[string]string, rename func(name string) string) (dir string, err error) {
	rel, err := filepath.Rel(p.Module.Dir, p.Dir)
	if err != nil {
		return "", err
	}
	from, to := p.Module.Dir, root
	steps := append(strings.Split(filepath.ToSlash(rel), "/"), "")
	if rel == "." {
		steps = []string{""}
	}
	for _, step := range steps {
		if err := os.MkdirAll(to, 0o755); err != nil {
			return "", err
		}
		entries, err := os.ReadDir(from)
		if err != nil {
			return "", err
		}
		for _, e := range entries {
			name, file := e.Name(), filepath.Join(from, e.Name())
			if step == "" && strings.HasSuffix(name, "_test.go") {
				name = rename(name)
			}
			if name == "" || name == step {
				continue
			}
			if err := os.Symlink(cmp.Or(overlay[file], file), filepath.Join(to, name)); err != nil {
				return "", err
			}
		}
		from, to = filepath.Join(from, step), filepath.Join(to, step)
	}
	return filepath.Join(root, rel), nil
}

// copyOf makes a copy of p's module below root in which p's tests are parts of packages that a cell can import.
func copyOf(p corpusPackage, root string, overlay map[string]string) (dir string, err error) {
	dir, err = linked(p, root, overlay, func(name string) string {
		if slices.Contains(p.TestGoFiles, name) {
			return renamed(name)
		}
		return "" // of package NAME_test, or of another system
	})
	if err != nil {
		return "", err
	}
	if err := addTests(p, dir, p.Name, p.TestGoFiles, overlay); err != nil {
		return "", err
	}
	if len(p.XTestGoFiles) == 0 {
		return dir, nil
	}
	external := filepath.Join(dir, externalTests)
	if err := os.MkdirAll(external, 0o755); err != nil {
		return "", err
	}
	for _, name := range p.XTestGoFiles {
		file := filepath.Join(p.Dir, name)
		if err := os.Symlink(cmp.Or(overlay[file], file), filepath.Join(external, renamed(name))); err != nil {
			return "", err
		}
	}
	return dir, addTests(p, external, p.Name+"_test", p.XTestGoFiles, overlay)
}

// renamed is the name of a file of tests under which it is not a test any more.
func renamed(name string) string { return strings.TrimSuffix(name, "_test.go") + "_corpus.go" }

// addTests writes a file that lists the tests and examples of files, for cells.
func addTests(p corpusPackage, dir, pkg string, files []string, overlay map[string]string) error {
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range files {
		file := filepath.Join(p.Dir, name)
		f, err := parser.ParseFile(fset, cmp.Or(overlay[file], file), nil, parser.ParseComments)
		if err != nil {
			return err
		}
		parsed = append(parsed, f)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport \"testing\"\n\nvar CorpusTests = []testing.InternalTest{\n", pkg)
	for _, f := range parsed {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && isTest(fn) {
				fmt.Fprintf(&b, "\t{%q, %s},\n", fn.Name.Name, fn.Name.Name)
			}
		}
	}
	b.WriteString("}\n\nvar CorpusExamples = []testing.InternalExample{\n")
	for _, e := range doc.Examples(parsed...) {
		if e.Output != "" || e.EmptyOutput {
			fmt.Fprintf(&b, "\t{\"Example%s\", Example%s, %q, %v},\n", e.Name, e.Name, e.Output, e.Unordered)
		}
	}
	b.WriteString("}\n")
	return os.WriteFile(filepath.Join(dir, "corpus_list.go"), []byte(b.String()), 0o644)
}

// isTest reports whether fn is a test as go test finds them.
func isTest(fn *ast.FuncDecl) bool {
	rest, ok := strings.CutPrefix(fn.Name.Name, "Test")
	if !ok || fn.Recv != nil || fn.Name.Name == "TestMain" || rest != "" && rest[0] >= 'a' && rest[0] <= 'z' || len(fn.Type.Params.List) != 1 {
		return false
	}
	star, ok := fn.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	sel, ok := star.X.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "T"
}

// externalPath is the import path of the copy's tests of package NAME_test.
func (p corpusPackage) externalPath() string { return path.Join(p.ImportPath, externalTests) }
