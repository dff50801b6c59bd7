package widgets

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// TypeView is the MIME type by which an output shows a widget.
const TypeView = "application/vnd.jupyter.widget-view+json"

// Interact returns a value that displays as controls and, below them, as the result of f for their values; f is called
// again whenever one is moved. What it prints and shows then appears below the controls; what it prints the first time
// is the cell's. There is an argument for each parameter of f, which has one result, which is shown, or none, and may
// return an error after it. An argument is a [Control], a widget with a value of the parameter's type or one that
// converts to it, or a value that says which control is meant:
//
//	10, 1.5          a slider from -10 to 30, from -1.5 to 4.5
//	[2]int{0, 9}     a slider from 0 to 9; of [3]int{0, 90, 10} the last is the step; so [2]float64, [3]float64
//	true, "text"     a box to tick, a line to write into
//	[]string{…}      a menu; so []int, []float64 and other slices
//	map[string]T{…}  a menu of the keys, which gives the value that stands under one, a function too
//	a time.Time      a day
//
// [Arg] gives it a name. Interact panics when function and arguments do not fit.
func Interact(f any, args ...any) display.Bundler { return newInteraction("Interact", f, args) }

// InteractManual is [Interact] that calls f when its button "Run" is pressed, for what takes long.
func InteractManual(f any, args ...any) display.Bundler {
	in := newInteraction("InteractManual", f, args)
	in.button, in.manual = "Run", true
	return in
}

func newInteraction(name string, f any, given []any) *interaction {
	fn := reflect.ValueOf(f)
	if fn.Kind() != reflect.Func {
		panic(fmt.Errorf("widgets: %s wants a function, not %T", name, f))
	}
	t := fn.Type()
	if t.IsVariadic() || t.NumIn() != len(given) {
		panic(fmt.Errorf("widgets: %s: the function %s has to have a parameter for each argument after it, "+
			"of which there are %d", name, display.TypeName(t), len(given)))
	}
	if n := t.NumOut(); n > 2 || n == 2 && t.Out(1) != reflect.TypeFor[error]() {
		panic(fmt.Errorf("widgets: %s: the function %s has to have one result or none, and an error after it at most",
			name, display.TypeName(t)))
	}
	controls, args := make([]Control, len(given)), make([]reflect.Value, len(given))
	for i, a := range given {
		controls[i] = controlOf(fmt.Sprintf("parameter %d", i+1), a)
		starts := controls[i].all
		if starts == nil {
			starts = []any{controls[i].start}
		}
		for _, v := range starts {
			if _, ok := argument(v, t.In(i)); !ok {
				panic(fmt.Errorf("widgets: %s: control %d gives %s, and the function wants %s", name, i+1, typeOf(v),
					display.TypeName(t.In(i))))
			}
		}
		args[i], _ = argument(controls[i].start, t.In(i))
	}
	return &interaction{fn: fn, controls: controls, args: args}
}

// argument is a control's value as one of a parameter's type.
func argument(v any, param reflect.Type) (arg reflect.Value, ok bool) {
	rv := reflect.ValueOf(v)
	if !rv.IsValid() {
		return reflect.Zero(param), param.Kind() == reflect.Interface
	}
	if !fits(rv.Type(), param) || !rv.CanConvert(param) {
		return rv, false
	}
	return rv.Convert(param), true
}

func typeOf(v any) string {
	if v == nil {
		return "nil"
	}
	return display.TypeName(reflect.TypeOf(v))
}

// Arg is an argument of [Interact] with the name that stands before its control.
func Arg(name string, a any) Control { return controlOf(name, a) }

