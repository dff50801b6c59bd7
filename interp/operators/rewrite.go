package operators

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ast/astutil"
)

// Result is what [Operators.Rewrite] did.
type Result struct {
	Changed bool
	Stmts   map[ast.Stmt]ast.Stmt // statements that others took the place of
	Edits   []Edit                // what was replaced, inner ones before those around them
	Refused []types.Error         // arrays where Go has no use for them
	// what only arrays have, on something else; when Changed, a type may yet be found to be one
	Errors  []types.Error
	Imports map[string]bool // import paths of packages that the new code calls, under Qualifier's names
}

// Edit says that the text from Pos to End is now Node.
type Edit struct {
	Pos, End token.Pos
	Node     ast.Node
}

// Rewrite replaces the operators and index expressions in file whose operands info knows to be arrays. What depends on
// a type that the replacement itself makes known may be left for the next turn: check the file again and call Rewrite
// until it changes nothing. It visits each node once, and the number of turns is two for nearly all cells.
func (o *Operators) Rewrite(file *ast.File, info *types.Info, fset *token.FileSet) Result {
	r := &rewriter{
		Operators: o, info: info, fset: fset, types: map[ast.Expr]types.Type{}, objects: map[types.Object]types.Type{}, targets: map[ast.Expr]bool{}, chained: map[ast.Expr]chained{},
		inChain: map[ast.Expr]bool{}, truths: map[types.Object]bool{},
		sizes:  map[ast.Expr]int{},
		Result: Result{Stmts: map[ast.Stmt]ast.Stmt{}, Imports: map[string]bool{}},
	}
	r.noteTruths(file)
	astutil.Apply(file, r.enter, r.leave)
	return r.Result
}

// Qualifier is the name under which new code calls a package; a cell cannot write or shadow it. base is what the
// package is usually called.
func Qualifier(base string) string { return base + "·" }

type rewriter struct {
	*Operators
	info    *types.Info
	fset    *token.FileSet
	types   map[ast.Expr]types.Type     // of new expressions, and of old ones that the checker could not type
	objects map[types.Object]types.Type // of variables likewise
	targets map[ast.Expr]bool           // index expressions that are assigned to
	chained map[ast.Expr]chained        // comparisons that may not be what was meant
	inChain map[ast.Expr]bool           // comparisons that are the left side of another
	truths  map[types.Object]bool       // whether a variable is defined by truths for each element alone
	sizes   map[ast.Expr]int            // how many operations there are in a new expression
	temps   int
	visited int // nodes
	Result
}

// longReceiver is how many operations there may be in the receiver of a method. The checker writes the text of each
// method call, with its receiver, so long sums are calls of functions, and where there is no function, of the method
// with its receiver as an argument.
const longReceiver = 32

// enter notes what is assigned to before the expressions in it are visited.
func (r *rewriter) enter(c *astutil.Cursor) bool {
	if r.visited++; r.visited%1000 == 0 && r.Poll != nil {
		r.Poll()
	}
	switch n := c.Node().(type) {
	case *ast.AssignStmt:
		for _, lhs := range n.Lhs {
			r.targets[unparen(lhs)] = true
		}
	case *ast.IncDecStmt:
		r.targets[unparen(n.X)] = true
	case *ast.BinaryExpr:
		r.noteChain(n)
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			r.elementsApart("a range does not assign to elements of an array; use variables, as in for i, v := range, and assign these", n.Key, n.Value)
		}
		if a := r.arrayAt(n.X); a != nil && n.Tok == token.DEFINE {
			r.define(n.Key, types.Typ[types.Int])
			r.define(n.Value, a.typ)
		}
	case *ast.CommClause:
		if as, ok := n.Comm.(*ast.AssignStmt); ok && as.Tok == token.ASSIGN {
			r.elementsApart("a case of select does not assign to elements of an array; use a variable, as in case v := <-, and assign this", as.Lhs...)
		}
	}
	return true
}

