package assist

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
)

// operand returns the expression that the marker completes, the marker itself or the selector that ends with it, and
// the place of its parent in the path.
func (f *finder) operand() (x ast.Expr, parent int) {
	i := len(f.path) - 1
	x = f.path[i].(ast.Expr)
	if sel, ok := f.path[i-1].(*ast.SelectorExpr); ok && sel.Sel == x {
		x, i = sel, i-1
	}
	for {
		p, ok := f.path[i-1].(*ast.ParenExpr)
		if !ok {
			return x, i - 1
		}
		x, i = p, i-1
	}
}

// wantsType reports whether a type must stand at the marker.
func (f *finder) wantsType() bool {
	x, i := f.operand()
	switch p := f.path[i].(type) {
	case *ast.Field:
		return p.Type == x
	case *ast.ValueSpec:
		return p.Type == x
	case *ast.CompositeLit:
		return p.Type == x
	case *ast.ArrayType:
		return p.Elt == x
	case *ast.MapType, *ast.ChanType, *ast.Ellipsis, *ast.TypeAssertExpr:
		_, isAssert := p.(*ast.TypeAssertExpr)
		return !isAssert || p.(*ast.TypeAssertExpr).Type == x
	case *ast.TypeSpec:
		return p.Type == x
	case *ast.StarExpr: // a pointer type where its parent wants a type
		up := *f
		up.path = append(append([]ast.Node{}, f.path[:i]...), ast.Node(p))
		return up.wantsType()
	case *ast.CaseClause:
		_, isType := f.path[i-2].(*ast.TypeSwitchStmt)
		return isType
	case *ast.CallExpr:
		if fun, ok := p.Fun.(*ast.Ident); ok && len(p.Args) > 0 && p.Args[0] == x && (fun.Name == "make" || fun.Name == "new") {
			_, builtin := f.c.Info.Uses[fun].(*types.Builtin)
			return builtin && fun.Name == "make"
		}
	}
	return false
}

// expected returns the type that the value at the marker should have, nil when that is not known, or anything will do.
func (f *finder) expected() types.Type {
	x, i := f.operand()
	t := f.expectedIn(x, i)
	if t == nil || t == types.Typ[types.Invalid] {
		return nil
	}
	if _, ok := t.(*types.TypeParam); ok {
		return nil
	}
	if it, ok := t.Underlying().(*types.Interface); ok && it.Empty() {
		return nil
	}
	return t
}

func (f *finder) expectedIn(x ast.Expr, i int) types.Type {
	info := f.c.Info
	switch p := f.path[i].(type) {
	case *ast.CallExpr:
		if sig, n := f.argument(p, x); sig != nil {
			return paramAt(sig, n)
		}
	case *ast.AssignStmt:
		for n, rhs := range p.Rhs {
			if rhs == x && n < len(p.Lhs) && p.Tok != token.DEFINE {
				return info.TypeOf(p.Lhs[n])
			}
		}
	case *ast.ValueSpec:
		if p.Type != nil && p.Type != x {
			return info.TypeOf(p.Type)
		}
	case *ast.ReturnStmt:
		for n, r := range p.Results {
			if sig := f.enclosing(); r == x && sig != nil && n < sig.Results().Len() {
				return sig.Results().At(n).Type()
			}
		}
	case *ast.BinaryExpr:
		if p.Y == x && p.Op != token.SHL && p.Op != token.SHR {
			if t := info.TypeOf(p.X); t != nil {
				return types.Default(t)
			}
		}
	case *ast.KeyValueExpr:
		lit, ok := f.path[i-1].(*ast.CompositeLit)
		if !ok || info.TypeOf(lit) == nil {
			return nil
		}
		switch t := typeinfo.Pointed(info.TypeOf(lit)).(type) {
		case *types.Struct:
			if key, ok := p.Key.(*ast.Ident); ok && p.Value == x {
				for v := range t.Fields() {
					if v.Name() == key.Name {
						return v.Type()
					}
				}
			}
		case *types.Map:
			if p.Value == x {
				return t.Elem()
			}
			return t.Key()
		case interface{ Elem() types.Type }:
			return t.Elem()
		}
	case *ast.CompositeLit:
		if p.Type == x || info.TypeOf(p) == nil {
			return nil
		}
		switch t := typeinfo.Pointed(info.TypeOf(p)).(type) {
		case *types.Map:
			return t.Key()
		case *types.Struct:
			for n, e := range p.Elts {
				if e == x && n < t.NumFields() && n > 0 {
					return t.Field(n).Type()
				}
			}
		case interface{ Elem() types.Type }:
			return t.Elem()
		}
	case *ast.IndexExpr:
		if t := info.TypeOf(p.X); p.Index == x && t != nil {
			if m, ok := t.Underlying().(*types.Map); ok {
				return m.Key()
			}
		}
	case *ast.SendStmt:
		if t := info.TypeOf(p.Chan); p.Value == x && t != nil {
			if ch, ok := t.Underlying().(*types.Chan); ok {
				return ch.Elem()
			}
		}
	case *ast.CaseClause:
		if sw, ok := f.path[i-2].(*ast.SwitchStmt); ok && sw.Tag != nil {
			return info.TypeOf(sw.Tag)
		}
	case *ast.IfStmt:
		if p.Cond == x {
			return types.Typ[types.Bool]
		}
	case *ast.UnaryExpr:
		if p.Op == token.NOT {
			return types.Typ[types.Bool]
		}
	}
	return nil
}

// enclosing is the type of the function around the marker.
func (f *finder) enclosing() *types.Signature {
	for i := len(f.path) - 1; i >= 0; i-- {
		switch n := f.path[i].(type) {
		case *ast.FuncLit:
			sig, _ := f.c.Info.TypeOf(n).(*types.Signature)
			return sig
		case *ast.FuncDecl:
			if fn, ok := f.c.Info.Defs[n.Name].(*types.Func); ok {
				return fn.Signature()
			}
			return nil
		}
	}
	return nil
}

