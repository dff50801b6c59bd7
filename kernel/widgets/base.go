package widgets

import (
	"fmt"
	"maps"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Widget is what a page can show and boxes can hold. It displays itself when a cell ends with it.
type Widget interface {
	display.Bundler
	Common() *Base
}

// Base is what all widgets have. A widget embeds it.
type Base struct {
	m     *model
	kind  string
	text  func() string // what clients without widgets show
	style *model
	place *model
}

const controls = "@jupyter-widgets/controls"

// newBase opens a widget of a kind: the name of its model without "Model". The view's name is view, "" for the same.
func newBase(module, kind, view, label string, state map[string]any) *Base {
	b := &Base{kind: kind}
	all := maps.Clone(state)
	if all == nil {
		all = map[string]any{}
	}
	if label != "" {
		all["description"], all["tooltip"] = label, "" // without one some clients say "null"
	}
	if view != "" {
		all["_view_name"] = view
	}
	b.m = newModel(module, kind, all, func(state map[string]any) { b.m.tell(state) }, func(content map[string]any) { b.m.hear(content) })
	b.text = func() string { return fmt.Sprintf("<%s %s>", kind, label) }
	return b
}

// Common returns the part of a widget that all widgets have.
func (b *Base) Common() *Base { return b }

// MIMEBundle is how a cell shows the widget: live where clients have widgets, as text elsewhere.
func (b *Base) MIMEBundle() display.Bundle {
	out := display.Text(b.text())
	if b.m.comm.sender != nil {
		out.Data[TypeView] = viewOf(b.m)
	}
	return out
}

func viewOf(m *model) map[string]any {
	return map[string]any{"version_major": 2, "version_minor": 0, "model_id": m.comm.ID}
}

// State returns one entry of the widget's state by the name that ipywidgets gives it, such as "description" or "max".
func (b *Base) State(name string) any {
	b.m.mu.Lock()
	defer b.m.mu.Unlock()
	return b.m.now[name]
}

// SetState sets an entry of the widget's state by the name that ipywidgets gives it, for what has no method here.
func (b *Base) SetState(name string, value any) { b.m.set(map[string]any{name: value}) }

// SetLabel changes the text before a control.
func (b *Base) SetLabel(s string) { b.SetState("description", s) }

// SetDisabled makes a control one that only shows its value, or not.
func (b *Base) SetDisabled(disabled bool) { b.SetState("disabled", disabled) }

// SetContinuous says whether a control's value changes while it is moved or written into, which sliders do at first, or
// when that ends.
func (b *Base) SetContinuous(on bool) { b.SetState("continuous_update", on) }

// SetTooltip sets what is shown while the mouse is over the widget.
func (b *Base) SetTooltip(s string) { b.SetState("tooltip", s) }

// Close takes the widget out of the page.
func (b *Base) Close() { b.m.comm.Close() }

// Layout is where and how large a widget is, in the words of CSS; what is "" stays as it is.
type Layout struct {
	Width, Height, MinWidth, MaxWidth, MinHeight, MaxHeight string
	Margin, Padding, Border                                 string
	Display, Visibility, Overflow                           string
	Flex, FlexFlow, AlignItems, AlignSelf, AlignContent     string
	JustifyContent, JustifyItems, Order                     string
	GridTemplateColumns, GridTemplateRows                   string
	GridTemplateAreas, GridGap, GridArea                    string
	Top, Bottom, Left, Right                                string
}

func (l Layout) state() map[string]any {
	s := map[string]any{}
	for name, v := range map[string]string{
		"width": l.Width, "height": l.Height, "min_width": l.MinWidth, "max_width": l.MaxWidth, "min_height": l.MinHeight,
		"max_height": l.MaxHeight, "margin": l.Margin, "padding": l.Padding, "display": l.Display, "visibility": l.Visibility,
		"overflow": l.Overflow, "flex": l.Flex, "flex_flow": l.FlexFlow, "align_items": l.AlignItems, "align_self": l.AlignSelf,
		"align_content": l.AlignContent, "justify_content": l.JustifyContent, "justify_items": l.JustifyItems, "order": l.Order,
		"grid_template_columns": l.GridTemplateColumns, "grid_template_rows": l.GridTemplateRows, "grid_gap": l.GridGap,
		"grid_template_areas": l.GridTemplateAreas, "grid_area": l.GridArea, "top": l.Top, "bottom": l.Bottom, "left": l.Left,
		"right": l.Right, "border_top": l.Border, "border_bottom": l.Border, "border_left": l.Border, "border_right": l.Border,
	} {
		if v != "" {
			s[name] = v
		}
	}
	return s
}

// SetLayout places the widget and gives it its size.
func (b *Base) SetLayout(l Layout) {
	if b.place != nil {
		b.place.set(l.state())
		return
	}
	b.place = newModel("@jupyter-widgets/base", "Layout", l.state(), nil, nil)
	b.m.set(map[string]any{"layout": b.place.ref()})
}

// Style is how a widget looks; what is "" stays as it is. Which entries a widget has is that of ipywidgets: the label's
// width those with a label, the handle's colour sliders, the button's colour buttons, the bar's progress bars.
type Style struct {
	LabelWidth, HandleColor, ButtonColor, BarColor string
	Background, TextColor, FontSize, FontWeight    string
	FontFamily                                     string
}

// styles are the models of styles of kinds that have one of their own.
var styles = map[string]string{
	"IntSlider": "SliderStyle", "FloatSlider": "SliderStyle", "FloatLogSlider": "SliderStyle", "IntRangeSlider": "SliderStyle",
	"FloatRangeSlider": "SliderStyle", "Button": "ButtonStyle", "FileUpload": "ButtonStyle", "IntProgress": "ProgressStyle",
	"FloatProgress": "ProgressStyle", "Text": "TextStyle", "Textarea": "TextStyle", "Password": "TextStyle", "Combobox": "TextStyle",
	"Checkbox": "CheckboxStyle", "ToggleButton": "ToggleButtonStyle", "ToggleButtons": "ToggleButtonsStyle", "HTML": "HTMLStyle",
	"HTMLMath": "HTMLMathStyle", "Label": "LabelStyle",
}

// SetStyle changes how the widget looks.
func (b *Base) SetStyle(s Style) {
	state := map[string]any{}
	for name, v := range map[string]string{
		"description_width": s.LabelWidth, "handle_color": s.HandleColor, "button_color": s.ButtonColor, "bar_color": s.BarColor,
		"background": s.Background, "text_color": s.TextColor, "font_size": s.FontSize, "font_weight": s.FontWeight, "font_family": s.FontFamily,
	} {
		if v != "" {
			state[name] = v
		}
	}
	if b.style != nil {
		b.style.set(state)
		return
	}
	kind := styles[b.kind]
	if kind == "" {
		kind = "DescriptionStyle"
	}
	state["_view_module"], state["_view_module_version"], state["_view_name"] = "@jupyter-widgets/base", modules["@jupyter-widgets/base"], "StyleView"
	b.style = newModel(controls, kind, state, nil, nil)
	b.m.set(map[string]any{"style": b.style.ref()})
}
