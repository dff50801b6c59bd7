package yaegi

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// fn writes one function.
type fn struct {
	*printer
	unit   *engine.Unit
	info   *types.Info
	env    env
	sig    *types.Signature // of the innermost function, before substitution
	self   *function        // whose dependencies are noted; nil for what is written once
	out    *strings.Builder
	name   string // as errors call it
	entry  bool   // the statements are a cell's own
	named  []string
	scopes []*scope // what break and continue may mean, innermost last
	calls  string   // the variable of a function's deferred calls, "" when it defers nothing
	body   string   // the variable of the function literal that its body is then
	caller string   // the variable by which a function that recovers knows who deferred it
	gotos  map[string]bool
	carry  *[]string // variables for results that leave a range over a function
	label  string    // of the statement that follows
}

// of returns the type of an expression here.
func (c *fn) of(e ast.Expr) types.Type { return c.subst(c.info.TypeOf(e), c.env) }

func (c *fn) tempName() string { return fmt.Sprint("t", mark, c.number()) }

// expr writes e as a value of its type, erased if that is.
func (c *fn) expr(e ast.Expr) string {
	text, solid := c.raw(e)
	if t := c.of(e); solid && c.erased(t) {
		return c.up(text, t)
	}
	return text
}

// solid writes e as a value of its type, not erased.
func (c *fn) solid(e ast.Expr) string {
	text, solid := c.raw(e)
	return c.solidText(text, c.of(e), solid)
}

func (c *fn) solidText(text string, t types.Type, solid bool) string {
	if solid || !c.erased(t) {
		return text
	}
	return c.down(text, t)
}

// up erases.
func (c *fn) up(text string, t types.Type) string {
	return c.helper("up", t, func(name string) string {
		st := c.solidType(t)
		return fmt.Sprintf("func %s(x %s) interface{} { if x == nil { return nil }; return x }\n", name, st)
	}) + "(" + text + ")"
}

// down is the opposite of up.
func (c *fn) down(text string, t types.Type) string {
	return c.helper("down", t, func(name string) string {
		st := c.solidType(t)
		return fmt.Sprintf("func %s(x interface{}) %s { if x == nil { return nil }; return x.(%s) }\n", name, st, st)
	}) + "(" + text + ")"
}

// helper declares a function about a type once.
func (p *printer) helper(what string, t types.Type, make func(name string) string) string {
	key := fmt.Sprint(what, p.describe(t).id)
	name, ok := p.helpers[key]
	if !ok {
		name = fmt.Sprint(what, mark, p.number())
		p.helpers[key] = name
		p.undo(func() { delete(p.helpers, key) })
		text := make(name)
		p.decls.WriteString(text)
	}
	return name
}

// raw writes e; solid says that the text is a value that is not erased though its type is.
func (c *fn) raw(e ast.Expr) (text string, solid bool) {
	tv := c.info.Types[e]
	if tv.Value != nil {
		return c.constant(e.Pos(), tv.Value, c.of(e)), false
	}
	if tv.IsNil() {
		return "nil", false
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		text, solid := c.raw(e.X)
		if _, isLit := ast.Unparen(e.X).(*ast.CompositeLit); isLit {
			return "(" + text + ")", solid // in an if statement, say
		}
		return text, solid // what needs parentheses has them; yaegi goes wrong with more
	case *ast.Ident:
		return c.ident(e), false
	case *ast.FuncLit:
		return c.funcLit(e), true
	case *ast.CompositeLit:
		return c.composite(e, c.of(e)), true
	case *ast.SelectorExpr:
		return c.selector(e)
	case *ast.IndexExpr:
		return c.index(e), false
	case *ast.IndexListExpr:
		return c.instance(e.X), true
	case *ast.SliceExpr:
		x := c.solid(e.X)
		parts := []string{"", ""}
		for i, b := range []ast.Expr{e.Low, e.High, e.Max} {
			if b == nil {
				continue
			}
			if i == 2 {
				parts = append(parts, "")
			}
			parts[i] = c.expr(b)
		}
		return x + "[" + strings.Join(parts, ":") + "]", true
	case *ast.StarExpr:
		return "(*" + c.solid(e.X) + ")", false
	case *ast.TypeAssertExpr:
		return c.assertion(e, false), false
	case *ast.CallExpr:
		return c.call(e)
	case *ast.UnaryExpr:
		return c.unary(e)
	case *ast.BinaryExpr:
		return c.binary(e), false
	}
	c.fail(e.Pos(), "this expression (%T)", e)
	return "", false
}

