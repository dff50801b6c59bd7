package operators

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// selection is x[index] on an array.
type selection struct {
	a     *array
	size  int // see rewriter.sizes, of x
	x     ast.Expr
	index []ast.Expr // as At and Set take it
}

// selection reads an index expression, whatever its form; ok is false when what is indexed is not an array.
func (r *rewriter) selection(e ast.Expr) (s selection, ok bool) {
	var parts []ast.Expr
	switch e := e.(type) {
	case *ast.IndexExpr:
		s.x, parts = e.X, []ast.Expr{e.Index}
	case *ast.IndexListExpr:
		s.x, parts = e.X, e.Indices
	case *ast.SliceExpr:
		bounds := []ast.Expr{e.Low, e.High}
		if e.Slice3 {
			bounds = append(bounds, e.Max)
		}
		s.x = e.X
		if s.a = r.arrayAt(s.x); s.a == nil {
			return s, false
		}
		s.size = r.sizes[unparen(s.x)]
		s.x, s.index = r.operand(s.x, s.a), []ast.Expr{r.slice(s.a, bounds, e.Lbrack+1)}
		return s, true
	case *ast.CallExpr:
		if id, isName := e.Fun.(*ast.Ident); !isName || id.Name != indexName {
			return s, false
		}
		s.x, parts = e.Args[0], e.Args[1:]
	default:
		return s, false
	}
	if s.a = r.arrayAt(s.x); s.a == nil {
		return s, false
	}
	s.size = r.sizes[unparen(s.x)]
	s.x = r.operand(s.x, s.a)
	for _, p := range parts {
		s.index = append(s.index, r.part(s.a, p))
	}
	return s, true
}

// part makes one index of what stands for it in the tree.
func (r *rewriter) part(a *array, p ast.Expr) ast.Expr {
	switch p := p.(type) {
	case *ast.Ident:
		if p.Name == dotsName {
			return r.member(a.path, "Dots", p.Pos())
		}
	case *ast.CallExpr:
		if id, ok := p.Fun.(*ast.Ident); ok && id.Name == sliceName {
			bounds := make([]ast.Expr, len(p.Args))
			for i, b := range p.Args {
				if id, none := b.(*ast.Ident); !none || id.Name != noneName {
					bounds[i] = b
				}
			}
			return r.slice(a, bounds, p.Pos())
		}
	}
	if isNil(r.info, p) {
		r.refuse(p.Pos(), "nil is not an index; a new axis is NewAxis, as in x[:, np.NewAxis]")
	}
	return p
}

// slice makes the index of lo:hi or lo:hi:step, nil being left out.
func (r *rewriter) slice(a *array, bounds []ast.Expr, pos token.Pos) ast.Expr {
	if len(bounds) > 3 {
		r.fail(bounds[3].Pos(), "a slice is start:stop or start:stop:step")
		bounds = bounds[:3]
	}
	for i, b := range bounds {
		if b != nil {
			bounds[i] = r.integer(b)
		}
	}
	bounds = append(bounds, nil)[:max(len(bounds), 3)]
	lo, hi, step := bounds[0], bounds[1], bounds[2]
	function := func(name string, args ...ast.Expr) ast.Expr {
		return &ast.CallExpr{Fun: r.member(a.path, name, pos), Lparen: pos, Args: args, Rparen: args[len(args)-1].End()}
	}
	open := func(b ast.Expr) ast.Expr {
		if b == nil {
			return r.member(a.path, "End", pos)
		}
		return b
	}
	switch {
	case step != nil:
		return function("S", open(lo), open(hi), step)
	case lo == nil && hi == nil:
		return r.member(a.path, "All", pos)
	case lo == nil:
		return function("To", hi)
	case hi == nil:
		return function("From", lo)
	}
	return function("S", lo, hi)
}

// integer is a bound as an int.
func (r *rewriter) integer(b ast.Expr) ast.Expr {
	if a := r.arrayAt(b); a != nil {
		return r.method(r.operand(b, a), "Int", b.Pos(), b.End())
	}
	t := r.typeOf(b)
	if t == nil {
		return b
	}
	basic, ok := t.Underlying().(*types.Basic)
	if !ok || basic.Kind() == types.Invalid {
		return b
	}
	untyped := basic.Info()&types.IsUntyped != 0
	if v := r.info.Types[b].Value; untyped && v != nil && constant.ToInt(v).Kind() == constant.Int {
		return b
	}
	switch {
	case basic.Info()&types.IsInteger == 0:
		r.refuse(b.Pos(), "a bound of a slice is an int, not %s", Describe(t))
	case !untyped && t != types.Typ[types.Int]:
		return &ast.CallExpr{Fun: ident("int", b.Pos()), Lparen: b.Pos(), Args: []ast.Expr{b}, Rparen: b.End()}
	}
	return b
}

