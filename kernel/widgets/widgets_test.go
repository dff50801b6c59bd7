package widgets

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// client records what a client would see of comms and outputs, in order.
type client struct {
	log    []string
	states map[string]map[string]any // of models, by id
}

func (c *client) SendComm(msgType string, content, _ map[string]any) {
	id := content["comm_id"].(string)
	data, _ := content["data"].(map[string]any)
	state, _ := data["state"].(map[string]any)
	switch {
	case msgType == "comm_open":
		c.states[id] = map[string]any{}
		c.log = append(c.log, fmt.Sprint("open ", state["_model_name"]))
	case data["method"] == "update" && state["msg_id"] != nil:
		c.log = append(c.log, fmt.Sprintf("msg_id %q", state["msg_id"]))
	default:
		c.log = append(c.log, fmt.Sprint(msgType, " ", data["method"]))
	}
	for k, v := range state {
		c.states[id][k] = v
	}
}

func (c *client) ParentID() string                 { return "request" }
func (c *client) Publish(b display.Bundle)         { c.log = append(c.log, "show "+b.Text()) }
func (c *client) PublishAs(string, display.Bundle) {}
func (c *client) Replace(string, display.Bundle)   {}
func (c *client) Clear(wait bool)                  { c.log = append(c.log, fmt.Sprint("clear ", wait)) }
func (c *client) take() (log string)               { log, c.log = strings.Join(c.log, ", "), nil; return log }
func (c *client) id(model string) string {
	for id, s := range c.states {
		if s["_model_name"] == model {
			return id
		}
	}
	return ""
}

func connect(t *testing.T) *client {
	c := &client{states: map[string]map[string]any{}}
	SetSender(c)
	display.SetPublisher(c)
	t.Cleanup(func() { SetSender(nil); display.SetPublisher(nil) })
	return c
}

func update(c *client, model, key string, value any) {
	Received(c.id(model), map[string]any{"method": "update", "state": map[string]any{key: value}})
}

func TestInteract(t *testing.T) {
	c := connect(t)
	f := func(n int64, x float64, s string, on bool) any { return strings.TrimSpace(fmt.Sprintln(n, x, s, on)) }
	b := Interact(f, IntRange("n", 1, 9, 3), FloatRange("x", 0, 1, 0.5), Choice("s", "a", "b"), CheckBox("on", true)).MIMEBundle()
	if want := "n = 3, x = 0.5, s = a, on = true\n3 0.5 a true"; b.Text() != want {
		t.Errorf("the text is %q, want %q", b.Text(), want)
	}
	view := b.Data[TypeView].(map[string]any)
	box := c.states[view["model_id"].(string)]
	if children := box["children"].([]string); box["_model_name"] != "VBoxModel" || len(children) != 5 || children[0] != "IPY_MODEL_"+c.id("IntSliderModel") {
		t.Errorf("the view is %v", box)
	}
	if outputs := c.states[c.id("OutputModel")]["outputs"].([]any); len(outputs) != 1 {
		t.Errorf("the output begins with %v", outputs)
	}
	if got := c.take(); got != "open IntSliderModel, open FloatSliderModel, open DropdownModel, open CheckboxModel, open OutputModel, open VBoxModel" {
		t.Error(got)
	}
	for _, tt := range []struct {
		model, key string
		value      any
		want       string // what the function gives; "" when it is not called
	}{
		{"IntSliderModel", "value", 7.0, "7 0.5 a true"},
		{"FloatSliderModel", "value", 0.25, "7 0.25 a true"},
		{"DropdownModel", "index", 1.0, "7 0.25 b true"},
		{"CheckboxModel", "value", false, "7 0.25 b false"},
		{"IntSliderModel", "description", "m", ""},
		{"IntSliderModel", "value", "text", ""},
		{"DropdownModel", "index", 2.0, ""},
		{"DropdownModel", "index", nil, ""},
	} {
		update(c, tt.model, tt.key, tt.value)
		want := "comm_msg echo_update"
		if tt.want != "" {
			want += `, msg_id "request", clear true, show ` + tt.want + `, msg_id ""`
		}
		if got := c.take(); got != want {
			t.Errorf("%s.%s = %v: %s\nwant %s", tt.model, tt.key, tt.value, got, want)
		}
	}
	Received(c.id("IntSliderModel"), map[string]any{"method": "request_state"})
	if got := c.states[c.id("IntSliderModel")]["max"]; got != 9 {
		t.Errorf("the state asked for has max %v", got)
	}
}

