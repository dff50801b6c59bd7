package interp

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// Functions lets packages have the source of the functions that cells give them: a func value has none when it runs.
type Functions interface {
	// Takes reports whether calls of fn, a function of a compiled package, get a *Function's Bind in the place of a
	// func.
	Takes(fn *types.Func) bool
	// MayRun reports whether fn, which Takes, calls a function that it is given as it is where that has no source: it
	// is no error then.
	MayRun(fn *types.Func) bool
	// Declared is told of each function that a cell declares, and of each that is given to a function that Takes. What
	// it returns are errors of the cell.
	Declared(f *Function, given bool) []FunctionError
	// Bind returns what the callee gets for f, whose func is value. It is called each time that the call is made.
	Bind(f *Function, value any) any
}

// FunctionError is what is wrong with a function at a place of its source.
type FunctionError struct {
	Pos token.Pos
	Msg string
}

// Function is a function of a cell with its source, and with that of what it calls.
type Function struct {
	Func     *types.Func
	TypeArgs []types.Type

	s    *Session
	own  *engine.Unit // the cell's that mentions it
	name *ast.Ident
	lit  *ast.FuncDecl // of a function literal
	info *types.Info   // in which name is resolved

	holder   *ast.Ident  // the variable that was given, if it holds the literal
	within   *types.Info // in which holder is resolved
	declares *held       // of the cell, when that is the one that declares the variable
}

// Fset returns the file set of all positions.
func (f *Function) Fset() *token.FileSet { return f.s.fset }

// Body returns the declaration of a function that f or what it calls mentions, with its types; nil of compiled
// functions.
func (f *Function) Body(fn *types.Func) (*ast.FuncDecl, *types.Info) {
	if f.lit != nil && fn == f.Func {
		return f.lit, f.info
	}
	if d := f.own.Funcs[fn]; d != nil {
		return d, f.own.Info
	}
	f.s.sources.mu.Lock()
	u := f.s.sources.units[fn.Pkg()]
	f.s.sources.mu.Unlock()
	if u == nil {
		return nil, nil
	}
	return u.Funcs[fn], u.Info
}

// Never reports whether v is one of the variables that the session tests in loops and functions: always false in what
// is compiled elsewhere.
func (f *Function) Never(v *types.Var) bool { return v.Pkg() == f.s.guard }

// Address returns a pointer to a variable that f or what it calls mentions, of a cell or of a package whose source is
// interpreted; nil for others, and for one that is forgotten. Code of cells may call it.
func (f *Function) Address(v *types.Var) any {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	if bound := f.s.bound[v]; bound != nil {
		return bound.Addr.Interface()
	}
	for _, r := range f.s.supervisor.Running() { // a cell's own get a home when it ends
		code := r.Code()
		if code == nil {
			continue
		}
		if addr, ok := code.Var(v); ok {
			return addr.Interface()
		}
	}
	return nil
}

// VariableAt returns the name of the variable of a cell that p points to, "" when it points to none.
func (s *Session) VariableAt(p any) string {
	if v := s.variableAt(p); v != nil {
		return v.Name()
	}
	return ""
}

// UsersOf returns the functions of cells that mention the variable that p points to, with their places: "blur (cell 3,
// line 4)".
func (s *Session) UsersOf(p any) []string {
	v := s.variableAt(p)
	if v == nil {
		return nil
	}
	last := map[string]token.Pos{} // one may have been declared again
	s.sources.mu.Lock()
	defer s.sources.mu.Unlock()
	for _, u := range s.sources.units {
		for fn, decl := range u.Funcs {
			ast.Inspect(decl, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && u.Info.Uses[id] == types.Object(v) {
					last[fn.Name()] = max(last[fn.Name()], id.Pos())
				}
				return true
			})
		}
	}
	var out []string
	for _, name := range slices.SortedFunc(maps.Keys(last), func(a, b string) int { return cmp.Compare(last[a], last[b]) }) {
		at := s.fset.Position(last[name])
		out = append(out, fmt.Sprintf("%s (%s, line %d)", name, at.Filename, at.Line))
	}
	return out
}

