package widgets

import "time"

// The types of widgets by their values. Value reads it, Set changes it here and in the page, Observe has a function
// called after each change, whoever made it.

// Int is a widget whose value is a whole number.
type Int struct {
	*Base
	t *trait[int]
}

// Value returns the value.
func (w *Int) Value() int { return w.t.get() }

// Set changes the value.
func (w *Int) Set(v int) { w.t.set(v) }

// Observe has f called with each new value until stop is called.
func (w *Int) Observe(f func(int)) (stop func()) { return w.t.observe(f) }

// Any, SetAny and ObserveAny are those of [Valued].
func (w *Int) Any() any                   { return w.t.any() }
func (w *Int) SetAny(v any)               { w.t.setAny(v) }
func (w *Int) ObserveAny(f func()) func() { return w.t.observeAny(f) }

// Float is a widget whose value is a number.
type Float struct {
	*Base
	t *trait[float64]
}

// Value returns the value.
func (w *Float) Value() float64 { return w.t.get() }

// Set changes the value.
func (w *Float) Set(v float64) { w.t.set(v) }

// Observe has f called with each new value until stop is called.
func (w *Float) Observe(f func(float64)) (stop func()) { return w.t.observe(f) }

// Any, SetAny and ObserveAny are those of [Valued].
func (w *Float) Any() any                   { return w.t.any() }
func (w *Float) SetAny(v any)               { w.t.setAny(v) }
func (w *Float) ObserveAny(f func()) func() { return w.t.observeAny(f) }

// String is a widget whose value is a text.
type String struct {
	*Base
	t *trait[string]
}

// Value returns the value.
func (w *String) Value() string { return w.t.get() }

// Set changes the value.
func (w *String) Set(v string) { w.t.set(v) }

// Observe has f called with each new value until stop is called.
func (w *String) Observe(f func(string)) (stop func()) { return w.t.observe(f) }

// Any, SetAny and ObserveAny are those of [Valued].
func (w *String) Any() any                   { return w.t.any() }
func (w *String) SetAny(v any)               { w.t.setAny(v) }
func (w *String) ObserveAny(f func()) func() { return w.t.observeAny(f) }

// Bool is a widget whose value is true or false.
type Bool struct {
	*Base
	t *trait[bool]
}

// Value returns the value.
func (w *Bool) Value() bool { return w.t.get() }

// Set changes the value.
func (w *Bool) Set(v bool) { w.t.set(v) }

// Observe has f called with each new value until stop is called.
func (w *Bool) Observe(f func(bool)) (stop func()) { return w.t.observe(f) }

// Any, SetAny and ObserveAny are those of [Valued].
func (w *Bool) Any() any                   { return w.t.any() }
func (w *Bool) SetAny(v any)               { w.t.setAny(v) }
func (w *Bool) ObserveAny(f func()) func() { return w.t.observeAny(f) }

// IntPair is a widget whose value is the two ends of a range of whole numbers.
type IntPair struct {
	*Base
	t *trait[[2]int]
}

// Value returns the value.
func (w *IntPair) Value() [2]int { return w.t.get() }

// Set changes the value.
func (w *IntPair) Set(v [2]int) { w.t.set(v) }

// Observe has f called with each new value until stop is called.
func (w *IntPair) Observe(f func([2]int)) (stop func()) { return w.t.observe(f) }

// Any, SetAny and ObserveAny are those of [Valued].
func (w *IntPair) Any() any                   { return w.t.any() }
func (w *IntPair) SetAny(v any)               { w.t.setAny(v) }
func (w *IntPair) ObserveAny(f func()) func() { return w.t.observeAny(f) }

// FloatPair is a widget whose value is the two ends of a range.
type FloatPair struct {
	*Base
	t *trait[[2]float64]
}

// Value returns the value.
func (w *FloatPair) Value() [2]float64 { return w.t.get() }

// Set changes the value.
func (w *FloatPair) Set(v [2]float64) { w.t.set(v) }

// Observe has f called with each new value until stop is called.
func (w *FloatPair) Observe(f func([2]float64)) (stop func()) { return w.t.observe(f) }

// Any, SetAny and ObserveAny are those of [Valued].
func (w *FloatPair) Any() any                   { return w.t.any() }
func (w *FloatPair) SetAny(v any)               { w.t.setAny(v) }
func (w *FloatPair) ObserveAny(f func()) func() { return w.t.observeAny(f) }

