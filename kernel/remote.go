package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// remote is a Session in a process of its own. When the process dies, what it was doing fails with the cause, and a new
// one is started.
type remote struct {
	argv     []string
	language Language
	loose    func(name, text string)
	log      func(format string, args ...any)
	calls    atomic.Uint64

	mu     sync.Mutex
	now    *process
	err    error // why there is none
	closed bool
}

// start starts the process; the session in it need not be ready for it to be asked.
func (r *remote) start() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	r.now, r.err = startProcess(r.argv, r.loose, r.died)
}

// died looks at what a process left, and starts the next at once: unless it had never been able to run a cell, as the
// next would not be either.
func (r *remote) died(p *process) {
	r.mu.Lock()
	again := !r.closed && r.now == p
	if again {
		r.now, r.err = nil, p.cause
	}
	r.mu.Unlock()
	if !again {
		return
	}
	r.log("the session's process has ended: %s\n%s", p.cause.Value, p.crash[:min(len(p.crash), maxTail)])
	p.closeComms()
	if p.ready {
		r.start()
	}
}

// process returns the running process. One that could not be started is tried again.
func (r *remote) process() (*process, error) {
	r.mu.Lock()
	p := r.now
	r.mu.Unlock()
	if p == nil {
		r.start()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now == nil {
		return nil, fmt.Errorf("the session's process cannot be started: %w", r.err)
	}
	return r.now, nil
}

func (r *remote) close() {
	r.mu.Lock()
	r.closed = true
	p := r.now
	r.mu.Unlock()
	if p != nil {
		p.close()
	}
}

// call asks the session and waits for its answer. When ctx ends the call is interrupted. A session whose
// process is stopped, or does not hear the interrupt, is an error; the interrupt reaches it when it goes on.
func (r *remote) call(ctx context.Context, f frame, out Output) (frame, error) {
	p, err := r.process()
	if err != nil {
		return frame{}, err
	}
	f.ID = r.calls.Add(1)
	answer := p.call(f, out)
	interrupt := ctx.Done()
	var watch <-chan time.Time // not for each cell: a timer costs a wake-up of the poller
	if out == nil {
		watch = time.Tick(watchTick)
	}
	var interrupted time.Time
	for {
		select {
		case a := <-answer:
			if a.Fail != nil {
				return a, a.Fail
			}
			return a, nil
		case <-p.dead:
			select {
			case a := <-answer: // it had the time to
				if a.Fail == nil {
					return a, nil
				}
				return a, a.Fail
			default:
			}
			return frame{}, p.cause
		case <-interrupt:
			interrupt, interrupted = nil, time.Now()
			p.interrupt(f.ID)
			watch = time.Tick(watchTick)
		case <-watch:
			if err := p.unable(f.ID, interrupted); err != nil {
				return frame{}, err
			}
		}
	}
}

func (r *remote) Language() Language { return r.language }

func (r *remote) Execute(ctx context.Context, cell Cell, out Output) (display.Bundle, error) {
	f := frame{Op: opExecute, Cell: cell}
	if o, ok := out.(*cellOutput); ok {
		f.Parent = o.id
	}
	a, err := r.call(ctx, f, out)
	if err != nil {
		return display.Bundle{}, err
	}
	return a.bundle(), nil
}

// ask asks a question that needs no cell to run. A failure is one of the request.
func (r *remote) ask(f frame) frame {
	a, err := r.call(context.Background(), f, nil)
	if err != nil {
		panic(failed(err))
	}
	return a
}

func (r *remote) Complete(code string, cursor int) Completion {
	return *r.ask(frame{Op: opComplete, Code: code, Cursor: cursor}).Places
}

func (r *remote) Inspect(code string, cursor, detail int) (display.Bundle, bool) {
	a := r.ask(frame{Op: opInspect, Code: code, Cursor: cursor, Detail: detail})
	return a.bundle(), a.Flag
}

func (r *remote) IsComplete(code string) Completeness {
	return *r.ask(frame{Op: opIsComplete, Code: code}).Whole
}

// explore lists variables, or parts of one.
func (r *remote) explore(path []string) ([]Variable, error) {
	a, err := r.call(context.Background(), frame{Op: opExplore, Names: path}, nil)
	return a.Vars, err
}

// comms returns the targets of the open comms by id; target "" stands for all.
func (r *remote) comms(target string) (open map[string]string) {
	json.Unmarshal(r.ask(frame{Op: opComms, Target: target}).Body, &open) // the other side wrote it
	return open
}

// comm hands on a client's comm message.
func (r *remote) comm(ctx context.Context, msgType string, q commRequest, out *cellOutput) error {
	data, err := json.Marshal(q.Data)
	if err != nil {
		return err
	}
	_, err = r.call(ctx, frame{Op: opComm, Kind: msgType, Name: q.ID, Target: q.Target, Body: data, Parent: out.id}, out)
	return err
}
