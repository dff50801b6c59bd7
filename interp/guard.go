package interp

import (
	"go/ast"
	"go/token"
	"go/types"
)

// The names that lowered cells use. The dot in them is not a letter, so a cell cannot write or shadow them.
const (
	entryName  = "cell·"   // the function that holds a cell's statements
	stopName   = "stop·"   // var bool: leave, at the next loop turn or call
	deadName   = "dead·"   // var bool: this run of this cell was given up
	atName     = "at·"     // var int: the declaring statements that have run
	exitName   = "exit·"   // func(): end this goroutine
	showName   = "show·"   // func(...any): display the cell's last expression
	ignoreName = "ignore·" // func(...any): evaluate and show nothing
	givenName  = "given·"  // func(int, any) any: what a callee gets in the place of a func; see Functions
	guardPath  = "guard·"  // the package that they belong to
)

// traced maps functions that end a process or a goroutine to names that do so with a trace. The engine gives a function
// its caller's frame only when it is called directly, not in go and defer statements or as a value.
var traced = map[string]string{"os.Exit": "osExit·", "syscall.Exit": "syscallExit·", "runtime.Goexit": "goexit·"}

// traceExits redirects the direct calls of such functions under root.
func traceExits(root ast.Node, info *types.Info, guard *types.Package) {
	ast.Inspect(root, func(n ast.Node) bool {
		st, ok := n.(*ast.ExprStmt)
		if !ok {
			return true
		}
		if c, ok := st.X.(*ast.CallExpr); ok {
			if sel, ok := c.Fun.(*ast.SelectorExpr); ok {
				if fn, ok := info.Uses[sel.Sel].(*types.Func); ok && traced[fn.FullName()] != "" {
					info.Uses[sel.Sel] = guard.Scope().Lookup(traced[fn.FullName()])
				}
			}
		}
		return true
	})
}

// newGuard returns the package of the names above, as the checker sees it.
func newGuard() *types.Package {
	pkg := types.NewPackage(guardPath, guardPath)
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
	variable(stopName, types.Typ[types.Bool])
	variable(deadName, types.Typ[types.Bool])
	variable(atName, types.Typ[types.Int])
	function(exitName, false)
	function(showName, true, values)
	function(ignoreName, true, values)
	function(traced["os.Exit"], false, types.Typ[types.Int])
	function(traced["syscall.Exit"], false, types.Typ[types.Int])
	function(traced["runtime.Goexit"], false)
	number, value := types.NewVar(token.NoPos, pkg, "n", types.Typ[types.Int]), types.NewVar(token.NoPos, pkg, "v", anyType)
	given := types.NewSignatureType(nil, nil, nil, types.NewTuple(number, value), types.NewTuple(types.NewVar(token.NoPos, pkg, "", anyType)), false)
	pkg.Scope().Insert(types.NewFunc(token.NoPos, pkg, givenName, given))
	pkg.MarkComplete()
	return pkg
}

func ident(name string, pos token.Pos) *ast.Ident { return &ast.Ident{Name: name, NamePos: pos} }

// call returns name(args) at pos.
func call(name string, pos token.Pos, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: ident(name, pos), Lparen: pos, Args: args, Rparen: pos}
}

// leaveIf returns: if flag { exit·() }
func leaveIf(flag string, pos token.Pos) ast.Stmt {
	return &ast.IfStmt{If: pos, Cond: ident(flag, pos), Body: &ast.BlockStmt{
		Lbrace: pos, List: []ast.Stmt{&ast.ExprStmt{X: call(exitName, pos)}}, Rbrace: pos,
	}}
}
