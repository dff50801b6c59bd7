package interp

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/format"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/interp/cellerror"
	"github.com/arrayrepl/arrayrepl/interp/modules"
	"github.com/arrayrepl/arrayrepl/interp/operators"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// arrayOperators is the syntax of arrays in a session.
type arrayOperators struct {
	*operators.Operators
	pkg *types.Package // declares what stands in a tree before it is rewritten
	off bool
}

func newArrayOperators(paths []string) *arrayOperators {
	o := &arrayOperators{Operators: operators.New(paths...), pkg: types.NewPackage("operators·", "operators")}
	o.Declare(o.pkg)
	return o
}

func (o *arrayOperators) fillScope(scope *types.Scope) {
	if o == nil || o.off {
		return
	}
	insertAll(scope, o.pkg.Scope())
}

// SetOperators turns operators and slices of arrays off, or on again, for later cells. It returns whether they were on.
func (s *Session) SetOperators(on bool) (before bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.operators == nil {
		return false
	}
	before = !s.operators.off
	s.operators.off = !on
	return before
}

// parseCell makes the syntax tree of a cell, with operators on arrays.
func (s *Session) parseCell(fset *token.FileSet, cell int, src string, pieces []syntax.Piece) (*syntax.Source, *ast.File, []Diagnostic) {
	return syntax.Parse(fset, s.parser(), cell, src, pieces)
}

func (s *Session) parser() syntax.ParseFunc {
	if s.operators == nil || s.operators.off {
		return func(fset *token.FileSet, name, text string, mode parser.Mode) (*ast.File, error) {
			return parser.ParseFile(fset, name, text, mode)
		}
	}
	return s.operators.Parse
}

// maxRewrites bounds the turns that one cell takes: each makes known the types that the next one needs.
const maxRewrites = 50

// checkOperators checks a cell, replacing operators on arrays by calls. It is one check for a cell without any.
func (s *Session) checkOperators(l *lowered) (*checked, []types.Error) {
	var c *checked
	defer func() {
		if v := recover(); v != nil {
			if c != nil {
				c.undo()
			}
			panic(v)
		}
	}()
	for turn := 0; ; turn++ {
		s.poll()
		var errs []types.Error
		c, errs = s.checkOnce(l)
		if s.operators == nil || s.operators.off {
			return c, errs
		}
		res := s.operators.Rewrite(l.File, c.info, s.fset)
		l.rewritten(res)
		switch last := !res.Changed || turn == maxRewrites; {
		case len(res.Refused) > 0:
			return c, res.Refused
		case last && len(res.Errors) > 0:
			return c, res.Errors
		case last:
			if !slices.ContainsFunc(errs, func(err types.Error) bool { return !err.Soft }) { // soft: a name is not used
				if err := s.floorComment(c); err != nil {
					errs = []types.Error{*err}
				}
			}
			if len(errs) == 0 {
				errs = append(errs, s.neverArrays(c)...)
			}
			return c, errs
		}
		c.undo()
		c = nil
	}
}

// rewritten takes over what was done to the tree.
func (l *lowered) rewritten(res operators.Result) {
	if !res.Changed {
		return
	}
	l.edits = append(l.edits, res.Edits...)
	for i, it := range l.Items {
		for st := res.Stmts[it.Stmt]; st != nil; st = res.Stmts[st] {
			l.Items[i].Stmt = st
		}
	}
	if l.Last != nil {
		if c, ok := l.Last.X.(*ast.CallExpr); ok && len(c.Args) == 1 {
			l.Value = c.Args[0]
		}
	}
	for path := range res.Imports {
		name := operators.Qualifier(path)
		if !slices.ContainsFunc(l.File.Imports, func(spec *ast.ImportSpec) bool { return spec.Name != nil && spec.Name.Name == name }) {
			l.addImport(name, path)
		}
	}
}

// asWritten puts the user's expressions into a message that has what became of them.
func (l *lowered) asWritten(msg string) string {
	for _, e := range slices.Backward(l.edits) { // outer ones come after inner ones
		x, ok := e.Node.(ast.Expr)
		if !ok || longerThan(x, len(msg)) {
			continue // the message does not have it whole
		}
		// a name alone could be a part of other words
		if _, call := x.(*ast.CallExpr); call || strings.Contains(msg, "·") {
			from, to := l.Src.Offset(l.TextOffset(e.Pos)), l.Src.Offset(l.TextOffset(e.End))
			msg = strings.ReplaceAll(msg, types.ExprString(x), l.Src.Src[from:to])
		}
	}
	return msg
}

