package yaegi

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// methodCall writes x.name(args) where x is a value of type t.
func (c *fn) methodCall(x string, solid bool, t types.Type, want *types.Func, addressable bool, args []string) string {
	m, recv, recvType, ok := c.method(x, solid, t, want, addressable)
	name := want.Name()
	list := strings.Join(args, ", ")
	switch {
	case ok: // declared in a cell: a function
		if list != "" {
			list = ", " + list
		}
		return m + "(" + recv + list + ")"
	case c.dynamic(recvType):
		if list != "" {
			list = ", " + list
		}
		return c.invoker(recvType, name) + "(" + recv + list + ")"
	}
	return recv + "." + name + "(" + list + ")"
}

// wanted is the method that the checker found for a selector. In the body of a generic function it may be a
// constraint's.
func (c *fn) wanted(e *ast.SelectorExpr) *types.Func {
	return c.info.Selections[e].Obj().(*types.Func)
}

// method finds the function that a method of t is, and its receiver; or, when ok is false, the receiver and its type,
// which has the method itself.
func (c *fn) method(x string, solid bool, t types.Type, want *types.Func, addressable bool) (m, recv string, recvType types.Type, ok bool) {
	obj, index, _ := types.LookupFieldOrMethod(t, true, want.Pkg(), want.Name())
	method, isFunc := obj.(*types.Func)
	if !isFunc {
		c.fail(want.Pos(), "the method %s of %s", want.Name(), t)
	}
	if _, known := c.sources[want.Origin()]; known {
		method = want // another one may have its name by now
	}
	if types.IsInterface(t) || !c.crossesOwn(t, index) {
		if p, isPtr := t.Underlying().(*types.Pointer); isPtr && !types.IsInterface(p.Elem()) {
			return "", c.solidText(x, t, solid), t, false
		}
		return "", x, t, false
	}
	text, at := c.fieldPath(x, solid, t, index[:len(index)-1])
	if len(index) > 1 {
		solid = false
	}
	if types.IsInterface(at) {
		return "", text, at, false
	}
	origin := method.Origin()
	if _, known := c.sources[origin]; !known {
		return "", c.solidText(text, at, solid), at, false
	}
	var targs []types.Type
	base := at
	ptr, isPtr := at.Underlying().(*types.Pointer)
	if isPtr {
		base = ptr.Elem()
	}
	if n, ok := types.Unalias(base).(*types.Named); ok {
		for a := range n.TypeArgs().Types() {
			targs = append(targs, a)
		}
	}
	_, wantsPtr := origin.Signature().Recv().Type().Underlying().(*types.Pointer)
	switch {
	case wantsPtr && !isPtr:
		pt := types.NewPointer(at)
		if !addressable {
			text = c.helper("new", at, func(name string) string {
				return fmt.Sprintf("func %s(x %s) *%s { y := x; return &y }\n", name, c.typ(at), c.typ(at))
			}) + "(" + text + ")"
		} else {
			text = "(&" + text + ")"
		}
		text = c.upIf(text, pt)
	case !wantsPtr && isPtr:
		text = "(*" + c.solidText(text, at, solid) + ")"
	default:
		if solid {
			text = c.upIf(text, at)
		}
	}
	return c.funcName(want.Pos(), origin, targs), text, at, true
}

func (c *fn) upIf(text string, t types.Type) string {
	if c.erased(t) {
		return c.up(text, t)
	}
	return text
}

// crossesOwn reports whether a method at that path of t is found by way of types of cells.
func (c *fn) crossesOwn(t types.Type, index []int) bool {
	base := t
	if p, ok := t.Underlying().(*types.Pointer); ok {
		base = p.Elem()
	}
	_, compiled := c.compiledNamed(base)
	return !compiled
}

// invoker declares the function that calls a method of an interface value by name.
func (c *fn) invoker(iface types.Type, name string) string {
	return c.helper("call_"+name+"_", iface, func(fname string) string {
		obj, _, _ := types.LookupFieldOrMethod(iface, true, c.unit.Pkg, name)
		sig := obj.(*types.Func).Signature()
		return c.invokerText(fname, name, sig)
	})
}

