// Package ixgo runs cells on github.com/goplus/ixgo, which interprets go/ssa form: the default engine. corrections.go
// puts right where ixgo differs from Go, by other instructions in its lists of compiled ones; tier.go runs numeric code
// in the numeric tier; types.go and its neighbours see to it that values have the run-time types of compiled Go;
// waits.go and polls.go let waiting and running code be stopped.
package ixgo

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/goplus/ixgo"
	_ "github.com/goplus/ixgo/pkg" // the standard library's symbols
	"github.com/goplus/reflectx"
	_ "github.com/goplus/reflectx/icall/icall20480" // slots for methods of run-time types; 512 without it
	"github.com/visualfc/gid"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// Engine runs cells on github.com/goplus/ixgo, which interprets go/ssa form. It uses ixgo's exported API, one
// ssa.Program and one Interp for each cell.
type Engine struct {
	ctx    *ixgo.Context
	loader *typeCache
	hooks  engine.Hooks
	tier   string // when the numeric tier runs, see TierOn

	lastTier *tierEngine // of the program that was compiled last
	tiers    *tierTable  // of all programs

	slots   []*ixgo.Interp                // those that use method slots
	slotsOf slotCount                     // of the program that was made last
	locals  map[token.Pos]int             // of types that functions declare, their numbers
	helpers testHelpers                   // of tests
	hiding  map[*engine.Unit][]types.Type // see hidingInterfaces
	parts   partsUsed
	running sync.Map // the *cellCode that a goroutine runs, by the goroutine's number
	mutexes sync.Map // the ways to the mutexes in values, by promoted

	parallel atomic.Bool // more than one goroutine may execute code of cells

	stray atomic.Pointer[strayPanic] // the last
}

// New returns the default engine.
func New() engine.Engine {
	e := &Engine{ctx: ixgo.NewContext(ixgo.SupportMultipleInterp | ixgo.DisableAutoLoadPatchs), tiers: &tierTable{}, hiding: map[*engine.Unit][]types.Type{}}
	e.ctx.Lookup = nil // would run the go command
	e.loader = newTypeCache(e.ctx)
	e.ctx.Loader = e.loader
	return e
}

func (e *Engine) Name() string            { return "ixgo" }
func (e *Engine) FileSet() *token.FileSet { return e.ctx.FileSet }
func (e *Engine) Packages() []string      { return ixgo.PackageList() }

func (e *Engine) Import(path string) (*types.Package, error) { return e.ctx.Importer.Import(path) }

// quietReflectx keeps reflectx from printing when method slots run out: the session says it. It is of the process.
var quietReflectx = sync.OnceFunc(func() { reflectx.DisableAllocateWarning = true })

// Start registers what running code calls back.
func (e *Engine) Start(h engine.Hooks) error {
	e.hooks = h
	if err := checkInternals(); err != nil {
		return err
	}
	e.ctx.SetPanic(goPanics)
	e.countSlots()
	e.ctx.RunContext = neverDone // makes ixgo recover in goroutines; it is not used otherwise
	quietReflectx()
	trace := func(fr *ixgo.Frame) func() []engine.Frame {
		return func() []engine.Frame { return framesOf(fr, e.ctx.FileSet) }
	}
	none := func() []engine.Frame { return nil }
	for name, f := range map[string]any{
		engine.ExitName:                 func(fr *ixgo.Frame) { h.Leave(trace(fr)) },
		engine.ShowName:                 func(v ...any) { h.Show(v) },
		engine.IgnoreName:               func(v ...any) {},
		engine.GivenName:                h.Given,
		engine.Traced["os.Exit"]:        func(fr *ixgo.Frame, code int) { h.Exit(fmt.Sprintf("os.Exit(%d)", code), trace(fr)) },
		engine.Traced["syscall.Exit"]:   func(fr *ixgo.Frame, code int) { h.Exit(fmt.Sprintf("syscall.Exit(%d)", code), trace(fr)) },
		engine.Traced["runtime.Goexit"]: func(fr *ixgo.Frame) { h.Exit(engine.Goexit, trace(fr)) },
	} {
		e.ctx.RegisterExternal(engine.GuardPath+"."+name, f)
	}
	for name, f := range map[string]any{
		"os.Exit":        func(code int) { h.Exit(fmt.Sprintf("os.Exit(%d)", code), none) },
		"syscall.Exit":   func(code int) { h.Exit(fmt.Sprintf("syscall.Exit(%d)", code), none) },
		"runtime.Goexit": func() { h.Exit(engine.Goexit, none) },
		"time.Sleep":     h.Sleep,
	} {
		e.ctx.RegisterExternal(name, f)
	}
	for name, f := range h.Externals {
		e.ctx.RegisterExternal(name, f)
	}
	printTo(e.ctx, h.Print)
	return nil
}

