package interp

import (
	"go/types"
	"slices"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// linker collects what a cell needs, starting from its own syntax: functions of earlier cells with their bodies, and
// what those need in turn. So the cost of a cell is that of what it uses, not of what the session holds.
type linker struct {
	s       *Session
	prog    *engine.Program
	parts   map[*engine.Unit]*engine.Part
	vars    map[*types.Var]bool
	imports map[*types.Package]bool
	objs    map[types.Object]bool
	types   map[types.Type]bool
	invokes map[string]bool
	args    map[types.Type]bool
}

// link collects what c needs; the cell must bring the methods of remade too.
func (s *Session) link(c *checked, u *engine.Unit, remade []types.Type) *engine.Program {
	l := &linker{
		s: s, prog: &engine.Program{Cell: u, Entry: engine.EntryName, Guard: s.guard, Used: make([]types.Object, 0, 8)},
		parts: map[*engine.Unit]*engine.Part{}, vars: map[*types.Var]bool{}, imports: map[*types.Package]bool{},
		objs: map[types.Object]bool{}, types: map[types.Type]bool{}, invokes: map[string]bool{}, args: map[types.Type]bool{},
	}
	for _, d := range u.Decls {
		l.require(engine.NeedsOf(u.Info, d))
	}
	for id, obj := range u.Info.Defs { // types that only declarations mention
		if tn, ok := obj.(*types.TypeName); ok && id.Name != "_" {
			l.typ(tn.Type())
		}
	}
	for _, imp := range c.pkg.Imports() { // as Go does, whether they are used or not
		if u := l.s.modules.Unit(imp); u != nil {
			l.initialise(l.part(u))
		}
	}
	// The run-time form of a type is made in the cell that makes the type, with the methods compiled there: all of
	// them, as later cells may hand values to compiled code.
	for _, name := range u.Pkg.Scope().Names() {
		if tn, ok := u.Pkg.Scope().Lookup(name).(*types.TypeName); ok && tn.Pkg() == u.Pkg {
			l.keep(tn.Type())
		}
	}
	for _, inst := range u.Info.Instances {
		l.keep(inst.Type)
	}
	for _, t := range remade {
		l.typ(t)
		l.keep(t)
	}
	return l.prog
}

// keep has the methods of t compiled, when it has some and is not a generic type.
func (l *linker) keep(t types.Type) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || types.IsInterface(t) || typeinfo.Parameterized(named) || slices.Contains(l.prog.Types, types.Type(named)) ||
		types.NewMethodSet(types.NewPointer(named)).Len() == 0 {
		return
	}
	l.prog.Types = append(l.prog.Types, named)
}

func (l *linker) require(r *engine.Needs) {
	for _, obj := range r.Objs {
		l.object(obj)
	}
	for _, t := range r.Types {
		l.typ(t)
	}
	for _, a := range r.Args {
		l.argument(a)
	}
	for _, name := range r.Invokes {
		if !l.invokes[name] {
			l.invokes[name] = true
			for _, t := range l.s.byMethod[name] {
				l.typ(t)
				if !slices.Contains(l.prog.Types, t) {
					l.prog.Types = append(l.prog.Types, t)
				}
			}
		}
	}
}

func (l *linker) object(obj types.Object) {
	if fn, ok := obj.(*types.Func); ok {
		obj = fn.Origin()
	}
	if obj.Pkg() == nil || l.objs[obj] || obj.Pkg() == l.prog.Cell.Pkg {
		return
	}
	l.objs[obj] = true
	if obj.Pkg() == l.prog.Guard {
		l.prog.Used = append(l.prog.Used, obj)
		return
	}
	if v, ok := obj.(*types.Var); ok {
		if bound := l.s.bound[v]; bound != nil {
			l.typ(v.Type())
			if !l.vars[v] {
				l.vars[v] = true
				l.prog.Vars = append(l.prog.Vars, bound)
			}
			return
		}
	}
	u := l.s.unit(obj.Pkg())
	if u == nil {
		if !l.imports[obj.Pkg()] {
			l.imports[obj.Pkg()] = true
			l.prog.Imports = append(l.prog.Imports, obj.Pkg())
		}
		l.prog.Used = append(l.prog.Used, obj)
		return
	}
	p := l.part(u)
	switch obj := obj.(type) {
	case *types.Func:
		if decl := u.Funcs[obj]; decl != nil {
			p.Funcs = append(p.Funcs, decl)
			l.require(u.Needs(decl))
		}
	case *types.Var:
		l.initialise(p)
	}
}