// controlOf is the control that a value stands for.
func controlOf(name string, a any) Control {
	switch a := a.(type) {
	case Control:
		return a
	case Valued:
		return Control{kind: a.Common().kind, state: map[string]any{"description": or(fmt.Sprint(a.Common().State("description")), name)}, start: a.Any(), widget: a}
	case int:
		lo, hi := around(a)
		return IntRange(name, lo, hi, a)
	case float64:
		lo, hi := around(a)
		return FloatRange(name, lo, hi, a)
	case [2]int:
		return IntRange(name, a[0], a[1], a[0]+(a[1]-a[0])/2)
	case [3]int:
		return IntRange(name, a[0], a[1], a[0]+(a[1]-a[0])/max(a[2], 1)/2*max(a[2], 1), a[2])
	case [2]float64:
		return FloatRange(name, a[0], a[1], (a[0]+a[1])/2)
	case [3]float64:
		stepOf("FloatRange", name, 0, a[2:])
		return FloatRange(name, a[0], a[1], a[0]+math.Floor((a[1]-a[0])/a[2]/2)*a[2], a[2])
	case bool:
		return CheckBox(name, a)
	case string:
		return TextField(name, a)
	case []string:
		return Choice(name, a...)
	case time.Time:
		return controlOf(name, DatePicker(name, a))
	}
	rv := reflect.ValueOf(a)
	if rv.Kind() == reflect.Slice && rv.Len() > 0 {
		var labels []string
		var values []any
		for i := range rv.Len() {
			values = append(values, rv.Index(i).Interface())
			labels = append(labels, strings.Join(strings.Fields(display.GoText(values[i])), " "))
		}
		return menuControl(name, labels, values)
	}
	if rv.Kind() == reflect.Map && rv.Type().Key().Kind() == reflect.String && rv.Len() > 0 {
		var labels []string
		for _, k := range rv.MapKeys() {
			labels = append(labels, k.String())
		}
		slices.Sort(labels)
		var values []any
		for _, l := range labels {
			values = append(values, rv.MapIndex(reflect.ValueOf(l).Convert(rv.Type().Key())).Interface())
		}
		return menuControl(name, labels, values)
	}
	panic(fmt.Errorf("widgets: Interact: there is no control for %s; give one, as widgets.IntSlider(…), "+
		"or what one is made of: a number, a text, a truth value, a list or a map of choices", kindOf(a)))
}

func kindOf(a any) string {
	switch rv := reflect.ValueOf(a); {
	case a == nil:
	case rv.Kind() == reflect.Slice && rv.Len() == 0, rv.Kind() == reflect.Map && rv.Len() == 0:
		return typeOf(a) + " without elements"
	}
	return typeOf(a)
}

func menuControl(name string, labels []string, values []any) Control {
	w := menu(name, labels, values)
	return Control{kind: "Dropdown", state: map[string]any{"description": name}, start: values[0], all: values, widget: w}
}

// around is the range of a slider that begins at v, as ipywidgets chooses it.
func around[T int | float64](v T) (lo, hi T) {
	switch {
	case v > 0:
		return -v, 3 * v
	case v < 0:
		return 3 * v, -v
	}
	return 0, 1
}

// Button returns a value that displays as a button; f is called when it is pressed, and what it prints and shows
// appears below.
func Button(label string, f func()) display.Bundler {
	return &interaction{fn: reflect.ValueOf(f), button: label}
}

// fits reports whether a control's value can be given to a parameter: numbers to numbers, and the rest to what is made
// of it.
func fits(value, param reflect.Type) bool {
	number := func(t reflect.Type) bool { return t.Kind() >= reflect.Int && t.Kind() <= reflect.Float64 }
	return number(value) && number(param) || value.AssignableTo(param) || value.Kind() == param.Kind()
}

// interaction is a function with its controls.
type interaction struct {
	fn       reflect.Value
	controls []Control
	button   string
	manual   bool // the button calls the function

	mu   sync.Mutex // one call at a time
	args []reflect.Value
	out  *Output
	stop []func() // of observing widgets
}