// Strings is a widget whose value is texts.
type Strings struct {
	*Base
	t *trait[[]string]
}

// Value returns the value.
func (w *Strings) Value() []string { return w.t.get() }

// Set changes the value.
func (w *Strings) Set(v []string) { w.t.set(v) }

// Observe has f called with each new value until stop is called.
func (w *Strings) Observe(f func([]string)) (stop func()) { return w.t.observe(f) }

// Any, SetAny and ObserveAny are those of [Valued].
func (w *Strings) Any() any                   { return w.t.any() }
func (w *Strings) SetAny(v any)               { w.t.setAny(v) }
func (w *Strings) ObserveAny(f func()) func() { return w.t.observeAny(f) }

// Ints is a widget whose value is whole numbers.
type Ints struct {
	*Base
	t *trait[[]int]
}

// Value returns the value.
func (w *Ints) Value() []int { return w.t.get() }

// Set changes the value.
func (w *Ints) Set(v []int) { w.t.set(v) }

// Observe has f called with each new value until stop is called.
func (w *Ints) Observe(f func([]int)) (stop func()) { return w.t.observe(f) }

// Any, SetAny and ObserveAny are those of [Valued].
func (w *Ints) Any() any                   { return w.t.any() }
func (w *Ints) SetAny(v any)               { w.t.setAny(v) }
func (w *Ints) ObserveAny(f func()) func() { return w.t.observeAny(f) }

// Floats is a widget whose value is numbers.
type Floats struct {
	*Base
	t *trait[[]float64]
}

// Value returns the value.
func (w *Floats) Value() []float64 { return w.t.get() }

// Set changes the value.
func (w *Floats) Set(v []float64) { w.t.set(v) }

// Observe has f called with each new value until stop is called.
func (w *Floats) Observe(f func([]float64)) (stop func()) { return w.t.observe(f) }

// Any, SetAny and ObserveAny are those of [Valued].
func (w *Floats) Any() any                   { return w.t.any() }
func (w *Floats) SetAny(v any)               { w.t.setAny(v) }
func (w *Floats) ObserveAny(f func()) func() { return w.t.observeAny(f) }

// Time is a widget whose value is a date, a time or both; the zero Time where nothing is chosen.
type Time struct {
	*Base
	t *trait[time.Time]
}

// Value returns the value.
func (w *Time) Value() time.Time { return w.t.get() }

// Set changes the value.
func (w *Time) Set(v time.Time) { w.t.set(v) }

// Observe has f called with each new value until stop is called.
func (w *Time) Observe(f func(time.Time)) (stop func()) { return w.t.observe(f) }

// Any, SetAny and ObserveAny are those of [Valued].
func (w *Time) Any() any                   { return w.t.any() }
func (w *Time) SetAny(v any)               { w.t.setAny(v) }
func (w *Time) ObserveAny(f func()) func() { return w.t.observeAny(f) }

// Files is a widget whose value is files that were chosen in the page.
type Files struct {
	*Base
	t *trait[[]File]
}

// Value returns the value.
func (w *Files) Value() []File { return w.t.get() }

// Set changes the value.
func (w *Files) Set(v []File) { w.t.set(v) }

// Observe has f called with each new value until stop is called.
func (w *Files) Observe(f func([]File)) (stop func()) { return w.t.observe(f) }

// Any, SetAny and ObserveAny are those of [Valued].
func (w *Files) Any() any                   { return w.t.any() }
func (w *Files) SetAny(v any)               { w.t.setAny(v) }
func (w *Files) ObserveAny(f func()) func() { return w.t.observeAny(f) }

// Choices is a widget whose value is one of the values that a menu stands for.
type Choices struct {
	*Base
	t *trait[any]
}

// Value returns the value.
func (w *Choices) Value() any { return w.t.get() }

// Set changes the value.
func (w *Choices) Set(v any) { w.t.set(v) }

// Observe has f called with each new value until stop is called.
func (w *Choices) Observe(f func(any)) (stop func()) { return w.t.observe(f) }

// Any, SetAny and ObserveAny are those of [Valued].
func (w *Choices) Any() any                   { return w.t.any() }
func (w *Choices) SetAny(v any)               { w.t.setAny(v) }
func (w *Choices) ObserveAny(f func()) func() { return w.t.observeAny(f) }