// bounds makes the bounds of a slice ints whose types became known only when it had been made.
func (r *rewriter) bounds(n *ast.CallExpr) {
	sel, ok := n.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "S" && sel.Sel.Name != "From" && sel.Sel.Name != "To" {
		return
	}
	if id, ok := sel.X.(*ast.Ident); !ok || !strings.HasSuffix(id.Name, Qualifier("")) {
		return
	}
	for i, b := range n.Args {
		if bound := r.integer(b); bound != b {
			r.Changed, n.Args[i] = true, bound
		}
	}
}

// read is the elements that s selects.
func (r *rewriter) read(e ast.Expr, s selection) ast.Expr {
	n := r.methodOf(s.a, s.size, s.x, "At", s.x.End(), e.End(), s.index...)
	r.sizes[n] = 1 + s.size
	return n
}

// assign replaces assignments to parts of arrays, and x += y.
func (r *rewriter) assign(c *astutil.Cursor, n *ast.AssignStmt) {
	switch {
	case n.Tok == token.DEFINE:
		if len(n.Lhs) == len(n.Rhs) {
			for i, lhs := range n.Lhs {
				r.define(lhs, r.typeOf(n.Rhs[i]))
			}
		}
	case n.Tok != token.ASSIGN:
		r.compound(c, n, n.Lhs[0], n.Tok, n.TokPos, n.Rhs[0])
	case len(n.Lhs) == 1 && len(n.Rhs) == 1:
		if s, ok := r.selection(unparen(n.Lhs[0])); ok && r.fits(n.Rhs[0]) {
			r.replaceStmt(c, r.set(s, n.Rhs[0], n.TokPos, n.End()))
		} else if !ok {
			r.noArray(n.Lhs[0])
		}
	default:
		r.tuple(c, n)
	}
}

// noArray reports an index expression that only arrays have, on something else.
func (r *rewriter) noArray(lhs ast.Expr) {
	if x, ok := unparen(lhs).(*ast.CallExpr); ok {
		if id, isName := x.Fun.(*ast.Ident); isName && id.Name == indexName {
			t := r.typeOf(x.Args[0])
			if t == nil {
				return
			}
			if isGeneric(t) {
				for _, arg := range x.Args[1:] {
					if !isType(arg) {
						r.fail(arg.Pos(), "this is not a type, and %s takes type arguments", types.ExprString(x.Args[0]))
						return
					}
				}
			}
			r.fail(x.Lparen, "an index like this is for arrays; %s has none", Describe(t))
		}
	}
}

// isGeneric reports whether t is a generic type, or the type of a generic function, that has no type arguments yet.
func isGeneric(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return t.TypeParams().Len() > 0 && t.TypeArgs().Len() == 0
	case *types.Signature:
		return t.TypeParams().Len() > 0
	}
	return false
}

// fits refuses what cannot be assigned to elements.
func (r *rewriter) fits(v ast.Expr) bool {
	t := r.typeOf(v)
	if t == nil || r.arrayOf(t) != nil || number(t) && !isNil(r.info, v) || text(t) {
		return true
	}
	r.fail(v.Pos(), "elements of an array can be assigned an array, a number, a string or a slice of them, not %s", Describe(t))
	return false
}

// set is the statement x.Set(value, index…).
func (r *rewriter) set(s selection, value ast.Expr, at, end token.Pos) ast.Stmt {
	r.lost(s.x)
	return r.put("Set", s, value, at, end)
}

// put is the statement x.Set(value, index…), or one of another method.
func (r *rewriter) put(method string, s selection, value ast.Expr, at, end token.Pos) ast.Stmt {
	args := append([]ast.Expr{r.operand(value, r.arrayAt(value))}, s.index...)
	return &ast.ExprStmt{X: r.method(s.x, method, at, end, args...)}
}

