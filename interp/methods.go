package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// A cell may give methods to a type of an earlier cell, and replace those that it has. go/types takes methods in the
// package of their type alone, so such a method is checked as a function whose first parameter is the receiver, and put
// into the type before the bodies of the cell are checked. The type stays the same object: all that was declared with
// it has the new method. Its run-time type cannot grow; the engine makes another and gives it to the values that live.

// lateMethod is a method that a cell declares on a type of an earlier one.
type lateMethod struct {
	decl *ast.FuncDecl // as written
	fn   *ast.FuncDecl // as a function
	stub *ast.FuncDecl // its signature alone
	base *types.Named
	obj  *types.Func // the method, while it is in base
	old  *types.Func // what it replaces
}

// lateMethods finds the methods of l on types of earlier cells, and makes functions of them. The diagnostics are of
// those that cannot be had.
func (s *Session) lateMethods(l *lowered) (diags []Diagnostic) {
	seen := map[string]bool{}
	for i, d := range l.File.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || decl.Recv == nil || len(decl.Recv.List) != 1 || decl.Name.Name == "_" {
			continue
		}
		base := syntax.ReceiverBase(decl.Recv.List[0].Type)
		if base != nil {
			base = l.aliased(base)
		}
		if base == nil || l.Names[base.Name] {
			continue
		}
		tn, ok := s.names[base.Name].(*types.TypeName)
		if !ok {
			continue
		}
		named, msg := s.methodBase(tn, decl)
		if key := base.Name + "." + decl.Name.Name; msg == "" && seen[key] {
			msg = fmt.Sprintf("method %s is declared twice in this cell", key)
		} else {
			seen[key] = true
		}
		if msg != "" {
			diags = append(diags, l.Src.Diagnostic(l.Src.Offset(l.TextOffset(decl.Name.Pos())), msg))
			continue
		}
		m := &lateMethod{decl: decl, base: named}
		name := base.Name + "·" + decl.Name.Name
		m.fn = &ast.FuncDecl{Name: syntax.IdentAt(name, decl.Name.Pos()), Type: receiverFirst(decl), Body: decl.Body}
		if named.TypeParams().Len() > 0 {
			w := s.assistant.Wrote(base.Name)
			if m.fn.Type.TypeParams = typeParams(decl, w); m.fn.Type.TypeParams == nil {
				diags = append(diags, l.Src.Diagnostic(l.Src.Offset(l.TextOffset(base.Pos())), fmt.Sprintf(
					"the receiver must name the type parameters of %s, as in %s", base.Name, receiverForm(named))))
				continue
			}
		}
		m.stub = &ast.FuncDecl{Name: syntax.IdentAt(name+"·", decl.Name.Pos()), Type: m.fn.Type}
		if m.fn.Type.TypeParams != nil {
			at := decl.Name.Pos() // generic functions must have a body
			forever := &ast.ForStmt{For: at, Body: &ast.BlockStmt{Lbrace: at, Rbrace: at}}
			m.stub.Body = &ast.BlockStmt{Lbrace: at, List: []ast.Stmt{forever}, Rbrace: at}
		}
		l.late = append(l.late, m)
		l.File.Decls[i] = m.fn
	}
	return diags
}

// methodBase returns the type that decl is a method of, or why it cannot have one.
func (s *Session) methodBase(tn *types.TypeName, decl *ast.FuncDecl) (*types.Named, string) {
	name := decl.Name.Name
	t := types.Unalias(tn.Type())
	if p, ok := t.(*types.Pointer); ok && tn.IsAlias() {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	switch {
	case !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != engine.CellPath:
		return nil, fmt.Sprintf("cannot define the method %s on %s, which is not a type of a cell", name, tn.Name())
	case types.IsInterface(named):
		return nil, fmt.Sprintf("invalid receiver type %s (pointer or interface type)", tn.Name())
	case named.TypeArgs().Len() > 0:
		return nil, fmt.Sprintf("cannot define the method %s on %s, which is an instance of %s: give it to %[3]s", name, tn.Name(), named.Obj().Name())
	}
	if _, can := s.engine.(engine.Renewer); !can || named.TypeParams().Len() > 0 && hasMethods() == 0 {
		return nil, fmt.Sprintf("type %s was declared in an earlier cell%s; to give it the method %s, declare the type again in this cell together with all its methods",
			tn.Name(), s.cellOf(tn), name)
	}
	if st, ok := named.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			if f.Name() == name {
				return nil, fmt.Sprintf("field and method with the same name %s", name)
			}
		}
	}
	return named, ""
}