// constant writes a constant of type t.
func (c *fn) constant(pos token.Pos, v constant.Value, t types.Type) string {
	if types.IsInterface(t) {
		t = types.Default(defaultOf(v))
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		c.fail(pos, "a constant of type %s", t)
	}
	b = types.Default(b).(*types.Basic)
	name := c.typ(t)
	lit := ""
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		lit = strconv.FormatBool(constant.BoolVal(v))
		if name == "bool" {
			return lit
		}
	case info&types.IsString != 0:
		lit = strconv.Quote(constant.StringVal(v))
		if name == "string" {
			return lit
		}
	case info&types.IsInteger != 0:
		lit = constant.ToInt(v).ExactString()
		if name == "int" {
			if strings.HasPrefix(lit, "-") {
				return "(" + lit + ")"
			}
			return lit
		}
	case info&types.IsFloat != 0:
		lit = floatLit(constant.ToFloat(v), b.Kind())
	case info&types.IsComplex != 0:
		v = constant.ToComplex(v)
		part, whole := "float64", "complex128"
		kind := types.Float64
		if b.Kind() == types.Complex64 {
			part, whole, kind = "float32", "complex64", types.Float32
		}
		lit = fmt.Sprintf("complex(%s(%s), %s(%s))", part, floatLit(constant.Real(v), kind), part, floatLit(constant.Imag(v), kind))
		if name == whole {
			return lit
		}
	case b.Kind() == types.UnsafePointer:
		lit = constant.ToInt(v).ExactString()
		return name + "(uintptr(" + lit + "))"
	}
	return name + "(" + lit + ")"
}

func defaultOf(v constant.Value) types.Type {
	switch v.Kind() {
	case constant.Bool:
		return types.Typ[types.Bool]
	case constant.String:
		return types.Typ[types.String]
	case constant.Int:
		return types.Typ[types.Int]
	case constant.Float:
		return types.Typ[types.Float64]
	}
	return types.Typ[types.Complex128]
}

func floatLit(v constant.Value, k types.BasicKind) string {
	bits := 64
	f, _ := constant.Float64Val(v)
	if k == types.Float32 {
		bits = 32
		f32, _ := constant.Float32Val(v)
		f = float64(f32)
	}
	if math.IsInf(f, 0) {
		return v.ExactString()
	}
	s := strconv.FormatFloat(f, 'g', -1, bits)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

func (c *fn) ident(id *ast.Ident) string {
	obj := c.info.Uses[id]
	if obj == nil {
		obj = c.info.Defs[id]
	}
	switch obj := obj.(type) {
	case *types.Var:
		return c.variable(obj)
	case *types.Func:
		return c.funcValue(id, obj)
	case nil:
		if id.Name == "_" {
			return "_"
		}
	}
	c.fail(id.Pos(), "the name %s here", id.Name)
	return ""
}

// variable returns the name of a variable.
func (c *fn) variable(v *types.Var) string {
	if v.Pkg() == c.prog.Guard {
		return "(*" + c.flag(v.Name()) + ")"
	}
	if name, ok := c.vars[v]; ok {
		return name
	}
	if ext := c.outside[v]; ext != nil {
		return c.external(ext)
	}
	if pkg := v.Pkg(); pkg != nil && v.Parent() == pkg.Scope() {
		if strings.Contains(pkg.Path(), "·zero·") {
			return "(*new(" + c.typ(v.Type()) + "))"
		}
		return c.compiledVariable(v)
	}
	return local(v.Name())
}

// compiledVariable returns a variable of a compiled package. yaegi takes one of a basic type for a constant, so it is
// reached by its address.
func (c *fn) compiledVariable(v *types.Var) string {
	if _, basic := v.Type().Underlying().(*types.Basic); !basic {
		return c.qualified(v.Pkg(), v.Name())
	}
	name := fmt.Sprint(letters(v.Pkg().Name()), mark, v.Name(), mark, c.number())
	t := c.typ(v.Type())
	fmt.Fprintf(&c.decls, "var %s *%s\n", name, t)
	fmt.Fprintf(&c.init, "%s = %s(%q, %q).(*%s)\n", name, c.host("Address"), v.Pkg().Path(), v.Name(), t)
	c.vars[v] = "(*" + name + ")"
	c.undo(func() { delete(c.vars, v) })
	return c.vars[v]
}

// local is the name of a local variable: not one of yaegi's own.
func local(name string) string {
	if types.Universe.Lookup(name) != nil || name == "init" || name == "main" {
		return name + mark
	}
	return letters(name)
}

// funcValue writes a function of a package, called or not.
func (c *fn) funcValue(id *ast.Ident, obj *types.Func) string {
	var targs []types.Type
	if inst, ok := c.info.Instances[id]; ok {
		for a := range inst.TypeArgs.Types() {
			targs = append(targs, c.subst(a, c.env))
		}
	}
	return c.funcName(id.Pos(), obj.Origin(), targs)
}

func (c *fn) funcName(pos token.Pos, obj *types.Func, targs []types.Type) string {
	if f := c.function(obj, targs); f != nil {
		if c.self != nil {
			c.self.deps[f] = 0
		}
		return c.reference(f)
	}
	if obj.Pkg() == c.prog.Guard {
		return c.host(strings.ToUpper(obj.Name()[:1]) + strings.TrimSuffix(obj.Name()[1:], "·"))
	}
	if len(targs) > 0 {
		c.fail(pos, "the generic function %s.%s, which has no source here,", obj.Pkg().Name(), obj.Name())
	}
	return c.qualified(obj.Pkg(), obj.Name())
}

// instance writes the generic function that x names, with the type arguments that were found for it.
func (c *fn) instance(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return c.ident(x)
	case *ast.SelectorExpr:
		return c.ident(x.Sel)
	case *ast.ParenExpr:
		return c.instance(x.X)
	}
	c.fail(x.Pos(), "this generic function")
	return ""
}

