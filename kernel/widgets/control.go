package widgets

import (
	"fmt"
	"slices"
)

// Control is something to move, choose or write into: the value of one parameter.
type Control struct {
	kind  string         // of the model
	state map[string]any // at the beginning
	key   string         // where in the state the value is
	start any            // the value at the beginning
	value func(any) any  // the value of what the client sends, nil when that is none
}

// IntRange is a slider over whole numbers. It gives an int.
func IntRange(label string, min, max, start int) Control {
	if min > max || start < min || start > max {
		panic(fmt.Errorf("widgets: IntRange(%q): %d does not lie between %d and %d", label, start, min, max))
	}
	return Control{"IntSlider", map[string]any{"description": label, "min": min, "max": max, "value": start}, "value", start, func(v any) any {
		if f, ok := v.(float64); ok {
			return int(f)
		}
		return nil
	}}
}

// FloatRange is a slider over numbers, in a hundred steps. It gives a float64.
func FloatRange(label string, min, max, start float64) Control {
	if !(min < max && start >= min && start <= max) {
		panic(fmt.Errorf("widgets: FloatRange(%q): %v does not lie between %v and %v", label, start, min, max))
	}
	state := map[string]any{"description": label, "min": min, "max": max, "value": start, "step": (max - min) / 100}
	return Control{"FloatSlider", state, "value", start, func(v any) any {
		if f, ok := v.(float64); ok {
			return f
		}
		return nil
	}}
}

// Choice is a menu, which begins with the first option. It gives a string.
func Choice(label string, options ...string) Control {
	if len(options) == 0 {
		panic(fmt.Errorf("widgets: Choice(%q) has no options", label))
	}
	options = slices.Clone(options)
	state := map[string]any{"description": label, "_options_labels": options, "index": 0}
	return Control{"Dropdown", state, "index", options[0], func(v any) any {
		if i, ok := v.(float64); ok && int(i) >= 0 && int(i) < len(options) {
			return options[int(i)]
		}
		return nil
	}}
}

// CheckBox is a box to tick. It gives a bool.
func CheckBox(label string, on bool) Control {
	return Control{"Checkbox", map[string]any{"description": label, "value": on}, "value", on, func(v any) any {
		if b, ok := v.(bool); ok {
			return b
		}
		return nil
	}}
}

// TextField is a line to write into. It gives a string, when Enter is pressed or the line is left.
func TextField(label, start string) Control {
	return Control{"Text", map[string]any{"description": label, "value": start, "continuous_update": false}, "value", start, func(v any) any {
		if s, ok := v.(string); ok {
			return s
		}
		return nil
	}}
}
