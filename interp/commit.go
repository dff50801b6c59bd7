package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// unitOfCell finishes a checked cell for the engine: the places where variables get their values become assignments,
// and a variable that an earlier cell declared with the same type stays that variable, so that all who use it see the
// change.
func (s *Session) unitOfCell(c *checked) *engine.Unit {
	same := map[types.Object]types.Object{}
	for alias, obj := range c.aliases {
		same[alias] = obj
	}
	if !c.Src.Whole {
		for name := range c.Names {
			v, ok := c.pkg.Scope().Lookup(name).(*types.Var)
			if !ok {
				continue
			}
			if old, ok := s.names[name].(*types.Var); ok && types.Identical(old.Type(), v.Type()) {
				same[v] = old
			}
		}
	}
	c.same = same
	replaceUses(c.info, same)
	replaceUses(c.info, s.homes)
	syntax.TraceExits(c.File, c.info, s.guard)
	c.finishItems(s, same)
	if !c.Src.Whole {
		c.info.InitOrder = nil
	}
	u := &engine.Unit{Pkg: c.pkg, Info: c.info, Decls: c.File.Decls, Funcs: map[*types.Func]*ast.FuncDecl{}, Ready: true}
	for _, d := range u.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn != c.Entry {
			if obj, ok := c.info.Defs[fn.Name].(*types.Func); ok && !engine.IsInit(fn) && fn.Name.Name != "_" {
				u.Funcs[obj] = fn
			}
		}
	}
	u.Named = c.namesMore()
	return u
}

func replaceUses(info *types.Info, m map[types.Object]types.Object) (changed bool) {
	if len(m) == 0 {
		return false
	}
	for id, obj := range info.Uses {
		if other := m[obj]; other != nil {
			info.Uses[id], changed = other, true
		}
	}
	return changed
}

// finishItems writes the entry function's body, and the declarations of the variables that are new.
func (c *checked) finishItems(s *Session, same map[types.Object]types.Object) {
	order := map[types.Object]int{}
	for i, in := range c.info.InitOrder {
		for _, v := range in.Lhs {
			order[v] = i + 1
		}
	}
	c.orderGroups(order)
	var body []ast.Stmt
	var fresh []ast.Spec
	for _, it := range c.Items {
		if it.Stmt != nil {
			body = append(body, it.Stmt)
			continue
		}
		spec := it.Spec
		var slot []string
		asg := &ast.AssignStmt{TokPos: spec.Pos(), Tok: token.ASSIGN, Rhs: spec.Values}
		for _, id := range spec.Names {
			use := syntax.IdentAt(id.Name, id.Pos())
			asg.Lhs = append(asg.Lhs, use)
			if id.Name == "_" {
				continue
			}
			slot = append(slot, id.Name)
			obj := c.info.Defs[id]
			if old := same[obj]; old != nil {
				c.info.Uses[use] = old
				if len(spec.Values) == 0 {
					zero := s.zeroTwin(s.bound[old.(*types.Var)])
					z := syntax.IdentAt(zero.Name(), id.Pos())
					c.info.Uses[z] = zero
					body = append(body, &ast.AssignStmt{Lhs: []ast.Expr{use}, TokPos: id.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{z}})
				}
				continue
			}
			c.info.Uses[use] = obj
			fresh = append(fresh, &ast.ValueSpec{Names: []*ast.Ident{id}, Type: spec.Type})
		}
		c.slots = append(c.slots, slot)
		if len(spec.Values) > 0 {
			body = append(body, asg)
		}
	}
	c.Entry.Body.List = body
	if c.Src.Whole {
		return
	}
	c.File.Decls = slices.DeleteFunc(c.File.Decls, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		return ok && g.Tok == token.VAR
	})
	if len(fresh) > 0 {
		c.File.Decls = append(c.File.Decls, &ast.GenDecl{TokPos: c.Entry.Pos(), Tok: token.VAR, Lparen: c.Entry.Pos(), Specs: fresh})
	}
}

// orderGroups sorts neighbouring var declarations by their dependencies, as Go initialises package variables;
// statements and := stay where they are.
func (c *checked) orderGroups(order map[types.Object]int) {
	rank := func(spec *ast.ValueSpec) int {
		r := 0
		for _, id := range spec.Names {
			r = max(r, order[c.info.Defs[id]])
		}
		return r
	}
	var at []int // positions of the group's specs in items
	flush := func() {
		specs := make([]*ast.ValueSpec, len(at))
		for i, p := range at {
			specs[i] = c.Items[p].Spec
		}
		slices.SortStableFunc(specs, func(a, b *ast.ValueSpec) int { return rank(a) - rank(b) })
		for i, p := range at {
			c.Items[p].Spec = specs[i]
		}
		at = at[:0]
	}
	for i, it := range c.Items {
		switch {
		case it.Spec != nil && it.Decl:
			at = append(at, i)
		case it.Spec != nil || !it.Added:
			flush()
		}
	}
	flush()
}

