package interp

import (
	"context"
	"fmt"
	"html"
	"os"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/visualfc/gid"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

const (
	// grace is how long a cell that was told to stop may take to reach a poll before it is left behind.
	grace = 60 * time.Millisecond
	// stackTick is how often the size of all stacks is looked at, and stackLimit how much they may grow in a cell beyond
	// stackEach a goroutine: about 100,000 nested calls. Stacks double, and Go ends the process when one would exceed the
	// maximum, which maxStack raises, so that the watcher wins also on a busy machine (seen: 384 MB at its first look).
	stackTick  = 2 * time.Millisecond
	stackLimit = 48 << 20
	stackEach  = 16 << 10
	stackGrace = 2 * time.Second
	maxStack   = 1536 << 20
	// lateGoroutines is how long a cell with go statements waits for a panic in one of them before it is done.
	lateGoroutines = 5 * time.Millisecond
)

// run is one execution of one cell.
type run struct {
	s    *Session
	ctx  context.Context
	stop context.CancelFunc
	id   atomic.Uint64 // of its goroutine (by gid: runtime.Stack walks the whole stack, which may be deep)
	tag  tag           // of all its goroutines

	quiet bool // the last expression is shown only when the error that it returns is not nil

	dead bool // read by polls; written by setFlag alone
	at   int  // declaring statements that have run; written by the cell

	begin func() (end func()) // see Cell.Begin

	interrupt chan struct{} // closed when everything must stop
	failed    chan *Error   // a failure beside the cell's own goroutine
	done      chan struct{} // closed when the cell's goroutine has ended

	mu        sync.Mutex // guards what follows
	code      Code       // nil when the run is over: variables of compiled programs keep r
	bundles   []display.Bundle
	shown     []any   // the values of bundles
	shownSize int     // of the first
	fail      *Error  // what ended the cell from inside: Exit
	trace     []Frame // where a poll left
	panicked  *Failure
	finished  bool
}

func newRun(s *Session) *run {
	return &run{s: s, tag: s.newTag(), interrupt: make(chan struct{}), failed: make(chan *Error, 8), done: make(chan struct{})}
}

// setFlag writes a flag that interpreted code reads without synchronisation: a poll must cost one load. A bool is written
// whole on every machine Go runs on, and the engine loads it anew each time.
//
//go:norace
func setFlag(p *bool, v bool) { *p = v }

//go:norace
func readInt(p *int) int { return *p }

// execute runs a prepared cell on a goroutine of its own and waits for its end, an interrupt, or a failure.
func (s *Session) execute(ctx context.Context, p *prepared) (display.Bundle, *Error) {
	r := p.run
	r.ctx, r.stop = context.WithCancel(context.WithoutCancel(ctx)) // what a healthy cell leaves behind goes on after ctx
	s.mu.Lock()
	s.current = r
	s.mu.Unlock()
	if s.halting.Load() {
		time.Sleep(time.Until(s.halted.Add(grace))) // all goroutines get time to see the flag
		s.halting.Store(false)
	}
	s.sweep()
	base := stackBytes()
	patience := grace
	r.code = p.code
	go r.main(p.code)

	var fail *Error
	tick := time.NewTicker(stackTick)
	defer tick.Stop()
wait:
	for {
		select {
		case <-r.done:
			break wait
		case fail = <-r.failed:
			r.halt()
			break wait
		case <-ctx.Done():
			r.halt()
			fail = &Error{Kind: Interrupted, Message: "interrupted"}
			break wait
		case <-tick.C:
			if n := stackBytes() - base; n > stackLimit+stackEach*int64(runtime.NumGoroutine()) {
				s.halting.Store(true) // whose stack it is is not known
				r.halt()
				patience = stackGrace // a deep stack takes long to leave
				fail = &Error{Kind: StackLimit, Message: fmt.Sprintf("calls nested too deep: the stack grew to %d MB; is there a recursion without an end?", n>>20)}
				break wait
			}
		}
	}
	if fail == nil && p.goes {
		select {
		case fail = <-r.failed:
			r.halt()
		case <-time.After(lateGoroutines):
		}
	}
	fail = r.outcome(fail, patience)
	if fail == nil {
		r.at = len(p.slots)
	}
	r.mu.Lock()
	r.code = nil
	r.mu.Unlock()
	s.mu.Lock()
	if s.current == r {
		s.current = nil
	}
	s.mu.Unlock()
	s.commit(p, fail != nil)
	if fail != nil {
		return display.Bundle{}, fail
	}
	return join(r.bundles), nil
}

// main is the cell's goroutine.
func (r *run) main(code Code) {
	defer close(r.done)
	defer func() {
		if v := recover(); v != nil { // an engine's own panic: the code's come back from Run
			r.mu.Lock()
			r.panicked = &Failure{Value: v}
			r.mu.Unlock()
		}
	}()
	r.id.Store(gid.Get())
	r.tag.attach()
	end := func() {}
	if r.begin != nil {
		end = r.begin()
	}
	f := code.Run()
	end()
	r.mu.Lock()
	r.panicked, r.finished = f, true
	r.mu.Unlock()
}

// halt makes the cell's polls, sleeps and evaluations end.
func (r *run) halt() {
	setFlag(&r.dead, true)
	r.s.abandon(r.tag)
	r.s.halted = time.Now()
	close(r.interrupt)
	r.stop()
}

// outcome waits for a halted cell as long as patience lasts, and says how the cell ended.
func (r *run) outcome(fail *Error, patience time.Duration) *Error {
	var waits []Frame
	select {
	case <-r.done:
	case <-time.After(patience):
		if fail != nil {
			waits = r.where()
		}
	}
	r.mu.Lock()
	trace, inside, panicked, finished := r.trace, r.fail, r.panicked, r.finished
	r.mu.Unlock()
	switch {
	case fail != nil:
		if fail.Trace == nil {
			fail.Trace = trace
		}
		if fail.Trace == nil {
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

// hooks returns what the engine's code calls.
func (s *Session) hooks() Hooks {
	return Hooks{Leave: s.leave, Exit: s.exit, Sleep: s.sleep, Show: s.show, GoPanic: s.goPanic}
}

func (s *Session) running() *run {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// leave ends the calling goroutine when it belongs to a cell that was halted, by Goexit, as a panic could be recovered by
// the cell.
func (s *Session) leave(trace func() []Frame) {
	if !s.halting.Load() && !s.abandoned(currentLabels()) {
		return // the flag is set for the goroutines of another cell
	}
	if r := s.running(); r != nil {
		r.stopHere(trace)
	}
	runtime.Goexit()
}

// where returns the lines at which the cell is.
func (r *run) where() []Frame {
	r.mu.Lock()
	code := r.code
	r.mu.Unlock()
	if code == nil {
		return nil
	}
	return code.Where()
}

// stopHere ends the calling goroutine, and keeps its trace when it is the cell's own.
func (r *run) stopHere(trace func() []Frame) {
	if r.id.Load() == gid.Get() {
		t := trace()
		r.mu.Lock()
		r.trace = t
		r.mu.Unlock()
	}
	runtime.Goexit()
}

// exit ends the cell where the process would have ended.
func (s *Session) exit(what string, trace func() []Frame) {
	if s.onExit != nil {
		var code int
		if _, err := fmt.Sscanf(what, "os.Exit(%d)", &code); err == nil {
			s.onExit(code)
		}
	}
	if r := s.running(); r != nil {
		err := &Error{Kind: Exit, Message: what + " ended the cell; the session goes on", Trace: trace()}
		switch own := r.id.Load() == gid.Get(); {
		case own:
			r.mu.Lock()
			r.fail = err
			r.mu.Unlock()
		case what != goexit:
			r.report(err)
		}
	}
	runtime.Goexit()
}

const goexit = "runtime.Goexit"

// report hands a failure to the waiting session; when there are many, the first few do.
func (r *run) report(err *Error) {
	select {
	case r.failed <- err:
	default:
	}
}

// sleep is time.Sleep, but for interrupts.
func (s *Session) sleep(d time.Duration) {
	r := s.running()
	if r == nil {
		time.Sleep(d)
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.interrupt:
		if s.abandoned(currentLabels()) {
			r.stopHere(r.where)
		}
		<-t.C
	}
}

// show displays the values of the last expression, on the cell's goroutine: a lazy array is evaluated here.
func (s *Session) show(values []any) {
	r := s.running()
	if r == nil || r.quiet && values[len(values)-1] == nil {
		return
	}
	var out []display.Bundle
	for _, v := range values {
		b, err := display.Of(v)
		if err != nil {
			panic(err)
		}
		out = append(out, b)
	}
	size := sizeOf(values[0])
	r.mu.Lock()
	r.bundles, r.shown, r.shownSize = out, values, size
	r.mu.Unlock()
}

// goPanic takes the panic of a goroutine that a cell started.
func (s *Session) goPanic(value any, trace []Frame) {
	err := s.panicError(value, trace)
	err.Message += " [in a goroutine]"
	if r := s.running(); r != nil {
		r.report(err)
		return
	}
	if s.opts.Background != nil {
		s.opts.Background(err)
		return
	}
	fmt.Fprintln(os.Stderr, strings.Join(err.Lines(false), "\n"))
}

// join makes one bundle of several results: their texts with blanks between, as fmt.Println prints them, and HTML when
// one of them has a richer form.
func join(bs []display.Bundle) display.Bundle {
	if len(bs) < 2 {
		if len(bs) == 0 {
			return display.Bundle{}
		}
		return bs[0]
	}
	var text, rich []string
	any := false
	for _, b := range bs {
		text = append(text, b.Text())
		h, ok := b.Data[display.TypeHTML].(string)
		any = any || ok
		if !ok {
			h = "<pre>" + html.EscapeString(b.Text()) + "</pre>"
		}
		rich = append(rich, h)
	}
	out := display.Text(strings.Join(text, " "))
	if any {
		out.Data[display.TypeHTML] = strings.Join(rich, "\n")
	}
	return out
}

// stackBytes is the memory of all goroutines' stacks. Reading it takes about a microsecond and stops nothing.
func stackBytes() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