// argument returns the type of the function that c calls and the number of the argument x; nil for what is not a call
// of the user's, or a conversion.
func (f *finder) argument(c *ast.CallExpr, x ast.Node) (*types.Signature, int) {
	if fun, ok := c.Fun.(*ast.Ident); ok && strings.Contains(fun.Name, "·") {
		return nil, 0
	}
	t := f.c.Info.TypeOf(c.Fun)
	if t == nil || f.c.Info.Types[c.Fun].IsType() {
		return nil, 0
	}
	sig, _ := t.Underlying().(*types.Signature)
	if sig == nil {
		return nil, 0
	}
	for n, a := range c.Args {
		if a == x {
			return sig, n
		}
	}
	return nil, 0
}

// paramAt is the type of an argument, nil beyond the last.
func paramAt(sig *types.Signature, n int) types.Type {
	last := sig.Params().Len() - 1
	switch {
	case sig.Variadic() && n >= last:
		if sl, ok := sig.Params().At(last).Type().(*types.Slice); ok {
			return sl.Elem()
		}
		return nil
	case n > last:
		return nil
	}
	return sig.Params().At(n).Type()
}

// fits reports whether obj, or what it returns, has the expected type.
func (f *finder) fits(obj types.Object) bool {
	if f.want == nil || obj.Type() == nil {
		return false
	}
	assignable := func(t types.Type) bool {
		if t == types.Typ[types.UntypedNil] || t == types.Typ[types.Invalid] {
			return false
		}
		return types.AssignableTo(types.Default(t), f.want)
	}
	switch obj := obj.(type) {
	case *types.Var, *types.Const:
		return assignable(obj.Type())
	case *types.Func:
		sig := obj.Signature()
		if sig.TypeParams().Len() > 0 || sig.Recv() != nil && sig.RecvTypeParams().Len() > 0 {
			return false
		}
		return sig.Results().Len() == 1 && assignable(sig.Results().At(0).Type()) || assignable(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic()))
	case *types.TypeName:
		if n, ok := obj.Type().(*types.Named); !ok || n.TypeParams().Len() > 0 || types.IsInterface(n) {
			return false
		}
		return assignable(obj.Type()) || assignable(types.NewPointer(obj.Type()))
	}
	return false
}

// call describes the innermost call that the marker is an argument of, or in an argument of.
func (f *finder) call() *Call {
	for i := len(f.path) - 2; i >= 0; i-- {
		switch n := f.path[i].(type) {
		case *ast.FuncLit:
			return nil
		case *ast.CallExpr:
			if c := f.a.describeCall(f.c, n, f.path[i+1]); c != nil {
				return c
			}
		}
	}
	return nil
}

// describeCall describes a call at one of its arguments.
func (a *Assistant) describeCall(c *Text, n *ast.CallExpr, arg ast.Node) *Call {
	at := -1
	for i, a := range n.Args {
		if a == arg {
			at = i
		}
	}
	if fun, ok := n.Fun.(*ast.Ident); at < 0 || ok && strings.Contains(fun.Name, "·") {
		return nil
	}
	obj, owner := called(c, n.Fun)
	if b, ok := obj.(*types.Builtin); ok {
		return &Call{Signature: a.signature(b, nil), Doc: synopsis(a.comment(b, nil)), Index: at}
	}
	t := c.Info.TypeOf(n.Fun)
	if t == nil || c.Info.Types[n.Fun].IsType() {
		return nil
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok {
		return nil
	}
	out := &Call{Signature: a.TypeString(sig), Index: at}
	if obj != nil {
		out.Signature, out.Doc = a.signature(obj, owner), synopsis(a.comment(obj, owner))
	}
	if last := sig.Params().Len() - 1; last >= 0 {
		if sig.Variadic() {
			out.Index = min(at, last)
		}
		if out.Index <= last {
			out.Param = a.parameter(sig, out.Index)
			if fn, ok := obj.(*types.Func); ok {
				if form, ok := a.Form(fn, owner); ok {
					out.Param = form.Params[out.Index]
				}
			}
		}
	}
	return out
}

// parameter writes a parameter as in a declaration.
func (a *Assistant) parameter(sig *types.Signature, i int) string {
	v := sig.Params().At(i)
	t := a.TypeString(v.Type())
	if sl, ok := v.Type().(*types.Slice); ok && sig.Variadic() && i == sig.Params().Len()-1 {
		t = "..." + a.TypeString(sl.Elem())
	}
	return strings.TrimSpace(v.Name() + " " + t)
}

// called finds the function or variable that is called, and the interface whose method it is.
func called(c *Text, fun ast.Expr) (types.Object, *types.Named) {
	switch x := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return c.Info.Uses[x], nil
	case *ast.SelectorExpr:
		return c.Info.Uses[x.Sel], memberOwner(c, x)
	case *ast.IndexExpr:
		return called(c, x.X)
	case *ast.IndexListExpr:
		return called(c, x.X)
	}
	return nil, nil
}

// memberOwner is the type whose field or interface method a selector names, nil for others: methods know their own.
func memberOwner(c *Text, x *ast.SelectorExpr) *types.Named {
	sel := c.Info.Selections[x]
	if sel == nil {
		return nil
	}
	t := sel.Recv()
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		if st, ok := typeinfo.Pointed(t).(*types.Struct); ok && i < st.NumFields() {
			t = st.Field(i).Type()
		}
	}
	if n := namedOf(t); n != nil && (sel.Kind() == types.FieldVal || types.IsInterface(n)) {
		return n
	}
	return nil
}
