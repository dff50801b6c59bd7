package operators

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Operators is the syntax of arrays, for array types that it knows by name.
type Operators struct {
	rank map[string]int // by import path, of the packages whose type *Array the operators work on; the lowest wins

	// Poll, if it is set, is called by [Operators.Rewrite] at every thousandth node. It may end that by a panic.
	Poll func()
}

// New returns operators on the types *Array of the packages with the given import paths. Where arrays of two of them
// meet, the first decides.
func New(paths ...string) *Operators {
	o := &Operators{rank: map[string]int{}}
	for i, p := range paths {
		o.rank[p] = i
	}
	return o
}

// Declare puts what [Operators.Parse] adds to a tree into a scope, for the checker.
func (o *Operators) Declare(pkg *types.Package) {
	anyType := types.Universe.Lookup("any").Type()
	function := func(name string) {
		param := types.NewVar(token.NoPos, pkg, "v", types.NewSlice(anyType))
		result := types.NewVar(token.NoPos, pkg, "", anyType)
		pkg.Scope().Insert(types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(nil, nil, nil, types.NewTuple(param), types.NewTuple(result), true)))
	}
	function(indexName)
	function(sliceName)
	pkg.Scope().Insert(types.NewVar(token.NoPos, pkg, noneName, anyType))
	pkg.Scope().Insert(types.NewVar(token.NoPos, pkg, dotsName, anyType))
}

// operator is how an operator is called: as a method of its left operand, and as a function where that is not an array.
type operator struct{ method, function string }

var binary = map[token.Token]operator{
	token.ADD: {"Add", "Add"}, token.SUB: {"Sub", "Sub"}, token.MUL: {"Mul", "Mul"}, token.QUO: {"Div", "Div"}, token.REM: {"Mod", "Mod"},
	token.AND: {"BitAnd", "BitAnd"}, token.OR: {"BitOr", "BitOr"}, token.XOR: {"BitXor", "BitXor"},
	token.SHL: {"LeftShift", "LeftShift"}, token.SHR: {"RightShift", "RightShift"},
	token.EQL: {"Equal", "Equal"}, token.NEQ: {"NotEqual", "NotEqual"}, token.LSS: {"Less", "Less"}, token.LEQ: {"LessEqual", "LessEqual"},
	token.GTR: {"Greater", "Greater"}, token.GEQ: {"GreaterEqual", "GreaterEqual"},
}

var unary = map[token.Token]string{token.SUB: "Neg", token.NOT: "LogicalNot", token.XOR: "Invert"}

// assigning maps x += y to its operator.
var assigning = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO, token.REM_ASSIGN: token.REM,
	token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR, token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR,
	token.AND_NOT_ASSIGN: token.AND_NOT,
}

// array is what is known of an expression that is an array.
type array struct {
	path string     // of the package
	typ  types.Type // *Array of that package
	own  types.Type // the expression's type where it is a named type on top of *Array, else nil
	emb  bool       // the expression is a struct that embeds *Array
}

// arrayOf says whether t is an array: a pointer to a type Array, a named type of such a pointer, or a struct, or
// pointer to one, that embeds one.
func (o *Operators) arrayOf(t types.Type) *array {
	if t == nil {
		return nil
	}
	if a := o.pointer(t); a != nil {
		return a
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		if a := o.pointer(named.Underlying()); a != nil {
			a.own = t
			return a
		}
	}
	base := t
	if p, ok := t.Underlying().(*types.Pointer); ok {
		base = p.Elem()
	}
	if st, ok := base.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			if a := o.pointer(f.Type()); a != nil && f.Embedded() {
				a.emb = true
				return a
			}
		}
	}
	return nil
}

// IsArray reports whether values of type t, which may be nil, are arrays to the operators.
func (o *Operators) IsArray(t types.Type) bool { return o.arrayOf(t) != nil }

func (o *Operators) pointer(t types.Type) *array {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return nil
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || named.Obj().Name() != "Array" || named.Obj().Pkg() == nil {
		return nil
	}
	path := named.Obj().Pkg().Path()
	if _, known := o.rank[path]; !known {
		return nil
	}
	return &array{path: path, typ: p}
}

// number reports whether values of type t may stand beside an array: numbers, bools, times, slices of them, and what is
// only known when it runs.
func number(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsNumeric|types.IsBoolean) != 0 || u.Kind() == types.Invalid
	case *types.Slice:
		return number(u.Elem())
	case *types.Array:
		return number(u.Elem())
	case *types.Interface:
		return true
	case *types.Struct:
		return types.TypeString(t, nil) == "time.Time"
	}
	return false
}

// text reports whether t is of strings, or of slices of them: they compare with arrays and are assigned to elements.
func text(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		return text(u.Elem())
	case *types.Array:
		return text(u.Elem())
	}
	return false
}

// Describe writes a type as a message says it.
func Describe(t types.Type) string {
	if t == nil {
		return "something whose type is not known"
	}
	if b, ok := t.(*types.Basic); ok {
		switch b.Kind() {
		case types.UntypedString:
			return "a string"
		case types.UntypedNil:
			return "nil"
		case types.Invalid:
			return "something whose type is not known"
		}
	}
	name := types.TypeString(t, func(p *types.Package) string { return p.Name() })
	if isInterface(t) {
		return "a value of type " + name
	}
	if strings.ContainsRune("aeiou", rune(name[0])) && !strings.HasPrefix(name, "uint") {
		return "an " + name
	}
	return "a " + name
}

func isNil(info *types.Info, e ast.Expr) bool {
	tv, ok := info.Types[e]
	return ok && tv.IsNil()
}
