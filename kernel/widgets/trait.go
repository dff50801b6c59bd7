package widgets

import (
	"fmt"
	"reflect"
	"sync"
)

// trait is an entry of a widget's state with a type of Go: the widget's value.
type trait[T any] struct {
	*Base
	key    string
	decode func(any) (T, bool) // of what a client sends
	encode func(T) any
	limit  func(T) T // nil for none

	mu    sync.Mutex
	now   T
	watch []*func(T)
}

// newTrait opens a widget with a value. Decode and encode may be nil where the value is written as Go's JSON writes it.
func newTrait[T any](kind, label string, state map[string]any, key string, start T, decode func(any) (T, bool), encode func(T) any) *trait[T] {
	t := &trait[T]{key: key, now: start, decode: decode, encode: encode}
	if t.decode == nil {
		t.decode = func(v any) (x T, ok bool) { x, ok = v.(T); return x, ok }
	}
	if t.encode == nil {
		t.encode = func(v T) any { return v }
	}
	if state == nil {
		state = map[string]any{}
	}
	state[key] = t.encode(start)
	t.Base = newBase(controls, kind, views[kind], label, state)
	t.text = func() string { return fmt.Sprintf("%s = %v", or(label, kind), t.get()) }
	t.m.observe(func(state map[string]any) {
		if sent, there := state[key]; there {
			if v, ok := t.decode(sent); ok {
				t.take(v)
			}
		}
	})
	return t
}

// views are the names of views that are not those of their models.
var views = map[string]string{"BoundedIntText": "IntTextView", "BoundedFloatText": "FloatTextView", "IntProgress": "ProgressView", "FloatProgress": "ProgressView"}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func (t *trait[T]) get() T {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now
}

// set changes the value here and in the page, and tells the observers.
func (t *trait[T]) set(v T) {
	if t.limit != nil {
		v = t.limit(v)
	}
	t.m.set(map[string]any{t.key: t.encode(v)})
	t.take(v)
}

// take stores a value, and tells the observers when it is another.
func (t *trait[T]) take(v T) {
	t.mu.Lock()
	same := reflect.DeepEqual(t.now, v)
	t.now = v
	watch := t.watch
	t.mu.Unlock()
	if same {
		return
	}
	for _, f := range watch {
		(*f)(v)
	}
}

func (t *trait[T]) observe(f func(T)) (stop func()) {
	if f == nil {
		panic(fmt.Errorf("widgets: %s: Observe wants a function, not nil", t.kind))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.watch = append(t.watch[:len(t.watch):len(t.watch)], &f)
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		var rest []*func(T)
		for _, g := range t.watch {
			if g != &f {
				rest = append(rest, g)
			}
		}
		t.watch = rest
	}
}

// Valued is a widget with a value, of whatever type.
type Valued interface {
	Widget
	Any() any                          // the value
	SetAny(v any)                      // panics when v is of another type
	ObserveAny(f func()) (stop func()) // f is called after each change
}

func (t *trait[T]) any() any { return t.get() }

func (t *trait[T]) setAny(v any) {
	rv, want := reflect.ValueOf(v), reflect.TypeFor[T]()
	if !rv.IsValid() || !fits(rv.Type(), want) {
		panic(fmt.Errorf("widgets: %T is not a value of %s, which has %v", v, t.kind, want))
	}
	t.set(rv.Convert(want).Interface().(T))
}

func (t *trait[T]) observeAny(f func()) func() { return t.observe(func(T) { f() }) }

// Link keeps the values of two widgets equal: that of a is given to b now, and each change to the other. Numbers of
// different types are converted. Stop ends that.
func Link(a, b Valued) (stop func()) {
	b.SetAny(a.Any())
	stopA := a.ObserveAny(func() { b.SetAny(a.Any()) })
	stopB := b.ObserveAny(func() { a.SetAny(b.Any()) })
	return func() { stopA(); stopB() }
}

// LinkInPage is Link in the client alone: it works without a kernel, as in an exported page, and Go sees the values as
// they change. The widgets must have values of one form.
func LinkInPage(a, b Valued) {
	newModel(controls, "Link", map[string]any{
		"source": []any{a.Common().m.ref(), "value"}, "target": []any{b.Common().m.ref(), "value"}, "_view_name": nil,
	}, nil, nil)
}
