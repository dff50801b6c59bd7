package supervise

import (
	"context"
	"fmt"
	"go/types"
	"iter"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/visualfc/gid"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
	"github.com/arrayrepl/arrayrepl/interp/cellerror"
	"github.com/arrayrepl/arrayrepl/interp/engine"
)

const (
	// grace is how long a cell that was told to stop may take to reach a poll before it is left behind.
	grace = 40 * time.Millisecond
	// stackGrace is how long one may take whose stack is deep.
	stackGrace = 2 * time.Second
	// lateGoroutines is how long a cell with go statements waits for a panic in one of them before it is done.
	lateGoroutines = 5 * time.Millisecond
)

// Run is one execution of one cell, or of a function by Call.
type Run struct {
	s    *Supervisor
	ctx  context.Context
	stop context.CancelFunc
	id   atomic.Uint64 // of its goroutine while it runs code (by gid: runtime.Stack walks the whole stack, which may be deep)
	tag  tag           // of all its goroutines, until it is over
	name string        // of the tag
	cell int           // its number, 0 for what is none

	locked atomic.Bool // its goroutine has been locked to its thread: no other cell may run there

	dead bool   // read by polls; written by setFlag alone
	at   int    // declaring statements that have run; written by the cell
	here *Place // that Here has returned last; its own goroutine's

	// Begin, when not nil, is called on the run's goroutine when its code begins, and what it returns when the code has
	// ended. A run that is halted may not come to its end.
	Begin func() (end func())
	// Show, when not nil, gets the values of the last expression, on the run's goroutine.
	Show func(values []any)

	begun time.Time
	waits time.Time // since when it has been seen to wait for ever; the watcher's
	told  bool      // that it does; the watcher's

	failed chan *cellerror.Error // a failure beside the cell's own goroutine
	done   chan struct{}         // closed when the cell's goroutine has ended
	first  *crew                 // its own goroutine, and those that no go statement of a cell has started

	mu        sync.Mutex             // guards what follows
	crews     map[engine.Frame]*crew // by their go statements
	abandoned bool                   // also crews that are yet to come
	code      engine.Code            // nil when the run is over: variables of compiled programs keep r
	fail      *cellerror.Error       // what ended the cell from inside: Exit
	trace     []engine.Frame         // where a poll left
	panicked  *engine.Failure
	finished  bool
	over      bool   // the cell has been answered
	misses    int    // failures of t
	missed    *Place // the first of them
	started   []int  // numbers of the processes that its code has started
}

// NewRun returns a run that has not begun.
func (s *Supervisor) NewRun() *Run {
	t := s.newTag()
	r := &Run{s: s, tag: t, name: t.name, ctx: context.Background(), failed: make(chan *cellerror.Error, 8), done: make(chan struct{})}
	r.first = newCrew(r, r.name, engine.Frame{})
	return r
}

// setFlag writes a flag that interpreted code reads without synchronisation: a poll must cost one load. A bool is
// written whole on every machine Go runs on, and the engine loads it anew each time.
//
//go:norace
func setFlag(p *bool, v bool) { *p = v }

//go:norace
func readInt(p *int) int { return *p }

// Flags returns the variables of a program for r by their names in it: its polls and declaring statements use them.
func (r *Run) Flags() map[string]any {
	return map[string]any{engine.StopName: &r.s.left.stop, engine.DeadName: &r.dead, engine.AtName: &r.at}
}

// Declared returns how many declaring statements of r have run.
func (r *Run) Declared() int { return readInt(&r.at) }

// KeepsThread reports whether the code of r has locked its goroutine to its thread: no other cell may run there.
func (r *Run) KeepsThread() bool { return r.locked.Load() }

// Code returns what r runs, nil when it is over.
func (r *Run) Code() engine.Code {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.code
}

// Call runs f as a cell runs: it can be interrupted, its panic becomes a [*cellerror.Error], and what it writes is
// written with ctx. It is for functions of cells that others call, such as the callback of a widget.
func (s *Supervisor) Call(ctx context.Context, f func()) error {
	if ctx.Err() != nil {
		return &cellerror.Error{Kind: cellerror.Interrupted, Message: "interrupted before the call"}
	}
	if fail := s.supervise(ctx, s.NewRun(), Func(f)); fail != nil {
		return fail
	}
	return nil
}

// Func is a function of Go as code.
type Func func()

// Run implements engine.Code.
func (f Func) Run() (fail *engine.Failure) {
	defer func() {
		if v := recover(); v != nil {
			fail = &engine.Failure{Value: v}
		}
	}()
	f()
	return nil
}

// Where implements engine.Code.
func (Func) Where() []engine.Frame { return nil }

// Var implements engine.Code.
func (Func) Var(*types.Var) (reflect.Value, bool) { return reflect.Value{}, false }

// Vars implements engine.Code.
func (Func) Vars() iter.Seq2[*types.Var, reflect.Value] {
	return func(func(*types.Var, reflect.Value) bool) {}
}

