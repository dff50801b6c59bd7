package widgets

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// The widgets of ipywidgets' list, by its names.

func isInt(v any) (int, bool) {
	f, ok := v.(float64)
	if i, is := v.(int); is {
		return i, true
	}
	return int(f), ok
}

func isFloat(v any) (float64, bool) {
	if i, is := v.(int); is {
		return float64(i), true
	}
	f, ok := v.(float64)
	return f, ok
}

func isText(v any) (string, bool) { s, ok := v.(string); return s, ok }

// list decodes a list, element by element.
func list[T any](one func(any) (T, bool)) func(any) ([]T, bool) {
	return func(v any) ([]T, bool) {
		sent, ok := v.([]any)
		if !ok {
			return nil, false
		}
		out := make([]T, 0, len(sent))
		for _, x := range sent {
			y, ok := one(x)
			if !ok {
				return nil, false
			}
			out = append(out, y)
		}
		return out, true
	}
}

func pair[T any](one func(any) (T, bool)) func(any) ([2]T, bool) {
	return func(v any) (p [2]T, ok bool) {
		both, ok := list(one)(v)
		if !ok || len(both) != 2 {
			return p, false
		}
		return [2]T{both[0], both[1]}, true
	}
}

func newInt(kind, label string, state map[string]any, start int) *Int {
	t := newTrait(kind, label, state, "value", start, isInt, nil)
	return &Int{t.Base, t}
}

func newFloat(kind, label string, state map[string]any, start float64) *Float {
	t := newTrait(kind, label, state, "value", start, isFloat, nil)
	return &Float{t.Base, t}
}

func newString(kind, label string, state map[string]any, start string) *String {
	t := newTrait(kind, label, state, "value", start, isText, nil)
	return &String{t.Base, t}
}

func newBool(kind, label string, state map[string]any, start bool) *Bool {
	t := newTrait[bool](kind, label, state, "value", start, nil, nil)
	return &Bool{t.Base, t}
}

// between panics unless min <= start <= max.
func between[T int | float64](what, label string, min, max, start T) {
	if !(min <= max && start >= min && start <= max) {
		panic(fmt.Errorf("widgets: %s(%q): %v does not lie between %v and %v", what, label, start, min, max))
	}
}

func within[T int | float64](lo, hi T) func(T) T { return func(v T) T { return max(lo, min(v, hi)) } }

// IntSlider is a slider over whole numbers from min to max. It moves by step, 1 when none is given.
func IntSlider(label string, min, max, start int, step ...int) *Int {
	between("IntSlider", label, min, max, start)
	w := newInt("IntSlider", label, map[string]any{"min": min, "max": max, "step": stepOf("IntSlider", label, 1, step)}, start)
	w.t.limit = within(min, max)
	return w
}

// FloatSlider is a slider over numbers from min to max. It moves by step, a hundredth of the way when none is given.
func FloatSlider(label string, min, max, start float64, step ...float64) *Float {
	between("FloatSlider", label, min, max, start)
	by := stepOf("FloatSlider", label, (max-min)/100, step)
	w := newFloat("FloatSlider", label, map[string]any{"min": min, "max": max, "step": by, "readout_format": readout(by)}, start)
	w.t.limit = within(min, max)
	return w
}

// FloatLogSlider is a slider over powers of ten, from 10^min to 10^max.
func FloatLogSlider(label string, min, max, start float64) *Float {
	between("FloatLogSlider", label, min, max, math.Log10(start))
	w := newFloat("FloatLogSlider", label, map[string]any{"min": min, "max": max, "base": 10.0, "step": 0.1}, start)
	w.t.limit = within(math.Pow(10, min), math.Pow(10, max))
	return w
}

// IntRangeSlider is a slider with two handles over whole numbers from min to max; its value is where they stand.
func IntRangeSlider(label string, min, max, from, to int, step ...int) *IntPair {
	between("IntRangeSlider", label, min, max, from)
	between("IntRangeSlider", label, from, max, to)
	t := newTrait("IntRangeSlider", label, map[string]any{"min": min, "max": max, "step": stepOf("IntRangeSlider", label, 1, step)}, "value", [2]int{from, to}, pair(isInt), nil)
	return &IntPair{t.Base, t}
}

// FloatRangeSlider is a slider with two handles over numbers from min to max.
func FloatRangeSlider(label string, min, max, from, to float64, step ...float64) *FloatPair {
	between("FloatRangeSlider", label, min, max, from)
	between("FloatRangeSlider", label, from, max, to)
	by := stepOf("FloatRangeSlider", label, (max-min)/100, step)
	t := newTrait("FloatRangeSlider", label, map[string]any{"min": min, "max": max, "step": by, "readout_format": readout(by)}, "value", [2]float64{from, to}, pair(isFloat), nil)
	return &FloatPair{t.Base, t}
}