// zeroTwin returns a variable of v's type that holds its zero value, for var x T without a value in a cell that runs
// again.
func (s *Session) zeroTwin(v *engine.Var) *types.Var {
	if v.Zero == nil {
		pkg := types.NewPackage(v.Obj.Pkg().Path()+"·zero·"+v.Obj.Name(), "zero")
		v.Zero = types.NewVar(token.NoPos, pkg, v.Obj.Name(), v.Obj.Type())
		pkg.Scope().Insert(v.Zero)
		s.bound[v.Zero] = &engine.Var{Obj: v.Zero, Addr: reflect.New(v.Addr.Type().Elem())}
	}
	return v.Zero
}

// commit makes known to later cells what a cell declared. Of a cell that failed, only the variables whose declarations
// were executed get their names; functions, types and constants exist from the start.
func (s *Session) commit(p *prepared, failed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cells++
	s.prepared--
	var before []*types.Func
	for _, part := range p.prog.Units {
		if part.Init {
			s.share(p, s.bind(p, part.Unit, nil))
			part.Ready = true
		}
	}
	reached := map[string]bool{}
	n := len(p.slots)
	if failed {
		n = min(n, p.run.Declared())
	}
	for _, slot := range p.slots[:n] {
		for _, name := range slot {
			reached[name] = true
		}
	}
	homes := s.bind(p, p.unit, p.Names)
	s.keepHeld(p.checked, func(name string) bool { return reached[name] || p.Src.Whole }, homes)
	for name := range p.Names {
		obj := p.pkg.Scope().Lookup(name)
		switch o := obj.(type) {
		case nil:
			continue
		case *types.Var:
			home := homes[o]
			if home == nil || !reached[name] && !p.Src.Whole {
				continue // the same variable as before, or one that was not reached
			}
			obj = home
		case *types.TypeName:
			s.indexMethods(o.Type())
		}
		switch old := s.names[name].(type) {
		case *types.Func:
			if old != obj {
				before = append(before, old)
			}
		case *types.TypeName:
			s.unindexMethods(old, obj)
		}
		s.names[name] = obj
		delete(s.lacking, name)
		delete(s.imports, name)
	}
	for _, name := range p.Signatures {
		s.lacks(p.Src.Cell, name, signatureOnly)
	}
	if failed {
		s.failed(p.lowered)
	}
	for _, inst := range p.info.Instances {
		s.indexMethods(inst.Type)
	}
	s.keepImports(p)
	s.modules.Remember(p.prog.Types)
	s.assistant.Remember(p.Src, p.File)
	if len(p.unit.Funcs) > 0 {
		p.unit.Decls = nil
		s.units[p.pkg] = p.unit
		s.indexUsers(p.unit)
		s.forgetOld(before)
	} else if !p.Literals && !p.Types && !failed {
		s.fset.RemoveFile(s.fset.File(p.File.FileStart)) // nothing that can be traced is left of the cell
	}
}

// bind gives the variables that the program declared for u a home outside it, and lets u's functions mean that.
func (s *Session) bind(p *prepared, u *engine.Unit, only map[string]bool) map[*types.Var]*types.Var {
	homes, uses := map[*types.Var]*types.Var{}, map[types.Object]types.Object{}
	var home *types.Package
	for _, d := range u.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, spec := range g.Specs {
			for _, id := range spec.(*ast.ValueSpec).Names {
				v, ok := u.Info.Defs[id].(*types.Var)
				if !ok || id.Name == "_" || only != nil && !only[id.Name] {
					continue
				}
				addr, ok := p.code.Var(v)
				if !ok {
					continue
				}
				if home == nil {
					home = types.NewPackage("vars·"+strconv.Itoa(s.cells)+"·"+u.Pkg.Path(), fmt.Sprint("cell·", p.Src.Cell))
				}
				h := types.NewVar(v.Pos(), home, v.Name(), v.Type())
				home.Scope().Insert(h)
				s.bound[h] = &engine.Var{Obj: h, Addr: addr}
				homes[v], uses[v] = h, h
			}
		}
	}
	if replaceUses(u.Info, uses) {
		s.forgetBound() // their kernels know the variables by those that are no more
	}
	u.ForgetNeeds()
	return homes
}