func (s *Session) variableAt(p any) *types.Var {
	at := reflect.ValueOf(p)
	if at.Kind() != reflect.Pointer {
		return nil
	}
	is := func(addr reflect.Value) bool {
		return addr.Kind() == reflect.Pointer && addr.Pointer() == at.Pointer() && addr.Type() == at.Type()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for v, bound := range s.bound {
		if is(bound.Addr) {
			return v
		}
	}
	for _, r := range s.supervisor.Running() { // a cell's own get a home when it ends
		if code := r.Code(); code != nil {
			for v, addr := range code.Vars() {
				if is(addr) {
					return v
				}
			}
		}
	}
	return nil
}

// give wraps the functions that a cell gives to those that Takes, and asks of all that it declares whether they are
// right.
func (s *Session) give(c *checked) []Diagnostic {
	hook := s.opts.Functions
	if hook == nil {
		return nil
	}
	own := &engine.Unit{Pkg: c.pkg, Info: c.info, Funcs: map[*types.Func]*ast.FuncDecl{}}
	c.own, c.held = own, findHeld(c, own)
	var errs []placedError
	add := func(at token.Pos, list []FunctionError) {
		for _, e := range list {
			errs = append(errs, placedError{e, at})
		}
	}
	for _, d := range c.File.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn != c.Entry && fn.Body != nil {
			if obj, ok := c.info.Defs[fn.Name].(*types.Func); ok {
				own.Funcs[obj] = fn
			}
		}
	}
	for _, obj := range c.info.Uses { // interpreted packages whose functions kernels may call
		if fn, ok := obj.(*types.Func); ok && fn.Pkg() != nil && fn.Pkg() != c.pkg {
			s.unit(fn.Pkg())
		}
	}
	for obj := range own.Funcs {
		add(obj.Pos(), hook.Declared(&Function{Func: obj, s: s, own: own}, false))
	}
	ast.Inspect(c.File, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fn := callee(c.info, call.Fun)
		if fn == nil || !hook.Takes(fn) {
			return true
		}
		for i, arg := range call.Args {
			f, errors := s.functionOf(c, own, arg)
			if f != nil {
				if f.Func != nil {
					errors = hook.Declared(f, true)
				}
				call.Args[i] = s.wrap(c, f, arg)
			}
			if !hook.MayRun(fn) {
				add(arg.Pos(), errors)
			}
		}
		return true
	})
	return s.functionErrors(c, errs)
}

// sources are of functions that cells pass to packages which want their source.
type sources struct {
	mu    sync.Mutex
	given []*Function                     // by the numbers in given· calls
	units map[*types.Package]*engine.Unit // those of cells that have been compiled, with functions
	held  map[*types.Var]*Function        // the literals that variables hold for good

	// what functions have been bound to, so that a call gets what the call before it has compiled; forgotten when code
	// of cells comes to mean other functions, and when there is much of it
	bound map[boundKey]any
	turns int // how often it has been forgotten
}

// boundKey is a function that is given to others: the same one has the same source. Of those with type arguments it is
// the place that gives it, too.
type boundKey struct {
	fn    *types.Func
	lit   *ast.FuncDecl
	given int
}

// mostBound is how many bound functions are kept.
const mostBound = 256

// forgetBound has all functions be bound again.
func (s *Session) forgetBound() {
	s.sources.mu.Lock()
	defer s.sources.mu.Unlock()
	clear(s.sources.bound)
	s.sources.turns++
}

// keepSource makes the functions of a cell known to those that are told of functions.
func (s *Session) keepSource(c *checked, u *engine.Unit) {
	if c.own == nil || len(u.Funcs) == 0 {
		return
	}
	s.sources.mu.Lock()
	defer s.sources.mu.Unlock()
	s.sources.units[c.pkg] = u
}

// placedError is an error with the place in the cell that brings it, where it is in another.
type placedError struct {
	FunctionError
	at token.Pos
}

// callee returns the function that an expression names.
func callee(info *types.Info, x ast.Expr) *types.Func {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		fn, _ := info.Uses[x].(*types.Func)
		return fn
	case *ast.SelectorExpr:
		return callee(info, x.Sel)
	case *ast.IndexExpr:
		return callee(info, x.X)
	case *ast.IndexListExpr:
		return callee(info, x.X)
	}
	return nil
}

// functionOf returns the function that an argument names or is, nil when it is something else.
func (s *Session) functionOf(c *checked, own *engine.Unit, arg ast.Expr) (*Function, []FunctionError) {
	if _, ok := c.info.TypeOf(arg).(*types.Signature); !ok {
		return nil, nil
	}
	x := ast.Unparen(arg)
	if lit, ok := x.(*ast.FuncLit); ok {
		return s.literal(c, own, lit)
	}
	if id, ok := x.(*ast.Ident); ok {
		if f, errs := s.heldFunction(c, id); f != nil || errs != nil {
			return f, errs
		}
	}
	fn := callee(c.info, x)
	if fn == nil || fn.Signature().Recv() != nil {
		return nil, nil
	}
	var name *ast.Ident
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == nil && c.info.Uses[id] == types.Object(fn) {
			name = id
		}
		return name == nil
	})
	f := &Function{Func: fn, s: s, own: own, name: name, info: c.info}
	if inst, ok := c.info.Instances[name]; ok {
		f.TypeArgs = slices.Collect(inst.TypeArgs.Types())
	}
	if decl, _ := f.Body(fn.Origin()); decl == nil {
		if u := s.unit(fn.Pkg()); u == nil || u.Funcs[fn.Origin()] == nil {
			return nil, nil
		}
	}
	return f, nil
}