// IntText is a field for a whole number.
func IntText(label string, start int) *Int { return newInt("IntText", label, nil, start) }

// FloatText is a field for a number.
func FloatText(label string, start float64) *Float { return newFloat("FloatText", label, nil, start) }

// BoundedIntText is a field for a whole number from min to max.
func BoundedIntText(label string, min, max, start int) *Int {
	between("BoundedIntText", label, min, max, start)
	w := newInt("BoundedIntText", label, map[string]any{"min": min, "max": max}, start)
	w.t.limit = within(min, max)
	return w
}

// BoundedFloatText is a field for a number from min to max.
func BoundedFloatText(label string, min, max, start float64) *Float {
	between("BoundedFloatText", label, min, max, start)
	w := newFloat("BoundedFloatText", label, map[string]any{"min": min, "max": max}, start)
	w.t.limit = within(min, max)
	return w
}

// Play counts from min to max, one each interval, with buttons to start and to stop it: link it to a slider.
func Play(label string, min, max, start int, interval time.Duration) *Int {
	between("Play", label, min, max, start)
	return newInt("Play", label, map[string]any{"min": min, "max": max, "interval": int(interval.Milliseconds())}, start)
}

// IntProgress is a bar that shows how far from min to max its value is.
func IntProgress(label string, min, max, start int) *Int {
	between("IntProgress", label, min, max, start)
	w := newInt("IntProgress", label, map[string]any{"min": min, "max": max}, start)
	w.t.limit = within(min, max)
	return w
}

// FloatProgress is IntProgress for numbers.
func FloatProgress(label string, min, max, start float64) *Float {
	between("FloatProgress", label, min, max, start)
	w := newFloat("FloatProgress", label, map[string]any{"min": min, "max": max}, start)
	w.t.limit = within(min, max)
	return w
}

// Text is a line to write into; its value changes when Enter is pressed or the line is left, with SetContinuous(true)
// with each letter.
func Text(label, start string) *String {
	return newString("Text", label, map[string]any{"continuous_update": false}, start)
}

// Textarea is a field of several lines.
func Textarea(label, start string) *String {
	return newString("Textarea", label, map[string]any{"continuous_update": false}, start)
}

// Password is a line whose letters are not shown. Its value is not kept in the notebook by this package; a client that
// saves the state of widgets does keep it.
func Password(label string) *String {
	return newString("Password", label, map[string]any{"continuous_update": false}, "")
}

// Combobox is a line with options to choose from; anything else can be written too.
func Combobox(label, start string, options ...string) *String {
	return newString("Combobox", label, map[string]any{"options": options, "ensure_option": false, "continuous_update": false}, start)
}

// ColorPicker chooses a colour: "#rrggbb" or its name in CSS.
func ColorPicker(label, start string) *String {
	return newString("ColorPicker", label, map[string]any{"concise": false}, start)
}

// HTML shows HTML, HTMLMath shows it with formulas, Label shows a text with formulas. Set changes what is shown.
func HTML(s string) *String { return newString("HTML", "", nil, s) }

// HTMLMath is HTML with formulas between dollar signs.
func HTMLMath(s string) *String { return newString("HTMLMath", "", nil, s) }

// Label is a text.
func Label(s string) *String { return newString("Label", "", nil, s) }

// Image shows a picture file: PNG, JPEG, GIF, SVG. Width is in pixels, 0 for that of the picture.
func Image(file []byte, width int) *String {
	size := ""
	if width > 0 {
		size = fmt.Sprintf(` width="%d"`, width)
	}
	return HTML(fmt.Sprintf(`<img%s src="%s">`, size, display.DataAddress(file, "image/png")))
}

// Audio plays a sound file.
func Audio(file []byte) *String {
	return HTML(fmt.Sprintf(`<audio controls src="%s"></audio>`, display.DataAddress(file, "audio/mpeg")))
}

// Checkbox is a box to tick.
func Checkbox(label string, on bool) *Bool {
	return newBool("Checkbox", label, map[string]any{"indent": false}, on)
}

// ToggleButton is a button that stays pressed.
func ToggleButton(label string, on bool) *Bool { return newBool("ToggleButton", label, nil, on) }

// Valid shows whether something is as it should be.
func Valid(label string, ok bool) *Bool { return newBool("Valid", label, nil, ok) }

// selection is a widget that chooses one of options by its place.
func selection(kind, label string, options []string) *String {
	if len(options) == 0 {
		panic(fmt.Errorf("widgets: %s(%q) has no options", kind, label))
	}
	options = slices.Clone(options)
	t := newTrait(kind, label, map[string]any{"_options_labels": options}, "index", options[0], func(v any) (string, bool) {
		i, ok := isInt(v)
		if !ok || i < 0 || i >= len(options) {
			return "", false
		}
		return options[i], true
	}, func(s string) any { return placeOf(kind, label, options, s) })
	return &String{t.Base, t}
}