// supervise runs code on a goroutine of its own and waits for its end, an interrupt, or a failure.
func (s *Supervisor) supervise(ctx context.Context, r *Run, code engine.Code) *cellerror.Error {
	r.Launch(ctx, code)
	go func() {
		defer r.Ended()
		r.Main(code)
	}()
	fail := r.Outlive(r.Wait(ctx), false)
	if fail == nil {
		fail = r.FailedChecks()
	}
	return fail
}

// Launch makes r, of code, ready for Main.
func (r *Run) Launch(ctx context.Context, code engine.Code) {
	// what a healthy cell leaves behind goes on after ctx
	r.ctx, r.stop = context.WithCancel(context.WithoutCancel(ctx))
	r.cell = CellNumber(ctx)
	r.code = code
	r.s.sweep()
	r.s.begin(r)
}

// Wait waits for the end of r, an interrupt, or a failure, and returns the latter two.
func (r *Run) Wait(ctx context.Context) *cellerror.Error {
	select {
	case <-r.done:
		return nil
	case fail := <-r.failed:
		return fail
	case <-ctx.Done():
		return &cellerror.Error{Kind: cellerror.Interrupted, Message: "interrupted"}
	}
}

// Outlive ends r, which Wait has waited for, and says how it ended: fail is what Wait returned, and goes whether r has
// go statements.
func (r *Run) Outlive(fail *cellerror.Error, goes bool) *cellerror.Error {
	if fail != nil {
		r.halt()
	} else if goes {
		select {
		case fail = <-r.failed:
			r.halt()
		case <-time.After(lateGoroutines):
		}
	}
	fail = r.outcome(fail)
	r.s.end(r)
	return fail
}

// begin makes r a running cell.
func (s *Supervisor) begin(r *Run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owners.add(r.tag.labels, r.first)
	r.begun = time.Now()
	s.running = append(s.running, r)
	if len(s.running) == 1 {
		s.beginWatch()
	}
}

// end makes r a cell that is over. Its goroutines may go on.
func (s *Supervisor) end(r *Run) {
	s.mu.Lock()
	s.running = slices.DeleteFunc(s.running, func(o *Run) bool { return o == r })
	if len(s.running) == 0 {
		s.endWatch()
	}
	s.mu.Unlock()
	r.mu.Lock()
	r.code, r.over = nil, true
	r.mu.Unlock()
	r.tag = tag{} // what stays of r must not keep its labels
}

// Ended tells that the cell's goroutine has ended.
func (r *Run) Ended() { close(r.done) }

// Main is the cell's goroutine.
func (r *Run) Main(code engine.Code) {
	defer func() {
		if v := recover(); v != nil { // an engine's own panic: the code's come back from Run
			r.mu.Lock()
			r.panicked = &engine.Failure{Value: v}
			r.mu.Unlock()
		}
	}()
	r.id.Store(gid.Get())
	r.tag.attach()
	debug.SetPanicOnFault(true) // what unsafe gets wrong on this goroutine is the cell's panic
	end := func() {}
	if r.Begin != nil {
		end = r.Begin()
	}
	f := code.Run()
	end()
	r.id.Store(0) // the goroutine may run other cells
	r.mu.Lock()
	r.panicked, r.finished = f, true
	r.mu.Unlock()
}

// halt makes the cell's polls, sleeps and evaluations end.
func (r *Run) halt() {
	setFlag(&r.dead, true)
	r.s.abandon(r)
	r.stop()
	r.s.interruptProcesses(r)
	r.s.closeOpened(func(by *Run) bool { return by == r })
}

// outcome waits a while for a halted cell, and says how the cell ended.
func (r *Run) outcome(fail *cellerror.Error) *cellerror.Error {
	var waits []engine.Frame
	patience := grace
	if fail != nil && (fail.Kind == cellerror.StackLimit || fail.Kind == cellerror.MemoryLimit) {
		patience = stackGrace // a deep stack takes long to leave, and so does a goroutine that must help the collector
	}
	select {
	case <-r.done:
	case <-time.After(patience):
		if fail != nil {
			waits = r.where()
			r.s.sayWhatGoesOn(fail)
		}
	}
	r.mu.Lock()
	trace, inside, panicked, finished := r.trace, r.fail, r.panicked, r.finished
	r.mu.Unlock()
	switch {
	case fail != nil:
		if len(fail.Trace) == 0 {
			fail.Trace = trace
		}
		if len(fail.Trace) == 0 && panicked != nil { // it ended by itself at the same moment
			fail.Trace = panicked.Trace
		}
		if len(fail.Trace) == 0 {
			fail.Trace = waits
		}
		return fail
	case inside != nil:
		return inside
	case panicked != nil:
		return r.s.panicError(panicked.Value, panicked.Trace)
	case !finished:
		return &cellerror.Error{Kind: cellerror.Exit, Message: "runtime.Goexit ended the cell", Trace: trace}
	}
	return nil
}

