package interp

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/operators"
)

// Functions of arrays take any where they take an array, a number, a slice: Go has no narrower type for these. Their
// declarations call it ArrayLike, so that a cell that passes what can never be one is refused before it runs, at the
// argument.

// arrayLike is how the declarations name that type.
const arrayLike = "ArrayLike"

// neverArrays returns the errors of arguments of a cell that no function of arrays can take for an array.
func (s *Session) neverArrays(c *checked) (errs []types.Error) {
	ast.Inspect(c.File, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Ellipsis.IsValid() {
			return true
		}
		name, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return true
		}
		fn, ok := c.info.Uses[name.Sel].(*types.Func)
		if !ok || fn.Pkg() == nil || !s.operators.Knows(fn.Pkg().Path()) {
			return true
		}
		params := fn.Signature().Params()
		for i, arg := range call.Args {
			t := c.info.Types[arg].Type
			at := min(i, params.Len()-1)
			if at < 0 || !s.operators.Never(t) {
				continue
			}
			param, ok := s.arrayLikeParam(fn, at)
			if !ok {
				continue
			}
			errs = append(errs, types.Error{Fset: s.fset, Pos: arg.Pos(), Msg: fmt.Sprintf("%s takes an array, a number or a slice of numbers as %s, not %s",
				types.ExprString(name), param, operators.Describe(t))})
		}
		return true
	})
	return errs
}

// arrayLikeParam returns the name of a function's parameter that is declared as [arrayLike].
func (s *Session) arrayLikeParam(fn *types.Func, i int) (name string, ok bool) {
	f, ok := s.assistant.Form(fn, nil)
	if !ok {
		return "", false
	}
	name, typ, _ := strings.Cut(f.Params[i], " ")
	return name, strings.TrimPrefix(typ[strings.LastIndexByte(typ, '.')+1:], "...") == arrayLike
}
