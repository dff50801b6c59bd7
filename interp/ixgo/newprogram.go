package ixgo

import (
	"go/ast"
	"go/types"
	"reflect"
	"sync"
	"unsafe"

	"github.com/goplus/ixgo"
	"github.com/goplus/reflectx"
	"github.com/visualfc/gid"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// ixgo.NewInterp makes the run-time types of a program and compiles its functions in one step. Here the steps are
// apart, so that the record of types knows those of earlier programs before this one makes any: an Interp of an empty
// program gets the record and the program, and then what NewInterp does.

var (
	interpContext = unexported.Of[ixgo.Interp]("ctx", reflect.TypeFor[*ixgo.Context]())
	interpExit    = unexported.Of[ixgo.Interp]("chexit", reflect.TypeFor[chan int]())
	interpLives   = unexported.Of[ixgo.Interp]("goroutines", reflect.TypeFor[int32]())
	interpMainID  = unexported.Of[ixgo.Interp]("mainid", reflect.TypeFor[uint64]())
	interpMain    = unexported.Of[ixgo.Interp]("mainpkg", reflect.TypeFor[*ssa.Package]())
	interpMethods = unexported.Of[ixgo.Interp]("rctx", reflect.TypeFor[*reflectx.Context]())
	interpGlobals = unexported.Of[ixgo.Interp]("globals", reflect.TypeFor[map[string]any]())
	interpInits   = unexported.Of[ixgo.Interp]("chkinit", reflect.TypeFor[map[string]bool]())
	contextNested = unexported.Of[ixgo.Context]("nestedMap", reflect.TypeFor[map[*types.Named]int]())
	contextLoads  = unexported.Of[ixgo.Context]("loadPkgMu", reflect.TypeFor[sync.Mutex]())
)

//go:linkname checkPackages github.com/goplus/ixgo.checkPackages
func checkPackages(i *ixgo.Interp, pkgs []*ssa.Package) error

//go:linkname findExternValue github.com/goplus/ixgo.findExternValue
func findExternValue(i *ixgo.Interp, name string) (reflect.Value, bool)

//go:linkname findExternVar github.com/goplus/ixgo.findExternVar
func findExternVar(i *ixgo.Interp, path, name string) (reflect.Value, bool)

// unusedMethod is the type that ixgo gives the methods of compiled types that only their package can call.
//
//go:linkname unusedMethod github.com/goplus/ixgo.tyUnusedFunc
var unusedMethod reflect.Type

// makeInterp makes the Interp of a program, as ixgo.NewInterp does. With an error it may return the Interp too.
func (e *Engine) makeInterp(main *ssa.Package, units []*engine.Part) (*ixgo.Interp, error) {
	var first []*types.Struct
	for {
		i, twice, err := e.tryInterp(main, units, first)
		if err != nil || len(twice) == 0 {
			return i, err
		}
		release(i)
		first = append(first, twice...)
	}
}

// tryInterp is makeInterp that makes the types of some structs before all others. It returns the structs of which it
// has made two types, so that they must come first, see making.
func (e *Engine) tryInterp(main *ssa.Package, units []*engine.Part, first []*types.Struct) (i *ixgo.Interp, twice []*types.Struct, err error) {
	i = e.bareInterp()
	defer func() {
		switch v := recover(); v {
		case nil:
		case engine.ErrStopped:
			err = engine.ErrStopped // the caller gives i back
		default:
			panic(v)
		}
	}()
	mu := unexported.At[sync.Mutex](unsafe.Pointer(e.ctx), contextLoads)
	mu.Lock()
	defer mu.Unlock()
	p := unsafe.Pointer(i)
	methods := *unexported.At[*reflectx.Context](p, interpMethods)
	needsSlot := e.ctx.MethodChecker(e.ctx, main.Prog)
	methods.SetHasImethod(func(t reflect.Type, m reflectx.Method) bool {
		return m.Type != unusedMethod && m.FuncId != -1 && needsSlot(t, m)
	})
	held := e.methodsOf(i)
	record := ixgo.NewTypesRecord(e.ctx, methods, main.Prog, e.ctx.Loader, held, e.nested())
	*unexported.At[*ssa.Package](p, interpMain) = main
	*unexported.At[*ixgo.TypesRecord](p, interpRecord) = record
	learnPromoted(record)
	e.loader.plant(record)
	end := e.begin(record)
	defer end()
	e.loader.making.first(first)
	e.makeInterfaces(record, methods, units)
	makeMembers(record, main)
	var pkgs []*ssa.Package
	for _, pkg := range main.Prog.AllPackages() {
		if pkg.Func("init").Blocks != nil { // else it is compiled, or of an earlier cell
			pkgs = append(pkgs, pkg)
		}
	}
	e.makeGlobals(i, record, pkgs)
	err = checkPackages(i, pkgs)
	twice = e.loader.making.twice()
	held.whole.Store(err == nil && len(twice) == 0)
	return i, twice, err
}

// bareInterp is an Interp as ixgo.NewInterp begins it, without a program.
func (e *Engine) bareInterp() *ixgo.Interp {
	i := new(ixgo.Interp)
	p := unsafe.Pointer(i)
	*unexported.At[*ixgo.Context](p, interpContext) = e.ctx
	*unexported.At[*reflectx.Context](p, interpMethods) = reflectx.NewContext()
	*unexported.At[map[string]any](p, interpGlobals) = map[string]any{}
	*unexported.At[map[string]bool](p, interpInits) = map[string]bool{}
	*unexported.At[map[types.Type]reflect.Type](p, interpTypes) = map[types.Type]reflect.Type{}
	*unexported.At[map[reflect.Type]map[string]*ssa.Function](p, interpMsets) = map[reflect.Type]map[string]*ssa.Function{}
	reflect.NewAt(interpFuncs.Type, unsafe.Add(p, interpFuncs.Offset)).Elem().Set(reflect.MakeMap(interpFuncs.Type))
	*unexported.At[chan int](p, interpExit) = make(chan int)
	*unexported.At[int32](p, interpLives) = 1
	*unexported.At[uint64](p, interpMainID) = gid.Get()
	return i
}

// makeMembers makes the types of a program's members, those first that others embed, for ownPromoted.
func makeMembers(record *ixgo.TypesRecord, main *ssa.Package) {
	seen := map[*types.Named]bool{}
	var visit func(types.Type)
	visit = func(t types.Type) {
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		n, ok := types.Unalias(t).(*types.Named)
		if !ok || seen[n] || n.Obj().Pkg() != main.Pkg || n.TypeParams().Len() > 0 {
			return
		}
		seen[n] = true
		st, ok := n.Underlying().(*types.Struct)
		if !ok {
			return
		}
		for f := range st.Fields() {
			if f.Embedded() {
				visit(f.Type())
			}
		}
		record.ToType(n)
	}
	for _, m := range main.Members {
		if t, ok := m.(*ssa.Type); ok {
			visit(t.Type())
		}
	}
	record.Load(main)
}

// nested are the types that generic functions of packages declare: they have other run-time types in each instance.
func (e *Engine) nested() map[*types.Named]int {
	return *unexported.At[map[*types.Named]int](unsafe.Pointer(e.ctx), contextNested)
}

// makeGlobals makes the variables of packages: new ones, or those of compiled packages by their addresses.
func (e *Engine) makeGlobals(i *ixgo.Interp, record *ixgo.TypesRecord, pkgs []*ssa.Package) {
	globals, inits := *unexported.At[map[string]any](unsafe.Pointer(i), interpGlobals), *unexported.At[map[string]bool](unsafe.Pointer(i), interpInits)
	for _, pkg := range pkgs {
		for _, m := range pkg.Members {
			g, ok := m.(*ssa.Global)
			if !ok {
				continue
			}
			typ, _ := record.ToType(g.Type().Underlying().(*types.Pointer).Elem())
			name := g.String()
			if ext, ok := findExternValue(i, name); ok && ext.Kind() == reflect.Pointer && ext.Type().Elem() == typ {
				globals[name], inits[name] = ext.Interface(), true
			} else {
				globals[name] = reflect.New(typ).Interface()
			}
		}
	}
	for _, pkg := range pkgs {
		source := e.ctx.SourcePackage(pkg.Pkg.Path())
		if source == nil {
			continue
		}
		for _, l := range source.Links {
			name, target := l.PkgPath+"."+l.Name, l.Linkname.PkgPath+"."+l.Linkname.Name
			if _, ok := globals[name]; !ok || l.Kind != ast.Var {
				continue
			}
			if ext, ok := findExternVar(i, l.Linkname.PkgPath, l.Linkname.Name); ok && ext.Kind() == reflect.Pointer {
				globals[name], inits[target] = ext.Interface(), true
			} else if v, ok := globals[target]; ok {
				globals[name] = v
			}
		}
	}
}