func (c *fn) invokerText(fname, name string, sig *types.Signature) string {
	params := c.params(sig, "a")
	if params != "" {
		params = ", " + params
	}
	args := ""
	for i := range sig.Params().Len() {
		args += fmt.Sprint(", a", i)
	}
	ret := ""
	if sig.Results().Len() > 0 {
		ret = "return "
	}
	return fmt.Sprintf("func %s(x interface{}%s)%s { f, r := %s(x, %q, %d); %sf.(func(interface{}%s)%s)(r%s) }\n",
		fname, params, c.results(sig.Results()), c.host("Find"), name, c.methodType(sig), ret, c.plainParams(sig), c.results(sig.Results()), args)
}

// plainParams writes ", T1, T2": a variadic parameter is a slice.
func (c *fn) plainParams(sig *types.Signature) string {
	out := ""
	for _, t := range c.paramTypes(sig) {
		out += ", " + c.typ(t)
	}
	return out
}

// methodType makes known to the host how a method function of that signature is typed, and returns its number.
func (c *fn) methodType(sig *types.Signature) int {
	key := "func(interface{}" + c.plainParams(sig) + ")" + c.results(sig.Results())
	id, ok := c.methodTypes[key]
	if !ok {
		id = c.number()
		c.methodTypes[key] = id
		c.undo(func() { delete(c.methodTypes, key) })
		name := fmt.Sprint("methodType", mark, id)
		fmt.Fprintf(&c.decls, "var %s %s\n", name, key)
		fmt.Fprintf(&c.init, "%s(%d, &%s)\n", c.host("MethodType"), id, name)
	}
	return id
}

// methodsOf has the methods of a described type compiled and made known to the host.
func (c *fn) methodsOf(d *desc) {
	if d.methodsKnown == c.prog {
		return
	}
	d.methodsKnown = c.prog
	t := d.typ
	c.methodsOfParts(t)
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		obj := set.At(i).Obj().(*types.Func)
		name := obj.Name()
		if _, known := c.sources[obj.Origin()]; !known && !obj.Exported() {
			continue // of an embedded compiled type: only its package can call it
		}
		sig := set.At(i).Type().(*types.Signature)
		f := c.ask(fmt.Sprint("method", d.id, name), func() string { return "m" + mark + name }, func(next *function) string {
			sub := &fn{printer: c.printer, unit: c.unit, info: c.info, self: next}
			params, args := "", []string{}
			for i, pt := range c.paramTypes(sig) {
				params += fmt.Sprintf(", a%d %s", i, c.typ(pt))
				arg := fmt.Sprint("a", i)
				if sig.Variadic() && i == sig.Params().Len()-1 {
					arg += "..."
				}
				args = append(args, arg)
			}
			recv, st := "r", c.typ(t)
			if st != "interface{}" {
				recv = "r.(" + st + ")"
			}
			ret := ""
			if sig.Results().Len() > 0 {
				ret = "return "
			}
			body := sub.methodCall("x", false, t, obj, true, args)
			base := c.byKey[fmt.Sprint("method", d.id, name)]
			next.register = fmt.Sprintf("%s(%d, %q, %s)\n", c.host("Method"), d.id, name, c.reference(base))
			return fmt.Sprintf("func %s(r interface{}%s)%s { x := %s; %s%s }\n", c.reference(base), params, c.results(sig.Results()), recv, ret, body)
		})
		if c.self != nil {
			c.self.deps[f] = 0
		}
	}
}

