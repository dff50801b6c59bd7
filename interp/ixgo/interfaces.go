package ixgo

import (
	"go/ast"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/goplus/ixgo"
	"github.com/goplus/reflectx"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// interfacesByText is where reflectx finds the interface types that it has made. A text does not tell methods of
// different packages apart that are not exported: interface{ x() } would be one type in all packages of a program.
var interfacesByText = unexported.Of[reflectx.Context]("interfceLookupCache", reflect.TypeFor[map[string]reflect.Type]())

// makeInterfaces makes the interface types of interpreted packages that have methods which are not exported, so that
// each package has types of its own. The record finds them by their Go types from then on. Cells come later, and are
// one package in this.
func (e *Engine) makeInterfaces(record *ixgo.TypesRecord, methods *reflectx.Context, units []*engine.Part) {
	texts := *unexported.At[map[string]reflect.Type](unsafe.Pointer(methods), interfacesByText)
	for _, u := range units {
		if u.Pkg.Path() == engine.CellPath {
			continue
		}
		for _, t := range e.hidingInterfaces(u.Unit) {
			record.ToType(t)
		}
		clear(texts)
	}
}

// hidingInterfaces are the interface types in the source of u, a package, that have a method which is not exported.
func (e *Engine) hidingInterfaces(u *engine.Unit) []types.Type {
	all, known := e.hiding[u]
	if !known {
		for x, tv := range u.Info.Types {
			if _, ok := x.(*ast.InterfaceType); ok && hidesMethods(tv.Type) && !typeinfo.Parameterized(tv.Type) {
				all = append(all, tv.Type)
			}
		}
		e.hiding[u] = all
	}
	return all
}

// hidesMethods reports whether t is an interface with a method that is not exported.
func hidesMethods(t types.Type) bool {
	i, ok := t.(*types.Interface)
	if !ok || !i.IsMethodSet() {
		return false
	}
	for m := range i.Methods() {
		if !m.Exported() {
			return true
		}
	}
	return false
}
