package ixgo

import (
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	_ "unsafe" // for go:linkname
)

// A struct has the methods of what it embeds. ixgo v1.1.1 makes such a method once for all structs that embed the type
// by the same indices, and reflectx then calls it with the layout of the first struct: of struct{ S [4]string; Inner }
// compiled code, such as fmt, would read Inner where struct{ N int; Inner } has it. So what ixgo remembers is for the
// first struct alone, but where the layout cannot matter.

//go:linkname promotedMethods github.com/goplus/ixgo.mfnMap
var promotedMethods sync.Map

//go:linkname promotedCount github.com/goplus/ixgo.mfnId
var promotedCount int64

// promotedKey and promotedMethod are as ixgo declares its mfnKey and mfnValue.
type promotedKey struct {
	typ      reflect.Type // the receiver's
	name     string       // of the method
	indices  string       // of the fields on the way, and of the method: ".0.1.3"
	pointer  bool         // only the struct's pointer has the method: no field on the way is a pointer
	indirect bool         // a field on the way is a pointer
}

type promotedMethod struct {
	fn func([]reflect.Value) []reflect.Value
	id int // above 0 for what is shared
}

var (
	unsharing sync.Mutex
	unshared  int64 // how many of the methods have been looked at
)

// unsharePromoted lets later structs have promoted methods of their own. It goes over all that ixgo remembers, and does
// nothing where nothing has been added.
func unsharePromoted() {
	unsharing.Lock()
	defer unsharing.Unlock()
	n := atomic.LoadInt64(&promotedCount)
	if n == unshared {
		return
	}
	unshared = n
	promotedMethods.Range(func(k, v any) bool {
		key, method := reflect.New(reflect.TypeOf(k)), reflect.ValueOf(v).Elem()
		key.Elem().Set(reflect.ValueOf(k))
		if !sameFields(key.Type().Elem(), reflect.TypeFor[promotedKey]()) || !sameFields(method.Type(), reflect.TypeFor[promotedMethod]()) {
			panic("interp: ixgo remembers promoted methods otherwise than v1.1.1 did")
		}
		// What pointers to first fields have is called with the struct's address, whatever its layout.
		of, shared := (*promotedKey)(key.UnsafePointer()), (*promotedMethod)(method.Addr().UnsafePointer())
		if shared.id == 0 || of.pointer && isFirst(of.indices) {
			return true
		}
		own := reflect.New(method.Type())
		*(*promotedMethod)(own.UnsafePointer()) = promotedMethod{fn: shared.fn}
		promotedMethods.Store(k, own.Interface())
		return true
	})
}

// isFirst reports whether the way to a promoted method goes through first fields alone. What is embedded is then where
// the struct is, whatever comes behind it. The last index is the method's.
func isFirst(indices string) bool {
	way := strings.Split(indices[1:], ".")
	for _, i := range way[:len(way)-1] {
		if i != "0" {
			return false
		}
	}
	return true
}

// sameFields reports whether two structs have fields of the same kinds in the same places.
func sameFields(a, b reflect.Type) bool {
	if a.NumField() != b.NumField() {
		return false
	}
	for i := range a.NumField() {
		if f, g := a.Field(i), b.Field(i); f.Offset != g.Offset || f.Type.Kind() != g.Type.Kind() {
			return false
		}
	}
	return true
}