// elementsApart refuses elements of arrays where Go assigns and no statement can take the place of that.
func (r *rewriter) elementsApart(why string, places ...ast.Expr) {
	for _, lhs := range places {
		if x := indexed(unparen(lhs)); x != nil && r.arrayAt(x) != nil {
			r.refuse(lhs.Pos(), "%s", why)
		}
	}
}

// leave replaces a node whose parts have been replaced already.
func (r *rewriter) leave(c *astutil.Cursor) bool {
	switch n := c.Node().(type) {
	case *ast.BinaryExpr:
		r.binary(c, n)
	case *ast.UnaryExpr:
		r.unary(c, n)
	case *ast.IndexExpr, *ast.IndexListExpr, *ast.SliceExpr:
		if x := n.(ast.Expr); !r.targets[x] {
			if at, ok := r.selection(x); ok {
				r.replace(c, r.read(x, at), at.a.typ)
			}
		}
	case *ast.CallExpr:
		r.call(c, n)
	case *ast.ParenExpr:
		if _, ok := r.types[n.X]; ok { // for the text: the parentheses were for an operator that is gone
			r.Edits = append(r.Edits, Edit{n.Pos(), n.End(), n.X})
		}
	case *ast.AssignStmt:
		r.assign(c, n)
	case *ast.IncDecStmt:
		op := token.ADD_ASSIGN
		if n.Tok == token.DEC {
			op = token.SUB_ASSIGN
		}
		one := &ast.BasicLit{ValuePos: n.TokPos, Kind: token.INT, Value: "1"}
		r.compound(c, n, n.X, op, n.TokPos, one)
	case *ast.ValueSpec:
		if n.Type == nil {
			r.defineAll(n.Names, n.Values)
		}
	case *ast.RangeStmt:
		if a := r.arrayAt(n.X); a != nil {
			r.edit(n.X.Pos(), n.X.End(), r.method(r.operand(n.X, a), "Rows", n.X.Pos(), n.X.End()), func(x ast.Expr) { n.X = x })
		}
	case *ast.IfStmt:
		r.condition(n.Cond)
	case *ast.ForStmt:
		r.condition(n.Cond)
	case *ast.SwitchStmt:
		ofArray := n.Tag != nil && r.arrayAt(n.Tag) != nil
		for _, clause := range n.Body.List {
			for _, e := range clause.(*ast.CaseClause).List {
				if n.Tag == nil {
					r.condition(e)
				} else if t := r.typeOf(e); ofArray && t != nil && number(t) && !isInterface(t) {
					r.refuse(e.Pos(), "a switch compares arrays as Go does, whether they are the same one; take the number first, as in switch int(x[0])")
				}
			}
		}
	}
	return true
}

// arrayAt says whether e is an array.
func (r *rewriter) arrayAt(e ast.Expr) *array {
	if e == nil {
		return nil
	}
	if tv, ok := r.info.Types[e]; ok && tv.IsType() {
		return nil
	}
	return r.arrayOf(r.typeOf(e))
}

// typeOf returns the type of e, also where the checker gave up because of an operator on arrays in it; nil when it is
// not known.
func (r *rewriter) typeOf(e ast.Expr) types.Type {
	if t, ok := r.types[e]; ok {
		return t
	}
	if id, ok := e.(*ast.Ident); ok { // what the checker says may come from what has been replaced since
		if t := r.objects[r.info.ObjectOf(id)]; t != nil {
			return t
		}
	}
	if tv, ok := r.info.Types[e]; ok && tv.Type != nil && tv.Type != types.Typ[types.Invalid] {
		return tv.Type
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.typeOf(e.X)
	case *ast.Ident:
		if obj := r.info.ObjectOf(e); obj != nil && obj.Type() != nil && obj.Type() != types.Typ[types.Invalid] {
			return obj.Type()
		}
	case *ast.SelectorExpr:
		if obj := r.info.Uses[e.Sel]; obj != nil && obj.Type() != types.Typ[types.Invalid] {
			return obj.Type()
		}
		if t := r.typeOf(e.X); t != nil {
			if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, e.Sel.Name); obj != nil {
				return obj.Type()
			}
		}
	case *ast.CallExpr:
		if sig, ok := r.typeOf(e.Fun).(*types.Signature); ok && sig.Results().Len() == 1 && sig.TypeParams().Len() == 0 {
			return sig.Results().At(0).Type()
		}
	}
	return nil
}