func (c *fn) index(e *ast.IndexExpr) string {
	if _, ok := c.info.TypeOf(e.X).Underlying().(*types.Signature); ok {
		return c.instance(e.X)
	}
	t := c.of(e.X)
	if m, ok := t.Underlying().(*types.Map); ok {
		return c.solid(e.X) + "[" + c.conv(e.Index, m.Key()) + "]"
	}
	if _, ok := t.Underlying().(*types.Pointer); ok { // to an array: yaegi takes no address of p[i]
		return "(*" + c.solid(e.X) + ")[" + c.expr(e.Index) + "]"
	}
	return c.solid(e.X) + "[" + c.expr(e.Index) + "]"
}

func (c *fn) unary(e *ast.UnaryExpr) (string, bool) {
	switch e.Op {
	case token.AND:
		x := ast.Unparen(e.X)
		if lit, ok := x.(*ast.CompositeLit); ok {
			return c.addressOf(lit, c.of(lit)), true
		}
		return "(&" + c.expr(x) + ")", true
	case token.ARROW:
		return "(<-" + c.solid(e.X) + ")", false
	}
	return "(" + e.Op.String() + c.expr(e.X) + ")", false
}

// addressOf writes &lit.
func (c *fn) addressOf(lit *ast.CompositeLit, t types.Type) string {
	if _, ok := t.Underlying().(*types.Struct); ok {
		if _, compiled := c.compiledNamed(t); !compiled {
			return "(&" + c.composite(lit, t) + ")"
		}
	}
	name := c.helper("new", t, func(name string) string {
		return fmt.Sprintf("func %s(x %s) *%s { y := x; return &y }\n", name, c.typ(t), c.typ(t))
	})
	text := c.composite(lit, t)
	if c.erased(t) {
		text = c.up(text, t)
	}
	return name + "(" + text + ")"
}

func (c *fn) binary(e *ast.BinaryExpr) string {
	switch e.Op {
	case token.EQL, token.NEQ:
		return c.equality(e.Op, e.X, e.Y)
	case token.SHL, token.SHR:
		x := c.expr(e.X)
		if c.info.Types[e.X].Value != nil { // yaegi gives 1 << n no type where an interface is wanted
			x = c.typ(c.of(e.X)) + "(" + x + ")"
		}
		return "(" + x + " " + e.Op.String() + " " + c.shiftCount(e.Y) + ")"
	}
	return "(" + c.expr(e.X) + " " + e.Op.String() + " " + c.expr(e.Y) + ")"
}

// shiftCount writes how far to shift. For yaegi a negative count is a very large one.
func (c *fn) shiftCount(e ast.Expr) string {
	if v := c.info.Types[e].Value; v != nil {
		return constant.ToInt(v).ExactString()
	}
	if b, ok := c.of(e).Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned == 0 {
		return c.host("ShiftCount") + "(int64(" + c.expr(e) + "))"
	}
	return c.expr(e)
}

// equality writes x == y. Interface values are compared as what they hold.
func (c *fn) equality(op token.Token, x, y ast.Expr) string {
	xt, yt := c.of(x), c.of(y)
	xNil, yNil := c.info.Types[x].IsNil(), c.info.Types[y].IsNil()
	if xNil {
		x, y, xt, yt, xNil, yNil = y, x, yt, xt, yNil, xNil
	}
	if xNil && yNil {
		return strconv.FormatBool(op == token.EQL)
	}
	if yNil {
		return "(" + c.expr(x) + " " + op.String() + " nil)"
	}
	if types.IsInterface(xt) || types.IsInterface(yt) {
		any := types.Universe.Lookup("any").Type()
		text := c.host("Equal") + "(" + c.conv(x, any) + ", " + c.conv(y, any) + ")"
		if op == token.NEQ {
			return "(!" + text + ")"
		}
		return text
	}
	switch xt.Underlying().(type) {
	case *types.Struct, *types.Array:
		text := c.host("Equal") + "(" + c.expr(x) + ", " + c.expr(y) + ")"
		if op == token.NEQ {
			return "(!" + text + ")"
		}
		return text
	}
	return "(" + c.expr(x) + " " + op.String() + " " + c.expr(y) + ")"
}

