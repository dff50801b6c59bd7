package yaegi

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

var anyType = types.Universe.Lookup("any").Type()

// call writes a call, a conversion or a built-in function.
func (c *fn) call(e *ast.CallExpr) (text string, solid bool) {
	tv := c.info.Types[e.Fun]
	switch {
	case tv.IsType():
		return c.conversion(e)
	case tv.IsBuiltin():
		return c.builtin(e)
	}
	if text, ok := c.errorsAs(e); ok {
		return text, false
	}
	sig := c.signatureOf(e.Fun)
	if pre, list, post, ok := c.spread(e, sig); ok {
		return pre + c.callee(e.Fun, sig, list) + post, false
	}
	return c.callee(e.Fun, sig, c.args(e, sig)), false
}

// errorsAs writes errors.As for a target of a cell's type.
func (c *fn) errorsAs(e *ast.CallExpr) (string, bool) {
	sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if !ok || len(e.Args) != 2 {
		return "", false
	}
	if f, ok := c.info.Uses[sel.Sel].(*types.Func); !ok || f.FullName() != "errors.As" {
		return "", false
	}
	ptr, ok := c.of(e.Args[1]).Underlying().(*types.Pointer)
	if !ok || !c.boxed(ptr.Elem()) && !c.dynamic(ptr.Elem()) {
		return "", false
	}
	d := c.describeForTest(ptr.Elem())
	return fmt.Sprintf("%s(%s, %d, %s)", c.host("As"), c.expr(e.Args[0]), d.id, c.solid(e.Args[1])), true
}

func (c *fn) signatureOf(f ast.Expr) *types.Signature {
	t := c.of(f)
	if sig, ok := t.Underlying().(*types.Signature); ok {
		return sig
	}
	c.fail(f.Pos(), "a call of %s", t)
	return nil
}

// callee writes a call with arguments that are written already.
func (c *fn) callee(f ast.Expr, sig *types.Signature, args []string) string {
	f = ast.Unparen(f)
	if sel, ok := f.(*ast.SelectorExpr); ok {
		if s := c.info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
			x, solid := c.raw(sel.X)
			return c.methodCall(x, solid, c.of(sel.X), c.wanted(sel), c.addressable(sel.X), args)
		}
	}
	return c.solid(f) + "(" + strings.Join(args, ", ") + ")"
}

// args writes the arguments of a call.
func (c *fn) args(e *ast.CallExpr, sig *types.Signature) (out []string) {
	n := sig.Params().Len()
	raw := c.wantsRaw(e.Fun)
	for i, x := range e.Args {
		var want types.Type
		dots := ""
		switch {
		case sig.Variadic() && i >= n-1 && e.Ellipsis.IsValid():
			want, dots = sig.Params().At(n-1).Type(), "..."
		case sig.Variadic() && i >= n-1:
			want = sig.Params().At(n - 1).Type().Underlying().(*types.Slice).Elem()
		default:
			want = sig.Params().At(i).Type()
		}
		text := ""
		if t := c.of(x); raw && types.IsInterface(want) && !types.IsInterface(t) && c.boxed(t) && !c.hasMethods(t) {
			text = c.host("Any") + "(" + c.solid(x) + ")"
		} else {
			text = c.conv(x, want)
		}
		out = append(out, c.closed(x, text)+dots)
	}
	return out
}

// closed writes a function literal, or what one was converted to, as an argument. Of a literal that compiled code is given
// directly, yaegi binds the variables when it is called, not when it is made; but not of what a function returns.
func (c *fn) closed(x ast.Expr, text string) string {
	lit, ok := ast.Unparen(x).(*ast.FuncLit)
	if !ok || !strings.HasPrefix(text, "func") {
		return text
	}
	return c.closedText(text, c.of(lit))
}

func (c *fn) closedText(text string, t types.Type) string {
	return c.helper("closed", t, func(name string) string {
		st := c.solidType(t)
		return fmt.Sprintf("func %s(f %s) %s { return f }\n", name, st, st)
	}) + "(" + text + ")"
}

