package engine

import (
	"go/ast"
	"go/types"
)

// Needs is what a piece of syntax needs from outside itself.
type Needs struct {
	Objs    []types.Object // functions, methods and variables of packages
	Types   []types.Type
	Args    []types.Type // of generic functions and types
	Invokes []string     // names of methods called through interfaces
}

// NeedsOf walks syntax once.
func NeedsOf(info *types.Info, root ast.Node) *Needs {
	r := &Needs{}
	objs, typs, names := map[types.Object]bool{}, map[types.Type]bool{}, map[string]bool{}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			for a := range info.Instances[n].TypeArgs.Types() {
				r.Args = append(r.Args, a)
			}
			if obj := info.Uses[n]; obj != nil && obj.Pkg() != nil && !objs[obj] {
				switch obj := obj.(type) {
				case *types.Func:
					objs[obj], r.Objs = true, append(r.Objs, obj)
				case *types.Var:
					if !obj.IsField() && obj.Parent() != nil && (obj.Parent() == obj.Pkg().Scope() || obj.Parent().Parent() == types.Universe) {
						objs[obj], r.Objs = true, append(r.Objs, obj)
					}
				case *types.TypeName:
					typs[obj.Type()] = true
				}
			}
		case *ast.SelectorExpr:
			if sel := info.Selections[n]; sel != nil && sel.Kind() != types.FieldVal && types.IsInterface(sel.Recv()) && !names[n.Sel.Name] {
				names[n.Sel.Name] = true
				r.Invokes = append(r.Invokes, n.Sel.Name)
			}
		}
		if x, ok := n.(ast.Expr); ok {
			if t := info.Types[x].Type; t != nil {
				typs[t] = true
			}
		}
		return true
	})
	for t := range typs {
		if _, basic := t.(*types.Basic); !basic {
			r.Types = append(r.Types, t)
		}
	}
	return r
}

// Needs returns what the function decl of u needs; it is found once.
func (u *Unit) Needs(decl *ast.FuncDecl) *Needs {
	if u.needs[decl] == nil {
		if u.needs == nil {
			u.needs = map[*ast.FuncDecl]*Needs{}
		}
		u.needs[decl] = NeedsOf(u.Info, decl)
	}
	return u.needs[decl]
}

// ForgetNeeds has what the functions of u need found again, as their names mean something else.
func (u *Unit) ForgetNeeds() { u.needs = nil }

// IsInit reports whether fn is a function that runs when its package is initialised; a method may have the name too.
func IsInit(fn *ast.FuncDecl) bool { return fn.Recv == nil && fn.Name.Name == "init" }