// literal makes a declaration of a function literal.
func (s *Session) literal(c *checked, own *engine.Unit, lit *ast.FuncLit) (*Function, []FunctionError) {
	var errs []FunctionError
	ast.Inspect(lit, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := c.info.Uses[id].(*types.Var)
		if ok && !v.IsField() && v.Pkg() == c.pkg && v.Parent() != c.pkg.Scope() && (v.Pos() < lit.Pos() || v.Pos() >= lit.End()) {
			errs = append(errs, FunctionError{id.Pos(), "a function that runs on a device cannot use the variable " + id.Name + " of the function around it\n\tmake it a parameter"})
		}
		return true
	})
	if errs != nil {
		return nil, errs
	}
	p := s.fset.Position(lit.Pos())
	name := syntax.IdentAt("func"+strconv.Itoa(p.Line), lit.Pos())
	fn := types.NewFunc(lit.Pos(), c.pkg, name.Name, c.info.TypeOf(lit).(*types.Signature))
	c.info.Defs[name] = fn
	return &Function{Func: fn, s: s, own: own, lit: &ast.FuncDecl{Name: name, Type: lit.Type, Body: lit.Body}, info: c.info}, nil
}

// wrap returns the call given·(n, arg), with types.
func (s *Session) wrap(c *checked, f *Function, arg ast.Expr) ast.Expr {
	s.sources.mu.Lock()
	n := len(s.sources.given)
	s.sources.given = append(s.sources.given, f)
	s.sources.mu.Unlock()
	number := &ast.BasicLit{ValuePos: arg.Pos(), Kind: token.INT, Value: strconv.Itoa(n)}
	x := syntax.CallOf(engine.GivenName, arg.Pos(), number, arg)
	x.Rparen = arg.End()
	obj := s.guard.Scope().Lookup(engine.GivenName)
	id := x.Fun.(*ast.Ident)
	c.info.Uses[id] = obj
	c.info.Types[id] = types.TypeAndValue{Type: obj.Type()}
	c.info.Types[number] = types.TypeAndValue{Type: types.Typ[types.Int], Value: constant.MakeInt64(int64(n))}
	c.info.Types[x] = types.TypeAndValue{Type: obj.Type().(*types.Signature).Results().At(0).Type()}
	return x
}

// bindGiven is given·: what the callee gets in the place of a func.
func (s *Session) bindGiven(n int, value any) any {
	s.sources.mu.Lock()
	f := *s.sources.given[n]
	if f.holder != nil {
		now := s.current(&f)
		if now == nil {
			s.sources.mu.Unlock()
			return value
		}
		f = *now
	}
	if f.name != nil { // it may have been declared again
		if fn, ok := f.info.Uses[f.name].(*types.Func); ok {
			f.Func = fn
		}
	}
	key := boundKey{fn: f.Func, lit: f.lit}
	if len(f.TypeArgs) > 0 {
		key.given = n + 1
	}
	bound, turns := s.sources.bound[key], s.sources.turns
	s.sources.mu.Unlock()
	if bound != nil {
		return bound
	}
	bound = s.opts.Functions.Bind(&f, value)
	s.sources.mu.Lock()
	defer s.sources.mu.Unlock()
	if turns == s.sources.turns {
		if s.sources.bound == nil || len(s.sources.bound) >= mostBound {
			s.sources.bound = map[boundKey]any{}
		}
		s.sources.bound[key] = bound
	}
	return bound
}

// functionErrors are the errors of functions as the cell's. What is wrong in an earlier cell is said where it is used.
func (s *Session) functionErrors(c *checked, errs []placedError) []Diagnostic {
	var diags []Diagnostic
	for _, e := range errs {
		if !e.Pos.IsValid() || s.fset.File(e.Pos) != s.fset.File(c.File.FileStart) {
			if p := s.fset.Position(e.Pos); p.IsValid() {
				e.Msg = fmt.Sprintf("%s, line %d: %s", p.Filename, p.Line, e.Msg)
			}
			e.Pos = e.at
		}
		diags = append(diags, c.Src.Diagnostic(c.Src.Offset(c.TextOffset(e.Pos)), c.plainTypes(e.Msg)))
	}
	slices.SortStableFunc(diags, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return slices.CompactFunc(diags, func(a, b Diagnostic) bool {
		return a.Line == b.Line && a.Column == b.Column && a.Message == b.Message
	})
}
