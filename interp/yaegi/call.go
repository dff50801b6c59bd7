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
		if t := c.of(x); (raw || c.givesNumbers(e.Fun, t)) && types.IsInterface(want) && !types.IsInterface(t) && c.boxed(t) && !c.hasMethods(t) {
			text = c.host("Any") + "(" + c.solid(x) + ")"
		} else {
			text = c.conv(x, want)
		}
		out = append(out, c.closed(x, text)+dots)
	}
	return out
}

// closed writes a function literal, or what one was converted to, as an argument. Of a literal that compiled code is
// given directly, yaegi binds the variables when it is called, not when it is made; but not of what a function returns.
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

// arrayPackages have functions that read numbers and slices of them from arguments of type any.
var arrayPackages = map[string]bool{"github.com/arrayrepl/arrayrepl/arrays": true, "github.com/arrayrepl/arrayrepl/lazy": true}

// givesNumbers reports whether a value of type t is numbers, texts or slices of them for a function of arrays, which
// looks at its elements and not at the name of its type.
func (c *fn) givesNumbers(f ast.Expr, t types.Type) bool {
	const axes = 64 // which is as many as an array has; a type may be a slice of itself
	for range axes {
		switch under := t.Underlying().(type) {
		case *types.Slice:
			t = under.Elem()
			continue
		case *types.Array:
			t = under.Elem()
			continue
		case *types.Basic:
			sel, ok := ast.Unparen(f).(*ast.SelectorExpr)
			if !ok {
				return false
			}
			fn, ok := c.info.Uses[sel.Sel].(*types.Func)
			return ok && fn.Pkg() != nil && arrayPackages[fn.Pkg().Path()]
		}
		return false
	}
	return false
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
