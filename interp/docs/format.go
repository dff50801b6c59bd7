package docs

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	gopath "path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
)

// Format writes the documentation of the package path, of which files are the sources, tests left out, for [Load].
// What examples, of [Examples], has for a name stands at the end of its comment. The version says of what it is:
// "go1.26.8". Imported packages are called what called returns for their paths, or their own names where that is
// "": nobody sees the import lines of a declaration.
func Format(path, version string, files []string, examples map[string]string, called func(path string) string) ([]byte, error) {
	fset := token.NewFileSet()
	var syntax []*ast.File
	for _, name := range files {
		if filepath.Base(name) == "zz_subjects.go" {
			continue // a list for go doc: a session completes names
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		plainImports(f, called)
		syntax = append(syntax, f)
	}
	mode := doc.Mode(0)
	if path == "builtin" {
		mode = doc.AllDecls
	}
	p, err := doc.NewFromFiles(fset, syntax, path, mode)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	w := &writer{fset: fset, examples: examples}
	w.values(p.Consts)
	w.values(p.Vars)
	w.funcs("", p.Funcs)
	for _, t := range p.Types {
		w.add(t.Name, t.Doc, t.Decl)
		w.values(t.Consts)
		w.values(t.Vars)
		w.funcs("", t.Funcs)
		w.funcs(t.Name+".", t.Methods)
	}
	if w.err != nil {
		return nil, fmt.Errorf("%s: %w", path, w.err)
	}
	w.ar.Comment = fmt.Appendf(nil, "package %s // %s\n%s\n", p.Name, version, plain(p.Doc))
	return txtar.Format(&w.ar), nil
}

// plainImports calls imported packages in f by the names that everybody knows them by.
func plainImports(f *ast.File, called func(path string) string) {
	names := map[string]string{}
	for _, imp := range f.Imports {
		path := strings.Trim(imp.Path.Value, `"`)
		base := gopath.Base(path)
		here, known := base, called(path)
		if imp.Name != nil {
			here = imp.Name.Name
			if known == "" && token.IsIdentifier(base) && strings.Trim(base, "v0123456789") != "" {
				known = base
			}
		}
		if known != "" && known != here {
			names[here] = known
		}
	}
	if len(names) == 0 {
		return
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && names[id.Name] != "" {
				id.Name = names[id.Name]
			}
		}
		_, body := n.(*ast.BlockStmt)
		return !body
	})
}

// writer collects the declarations of a package.
type writer struct {
	fset     *token.FileSet
	ar       txtar.Archive
	err      error
	examples map[string]string // by name: Sum, Array.At
}

func (w *writer) values(vs []*doc.Value) {
	for _, v := range vs {
		w.add(strings.Join(v.Names, " "), v.Doc, v.Decl)
	}
}

func (w *writer) funcs(prefix string, fs []*doc.Func) {
	for _, f := range fs {
		f.Decl.Body = nil
		w.add(prefix+f.Name, f.Doc, f.Decl)
	}
}

// add files one declaration under its names.
func (w *writer) add(names, comment string, decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		d.Doc = nil
	case *ast.GenDecl:
		d.Doc = nil
		if len(d.Specs) == 1 && !d.Lparen.IsValid() {
			if ts, ok := d.Specs[0].(*ast.TypeSpec); ok {
				ts.Doc = nil
			}
		}
	}
	var b bytes.Buffer
	if text := w.examples[names]; text != "" {
		comment = strings.TrimSpace(comment) + "\n\nFor example:\n\n" + text
	}
	for line := range strings.Lines(strings.TrimSpace(comment)) {
		b.WriteString(strings.TrimRight("// "+line, " \n") + "\n")
	}
	if err := format.Node(&b, w.fset, decl); err != nil && w.err == nil {
		w.err = fmt.Errorf("%s: %w", names, err)
	}
	b.WriteString("\n")
	w.ar.Files = append(w.ar.Files, txtar.File{Name: names, Data: b.Bytes()})
}

// plain keeps lines of a comment from reading as txtar's.
func plain(comment string) string {
	var b strings.Builder
	for line := range strings.Lines(comment) {
		if strings.HasPrefix(line, "-- ") {
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}