func placeOf(kind, label string, options []string, s string) int {
	i := slices.Index(options, s)
	if i < 0 {
		panic(fmt.Errorf("widgets: %s(%q) has no option %q; it has %q", kind, label, s, options))
	}
	return i
}

// Dropdown is a menu. It begins with the first option, as the following ones do.
func Dropdown(label string, options ...string) *String { return selection("Dropdown", label, options) }

// Select is a list with one option chosen.
func Select(label string, options ...string) *String { return selection("Select", label, options) }

// RadioButtons are options below one another.
func RadioButtons(label string, options ...string) *String {
	return selection("RadioButtons", label, options)
}

// ToggleButtons are options beside one another.
func ToggleButtons(label string, options ...string) *String {
	return selection("ToggleButtons", label, options)
}

// SelectionSlider is a slider over options.
func SelectionSlider(label string, options ...string) *String {
	return selection("SelectionSlider", label, options)
}

// SelectionRangeSlider is a slider with two handles over options; its value is the options from one to the other.
func SelectionRangeSlider(label string, options ...string) *Strings {
	if len(options) == 0 {
		panic(fmt.Errorf("widgets: SelectionRangeSlider(%q) has no options", label))
	}
	options = slices.Clone(options)
	t := newTrait("SelectionRangeSlider", label, map[string]any{"_options_labels": options}, "index", options, func(v any) ([]string, bool) {
		p, ok := pair(isInt)(v)
		if !ok || p[0] < 0 || p[1] >= len(options) || p[0] > p[1] {
			return nil, false
		}
		return options[p[0] : p[1]+1 : p[1]+1], true
	}, func(s []string) any {
		if len(s) == 0 {
			panic(errors.New("widgets: SelectionRangeSlider: a range has one option at least"))
		}
		return []int{placeOf("SelectionRangeSlider", label, options, s[0]), placeOf("SelectionRangeSlider", label, options, s[len(s)-1])}
	})
	return &Strings{t.Base, t}
}

// SelectMultiple is a list with any number of options chosen, none at first.
func SelectMultiple(label string, options ...string) *Strings {
	options = slices.Clone(options)
	t := newTrait("SelectMultiple", label, map[string]any{"_options_labels": options}, "index", []string{}, func(v any) ([]string, bool) {
		places, ok := list(isInt)(v)
		if !ok {
			return nil, false
		}
		out := make([]string, 0, len(places))
		for _, i := range places {
			if i < 0 || i >= len(options) {
				return nil, false
			}
			out = append(out, options[i])
		}
		return out, true
	}, func(s []string) any {
		places := make([]int, 0, len(s))
		for _, x := range s {
			places = append(places, placeOf("SelectMultiple", label, options, x))
		}
		return places
	})
	return &Strings{t.Base, t}
}

// menu is a Dropdown of labels that stand for values.
func menu(label string, labels []string, values []any) *Choices {
	state := map[string]any{"_options_labels": labels}
	t := newTrait("Dropdown", label, state, "index", values[0], func(v any) (any, bool) {
		i, ok := isInt(v)
		if !ok || i < 0 || i >= len(values) {
			return nil, false
		}
		return values[i], true
	}, func(v any) any {
		for i, x := range values {
			if same(x, v) {
				return i
			}
		}
		panic(fmt.Errorf("widgets: the menu %q has no such value; it has those of %q", label, labels))
	})
	t.text = func() string {
		i, _ := isInt(t.State("index"))
		return label + " = " + labels[i]
	}
	return &Choices{t.Base, t}
}

// same reports whether x and y are one value; functions, which Go does not compare, are by their code.
func same(x, y any) bool {
	a, b := reflect.ValueOf(x), reflect.ValueOf(y)
	if a.IsValid() && b.IsValid() && a.Kind() == reflect.Func && a.Type() == b.Type() {
		return a.Pointer() == b.Pointer()
	}
	return reflect.DeepEqual(x, y)
}

// TagsInput takes texts, each as a tag; with allowed ones no others.
func TagsInput(label string, start []string, allowed ...string) *Strings {
	t := newTrait("TagsInput", label, map[string]any{"allowed_tags": notNil(allowed), "allow_duplicates": false}, "value", notNil(start), list(isText), nil)
	return &Strings{t.Base, t}
}

// ColorsInput takes colours.
func ColorsInput(label string, start ...string) *Strings {
	t := newTrait("ColorsInput", label, map[string]any{"allowed_tags": []string{}}, "value", notNil(start), list(isText), nil)
	return &Strings{t.Base, t}
}

