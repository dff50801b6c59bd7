package ixgo

import (
	"go/types"
	"reflect"
	"unsafe"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// Each program would make the run-time types of some unnamed types anew: of structs that embed fields, of interfaces,
// and of what is made of them. Their values are alike, but package reflect stores no value of the one where it wants
// the other, and in an interface a value of an earlier cell must have the type that a later one means. So the first
// run-time type of each is kept, and later programs begin with it.

// recordCache is where ixgo's record of a program's types finds them.
var recordCache = unexported.In(unexported.Elem(interpRecord.Type), "tcache", reflect.TypeFor[*typeutil.Map]())

// remade reports whether each program makes the run-time type of t anew.
func remade(t types.Type) bool {
	switch t := t.(type) {
	case *types.Alias:
		return remade(types.Unalias(t))
	case *types.Map:
		return remade(t.Key()) || remade(t.Elem())
	case interface{ Elem() types.Type }:
		return remade(t.Elem())
	case *types.Signature:
		for _, vars := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range vars.Variables() {
				if remade(v.Type()) {
					return true
				}
			}
		}
	case *types.Interface:
		return t.NumMethods() > 0
	case *types.Struct:
		blank := 0
		for f := range t.Fields() {
			if f.Name() == "_" {
				blank++
			}
			if f.Embedded() || blank > 1 || remade(f.Type()) {
				return true
			}
		}
	}
	return false
}

// keep remembers the run-time type of an unnamed type that later programs would make anew. Those that differ from
// instance to instance of a generic function are not kept.
func (c *typeCache) keep(t types.Type, rt reflect.Type, nested map[*types.Named]int) {
	if _, named := t.(*types.Named); named || !remade(t) || c.kept(t) != nil || typeinfo.Parameterized(t) {
		return
	}
	if len(nested) > 0 {
		set := map[types.Type]bool{}
		for n := range nested {
			set[n] = true
		}
		if typeinfo.Mentions(t, set, map[types.Type]bool{}) {
			return
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.unnamed.At(t) == nil {
		c.unnamed.Set(t, rt)
	}
}

// kept is the run-time type that is kept of an unnamed type, nil when there is none.
func (c *typeCache) kept(t types.Type) reflect.Type {
	c.mu.Lock()
	defer c.mu.Unlock()
	rt, _ := c.unnamed.At(t).(reflect.Type)
	return rt
}

// plant gives the record of a program, before it makes types, those that are kept.
func (c *typeCache) plant(record *ixgo.TypesRecord) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := unsafe.Pointer(record)
	byType, byReflect := *unexported.At[*typeutil.Map](p, recordCache), *unexported.At[map[reflect.Type]types.Type](p, recordTypes)
	c.unnamed.Iterate(func(t types.Type, rt any) {
		byType.Set(t, rt)
		byReflect[rt.(reflect.Type)] = t
	})
}
