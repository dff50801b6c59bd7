package ixgo

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"log"
	"reflect"
	"sync"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// typeCache is ixgo's loader of types, with three additions. It reads the parts of a package that ixgo interprets when
// the package is imported (see patches). It knows the run-time types that were made for the named types of cells, which
// each Interp would make anew otherwise, so that a value of one cell has the type that the next one means. And it knows
// the variables of earlier cells, as if they were those of compiled packages.
type typeCache struct {
	ixgo.Loader
	patches   patches
	mu        sync.Mutex // goroutines of earlier cells look types up at any time
	known     typeutil.Map
	unnamed   typeutil.Map // the run-time types that are kept of unnamed types, see keep
	recording bool
	making    making
	missing   []*types.Named // asked for and not known, while recording
	vars      map[string]*ixgo.Package
}

func newTypeCache(ctx *ixgo.Context) *typeCache {
	return &typeCache{Loader: ctx.Loader, patches: patches{ctx: ctx, read: map[string]error{}}, vars: map[string]*ixgo.Package{}}
}

// universeError is the type error of go/types.
var universeError = types.Universe.Lookup("error").Type()

// LookupReflect implements ixgo.Loader.
func (c *typeCache) LookupReflect(t types.Type) (reflect.Type, bool) {
	if t == universeError {
		// Inside an instance of a generic function, ixgo adds the type arguments to the names of types that it meets
		// first, and does not know error as "error[int]": it would make another interface type of the same methods.
		return reflect.TypeFor[error](), true
	}
	rt, n := c.found(t)
	if n == nil {
		return rt, rt != nil
	}
	rt = c.making.named(n)
	return rt, rt != nil
}

// found is the run-time type of t that is there, or else t as a type that is to be made.
func (c *typeCache) found(t types.Type) (reflect.Type, *types.Named) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if rt := c.known.At(t); rt != nil {
		return rt.(reflect.Type), nil
	}
	if rt, ok := c.Loader.LookupReflect(t); ok {
		return rt, nil
	}
	n, ok := t.(*types.Named)
	if !ok {
		return nil, nil
	}
	if rt := setApart(n); rt != nil {
		return rt, nil
	}
	if record := c.making.mine(); record != nil {
		c.ownPromoted(record, n)
	}
	if c.recording {
		c.missing = append(c.missing, n)
	}
	return nil, n
}

// setApart are the compiled types that ixgo does not find by itself.
func setApart(n *types.Named) reflect.Type {
	if pkg := n.Obj().Pkg(); pkg != nil {
		switch pkg.Path() + "." + n.Obj().Name() {
		case "$ssa.deferStack":
			// ixgo v1.1.1 knows this type by a name that go/ssa has changed since
			return reflect.PointerTo(frameDefers.Type)
		case "log.Logger":
			// package log is interpreted, and compiled packages have fields of the type
			return reflect.TypeFor[log.Logger]()
		}
	}
	return nil
}

// compiled reports whether the run-time type of n is a compiled one.
func (c *typeCache) compiled(n *types.Named) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if setApart(n) != nil {
		return true
	}
	_, ok := c.Loader.LookupReflect(n)
	return ok
}

// LookupTypes implements ixgo.Loader.
func (c *typeCache) LookupTypes(rt reflect.Type) (types.Type, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Loader.LookupTypes(rt)
}

// typeOf returns the type that has a run-time type; nil when that is not known.
func (c *typeCache) typeOf(rt reflect.Type) (t types.Type) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range []*typeutil.Map{&c.known, &c.unnamed} {
		m.Iterate(func(of types.Type, has any) {
			if has == rt {
				t = of
			}
		})
	}
	if t == nil {
		t, _ = c.Loader.LookupTypes(rt)
	}
	return t
}

// Installed implements ixgo.Loader.
func (c *typeCache) Installed(path string) (*ixgo.Package, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p, ok := c.vars[path]; ok {
		return p, true
	}
	return c.Loader.Installed(path)
}

// bind makes vars, pointers by name, the variables of the package path.
func (c *typeCache) bind(path string, vars map[string]reflect.Value) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.vars[path]
	if p == nil {
		p = &ixgo.Package{Path: path, Name: path, Vars: map[string]reflect.Value{}}
		c.vars[path] = p
	}
	for name, addr := range vars {
		p.Vars[name] = addr
	}
}

// unbind drops all variables: a program has found its own when it has been made, and what was declared again is
// garbage.
func (c *typeCache) unbind() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.vars)
}

// forget drops the run-time types that out chooses, and returns them with their types.
func (c *typeCache) forget(out func(types.Type) bool) (ts []types.Type, rts []reflect.Type) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range []*typeutil.Map{&c.known, &c.unnamed} {
		first := len(ts)
		m.Iterate(func(t types.Type, rt any) {
			if out(t) {
				ts, rts = append(ts, t), append(rts, rt.(reflect.Type))
			}
		})
		for _, t := range ts[first:] {
			m.Delete(t)
		}
	}
	return ts, rts
}

// each calls f for the types that have run-time types.
func (c *typeCache) each(f func(types.Type)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range []*typeutil.Map{&c.known, &c.unnamed} {
		m.Iterate(func(t types.Type, _ any) { f(t) })
	}
}

// restore takes forget back.
func (c *typeCache) restore(ts []types.Type, rts []reflect.Type) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, t := range ts {
		if _, ok := t.(*types.Named); ok {
			c.known.Set(t, rts[i])
		} else {
			c.unnamed.Set(t, rts[i])
		}
	}
}

func (c *typeCache) record(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.recording, c.missing = on, nil
}

// learn asks interp which run-time types it made for the named types that were missing. Interp answers for type members
// of its main package alone: each gets a passing member, of a slice type, as a named one would bring its methods along.
func (c *typeCache) learn(interp *ixgo.Interp, main *ssa.Package) {
	c.mu.Lock()
	missing := c.missing
	c.recording, c.missing = false, nil
	c.mu.Unlock()
	if len(missing) == 0 {
		return
	}
	pkg := types.NewPackage("types·", "types·")
	for i, t := range missing {
		pkg.Scope().Insert(types.NewTypeName(token.NoPos, pkg, fmt.Sprint("t", i), types.NewSlice(t)))
	}
	members := main.Prog.CreatePackage(pkg, nil, nil, false).Members
	const key = "type·"
	defer delete(main.Members, key)
	for i, t := range missing {
		main.Members[key] = members[fmt.Sprint("t", i)]
		if rt, ok := interp.GetType(key); ok {
			c.mu.Lock()
			if c.known.At(t) == nil {
				c.known.Set(t, rt.Elem())
			}
			c.mu.Unlock()
		}
	}
}

var neverDone = context.Background()