// Close gives back the method slots of run-time types, which all sessions of a process share, and what methods hold.
func (e *Engine) Close() {
	e.letMethodsGo()
	for _, i := range e.slots {
		i.UnsafeRelease()
	}
	e.slots, e.lastTier = nil, nil
}

// holdsSlots remembers i if it has made run-time types with methods.
func (e *Engine) holdsSlots(i *ixgo.Interp) {
	if i.IcallAlloc() > 0 {
		e.slots = append(e.slots, i)
	}
}

// Known calls f for the types of cells that have run-time types.
func (e *Engine) Known(f func(types.Type)) { e.loader.each(f) }

// Source returns what ixgo interprets of pkg: generic packages such as slices, and patches.
func (e *Engine) Source(pkg *types.Package) *engine.Unit {
	sp := e.ctx.SourcePackage(pkg.Path())
	if sp == nil || sp.Package != pkg || !sp.Loaded() {
		return nil
	}
	u := &engine.Unit{Pkg: pkg, Info: sp.Info, Funcs: map[*types.Func]*ast.FuncDecl{}}
	for _, f := range sp.Files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if fn, ok := sp.Info.Defs[d.Name].(*types.Func); ok && !engine.IsInit(d) {
					u.Funcs[fn] = d
				} else {
					u.Decls = append(u.Decls, d)
				}
			case *ast.GenDecl:
				if d.Tok == token.VAR {
					u.Decls = append(u.Decls, d)
				}
			}
		}
	}
	return u
}

// Compile builds SSA form of the program and lets ixgo make an Interp of it.
func (e *Engine) Compile(p *engine.Program) (code engine.Code, err error) {
	defer func() {
		if r := recover(); r != nil {
			code, err = nil, fmt.Errorf("engine ixgo cannot compile this cell: %v", r)
		}
	}()
	defer e.loader.unbind()
	e.numberLocals(p.Cell.Info)
	prog := ssa.NewProgram(e.ctx.FileSet, ssa.InstantiateGenerics)
	e.createCompiled(prog, p)
	flags := map[string]reflect.Value{}
	for name, addr := range p.Flags {
		flags[name] = reflect.ValueOf(addr)
	}
	e.loader.bind(p.Guard.Path(), flags)
	vars := append(keepTypes(p), p.Vars...)
	made := map[*types.Package]bool{}
	for _, v := range vars {
		if pkg := v.Obj.Pkg(); !made[pkg] {
			made[pkg] = true
			prog.CreatePackage(pkg, nil, nil, false)
		}
		e.loader.bind(v.Obj.Pkg().Path(), map[string]reflect.Value{v.Obj.Name(): v.Addr})
	}
	var build []*ssa.Package
	var inits []*types.Package
	for _, part := range p.Units {
		var decls []ast.Decl
		info := *part.Info
		if part.Init {
			decls = append(decls, part.Decls...)
			inits = append(inits, part.Pkg)
		} else {
			info.InitOrder = nil
		}
		for _, fn := range part.Funcs {
			decls = append(decls, fn)
		}
		part.Pkg.SetImports(nil) // what it needs is initialised by the cell
		files := fileOf(part.Pkg, decls)
		if part.Version != "" {
			info.FileVersions = map[*ast.File]string{files[0]: part.Version}
		}
		build = append(build, prog.CreatePackage(part.Pkg, files, &info, false))
	}
	p.Cell.Pkg.SetImports(inits)
	main := prog.CreatePackage(p.Cell.Pkg, fileOf(p.Cell.Pkg, p.Cell.Decls), p.Cell.Info, false)
	build = append(build, main)
	for _, pkg := range build {
		if p.Stop() {
			return nil, engine.ErrStopped
		}
		pkg.Build()
	}
	if p.Stop() {
		return nil, engine.ErrStopped
	}
	l := looks{stop: p.Stop}
	l.add(main, p.Cell.Decls, p.Cell.Info)
	defer l.remove()
	interp, err := e.newInterp(main, p.Units)
	l.remove()
	if err != nil {
		return nil, fmt.Errorf("engine ixgo cannot compile this cell: %w", err)
	}
	if startsGoroutines(interp) {
		catchGoroutines(interp, p.GoPanic)
	}
	stop, _ := p.Flags[engine.StopName].(*bool)
	if stop == nil {
		stop = new(bool)
	}
	findMadeBy(interp, p.Entry)
	t := e.useTier(interp, stop)
	c := &cellCode{e: e, tier: t, interp: interp, entry: p.Entry, vars: variables(interp, main, build)}
	watchEntry(interp, main.Func(p.Entry), &c.root)
	e.watchCallbacks(interp, t)
	shrink(interp, main, build)
	return c, nil
}

