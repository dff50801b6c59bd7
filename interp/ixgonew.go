package interp

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
)

// ixgo.NewInterp makes the run-time types of a program and compiles its functions in one step. Here the steps are
// apart, so that the record of types knows those of earlier programs before this one makes any: an Interp of an empty
// program gets the record and the program, and then what NewInterp does.

var (
	interpContext = internalField[ixgo.Interp]("ctx", reflect.TypeFor[*ixgo.Context]())
	interpExit    = internalField[ixgo.Interp]("chexit", reflect.TypeFor[chan int]())
	interpLives   = internalField[ixgo.Interp]("goroutines", reflect.TypeFor[int32]())
	interpMainID  = internalField[ixgo.Interp]("mainid", reflect.TypeFor[uint64]())
	interpMain    = internalField[ixgo.Interp]("mainpkg", reflect.TypeFor[*ssa.Package]())
	interpMethods = internalField[ixgo.Interp]("rctx", reflect.TypeFor[*reflectx.Context]())
	interpGlobals = internalField[ixgo.Interp]("globals", reflect.TypeFor[map[string]any]())
	interpInits   = internalField[ixgo.Interp]("chkinit", reflect.TypeFor[map[string]bool]())
	contextNested = internalField[ixgo.Context]("nestedMap", reflect.TypeFor[map[*types.Named]int]())
	contextLoads  = internalField[ixgo.Context]("loadPkgMu", reflect.TypeFor[sync.Mutex]())
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
func (e *ixgoEngine) makeInterp(main *ssa.Package, units []*Part) (*ixgo.Interp, error) {
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
func (e *ixgoEngine) tryInterp(main *ssa.Package, units []*Part, first []*types.Struct) (i *ixgo.Interp, twice []*types.Struct, err error) {
	i = e.bareInterp()
	defer func() {
		switch v := recover(); v {
		case nil:
		case errStopped:
			err = errStopped // the caller gives i back
		default:
			panic(v)
		}
	}()
	mu := at[sync.Mutex](unsafe.Pointer(e.ctx), contextLoads)
	mu.Lock()
	defer mu.Unlock()
	p := unsafe.Pointer(i)
	methods := *at[*reflectx.Context](p, interpMethods)
	needsSlot := e.ctx.MethodChecker(e.ctx, main.Prog)
	methods.SetHasImethod(func(t reflect.Type, m reflectx.Method) bool {
		return m.Type != unusedMethod && m.FuncId != -1 && needsSlot(t, m)
	})
	record := ixgo.NewTypesRecord(e.ctx, methods, main.Prog, e.ctx.Loader, e.methodsOf(i), e.nested())
	*at[*ssa.Package](p, interpMain) = main
	*at[*ixgo.TypesRecord](p, interpRecord) = record
	learnPromoted(record)
	e.loader.plant(record)
	end := e.begin(record)
	defer end()
	e.loader.making.first(first)
	makeInterfaces(record, methods, units)
	makeMembers(record, main)
	var pkgs []*ssa.Package
	for _, pkg := range main.Prog.AllPackages() {
		if pkg.Func("init").Blocks != nil { // else it is compiled, or of an earlier cell
			pkgs = append(pkgs, pkg)
		}
	}
	e.makeGlobals(i, record, pkgs)
	err = checkPackages(i, pkgs)
	return i, e.loader.making.twice(), err
}

// bareInterp is an Interp as ixgo.NewInterp begins it, without a program.
func (e *ixgoEngine) bareInterp() *ixgo.Interp {
	i := new(ixgo.Interp)
	p := unsafe.Pointer(i)
	*at[*ixgo.Context](p, interpContext) = e.ctx
	*at[*reflectx.Context](p, interpMethods) = reflectx.NewContext()
	*at[map[string]any](p, interpGlobals) = map[string]any{}
	*at[map[string]bool](p, interpInits) = map[string]bool{}
	*at[map[types.Type]reflect.Type](p, interpTypes) = map[types.Type]reflect.Type{}
	*at[map[reflect.Type]map[string]*ssa.Function](p, interpMsets) = map[reflect.Type]map[string]*ssa.Function{}
	reflect.NewAt(interpFuncs.typ, unsafe.Add(p, interpFuncs.offset)).Elem().Set(reflect.MakeMap(interpFuncs.typ))
	*at[chan int](p, interpExit) = make(chan int)
	*at[int32](p, interpLives) = 1
	*at[uint64](p, interpMainID) = gid.Get()
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
func (e *ixgoEngine) nested() map[*types.Named]int {
	return *at[map[*types.Named]int](unsafe.Pointer(e.ctx), contextNested)
}

// makeGlobals makes the variables of packages: new ones, or those of compiled packages by their addresses.
func (e *ixgoEngine) makeGlobals(i *ixgo.Interp, record *ixgo.TypesRecord, pkgs []*ssa.Package) {
	globals, inits := *at[map[string]any](unsafe.Pointer(i), interpGlobals), *at[map[string]bool](unsafe.Pointer(i), interpInits)
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