// The state is that of ipywidgets 8's IntSlider and FloatSlider: the client makes the steps.
func TestSliderSteps(t *testing.T) {
	third := 1.0 / 3
	for _, tt := range []struct {
		control Control
		step    any
		readout any
	}{
		{IntRange("n", 0, 9, 3), 1, nil},
		{IntRange("n", 16, 512, 64, 16), 16, nil},
		{FloatRange("x", 0, 1, 0.5), 0.01, ".2f"},
		{FloatRange("x", 0, 10, 5, 0.25), 0.25, ".2f"},
		{FloatRange("x", 0, 10, 5, 2), 2.0, ".2f"},
		{FloatRange("x", 0, 1, 0.5, 0.125), 0.125, ".3f"},
		{FloatRange("x", 0, third, 0), third / 100, ".4f"},
		{FloatRange("x", 0, 0.1, 0.05), 0.001, ".3f"},
		{FloatRange("x", 0, 0.3, 0.05), 0.003, ".3f"},
		{FloatRange("x", 0, 1, 0.5, 1e-12), 1e-12, ".3e"},
	} {
		c := connect(t)
		f := func(float64) any { return nil }
		Interact(f, tt.control).MIMEBundle()
		state := c.states[c.id(tt.control.kind+"Model")]
		if state["step"] != tt.step || state["readout_format"] != tt.readout {
			t.Errorf("%v: step %v, written %v; want %v, %v", tt.control.state, state["step"], state["readout_format"], tt.step, tt.readout)
		}
	}
	for _, tt := range []struct {
		make func() Control
		want string
	}{
		{func() Control { return IntRange("n", 0, 9, 3, 0) }, `widgets: IntRange("n"): the step 0 is not a number above 0`},
		{func() Control { return IntRange("n", 0, 9, 3, 1, 2) }, `widgets: IntRange("n"): 2 numbers after the start; there is one step at most`},
		{func() Control { return FloatRange("x", 0, 1, 0, -0.5) }, `widgets: FloatRange("x"): the step -0.5 is not a number above 0`},
		{func() Control { return FloatRange("x", 0, 1, 0, math.NaN()) }, `widgets: FloatRange("x"): the step NaN is not a number above 0`},
		{func() Control { return FloatRange("x", 0, 1, 0, math.Inf(1)) }, `widgets: FloatRange("x"): the step +Inf is not a number above 0`},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != tt.want {
					t.Errorf("%s\nwant %s", got, tt.want)
				}
			}()
			tt.make()
		}()
	}
}

func TestInteractWithoutClient(t *testing.T) {
	b := Interact(func(n int) int { return n * n }, IntRange("n", 0, 9, 3)).MIMEBundle()
	if b.Text() != "9" || b.Data[TypeView] != nil {
		t.Error(b)
	}
}

func TestPanicsStayInTheWidget(t *testing.T) {
	c := connect(t)
	Interact(func(n int) int { return 10 / n }, IntRange("n", 0, 9, 5)).MIMEBundle()
	c.take()
	stderr := os.Stderr
	r, w, _ := os.Pipe()
	os.Stderr = w
	update(c, "IntSliderModel", "value", 0.0)
	os.Stderr = stderr
	w.Close()
	text := make([]byte, 100)
	n, _ := r.Read(text)
	if s := string(text[:n]); !strings.Contains(s, "divide by zero") {
		t.Errorf("the message is %q", s)
	}
	update(c, "IntSliderModel", "value", 2.0)
	if got := c.take(); !strings.HasSuffix(got, `show 5, msg_id ""`) {
		t.Error(got)
	}
}

func TestButton(t *testing.T) {
	c := connect(t)
	pressed := 0
	Button("go", func() { pressed++; display.Show("pressed") }).MIMEBundle()
	c.take()
	Received(c.id("ButtonModel"), map[string]any{"method": "custom", "content": map[string]any{"event": "click"}})
	if got := c.take(); pressed != 1 || got != `msg_id "request", clear true, show pressed, msg_id ""` {
		t.Error(pressed, got)
	}
}

func TestWhatDoesNotFit(t *testing.T) {
	for name, f := range map[string]func(){
		"no function":       func() { Interact(3) },
		"too few controls":  func() { Interact(func(a, b int) {}, IntRange("a", 0, 1, 0)) },
		"another type":      func() { Interact(func(s string) {}, IntRange("a", 0, 1, 0)) },
		"text for a number": func() { Interact(func(n int) {}, TextField("a", "")) },
		"two results":       func() { Interact(func() (int, int) { return 1, 2 }) },
		"an empty range":    func() { IntRange("a", 1, 0, 0) },
		"a start outside":   func() { FloatRange("a", 0, 1, 2) },
		"no options":        func() { Choice("a") },
	} {
		func() {
			defer func() {
				if _, ok := recover().(error); !ok {
					t.Errorf("%s: no error", name)
				}
			}()
			f()
		}()
	}
}

func TestComms(t *testing.T) {
	c := connect(t)
	var got []any
	Handle("echo", func(c *Comm, data map[string]any) {
		got = append(got, data["a"])
		c.OnReceive(func(data map[string]any) { got = append(got, data["a"]); c.Send(nil) })
	})
	if Opened("x", "unknown", nil) || !Opened("y", "echo", map[string]any{"a": 1}) {
		t.Error("only known targets are taken")
	}
	Received("y", map[string]any{"a": 2})
	Received("gone", map[string]any{"a": 3})
	if !slices.Equal(got, []any{1, 2}) || c.take() != "comm_msg <nil>" {
		t.Error(got)
	}
	own := Open("mine", nil, nil, nil)
	if all, mine := List(""), List("mine"); len(all) != 2 || len(mine) != 1 || mine[own.ID] != "mine" {
		t.Error(all, mine)
	}
	own.Close()
	own.Close()
	if !Closed("y") || Closed("y") || len(List("")) != 0 {
		t.Error(List(""))
	}
	if got := c.take(); got != "open <nil>, comm_close <nil>" {
		t.Error(got)
	}
}
