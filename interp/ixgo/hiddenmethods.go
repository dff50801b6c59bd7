package ixgo

import (
	"go/types"
	"reflect"

	"github.com/goplus/reflectx"

	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
)

// setMethodsPackage puts right of what package the unexported methods of a named interface type are. reflectx has one
// type for all interfaces whose methods have the same names and types, in whatever package, and the named ones take it
// over.
func setMethodsPackage(rt reflect.Type, named *types.Named) {
	iface, ok := named.Underlying().(*types.Interface)
	if !ok || rt.Kind() != reflect.Interface || rt.Name() == "" || named.Obj().Pkg() == nil {
		return
	}
	path, wrong := typeinfo.PackagePath(named.Obj().Pkg()), false
	for i := range rt.NumMethod() {
		m := rt.Method(i)
		wrong = wrong || m.PkgPath != "" && m.PkgPath != path
	}
	for m := range iface.Methods() {
		// embedded from elsewhere: reflectx can name one package only
		if !m.Exported() && typeinfo.PackagePath(m.Pkg()) != path {
			return
		}
	}
	if !wrong {
		return
	}
	reflectx.SetTypeName(rt, path, named.Obj().Name())
	reflectx.SetInterfaceType(rt, nil, interfaceMethods(rt))
}

func interfaceMethods(rt reflect.Type) (methods []reflect.Method) {
	for i := range rt.NumMethod() {
		m := rt.Method(i)
		methods = append(methods, reflect.Method{Name: m.Name, Type: m.Type})
	}
	return methods
}

// implementable is rt, or where rt has the unexported methods of another package than t, an interface type that has
// t's: it tells what implements t.
func implementable(rt reflect.Type, t types.Type) reflect.Type {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok || rt.Kind() != reflect.Interface {
		return rt
	}
	path := ""
	for m := range iface.Methods() {
		switch {
		case m.Exported():
		case path == "" || path == typeinfo.PackagePath(m.Pkg()):
			path = typeinfo.PackagePath(m.Pkg())
		default:
			return rt // of several packages
		}
	}
	for i := range rt.NumMethod() {
		if m := rt.Method(i); m.PkgPath != "" && m.PkgPath != path {
			return reflectx.NamedInterfaceOf(path, "I", nil, interfaceMethods(rt))
		}
	}
	return rt
}
