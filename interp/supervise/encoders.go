package supervise

import (
	"encoding"
	"encoding/gob"
	"encoding/xml"
	"fmt"
	"reflect"
)

// encoder says what a package that encodes values follows. Those here follow pointers without an end: the overflow of
// the stack would end the process.
type encoder struct {
	field func(reflect.StructField) bool // whether it encodes a field that is exported
	own   []reflect.Type                 // interfaces of the values that encode themselves
}

var (
	xmlEncoder = &encoder{
		field: func(f reflect.StructField) bool { return f.Tag.Get("xml") != "-" },
		own:   []reflect.Type{reflect.TypeFor[xml.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()},
	}
	gobEncoder = &encoder{
		field: func(reflect.StructField) bool { return true },
		own:   []reflect.Type{reflect.TypeFor[gob.GobEncoder](), reflect.TypeFor[encoding.BinaryMarshaler](), reflect.TypeFor[encoding.TextMarshaler]()},
	}
)

// encoderSteps is how many parts of a value are looked at.
const encoderSteps = 200_000

// finite returns v, and panics where it contains itself in a way that e follows.
func (e *encoder) finite(v any) any {
	w := encoderWalk{encoder: e, steps: encoderSteps, path: map[part]bool{}}
	if w.cyclic(reflect.ValueOf(v)) {
		panic(fmt.Errorf("a value of type %T contains itself: what encodes it would never end", v))
	}
	return v
}

// encoderWalk looks for a pointer, slice or map inside itself.
type encoderWalk struct {
	*encoder
	steps int
	path  map[part]bool
}

// part is what a value may contain again.
type part struct {
	typ reflect.Type
	p   uintptr
	len int
}

func (w *encoderWalk) cyclic(v reflect.Value) bool {
	if w.steps--; w.steps < 0 || !v.IsValid() || w.leaf(v.Type()) {
		return false
	}
	switch v.Kind() {
	case reflect.Interface:
		return w.cyclic(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); (f.IsExported() || f.Anonymous) && w.field(f) && w.cyclic(v.Field(i)) {
				return true
			}
		}
		return false
	case reflect.Array:
		return w.elements(v)
	}
	if v.IsNil() {
		return false
	}
	at := part{typ: v.Type(), p: v.Pointer()}
	if v.Kind() == reflect.Slice {
		at.len = v.Len()
	}
	if w.path[at] && (v.Kind() != reflect.Slice || at.len > 0) {
		return true
	}
	w.path[at] = true
	defer delete(w.path, at)
	switch v.Kind() {
	case reflect.Pointer:
		return w.cyclic(v.Elem())
	case reflect.Slice:
		return w.elements(v)
	}
	for it := v.MapRange(); it.Next() && w.steps > 0; {
		if w.cyclic(it.Key()) || w.cyclic(it.Value()) {
			return true
		}
	}
	return false
}

func (w *encoderWalk) elements(v reflect.Value) bool {
	if w.leaf(v.Type().Elem()) {
		return false
	}
	for i := range v.Len() {
		if w.cyclic(v.Index(i)) {
			return true
		}
	}
	return false
}

// leaf reports whether e does not look into values of type t.
func (e *encoder) leaf(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return false
	case reflect.Struct, reflect.Array, reflect.Slice, reflect.Map, reflect.Pointer:
	default:
		return true
	}
	for _, own := range e.own {
		if t.Implements(own) || reflect.PointerTo(t).Implements(own) {
			return true
		}
	}
	return false
}
