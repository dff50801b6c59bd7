package interp

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
)

// quiet reports whether the last expression is a call whose results say no more than whether it went well: a single
// error, or the n and err of something that prints or writes. They are shown only when the error is not nil.
func (c *checked) quiet() bool {
	if c.Last == nil {
		return false
	}
	call, ok := ast.Unparen(c.Value).(*ast.CallExpr)
	if !ok {
		return false
	}
	isError := func(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }
	results, ok := c.info.TypeOf(call).(*types.Tuple)
	if !ok {
		return isError(c.info.TypeOf(call))
	}
	return results.Len() == 2 && typeinfo.IsInteger(results.At(0).Type()) && isError(results.At(1).Type()) && writes(call.Fun)
}

// list returns the expressions of a cell that ends with several, nil for other cells.
func (c *checked) list() []ast.Expr {
	if c.Src.List == 0 || len(c.Items) == 0 {
		return nil
	}
	if st, ok := c.Items[len(c.Items)-1].Stmt.(*ast.ExprStmt); ok {
		if call, ok := st.X.(*ast.CallExpr); ok {
			return call.Args
		}
	}
	return nil
}

// fails reports whether the last of the values that the cell shows is an error, or nil: of a call of several results,
// or of a list of expressions.
func (c *checked) fails() bool {
	if list := c.list(); len(list) > 1 {
		t := c.info.TypeOf(list[len(list)-1])
		return t != nil && (types.Identical(t, types.Universe.Lookup("error").Type()) || t == types.Typ[types.UntypedNil])
	}
	if c.Value == nil {
		return false
	}
	results, ok := c.info.TypeOf(c.Value).(*types.Tuple)
	return ok && results.Len() > 1 && types.Identical(results.At(results.Len()-1).Type(), types.Universe.Lookup("error").Type())
}

// runes reports whether the type of the last expression is written with the word rune: values of such types are
// characters, which their type at run time, int32, does not tell.
func (c *checked) runes() bool {
	if c.Value == nil {
		return false
	}
	t := c.info.TypeOf(c.Value)
	return t != nil && mentionsRune(t, 0)
}

func mentionsRune(t types.Type, depth int) bool {
	if depth > 4 {
		return false
	}
	switch t := t.(type) {
	case *types.Basic:
		return t.Name() == "rune" || t.Kind() == types.UntypedRune
	case *types.Pointer:
		return mentionsRune(t.Elem(), depth+1)
	case *types.Slice:
		return mentionsRune(t.Elem(), depth+1)
	case *types.Array:
		return mentionsRune(t.Elem(), depth+1)
	case *types.Map:
		return mentionsRune(t.Key(), depth+1) || mentionsRune(t.Elem(), depth+1)
	case *types.Alias:
		return mentionsRune(t.Rhs(), depth+1)
	case *types.Named:
		return mentionsRune(t.Underlying(), depth+1)
	case *types.Tuple:
		for v := range t.Variables() {
			if mentionsRune(v.Type(), depth+1) {
				return true
			}
		}
	case *types.Struct:
		for f := range t.Fields() {
			if mentionsRune(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// writes reports whether a function is named as those that print or write are.
func writes(fn ast.Expr) bool {
	name := ""
	switch fn := ast.Unparen(fn).(type) {
	case *ast.Ident:
		name = fn.Name
	case *ast.SelectorExpr:
		name = fn.Sel.Name
	}
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "print") || strings.HasPrefix(name, "fprint") || strings.HasPrefix(name, "write")
}
