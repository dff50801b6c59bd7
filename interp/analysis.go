package interp

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/cellerror"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// Analysis is a cell as the checker sees it, for tools that translate cells. Offsets are bytes in Source.
type Analysis struct {
	Source  string
	Pieces  []Piece
	Decls   []ast.Decl           // imports and declarations
	Stmts   []ast.Stmt           // the statements; a last list of expressions is a call of print
	Objects map[int]types.Object // what the name at an offset means, for all that are declared somewhere
	Init    map[types.Object]int // the order in which Go would initialise variables that were declared with var, from 1
	Own     *types.Package       // to which what the cell declares belongs
	Shown   *Shown               // the last expression, nil when its value is neither shown nor dropped
	Whole   bool                 // the cell has a package clause

	text *syntax.Source
	base token.Pos
}

// Piece is a run of the cell's text. Its comments come before what they are about.
type Piece struct {
	Import, Decl bool // neither for statements
	Start, End   int
}

// Shown is the expression that a cell ends with.
type Shown struct {
	Start, End int          // of the expression, or of a list of them
	Types      []types.Type // of its values
	List       bool
	Constant   string // of a constant too large for its type, the literal of its text, which is shown
	Hidden     bool   // a semicolon follows: the value is dropped
	Quiet      bool   // the last value is an error, and all are shown only when it is not nil
}

// Offset is the offset of a position in Decls or Stmts.
func (a *Analysis) Offset(p token.Pos) int { return a.text.Offset(int(p - a.base)) }

// Analyse checks a cell and takes its declarations as made, without running it. A session that analyses cells must not
// run any: its variables have no values. It returns nil for a cell without code.
func (s *Session) Analyse(number int, src string) (*Analysis, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	src = strings.TrimPrefix(src, byteOrderMark)
	if plain, err := s.plainGo(number, src); err == nil {
		src = plain
	}
	l, diags := s.frontEnd(number, src)
	if diags != nil {
		return nil, cellerror.Compile(diags)
	}
	if l == nil {
		return nil, nil
	}
	c, diags := s.check(l)
	if diags != nil {
		return nil, cellerror.Compile(diags)
	}
	s.adoptMethods(c)
	pieces, _ := syntax.Split(src)
	// The checked tree has been rewritten; positions are the same in one that has not.
	fset := token.NewFileSet()
	text, file, _ := s.parseCell(fset, number, src, pieces)
	a := &Analysis{
		Source: src, Objects: map[int]types.Object{}, Init: map[types.Object]int{}, Own: c.pkg, Whole: text.Whole,
		text: text, base: fset.File(file.Package).Pos(0),
	}
	for _, p := range pieces {
		if p.Kind != syntax.KindPackage {
			a.Pieces = append(a.Pieces, Piece{p.Kind == syntax.KindImport, p.Kind == syntax.KindDecl, p.Start, p.End})
		}
	}
	last := len(file.Decls) - 1
	a.Decls, a.Stmts = file.Decls[:last], file.Decls[last].(*ast.FuncDecl).Body.List
	same := s.analysedNames(c)
	for i, in := range c.info.InitOrder {
		for _, v := range in.Lhs {
			a.Init[canonical(same, v)] = i + 1
		}
	}
	for _, ids := range []map[*ast.Ident]types.Object{c.info.Defs, c.info.Uses} {
		for id, obj := range ids {
			name, _, _ := strings.Cut(id.Name, "·")
			isResult := strings.HasPrefix(id.Name, outputsName) || id.Name == inputsName
			if obj == nil || !id.Pos().IsValid() || name != id.Name && !isResult && !strings.HasSuffix(id.Name, "·before") {
				continue
			}
			off := c.Src.Offset(c.TextOffset(id.Pos()))
			if isResult || strings.HasPrefix(src[off:], name) || s.isShort(src[off:], name) || IsTester(obj) {
				a.Objects[off] = canonical(same, obj)
			}
		}
	}
	a.shown(s, c)
	return a, nil
}

// isShort reports whether a text begins with one of Options.Short for something of that name.
func (s *Session) isShort(text, name string) bool {
	for short, long := range s.opts.Short {
		if strings.HasPrefix(text, short) && strings.HasSuffix(long, "."+name) {
			return true
		}
	}
	return false
}

func canonical(same map[types.Object]types.Object, obj types.Object) types.Object {
	if old := same[obj]; old != nil {
		return old
	}
	return obj
}

// analysedNames makes known what a cell declares. It returns the variables that an earlier cell has declared too, with
// the same type: they are the earlier ones.
func (s *Session) analysedNames(c *checked) map[types.Object]types.Object {
	same := map[types.Object]types.Object{}
	for alias, obj := range c.aliases {
		same[alias] = obj
	}
	for name := range c.Names {
		obj := c.pkg.Scope().Lookup(name)
		if obj == nil {
			continue
		}
		old, isVar := s.names[name].(*types.Var)
		if v, ok := obj.(*types.Var); ok && isVar && types.Identical(old.Type(), v.Type()) {
			same[v] = old
			continue
		}
		s.names[name] = obj
		delete(s.imports, name)
	}
	s.keepImports(&prepared{checked: c})
	return same
}

// shown fills in what the cell ends with, and makes it an earlier result for later cells.
func (a *Analysis) shown(s *Session, c *checked) {
	if len(a.Stmts) == 0 || a.Whole {
		return
	}
	st, ok := a.Stmts[len(a.Stmts)-1].(*ast.ExprStmt)
	if !ok || c.Last == nil && c.Src.List == 0 {
		return
	}
	show := &Shown{Start: a.Offset(st.X.Pos()), End: a.Offset(st.X.End()), Hidden: syntax.EndsInSemicolon(a.Source)}
	if call, ok := st.X.(*ast.CallExpr); ok && c.Src.List > 0 {
		show.List = true
		show.Start, show.End = a.Offset(call.Args[0].Pos()), a.Offset(call.Args[len(call.Args)-1].End())
		shown := c.Items[len(c.Items)-1].Stmt.(*ast.ExprStmt).X.(*ast.CallExpr)
		for _, x := range shown.Args {
			show.Types = append(show.Types, types.Default(c.info.TypeOf(x)))
		}
	} else if tuple, ok := c.info.TypeOf(c.Value).(*types.Tuple); ok {
		for v := range tuple.Variables() {
			show.Types = append(show.Types, v.Type())
		}
	} else {
		show.Types = []types.Type{types.Default(c.info.TypeOf(c.Value))}
	}
	if lit, ok := c.Value.(*ast.BasicLit); ok && lit.Kind == token.STRING && !strings.ContainsRune("\"`", rune(a.Source[show.Start])) {
		show.Constant = lit.Value
	}
	show.Quiet = !show.List && c.quiet()
	a.Shown = show
	if typ := (&prepared{checked: c}).shownType(); typ != nil && !show.Hidden {
		s.analysedResult(c.Src.Cell, typ)
	}
}

// analysedResult makes a variable of the result of a cell that was not run.
func (s *Session) analysedResult(n int, typ types.Type) {
	r := &s.results
	if r.out == nil {
		r.out = map[int]*result{}
	}
	if types.IsInterface(typ) && !types.Identical(typ, types.Universe.Lookup("error").Type()) {
		typ = types.Universe.Lookup("any").Type()
	}
	s.dropResult(n)
	name := resultName(n)
	home := types.NewPackage("vars·"+name, "results")
	v := types.NewVar(token.NoPos, home, name, typ)
	home.Scope().Insert(v)
	s.names[name] = v
	r.out[n] = &result{name: name}
	r.order = append(r.order, n)
}