// sayWhatGoesOn adds to the error of an interrupted cell what it has called that cannot be asked.
func (s *Supervisor) sayWhatGoesOn(fail *cellerror.Error) {
	if s.opts.Underway == nil || fail.Kind != cellerror.Interrupted {
		return
	}
	if name := s.opts.Underway(); name != "" {
		fail.Message += fmt.Sprintf("; %s cannot be asked to stop: it goes on until it has its result, and keeps a processor so long", name)
	}
}

// Hooks returns what the engine's code calls, but for Given.
func (s *Supervisor) Hooks() engine.Hooks {
	return engine.Hooks{Leave: s.leave, Leaving: s.leaving, Exit: s.exit, Sleep: s.sleep, Show: s.show, GoPanic: s.goPanic, Go: s.spawn, Quit: s.quit, Accept: s.accept, Overflow: s.tooDeep, Print: cellWriter{s, stdout}, Writer: s.routed, Allow: s.allow, Printing: s.formattable, Externals: s.externals()}
}

// leave ends the calling goroutine when it belongs to a cell that was halted, by Goexit, as a panic could be recovered
// by the cell.
func (s *Supervisor) leave(trace func() []engine.Frame) {
	if s.leaving() { // else the flag is set for another cell
		s.owners.of(golabel.Current()).run.stopHere(trace)
	}
}

// leaving reports whether the calling goroutine belongs to a cell that was halted.
func (s *Supervisor) leaving() bool {
	c := s.owners.of(golabel.Current())
	return c != nil && c.abandoned.Load()
}

// where returns the lines at which the cell is.
func (r *Run) where() []engine.Frame {
	r.mu.Lock()
	code := r.code
	r.mu.Unlock()
	if code == nil {
		return nil
	}
	return code.Where()
}

// stopHere ends the calling goroutine, and keeps its trace when it is the cell's own.
func (r *Run) stopHere(trace func() []engine.Frame) {
	if r.id.Load() == gid.Get() {
		t := trace()
		r.mu.Lock()
		r.trace = t
		r.mu.Unlock()
	}
	runtime.Goexit()
}

// exit ends the cell where the process would have ended.
func (s *Supervisor) exit(what string, trace func() []engine.Frame) {
	if s.onExit != nil {
		var code int
		if _, err := fmt.Sscanf(what, "os.Exit(%d)", &code); err == nil {
			s.onExit(code)
		}
	}
	if r := s.mine(); r != nil {
		err := &cellerror.Error{Kind: cellerror.Exit, Message: what + " ended the cell; the session goes on", Trace: trace()}
		if what != engine.Goexit || r.onOwn() {
			r.endWith(err)
		}
	}
	runtime.Goexit()
}

// onOwn reports whether the calling goroutine is the cell's own.
func (r *Run) onOwn() bool { return r.id.Load() == gid.Get() }

// endWith makes err what ends the cell. The caller ends its goroutine.
func (r *Run) endWith(err *cellerror.Error) {
	if !r.onOwn() {
		r.report(err)
		return
	}
	r.mu.Lock()
	r.fail = err
	r.mu.Unlock()
}

// give ends the run with a failure; one that is over only loses its goroutines.
func (r *Run) give(err *cellerror.Error) {
	r.mu.Lock()
	over := r.over
	r.mu.Unlock()
	if !over {
		r.report(err)
		return
	}
	r.s.abandon(r)
	r.s.background(r, err)
}

// report hands a failure to the waiting session; when there are many, the first few do.
func (r *Run) report(err *cellerror.Error) {
	select {
	case r.failed <- err:
	default:
	}
}

// sleep is time.Sleep, but for interrupts.
func (s *Supervisor) sleep(d time.Duration) {
	c := s.owners.of(golabel.Current())
	if c == nil {
		time.Sleep(d)
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-c.quit:
		c.run.stopHere(c.run.where)
	}
}

// show gives the values of the last expression to the run of the calling goroutine.
func (s *Supervisor) show(values []any) {
	if r := s.mine(); r != nil && r.Show != nil {
		r.Show(values)
	}
}

// goPanic takes the panic of a goroutine that a cell started, on that goroutine.
func (s *Supervisor) goPanic(value any, trace []engine.Frame) { s.panicIn(s.mine(), value, trace) }

// Panicked takes the panic of a goroutine of r, on that goroutine.
func (r *Run) Panicked(value any, trace []engine.Frame) { r.s.panicIn(r, value, trace) }

// panicIn takes the panic of a goroutine of r: a cell that still runs fails, of one that is over it is told.
func (s *Supervisor) panicIn(r *Run, value any, trace []engine.Frame) {
	err := s.panicError(value, trace)
	err.Message += " [in a goroutine]"
	if r != nil {
		r.mu.Lock()
		over := r.over
		r.mu.Unlock()
		if !over {
			r.report(err)
			return
		}
	}
	s.background(r, err)
}

// background tells of what a cell that is over has left.
func (s *Supervisor) background(r *Run, err *cellerror.Error) {
	if s.opts.Background != nil {
		s.opts.Background(err)
		return
	}
	s.writeOf(r, stderr, []byte(strings.Join(err.Lines(false), "\n")+"\n"))
}