func (c *fn) hasMethods(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return types.NewMethodSet(t).Len() > 0 || types.NewMethodSet(p.Elem()).Len() > 0
	}
	return types.NewMethodSet(t).Len() > 0
}

// rawPackages have functions that look at, or write to, what is behind an argument of type any: they get the value as
// yaegi keeps it.
var rawPackages = map[string]bool{
	"reflect": true, "sort": true, "encoding/json": true, "encoding/xml": true, "encoding/gob": true, "encoding/binary": true,
	"encoding/asn1": true, "database/sql": true, "runtime": true, "unsafe": true, "text/template": true, "html/template": true,
}

var rawFunctions = map[string]bool{
	"fmt.Scan": true, "fmt.Scanf": true, "fmt.Scanln": true, "fmt.Sscan": true, "fmt.Sscanf": true, "fmt.Sscanln": true,
	"fmt.Fscan": true, "fmt.Fscanf": true, "fmt.Fscanln": true,
}

// boxedFunctions are in raw packages, but understand boxed values.
var boxedFunctions = map[string]bool{
	"encoding/json.Marshal": true, "encoding/json.MarshalIndent": true, "(*encoding/json.Encoder).Encode": true,
	"reflect.DeepEqual": true,
}

func (c *fn) wantsRaw(f ast.Expr) bool {
	var id *ast.Ident
	switch f := ast.Unparen(f).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return false
	}
	fn, ok := c.info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil || boxedFunctions[fn.FullName()] {
		return false
	}
	return rawPackages[fn.Pkg().Path()] || rawFunctions[fn.FullName()]
}

// spread writes f(g()) where g has several results: a function literal that takes them apart.
func (c *fn) spread(e *ast.CallExpr, sig *types.Signature) (pre string, args []string, post string, ok bool) {
	if len(e.Args) != 1 {
		return
	}
	tuple, isTuple := c.of(e.Args[0]).(*types.Tuple)
	if !isTuple || tuple.Len() < 2 {
		return
	}
	text := c.expr(e.Args[0])
	var names []string
	for i := range tuple.Len() {
		name := c.tempName()
		names = append(names, name)
		want := sig.Params().At(min(i, sig.Params().Len()-1)).Type()
		if sig.Variadic() && i >= sig.Params().Len()-1 {
			want = want.Underlying().(*types.Slice).Elem()
		}
		args = append(args, c.convText(name, false, tuple.At(i).Type(), c.subst(want, c.env)))
	}
	ret := ""
	if sig.Results().Len() > 0 {
		ret = "return "
	}
	return fmt.Sprintf("func()%s { %s := %s; %s", c.results(sig.Results()), strings.Join(names, ", "), text, ret), args, " }()", true
}

func (c *fn) addressable(e ast.Expr) bool { return c.info.Types[e].Addressable() }

// fieldPath follows embedded fields.
func (c *fn) fieldPath(text string, solid bool, t types.Type, index []int) (string, types.Type) {
	for _, i := range index {
		text, t = c.field(text, solid, t, i)
		solid = false
	}
	return text, t
}

func (c *fn) field(text string, solid bool, t types.Type, i int) (string, types.Type) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		text = c.solidText(text, t, solid)
		t = p.Elem()
	}
	st := t.Underlying().(*types.Struct)
	name := st.Field(i).Name()
	if _, compiled := c.compiledNamed(t); !compiled {
		name = fieldName(st, i)
	}
	return text + "." + name, st.Field(i).Type()
}

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

// wanted is the method that the checker found for a selector. In the body of a generic function it may be a constraint's.
func (c *fn) wanted(e *ast.SelectorExpr) *types.Func {
	return c.info.Selections[e].Obj().(*types.Func)
}

