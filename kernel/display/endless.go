package display

import (
	"fmt"
	"reflect"
)

const (
	endlessDepth = 10_000  // values nested deeper than this count as endless
	endlessSteps = 200_000 // how many parts of a value are looked at
)

// Endless reports whether v contains itself in a way that fmt would follow for ever, until the stack's overflow ends
// the process: through slices, maps, interfaces, and a pointer at the top. Deeper pointers fmt prints as addresses.
func Endless(v any) bool {
	rv := reflect.ValueOf(v)
	if k := rv.Kind(); flat(k) && k != reflect.Pointer {
		return false
	}
	w := endlessWalk{steps: endlessSteps, path: map[span]bool{}}
	if rv.Kind() == reflect.Pointer && !rv.IsNil() && !ownText(rv) {
		w.path[span{rv.Type(), rv.Pointer(), 0}] = true
		rv = rv.Elem()
	}
	return w.visit(rv, 0)
}

// span is a slice, a map or the top's pointer, which is being walked.
type span struct {
	typ reflect.Type
	ptr uintptr
	len int
}

type endlessWalk struct {
	steps int
	path  map[span]bool
}

func (w *endlessWalk) visit(v reflect.Value, depth int) bool {
	if w.steps--; w.steps < 0 || !v.IsValid() || flat(v.Kind()) || ownText(v) {
		return false
	}
	if depth > endlessDepth {
		return true
	}
	switch v.Kind() {
	case reflect.Interface:
		return w.visit(v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			if w.visit(v.Field(i), depth+1) {
				return true
			}
		}
	case reflect.Array, reflect.Slice:
		return w.elements(v, depth)
	case reflect.Map:
		return w.within(span{v.Type(), v.Pointer(), 0}, func() bool {
			for it := v.MapRange(); it.Next() && w.steps > 0; {
				if w.visit(it.Key(), depth+1) || w.visit(it.Value(), depth+1) {
					return true
				}
			}
			return false
		})
	}
	return false
}

func (w *endlessWalk) elements(v reflect.Value, depth int) bool {
	if flat(v.Type().Elem().Kind()) {
		return false
	}
	walk := func() bool {
		for i := 0; i < v.Len() && w.steps > 0; i++ {
			if w.visit(v.Index(i), depth+1) {
				return true
			}
		}
		return false
	}
	if v.Kind() == reflect.Array || v.Len() == 0 {
		return walk()
	}
	return w.within(span{v.Type(), v.Pointer(), v.Len()}, walk)
}

// within runs walk with p on the path; to be there already is the endlessness that is looked for.
func (w *endlessWalk) within(p span, walk func() bool) bool {
	if w.path[p] {
		return true
	}
	w.path[p] = true
	defer delete(w.path, p)
	return walk()
}

// flat reports whether fmt prints values of kind k without looking into them; pointers below the top are.
func flat(k reflect.Kind) bool {
	switch k {
	case reflect.Interface, reflect.Struct, reflect.Array, reflect.Slice, reflect.Map:
		return false
	}
	return true
}

// ownText reports whether fmt would ask v itself for its text.
func ownText(v reflect.Value) bool {
	if !v.CanInterface() || v.Kind() == reflect.Interface {
		return false
	}
	switch v.Interface().(type) {
	case fmt.Formatter, error, fmt.Stringer:
		return true
	}
	return false
}
