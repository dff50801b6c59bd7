package syntax

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/cellerror"
	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// takeSignatures takes the functions without bodies out of a cell that has no other functions and no statements:
// notebooks list in this way what a package has. The cell declares nothing by them, and its note says so. In any other
// cell a function without a body is a mistake, which neither go/types nor the engines report. Texts in which a cursor
// is are not treated so: the body may be about to be written.
func takeSignatures(src *Source, file *ast.File) (names []string, diags []cellerror.Diagnostic) {
	entry := file.Decls[len(file.Decls)-1].(*ast.FuncDecl)
	alone := !src.Whole && len(entry.Body.List) == 0
	var without []*ast.FuncDecl
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		switch {
		case !ok || fn == entry:
		case fn.Body == nil:
			without = append(without, fn)
			alone = alone && !engine.IsInit(fn)
		default:
			alone = false
		}
	}
	for _, fn := range without {
		name := cmp.Or(DeclaredAs(fn), fn.Name.Name)
		if alone {
			names = append(names, name)
			continue
		}
		at := func(pos token.Pos) int { return src.Offset(int(pos - file.FileStart)) }
		msg := "function " + name + " has no body: write one in braces after its signature"
		if strings.HasPrefix(strings.TrimSpace(src.Src[at(fn.End()):]), "{") {
			msg = "function " + name + " has no body: its { must be on the line where the signature ends"
		}
		diags = append(diags, src.Diagnostic(at(fn.Name.Pos()), msg))
	}
	if alone {
		file.Decls = slices.DeleteFunc(file.Decls, func(d ast.Decl) bool {
			fn, ok := d.(*ast.FuncDecl)
			return ok && slices.Contains(without, fn)
		})
	}
	return names, diags
}

// Note is what a cell says of itself when it has run, "" for nothing.
func (l *Tree) Note() string {
	switch len(l.Signatures) {
	case 0:
		return ""
	case 1:
		return l.Signatures[0] + " is a signature without a body: it declares nothing"
	}
	return strings.Join(l.Signatures, ", ") + " are signatures without bodies: they declare nothing"
}
