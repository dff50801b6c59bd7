package syntax

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// TraceExits redirects the direct calls of such functions under root.
func TraceExits(root ast.Node, info *types.Info, guard *types.Package) {
	ast.Inspect(root, func(n ast.Node) bool {
		st, ok := n.(*ast.ExprStmt)
		if !ok {
			return true
		}
		if c, ok := st.X.(*ast.CallExpr); ok {
			if sel, ok := c.Fun.(*ast.SelectorExpr); ok {
				if fn, ok := info.Uses[sel.Sel].(*types.Func); ok && engine.Traced[fn.FullName()] != "" {
					info.Uses[sel.Sel] = guard.Scope().Lookup(engine.Traced[fn.FullName()])
				}
			}
		}
		return true
	})
}

// NewGuard returns the package of the names above, as the checker sees it.
func NewGuard() *types.Package {
	pkg := types.NewPackage(engine.GuardPath, engine.GuardPath)
	variable := func(name string, t types.Type) {
		pkg.Scope().Insert(types.NewVar(token.NoPos, pkg, name, t))
	}
	function := func(name string, variadic bool, params ...types.Type) {
		var vars []*types.Var
		for _, t := range params {
			vars = append(vars, types.NewVar(token.NoPos, pkg, "v", t))
		}
		sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), nil, variadic)
		pkg.Scope().Insert(types.NewFunc(token.NoPos, pkg, name, sig))
	}
	anyType := types.Universe.Lookup("any").Type()
	values := types.NewSlice(anyType)
	variable(engine.StopName, types.Typ[types.Bool])
	variable(engine.DeadName, types.Typ[types.Bool])
	variable(engine.AtName, types.Typ[types.Int])
	function(engine.ExitName, false)
	function(engine.ShowName, true, values)
	function(engine.IgnoreName, true, values)
	function(engine.Traced["os.Exit"], false, types.Typ[types.Int])
	function(engine.Traced["syscall.Exit"], false, types.Typ[types.Int])
	function(engine.Traced["runtime.Goexit"], false)
	number, value := types.NewVar(token.NoPos, pkg, "n", types.Typ[types.Int]), types.NewVar(token.NoPos, pkg, "v", anyType)
	given := types.NewSignatureType(nil, nil, nil, types.NewTuple(number, value), types.NewTuple(types.NewVar(token.NoPos, pkg, "", anyType)), false)
	pkg.Scope().Insert(types.NewFunc(token.NoPos, pkg, engine.GivenName, given))
	pkg.MarkComplete()
	return pkg
}

// IdentAt returns a name at pos.
func IdentAt(name string, pos token.Pos) *ast.Ident { return &ast.Ident{Name: name, NamePos: pos} }

// CallOf returns name(args) at pos.
func CallOf(name string, pos token.Pos, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: IdentAt(name, pos), Lparen: pos, Args: args, Rparen: pos}
}

// leaveIf returns: if flag { exit·() }
func leaveIf(flag string, pos token.Pos) ast.Stmt {
	return &ast.IfStmt{If: pos, Cond: IdentAt(flag, pos), Body: &ast.BlockStmt{
		Lbrace: pos, List: []ast.Stmt{&ast.ExprStmt{X: CallOf(engine.ExitName, pos)}}, Rbrace: pos,
	}}
}
