// Package valuesize estimates how much memory values keep.
package valuesize

import "reflect"

// Largest is the largest size that matters: what is larger counts as one byte more.
const Largest = 64 << 20

// sizeSteps bounds how many parts of a value are looked at.
const sizeSteps = 20_000

// Of estimates the memory that v keeps alive. A value may say it itself, by a method NBytes as arrays have it. Maps
// are counted by their length alone; a value with too many parts counts as one that is larger than [Largest]. Engines
// that keep values in boxes of their own give these a method NBytes which returns it.
func Of(v any) (size int) {
	defer func() {
		if recover() != nil { // a part of it is being changed
			size = Largest + 1
		}
	}()
	w := sizeWalk{steps: sizeSteps, seen: map[uintptr]bool{}}
	w.value(reflect.ValueOf(v))
	if w.steps < 0 {
		return max(w.size, Largest+1)
	}
	return w.size
}

type sizeWalk struct {
	steps int
	size  int
	seen  map[uintptr]bool // what pointers, slices and maps point to
}

// value counts what v points to, directly or not.
func (w *sizeWalk) value(v reflect.Value) {
	if w.steps--; w.steps < 0 || !v.IsValid() {
		return
	}
	if v.CanInterface() {
		if n, ok := v.Interface().(interface{ NBytes() int }); ok && !(v.Kind() == reflect.Pointer && v.IsNil()) {
			w.size += n.NBytes()
			return
		}
	}
	switch v.Kind() {
	case reflect.String:
		w.size += v.Len()
	case reflect.Pointer:
		if !v.IsNil() && w.first(v.Pointer()) {
			w.size += int(v.Type().Elem().Size())
			w.value(v.Elem())
		}
	case reflect.Interface:
		w.value(v.Elem())
	case reflect.Map:
		if !v.IsNil() && w.first(v.Pointer()) {
			w.size += v.Len() * int(v.Type().Key().Size()+v.Type().Elem().Size()+8)
		}
	case reflect.Slice:
		if !v.IsNil() && w.first(v.Pointer()) {
			w.size += v.Cap() * int(v.Type().Elem().Size())
			w.elements(v)
		}
	case reflect.Array:
		w.elements(v)
	case reflect.Struct:
		for i := range v.NumField() {
			w.value(v.Field(i))
		}
	}
}

// elements counts what elements point to, where they can.
func (w *sizeWalk) elements(v reflect.Value) {
	if !holdsPointers(v.Type().Elem()) {
		return
	}
	for i := 0; i < v.Len() && w.steps >= 0; i++ {
		w.value(v.Index(i))
	}
}

func (w *sizeWalk) first(p uintptr) bool {
	if w.seen[p] {
		return false
	}
	w.seen[p] = true
	return true
}

func holdsPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return true
	case reflect.Array:
		return holdsPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsPointers(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
