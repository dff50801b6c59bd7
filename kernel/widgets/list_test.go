package widgets

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Each control's value after what a client sends, in the form that ipywidgets 8 sends it, and what a client gets when
// Go sets a value.
func TestEachControl(t *testing.T) {
	day := time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC)
	moment := time.Date(2026, 2, 3, 4, 5, 6, 7e6, time.UTC)
	num := func(v ...float64) (l []any) {
		for _, x := range v {
			l = append(l, x)
		}
		return l
	}
	for _, tt := range []struct {
		make      func() Valued
		model     string
		start     any
		key       string
		sent      any
		want      any
		set, wire any // what Go sets, and what the client gets; nil for none
	}{
		{func() Valued { return IntSlider("n", 0, 9, 3) }, "IntSlider", 3, "value", 7.0, 7, 99, 9},
		{func() Valued { return FloatSlider("x", 0, 1, 0.5) }, "FloatSlider", 0.5, "value", 0.25, 0.25, -1.0, 0.0},
		{func() Valued { return FloatLogSlider("x", -3, 3, 10) }, "FloatLogSlider", 10.0, "value", 100.0, 100.0, 1e9, 1000.0},
		{func() Valued { return IntRangeSlider("r", 0, 9, 2, 5) }, "IntRangeSlider", [2]int{2, 5}, "value", num(1, 8), [2]int{1, 8}, [2]int{0, 1}, [2]int{0, 1}},
		{func() Valued { return FloatRangeSlider("r", 0, 1, 0, 1) }, "FloatRangeSlider", [2]float64{0, 1}, "value", num(0.5, 0.75), [2]float64{0.5, 0.75}, nil, nil},
		{func() Valued { return IntText("n", 1) }, "IntText", 1, "value", 5.0, 5, 6, 6},
		{func() Valued { return FloatText("x", 1) }, "FloatText", 1.0, "value", 5.0, 5.0, 6.5, 6.5},
		{func() Valued { return BoundedIntText("n", 0, 5, 1) }, "BoundedIntText", 1, "value", 5.0, 5, 9, 5},
		{func() Valued { return BoundedFloatText("x", 0, 5, 1) }, "BoundedFloatText", 1.0, "value", 2.5, 2.5, -1.0, 0.0},
		{func() Valued { return Text("t", "a") }, "Text", "a", "value", "b", "b", "c", "c"},
		{func() Valued { return Textarea("t", "a") }, "Textarea", "a", "value", "b\nc", "b\nc", nil, nil},
		{func() Valued { return Password("t") }, "Password", "", "value", "b", "b", nil, nil},
		{func() Valued { return Combobox("t", "a", "a", "b") }, "Combobox", "a", "value", "other", "other", nil, nil},
		{func() Valued { return ColorPicker("c", "red") }, "ColorPicker", "red", "value", "#00ff00", "#00ff00", "blue", "blue"},
		{func() Valued { return Dropdown("d", "a", "b") }, "Dropdown", "a", "index", 1.0, "b", "a", 0},
		{func() Valued { return Select("d", "a", "b") }, "Select", "a", "index", 1.0, "b", nil, nil},
		{func() Valued { return RadioButtons("d", "a", "b") }, "RadioButtons", "a", "index", 1.0, "b", nil, nil},
		{func() Valued { return ToggleButtons("d", "a", "b") }, "ToggleButtons", "a", "index", 1.0, "b", nil, nil},
		{func() Valued { return SelectionSlider("d", "a", "b") }, "SelectionSlider", "a", "index", 1.0, "b", nil, nil},
		{func() Valued { return SelectionRangeSlider("d", "a", "b", "c") }, "SelectionRangeSlider", []string{"a", "b", "c"}, "index", num(1, 2), []string{"b", "c"}, []string{"a", "b"}, []int{0, 1}},
		{func() Valued { return SelectMultiple("d", "a", "b", "c") }, "SelectMultiple", []string{}, "index", num(0, 2), []string{"a", "c"}, []string{"b"}, []int{1}},
		{func() Valued { return Checkbox("c", true) }, "Checkbox", true, "value", false, false, true, true},
		{func() Valued { return ToggleButton("c", false) }, "ToggleButton", false, "value", true, true, nil, nil},
		{func() Valued { return Valid("c", false) }, "Valid", false, "value", true, true, nil, nil},
		{func() Valued { return DatePicker("d", day) }, "DatePicker", day, "value", map[string]any{"year": 2025.0, "month": 11.0, "date": 31.0}, time.Date(2025, 12, 31, 0, 0, 0, 0, time.UTC), day, map[string]any{"year": 2026, "month": 1, "date": 3}},
		{func() Valued { return DatePicker("d", day) }, "DatePicker", day, "value", nil, time.Time{}, time.Time{}, nil},
		{func() Valued { return TimePicker("d", moment) }, "Time", moment, "value", map[string]any{"hours": 1.0, "minutes": 2.0, "seconds": 3.0, "milliseconds": 4.0}, time.Date(1, 1, 1, 1, 2, 3, 4e6, time.UTC), nil, nil},
		{func() Valued { return DatetimePicker("d", moment) }, "Datetime", moment, "value", map[string]any{"year": 2025.0, "month": 0.0, "date": 1.0, "hours": 1.0, "minutes": 2.0, "seconds": 3.0, "milliseconds": 4.0}, time.Date(2025, 1, 1, 1, 2, 3, 4e6, time.UTC), nil, nil},
		{func() Valued { return FileUpload("f", ".csv", true) }, "FileUpload", []File(nil), "value",
			[]any{map[string]any{"name": "a.csv", "type": "text/csv", "last_modified": 1000.0, "content": map[string]any{"base64": "aGk="}}},
			[]File{{"a.csv", "text/csv", time.Unix(1, 0).UTC(), []byte("hi")}}, nil, nil},
		{func() Valued { return TagsInput("t", []string{"a"}) }, "TagsInput", []string{"a"}, "value", []any{"a", "b"}, []string{"a", "b"}, nil, nil},
		{func() Valued { return ColorsInput("t", "red") }, "ColorsInput", []string{"red"}, "value", []any{"blue"}, []string{"blue"}, nil, nil},
		{func() Valued { return IntsInput("t", 1) }, "IntsInput", []int{1}, "value", num(2, 3), []int{2, 3}, nil, nil},
		{func() Valued { return FloatsInput("t", 1.5) }, "FloatsInput", []float64{1.5}, "value", num(2, 3), []float64{2, 3}, nil, nil},
		{func() Valued { return Play("p", 0, 9, 0, time.Second) }, "Play", 0, "value", 4.0, 4, nil, nil},
		{func() Valued { return IntProgress("p", 0, 9, 0) }, "IntProgress", 0, "value", 4.0, 4, 10, 9},
		{func() Valued { return FloatProgress("p", 0, 1, 0) }, "FloatProgress", 0.0, "value", 0.5, 0.5, nil, nil},
		{func() Valued { return HTML("<b>") }, "HTML", "<b>", "value", "x", "x", "<i>", "<i>"},
		{func() Valued { return HTMLMath("$x$") }, "HTMLMath", "$x$", "value", "x", "x", nil, nil},
		{func() Valued { return Label("l") }, "Label", "l", "value", "x", "x", nil, nil},
	} {
		t.Run(tt.model, func(t *testing.T) {
			c := connect(t)
			w := tt.make()
			id := c.id(tt.model + "Model")
			require.NotEmpty(t, id, "the model is not open")
			assert.Equal(t, tt.start, w.Any())
			told := 0
			stop := w.ObserveAny(func() { told++ })
			Received(id, map[string]any{"method": "update", "state": map[string]any{tt.key: tt.sent}})
			assert.Equal(t, tt.want, w.Any())
			assert.Equal(t, 1, told, "observers are told once")
			Received(id, map[string]any{"method": "update", "state": map[string]any{tt.key: struct{}{}}})
			assert.Equal(t, tt.want, w.Any(), "what is not a value changes nothing")
			if tt.set != nil {
				w.SetAny(tt.set)
				assert.Equal(t, tt.wire, c.states[id][tt.key])
			}
			told = 0
			stop()
			Received(id, map[string]any{"method": "update", "state": map[string]any{tt.key: tt.sent}})
			assert.Zero(t, told)
			view := w.MIMEBundle().Data[TypeView].(map[string]any)
			assert.Equal(t, id, view["model_id"])
		})
	}
}