// aliased follows the aliases of the cell, type C = A, to what it does not declare as one.
func (l *lowered) aliased(name *ast.Ident) *ast.Ident {
	for range len(l.Names) { // they may go round in a circle
		spec := l.typeSpec(name.Name)
		if spec == nil || !spec.Assign.IsValid() || spec.TypeParams != nil {
			return name
		}
		x := ast.Unparen(spec.Type)
		if p, ok := x.(*ast.StarExpr); ok {
			x = ast.Unparen(p.X)
		}
		id, ok := x.(*ast.Ident)
		if !ok {
			return name
		}
		name = id
	}
	return name
}

// typeSpec is the cell's declaration of a type, nil for none.
func (l *lowered) typeSpec(name string) *ast.TypeSpec {
	if !l.Names[name] {
		return nil
	}
	for _, d := range l.File.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
			for _, spec := range g.Specs {
				if spec := spec.(*ast.TypeSpec); spec.Name.Name == name {
					return spec
				}
			}
		}
	}
	return nil
}

// receiverForm writes how the receiver of a generic type's method names the type: L[T].
func receiverForm(named *types.Named) string {
	var names []string
	for p := range named.TypeParams().TypeParams() {
		names = append(names, p.Obj().Name())
	}
	return named.Obj().Name() + "[" + strings.Join(names, ", ") + "]"
}

// receiverFirst is the type of a method as a function. The parameters get names where they have none, as Go wants them
// for all or for none.
func receiverFirst(decl *ast.FuncDecl) *ast.FuncType {
	list := append([]*ast.Field{decl.Recv.List[0]}, decl.Type.Params.List...)
	for _, f := range list {
		if len(f.Names) == 0 {
			f.Names = []*ast.Ident{syntax.IdentAt("_", f.Type.Pos())}
		}
	}
	params := *decl.Type.Params
	params.List = list
	return &ast.FuncType{Func: decl.Type.Func, Params: &params, Results: decl.Type.Results}
}

// checkWithMethods checks a cell that has late methods. go/types looks at types first, then at constants, variables and
// the signatures of functions in the order of the file, last at bodies: the methods are put into their types as soon as
// their signatures, which come first in the file, are known. So all else of the cell sees them, and they see all of its
// types.
func (s *Session) checkWithMethods(c *checked, conf *types.Config, around *types.Scope) {
	var bases []*types.Named
	file := *c.File
	pos := c.File.Name.End()
	unsafeImport := &ast.ImportSpec{Name: syntax.IdentAt(methodsUnsafe, pos), Path: &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: `"unsafe"`}}
	file.Decls = []ast.Decl{&ast.GenDecl{Tok: token.IMPORT, TokPos: pos, Specs: []ast.Spec{unsafeImport}}}
	for _, m := range c.late {
		bases = append(bases, m.base)
		file.Decls = append(file.Decls, m.stub)
	}
	size := &ast.CallExpr{
		Fun:    &ast.SelectorExpr{X: syntax.IdentAt(methodsUnsafe, pos), Sel: syntax.IdentAt("Sizeof", pos)},
		Lparen: pos, Args: []ast.Expr{syntax.IdentAt(methodsMark, pos)}, Rparen: pos,
	}
	mark := &ast.ValueSpec{Names: []*ast.Ident{syntax.IdentAt("_", pos)}, Values: []ast.Expr{size}}
	file.Decls = append(file.Decls, &ast.GenDecl{Tok: token.CONST, TokPos: pos, Specs: []ast.Spec{mark}})
	file.Decls = append(file.Decls, c.File.Decls...)

	c.undoes = append(c.undoes, func() { s.forgetInstances(bases, c) })
	known := func() {
		for _, m := range c.late {
			if sig := c.signature(m.stub); sig != nil {
				c.put(m, sig)
			}
		}
		s.forgetInstances(bases, c)
	}
	marked := types.NewStruct(nil, nil)
	around.Insert(types.NewVar(token.NoPos, s.guard, methodsMark, marked))
	conf.Sizes = &sizesUntil{Sizes: types.SizesFor("gc", "amd64"), of: marked, reached: known}
	types.NewChecker(conf, s.fset, c.pkg, c.info).Files([]*ast.File{&file})
	for _, m := range c.late {
		if sig := c.signature(m.fn); sig != nil && m.obj != nil {
			unexported.SetFuncType(m.obj, sig) // the variables of the signature are those of the body now
		}
	}
}

// The names with which a file says that the signatures before are known: unsafe·.Sizeof(methods·).
const methodsUnsafe, methodsMark = "unsafe·", "methods·"

