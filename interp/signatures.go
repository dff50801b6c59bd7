package interp

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// takeSignatures takes the functions without bodies out of a cell that has none but such, beside types, constants and imports:
// notebooks list so what a package has. They declare nothing, which the note says. In other cells such a function is a mistake.
func (l *lowered) takeSignatures() (diags []Diagnostic) {
	var without []*ast.FuncDecl
	alone := !l.src.whole && len(l.entry.Body.List) == 0
	for _, d := range l.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		switch {
		case !ok || fn == l.entry:
		case fn.Body == nil:
			without = append(without, fn)
			alone = alone && (fn.Recv != nil || fn.Name.Name != "init")
		default:
			alone = false
		}
	}
	if len(without) == 0 {
		return nil
	}
	for _, fn := range without {
		name := fn.Name.Name
		if fn.Recv != nil && len(fn.Recv.List) == 1 {
			if base := receiverBase(fn.Recv.List[0].Type); base != nil {
				name = base.Name + "." + name
			}
		}
		if alone {
			l.signatures = append(l.signatures, name)
			continue
		}
		msg := fmt.Sprintf("function %s has no body: write one in braces behind its signature", name)
		if after := l.src.src[l.src.offset(l.textOffset(fn.End())):]; strings.HasPrefix(strings.TrimSpace(after), "{") {
			msg = fmt.Sprintf("function %s has no body: its { must be on the line where the signature ends", name)
		}
		diags = append(diags, l.src.diagnostic(l.src.offset(l.textOffset(fn.Name.Pos())), msg))
	}
	if alone {
		l.file.Decls = slices.DeleteFunc(l.file.Decls, func(d ast.Decl) bool {
			fn, ok := d.(*ast.FuncDecl)
			return ok && slices.Contains(without, fn)
		})
	}
	return diags
}

// note is what a cell says of itself when it has run, "" for nothing.
func (l *lowered) note() string {
	switch len(l.signatures) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("%s is a signature without a body: nothing is declared by it", l.signatures[0])
	}
	return strings.Join(l.signatures, ", ") + " are signatures without bodies: nothing is declared by them"
}
