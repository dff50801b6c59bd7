package interp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"sync"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// A method that a cell gives to a generic type of an earlier one is checked as a generic function: its type parameters
// are the receiver's, constrained as the type's declaration says. An instance of the type copies the methods of its
// generic type when they are asked for, and remembers them: the instances that exist are made to forget.

// typeParams writes the type parameters of a method's receiver as those of a function; w is the declaration of the
// type. It returns nil when the receiver does not name as many as the type has.
func typeParams(decl *ast.FuncDecl, written string) *ast.FieldList {
	recv := decl.Recv.List[0].Type
	if p, ok := recv.(*ast.StarExpr); ok {
		recv = p.X
	}
	var names []*ast.Ident
	add := func(x ast.Expr) {
		if id, ok := x.(*ast.Ident); ok {
			names = append(names, id)
		}
	}
	switch x := recv.(type) {
	case *ast.IndexExpr:
		add(x.Index)
	case *ast.IndexListExpr:
		for _, i := range x.Indices {
			add(i)
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+written, parser.SkipObjectResolution)
	if err != nil || len(file.Decls) != 1 {
		return nil
	}
	spec, ok := file.Decls[0].(*ast.GenDecl).Specs[0].(*ast.TypeSpec)
	if !ok || spec.TypeParams.NumFields() != len(names) {
		return nil
	}
	list := &ast.FieldList{Opening: recv.Pos(), Closing: recv.Pos()}
	called := map[string]string{} // what the type's declaration calls a parameter, as the method does
	i := 0
	for _, f := range spec.TypeParams.List {
		for _, id := range f.Names {
			if names[i].Name == "_" {
				names[i].Name = id.Name + "·unused"
			}
			called[id.Name] = names[i].Name
			list.List = append(list.List, &ast.Field{Names: []*ast.Ident{syntax.IdentAt(names[i].Name, names[i].Pos())}, Type: f.Type})
			i++
		}
	}
	for _, f := range spec.TypeParams.List {
		ast.Inspect(f.Type, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				n.Sel.NamePos = recv.Pos()
				if x, ok := n.X.(*ast.Ident); ok {
					x.NamePos = recv.Pos()
				}
				return false
			case *ast.Ident:
				n.NamePos = recv.Pos()
				if name, ok := called[n.Name]; ok {
					n.Name = name
				}
			}
			return true
		})
	}
	return list
}

// What go/types remembers of an instance.
var (
	namedInstance   = unexported.Of[types.Named]("inst", nil)
	namedState      = unexported.Of[types.Named]("state_", reflect.TypeFor[uint32]())
	instanceMethods = unexported.In(unexported.Elem(namedInstance.Type), "expandedMethods", reflect.TypeFor[int]())
	instanceContext = unexported.In(unexported.Elem(namedInstance.Type), "ctxt", reflect.TypeFor[*types.Context]())
	receiverParams  = unexported.Of[types.Signature]("rparams", reflect.TypeFor[*types.TypeParamList]())
	signatureScope  = unexported.Of[types.Signature]("scope", reflect.TypeFor[*types.Scope]())
)

// hasMethods is the bit of an instance's state that says that it has copied all methods; 0 where this version of
// go/types is another than those known. It is found by looking at an instance before and after.
var hasMethods = sync.OnceValue(func() uint32 {
	for _, f := range []*unexported.Field{unexported.NamedMethods, namedInstance, namedState, instanceMethods, instanceContext, receiverParams, signatureScope} {
		if f.Type == nil {
			return 0
		}
	}
	const src = "package p; type G[T any] struct{}; func (G[T]) M() {}; type I = G[int]"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, 0)
	if err != nil {
		return 0
	}
	pkg, err := new(types.Config).Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		return 0
	}
	inst := types.Unalias(pkg.Scope().Lookup("I").Type()).(*types.Named)
	inst.Underlying()
	before := *unexported.At[uint32](unsafe.Pointer(inst), namedState)
	inst.Method(0)
	bit := *unexported.At[uint32](unsafe.Pointer(inst), namedState) &^ before
	if bit == 0 || bit&(bit-1) != 0 {
		return 0
	}
	forgetMethods(inst, bit)
	if *unexported.At[uint32](unsafe.Pointer(inst), namedState) != before || inst.Method(0).Name() != "M" {
		return 0
	}
	return bit
})