func (r *rewriter) define(lhs ast.Expr, t types.Type) {
	if id, ok := lhs.(*ast.Ident); ok && t != nil {
		if obj := r.info.Defs[id]; obj != nil && (obj.Type() == types.Typ[types.Invalid] || r.arrayOf(t) != nil) {
			r.objects[obj] = types.Default(t)
		}
	}
}

func (r *rewriter) defineAll(names []*ast.Ident, values []ast.Expr) {
	if len(names) == len(values) {
		for i, id := range names {
			r.define(id, r.typeOf(values[i]))
		}
	}
}

// replace puts n, of type t, where the cursor is.
func (r *rewriter) replace(c *astutil.Cursor, n ast.Expr, t types.Type) {
	old := c.Node()
	r.types[n] = t
	r.edit(old.Pos(), old.End(), n, func(x ast.Expr) { c.Replace(x) })
}

func (r *rewriter) edit(pos, end token.Pos, n ast.Expr, put func(ast.Expr)) {
	r.Changed = true
	r.Edits = append(r.Edits, Edit{pos, end, n})
	put(n)
}

// replaceStmt puts n where the cursor is, which has a statement.
func (r *rewriter) replaceStmt(c *astutil.Cursor, n ast.Stmt) {
	old := c.Node().(ast.Stmt)
	r.Changed, r.Stmts[old] = true, n
	r.Edits = append(r.Edits, Edit{old.Pos(), old.End(), n})
	c.Replace(n)
}

