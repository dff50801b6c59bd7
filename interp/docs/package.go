package docs

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"strings"

	"golang.org/x/tools/txtar"
)

// Package is the documentation of one package.
type Package struct {
	Path, Name string
	Doc        string // the package's comment
	Version    string // what was documented: "go1.26.8"

	entries map[string]string // declarations by the names that they declare; methods as Type.Method
	names   []string
}

// Entry is the documentation of one name.
type Entry struct {
	Decl  string // its declaration, functions without their bodies, fields and methods that are not exported left out
	Doc   string // the doc comment
	Group bool   // Decl declares other names too, and Doc is about all of them
}

// Names returns the documented names in the order of the file: types are followed by their constructors and methods, which
// are called Type.Method.
func (p *Package) Names() []string { return p.names }

// Lookup finds a function, type, variable or constant, or a method as Type.Method.
func (p *Package) Lookup(name string) (Entry, bool) {
	text, ok := p.entries[name]
	if !ok {
		return Entry{}, false
	}
	doc, decl := cutComment(text)
	return Entry{Decl: decl, Doc: doc, Group: strings.HasPrefix(decl, "const (") || strings.HasPrefix(decl, "var (")}, true
}

// Member returns the comment of one name inside a declaration: of a field or an interface's method in a type's, of a
// constant or variable in a group's. Comments stand above it or behind it.
func (e Entry) Member(name string) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+e.Decl, parser.ParseComments|parser.SkipObjectResolution)
	if file == nil || err != nil && len(file.Decls) == 0 {
		return ""
	}
	var found string
	ast.Inspect(file, func(n ast.Node) bool {
		var names []*ast.Ident
		var doc, line *ast.CommentGroup
		switch n := n.(type) {
		case *ast.Field:
			names, doc, line = n.Names, n.Doc, n.Comment
			if len(names) == 0 {
				names = embeddedName(n.Type)
			}
		case *ast.ValueSpec:
			names, doc, line = n.Names, n.Doc, n.Comment
		case *ast.FuncType:
			return false // parameters are no members
		}
		for _, id := range names {
			if id.Name == name && found == "" {
				found = strings.TrimSpace(doc.Text() + line.Text())
			}
		}
		return found == ""
	})
	return found
}

func embeddedName(x ast.Expr) []*ast.Ident {
	switch x := x.(type) {
	case *ast.Ident:
		return []*ast.Ident{x}
	case *ast.StarExpr:
		return embeddedName(x.X)
	case *ast.SelectorExpr:
		return []*ast.Ident{x.Sel}
	case *ast.IndexExpr:
		return embeddedName(x.X)
	}
	return nil
}

// Load reads the documentation of the package path from fsys, where it is the file path.txt, or path.txt.gz compressed.
func Load(fsys fs.FS, path string) (*Package, error) {
	raw, err := fs.ReadFile(fsys, path+".txt")
	if err == nil {
		return Parse(path, raw)
	}
	if raw, err = fs.ReadFile(fsys, path+".txt.gz"); err != nil {
		return nil, err
	}
	zr, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("docs: %s: %w", path, err)
	}
	if raw, err = io.ReadAll(zr); err != nil {
		return nil, fmt.Errorf("docs: %s: %w", path, err)
	}
	return Parse(path, raw)
}

// Parse understands what [Format] writes of the package path.
func Parse(path string, raw []byte) (*Package, error) {
	ar := txtar.Parse(raw)
	clause, doc, _ := strings.Cut(string(ar.Comment), "\n")
	var p Package
	if _, err := fmt.Sscanf(clause, "package %s // %s", &p.Name, &p.Version); err != nil {
		return nil, fmt.Errorf("docs: %s begins with %q, not with a package clause", path, clause)
	}
	p.Path, p.Doc, p.entries = path, strings.TrimSpace(doc), map[string]string{}
	for _, f := range ar.Files {
		text := strings.TrimSpace(string(f.Data))
		for _, name := range strings.Fields(f.Name) {
			if _, twice := p.entries[name]; !twice {
				p.names = append(p.names, name)
			}
			p.entries[name] = text
		}
	}
	return &p, nil
}

// cutComment splits the comment lines at the start of a declaration from the rest.
func cutComment(text string) (doc, decl string) {
	var lines []string
	for strings.HasPrefix(text, "//") {
		line, rest, _ := strings.Cut(text, "\n")
		lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(line, "//"), " "))
		text = rest
	}
	return strings.TrimSpace(strings.Join(lines, "\n")), text
}

//go:embed all:std
var std embed.FS

// Std has the documentation of Go's public standard packages, package builtin included, for [Load].
func Std() fs.FS {
	sub, err := fs.Sub(std, "std")
	if err != nil {
		panic(err) // the folder is part of the binary
	}
	return sub
}
