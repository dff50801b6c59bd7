package assist

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// written is what a cell wrote of a name: kept for those who ask about it later.
type written struct {
	cell int
	doc  string
	head string // as decl returns it; "" for functions with a text, most of which nobody asks about
	src  string // the text of a function, type or constant
}

// decl is the declaration as documentation shows it: a function without its body.
func (w written) decl() string {
	if w.head != "" {
		return w.head
	}
	file, _ := parser.ParseFile(token.NewFileSet(), "", "package p\n"+w.src, parser.ParseComments|parser.SkipObjectResolution)
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			return showHead(fn)
		}
	}
	return ""
}

// showHead writes a function without its body and its comment.
func showHead(fn *ast.FuncDecl) string {
	head := *fn
	head.Body, head.Doc = nil, nil
	return show(&head)
}

// Remember keeps the text of the functions, types and constants that a cell declares, methods as Type.Method.
func (a *Assistant) Remember(src *syntax.Source, file *ast.File) {
	writtenIn(a.written, src, file, file.Decls)
}

// wrote finds what was written of a name, or of a method as Type.Method: in the text that is being asked about, else in
// the latest cell that declared it.
func (a *Assistant) wrote(name string) (written, bool) {
	if c := a.text; c != nil {
		if c.wrote == nil {
			c.wrote = map[string]written{}
			decls := slices.Clone(c.File.Decls)
			for _, m := range c.Methods {
				decls = append(decls, m.Decl)
			}
			writtenIn(c.wrote, c.Src, c.File, decls)
		}
		if w, ok := c.wrote[name]; ok {
			return w, true
		}
	}
	w, ok := a.written[name]
	return w, ok
}

// Wrote is how a cell declares a name, a function without its body; "" for names that no cell has declared.
func (a *Assistant) Wrote(name string) string {
	w, ok := a.wrote(name)
	if !ok {
		return ""
	}
	return w.decl()
}

// wroteObject finds what a cell wrote of obj: of a method, or of a function, type or constant that is not a local one.
func (a *Assistant) wroteObject(obj types.Object) (written, bool) {
	if obj.Pkg() == nil || !engine.IsCell(obj.Pkg()) {
		return written{}, false
	}
	if r := receiver(obj); r != nil {
		return a.wrote(r.Obj().Name() + "." + obj.Name())
	}
	if _, isVar := obj.(*types.Var); isVar || obj.Parent() != obj.Pkg().Scope() {
		return written{}, false
	}
	return a.wrote(obj.Name())
}

// writtenIn adds what declarations of a file say to m.
func writtenIn(m map[string]written, src *syntax.Source, file *ast.File, decls []ast.Decl) {
	text := func(n ast.Node, doc *ast.CommentGroup) string {
		from := n.Pos()
		if doc != nil {
			from = doc.Pos()
		}
		a, b := src.Offset(int(from-file.FileStart)), src.Offset(int(n.End()-file.FileStart))
		if a >= b || b > len(src.Src) {
			return ""
		}
		return strings.Clone(src.Src[a:b])
	}
	for _, d := range decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := syntax.DeclaredAs(d)
			if name == "" || name == engine.EntryName {
				continue
			}
			w := written{src.Cell, strings.TrimSpace(d.Doc.Text()), "", text(d, d.Doc)}
			if w.src == "" {
				w.head = showHead(d)
			}
			m[name] = w
		case *ast.GenDecl:
			if d.Tok != token.TYPE && d.Tok != token.CONST {
				continue
			}
			for _, spec := range d.Specs {
				doc, names := d.Doc, []*ast.Ident(nil)
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = []*ast.Ident{spec.Name}
					if spec.Doc != nil {
						doc = spec.Doc
					}
				case *ast.ValueSpec:
					names = spec.Names
					if spec.Doc != nil {
						doc = spec.Doc
					} else if spec.Comment != nil {
						doc = spec.Comment
					}
				}
				w := written{src.Cell, strings.TrimSpace(doc.Text()), d.Tok.String() + " " + text(spec, nil), text(d, d.Doc)}
				for _, id := range names {
					m[id.Name] = w
				}
			}
		}
	}
}

// show writes syntax as source.
func show(n any) string {
	var b bytes.Buffer
	if format.Node(&b, token.NewFileSet(), n) != nil {
		return ""
	}
	return b.String()
}