// IntsInput takes whole numbers.
func IntsInput(label string, start ...int) *Ints {
	t := newTrait("IntsInput", label, map[string]any{"allowed_tags": []int{}}, "value", notNil(start), list(isInt), nil)
	return &Ints{t.Base, t}
}

// FloatsInput takes numbers.
func FloatsInput(label string, start ...float64) *Floats {
	t := newTrait("FloatsInput", label, map[string]any{"allowed_tags": []float64{}}, "value", notNil(start), list(isFloat), nil)
	return &Floats{t.Base, t}
}

func notNil[T any](s []T) []T { return append([]T{}, s...) }

// The parts of a time as clients send them; months begin with 0.
var (
	dateParts = []string{"year", "month", "date"}
	timeParts = []string{"hours", "minutes", "seconds", "milliseconds"}
)

// newTime is a widget for the parts of a time, in UTC.
func newTime(kind, label string, start time.Time, parts ...string) *Time {
	t := newTrait(kind, label, nil, "value", start, func(v any) (time.Time, bool) {
		if v == nil {
			return time.Time{}, true
		}
		m, ok := v.(map[string]any)
		if !ok {
			return time.Time{}, false
		}
		n := map[string]int{"year": 1, "date": 1}
		for _, p := range parts {
			i, ok := isInt(m[p])
			if !ok {
				return time.Time{}, false
			}
			n[p] = i
		}
		return time.Date(n["year"], time.Month(n["month"]+1), n["date"], n["hours"], n["minutes"], n["seconds"], n["milliseconds"]*1e6, time.UTC), true
	}, func(v time.Time) any {
		if v.IsZero() {
			return nil
		}
		if len(parts) > len(dateParts) {
			v = v.UTC()
		}
		all := map[string]int{"year": v.Year(), "month": int(v.Month()) - 1, "date": v.Day(),
			"hours": v.Hour(), "minutes": v.Minute(), "seconds": v.Second(), "milliseconds": v.Nanosecond() / 1e6}
		out := map[string]any{}
		for _, p := range parts {
			out[p] = all[p]
		}
		return out
	})
	return &Time{t.Base, t}
}

// DatePicker chooses a day; the zero Time stands for none.
func DatePicker(label string, start time.Time) *Time {
	return newTime("DatePicker", label, start, dateParts...)
}

// TimePicker chooses a time of day, on the day 1 January of the year 1.
func TimePicker(label string, start time.Time) *Time {
	return newTime("Time", label, start, timeParts...)
}

// DatetimePicker chooses a day and a time of it, shown in the zone of the page.
func DatetimePicker(label string, start time.Time) *Time {
	return newTime("Datetime", label, start, append(slices.Clone(dateParts), timeParts...)...)
}

// File is one that was chosen in the page.
type File struct {
	Name, Type string
	Modified   time.Time
	Content    []byte
}

// FileUpload takes files from the person at the page: those that accept names (".csv,image/*", "" for all), one or
// several.
func FileUpload(label, accept string, several bool) *Files {
	t := newTrait("FileUpload", label, map[string]any{"accept": accept, "multiple": several, "error": ""}, "value", []File(nil), list(func(v any) (f File, ok bool) {
		m, ok := v.(map[string]any)
		if !ok {
			return f, false
		}
		f.Name, _ = m["name"].(string)
		f.Type, _ = m["type"].(string)
		if ms, ok := isFloat(m["last_modified"]); ok {
			f.Modified = time.UnixMilli(int64(ms)).UTC()
		}
		// package kernel puts what a client sends as bytes there
		b, _ := m["content"].(map[string]any)
		text, ok := b["base64"].(string)
		if !ok {
			return f, false
		}
		var err error
		f.Content, err = base64.StdEncoding.DecodeString(text)
		return f, err == nil
	}), func([]File) any { return []any{} })
	return &Files{t.Base, t}
}

// ButtonWidget is a button alone; see [NewButton].
type ButtonWidget struct{ *Base }

// NewButton is a button that calls f when it is pressed. What f prints goes to the log of the page; [Button] shows it
// below, an [Output] where that stands.
func NewButton(label string, f func()) *ButtonWidget {
	b := &ButtonWidget{newBase(controls, "Button", "", label, nil)}
	b.OnClick(f)
	return b
}

// OnClick adds a function that is called when the button is pressed.
func (b *ButtonWidget) OnClick(f func()) {
	if f != nil {
		b.m.onCustom(func(content map[string]any) {
			if content["event"] == "click" {
				f()
			}
		})
	}
}

// SetIcon sets the button's picture, by its name in Font Awesome, as "check".
func (b *ButtonWidget) SetIcon(name string) { b.SetState("icon", name) }
