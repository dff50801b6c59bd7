package interp

import (
	"go/ast"
	"go/constant"
	"go/types"
	"iter"
	"reflect"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/supervise"
)

// A cell that only shows values that are there already, constants and variables, needs no engine: making a program of
// it and compiling that takes longer than all the rest of such a cell.

// direct returns the cell as code that shows what it names; nil for a cell that does more.
func (s *Session) direct(c *checked, show func(values []any)) engine.Code {
	if len(c.File.Decls) != 1 || len(c.Items) != 1 || c.Last == nil {
		return nil
	}
	call, ok := c.Last.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	if fn, ok := call.Fun.(*ast.Ident); !ok || fn.Name != engine.ShowName {
		return nil
	}
	value := s.directValue(c, call.Args[0])
	if value == nil {
		return nil
	}
	at := s.fset.Position(c.Value.Pos())
	return &shownCode{func() { show([]any{value()}) }, engine.Frame{Cell: c.Src.Cell, Line: at.Line}}
}

// directValue returns what reads the value of x, nil when x must be computed.
func (s *Session) directValue(c *checked, x ast.Expr) func() any {
	tv := c.info.Types[x]
	if tv.Value != nil {
		if v := constantValue(tv); v != nil {
			return func() any { return v }
		}
		return nil
	}
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := c.info.Uses[id].(*types.Var)
	if bound := s.bound[v]; bound != nil && showsAlone(v.Type()) {
		return func() any { return bound.Addr.Elem().Interface() }
	}
	return nil
}

// showsAlone reports whether the values of a type are shown without a call of cells' code: its panics have a trace that
// the engine alone knows.
func showsAlone(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		return showsAlone(t.Elem())
	case *types.Array:
		return showsAlone(t.Elem())
	case *types.Map:
		return showsAlone(t.Key()) && showsAlone(t.Elem())
	case *types.Pointer:
		named, ok := types.Unalias(t.Elem()).(*types.Named)
		return ok && showsAlone(named)
	case *types.Named:
		return t.Obj().Pkg() != nil && t.Obj().Pkg().Path() != engine.CellPath && t.TypeArgs().Len() == 0 && !types.IsInterface(t)
	}
	return false
}

// shownBasics are the types that constants have when they are shown.
var shownBasics = map[types.BasicKind]reflect.Type{
	types.Bool: reflect.TypeFor[bool](), types.String: reflect.TypeFor[string](),
	types.Int: reflect.TypeFor[int](), types.Int32: reflect.TypeFor[int32](), types.Int64: reflect.TypeFor[int64](),
	types.Float64: reflect.TypeFor[float64](),
}

// constantValue is the value of a constant expression of a type in shownBasics; nil for others.
func constantValue(tv types.TypeAndValue) any {
	basic, ok := types.Unalias(tv.Type).(*types.Basic)
	if !ok || shownBasics[basic.Kind()] == nil {
		return nil
	}
	v := reflect.New(shownBasics[basic.Kind()]).Elem()
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(constant.BoolVal(tv.Value))
	case reflect.String:
		v.SetString(constant.StringVal(tv.Value))
	case reflect.Float64:
		f, _ := constant.Float64Val(constant.ToFloat(tv.Value))
		v.SetFloat(f)
	default:
		n, exact := constant.Int64Val(constant.ToInt(tv.Value))
		if !exact {
			return nil
		}
		v.SetInt(n)
	}
	return v.Interface()
}

// shownCode is a cell without an engine.
type shownCode struct {
	show func()
	at   engine.Frame
}

// Run implements Code.
func (c *shownCode) Run() *engine.Failure {
	f := supervise.Func(c.show).Run()
	if f != nil {
		f.Trace = c.Where()
	}
	return f
}

// Where implements Code.
func (c *shownCode) Where() []engine.Frame { return []engine.Frame{c.at} }

// Var implements Code.
func (c *shownCode) Var(*types.Var) (reflect.Value, bool) { return reflect.Value{}, false }

// Vars implements engine.Code.
func (*shownCode) Vars() iter.Seq2[*types.Var, reflect.Value] {
	return func(func(*types.Var, reflect.Value) bool) {}
}