// release gives back the method slots of an Interp that is not used.
func release(i *ixgo.Interp) {
	if i != nil {
		i.UnsafeRelease()
	}
}

// newInterp makes the Interp and learns the run-time types that it made, so that later programs use the same.
func (e *Engine) newInterp(main *ssa.Package, units []*engine.Part) (*ixgo.Interp, error) {
	e.loader.record(true)
	defer e.loader.record(false)
	interp, err := e.makeInterp(main, units)
	var h hidden
	if err != nil && err != engine.ErrStopped && e.slotError() == nil {
		release(interp)
		plainPointers(main.Prog)
		h = hide(main.Prog)
		interp, err = e.makeInterp(main, units)
		h.show()
	}
	provideDirect().finish()
	if none := e.slotError(); none != nil {
		err = none
	}
	if err != nil {
		release(interp)
		return nil, err
	}
	e.holdsSlots(interp)
	e.nameTypes(interp)
	e.mend(interp, h)
	e.loader.learn(interp, main)
	return interp, nil
}

// keepTypesName is the name of that function, and of the package of its variable.
const keepTypesName = "types·"

// keepTypes adds a function to the cell that converts p.Types to an interface, so that ixgo compiles their methods.
func keepTypes(p *engine.Program) []*engine.Var {
	if len(p.Types) == 0 {
		return nil
	}
	info, none := p.Cell.Info, token.NoPos
	pkg := types.NewPackage(keepTypesName, keepTypesName)
	sink := types.NewVar(none, pkg, "sink", types.Universe.Lookup("any").Type())
	pkg.Scope().Insert(sink)
	fn := &ast.FuncDecl{Name: ast.NewIdent(keepTypesName), Type: &ast.FuncType{Params: &ast.FieldList{}}, Body: &ast.BlockStmt{}}
	info.Defs[fn.Name] = types.NewFunc(none, p.Cell.Pkg, fn.Name.Name, types.NewSignatureType(nil, nil, nil, nil, nil, false))
	for i, t := range p.Types {
		v := types.NewVar(none, p.Cell.Pkg, fmt.Sprint("v", i), types.NewPointer(t))
		def, from, to := ast.NewIdent(v.Name()), ast.NewIdent(v.Name()), ast.NewIdent("sink")
		info.Defs[def], info.Uses[from], info.Uses[to] = v, v, sink
		fn.Body.List = append(fn.Body.List,
			&ast.DeclStmt{Decl: &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{def}}}}},
			&ast.AssignStmt{Lhs: []ast.Expr{to}, Tok: token.ASSIGN, Rhs: []ast.Expr{from}})
	}
	p.Cell.Decls = append(p.Cell.Decls, fn)
	return []*engine.Var{{Obj: sink, Addr: reflect.ValueOf(new(any))}}
}

