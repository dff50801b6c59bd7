package supervise

import (
	"fmt"
	"reflect"
)

const (
	evaluatedDepth = 100     // how deep a value is looked into for what is to be evaluated
	evaluatedParts = 200_000 // and how many parts of it
)

// evaluateIn has v evaluated, and what in it fmt would ask for its text: elements of slices and maps, and fields.
func (s *Supervisor) evaluateIn(v any) {
	if s.opts.Evaluate == nil {
		return
	}
	if box, ok := v.(boxed); ok {
		v = box.Unboxed()
	}
	s.opts.Evaluate(v)
	rv := reflect.ValueOf(v)
	if rv.Kind() == reflect.Pointer && !rv.IsNil() && !hasText(rv.Type()) {
		rv = rv.Elem() // fmt follows one at the top
	}
	if rv.IsValid() && !hasText(rv.Type()) {
		e := evaluation{s.opts.Evaluate, evaluatedParts}
		e.parts(rv, 0)
	}
}

type evaluation struct {
	evaluate func(v any)
	left     int // parts that may still be looked at
}

// parts goes through what is in v, which has no text of its own.
func (e *evaluation) parts(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Interface:
		e.part(v.Elem(), depth)
	case reflect.Struct:
		for i := range v.NumField() {
			e.part(v.Field(i), depth)
		}
	case reflect.Array, reflect.Slice:
		if mayHaveText(v.Type().Elem()) {
			for i := 0; i < v.Len() && e.left > 0; i++ {
				e.part(v.Index(i), depth)
			}
		}
	case reflect.Map:
		if mayHaveText(v.Type().Key()) || mayHaveText(v.Type().Elem()) {
			for it := v.MapRange(); e.left > 0 && it.Next(); {
				e.part(it.Key(), depth)
				e.part(it.Value(), depth)
			}
		}
	}
}

func (e *evaluation) part(v reflect.Value, depth int) {
	e.left--
	if e.left < 0 || depth > evaluatedDepth || !v.IsValid() || !v.CanInterface() { // fmt asks exported fields alone
		return
	}
	if v.Kind() != reflect.Interface && hasText(v.Type()) {
		x := v.Interface()
		if box, ok := x.(boxed); ok {
			e.part(reflect.ValueOf(box.Unboxed()), depth+1)
			return
		}
		e.evaluate(x)
		return
	}
	e.parts(v, depth+1)
}

// boxed is a value of a cell's type as an engine may have it: its text is that of what is in it.
type boxed interface{ Unboxed() any }

var (
	formatterType = reflect.TypeFor[fmt.Formatter]()
	stringerType  = reflect.TypeFor[fmt.Stringer]()
)

// hasText reports whether fmt would ask values of type t for their text.
func hasText(t reflect.Type) bool { return t.Implements(formatterType) || t.Implements(stringerType) }

// mayHaveText reports whether there may be something in values of type t that fmt would ask for its text.
func mayHaveText(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface, reflect.Struct, reflect.Array, reflect.Slice, reflect.Map:
		return true
	}
	return hasText(t)
}