// lost refuses what is assigned to elements of z.Real() or np.Imag(z), or of a part of it: NumPy's are views of z, ours
// are copies.
func (r *rewriter) lost(x ast.Expr) {
	for {
		call, ok := unparen(x).(*ast.CallExpr)
		if !ok {
			return
		}
		f, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return
		}
		switch f.Sel.Name {
		case "At":
			x = f.X
			continue
		case "Real", "Imag":
			r.refuse(f.Sel.Pos(), "%s gives a copy, in which what is assigned would be lost; assign the complex numbers, as in z[:] = re + 1i*im", f.Sel.Name)
		}
		return
	}
}

// tuple replaces a, x[0] = v, w: the values go to variables first, as in Go. It waits for a turn in which it is known
// of all that is indexed on the left whether it is an array.
func (r *rewriter) tuple(c *astutil.Cursor, n *ast.AssignStmt) {
	for _, lhs := range n.Lhs {
		if x := indexed(unparen(lhs)); x != nil && r.typeOf(x) == nil {
			return
		}
	}
	block := &ast.BlockStmt{Lbrace: n.Pos(), Rbrace: n.End() - 1}
	plain := &ast.AssignStmt{TokPos: n.TokPos, Tok: token.ASSIGN, Rhs: n.Rhs}
	none := &ast.FieldList{Opening: n.Pos(), Closing: n.Pos()}
	spec := &ast.ValueSpec{Type: &ast.InterfaceType{Interface: n.Pos(), Methods: none}} // any may be a variable
	var selections []selection
	variables := false // are assigned to, which may stand in an index too
	for _, lhs := range n.Lhs {
		s, ok := r.selection(unparen(lhs))
		if !ok {
			id, isName := lhs.(*ast.Ident)
			variables = variables || !isName || id.Name != "_"
			plain.Lhs = append(plain.Lhs, lhs)
			continue
		}
		v := r.temp(n.Pos())
		spec.Names = append(spec.Names, v)
		plain.Lhs = append(plain.Lhs, ident(v.Name, n.Pos()))
		selections = append(selections, s)
	}
	if len(selections) == 0 {
		return
	}
	keep := func(e ast.Expr) ast.Expr { // what is on the left is evaluated before anything is assigned
		if pure(e) && (!variables || r.fixed(e)) {
			return e
		}
		v := r.temp(e.Pos())
		block.List = append(block.List, define(v, e))
		return ident(v.Name, e.Pos())
	}
	var sets []ast.Stmt
	for i, s := range selections {
		s.x = keep(s.x)
		for j, e := range s.index {
			s.index[j] = keep(e)
		}
		sets = append(sets, r.set(s, ident(spec.Names[i].Name, n.Pos()), n.TokPos, n.End()))
	}
	decl := &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: n.Pos(), Tok: token.VAR, Specs: []ast.Spec{spec}}}
	block.List = append(append(block.List, decl, plain), sets...)
	r.replaceStmt(c, block)
}

// define is v := e.
func define(v *ast.Ident, e ast.Expr) ast.Stmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{v}, TokPos: e.Pos(), Tok: token.DEFINE, Rhs: []ast.Expr{e}}
}

// fixed reports whether e is the same whatever variables are: there are constants in it, and names of packages.
func (r *rewriter) fixed(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, isName := n.X.(*ast.Ident); isName && strings.HasSuffix(id.Name, Qualifier("")) {
				return false
			}
		case *ast.Ident:
			_, constant := r.info.Uses[n].(*types.Const)
			ok = ok && constant
		}
		return true
	})
	return ok
}

// indexed is x of x[i], in whatever form; nil for other expressions.
func indexed(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.IndexExpr:
		return e.X
	case *ast.IndexListExpr:
		return e.X
	case *ast.SliceExpr:
		return e.X
	case *ast.CallExpr:
		if id, ok := e.Fun.(*ast.Ident); ok && id.Name == indexName {
			return e.Args[0]
		}
	}
	return nil
}

func (r *rewriter) temp(pos token.Pos) *ast.Ident {
	r.temps++
	return ident(fmt.Sprintf("v%d·", r.temps), pos)
}