// longerThan reports whether the text of x, as types.ExprString writes it, has more than n bytes: each node has one at
// least. It looks at n nodes and no more.
func longerThan(x ast.Expr, n int) bool {
	ast.Inspect(x, func(node ast.Node) bool {
		if node == nil || n < 0 {
			return false
		}
		n--
		switch node.(type) {
		case *ast.FuncLit, *ast.CompositeLit: // they are written as (func() literal) and T{…}
			return false
		}
		return true
	})
	return n < 0
}

// addImport imports a package into the cell's file under a name of its own.
func (l *lowered) addImport(name, path string) {
	pos := l.File.Name.End()
	spec := &ast.ImportSpec{Name: syntax.IdentAt(name, pos), Path: &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(path)}}
	l.File.Imports = append(l.File.Imports, spec)
	l.File.Decls = append([]ast.Decl{&ast.GenDecl{Tok: token.IMPORT, TokPos: pos, Specs: []ast.Spec{spec}}}, l.File.Decls...)
}

// PlainGo returns a cell's text with the operators and slices of arrays written as the calls that they stand for; all
// else is as it was. The cell is checked, not run; the error is that of a cell that does not compile, with cell as its
// number.
func (s *Session) PlainGo(cell int, src string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.plainGo(cell, src)
}

func (s *Session) plainGo(cell int, src string) (string, error) {
	l, diags := s.frontEnd(cell, src)
	if diags != nil {
		return "", cellerror.Compile(diags)
	}
	if l == nil {
		return src, nil
	}
	defer s.fset.RemoveFile(s.fset.File(l.File.FileStart))
	c, diags := s.check(l)
	c.undo()
	if diags != nil {
		return "", cellerror.Compile(diags)
	}
	return s.plainText(l), nil
}

// plainText writes the cell with its edits, the outermost of those that lie in one another.
func (s *Session) plainText(l *lowered) string {
	edits := slices.Clone(l.edits)
	slices.SortStableFunc(edits, func(a, b operators.Edit) int { return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(b.End, a.End)) })
	var b strings.Builder
	at, words := 0, wordsOf(l.Src.Src)
	for i, e := range edits {
		from, to := l.Src.Offset(l.TextOffset(e.Pos)), l.Src.Offset(l.TextOffset(e.End))
		// of equal ones the last
		if from < at || i+1 < len(edits) && edits[i+1].Pos == e.Pos && edits[i+1].End == e.End {
			continue
		}
		b.WriteString(l.Src.Src[at:from])
		b.WriteString(s.nodeText(e.Node, words))
		at = to
	}
	b.WriteString(l.Src.Src[at:])
	return b.String()
}

var word = lazyregexp.New(`[\p{L}_][\p{L}\p{N}_]*`)

// wordsOf are the names in a text, and whatever else looks like one.
func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for _, w := range word.FindAllString(text, -1) {
		words[w] = true
	}
	return words
}

// nodeText prints new code, with packages under the names that cells know them by, and variables of its own under names
// that are not among the cell's words.
func (s *Session) nodeText(n ast.Node, words map[string]bool) string {
	n = astutil.Apply(n, nil, func(c *astutil.Cursor) bool {
		switch n := c.Node().(type) {
		case *ast.ParenExpr:
			switch n.X.(type) {
			case *ast.CallExpr, *ast.Ident, *ast.SelectorExpr: // they were for an operator that is gone
				if _, isType := c.Parent().(*ast.CallExpr); !isType || c.Name() != "Fun" {
					c.Replace(n.X)
				}
			}
		case *ast.Ident:
			if own, is := strings.CutSuffix(n.Name, "·"); is {
				c.Replace(syntax.IdentAt(s.plainName(n.Name, own, words), n.NamePos))
			}
		}
		return true
	})
	var b bytes.Buffer
	fset := token.NewFileSet() // its positions would spread the new code over the lines of the old
	if err := (&printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8}).Fprint(&b, fset, n); err != nil {
		return ""
	}
	text := b.String()
	if out, err := format.Source([]byte(text)); err == nil {
		text = string(out)
	}
	return text
}

// plainName is the name in plain Go of a package of arrays, or of a variable, that rewriting has named.
func (s *Session) plainName(name, own string, words map[string]bool) string {
	for _, path := range s.opts.Arrays {
		if operators.Qualifier(path) != name {
			continue
		}
		for auto, p := range s.auto {
			if p == path {
				return auto
			}
		}
		return modules.BaseName(path)
	}
	for words[own] {
		own += "_"
	}
	return own
}