// part adds u to the program, after the units that its variables need.
func (l *linker) part(u *engine.Unit) *engine.Part {
	p := l.parts[u]
	if p == nil {
		p = &engine.Part{Unit: u}
		l.parts[u] = p
		l.prog.Units = append(l.prog.Units, p)
	}
	return p
}

// initialise makes p declare its variables: the first use of an interpreted package that has some.
func (l *linker) initialise(p *engine.Part) {
	if p.Init || p.Ready {
		return
	}
	p.Init = true
	for _, u := range p.Imports {
		l.initialise(l.part(u))
	}
	for _, d := range p.Decls {
		l.require(engine.NeedsOf(p.Info, d))
	}
	// What p needs has been added after p, and is initialised before it: move p to the end.
	i := slices.Index(l.prog.Units, p)
	l.prog.Units = append(slices.Delete(l.prog.Units, i, i+1), p)
}

// typ adds the methods of the interpreted types that t is made of.
func (l *linker) typ(t types.Type) {
	if t == nil || l.types[t] {
		return
	}
	l.types[t] = true
	switch t := t.(type) {
	case *types.Alias:
		l.typ(types.Unalias(t))
	case *types.Named:
		l.named(t)
	case *types.Pointer:
		l.typ(t.Elem())
	case *types.Slice:
		l.typ(t.Elem())
	case *types.Array:
		l.typ(t.Elem())
	case *types.Chan:
		l.typ(t.Elem())
	case *types.Map:
		l.typ(t.Key())
		l.typ(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			l.typ(v.Type())
		}
	case *types.Signature:
		l.typ(t.Params())
		l.typ(t.Results())
	case *types.Interface:
		for m := range t.Methods() {
			l.typ(m.Type())
		}
	case *types.Struct:
		for f := range t.Fields() {
			l.typ(f.Type())
			if f.Embedded() {
				l.promoted(f.Type())
			}
		}
	}
}

func (l *linker) named(t *types.Named) {
	for a := range t.TypeArgs().Types() {
		l.argument(a)
	}
	pkg := t.Obj().Pkg()
	if pkg == nil {
		return
	}
	own := pkg == l.prog.Cell.Pkg
	if !own && pkg.Path() != engine.CellPath && l.s.unit(pkg) == nil {
		return
	}
	if l.s.modules.ToMake(t) {
		l.keep(t)
	}
	for m := range t.Origin().Methods() {
		l.object(m)
	}
	for i := range t.NumMethods() {
		l.typ(t.Method(i).Type())
	}
	l.typ(t.Underlying())
}

// promoted imports the packages whose methods an embedded field brings: wrappers call them.
func (l *linker) promoted(t types.Type) {
	if _, ok := t.(*types.Pointer); !ok && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		l.object(set.At(i).Obj())
	}
}

// unit returns the syntax of a package: an earlier cell's, or that of a package which the engine interprets.
func (s *Session) unit(pkg *types.Package) *engine.Unit {
	if u, ok := s.units[pkg]; ok {
		return u
	}
	u := s.engine.Source(pkg)
	if u != nil {
		replaceUses(u.Info, s.homes)
		for _, fn := range u.Funcs {
			syntax.TraceExits(fn, u.Info, s.guard)
		}
		if len(u.Decls) == 0 {
			u.Ready = true
		}
	}
	s.units[pkg] = u
	if u != nil { // of packages whose source is interpreted
		s.sources.mu.Lock()
		s.sources.units[pkg] = u
		s.sources.mu.Unlock()
	}
	return u
}
