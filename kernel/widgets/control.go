package widgets

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Control is something to move, choose or write into: the value of one parameter.
type Control struct {
	kind  string         // of the model
	state map[string]any // at the beginning
	key   string         // where in the state the value is
	start any            // the value at the beginning
	all   []any          // of a menu: what it can give
	value func(any) any  // the value of what the client sends, nil when that is none

	widget Valued // one that is there already; then kind and state say no more than what it is called
}

// IntRange is a slider over whole numbers from min to max, which stands at start. It moves by step, 1 when none is
// given, from min on, as ipywidgets' IntSlider does. It gives an int.
func IntRange(label string, min, max, start int, step ...int) Control {
	if min > max || start < min || start > max {
		panic(fmt.Errorf("widgets: IntRange(%q): %d does not lie between %d and %d", label, start, min, max))
	}
	state := map[string]any{"description": label, "min": min, "max": max, "value": start, "step": stepOf("IntRange", label, 1, step)}
	return Control{kind: "IntSlider", state: state, key: "value", start: start, value: func(v any) any {
		if f, ok := v.(float64); ok {
			return int(f)
		}
		return nil
	}}
}

// FloatRange is a slider over numbers from min to max, which stands at start. It moves by step, a hundredth of the way
// when none is given, from min on, and shows the digits that the step has. It gives a float64.
func FloatRange(label string, min, max, start float64, step ...float64) Control {
	if !(min < max && start >= min && start <= max) {
		panic(fmt.Errorf("widgets: FloatRange(%q): %v does not lie between %v and %v", label, start, min, max))
	}
	by := stepOf("FloatRange", label, (max-min)/100, step)
	state := map[string]any{"description": label, "min": min, "max": max, "value": start, "step": by, "readout_format": readout(by)}
	return Control{kind: "FloatSlider", state: state, key: "value", start: start, value: func(v any) any {
		if f, ok := v.(float64); ok {
			return f
		}
		return nil
	}}
}

// stepOf is the step that was given to what, or the usual one.
func stepOf[T int | float64](what, label string, usual T, given []T) T {
	if len(given) > 1 {
		panic(fmt.Errorf("widgets: %s(%q): %d numbers after the start; there is one step at most", what, label, len(given)))
	}
	step := append(given, usual)[0]
	if !(step > 0) || math.IsInf(float64(step), 0) {
		panic(fmt.Errorf("widgets: %s(%q): the step %v is not a number above 0", what, label, step))
	}
	return step
}

// readout is how a client writes the values of a slider with this step, in the words of d3-format: two digits after the
// point, which is ipywidgets' default, unless the step needs more.
func readout(step float64) string {
	_, fraction, _ := strings.Cut(strconv.FormatFloat(step, 'f', -1, 64), ".")
	digits := len(fraction)
	if digits > 6 { // a third, say, or very small
		digits = int(math.Ceil(-math.Log10(step))) + 1
	}
	if digits > 8 {
		return ".3e"
	}
	return fmt.Sprintf(".%df", max(2, digits))
}

// Choice is a menu, which begins with the first option. It gives a string.
func Choice(label string, options ...string) Control {
	if len(options) == 0 {
		panic(fmt.Errorf("widgets: Choice(%q) has no options", label))
	}
	options = slices.Clone(options)
	state := map[string]any{"description": label, "_options_labels": options, "index": 0}
	return Control{kind: "Dropdown", state: state, key: "index", start: options[0], value: func(v any) any {
		if i, ok := v.(float64); ok && int(i) >= 0 && int(i) < len(options) {
			return options[int(i)]
		}
		return nil
	}}
}

// CheckBox is a box to tick. It gives a bool.
func CheckBox(label string, on bool) Control {
	return Control{kind: "Checkbox", state: map[string]any{"description": label, "value": on}, key: "value", start: on, value: func(v any) any {
		if b, ok := v.(bool); ok {
			return b
		}
		return nil
	}}
}

// TextField is a line to write into. It gives a string, when Enter is pressed or the line is left.
func TextField(label, start string) Control {
	return Control{kind: "Text", state: map[string]any{"description": label, "value": start, "continuous_update": false}, key: "value", start: start, value: func(v any) any {
		if s, ok := v.(string); ok {
			return s
		}
		return nil
	}}
}