// Values are typed: no conversion stands in a cell.
func TestValuesAreTyped(t *testing.T) {
	connect(t)
	n := IntSlider("n", 0, 10, 3)
	var seen []int
	n.Observe(func(v int) { seen = append(seen, v) })
	n.Set(n.Value() + 1)
	n.Set(4)
	assert.Equal(t, []int{4}, seen)
	x := FloatSlider("x", 0, 10, 5)
	stop := Link(n, x)
	assert.Equal(t, 4.0, x.Value())
	x.Set(7)
	assert.Equal(t, 7, n.Value())
	stop()
	x.Set(1)
	assert.Equal(t, 7, n.Value())
	assert.PanicsWithError(t, `widgets: string is not a value of IntSlider, which has int`, func() { n.SetAny("a") })
	assert.Equal(t, "n = 7", n.MIMEBundle().Text())
}

func TestBoxes(t *testing.T) {
	c := connect(t)
	a, b := Label("a"), Label("b")
	ref := func(w Widget) string { return w.Common().m.ref() }
	for kind, box := range map[string]*Box{"HBox": HBox(a, b), "VBox": VBox(a, b), "GridBox": Grid(2, a, b), "Tab": Tab([]string{"A", "B"}, a, b), "Accordion": Accordion([]string{"A", "B"}, a, b), "Stack": Stack(a, b)} {
		state := c.states[box.m.comm.ID]
		assert.Equal(t, kind+"Model", state["_model_name"])
		assert.Equal(t, []string{ref(a), ref(b)}, state["children"])
	}
	app := AppLayout(Parts{Header: a, Center: b})
	layout := c.states[app.place.comm.ID]
	assert.Equal(t, `"header header header" "center center center"`, layout["grid_template_areas"])
	assert.Equal(t, "header", c.states[a.place.comm.ID]["grid_area"])
	assert.Panics(t, func() { Tab([]string{"A"}, a, b) })
	assert.Equal(t, "Label = a\nLabel = b", VBox(a, b).MIMEBundle().Text())
	s := IntSlider("n", 0, 1, 0)
	s.SetLayout(Layout{Width: "50%"})
	s.SetStyle(Style{HandleColor: "red"})
	s.SetDisabled(true)
	s.SetContinuous(false)
	state := c.states[s.m.comm.ID]
	assert.Equal(t, []any{true, false}, []any{state["disabled"], state["continuous_update"]})
	assert.Equal(t, "50%", c.states[s.place.comm.ID]["width"])
	assert.Equal(t, "SliderStyleModel", c.states[s.style.comm.ID]["_model_name"])
}