// share lets all code mean the homes of a package's variables: other packages and cells may use them.
func (s *Session) share(p *prepared, homes map[*types.Var]*types.Var) {
	uses := map[types.Object]types.Object{}
	for v, home := range homes {
		if v.Exported() {
			uses[v], s.homes[v] = home, home
		}
	}
	if len(uses) == 0 {
		return
	}
	replaceUses(p.unit.Info, uses)
	s.forgetBound()
	for _, u := range s.units {
		if u != nil && replaceUses(u.Info, uses) {
			u.ForgetNeeds()
		}
	}
}

// replaceFuncs lets the functions of earlier cells call the new definitions of functions whose types have not changed.
func (s *Session) replaceFuncs(c *checked) {
	for name := range c.Names {
		fn, ok := c.pkg.Scope().Lookup(name).(*types.Func)
		if !ok {
			continue
		}
		old, ok := s.names[name].(*types.Func)
		if !ok || !types.Identical(old.Type(), fn.Type()) {
			continue
		}
		s.callInstead(old, fn)
		c.undoes = append(c.undoes, func() { s.callInstead(fn, old) })
	}
}

// callInstead makes all code of earlier cells that calls old call fn.
func (s *Session) callInstead(old, fn *types.Func) {
	m := map[types.Object]types.Object{old: fn}
	for _, u := range s.users[old] {
		if replaceUses(u.Info, m) {
			u.ForgetNeeds()
			s.users[fn] = append(s.users[fn], u)
		}
	}
	delete(s.users, old)
	s.forgetBound()
}

// indexUsers remembers which functions of other cells u calls.
func (s *Session) indexUsers(u *engine.Unit) {
	seen := map[types.Object]bool{}
	for _, obj := range u.Info.Uses {
		fn, ok := obj.(*types.Func)
		if ok && !seen[fn] && fn.Pkg() != nil && fn.Pkg() != u.Pkg && fn.Pkg().Path() == engine.CellPath && fn.Signature().Recv() == nil {
			seen[fn] = true
			s.users[fn] = append(s.users[fn], u)
		}
	}
	// Its own functions may be replaced too.
	for fn := range u.Funcs {
		if fn.Signature().Recv() == nil {
			s.users[fn] = append(s.users[fn], u)
		}
	}
}

// indexMethods remembers which types have which methods: code that calls a method through an interface must have the
// methods of all types that may be in it.
func (s *Session) indexMethods(t types.Type) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || types.IsInterface(t) || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != engine.CellPath || typeinfo.Parameterized(named) {
		return
	}
	set := types.NewMethodSet(types.NewPointer(named))
	for i := range set.Len() {
		name := set.At(i).Obj().Name()
		if !slices.ContainsFunc(s.byMethod[name], func(o types.Type) bool { return types.Identical(o, named) }) {
			s.byMethod[name] = append(s.byMethod[name], named)
		}
	}
}

// unindexMethods forgets the methods of a type, or of the instances of a generic one, whose name now means something
// else. Programs call them through the slots of the run-time type, in which those that are not exported cannot be
// found.
func (s *Session) unindexMethods(old *types.TypeName, now types.Object) {
	named, ok := old.Type().(*types.Named)
	if !ok || old.IsAlias() || old == now || types.IsInterface(named) {
		return
	}
	set := types.NewMethodSet(types.NewPointer(named))
	for i := range set.Len() {
		name := set.At(i).Obj().Name()
		if !token.IsExported(name) {
			continue
		}
		s.byMethod[name] = slices.DeleteFunc(s.byMethod[name], func(t types.Type) bool { return t.(*types.Named).Origin() == named.Origin() })
		if len(s.byMethod[name]) == 0 {
			delete(s.byMethod, name)
		}
	}
}

// indexAgain indexes types that have got methods, and those that may have got some from what they embed.
func (s *Session) indexAgain(ts []types.Type) {
	for _, t := range ts {
		s.indexMethods(t)
	}
	for _, obj := range s.names {
		if tn, ok := obj.(*types.TypeName); ok {
			s.indexMethods(tn.Type())
		}
	}
}

// keepImports makes the cell's own imports hold for later cells.
func (s *Session) keepImports(p *prepared) {
	for _, imp := range p.File.Imports {
		path, _ := strconv.Unquote(imp.Path.Value)
		switch name := s.importName(imp); {
		case name == "_":
		case name == ".":
			if !slices.Contains(s.dotImports, path) {
				s.dotImports = append(s.dotImports, path)
			}
		case p.explicit[name]:
			s.imports[name] = path
			delete(s.names, name)
		}
	}
}