// MIMEBundle makes the widgets and calls the function once, unless a button does. The forms of its result stand beside
// the widgets, for clients that draw none.
func (in *interaction) MIMEBundle() display.Bundle {
	if sender() == nil {
		if in.button != "" && !in.manual {
			return display.Text(in.button)
		}
		in.mu.Lock()
		defer in.mu.Unlock()
		return in.first()
	}
	in.mu.Lock()
	for _, stop := range in.stop {
		stop()
	}
	in.stop = nil
	var children []string
	for i, c := range in.controls {
		if c.widget != nil {
			in.stop = append(in.stop, c.widget.ObserveAny(func() { in.take(i, c.widget.Any()) }))
			children = append(children, c.widget.Common().m.ref())
			continue
		}
		m := newModel(controls, c.kind, c.state, func(state map[string]any) { in.changed(i, state) }, nil)
		children = append(children, m.ref())
	}
	if in.button != "" {
		m := newModel(controls, "Button", map[string]any{"description": in.button}, nil, func(content map[string]any) {
			if content["event"] == "click" {
				in.call()
			}
		})
		children = append(children, m.ref())
	}
	b, outputs := display.Text(in.button), []any{}
	if in.button == "" {
		b = in.first()
		outputs = outputsOf(b)
	}
	in.out = newOutput(outputs)
	box := newModel(controls, "VBox", map[string]any{"children": append(children, in.out.m.ref())}, nil, nil)
	in.mu.Unlock()

	shown := display.Bundle{Data: map[string]any{}, Metadata: b.Metadata}
	for typ, form := range b.Data {
		shown.Data[typ] = form
	}
	shown.Data[display.TypeText] = strings.TrimSpace(in.values() + "\n" + b.Text())
	shown.Data[TypeView] = viewOf(box)
	return shown
}

// first is the bundle of the first result.
func (in *interaction) first() display.Bundle {
	v, ok := result(in.fn.Call(in.args))
	if !ok {
		return display.Text("")
	}
	b, err := display.Of(v)
	if err != nil {
		panic(err)
	}
	return b
}

// values says what the controls stand at.
func (in *interaction) values() string {
	var s []string
	for i, c := range in.controls {
		if menu, ok := c.widget.(*Choices); ok {
			s = append(s, menu.text())
			continue
		}
		s = append(s, fmt.Sprintf("%v = %v", c.state["description"], in.args[i]))
	}
	return strings.Join(s, ", ")
}

// changed takes a control's new value.
func (in *interaction) changed(i int, state map[string]any) {
	sent, ok := state[in.controls[i].key]
	if !ok {
		return
	}
	v := in.controls[i].value(sent)
	if v == nil {
		return
	}
	in.take(i, v)
}

// take stores an argument, and calls the function unless a button does.
func (in *interaction) take(i int, v any) {
	in.mu.Lock()
	arg, ok := argument(v, in.fn.Type().In(i))
	if ok {
		in.args[i] = arg
	}
	in.mu.Unlock()
	if !ok {
		return
	}
	if !in.manual {
		in.call()
	}
}

// call calls the function and puts all that it shows into the output widget. A panic is shown there too; the widget
// lives on.
func (in *interaction) call() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.out.Capture(func() {
		defer func() {
			if p := recover(); p != nil {
				fmt.Fprintln(os.Stderr, "panic:", p)
			}
		}()
		display.Clear(true)
		if v, ok := result(in.fn.Call(in.args)); ok {
			if err := display.Show(v); err != nil {
				panic(err)
			}
		}
	})
}

// result is what a function returned, if that is something to show.
func result(out []reflect.Value) (v any, ok bool) {
	if len(out) == 2 && !out[1].IsNil() {
		if v, ok = result(out[:1]); ok {
			return display.Column(v, out[1].Interface()), true
		}
		return out[1].Interface(), true
	}
	if len(out) == 0 || out[0].Kind() == reflect.Interface && out[0].IsNil() {
		return nil, false
	}
	return out[0].Interface(), true
}