// composite writes a composite literal of type t, whose own type may be left out.
func (c *fn) composite(lit *ast.CompositeLit, t types.Type) string {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		return c.addressOf(lit, ptr.Elem())
	}
	var b strings.Builder
	b.WriteString(c.solidType(t) + "{")
	switch u := t.Underlying().(type) {
	case *types.Struct:
		_, compiled := c.compiledNamed(t)
		for i, x := range lit.Elts {
			field := i
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
				for j := range u.NumFields() {
					if u.Field(j).Name() == kv.Key.(*ast.Ident).Name {
						field = j
					}
				}
			}
			name := u.Field(field).Name()
			if !compiled {
				name = fieldName(u, field)
			}
			value := c.element(x, u.Field(field).Type())
			if u.Field(field).Name() == "_" { // it stays zero, but what is written for it is evaluated
				if c.info.Types[x].Value != nil {
					continue
				}
				t := c.typ(c.subst(u.Field(field).Type(), c.env))
				value = fmt.Sprintf("func(_ %s) (zero %s) { return }(%s)", t, t, value)
			}
			fmt.Fprintf(&b, "%s: %s, ", name, value)
		}
	case *types.Map:
		for _, x := range lit.Elts {
			kv := x.(*ast.KeyValueExpr)
			fmt.Fprintf(&b, "%s: %s, ", c.element(kv.Key, u.Key()), c.element(kv.Value, u.Elem()))
		}
	case *types.Slice:
		c.elements(&b, lit.Elts, u.Elem())
	case *types.Array:
		c.elements(&b, lit.Elts, u.Elem())
	default:
		c.fail(lit.Pos(), "a literal of type %s", t)
	}
	b.WriteString("}")
	return b.String()
}

func (c *fn) elements(b *strings.Builder, elts []ast.Expr, elem types.Type) {
	for _, x := range elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			fmt.Fprintf(b, "%s: ", constant.ToInt(c.info.Types[kv.Key].Value).ExactString())
			x = kv.Value
		}
		b.WriteString(c.element(x, elem) + ", ")
	}
}

// element writes a part of a composite literal.
func (c *fn) element(x ast.Expr, t types.Type) string {
	t = c.subst(t, c.env)
	if lit, ok := x.(*ast.CompositeLit); ok && lit.Type == nil {
		text := c.composite(lit, t)
		if c.erased(t) {
			return c.up(text, t)
		}
		return text
	}
	if c.info.Types[x].IsNil() && types.IsInterface(t) {
		return c.null(t) // yaegi fails at a nil in a list of interfaces that have methods
	}
	return c.conv(x, t)
}

// assertion writes x.(T), as a call that returns the value, or the value and a bool.
func (c *fn) assertion(e *ast.TypeAssertExpr, ok bool) string {
	t := c.of(e.Type)
	x := c.conv(e.X, types.Universe.Lookup("any").Type())
	what := "must"
	if ok {
		what = "as"
	}
	from := c.describe(c.of(e.X))
	return c.helper(fmt.Sprint(what, from.id, "_"), t, func(name string) string {
		d, st := c.describeForTest(t), c.typ(t)
		if !types.IsInterface(t) || c.dynamic(t) {
			value := "v"
			if st != "interface{}" {
				value = "v.(" + st + ")"
			}
			if ok {
				return fmt.Sprintf("func %s(x interface{}) (r %s, ok bool) { var v interface{}; v, ok = %s(%d, x); if ok && v != nil { r = %s }; return r, ok }\n", name, st, c.host("Test"), d.id, value)
			}
			return fmt.Sprintf("func %s(x interface{}) (r %s) { var v interface{} = %s(%d, %d, x); if v != nil { r = %s }; return r }\n", name, st, c.host("Must"), d.id, from.id, value)
		}
		if ok {
			return fmt.Sprintf("func %s(x interface{}) (r %s, ok bool) { var v interface{}; v, ok = %s(%d, x); if ok { r = v.(%s) }; return r, ok }\n", name, st, c.host("Test"), d.id, st)
		}
		return fmt.Sprintf("func %s(x interface{}) (r %s) { var v interface{} = %s(%d, %d, x); r = v.(%s); return r }\n", name, st, c.host("Must"), d.id, from.id, st)
	}) + "(" + x + ")"
}