// forgetMethods lets an instance copy the methods of its generic type again.
func forgetMethods(inst *types.Named, bit uint32) {
	*unexported.MethodsOf(inst) = nil
	in := *unexported.At[unsafe.Pointer](unsafe.Pointer(inst), namedInstance)
	*unexported.At[int](in, instanceMethods) = 0
	*unexported.At[*types.Context](in, instanceContext) = types.NewContext()
	*unexported.At[uint32](unsafe.Pointer(inst), namedState) &^= bit
}

// instances walks types for the instances of generic types.
type instances struct {
	of    map[*types.Named]bool // the generic types
	seen  map[types.Type]bool
	found []*types.Named
}

// forgetInstances makes the instances of the generic types among bases, wherever the session or c know them, forget
// their methods. Its cost grows with the session's code; only a cell with such methods pays it.
func (s *Session) forgetInstances(bases []*types.Named, c *checked) {
	w := &instances{of: map[*types.Named]bool{}, seen: map[types.Type]bool{}}
	for _, b := range bases {
		if b.TypeParams().Len() > 0 {
			w.of[b] = true
		}
	}
	if len(w.of) == 0 {
		return
	}
	for _, obj := range s.names {
		w.walk(obj.Type())
	}
	for v := range s.bound {
		w.walk(v.Type())
	}
	for _, u := range s.units {
		if u != nil && u.Pkg.Path() == engine.CellPath {
			w.walkInfo(u.Info)
		}
	}
	if c != nil {
		w.walkInfo(c.info)
	}
	if e, ok := s.engine.(interface{ Known(func(types.Type)) }); ok {
		e.Known(w.walk)
	}
	for _, inst := range w.found {
		forgetMethods(inst, hasMethods())
	}
}

func (w *instances) walkInfo(info *types.Info) {
	for _, tv := range info.Types {
		w.walk(tv.Type)
	}
	for _, objs := range []map[*ast.Ident]types.Object{info.Defs, info.Uses} {
		for _, obj := range objs {
			if obj != nil {
				w.walk(obj.Type())
			}
		}
	}
	for _, inst := range info.Instances {
		w.walk(inst.Type)
	}
	for _, sel := range info.Selections {
		w.walk(sel.Recv())
		w.walk(sel.Obj().Type())
	}
}

func (w *instances) walk(t types.Type) {
	if t == nil || w.seen[t] {
		return
	}
	w.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		w.walk(types.Unalias(t))
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			w.walk(a)
		}
		if t.Obj().Pkg() == nil || t.Obj().Pkg().Path() != engine.CellPath {
			return
		}
		w.walk(t.Underlying())
		if t.Origin() != t && w.of[t.Origin()] {
			w.found = append(w.found, t)
			for _, m := range *unexported.MethodsOf(t) { // those that it has copied, no others
				if m != nil {
					w.walk(m.Type())
				}
			}
			return
		}
		for m := range t.Methods() {
			w.walk(m.Type())
		}
	case *types.TypeParam:
		w.walk(t.Constraint())
	case *types.Map:
		w.walk(t.Key())
		w.walk(t.Elem())
	case interface{ Elem() types.Type }:
		w.walk(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			w.walk(v.Type())
		}
	case *types.Signature:
		if t.Recv() != nil {
			w.walk(t.Recv().Type())
		}
		w.walk(t.Params())
		w.walk(t.Results())
	case *types.Interface:
		for m := range t.Methods() {
			w.walk(m.Type())
		}
		for e := range t.EmbeddedTypes() {
			w.walk(e)
		}
	case *types.Union:
		for i := range t.Len() {
			w.walk(t.Term(i).Type())
		}
	case *types.Struct:
		for f := range t.Fields() {
			w.walk(f.Type())
		}
	}
}