// compound replaces x op= y and x[i] op= y.
func (r *rewriter) compound(c *astutil.Cursor, n ast.Stmt, lhs ast.Expr, tok token.Token, at token.Pos, y ast.Expr) {
	op := assigning[tok]
	lhs = unparen(lhs)
	if s, ok := r.selection(lhs); ok {
		r.lost(s.x)
		var before []ast.Stmt
		once := func(e ast.Expr) ast.Expr { // what has effects is evaluated once
			if pure(e) {
				return e
			}
			v := r.temp(e.Pos())
			before = append(before, define(v, e))
			return ident(v.Name, e.Pos())
		}
		s.x = once(s.x)
		for i, e := range s.index {
			s.index[i] = once(e)
		}
		old := r.method(s.x, "At", at, lhs.End(), s.index...)
		r.types[old] = s.a.typ
		v, _, ok := r.operation(old, y, op, at, lhs.Pos(), n.End())
		if !ok {
			return
		}
		st := r.put("Update", s, v, at, n.End())
		if len(before) > 0 {
			st = &ast.BlockStmt{Lbrace: n.Pos(), List: append(before, st), Rbrace: n.End() - 1}
		}
		r.replaceStmt(c, st)
		return
	}
	r.noArray(lhs)
	if a := r.arrayAt(lhs); a != nil && a.emb { // the field of a struct that embeds one
		lhs = r.operand(lhs, a)
		r.types[lhs] = a.typ
	}
	if r.arrayAt(lhs) == nil && r.parameter(r.typeOf(lhs)) == "" {
		if r.arrayAt(y) != nil {
			t, or := r.typeOf(lhs), ""
			if t != nil && number(t) && !isInterface(t) && types.Comparable(t) {
				unqualified := func(*types.Package) string { return "" }
				or = fmt.Sprintf(", or convert an array of one element, as in %s(x[0])", types.TypeString(t, unqualified))
			}
			r.fail(at, "%s would put an array into %s; give the result a variable of its own%s", tok, Describe(t), or)
		}
		return
	}
	if m, ok := lhs.(*ast.IndexExpr); ok && !pure(lhs) && isMap(r.typeOf(m.X)) { // what is in a map has no address
		of := r.temp(n.Pos())
		before := []ast.Stmt{define(of, m.X)}
		place := &ast.IndexExpr{X: ident(of.Name, m.X.Pos()), Lbrack: m.Lbrack, Index: m.Index, Rbrack: m.Rbrack}
		if !pure(m.Index) { // others may be constants without a type
			key := r.temp(n.Pos())
			before = append(before, define(key, m.Index))
			place.Index = ident(key.Name, m.Index.Pos())
		}
		r.types[place] = r.typeOf(lhs)
		if v, _, ok := r.operation(place, y, op, at, lhs.Pos(), n.End()); ok {
			put := &ast.AssignStmt{Lhs: []ast.Expr{place}, TokPos: at, Tok: token.ASSIGN, Rhs: []ast.Expr{v}}
			r.replaceStmt(c, &ast.BlockStmt{Lbrace: n.Pos(), List: append(before, put), Rbrace: n.End() - 1})
		}
		return
	}
	if !pure(lhs) { // xs[f()] += 1: through its address
		p := r.temp(n.Pos())
		take := define(p, &ast.UnaryExpr{OpPos: lhs.Pos(), Op: token.AND, X: lhs})
		deref := func() ast.Expr { return &ast.StarExpr{Star: lhs.Pos(), X: ident(p.Name, lhs.Pos())} }
		old := deref()
		r.types[old] = r.typeOf(lhs)
		v, _, ok := r.operation(old, y, op, at, lhs.Pos(), n.End())
		if ok {
			put := &ast.AssignStmt{Lhs: []ast.Expr{deref()}, TokPos: at, Tok: token.ASSIGN, Rhs: []ast.Expr{v}}
			r.replaceStmt(c, &ast.BlockStmt{Lbrace: n.Pos(), List: []ast.Stmt{take, put}, Rbrace: n.End() - 1})
		}
		return
	}
	if v, _, ok := r.operation(lhs, y, op, at, lhs.Pos(), n.End()); ok {
		r.replaceStmt(c, &ast.AssignStmt{Lhs: []ast.Expr{lhs}, TokPos: at, Tok: token.ASSIGN, Rhs: []ast.Expr{v}})
	}
}

func isMap(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// pure reports whether e may be evaluated twice: it calls nothing but what makes slices.
func pure(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if sel, isSel := n.Fun.(*ast.SelectorExpr); isSel {
				if id, isName := sel.X.(*ast.Ident); isName && len(id.Name) > 2 && id.Name[len(id.Name)-2:] == "·" && (sel.Sel.Name == "S" || sel.Sel.Name == "From" || sel.Sel.Name == "To") {
					return true
				}
			}
			ok = false
		case *ast.FuncLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		}
		return ok
	})
	return ok
}
