package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

const (
	cellFailed    = "; cell %d, which declares it, failed: correct that cell and run it first"
	signatureOnly = "; cell %d has only its signature: write its body, in braces, and run that cell again"
)

// lacks remembers why cell has not declared name, which it was to declare. why is a format for the cell.
func (s *Session) lacks(cell int, name, why string) {
	if s.names[name] == nil {
		s.lacking[name] = fmt.Sprintf(why, cell)
	}
}

// failed remembers that a cell has failed, for the names that it was to declare.
func (s *Session) failed(l *lowered) {
	for name := range l.Names {
		s.lacks(l.Src.Cell, name, cellFailed)
	}
}

// NotRun tells the session that Go of a cell was not run, for a reason that the session does not know: later cells
// learn that this cell was to declare the names in it.
func (s *Session) NotRun(cell int, src string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failedText(cell, src)
}

// failedText is failed for a text that need not parse.
func (s *Session) failedText(cell int, src string) {
	for _, name := range syntax.TextDeclares(src) {
		s.lacks(cell, name, cellFailed)
	}
}

// undeclared explains an undefined name: by what became of the cell that was to declare it, or else, where a function
// is called or a function's body uses the name, by the order that cells must have. It returns "" or what to add to the
// message.
func (s *Session) undeclared(c *checked, e types.Error) string {
	name, ok := strings.CutPrefix(e.Msg, "undefined: ")
	if !ok || s.program { // a program has no other cells
		return ""
	}
	why := s.lacking[name]
	if why == "" && name != "init" && c.mayComeLater(name, e.Pos) {
		why = "; no cell has declared it yet: run the cell that declares it before this one, or put both into one cell"
	}
	return why
}

// mayComeLater reports whether the name at pos is likely to be one that another cell declares: it is called, or used in
// the body of a function, and is not written as a package is.
func (c *checked) mayComeLater(name string, pos token.Pos) (yes bool) {
	is := func(x ast.Expr) bool {
		id, ok := x.(*ast.Ident)
		return ok && id.Name == name && id.Pos() == pos
	}
	for _, d := range c.File.Decls {
		fn, ok := d.(*ast.FuncDecl)
		inside := ok && fn != c.Entry
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				return !is(n.X) || !n.Sel.IsExported()
			case *ast.CallExpr:
				fn := syntax.ReceiverBase(n.Fun) // of g[int](1) too
				yes = yes || fn != nil && is(fn)
			case *ast.Ident:
				yes = yes || inside && is(n)
			}
			return true
		})
	}
	return yes
}