// method finds the function that a method of t is, and its receiver; or, when ok is false, the receiver and its type, which
// has the method itself.
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
	if !own && !c.dynamic(recvType) {
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
	if own {
		call = m + "(" + strings.Join(append([]string{name}, args...), ", ") + ")"
	} else {
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

// conversion writes T(x).
func (c *fn) conversion(e *ast.CallExpr) (string, bool) {
	want, x := c.of(e.Fun), e.Args[0]
	if types.IsInterface(want) {
		return c.conv(x, want), false
	}
	if c.info.Types[x].IsNil() {
		if c.erased(want) {
			return c.null(want), true
		}
		return c.null(want), false
	}
	from := c.of(x)
	if c.erased(from) != c.erased(want) {
		return c.converted(c.solid(x), c.solidType(from), c.solidType(want)), c.erased(want)
	}
	text := c.expr(x)
	a, b := c.typ(from), c.typ(want)
	fromUnsafe, toUnsafe := isUnsafe(from), isUnsafe(want)
	switch {
	case fromUnsafe && toUnsafe:
	case toUnsafe:
		return c.host("ToUnsafe") + "(" + c.solid(x) + ")", false
	case fromUnsafe:
		if _, isPtr := want.Underlying().(*types.Pointer); !isPtr {
			return b + "(" + c.host("UnsafeInt") + "(" + text + "))", false
		}
		return c.helper("unsafe", want, func(name string) string {
			st, id := c.solidType(want), c.describe(want).id
			fmt.Fprintf(&c.init, "%s(%d, new(%s))\n", c.host("Type"), id, st)
			return fmt.Sprintf("func %s(x %s) %s { if x == nil { return nil }; return %s(%d, x).(%s) }\n", name, a, st, c.host("FromUnsafe"), id, st)
		}) + "(" + text + ")", true
	}
	if a == b {
		return text, false
	}
	if _, isArray := want.Underlying().(*types.Array); isArray {
		if s, isSlice := from.Underlying().(*types.Slice); isSlice {
			return c.sliceToArray(text, s, want), false
		}
	}
	if s, isSlice := want.Underlying().(*types.Slice); isSlice {
		if f, ok := from.Underlying().(*types.Basic); ok && f.Info()&types.IsString != 0 {
			return c.typ(want) + "([]" + c.typ(s.Elem()) + "(" + text + "))", false
		}
	}
	if v := c.info.Types[x].Value; v != nil {
		if basic, ok := want.Underlying().(*types.Basic); ok && basic.Info()&types.IsNumeric != 0 && v.Kind() != constant.String {
			return c.constant(x.Pos(), v, want), false // of a type parameter, or it would be constant itself
		}
	}
	return c.converted(text, a, b), false
}

// null writes nil as a value of type t.
func (c *fn) null(t types.Type) string {
	return c.helper("null", t, func(name string) string {
		return fmt.Sprintf("func %s() (r %s) { return r }\n", name, c.solidType(t))
	}) + "()"
}

func isUnsafe(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

// sliceToArray writes the conversion of a slice to an array.
func (c *fn) sliceToArray(text string, s *types.Slice, want types.Type) string {
	at := c.typ(want)
	n := want.Underlying().(*types.Array).Len()
	return c.helper("array", want, func(name string) string {
		return fmt.Sprintf("func %s(x []%s) (r %s) { if len(x) < %d { %s(len(x), %d) }; for i := 0; i < %d; i++ { r[i] = x[i] }; return r }\n",
			name, c.typ(s.Elem()), at, n, c.host("ShortSlice"), n, n)
	}) + "(" + text + ")"
}

// builtin writes a call of one of Go's own functions.
func (c *fn) builtin(e *ast.CallExpr) (string, bool) {
	name := builtinName(e.Fun)
	arg := func(i int) string { return c.solid(e.Args[i]) }
	list := func() string {
		var out []string
		for i := range e.Args {
			out = append(out, arg(i))
		}
		return strings.Join(out, ", ")
	}
	switch name {
	case "append":
		st := c.of(e)
		s := st.Underlying().(*types.Slice)
		out := []string{c.solidNil(e.Args[0], st)}
		for i, x := range e.Args[1:] {
			if e.Ellipsis.IsValid() {
				text := arg(i + 1)
				if b, ok := c.of(x).Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
					text = "[]" + c.typ(s.Elem()) + "(" + text + ")"
				}
				if c.info.Types[x].IsNil() {
					text = "[]" + c.typ(s.Elem()) + "{}"
				}
				out = append(out, text+"...")
				continue
			}
			out = append(out, c.conv(x, s.Elem()))
		}
		return "append(" + strings.Join(out, ", ") + ")", true
	case "len", "cap":
		return name + "(" + list() + ")", false
	case "copy":
		src := arg(1)
		if b, ok := c.of(e.Args[1]).Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			src = "[]byte(" + src + ")"
		}
		return "copy(" + arg(0) + ", " + src + ")", false
	case "close", "real", "imag", "complex":
		return name + "(" + list() + ")", false
	case "delete":
		m := c.of(e.Args[0]).Underlying().(*types.Map)
		return "delete(" + arg(0) + ", " + c.conv(e.Args[1], m.Key()) + ")", false
	case "make":
		out := []string{c.solidType(c.of(e))}
		for i := range e.Args[1:] {
			out = append(out, c.host("Size")+"("+c.expr(e.Args[i+1])+")")
		}
		return "make(" + strings.Join(out, ", ") + ")", true
	case "new":
		if c.info.Types[e.Args[0]].IsType() {
			return "new(" + c.typ(c.of(e.Args[0])) + ")", true
		}
		t := c.of(e).Underlying().(*types.Pointer).Elem()
		return c.helper("new", t, func(name string) string {
			return fmt.Sprintf("func %s(x %s) *%s { y := x; return &y }\n", name, c.typ(t), c.typ(t))
		}) + "(" + c.conv(e.Args[0], t) + ")", true
	case "panic":
		return c.host("Panic") + "(" + c.conv(e.Args[0], anyType) + ")", false
	case "recover":
		return c.host("Recover") + "(" + c.caller + ")", false
	case "print", "println":
		var out []string
		for _, x := range e.Args {
			out = append(out, c.conv(x, anyType))
		}
		return c.host(strings.ToUpper(name[:1])+name[1:]) + "(" + strings.Join(out, ", ") + ")", false
	case "min", "max":
		t := c.of(e)
		text := c.conv(e.Args[0], t)
		f := c.helper(name, t, func(fname string) string {
			st, op := c.typ(t), "<"
			if name == "max" {
				op = ">"
			}
			nan := ""
			if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsFloat != 0 {
				nan = fmt.Sprintf("if x != x || y != y { return x + y }; if x == 0 && y == 0 { return %s(%s(float64(x), float64(y))) }; ", st, c.host(strings.ToUpper(name[:1])+name[1:]))
			}
			return fmt.Sprintf("func %s(x, y %s) %s { %sif y %s x { return y }; return x }\n", fname, st, st, nan, op)
		})
		for _, x := range e.Args[1:] {
			text = f + "(" + text + ", " + c.conv(x, t) + ")"
		}
		return text, false
	case "clear":
		t := c.of(e.Args[0])
		return c.helper("clear", t, func(fname string) string {
			st := c.solidType(t)
			if _, ok := t.Underlying().(*types.Map); ok {
				return fmt.Sprintf("func %s(x %s) { %s(x) }\n", fname, st, c.host("ClearMap"))
			}
			return fmt.Sprintf("func %s(x %s) { var zero %s; for i := range x { x[i] = zero } }\n", fname, st, c.typ(t.Underlying().(*types.Slice).Elem()))
		}) + "(" + list() + ")", false
	case "Sizeof", "Alignof":
		return c.host(name) + "(new(" + c.typ(c.of(e.Args[0])) + "))", false
	case "Add", "String":
		return c.host("Unsafe"+name) + "(" + list() + ")", false
	case "Slice":
		return c.host("UnsafeSlice") + "(" + list() + ").(" + c.solidType(c.of(e)) + ")", true
	case "StringData":
		return c.host(name) + "(" + list() + ")", false
	case "SliceData":
		return c.host(name) + "(" + list() + ").(" + c.solidType(c.of(e)) + ")", true
	}
	c.fail(e.Pos(), "the function %s", name)
	return "", false
}

func builtinName(f ast.Expr) string {
	switch f := ast.Unparen(f).(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// solidNil writes e, of type t when it is nil.
func (c *fn) solidNil(e ast.Expr, t types.Type) string {
	if c.info.Types[e].IsNil() {
		return c.null(t)
	}
	return c.solid(e)
}
