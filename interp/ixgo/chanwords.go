package ixgo

import (
	"reflect"
	"sync/atomic"
	"unsafe"
)

// A blocked operation on a channel must also wait for the word to end. reflect.Select does that for all channels and
// takes twice as long as the operation alone; Go's own select does it in nearly the same time, for types that are known
// when it is compiled. How a channel copies its elements is written in the channel, so one select serves all types
// whose elements have the same size and pointers in the same places: numbers of a size, strings, slices, pointers,
// interfaces.

// quitter returns the channel that is closed when the calling goroutine must end, nil for never.
type quitter = func() <-chan struct{}

// receiveAs receives from a channel whose elements are as T.
func receiveAs[T any](ch unsafe.Pointer, quit quitter) (v T, ok, ended bool) {
	c := *(*chan T)(unsafe.Pointer(&ch))
	select {
	case v, ok = <-c:
		return v, ok, false
	default:
	}
	select {
	case v, ok = <-c:
		return v, ok, false
	case <-quit():
		return v, false, true
	}
}

// sendAs sends to a channel whose elements are as T.
func sendAs[T any](ch unsafe.Pointer, v T, quit quitter) (ended bool) {
	c := *(*chan T)(unsafe.Pointer(&ch))
	select {
	case c <- v:
		return false
	default:
	}
	select {
	case c <- v:
		return false
	case <-quit():
		return true
	}
}

// element is how the elements of a type of channels are received into registers and sent from them. Nil functions: by
// reflect.
type element struct {
	chanType unsafe.Pointer // the first word of a register with such a channel
	receive  func(w *waiter, ch unsafe.Pointer) (v any, ok, ended bool)
	send     func(w *waiter, ch unsafe.Pointer, v *any) (ended bool)
}

// elementOf returns that of the channel in a register; last is what an instruction found before.
func elementOf(ch *any, last *atomic.Pointer[element]) *element {
	t := (*[2]unsafe.Pointer)(unsafe.Pointer(ch))[0]
	e := last.Load()
	if e == nil || e.chanType != t {
		e = newElement(reflect.TypeOf(*ch).Elem())
		e.chanType = t
		last.Store(e)
	}
	return e
}

func newElement(t reflect.Type) *element {
	switch t.Kind() {
	case reflect.String:
		return boxed[string](t)
	case reflect.Slice:
		return boxed[[]byte](t)
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return direct(t)
	case reflect.Interface:
		return dynamic(t)
	}
	if hasPointers(t) {
		return &element{}
	}
	switch t.Size() {
	case 0:
		return boxed[struct{}](t)
	case 1:
		return boxed[uint8](t)
	case 2:
		return boxed[uint16](t)
	case 4:
		return boxed[uint32](t)
	case 8:
		return boxed[uint64](t)
	case 16:
		return boxed[[2]uint64](t)
	case 24:
		return boxed[[3]uint64](t)
	case 32:
		return boxed[[4]uint64](t)
	}
	return &element{}
}

// hasPointers reports whether values of a type may hold pointers.
func hasPointers(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array:
		return t.Len() > 0 && hasPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	default:
		return k == reflect.Invalid || k > reflect.Complex128
	}
}

// typeWord is the first word of an interface that holds a value of type t, which is not an interface.
func typeWord(t reflect.Type) unsafe.Pointer {
	v := reflect.Zero(t).Interface()
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&v))[0]
}

// boxed is for elements that an interface holds a pointer to.
func boxed[T any](t reflect.Type) *element {
	word := typeWord(t)
	return &element{
		receive: func(w *waiter, ch unsafe.Pointer) (out any, ok, ended bool) {
			v, ok, ended := receiveAs[T](ch, w.hooks.Quit)
			p := &v // to the collector a value of t is one of T: asking reflect for one takes as long as the channel
			*(*[2]unsafe.Pointer)(unsafe.Pointer(&out)) = [2]unsafe.Pointer{word, unsafe.Pointer(p)}
			return out, ok, ended
		},
		send: func(w *waiter, ch unsafe.Pointer, v *any) bool {
			return sendAs(ch, *(*T)(pointerOf(v)), w.hooks.Quit)
		},
	}
}

// direct is for elements that are one pointer.
func direct(t reflect.Type) *element {
	word := typeWord(t)
	return &element{
		receive: func(w *waiter, ch unsafe.Pointer) (out any, ok, ended bool) {
			v, ok, ended := receiveAs[unsafe.Pointer](ch, w.hooks.Quit)
			*(*[2]unsafe.Pointer)(unsafe.Pointer(&out)) = [2]unsafe.Pointer{word, v}
			return out, ok, ended
		},
		send: func(w *waiter, ch unsafe.Pointer, v *any) bool { return sendAs(ch, pointerOf(v), w.hooks.Quit) },
	}
}

// dynamic is for elements that are interfaces: a register has what is in them.
func dynamic(t reflect.Type) *element {
	empty := t.NumMethod() == 0
	return &element{
		receive: func(w *waiter, ch unsafe.Pointer) (out any, ok, ended bool) {
			if empty {
				return receiveAs[any](ch, w.hooks.Quit)
			}
			v, ok, ended := receiveAs[interface{ m() }](ch, w.hooks.Quit)
			return reflect.NewAt(t, unsafe.Pointer(&v)).Elem().Interface(), ok, ended
		},
		send: func(w *waiter, ch unsafe.Pointer, v *any) bool {
			if empty {
				return sendAs(ch, *v, w.hooks.Quit)
			}
			p := reflect.New(t)
			if *v != nil {
				p.Elem().Set(reflect.ValueOf(*v))
			}
			return sendAs(ch, *(*interface{ m() })(p.UnsafePointer()), w.hooks.Quit)
		},
	}
}
