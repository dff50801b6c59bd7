// Package widgets has the widgets of GoNB over those of this kernel.
package widgets

import (
	"fmt"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/gonb/gonbui"
	"github.com/arrayrepl/arrayrepl/internal/gonb/gonbui/comms"
	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/kernel/widgets"
)

// widget is what the widgets have in common.
type widget struct {
	kind, address, htmlID string
	built                 bool

	mu    sync.Mutex
	value int
}

func newWidget(kind string) widget {
	return widget{kind: kind, address: "/" + kind + "/" + gonbui.UniqueId(), htmlID: "gonb_" + kind + "_" + gonbui.UniqueId()}
}

// build shows the widget.
func (w *widget) build(show display.Bundler) {
	if w.built {
		panic(fmt.Errorf("widgets: Done was called before for this %s", w.kind))
	}
	w.built = true
	comms.AddWidget(w.address)
	if err := display.Show(show); err != nil {
		panic(err)
	}
}

// unbuilt panics when it is too late to change the widget.
func (w *widget) unbuilt() {
	if w.built {
		panic(fmt.Errorf("widgets: the %s is shown already and cannot be changed", w.kind))
	}
}

func (w *widget) listen() *comms.AddressChan[int] {
	if !w.built {
		panic(fmt.Errorf("widgets: call Done of the %s before Listen", w.kind))
	}
	return comms.Listen[int](w.address)
}

// changed takes a value that the widget sends.
func (w *widget) changed(v int) {
	w.set(v)
	comms.FromWidget(w.address, v)
}

func (w *widget) set(v int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.value = v
}

func (w *widget) now() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.value
}

// ButtonBuilder is a button.
type ButtonBuilder struct {
	widget
	label string
}

// Button begins a button; Done shows it.
func Button(label string) *ButtonBuilder { return &ButtonBuilder{newWidget("button"), label} }

// WithHtmlId sets what HtmlId returns: the button's element in the page has an id of its own.
func (b *ButtonBuilder) WithHtmlId(id string) *ButtonBuilder {
	b.unbuilt()
	b.htmlID = id
	return b
}

// WithAddress sets the address.
func (b *ButtonBuilder) WithAddress(address string) *ButtonBuilder {
	b.unbuilt()
	b.address = address
	return b
}

// AppendTo changes nothing: widgets are shown where the output ends.
func (b *ButtonBuilder) AppendTo(parentID string) *ButtonBuilder { return b }

// Done shows the button.
func (b *ButtonBuilder) Done() *ButtonBuilder {
	b.build(widgets.Button(b.label, func() { b.changed(b.now() + 1) }))
	return b
}

// Listen returns a channel of the number of clicks, from 1.
func (b *ButtonBuilder) Listen() *comms.AddressChan[int] { return b.listen() }

// HtmlId returns what WithHtmlId has set, or an id of nothing.
func (b *ButtonBuilder) HtmlId() string { return b.htmlID }

// Address returns the address.
func (b *ButtonBuilder) Address() string { return b.address }

// SliderBuilder is a slider over whole numbers.
type SliderBuilder struct {
	widget
	min, max int
}

// Slider begins a slider; Done shows it.
func Slider(min, max, value int) *SliderBuilder {
	s := &SliderBuilder{newWidget("slider"), min, max}
	s.value = value
	return s
}

// WithHtmlId sets what HtmlId returns: the slider's element in the page has an id of its own.
func (s *SliderBuilder) WithHtmlId(id string) *SliderBuilder {
	s.unbuilt()
	s.htmlID = id
	return s
}

// WithAddress sets the address.
func (s *SliderBuilder) WithAddress(address string) *SliderBuilder {
	s.unbuilt()
	s.address = address
	return s
}

// AppendTo changes nothing: widgets are shown where the output ends.
func (s *SliderBuilder) AppendTo(parentID string) *SliderBuilder { return s }

// Done shows the slider.
func (s *SliderBuilder) Done() *SliderBuilder {
	first := true // the call for the value that the slider begins with
	s.build(widgets.Interact(func(v int) {
		if !first {
			s.changed(v)
		}
		first = false
	}, widgets.IntRange("", s.min, s.max, s.now())))
	return s
}

// Listen returns a channel of the values that the slider is moved to.
func (s *SliderBuilder) Listen() *comms.AddressChan[int] { return s.listen() }

// HtmlId returns what WithHtmlId has set, or an id of nothing.
func (s *SliderBuilder) HtmlId() string { return s.htmlID }

// Address returns the address.
func (s *SliderBuilder) Address() string { return s.address }

// Value returns the value that the slider stands at.
func (s *SliderBuilder) Value() int { return s.now() }

// SetValue sets what Value returns; the slider in the page stays where it is.
func (s *SliderBuilder) SetValue(value int) { s.set(value) }

// SelectBuilder is a menu.
type SelectBuilder struct {
	widget
	options []string
}

// Select begins a menu; Done shows it.
func Select(options []string) *SelectBuilder { return &SelectBuilder{newWidget("select"), options} }

// WithHtmlId sets what HtmlId returns: the menu's element in the page has an id of its own.
func (s *SelectBuilder) WithHtmlId(id string) *SelectBuilder {
	s.unbuilt()
	s.htmlID = id
	return s
}

// WithAddress sets the address.
func (s *SelectBuilder) WithAddress(address string) *SelectBuilder {
	s.unbuilt()
	s.address = address
	return s
}

// SetDefault sets which option the menu begins with; it is shown first.
func (s *SelectBuilder) SetDefault(i int) *SelectBuilder {
	s.unbuilt()
	s.value = i
	return s
}

// AppendTo changes nothing: widgets are shown where the output ends.
func (s *SelectBuilder) AppendTo(parentID string) *SelectBuilder { return s }

// Done shows the menu.
func (s *SelectBuilder) Done() *SelectBuilder {
	order := make([]int, 0, len(s.options)) // of the options in the menu: the one that it begins with first
	if s.value > 0 && s.value < len(s.options) {
		order = append(order, s.value)
	}
	for i := range s.options {
		if len(order) == 0 || i != order[0] {
			order = append(order, i)
		}
	}
	names := make([]string, len(order))
	for i, k := range order {
		names[i] = s.options[k]
	}
	first := true
	s.build(widgets.Interact(func(name string) {
		if first {
			first = false
			return
		}
		for i, k := range order {
			if names[i] == name {
				s.changed(k)
				return
			}
		}
	}, widgets.Choice("", names...)))
	return s
}

// Listen returns a channel of the numbers of the options that are chosen.
func (s *SelectBuilder) Listen() *comms.AddressChan[int] { return s.listen() }

// HtmlId returns what WithHtmlId has set, or an id of nothing.
func (s *SelectBuilder) HtmlId() string { return s.htmlID }

// Address returns the address.
func (s *SelectBuilder) Address() string { return s.address }

// Value returns the number of the option that is chosen.
func (s *SelectBuilder) Value() int { return s.now() }

// SetValue sets what Value returns; the menu in the page stays where it is.
func (s *SelectBuilder) SetValue(value int) { s.set(value) }
