package widgets

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// TypeView is the MIME type by which an output shows a widget.
const TypeView = "application/vnd.jupyter.widget-view+json"

// Interact returns a value that displays as the controls and, below them, as the result of f for their values; f is
// called again whenever one is moved, with what it prints shown too. It has a parameter for each control, of the type
// that the control gives or one that this converts to, and returns nothing or one value. It panics when f and controls
// do not fit.
func Interact(f any, controls ...Control) display.Bundler {
	fn := reflect.ValueOf(f)
	if fn.Kind() != reflect.Func {
		panic(fmt.Errorf("widgets: Interact wants a function, not %T", f))
	}
	t := fn.Type()
	if t.IsVariadic() || t.NumIn() != len(controls) || t.NumOut() > 1 {
		panic(fmt.Errorf("widgets: Interact with %d controls wants a function of as many parameters and one result, not %v", len(controls), t))
	}
	args := make([]reflect.Value, len(controls))
	for i, c := range controls {
		v := reflect.ValueOf(c.start)
		if !fits(v.Type(), t.In(i)) {
			panic(fmt.Errorf("widgets: Interact: control %d gives %v, and the function wants %v", i+1, v.Type(), t.In(i)))
		}
		args[i] = v.Convert(t.In(i))
	}
	return &interaction{fn: fn, controls: controls, args: args}
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

	mu   sync.Mutex // one call at a time
	args []reflect.Value
	out  *model
}

// MIMEBundle makes the widgets and calls the function once. The forms of its result stand beside the widgets, for
// clients that draw none.
func (in *interaction) MIMEBundle() display.Bundle {
	in.mu.Lock()
	defer in.mu.Unlock()
	b := display.Text(in.button)
	if in.button == "" {
		b = in.first()
	}
	if sender() == nil {
		return b
	}
	var children []string
	for i, c := range in.controls {
		m := newModel("@jupyter-widgets/controls", c.kind, c.state, func(state map[string]any) { in.changed(i, state) }, nil)
		children = append(children, m.ref())
	}
	if in.button != "" {
		m := newModel("@jupyter-widgets/controls", "Button", map[string]any{"description": in.button}, nil, in.call)
		children = append(children, m.ref())
	}
	outputs := []any{}
	if data, err := b.MarshalData(); err == nil && in.button == "" && !b.Empty() {
		meta := b.Metadata
		if meta == nil {
			meta = map[string]any{}
		}
		outputs = append(outputs, map[string]any{"output_type": "display_data", "data": data, "metadata": meta})
	}
	in.out = newModel("@jupyter-widgets/output", "Output", map[string]any{"msg_id": "", "outputs": outputs}, nil, nil)
	box := newModel("@jupyter-widgets/controls", "VBox", map[string]any{"children": append(children, in.out.ref())}, nil, nil)

	shown := display.Bundle{Data: map[string]any{}, Metadata: b.Metadata}
	for typ, form := range b.Data {
		shown.Data[typ] = form
	}
	shown.Data[display.TypeText] = strings.TrimSpace(in.values() + "\n" + b.Text())
	shown.Data[TypeView] = map[string]any{"version_major": 2, "version_minor": 0, "model_id": box.comm.ID}
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
	in.mu.Lock()
	in.args[i] = reflect.ValueOf(v).Convert(in.fn.Type().In(i))
	in.mu.Unlock()
	in.call()
}

// call calls the function and puts all that it shows into the output widget: while msg_id is set, a client puts there
// what is published for that request. A panic is shown there too; the widget lives on.
func (in *interaction) call() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.out.set(map[string]any{"msg_id": in.out.comm.sender.ParentID()})
	defer in.out.set(map[string]any{"msg_id": ""})
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
}

// result is what a function returned, if that is something to show.
func result(out []reflect.Value) (v any, ok bool) {
	if len(out) == 0 || out[0].Kind() == reflect.Interface && out[0].IsNil() {
		return nil, false
	}
	return out[0].Interface(), true
}
