package interp

import (
	"go/ast"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/goplus/ixgo"
	"github.com/goplus/reflectx"
)

// interfacesByText is where reflectx finds the interface types that it has made. A text does not tell methods of
// different packages apart that are not exported: interface{ x() } would be one type in all packages of a program.
var interfacesByText = internalField[reflectx.Context]("interfceLookupCache", reflect.TypeFor[map[string]reflect.Type]())

// makeInterfaces makes the interface types of interpreted packages that have methods which are not exported, so that
// each package has types of its own. The record finds them by their Go types from then on. Cells come later, and are
// one package in this.
func makeInterfaces(record *ixgo.TypesRecord, methods *reflectx.Context, units []*Part) {
	texts := *at[map[string]reflect.Type](unsafe.Pointer(methods), interfacesByText)
	for _, u := range units {
		if u.Pkg.Path() == cellPath {
			continue
		}
		for _, t := range u.hidingInterfaces() {
			record.ToType(t)
		}
		clear(texts)
	}
}

// hidingInterfaces are the interface types in u's source that have a method which is not exported.
func (u *Unit) hidingInterfaces() []types.Type {
	if u.hiding == nil {
		u.hiding = []types.Type{}
		for x, tv := range u.Info.Types {
			if _, ok := x.(*ast.InterfaceType); ok && hidesMethods(tv.Type) && !parameterized(tv.Type) {
				u.hiding = append(u.hiding, tv.Type)
			}
		}
	}
	return u.hiding
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
