package goerror

import (
	"errors"
	"reflect"
)

var (
	zero = 0

	// Nil is what Go panics with at a nil pointer.
	Nil = recovered(func() {
		var none *int
		*none = 0
	}).(error)

	plainType  = reflect.TypeOf(recovered(func() { close((chan int)(nil)) }))
	stringType = reflect.TypeOf(recovered(func() { zero = 1 / zero }))
)

// recovered is what f panics with.
func recovered(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// Plain makes an error of the runtime that says the text and nothing else, such as "close of nil channel".
func Plain(text string) error { return ofType(plainType, text, text) }

// Text makes an error of the runtime that says "runtime error: " and the text.
func Text(text string) error { return ofType(stringType, text, "runtime error: "+text) }

func ofType(t reflect.Type, text, whole string) error {
	if t == nil || t.Kind() != reflect.String { // this version of Go keeps them otherwise
		return errors.New(whole)
	}
	v := reflect.New(t).Elem()
	v.SetString(text)
	return v.Interface().(error)
}
