// Package unexported finds fields of other packages that these do not export, by name and type. Where a version of such
// a package has another field, its place has no type, and who needs it says so at the start or does without.
package unexported

import (
	"reflect"
	"unsafe"
)

// Field is the place of a field in a struct; Type is nil when there is none of that name and type.
type Field struct {
	Name   string
	Offset uintptr
	Type   reflect.Type
}

// Of is the place of a field of T, whose type must be want if that is not nil.
func Of[T any](name string, want reflect.Type) *Field {
	return In(reflect.TypeFor[T](), name, want)
}

// In is the same for a struct type that may itself not be known: nil has no fields.
func In(t reflect.Type, name string, want reflect.Type) *Field {
	if t == nil || t.Kind() != reflect.Struct {
		return &Field{Name: name}
	}
	f, ok := t.FieldByName(name)
	if !ok || want != nil && f.Type != want {
		return &Field{Name: name}
	}
	return &Field{name, f.Offset, f.Type}
}

// Elem is what a pointer type points to, nil for other types.
func Elem(t reflect.Type) reflect.Type {
	if t == nil || t.Kind() != reflect.Pointer {
		return nil
	}
	return t.Elem()
}

// At is the address of a field in the struct at p.
func At[T any](p unsafe.Pointer, f *Field) *T { return (*T)(unsafe.Add(p, f.Offset)) }