// refuse is fail where it is known that there is an array.
func (r *rewriter) refuse(pos token.Pos, format string, args ...any) {
	r.Refused = append(r.Refused, types.Error{Fset: r.fset, Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

func (r *rewriter) fail(pos token.Pos, format string, args ...any) {
	r.Errors = append(r.Errors, types.Error{Fset: r.fset, Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

// function is a call of a function of an array's package, which takes the place of text from pos to end.
func (r *rewriter) function(path, name string, pos, end token.Pos, at token.Pos, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: r.member(path, name, pos), Lparen: at, Args: args, Rparen: end - 1}
}

func (r *rewriter) member(path, name string, pos token.Pos) ast.Expr {
	r.Imports[path] = true
	return &ast.SelectorExpr{X: ident(Qualifier(path), pos), Sel: ident(name, pos)}
}

// method is a call of a method; at is where errors of it are.
func (r *rewriter) method(recv ast.Expr, name string, at, end token.Pos, args ...ast.Expr) *ast.CallExpr {
	switch recv.(type) {
	case *ast.StarExpr, *ast.UnaryExpr, *ast.BinaryExpr, *ast.FuncLit:
		recv = &ast.ParenExpr{Lparen: recv.Pos(), X: recv, Rparen: recv.End()}
	}
	return &ast.CallExpr{Fun: &ast.SelectorExpr{X: recv, Sel: ident(name, at)}, Lparen: at, Args: args, Rparen: end - 1}
}

// methodOf is method for an operand of so many operations, which is a plain *Array.
func (r *rewriter) methodOf(a *array, size int, recv ast.Expr, name string, at, end token.Pos, args ...ast.Expr) *ast.CallExpr {
	if size < longReceiver {
		return r.method(recv, name, at, end, args...)
	}
	of := &ast.ParenExpr{Lparen: at, X: &ast.StarExpr{Star: at, X: r.member(a.path, "Array", at)}, Rparen: at}
	return &ast.CallExpr{Fun: &ast.SelectorExpr{X: of, Sel: ident(name, at)}, Lparen: at, Args: append([]ast.Expr{recv}, args...), Rparen: end - 1}
}

// operand is e, which is the array a, as a plain *Array.
func (r *rewriter) operand(e ast.Expr, a *array) ast.Expr {
	switch {
	case a == nil:
		return e
	case a.emb:
		return &ast.SelectorExpr{X: e, Sel: ident("Array", e.End())}
	case a.own != nil:
		ptr := &ast.StarExpr{Star: e.Pos(), X: r.member(a.path, "Array", e.Pos())}
		return &ast.CallExpr{Fun: &ast.ParenExpr{Lparen: e.Pos(), X: ptr, Rparen: e.Pos()}, Lparen: e.Pos(), Args: []ast.Expr{e}, Rparen: e.End()}
	}
	return e
}

// result gives n, which is an array, the named type that the operands had.
func (r *rewriter) result(n ast.Expr, a *array) (ast.Expr, types.Type) {
	if a.own == nil {
		return n, a.typ
	}
	named := types.Unalias(a.own).(*types.Named)
	if named.Obj().Parent() == nil || named.TypeArgs().Len() > 0 {
		return n, a.typ
	}
	return &ast.CallExpr{Fun: ident(named.Obj().Name(), n.Pos()), Lparen: n.Pos(), Args: []ast.Expr{n}, Rparen: n.End() - 1}, a.own
}

// first is the array that decides what an operation on two operands is of, nil when neither is one.
func (r *rewriter) first(x, y *array) *array {
	if x == nil || y != nil && r.rank[y.path] < r.rank[x.path] {
		return y
	}
	return x
}

// operation returns x op y on arrays, ok is false when it is not one or is left to Go.
func (r *rewriter) operation(x, y ast.Expr, op token.Token, at token.Pos, pos, end token.Pos) (n ast.Expr, t types.Type, ok bool) {
	ax, ay := r.arrayAt(x), r.arrayAt(y)
	a := r.first(ax, ay)
	if a == nil {
		return r.generic(x, y, op, pos, end)
	}
	compares := op == token.EQL || op == token.NEQ
	if isNil(r.info, x) || isNil(r.info, y) {
		return nil, nil, false
	}
	if compares && (ax == nil && isInterface(r.typeOf(x)) || ay == nil && isInterface(r.typeOf(y))) {
		return nil, nil, false // Go compares what is in the interface
	}
	for _, other := range []struct {
		e ast.Expr
		a *array
	}{{x, ax}, {y, ay}} {
		if other.a != nil {
			continue
		}
		if t := r.typeOf(other.e); t != nil && !number(t) && !(op.Precedence() == token.EQL.Precedence() && text(t)) {
			r.fail(other.e.Pos(), "operator %s of an array takes an array, a number or a slice of numbers, not %s", op, Describe(t))
			return nil, nil, false
		}
	}
	left, right := r.operand(x, ax), r.operand(y, ay)
	size := 1 + r.sizes[unparen(x)] + r.sizes[unparen(y)]
	if op == token.AND_NOT && ay == nil { // Invert(2) would be an int64 array, where a number is weak
		of := &ast.StarExpr{Star: pos, X: r.member(a.path, "Array", pos)}
		n, t = r.result(r.operate(a.path, op, left, right, of, pos, end), a)
		r.sizes[n] = size
		return n, t, true
	}
	if op == token.AND_NOT {
		right = r.function(a.path, "Invert", y.Pos(), y.End(), at, right)
		op = token.AND
	}
	how, known := binary[op]
	if !known {
		return nil, nil, false
	}
	var c *ast.CallExpr
	if ax != nil && ax.path == a.path && r.sizes[unparen(x)] < longReceiver {
		c = r.method(left, how.method, at, end, right)
	} else {
		c = r.function(a.path, how.function, pos, end, at, left, right)
	}
	if n, t = c, a.typ; !compares && op.Precedence() != token.EQL.Precedence() {
		n, t = r.result(c, a)
	}
	r.sizes[n] = size
	return n, t, true
}

func isInterface(t types.Type) bool {
	if t == nil {
		return false
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	return types.IsInterface(t)
}

// generic returns x op y for operands of a type parameter that may be an array: which it is, is known when it runs.
func (r *rewriter) generic(x, y ast.Expr, op token.Token, pos, end token.Pos) (n ast.Expr, t types.Type, ok bool) {
	for _, e := range []ast.Expr{x, y} {
		t := r.typeOf(e)
		if r.info.Types[e].IsType() {
			return nil, nil, false
		}
		path := r.parameter(t)
		how, known := binary[op]
		if path == "" || op != token.AND_NOT && (!known || how.method != how.function) { // comparisons are Go's
			continue
		}
		return r.operate(path, op, x, y, ident(types.Unalias(t).(*types.TypeParam).Obj().Name(), pos), pos, end), t, true
	}
	return nil, nil, false
}

// operate returns x op y, of type t, as a call that looks at its operands when it runs.
func (r *rewriter) operate(path string, op token.Token, x, y, t ast.Expr, pos, end token.Pos) ast.Expr {
	name := &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(op.String())}
	of := &ast.ParenExpr{Lparen: pos, X: &ast.CompositeLit{Type: r.member(path, "Wiring", pos), Lbrace: pos, Rbrace: pos}, Rparen: pos}
	return &ast.TypeAssertExpr{X: r.method(of, "Operate", pos, end, name, x, y), Lparen: pos, Type: t, Rparen: end - 1}
}

// parameter returns the package of the array type that the constraint of a type parameter lists, "" when it lists none.
func (r *rewriter) parameter(t types.Type) string {
	if t == nil {
		return ""
	}
	p, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return ""
	}
	iface, ok := p.Constraint().Underlying().(*types.Interface)
	if !ok {
		return ""
	}
	for e := range iface.EmbeddedTypes() {
		terms := []types.Type{e}
		if u, ok := e.Underlying().(*types.Union); ok {
			terms = terms[:0]
			for term := range u.Terms() {
				terms = append(terms, term.Type())
			}
		}
		for _, term := range terms {
			if a := r.pointer(term); a != nil {
				return a.path
			}
		}
	}
	return ""
}

func (r *rewriter) binary(c *astutil.Cursor, n *ast.BinaryExpr) {
	if n.Op == token.LAND || n.Op == token.LOR {
		for _, e := range []ast.Expr{n.X, n.Y} {
			if r.arrayAt(e) != nil {
				r.refuse(n.OpPos, "%s joins single truths, not arrays; use %s for each element, or .AllTrue() or .AnyTrue() and .Bool() for one truth", n.Op, n.Op.String()[:1])
				return
			}
		}
	}
	if how, ok := r.chained[n]; ok {
		switch left := r.arrayAt(n.X) != nil; {
		case how.not && left:
			r.refuse(n.OpPos, "! of an array binds tighter than %s; write %s", n.Op, how.want)
			return
		case !how.not && (left || r.arrayAt(n.Y) != nil):
			r.refuse(n.OpPos, "comparisons of arrays stand in parentheses beside others and beside & and |; write %s", how.want)
			return
		}
	}
	if star, ok := n.Y.(*ast.StarExpr); ok && n.Op == token.MUL && r.isPower(n.X, star.X) {
		r.refuse(n.OpPos, "Go has no operator **; use .Pow, as in x.Pow(2)")
		return
	}
	if e, t, ok := r.operation(n.X, n.Y, n.Op, n.OpPos, n.Pos(), n.End()); ok {
		r.replace(c, e, t)
	}
}

// isPower reports whether x * *y was meant as Python's x**y: one of them is an array, and y no pointer to a number.
func (r *rewriter) isPower(x, y ast.Expr) bool {
	if r.arrayAt(y) != nil {
		return true
	}
	_, pointer := r.typeOf(y).(*types.Pointer)
	return r.arrayAt(x) != nil && !pointer
}

func (r *rewriter) unary(c *astutil.Cursor, n *ast.UnaryExpr) {
	a := r.arrayAt(n.X)
	if a == nil {
		if path := r.parameter(r.typeOf(n.X)); path != "" && n.Op == token.SUB {
			zero := &ast.BasicLit{ValuePos: n.Pos(), Kind: token.INT, Value: "0"}
			if e, t, ok := r.generic(zero, n.X, token.SUB, n.Pos(), n.End()); ok {
				r.replace(c, e, t)
			}
		}
		return
	}
	if n.Op == token.ADD {
		r.replace(c, &ast.ParenExpr{Lparen: n.Pos(), X: n.X, Rparen: n.End() - 1}, r.typeOf(n.X))
		return
	}
	if name := unary[n.Op]; name != "" {
		size := r.sizes[unparen(n.X)]
		e, t := r.result(r.methodOf(a, size, r.operand(n.X, a), name, n.OpPos, n.End()), a)
		r.sizes[e] = 1 + size
		r.replace(c, &ast.ParenExpr{Lparen: n.Pos(), X: e, Rparen: n.End() - 1}, t) // so that it begins where it did
	}
}

// condition refuses an array as a condition.
func (r *rewriter) condition(e ast.Expr) {
	if e != nil && r.arrayAt(e) != nil {
		r.refuse(e.Pos(), "an array is neither true nor false; use .AllTrue().Bool() or .AnyTrue().Bool(), or .Bool() of a single element")
	}
}

// call replaces conversions, len and print of arrays.
func (r *rewriter) call(c *astutil.Cursor, n *ast.CallExpr) {
	if id, ok := n.Fun.(*ast.Ident); ok && id.Name == indexName {
		if r.targets[n] {
			return
		}
		if at, ok := r.selection(n); ok {
			r.replace(c, r.read(n, at), at.a.typ)
		} else {
			r.noArray(n)
		}
		return
	}
	r.bounds(n)
	tv, ok := r.info.Types[n.Fun]
	if id, named := unparen(n.Fun).(*ast.Ident); named && tv.IsBuiltin() && (id.Name == "print" || id.Name == "println") {
		r.printed(n)
		return
	}
	if len(n.Args) != 1 {
		return
	}
	a := r.arrayAt(n.Args[0])
	if a == nil || !ok {
		return
	}
	x := r.operand(n.Args[0], a)
	switch {
	case tv.IsBuiltin():
		if id, ok := unparen(n.Fun).(*ast.Ident); ok && id.Name == "len" {
			r.replace(c, r.method(x, "Len", n.Lparen, n.End()), types.Typ[types.Int])
		}
	case tv.IsType():
		b, ok := tv.Type.Underlying().(*types.Basic)
		if !ok {
			return
		}
		single := ""
		plain := types.Type(nil)
		switch {
		case b.Info()&types.IsFloat != 0:
			single, plain = "Float64", types.Typ[types.Float64]
		case b.Info()&types.IsComplex != 0:
			single, plain = "Complex128", types.Typ[types.Complex128]
		case b.Kind() == types.Uint64 || b.Kind() == types.Uint || b.Kind() == types.Uintptr: // an int does not hold them all
			single, plain = "Uint64", types.Typ[types.Uint64]
		case b.Info()&types.IsInteger != 0:
			single, plain = "Int", types.Typ[types.Int]
		case b.Info()&types.IsBoolean != 0:
			single, plain = "Bool", types.Typ[types.Bool]
		default:
			return
		}
		v := r.method(x, single, n.Lparen, n.End())
		if types.Identical(tv.Type, plain) {
			r.replace(c, v, tv.Type)
			return
		}
		r.replace(c, &ast.CallExpr{Fun: n.Fun, Lparen: n.Lparen, Args: []ast.Expr{v}, Rparen: n.Rparen}, tv.Type)
	}
}

// printed has the built-in print and println write arrays' elements; of pointers they write addresses.
func (r *rewriter) printed(n *ast.CallExpr) {
	for i, x := range n.Args {
		if a := r.arrayAt(x); a != nil {
			text := r.method(r.operand(x, a), "String", x.Pos(), x.End())
			r.types[text] = types.Typ[types.String]
			r.edit(x.Pos(), x.End(), text, func(x ast.Expr) { n.Args[i] = x })
		}
	}
}

func unparen(e ast.Expr) ast.Expr { return ast.Unparen(e) }
