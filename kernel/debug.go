package kernel

import (
	"fmt"
	"sync"
)

// Jupyter's clients feed their panels of variables by messages of the Debug Adapter Protocol, in debug_request messages
// on the control channel. This is the part of it that shows variables; nothing stops at breakpoints.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#debug-request

// Explorer is a Session that shows what its variables hold.
type Explorer interface {
	// Explore lists the variables, or the parts of what path leads to: the name of a variable, then numbers of parts.
	// It may be called while a cell runs, and must not take long.
	Explore(path []string) ([]Variable, error)
}

// Variable is a variable, or a part of one.
type Variable struct {
	Name, Type, Value string
	Parts             int // how many Explore lists of it
}

// debugging is what a client has asked about. References are those of the latest list of variables, as the protocol
// lets them be: when cells run, a client asks for that again.
type debugging struct {
	mu      sync.Mutex
	started bool
	seq     int
	paths   [][]string // by reference, from 1 on
}

// maxReferences bounds what a client that never lists the variables anew makes the kernel keep.
const maxReferences = 100_000

// takeControl answers a message on the control channel, at once but for those that the session answers: an interrupt
// must not wait for these.
func (k *kernel) takeControl(r *request) {
	if r.header.Type == "debug_request" {
		k.debugs.push(r)
		return
	}
	k.handle(r, controlHandlers)
}

// workDebug answers debug messages.
func (k *kernel) workDebug() {
	for r := k.debugs.pop(k.ctx); r != nil; r = k.debugs.pop(k.ctx) {
		k.handle(r, controlHandlers)
	}
}

// debugRequest answers a message of the Debug Adapter Protocol.
func (k *kernel) debugRequest(r *request) (any, error) {
	var q struct {
		Seq       int    `json:"seq"`
		Command   string `json:"command"`
		Arguments struct {
			Reference int `json:"variablesReference"`
			Start     int `json:"start"`
			Count     int `json:"count"`
		} `json:"arguments"`
	}
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	d := &k.debugging
	d.mu.Lock()
	defer d.mu.Unlock()
	body, err := object{}, error(nil)
	event := ""
	switch q.Command {
	case "initialize":
		d.started, event = true, "initialized"
	case "attach", "configurationDone":
	case "disconnect":
		d.started = false
	case "debugInfo":
		body = object{
			"isStarted": d.started, "hashMethod": "Murmur2", "hashSeed": 0, "tmpFilePrefix": "", "tmpFileSuffix": ".go",
			"breakpoints": []any{}, "stoppedThreads": []any{}, "richRendering": false, "exceptionPaths": []any{}, "copyToGlobals": false,
		}
	case "inspectVariables":
		d.paths = nil
		body["variables"], err = k.variables(nil, 0, 0)
	case "variables":
		if q.Arguments.Reference < 1 || q.Arguments.Reference > len(d.paths) {
			body["variables"], err = []any{}, fmt.Errorf("there is no reference %d: list the variables again", q.Arguments.Reference)
			break
		}
		body["variables"], err = k.variables(d.paths[q.Arguments.Reference-1], q.Arguments.Start, q.Arguments.Count)
	case "setBreakpoints": // none is set, so that no client draws one
		body["breakpoints"] = []any{}
	default:
		err = fmt.Errorf("this kernel shows variables, and does not know %.40q", q.Command)
	}
	d.seq++
	reply := object{"type": "response", "seq": d.seq, "request_seq": q.Seq, "success": err == nil, "command": q.Command, "body": body}
	if err != nil {
		reply["message"] = err.Error()
	}
	if event != "" {
		d.seq++
		k.publishFor(r, "debug_event", object{"type": "event", "seq": d.seq, "event": event})
	}
	return reply, nil
}

// variables lists what path leads to, from start on, count of them when that is not 0. The caller holds the mutex.
func (k *kernel) variables(path []string, start, count int) ([]object, error) {
	all, err := k.session.explore(path)
	out := []object{}
	start = max(0, min(start, len(all)))
	if all = all[start:]; count > 0 {
		all = all[:min(count, len(all))]
	}
	d := &k.debugging
	for i, v := range all {
		step, evaluate := v.Name, v.Name
		if path != nil {
			step, evaluate = fmt.Sprint(start+i), ""
		}
		o := object{"name": v.Name, "type": v.Type, "value": v.Value, "evaluateName": evaluate, "variablesReference": 0}
		if v.Parts > 0 && len(d.paths) < maxReferences {
			d.paths = append(d.paths, append(path[:len(path):len(path)], step))
			o["variablesReference"] = len(d.paths)
		}
		out = append(out, o)
	}
	return out, err
}
