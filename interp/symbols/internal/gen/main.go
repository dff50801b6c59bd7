// Command gen writes the registration files of package symbols, one for each package of its table, and their
// documentation beside them. It reads types, not syntax, so that what it registers is what the compiler sees. A
// package that does not compile keeps its old file, and the command fails at the end.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/docs"
	"github.com/arrayrepl/arrayrepl/interp/symbols/internal/table"
	"golang.org/x/tools/go/packages"
)

func main() {
	dir := flag.String("o", ".", "directory to write to")
	flag.Parse()
	if err := run(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	var paths []string
	names, generic := map[string]string{}, map[string][]string{}
	for _, p := range table.Packages {
		paths = append(paths, p.Path)
		names[p.Path], generic[p.Path] = p.Name, p.Generic
	}
	mode := packages.NeedName | packages.NeedFiles | packages.NeedTypes | packages.NeedImports | packages.NeedDeps
	loaded, err := packages.Load(&packages.Config{Mode: mode}, paths...)
	if err != nil {
		return err
	}
	bad := 0
	var done []string
	for _, pkg := range loaded {
		name := names[pkg.PkgPath]
		file := filepath.Join(dir, "zz_"+name+".go")
		if len(pkg.Errors) > 0 || pkg.Types == nil {
			bad++
			fmt.Fprintf(os.Stderr, "gen: %s: %v\n", pkg.PkgPath, pkg.Errors)
			if _, err := os.Stat(file); err == nil {
				done = append(done, name)
			}
			continue
		}
		text, err := source(name, pkg.Types)
		if err != nil {
			return fmt.Errorf("%s: %w", pkg.PkgPath, err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
		done = append(done, name)
		if err := copyGeneric(dir, name, pkg.PkgPath, generic[pkg.PkgPath], pkg.GoFiles); err != nil {
			return err
		}
		if !strings.HasPrefix(pkg.PkgPath, "github.com/arrayrepl/") { // the texts of other modules are theirs
			continue
		}
		examples, err := examplesOf(pkg)
		if err != nil {
			return err
		}
		if text, err = docs.Format(pkg.PkgPath, "arrayrepl", pkg.GoFiles, examples, cellName); err != nil {
			return err
		}
		file = filepath.Join(dir, "docs", pkg.PkgPath+".txt")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	sort.Strings(done)
	if err := os.WriteFile(filepath.Join(dir, "zz_all.go"), index(done), 0o644); err != nil {
		return err
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d packages do not compile and keep their old symbols", bad, len(table.Packages))
	}
	return nil
}

// examplesOf returns the examples of a package's names. Package lazy, which is np in cells, has the names of
// package arrays, whose examples are those of np too where it has no own.
func examplesOf(pkg *packages.Package) (map[string]string, error) {
	of := func(dir string, called func(string) string) (map[string]string, error) {
		files, err := filepath.Glob(filepath.Join(dir, "example*_test.go"))
		if err != nil {
			return nil, err
		}
		return docs.Examples(files, called)
	}
	dir := filepath.Dir(pkg.GoFiles[0])
	out, err := of(dir, cellName)
	if err != nil || pkg.Name != "lazy" {
		return out, err
	}
	eager, err := of(filepath.Join(filepath.Dir(dir), "arrays"), func(path string) string {
		if filepath.Base(path) == "arrays" {
			return "np"
		}
		return cellName(path)
	})
	for name, text := range eager {
		if out[name] == "" {
			out[name] = text
		}
	}
	return out, err
}

// copyGeneric puts the files with a package's generic functions, as one, where package symbols embeds it. A file that
// the package does not have is an error.
func copyGeneric(dir, name, path string, generic, files []string) error {
	if len(generic) == 0 {
		return nil
	}
	var of []string
	for _, base := range generic {
		i := slices.IndexFunc(files, func(f string) bool { return filepath.Base(f) == base })
		if i < 0 {
			return fmt.Errorf("%s has no file %s for its generic functions", path, base)
		}
		of = append(of, files[i])
	}
	text, err := qualified(of, path)
	if err != nil {
		return err
	}
	to := filepath.Join(dir, "generic", name+".go.txt")
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}

// qualified returns the texts of files of the package path as one, as a package beside it has it: what other files
// declare is imported.
func qualified(files []string, path string) ([]byte, error) {
	fset := token.NewFileSet()
	var parsed []*ast.File
	declared, imports := map[string]bool{}, map[string]bool{}
	for _, file := range files {
		f, err := parser.ParseFile(fset, file, nil, 0)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
		for name := range f.Scope.Objects {
			declared[name] = true
		}
		for _, spec := range f.Imports {
			line := spec.Path.Value
			if spec.Name != nil {
				line = spec.Name.Name + " " + line
			}
			imports[line] = true
		}
	}
	var bodies bytes.Buffer
	for i, f := range parsed {
		text, err := os.ReadFile(files[i])
		if err != nil {
			return nil, err
		}
		own := map[int]bool{}
		for _, id := range f.Unresolved {
			if id.IsExported() && !declared[id.Name] {
				own[fset.Position(id.Pos()).Offset] = true
				imports[strconv.Quote(path)] = true
			}
		}
		from := f.Name.End()
		for _, d := range f.Decls {
			if g, is := d.(*ast.GenDecl); is && g.Tok == token.IMPORT {
				from = g.End()
			}
		}
		for i := fset.Position(from).Offset; i < len(text); i++ {
			if own[i] {
				bodies.WriteString(f.Name.Name + ".")
			}
			bodies.WriteByte(text[i])
		}
	}
	head := "package " + parsed[0].Name.Name + "\n\n"
	if len(imports) > 0 {
		head += "import (\n" + strings.Join(slices.Sorted(maps.Keys(imports)), "\n") + "\n)\n"
	}
	return format.Source(append([]byte(head), bodies.Bytes()...))
}

// index writes the list of the generated functions.
func index(names []string) []byte {
	var b bytes.Buffer
	b.WriteString(header + "package symbols\n\nfunc registerAll() []func() {\n\treturn []func(){")
	for i, n := range names {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(function(n))
	}
	b.WriteString("}\n}\n")
	out, err := format.Source(b.Bytes())
	if err != nil {
		panic(err)
	}
	return out
}

const header = "// Code generated by interp/symbols/internal/gen; DO NOT EDIT.\n\n"

// mentioned collects the packages of the types in pkg's exported API, by path: the engine loads them first.
func mentioned(pkg *types.Package) map[string]string {
	registered := map[string]bool{}
	for _, p := range table.Packages {
		registered[p.Path] = true
	}
	deps := map[string]string{}
	seen := map[types.Type]bool{}
	var walk func(types.Type)
	walk = func(t types.Type) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Alias:
			walk(types.Unalias(t))
		case *types.Named:
			for a := range t.TypeArgs().Types() {
				walk(a)
			}
			if p := t.Obj().Pkg(); p != pkg {
				if p != nil {
					deps[p.Path()] = p.Name()
				}
				if p == nil || !strings.Contains(p.Path(), ".") || registered[p.Path()] {
					return
				}
				// The engine's loader makes the types of a package that is not registered itself, as far as they are
				// met, and with them those that they mention: of packages that must have been loaded by then.
			}
			walk(t.Underlying())
			for m := range t.Methods() {
				walk(m.Type())
			}
		case *types.Struct:
			for f := range t.Fields() {
				walk(f.Type())
			}
		case *types.Signature:
			walk(t.Params())
			walk(t.Results())
		case *types.Tuple:
			for v := range t.Variables() {
				walk(v.Type())
			}
		case *types.Interface:
			for m := range t.Methods() {
				walk(m.Type())
			}
		case *types.Map:
			walk(t.Key())
			walk(t.Elem())
		case interface{ Elem() types.Type }:
			walk(t.Elem())
		}
	}
	for _, n := range pkg.Scope().Names() {
		if obj := pkg.Scope().Lookup(n); obj.Exported() {
			walk(obj.Type())
		}
	}
	return deps
}

// function is the name of the function that registers the package which cells call name.
func function(name string) string { return "register" + strings.ToUpper(name[:1]) + name[1:] }

// cellName is what cells call the project's package path, "" for others.
func cellName(path string) string {
	for _, p := range table.Packages {
		if p.Path == path && !p.Hidden {
			return p.Name
		}
	}
	return ""
}
