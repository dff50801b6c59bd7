package docs

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"
)

// Package is the documentation of one package.
type Package struct {
	Path, Name string
	Doc        string // the package's comment
	Version    string // what was documented: "go1.26.8"

	entries map[string]*Entry // by the names that they declare; methods as Type.Method
	names   []string
}

// Entry is the documentation of one name.
type Entry struct {
	Decl  string // its declaration, functions without their bodies, fields and methods that are not exported left out
	Doc   string // the doc comment
	Group bool   // Decl declares other names too, and Doc is about all of them
	Path  string // the package that declares it

	syntax *syntax // Decl's; shared by the copies of an entry
}

// syntax is a declaration that is parsed when it is first needed: that of unicode's tables takes a tenth of a
// millisecond.
type syntax struct {
	once    sync.Once
	members []member
}

// Names returns the documented names in the order of the file: types are followed by their constructors and methods,
// which are called Type.Method.
func (p *Package) Names() []string { return p.names }

// Lookup finds a function, type, variable or constant, or a method as Type.Method.
func (p *Package) Lookup(name string) (Entry, bool) {
	e, ok := p.entries[name]
	if !ok {
		return Entry{}, false
	}
	return *e, true
}

// Method finds the method name of the type typ: its own, one that its interface lists, or one of a type that it embeds;
// of others, those of Go itself and of other packages ("io.Reader"), it asks elsewhere, which may be nil. Of an
// interface's method the declaration is the interface's, and a comment that it lacks is the interface's too.
func (p *Package) Method(typ, name string, elsewhere func(typ string) (Entry, bool)) (Entry, bool) {
	if e, ok := p.Lookup(typ + "." + name); ok {
		return e, true
	}
	e, ok := p.Lookup(typ)
	if !ok {
		return Entry{}, false
	}
	for _, m := range e.members() {
		for _, id := range m.names {
			if _, isFunc := m.typ.(*ast.FuncType); isFunc && id.Name == name {
				if m.comment != "" {
					e.Doc = m.comment
				}
				return e, true
			}
		}
	}
	for _, m := range e.members() {
		switch _, known := p.entries[m.embedded]; {
		case m.embedded == "" || m.embedded == typ:
		case known:
			if e, ok := p.Method(m.embedded, name, elsewhere); ok {
				return e, true
			}
		case elsewhere != nil:
			if e, ok := elsewhere(m.embedded); ok {
				return e, true
			}
		}
	}
	return Entry{}, false
}

// Member returns the comment of one name inside a declaration: of a field or an interface's method in a type's, of a
// constant or variable in a group's. Comments stand above it or behind it.
func (e Entry) Member(name string) string {
	for _, m := range e.members() {
		for _, id := range m.names {
			if id.Name == name {
				return m.comment
			}
		}
	}
	return ""
}

// Form is how a function or method is declared.
type Form struct {
	Recv      string   // the receiver's name
	Signature string   // "(s string, count int) string", types of its own package qualified
	Params    []string // one each: "s string", "a ...any"
}

// Form reads the declaration of a function, or of the method name in that of an interface. The names of types of its
// own package get the prefix: "strings.". ok is false when the declaration is of something else.
func (e Entry) Form(name, prefix string) (f Form, ok bool) {
	file := e.parse()
	if file == nil {
		return f, false
	}
	var typ *ast.FuncType
	local := map[string]bool{} // type parameters
	names := func(l *ast.FieldList) {
		if l != nil {
			for _, field := range l.List {
				for _, id := range field.Names {
					local[id.Name] = true
				}
			}
		}
	}
	if fn, isFunc := file.Decls[0].(*ast.FuncDecl); isFunc {
		typ = fn.Type
		if fn.Recv != nil && len(fn.Recv.List) == 1 {
			if ids := fn.Recv.List[0].Names; len(ids) == 1 {
				f.Recv = ids[0].Name
			}
			ast.Inspect(fn.Recv.List[0].Type, func(n ast.Node) bool {
				var params []ast.Expr
				switch n := n.(type) {
				case *ast.IndexExpr:
					params = []ast.Expr{n.Index}
				case *ast.IndexListExpr:
					params = n.Indices
				}
				for _, p := range params {
					if id, isIdent := p.(*ast.Ident); isIdent {
						local[id.Name] = true
					}
				}
				return true
			})
		}
		names(fn.Type.TypeParams)
	} else {
		for _, m := range e.readMembers() { // not the shared ones: qualify changes it
			if fn, isFunc := m.typ.(*ast.FuncType); isFunc && m.names[0].Name == name {
				typ = fn
			}
		}
	}
	if typ == nil {
		return f, false
	}
	qualify(typ, prefix, local)
	f.Signature = strings.TrimPrefix(source(typ), "func")
	for _, p := range typ.Params.List {
		text := source(p.Type)
		if len(p.Names) == 0 {
			f.Params = append(f.Params, text)
		}
		for _, id := range p.Names {
			f.Params = append(f.Params, id.Name+" "+text)
		}
	}
	return f, true
}