func fileOf(pkg *types.Package, decls []ast.Decl) []*ast.File {
	return []*ast.File{{Name: ast.NewIdent(pkg.Name()), Decls: decls}}
}

// cellCode is a compiled cell.
type cellCode struct {
	interp *ixgo.Interp
	tier   *tierEngine // nil when it is off
	entry  string
	root   atomic.Pointer[ixgo.Frame] // of the entry function, while it runs
	rooted sync.Mutex                 // held while others look at the frames
	vars   map[*types.Var]reflect.Value

	e       *Engine
	entered callbacks      // in which the cell's goroutine is
	left    *callbackPanic // the last that left one of them

	lines sync.Map // frames by instruction, as Where finds them: []Frame of one, or of none where it is not the user's
}

// Run implements Code.
func (c *cellCode) Run() *engine.Failure {
	defer c.ran()
	me := gid.Get()
	c.e.running.Store(me, c)
	defer c.e.running.Delete(me)
	c.e.running.Range(func(other, _ any) bool {
		if other != me {
			c.e.parallel.Store(true)
		}
		return true
	})
	err := c.interp.RunInit()
	if err == nil {
		_, err = c.interp.RunFunc(c.entry)
	}
	if err == nil {
		return nil
	}
	v, trace := UnwrapPanic(err)
	return &engine.Failure{Value: v, Trace: c.withCallback(v, c.withStray(v, trace))}
}

// Where implements Code.
func (c *cellCode) Where() []engine.Frame { return c.where(0) }

// where returns the lines at which the cell is, outside of so many callbacks, innermost first: those of callbacks, and
// of the cell's statements.
func (c *cellCode) where(outside int) []engine.Frame {
	c.rooted.Lock()
	defer c.rooted.Unlock()
	root := c.root.Load()
	if root == nil {
		return nil
	}
	var out []engine.Frame
	for fr := range c.entered.outward(outside) {
		if fr == root {
			break // the cell's statements are entered alike
		}
		out = append(out, framesKept(innermost(fr), c.e.ctx.FileSet, &c.lines)...)
	}
	out = append(out, framesKept(innermost(root), c.interp.MainPkg().Prog.Fset, &c.lines)...)
	return out[:min(len(out), engine.MaxTrace)]
}

// Var implements Code.
func (c *cellCode) Var(v *types.Var) (reflect.Value, bool) {
	addr, ok := c.vars[v]
	return addr, ok
}

// Vars implements Code.
func (c *cellCode) Vars() iter.Seq2[*types.Var, reflect.Value] { return maps.All(c.vars) }

// variables returns the addresses of the variables that pkgs declare. Interp finds variables of its main package alone,
// by the name they have in Members; so each gets a passing one, now, while nothing runs.
func variables(interp *ixgo.Interp, main *ssa.Package, pkgs []*ssa.Package) map[*types.Var]reflect.Value {
	const key = "var·"
	defer delete(main.Members, key)
	vars := map[*types.Var]reflect.Value{}
	for _, pkg := range pkgs {
		for _, m := range slices.Collect(maps.Values(pkg.Members)) {
			g, ok := m.(*ssa.Global)
			if !ok {
				continue
			}
			v, ok := g.Object().(*types.Var)
			if !ok {
				continue // go/ssa's own
			}
			main.Members[key] = g
			if addr, ok := interp.GetVarAddr(key); ok {
				vars[v] = reflect.ValueOf(addr)
			}
		}
	}
	return vars
}

// UnwrapPanic takes ixgo's wrappers off a panic and reads the frames that it kept. A value that was panicked with
// again, from a goroutine or a deferred function, has several wrappers; the innermost one knows where it began.
func UnwrapPanic(p any) (v any, trace []engine.Frame) {
	for {
		var stack []byte
		switch w := p.(type) {
		case ixgo.PanicError:
			stack, p = w.Stack(), w.Value
		case ixgo.FatalError:
			stack, p = w.Stack(), w.Value
		default:
			return p, trace
		}
		if t := engine.ParseStack(string(stack)); len(t) > 0 {
			trace = t
		}
	}
}
