package widgets

import (
	"maps"
	"sync"
)

// target is the name under which clients know widgets, and protocol the version of their messages: ipywidgets 8, whose
// text is packages/schema/messages.md of github.com/jupyter-widgets/ipywidgets.
const (
	target   = "jupyter.widget"
	protocol = "2.1.0"
)

// modules are the JavaScript modules that models live in, with their versions.
var modules = map[string]string{"@jupyter-widgets/base": "2.0.0", "@jupyter-widgets/controls": "2.0.0", "@jupyter-widgets/output": "1.0.0"}

// model is an object in the client with a state that both sides can change.
type model struct {
	comm *Comm
	mu   sync.Mutex
	now  map[string]any
}

// newModel opens a model: kind is the name of its model without "Model". Changed gets what the client changes, click
// its clicks; both may be nil. What is left out of state the client fills with its defaults.
func newModel(module, kind string, state map[string]any, changed func(state map[string]any), click func()) *model {
	m := &model{now: map[string]any{
		"_model_module": module, "_model_module_version": modules[module], "_model_name": kind + "Model",
		"_view_module": module, "_view_module_version": modules[module], "_view_name": kind + "View",
	}}
	maps.Copy(m.now, state)
	m.comm = Open(target, map[string]any{"state": m.now, "buffer_paths": []any{}}, map[string]any{"version": protocol}, func(data map[string]any) {
		m.receive(data, changed, click)
	})
	return m
}

// ref is how another model's state names m.
func (m *model) ref() string { return "IPY_MODEL_" + m.comm.ID }

func (m *model) receive(data map[string]any, changed func(map[string]any), click func()) {
	switch data["method"] {
	case "update":
		state, _ := data["state"].(map[string]any)
		m.mu.Lock()
		maps.Copy(m.now, state)
		m.mu.Unlock()
		// for other clients' views
		m.comm.Send(map[string]any{"method": "echo_update", "state": state, "buffer_paths": []any{}})
		if changed != nil {
			changed(state)
		}
	case "request_state":
		m.mu.Lock()
		state := maps.Clone(m.now)
		m.mu.Unlock()
		m.send(state)
	case "custom":
		if content, _ := data["content"].(map[string]any); content["event"] == "click" && click != nil {
			click()
		}
	}
}

// set changes the state.
func (m *model) set(state map[string]any) {
	m.mu.Lock()
	maps.Copy(m.now, state)
	m.mu.Unlock()
	m.send(state)
}

func (m *model) send(state map[string]any) {
	m.comm.Send(map[string]any{"method": "update", "state": state, "buffer_paths": []any{}})
}
