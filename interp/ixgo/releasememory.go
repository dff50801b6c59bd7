package ixgo

import (
	"go/ast"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// A program with methods stays for as long as its session does. What only its making and its run need is given back:
// the registers by instructions, the members of packages, and the functions that ran the cell.

var (
	funcInstrIndex = unexported.In(unexported.Elem(frameFunc.Type), "instrIndex", reflect.TypeFor[map[ssa.Instruction][]uint32]())
	funcMain       = unexported.In(unexported.Elem(frameFunc.Type), "Main", reflect.TypeFor[*ssa.BasicBlock]())
	functionSyntax = unexported.Of[ssa.Function]("syntax", reflect.TypeFor[ast.Node]())
	packageObjects = unexported.Of[ssa.Package]("objects", reflect.TypeFor[map[types.Object]ssa.Member]())
)

// shrink gives back what of a program is needed no more once it is compiled.
func shrink(i *ixgo.Interp, main *ssa.Package, built []*ssa.Package) {
	for it := functions(i).MapRange(); it.Next(); {
		// it is for a way of ixgo to collect, which is off
		*unexported.At[map[ssa.Instruction][]uint32](it.Value().UnsafePointer(), funcInstrIndex) = nil
	}
	main.Prog.MethodSets = typeutil.MethodSetCache{} // what is asked for again is made again
	own := map[*ssa.Package]bool{}
	for _, pkg := range built {
		own[pkg] = true
	}
	for _, pkg := range main.Prog.AllPackages() {
		if !own[pkg] {
			pkg.Members = nil
		}
		var methods map[types.Object]ssa.Member // an interface may ask for them while the program runs
		objects := unexported.At[map[types.Object]ssa.Member](unsafe.Pointer(pkg), packageObjects)
		for obj, m := range *objects {
			if fn, ok := obj.(*types.Func); ok && fn.Signature().Recv() != nil {
				if methods == nil {
					methods = map[types.Object]ssa.Member{}
				}
				methods[obj] = m
			}
		}
		if *objects = methods; methods == nil && !own[pkg] {
			delete(*unexported.At[map[*types.Package]*ssa.Package](unsafe.Pointer(main.Prog), programPackages), pkg.Pkg)
		}
	}
}

// ran gives back the code that only the cell itself could call. Goroutines of the cell may go through the program's map
// of functions, to find one by a program counter: all stay there, with as many instructions as they had.
func (c *cellCode) ran() {
	c.rooted.Lock()
	defer c.rooted.Unlock()
	c.root.Store(nil)
	main := c.interp.MainPkg()
	for _, name := range []string{c.entry, keepTypesName, "init"} {
		fn := main.Func(name)
		p := functions(c.interp).MapIndex(reflect.ValueOf(fn))
		if fn == nil || !p.IsValid() {
			continue
		}
		f := p.UnsafePointer()
		clear(*unexported.At[[]instruction](f, funcCode))
		clear(*unexported.At[[]instruction](f, funcRecover))
		clear(*unexported.At[[]ssa.Instruction](f, funcInstrs))
		clear(*unexported.At[[]any](f, funcStack))
		*unexported.At[map[ssa.Value]uint32](f, funcIndex), *unexported.At[*ssa.BasicBlock](f, funcMain) = nil, nil
		*unexported.At[ast.Node](unsafe.Pointer(fn), functionSyntax) = nil
		fn.Blocks, fn.Locals, fn.Recover = nil, nil, nil
		delete(main.Members, name)
		if c.tier != nil {
			c.tier.forget(fn)
		}
	}
}

// forget gives back what the tier has found out about a function that nobody calls any more.
func (t *tierEngine) forget(fn *ssa.Function) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f := t.funcs[fn]; f != nil {
		*f = tierFunc{compiled: f.compiled}
	}
}
