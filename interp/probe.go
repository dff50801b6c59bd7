package interp

import (
	"go/ast"
	"go/token"
	"go/types"
	"io/fs"
	"reflect"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/assist"
	"github.com/arrayrepl/arrayrepl/interp/docs"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// newAssistant makes what answers about the session's cells.
func (s *Session) newAssistant() *assist.Assistant {
	scope := assist.Scope{
		Names: s.names, Imports: s.imports, Auto: s.auto, Installed: s.installed, Modules: s.modules,
		Docs: []fs.FS{docs.Std()}, OwnName: s.ownName, Parse: s.parses, Analyse: s.analyse, Import: s.importPackage,
		Declared: func(fn *types.Func) *ast.FuncDecl {
			if u := s.units[fn.Pkg()]; u != nil {
				return u.Funcs[fn.Origin()]
			}
			return nil
		},
		Value: func(v *types.Var) reflect.Value {
			b := s.bound[v]
			if b == nil || !s.supervisor.Idle() {
				return reflect.Value{}
			}
			return b.Addr.Elem()
		},
	}
	if s.opts.Docs != nil {
		scope.Docs = append(scope.Docs, s.opts.Docs)
	}
	return assist.New(scope)
}

// ownName is what cells call a package that they need not import, "" for others.
func (s *Session) ownName(path string) string {
	for _, own := range s.opts.Packages {
		if own.Path == path {
			return own.Name
		}
	}
	return ""
}

// parses reports whether text is a cell without syntax errors.
func (s *Session) parses(text string) bool {
	pieces, bad := syntax.Split(text)
	if bad != nil {
		return false
	}
	_, _, diags := s.parseCell(token.NewFileSet(), 0, text, pieces)
	return len(diags) == 0
}

// analyse takes a text through the front end and the checker, type errors notwithstanding. Lines with syntax errors
// before cursor's become blank. The cell is not made part of the session.
func (s *Session) analyse(text string, cursor int) (found *assist.Text) {
	defer func() {
		if recover() != nil { // go/types on a broken cell
			found = nil
		}
	}()
	last := strings.Count(text[:cursor], "\n") + 1
	lines := syntax.LineStarts(text)
	for range 10 {
		l, diags := s.probeEnd(text)
		if l != nil {
			if file := s.fset.File(l.File.FileStart); file != nil {
				defer s.fset.RemoveFile(file)
			}
			s.lateMethods(l)
			s.addImports(l)
			c, _ := s.checkOperators(l)
			return c.text()
		}
		mended, done := []byte(text), 0
		for _, d := range diags {
			if d.Line == done || d.Line == last || d.Line < 1 || d.Line >= len(lines) {
				continue
			}
			syntax.Blank(mended, lines[d.Line-1], lines[d.Line])
			done = d.Line
		}
		if string(mended) == text {
			return nil
		}
		text = string(mended)
	}
	return nil
}

// probeEnd is frontEnd for text that need not be right: what lowering complains of is let pass.
func (s *Session) probeEnd(src string) (*lowered, []Diagnostic) {
	pieces, bad := syntax.Split(src)
	if bad != nil {
		sc := syntax.Bare(0, src)
		return nil, []Diagnostic{sc.Diagnostic(bad.Pos, bad.Msg)}
	}
	if len(pieces) == 0 {
		return nil, nil
	}
	text, file, diags := s.parseCell(s.fset, 0, src, pieces)
	if diags != nil {
		return nil, diags
	}
	s.resolveResults(text, file)
	tree, _ := syntax.Lowering(text, file, s.isVar)
	return &lowered{Tree: tree}, nil
}

// text is what an answer needs of a checked cell.
func (c *checked) text() *assist.Text {
	out := &assist.Text{
		Src: c.Src, File: c.File, Pkg: c.pkg, Info: c.info, Undo: c.undo,
		Offset: func(at token.Pos) int { return c.Src.Offset(c.TextOffset(at)) },
	}
	for _, m := range c.late {
		out.Methods = append(out.Methods, assist.Method{Obj: m.obj, Decl: m.decl})
	}
	return out
}