// sizesUntil is the sizes that go/types asks for while it checks. It calls reached when it is first asked for the size
// of one type.
type sizesUntil struct {
	types.Sizes
	of      types.Type
	reached func()
}

// Sizeof implements types.Sizes.
func (z *sizesUntil) Sizeof(t types.Type) int64 {
	if t == z.of && z.reached != nil {
		reached := z.reached
		z.reached = nil
		reached()
	}
	return z.Sizes.Sizeof(t)
}

// signature is the type of a method that was checked as a function.
func (c *checked) signature(fn *ast.FuncDecl) *types.Signature {
	obj, ok := c.info.Defs[fn.Name].(*types.Func)
	if !ok || obj.Signature().Params().Len() == 0 {
		return nil
	}
	sig := obj.Signature()
	var params []*types.Var
	for i := 1; i < sig.Params().Len(); i++ {
		params = append(params, sig.Params().At(i))
	}
	method := types.NewSignatureType(sig.Params().At(0), nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())
	if sig.TypeParams().Len() > 0 { // which are the function's already, and may be nobody's else
		*unexported.At[*types.TypeParamList](unsafe.Pointer(method), receiverParams) = sig.TypeParams()
		*unexported.At[*types.Scope](unsafe.Pointer(method), signatureScope) = obj.Scope()
	}
	return method
}

// put adds the method to its type or replaces the one of its name.
func (c *checked) put(m *lateMethod, sig *types.Signature) {
	m.obj = types.NewFunc(m.decl.Name.Pos(), c.pkg, m.decl.Name.Name, sig)
	methods := unexported.MethodsOf(m.base)
	before := slices.Clone(*methods)
	c.undoes = append(c.undoes, func() { *methods = before })
	for i, old := range *methods {
		if old.Name() == m.obj.Name() {
			m.old = old
			list := slices.Clone(before)
			list[i] = m.obj
			*methods = list
			return
		}
	}
	m.base.AddMethod(m.obj)
}

// undo takes back what the check of the cell changed in earlier types. There is no check, and c is nil, when a method
// of theirs cannot be had.
func (c *checked) undo() {
	if c == nil {
		return
	}
	for _, f := range slices.Backward(c.undoes) {
		f()
	}
	c.undoes = nil
}

// adoptMethods ends the check of late methods that was without errors: the cell has them as methods again, and
// functions of earlier cells call a method's new form where its type has not changed. It returns the types that were
// changed.
func (s *Session) adoptMethods(c *checked) (changed []types.Type) {
	replaced := map[types.Object]types.Object{}
	for _, m := range c.late {
		c.File.Decls[slices.Index(c.File.Decls, ast.Decl(m.fn))] = m.decl
		c.info.Defs[m.decl.Name] = m.obj
		if m.old != nil && types.Identical(m.old.Type(), m.obj.Type()) {
			replaced[m.old] = m.obj
		}
		if !slices.Contains(changed, types.Type(m.base)) {
			changed = append(changed, m.base)
		}
	}
	if len(replaced) > 0 {
		s.replaceMethods(replaced)
		c.undoes = append(c.undoes, func() {
			back := map[types.Object]types.Object{}
			for old, obj := range replaced {
				back[obj] = old
			}
			s.replaceMethods(back)
		})
	}
	return changed
}

// replaceMethods lets the code of earlier cells mean other methods.
func (s *Session) replaceMethods(m map[types.Object]types.Object) {
	defer s.forgetBound()
	for _, u := range s.units {
		if u == nil || u.Pkg.Path() != engine.CellPath {
			continue
		}
		changed := replaceUses(u.Info, m)
		for _, sel := range u.Info.Selections {
			other := m[sel.Obj()]
			if fn, ok := sel.Obj().(*types.Func); ok && fn.Origin() != fn && m[fn.Origin()] != nil {
				other = methodOfInstance(fn)
			}
			if other != nil {
				*unexported.At[types.Object](unsafe.Pointer(sel), unexported.SelectionObj) = other
				changed = true
			}
		}
		if changed {
			u.ForgetNeeds()
		}
	}
}

// methodOfInstance is what the method fn of an instance has become.
func methodOfInstance(fn *types.Func) types.Object {
	t := fn.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	for now := range t.(*types.Named).Methods() {
		if now.Name() == fn.Name() {
			return now
		}
	}
	return nil
}

// renew has the engine make the run-time types of changed anew.
func (s *Session) renew(changed []types.Type) (engine.Renewal, error) {
	vars := make([]*engine.Var, 0, len(s.bound))
	for _, v := range s.bound {
		vars = append(vars, v)
	}
	return s.engine.(engine.Renewer).Renew(changed, vars)
}
