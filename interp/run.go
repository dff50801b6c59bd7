package interp

import (
	"context"
	"fmt"
	"go/types"
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
	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/valuesize"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

const (
	// grace is how long a cell that was told to stop may take to reach a poll before it is left behind.
	grace = 40 * time.Millisecond
	// stackGrace is how long one may take whose stack is deep.
	stackGrace = 2 * time.Second
	// lateGoroutines is how long a cell with go statements waits for a panic in one of them before it is done.
	lateGoroutines = 5 * time.Millisecond
)

// run is one execution of one cell.
type run struct {
	s    *Session
	ctx  context.Context
	stop context.CancelFunc
	id   atomic.Uint64 // of its goroutine while it runs code (by gid: runtime.Stack walks the whole stack, which may be deep)
	tag  tag           // of all its goroutines, until it is over
	name string        // of the tag
	cell int           // its number, 0 for what is none

	fails bool        // the last expression is a call whose last result is an error
	runes bool        // its type is written with runes
	quiet bool        // the last expression is shown only when the error that it returns is not nil
	named *types.Func // the function that the last expression names

	locked atomic.Bool // its goroutine has been locked to its thread: no other cell may run there

	dead bool   // read by polls; written by setFlag alone
	at   int    // declaring statements that have run; written by the cell
	here *Place // that Here has returned last; its own goroutine's

	begin func() (end func()) // see Cell.Begin

	begun time.Time
	waits time.Time // since when it has been seen to wait for ever; the watcher's
	told  bool      // that it does; the watcher's

	failed chan *Error   // a failure beside the cell's own goroutine
	done   chan struct{} // closed when the cell's goroutine has ended
	first  *crew         // its own goroutine, and those that no go statement of a cell has started

	mu        sync.Mutex             // guards what follows
	crews     map[engine.Frame]*crew // by their go statements
	abandoned bool                   // also crews that are yet to come
	code      engine.Code            // nil when the run is over: variables of compiled programs keep r
	bundle    display.Bundle
	shown     []any          // the values that bundle shows
	shownSize int            // of the first
	fail      *Error         // what ended the cell from inside: Exit
	trace     []engine.Frame // where a poll left
	panicked  *engine.Failure
	finished  bool
	over      bool  // the cell has been answered
	started   []int // numbers of the processes that its code has started
}

func newRun(s *Session) *run {
	t := s.newTag()
	r := &run{s: s, tag: t, name: t.name, ctx: context.Background(), failed: make(chan *Error, 8), done: make(chan struct{})}
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

// Call runs f as a cell runs: it can be interrupted, its panic becomes an [*Error], and what it writes is written with
// ctx. It is for functions of cells that others call, such as the callback of a widget.
func (s *Session) Call(ctx context.Context, f func()) error {
	if ctx.Err() != nil {
		return &Error{Kind: Interrupted, Message: "interrupted before the call"}
	}
	return orNil(s.supervise(ctx, newRun(s), goFunc(f)))
}

// goFunc is a function as Code.
type goFunc func()

func (f goFunc) Run() (fail *engine.Failure) {
	defer func() {
		if v := recover(); v != nil {
			fail = &engine.Failure{Value: v}
		}
	}()
	f()
	return nil
}

func (goFunc) Where() []engine.Frame { return nil }

func (goFunc) Var(*types.Var) (reflect.Value, bool) { return reflect.Value{}, false }

// supervise runs code on a goroutine of its own and waits for its end, an interrupt, or a failure.
func (s *Session) supervise(ctx context.Context, r *run, code engine.Code) *Error {
	s.launch(ctx, r, code)
	go func() {
		defer r.ended()
		r.main(r.tag, code)
	}()
	return s.outlive(r, s.wait(ctx, r), false)
}

// launch makes r, of code, ready for main.
func (s *Session) launch(ctx context.Context, r *run, code engine.Code) {
	// what a healthy cell leaves behind goes on after ctx
	r.ctx, r.stop = context.WithCancel(context.WithoutCancel(ctx))
	r.cell = CellNumber(ctx)
	r.code = code
	s.sweep()
	s.begin(r)
}

// wait waits for the end of r, an interrupt, or a failure, and returns the latter two.
func (s *Session) wait(ctx context.Context, r *run) *Error {
	select {
	case <-r.done:
		return nil
	case fail := <-r.failed:
		return fail
	case <-ctx.Done():
		return &Error{Kind: Interrupted, Message: "interrupted"}
	}
}

// outlive ends r, which wait has waited for: fail is what wait returned, and goes whether r has go statements.
func (s *Session) outlive(r *run, fail *Error, goes bool) *Error {
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
	s.end(r)
	return fail
}

// begin makes r a running cell.
func (s *Session) begin(r *run) {
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
func (s *Session) end(r *run) {
	s.mu.Lock()
	s.running = slices.DeleteFunc(s.running, func(o *run) bool { return o == r })
	if len(s.running) == 0 {
		s.endWatch()
	}
	s.mu.Unlock()
	r.mu.Lock()
	r.code, r.over = nil, true
	r.mu.Unlock()
	r.tag = tag{} // what stays of r must not keep its labels
}

// ended tells that the cell's goroutine has ended.
func (r *run) ended() { close(r.done) }

// main is the cell's goroutine.
func (r *run) main(t tag, code engine.Code) {
	defer func() {
		if v := recover(); v != nil { // an engine's own panic: the code's come back from Run
			r.mu.Lock()
			r.panicked = &engine.Failure{Value: v}
			r.mu.Unlock()
		}
	}()
	r.id.Store(gid.Get())
	t.attach()
	debug.SetPanicOnFault(true) // what unsafe gets wrong on this goroutine is the cell's panic
	end := func() {}
	if r.begin != nil {
		end = r.begin()
	}
	f := code.Run()
	end()
	r.id.Store(0) // the goroutine may run other cells
	r.mu.Lock()
	r.panicked, r.finished = f, true
	r.mu.Unlock()
}

// halt makes the cell's polls, sleeps and evaluations end.
func (r *run) halt() {
	setFlag(&r.dead, true)
	r.s.abandon(r)
	r.stop()
	r.s.interruptProcesses(r)
	r.s.closeOpened(func(by *run) bool { return by == r })
}

// outcome waits a while for a halted cell, and says how the cell ended.
func (r *run) outcome(fail *Error) *Error {
	var waits []engine.Frame
	patience := grace
	if fail != nil && (fail.Kind == StackLimit || fail.Kind == MemoryLimit) {
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
		return &Error{Kind: Exit, Message: "runtime.Goexit ended the cell", Trace: trace}
	}
	return nil
}

// sayWhatGoesOn adds to the error of an interrupted cell what it has called that cannot be asked.
func (s *Session) sayWhatGoesOn(fail *Error) {
	if s.opts.Underway == nil || fail.Kind != Interrupted {
		return
	}
	if name := s.opts.Underway(); name != "" {
		fail.Message += fmt.Sprintf("; %s cannot be asked to stop: it goes on until it has its result, and keeps a processor so long", name)
	}
}

// hooks returns what the engine's code calls.
func (s *Session) hooks() engine.Hooks {
	return engine.Hooks{Leave: s.leave, Leaving: s.leaving, Exit: s.exit, Sleep: s.sleep, Show: s.show, GoPanic: s.goPanic, Go: s.spawn, Quit: s.quit, Accept: s.accept, Given: s.bindGiven, Overflow: s.tooDeep, Print: cellWriter{s, stdout}, Writer: s.routed, Allow: s.allow, Externals: s.externals()}
}

// leave ends the calling goroutine when it belongs to a cell that was halted, by Goexit, as a panic could be recovered
// by the cell.
func (s *Session) leave(trace func() []engine.Frame) {
	if s.leaving() { // else the flag is set for another cell
		s.owners.of(golabel.Current()).run.stopHere(trace)
	}
}

// leaving reports whether the calling goroutine belongs to a cell that was halted.
func (s *Session) leaving() bool {
	c := s.owners.of(golabel.Current())
	return c != nil && c.abandoned.Load()
}

// where returns the lines at which the cell is.
func (r *run) where() []engine.Frame {
	r.mu.Lock()
	code := r.code
	r.mu.Unlock()
	if code == nil {
		return nil
	}
	return code.Where()
}

// stopHere ends the calling goroutine, and keeps its trace when it is the cell's own.
func (r *run) stopHere(trace func() []engine.Frame) {
	if r.id.Load() == gid.Get() {
		t := trace()
		r.mu.Lock()
		r.trace = t
		r.mu.Unlock()
	}
	runtime.Goexit()
}

// exit ends the cell where the process would have ended.
func (s *Session) exit(what string, trace func() []engine.Frame) {
	if s.onExit != nil {
		var code int
		if _, err := fmt.Sscanf(what, "os.Exit(%d)", &code); err == nil {
			s.onExit(code)
		}
	}
	if r := s.mine(); r != nil {
		err := &Error{Kind: Exit, Message: what + " ended the cell; the session goes on", Trace: trace()}
		switch own := r.id.Load() == gid.Get(); {
		case own:
			r.mu.Lock()
			r.fail = err
			r.mu.Unlock()
		case what != engine.Goexit:
			r.report(err)
		}
	}
	runtime.Goexit()
}

// give ends the run with a failure; one that is over only loses its goroutines.
func (r *run) give(err *Error) {
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
func (r *run) report(err *Error) {
	select {
	case r.failed <- err:
	default:
	}
}

// sleep is time.Sleep, but for interrupts.
func (s *Session) sleep(d time.Duration) {
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

// show displays the values of the last expression, on the cell's goroutine: a lazy array is evaluated here.
func (s *Session) show(values []any) {
	r := s.mine()
	if r == nil || r.quiet && values[len(values)-1] == nil {
		return
	}
	seen := values
	if n := len(values); n > 1 && r.fails && s.opts.GoText && values[n-1] == nil {
		seen = values[:n-1] // that all went well needs no word
	}
	bundles := make([]display.Bundle, len(seen))
	how := display.Options{Runes: r.runes, Fmt: !s.opts.GoText}
	for i, v := range seen {
		if m := s.stillMap(v); m != nil {
			v = m
		}
		b, err := display.OfWith(v, how)
		if err != nil {
			panic(err)
		}
		if v != nil && reflect.TypeOf(v).Kind() == reflect.Func && (how.Fmt || !display.IsSequence(v)) { // who forgot to call one reads how that is done
			b.Data[display.TypeText] = s.functionText(v, r.named, b.Text())
		}
		bundles[i] = b
	}
	size := valuesize.Of(values[0])
	r.mu.Lock()
	r.bundle, r.shown, r.shownSize = display.Join(seen, bundles, how), values, size
	r.mu.Unlock()
}

// goPanic takes the panic of a goroutine that a cell started, on that goroutine.
func (s *Session) goPanic(value any, trace []engine.Frame) { s.panicIn(s.mine(), value, trace) }

// panicIn takes the panic of a goroutine of r: a cell that still runs fails, of one that is over it is told.
func (s *Session) panicIn(r *run, value any, trace []engine.Frame) {
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
func (s *Session) background(r *run, err *Error) {
	if s.opts.Background != nil {
		s.opts.Background(err)
		return
	}
	s.writeOf(r, stderr, []byte(strings.Join(err.Lines(false), "\n")+"\n"))
}
