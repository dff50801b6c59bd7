package goerror

import (
	"reflect"
	"runtime"
	"unsafe"

	"github.com/goplus/reflectx"
)

// Assertion is the error of x.(asserted), where x is of the interface type from and holds a value of the type concrete,
// nil for none.
func Assertion(from, concrete, asserted reflect.Type) error {
	e := new(runtime.TypeAssertionError)
	v := reflect.ValueOf(e).Elem()
	set := func(name string, value any) {
		f := v.FieldByName(name)
		switch x := value.(type) {
		case reflect.Type:
			if x != nil && f.IsValid() && f.Kind() == reflect.Pointer {
				reflectx.CanSet(f).Set(reflect.NewAt(f.Type().Elem(), typeWord(x)))
			}
		case string:
			if f.IsValid() && f.Kind() == reflect.String {
				reflectx.CanSet(f).SetString(x)
			}
		}
	}
	set("asserted", asserted)
	set("concrete", concrete)
	switch {
	case asserted.Kind() != reflect.Interface:
		set("_interface", from)
	case concrete != nil:
		set("missingMethod", missingMethod(concrete, asserted))
	}
	return e
}

// typeWord is the pointer to the runtime's own description of t.
func typeWord(t reflect.Type) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(&t))[1] }

// missingMethod is the first method of an interface type, in the runtime's order, that t has not.
func missingMethod(t, iface reflect.Type) string {
	hidden := ""
	for i := range iface.NumMethod() {
		want := iface.Method(i)
		m, ok := reflectx.MethodByName(t, want.Name)
		switch {
		case !ok || m.Type == nil || !sameMethod(m.Type, want.Type):
			return want.Name
		case want.PkgPath != "":
			hidden = want.Name // perhaps another package's
		}
	}
	return hidden
}

// sameMethod reports whether a method's type, which has the receiver, is that of an interface's method.
func sameMethod(m, want reflect.Type) bool {
	if m.NumIn() != want.NumIn()+1 || m.NumOut() != want.NumOut() || m.IsVariadic() != want.IsVariadic() {
		return false
	}
	for i := range want.NumIn() {
		if m.In(i+1) != want.In(i) {
			return false
		}
	}
	for i := range want.NumOut() {
		if m.Out(i) != want.Out(i) {
			return false
		}
	}
	return true
}
