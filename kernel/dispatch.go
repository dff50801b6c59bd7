package kernel

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// handler answers one type of request: it returns the content of the reply, nil for none. An error becomes a reply with
// status "error".
type handler func(k *kernel, r *request) (content any, err error)

// shellHandlers answer in the order of arrival, behind the running cell.
var shellHandlers = map[string]handler{
	"execute_request":     (*kernel).execute,
	"complete_request":    (*kernel).complete,
	"inspect_request":     (*kernel).inspect,
	"is_complete_request": (*kernel).isComplete,
	"history_request":     (*kernel).answerHistory,
	"kernel_info_request": (*kernel).info,
	"comm_info_request":   (*kernel).commInfo,
	"comm_open":           (*kernel).comm,
	"comm_msg":            (*kernel).comm,
	"comm_close":          (*kernel).comm,
	"interrupt_request":   (*kernel).interruptRequest,
	"shutdown_request":    (*kernel).shutdown,
}

// controlHandlers answer while a cell runs.
var controlHandlers = map[string]handler{
	"kernel_info_request": (*kernel).info,
	"interrupt_request":   (*kernel).interruptRequest,
	"shutdown_request":    (*kernel).shutdown,

	"create_subshell_request": (*kernel).createSubshell,
	"delete_subshell_request": (*kernel).deleteSubshell,
	"list_subshell_request":   (*kernel).listSubshells,

	"debug_request": (*kernel).debugRequest,
}

// handle answers one request between the status messages busy and idle.
func (k *kernel) handle(r *request, table map[string]handler) {
	k.status(r, "busy")
	h, ok := table[r.header.Type]
	if !ok {
		k.logf("a message of unknown type %.40q was ignored", r.header.Type)
		h = func(*kernel, *request) (any, error) { return nil, nil }
	}
	content, err := k.guard(h, r)
	if r.queue != nil {
		r.queue.answered()
	}
	if err != nil {
		content = errorContent(err)
	}
	if content != nil {
		k.reply(r, content)
	}
	k.status(r, "idle")
	k.trimmer.freed(int64(len(r.content)))
	if r.after != nil {
		r.after()
	}
}

// guard turns a panic of the session into an error of this request.
func (k *kernel) guard(h handler, r *request) (content any, err error) {
	defer func() {
		if p := recover(); p != nil {
			if failed, ok := p.(*CellError); ok { // the session's
				content, err = nil, failed
				return
			}
			content, err = nil, internalError(p)
		}
	}()
	return h(k, r)
}

// internalError is the failure of the kernel or the session itself, as a cell shows it.
func internalError(p any) *CellError {
	return &CellError{
		Name:      "InternalError",
		Value:     fmt.Sprint(p),
		Traceback: append([]string{"This is a fault of the kernel, not of the cell. Please report it with these lines."}, strings.Split(string(debug.Stack()), "\n")...),
	}
}

// reply sends content to the client that asked.
func (k *kernel) reply(r *request, content any) {
	var metadata any
	if r.meta != nil {
		metadata = r.meta
	}
	m, err := k.wire.encode(strings.TrimSuffix(r.header.Type, "_request")+"_reply", r.rawHeader, metadata, content)
	if err != nil {
		k.logf("%v", err)
		return
	}
	if err := r.via.Send(r.peer, append(r.route[:len(r.route):len(r.route)], m...)); err != nil {
		k.logf("the reply to %s could not be sent: %v", r.header.Type, err)
	}
}

// status tells all clients that the kernel began or ended to work on r.
func (k *kernel) status(r *request, state string) {
	k.publishFor(r, "status", json.RawMessage(`{"execution_state":"`+state+`"}`))
}

// failure is what replies and error messages say of a failed request.
type failure struct {
	Name      string   `json:"ename"`
	Value     string   `json:"evalue"`
	Traceback []string `json:"traceback"`
}

func failureOf(err error) failure {
	var c *CellError
	if !errors.As(err, &c) {
		c = &CellError{Name: "SessionError", Value: err.Error()}
	}
	f := failure{c.Name, display.Clip(c.Value), nil}
	for _, line := range c.Traceback {
		f.Traceback = append(f.Traceback, display.Clip(line))
	}
	if len(f.Traceback) == 0 {
		f.Traceback = []string{display.Clip(c.Error())}
	}
	return f
}

func errorContent(err error) any {
	return struct {
		Status string `json:"status"`
		failure
	}{"error", failureOf(err)}
}

// object is a JSON object whose shape is written where it is made.
type object = map[string]any

// rawObject is an object whose values are encoded already.
type rawObject = map[string]json.RawMessage
