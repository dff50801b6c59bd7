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

	watch  []func(state map[string]any)
	custom []func(content map[string]any)
}

// observe adds a function that gets what the client changes.
func (m *model) observe(f func(state map[string]any)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.watch = append(m.watch[:len(m.watch):len(m.watch)], f)
}

// onCustom adds a function that gets the client's messages beside the state, as clicks.
func (m *model) onCustom(f func(content map[string]any)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.custom = append(m.custom[:len(m.custom):len(m.custom)], f)
}

func (m *model) tell(state map[string]any) {
	m.mu.Lock()
	watch := m.watch
	m.mu.Unlock()
	for _, f := range watch {
		f(state)
	}
}

func (m *model) hear(content map[string]any) {
	m.mu.Lock()
	custom := m.custom
	m.mu.Unlock()
	for _, f := range custom {
		f(content)
	}
}

// newModel opens a model: kind is the name of its model without "Model". Changed gets what the client changes, custom
// its other messages, as clicks; both may be nil. What is left out of state the client fills with its defaults.
func newModel(module, kind string, state map[string]any, changed, custom func(content map[string]any)) *model {
	m := &model{now: map[string]any{
		"_model_module": module, "_model_module_version": modules[module], "_model_name": kind + "Model",
		"_view_module": module, "_view_module_version": modules[module], "_view_name": kind + "View",
	}}
	maps.Copy(m.now, state)
	m.comm = Open(target, map[string]any{"state": m.now, "buffer_paths": []any{}}, map[string]any{"version": protocol}, func(data map[string]any) {
		m.receive(data, changed, custom)
	})
	return m
}

// ref is how another model's state names m.
func (m *model) ref() string { return "IPY_MODEL_" + m.comm.ID }

func (m *model) receive(data map[string]any, changed, custom func(map[string]any)) {
	switch data["method"] {
	case "update":
		state, _ := data["state"].(map[string]any)
		m.mu.Lock()
		maps.Copy(m.now, state)
		m.mu.Unlock()
		// for other clients' views
		if paths, _ := data["buffer_paths"].([]any); len(paths) == 0 { // what was uploaded would go back
			m.comm.Send(map[string]any{"method": "echo_update", "state": state, "buffer_paths": []any{}})
		}
		if changed != nil {
			changed(state)
		}
	case "request_state":
		m.mu.Lock()
		state := maps.Clone(m.now)
		m.mu.Unlock()
		m.send(state)
	case "custom":
		if content, _ := data["content"].(map[string]any); custom != nil {
			custom(content)
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