func TestOutputsCapture(t *testing.T) {
	c := connect(t)
	o := NewOutput()
	c.take()
	o.Capture(func() { display.Show("in it") })
	assert.Equal(t, `msg_id "request", show in it, msg_id ""`, c.take())
	pressed := 0
	b := NewButton("go", func() { pressed++ })
	b.OnClick(func() { pressed++ })
	Received(b.m.comm.ID, map[string]any{"method": "custom", "content": map[string]any{"event": "click"}})
	assert.Equal(t, 2, pressed)
}

func TestAbbreviations(t *testing.T) {
	for _, tt := range []struct {
		arg, f any
		kind   string
		start  any
		lo, hi any
	}{
		{10, func(int) {}, "IntSlider", 10, -10, 30},
		{-2, func(int8) {}, "IntSlider", -2, -6, 2},
		{0, func(float64) {}, "IntSlider", 0, 0, 1},
		{1.5, func(float64) {}, "FloatSlider", 1.5, -1.5, 4.5},
		{[2]int{0, 9}, func(int) {}, "IntSlider", 4, 0, 9},
		{[3]int{0, 90, 10}, func(int) {}, "IntSlider", 40, 0, 90},
		{[2]float64{0, 1}, func(float64) {}, "FloatSlider", 0.5, 0.0, 1.0},
		{true, func(bool) {}, "Checkbox", true, nil, nil},
		{"a", func(string) {}, "Text", "a", nil, nil},
		{[]string{"b", "c"}, func(string) {}, "Dropdown", "b", nil, nil},
		{map[string]float64{"pi": 3.14, "e": 2.72}, func(float64) {}, "Dropdown", 2.72, nil, nil},
		{Arg("name", 3), func(int) {}, "IntSlider", 3, -3, 9},
	} {
		c := connect(t)
		in := Interact(tt.f, tt.arg).(*interaction)
		assert.Equal(t, tt.kind, in.controls[0].kind)
		assert.Equal(t, tt.start, in.controls[0].start)
		in.MIMEBundle()
		state := c.states[c.id(tt.kind+"Model")]
		assert.Equal(t, []any{tt.lo, tt.hi}, []any{state["min"], state["max"]}, fmt.Sprint(tt.arg))
	}
	assert.Panics(t, func() { Interact(func(int) {}, make(chan int)) })
}

// What a function shows the first time is the cell's, what it shows later belongs to its output, and a manual one waits
// for its button.
func TestInteractionsOwnTheirOutput(t *testing.T) {
	c := connect(t)
	calls := 0
	s := IntSlider("n", 0, 9, 3)
	in := Interact(func(n int) { calls++; display.Show(fmt.Sprint("called with ", n)) }, s)
	c.take()
	in.MIMEBundle()
	assert.Equal(t, `show called with 3, open OutputModel, open VBoxModel`, c.take())
	s.Set(5)
	assert.Equal(t, 2, calls)
	c, calls = connect(t), 0
	InteractManual(func(n int) any { calls++; return n }, 4).MIMEBundle()
	update(c, "IntSliderModel", "value", 6.0)
	assert.Zero(t, calls)
	Received(c.id("ButtonModel"), map[string]any{"method": "custom", "content": map[string]any{"event": "click"}})
	assert.Equal(t, 1, calls)
}
