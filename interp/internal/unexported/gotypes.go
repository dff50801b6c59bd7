package unexported

import (
	"go/types"
	"reflect"
	"unsafe"
)

// What go/types does not let change from outside; a Go with other fields fails the first test that adds a method.
var (
	NamedMethods = Of[types.Named]("methods", reflect.TypeFor[[]*types.Func]())
	SelectionObj = Of[types.Selection]("obj", reflect.TypeFor[types.Object]())
	FuncObject   = Of[types.Func]("object", nil)
	ObjectType   = In(FuncObject.Type, "typ", reflect.TypeFor[types.Type]())
)

// MethodsOf is the list of methods of a type.
func MethodsOf(t *types.Named) *[]*types.Func {
	return At[[]*types.Func](unsafe.Pointer(t), NamedMethods)
}

// SetFuncType gives a function another signature.
func SetFuncType(fn *types.Func, sig *types.Signature) {
	*At[types.Type](unsafe.Add(unsafe.Pointer(fn), FuncObject.Offset), ObjectType) = sig
}