// methodsOfParts does the same for what t is made of: fmt calls methods of elements and fields.
func (c *fn) methodsOfParts(t types.Type) {
	part := func(u types.Type) {
		if c.boxed(u) && !types.IsInterface(u) {
			c.methodsOf(c.describe(u))
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		part(u.Elem())
	case *types.Slice:
		part(u.Elem())
	case *types.Array:
		part(u.Elem())
	case *types.Chan:
		part(u.Elem())
	case *types.Map:
		part(u.Key())
		part(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			part(f.Type())
		}
	}
}

// selector writes x.name that is not called: a name of a package, a field, a method value or expression.
func (c *fn) selector(e *ast.SelectorExpr) (string, bool) {
	s := c.info.Selections[e]
	if s == nil {
		return c.ident(e.Sel), false
	}
	if s.Kind() == types.MethodExpr {
		return c.methodExpr(e), true
	}
	x, solid := c.raw(e.X)
	t := c.of(e.X)
	obj, index, _ := types.LookupFieldOrMethod(t, true, c.unit.Pkg, e.Sel.Name)
	if s.Kind() == types.FieldVal {
		if obj == nil {
			c.fail(e.Sel.Pos(), "the field %s of %s", e.Sel.Name, t)
		}
		if !c.reachable(t, index) {
			return x + "." + e.Sel.Name, false
		}
		text, _ := c.fieldPath(x, solid, t, index)
		return text, false
	}
	return c.methodValue(e, x, solid, t), true
}

// reachable reports whether the embedded fields on the way can be named: those of compiled types may be unexported.
func (c *fn) reachable(t types.Type, index []int) bool {
	for _, i := range index {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st := t.Underlying().(*types.Struct)
		if _, compiled := c.compiledNamed(t); compiled && !st.Field(i).Exported() {
			return false
		}
		t = st.Field(i).Type()
	}
	return true
}

// methodValue writes x.name as a function: the receiver is evaluated now.
func (c *fn) methodValue(e *ast.SelectorExpr, x string, solid bool, t types.Type) string {
	sig := c.signatureOf(e)
	_, recv, recvType, own := c.method(x, solid, t, c.wanted(e), c.addressable(e.X))
	compiled := !own && !c.dynamic(recvType)
	if _, isPtr := recvType.Underlying().(*types.Pointer); compiled && !isPtr {
		return recv + "." + e.Sel.Name
	}
	var args []string
	for i := range sig.Params().Len() {
		arg := fmt.Sprint("a", i)
		if sig.Variadic() && i == sig.Params().Len()-1 {
			arg += "..."
		}
		args = append(args, arg)
	}
	ret := ""
	if sig.Results().Len() > 0 {
		ret = "return "
	}
	name := c.tempName()
	m, _, _, _ := c.method(x, solid, t, c.wanted(e), c.addressable(e.X))
	call := ""
	check := ""
	switch {
	case compiled: // yaegi's own method values of variables take the receiver, too
		call = c.methodCall(name, false, recvType, c.wanted(e), true, args)
	case own:
		call = m + "(" + strings.Join(append([]string{name}, args...), ", ") + ")"
	default:
		call = c.invoker(recvType, e.Sel.Name) + "(" + strings.Join(append([]string{name}, args...), ", ") + ")"
		check = c.host("NotNil") + "(" + name + "); "
	}
	return fmt.Sprintf("func() func%s { %s := %s; %sreturn func(%s)%s { %s%s } }()", c.signature(sig), name, recv, check,
		c.params(sig, "a"), c.results(sig.Results()), ret, call)
}

// methodExpr writes T.name as a function.
func (c *fn) methodExpr(e *ast.SelectorExpr) string {
	sig := c.signatureOf(e)
	t := sig.Params().At(0).Type()
	var args []string
	for i := 1; i < sig.Params().Len(); i++ {
		arg := fmt.Sprint("a", i)
		if sig.Variadic() && i == sig.Params().Len()-1 {
			arg += "..."
		}
		args = append(args, arg)
	}
	ret := ""
	if sig.Results().Len() > 0 {
		ret = "return "
	}
	body := c.methodCall("a0", false, t, c.wanted(e), true, args)
	return fmt.Sprintf("func(%s)%s { %s%s }", c.params(sig, "a"), c.results(sig.Results()), ret, body)
}
