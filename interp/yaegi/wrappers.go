package yaegi

import (
	"reflect"
	"sync"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// loadWrappers fills wrappers, when the first value needs one.
var loadWrappers = sync.OnceFunc(func() {
	Wrapper(func(v Boxed) error { return wrapError{v} })
	generatedWrappers()
	for _, f := range moreWrappers {
		f()
	}
})

var moreWrappers []func()

// Wrappers adds a function that calls [Wrapper] for the interface types of other packages. It must be called before a
// session is made; f runs when a value needs a wrapper.
func Wrappers(f func()) { moreWrappers = append(moreWrappers, f) }

type wrapError struct{ Boxed }

func (w wrapError) Error() (s string) { w.call("Error", []any{&s}); return }

// Unwrap is nil for an error that wraps none.
func (w wrapError) Unwrap() (err error) {
	if m, ok := w.d.method("Unwrap"); ok && m.Type().NumOut() == 1 && m.Type().Out(0) == reflect.TypeFor[error]() {
		w.call("Unwrap", []any{&err})
	}
	return
}

// Is is false for an error that does not say.
func (w wrapError) Is(target error) (ok bool) {
	if w.has("Is") {
		w.call("Is", []any{&ok}, target)
	}
	return
}

// shown makes values ready for display.
func shown(values []any) []any {
	out := append([]any(nil), values...)
	for i, x := range out {
		v, ok := x.(Boxed)
		if !ok {
			continue
		}
		if v.has("Error") {
			out[i] = wrapError{v}
		}
		if v.has("MIMEBundle") {
			if w, ok := wrap(reflect.TypeFor[display.Bundler](), v); ok {
				out[i] = w
			}
		}
	}
	return out
}