// Type is the type that a declaration gives to a name inside it: to a field, or to a constant or variable that has one
// written. It is "" for others. The names of types of its own package get the prefix.
func (e Entry) Type(name, prefix string) string {
	for _, m := range e.readMembers() { // not the shared ones: qualify changes it
		for _, id := range m.names {
			if id.Name == name && m.typ != nil {
				qualify(m.typ, prefix, nil)
				return source(m.typ)
			}
		}
	}
	return ""
}

// qualify puts a prefix before the names of types that a package declares.
func qualify(typ ast.Expr, prefix string, local map[string]bool) {
	skip := map[*ast.Ident]bool{}
	ast.Inspect(typ, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			return false
		case *ast.Field:
			for _, id := range n.Names {
				skip[id] = true
			}
		case *ast.Ident:
			if !skip[n] && !local[n.Name] && types.Universe.Lookup(n.Name) == nil {
				n.Name = prefix + n.Name
			}
		}
		return true
	})
}

func source(n ast.Node) string {
	var b bytes.Buffer
	if format.Node(&b, token.NewFileSet(), n) != nil {
		return ""
	}
	return b.String()
}

// member is what a declaration holds: fields, an interface's methods, the names of a group.
type member struct {
	names    []*ast.Ident
	typ      ast.Expr
	comment  string
	embedded string // the type that is: "Reader", "io.Reader"
}

func (e Entry) parse() *ast.File {
	file, _ := parser.ParseFile(token.NewFileSet(), "", "package p\n"+e.Decl, parser.ParseComments|parser.SkipObjectResolution)
	if file == nil || len(file.Decls) == 0 {
		return nil
	}
	return file
}

func (e Entry) members() []member {
	if e.syntax == nil {
		return e.readMembers()
	}
	e.syntax.once.Do(func() { e.syntax.members = e.readMembers() })
	return e.syntax.members
}

func (e Entry) readMembers() (out []member) {
	file := e.parse()
	if file == nil {
		return nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			m := member{n.Names, n.Type, strings.TrimSpace(n.Doc.Text() + n.Comment.Text()), ""}
			if len(n.Names) == 0 {
				m.names, m.embedded = embeddedName(n.Type)
			}
			if len(m.names) > 0 {
				out = append(out, m)
			}
		case *ast.ValueSpec:
			out = append(out, member{n.Names, n.Type, strings.TrimSpace(n.Doc.Text() + n.Comment.Text()), ""})
		case *ast.FuncType:
			return false // parameters are not members
		}
		return true
	})
	return out
}

func embeddedName(x ast.Expr) (name []*ast.Ident, typ string) {
	switch x := x.(type) {
	case *ast.Ident:
		return []*ast.Ident{x}, x.Name
	case *ast.StarExpr:
		return embeddedName(x.X)
	case *ast.SelectorExpr:
		return []*ast.Ident{x.Sel}, source(x)
	case *ast.IndexExpr:
		return embeddedName(x.X)
	}
	return nil, ""
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
	p.Path, p.Doc, p.entries = path, strings.TrimSpace(doc), map[string]*Entry{}
	for _, f := range ar.Files {
		doc, decl := cutComment(strings.TrimSpace(string(f.Data)))
		group := strings.HasPrefix(decl, "const (") || strings.HasPrefix(decl, "var (")
		e := &Entry{Decl: decl, Doc: doc, Group: group, Path: path, syntax: new(syntax)}
		for _, name := range strings.Fields(f.Name) {
			if _, twice := p.entries[name]; !twice {
				p.names = append(p.names, name)
			}
			p.entries[name] = e
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
