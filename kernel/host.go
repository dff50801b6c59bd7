package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"

	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/kernel/widgets"
)

// host is the session's side of the link: it runs cells for the kernel that started this process, and sends back what
// they show.
type host struct {
	link    *link
	session Session
	streams *streams
	asker   *asker

	order sync.Mutex // frames go in the order of their moments
	idle  chan call  // to a goroutine that has run a cell and waits for the next

	mu      sync.Mutex
	cells   []*hosted               // that run, in the order of their start
	calls   map[uint64]*hosted      // the same, by the number of the call
	reading *hosted                 // the one whose reads of os.Stdin are answered
	asked   map[uint64]chan<- frame // questions that wait for their answer
	count   uint64                  // of questions
	names   []string                // as the kernel knows them
}

// hosted is one run of cell code: a cell, or what a message to a widget calls. It stays as long as a goroutine of it.
type hosted struct {
	h        *host
	id       uint64
	parent   string // id of the client's message
	ctx      context.Context
	cancel   context.CancelCauseFunc
	endInput func()
}

// call is a run with what asked for it.
type call struct {
	c *hosted
	f frame
}

// ServeSession is the program of the process that [Serve] starts: it makes a session and serves it until the kernel is
// gone. It does not return then, whatever still runs; an error means that it could not begin.
func ServeSession(open func() (Session, error)) error {
	files, err := inherited(3)
	if err != nil {
		return err
	}
	debug.SetCrashOutput(files[2], debug.CrashOptions{})
	h := &host{link: newLink(files[0], files[1]), idle: make(chan call), calls: map[uint64]*hosted{}, asked: map[uint64]chan<- frame{}}
	hello, err := h.link.receive()
	if err != nil {
		return fmt.Errorf("kernel: the link to the kernel: %w", err)
	}
	if err := keepStreams(); err != nil {
		return fmt.Errorf("kernel: the standard streams: %w", err)
	}
	h.streams = &streams{prefix: hello.Mark}
	// Ctrl-C comes through the kernel, whose end the link tells: on Unix a process that was stopped then gets SIGHUP.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt, syscall.SIGHUP)
	if h.asker, err = newAsker(); err != nil {
		return err
	}
	display.SetPublisher(h)
	widgets.SetSender(h)
	if h.session, err = open(); err != nil {
		return err
	}
	if r, ok := h.session.(Redirector); ok {
		r.Redirect(func(ctx context.Context, stream string, text []byte) error {
			return h.streams.write(hostedIn(ctx).number(), stream, text)
		})
	}
	h.link.send(frame{Op: opReady})
	for {
		f, err := h.link.receive()
		if err != nil {
			endFamily()
			os.Exit(0) // the kernel is gone
		}
		h.take(f)
	}
}

// take answers a frame, on a goroutine of its own where that can take long.
func (h *host) take(f frame) {
	switch f.Op {
	case opExecute, opComm:
		next := call{h.begin(f), f}
		select {
		case h.idle <- next:
		default:
			go h.runner(next)
		}
	case opInterrupt:
		go h.link.send(frame{Op: opHeard, ID: f.ID})
		h.mu.Lock()
		c := h.calls[f.ID]
		h.mu.Unlock()
		if c != nil {
			c.cancel(nil)
		}
	case opAnswer:
		h.mu.Lock()
		to := h.asked[f.Number]
		delete(h.asked, f.Number)
		h.mu.Unlock()
		if to != nil {
			to <- f
		}
	default:
		go h.question(f)
	}
}

// question answers what needs no cell to run.
func (h *host) question(f frame) {
	out := frame{Op: opDone, ID: f.ID}
	defer func() {
		if p := recover(); p != nil {
			out = frame{Op: opDone, ID: f.ID, Fail: internalError(p)}
		}
		h.link.send(out)
	}()
	switch f.Op {
	case opComplete:
		c := h.session.Complete(f.Code, f.Cursor)
		out.Places = &c
	case opInspect:
		b, ok := h.session.Inspect(f.Code, f.Cursor, f.Detail)
		out.Flag = ok
		if err := out.setBundle(b); err != nil {
			out.Fail = failed(err)
		}
	case opIsComplete:
		c := h.session.IsComplete(f.Code)
		out.Whole = &c
	case opExplore:
		if e, ok := h.session.(Explorer); ok {
			var err error
			if out.Vars, err = e.Explore(f.Names); err != nil {
				out.Fail = failed(err)
			}
		}
	case opComms:
		out.Body, _ = json.Marshal(widgets.List(f.Target)) // strings
	}
}

// begin makes the run that f asks for. It can be interrupted from here on.
func (h *host) begin(f frame) *hosted {
	c := &hosted{h: h, id: f.ID, parent: f.Parent}
	ctx, cancel := context.WithCancelCause(context.WithValue(context.Background(), hostedKey{}, c))
	c.ctx, c.cancel = ctx, cancel
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cells = append(h.cells, c)
	h.calls[c.id] = c
	h.streams.own(c.id, f.Flag)
	h.read()
	return c
}

// end forgets a run: what is written without a known writer belongs to the one that began last.
func (h *host) end(c *hosted) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cells = slices.DeleteFunc(h.cells, func(o *hosted) bool { return o == c })
	delete(h.calls, c.id)
	if n := len(h.cells); n > 0 {
		h.streams.own(h.cells[n-1].id, true)
	} else {
		h.streams.own(0, false)
	}
	if h.reading == c {
		c.endInput()
		h.reading = nil
	}
	h.read()
	// Its goroutines may go on. When the last one has ended, nobody refers to the run any more.
	id, link := c.id, h.link
	runtime.AddCleanup(c, func(id uint64) { link.send(frame{Op: opForget, ID: id}) }, id)
}

// read lets a running cell read os.Stdin. The caller holds mu.
func (h *host) read() {
	if n := len(h.cells); h.reading == nil && n > 0 {
		c := h.cells[n-1]
		h.reading, c.endInput = c, h.asker.beginCell(c.ctx, c.readsInput, h.leftReading)
	}
}

// runner runs cells, one after the other, for good: its stack has grown to what checking a cell takes, and is kept.
func (h *host) runner(next call) {
	for {
		h.run(next.c, next.f)
		next = call{} // nobody refers to the run any more
		next = <-h.idle
	}
}

// run runs what f asks for and answers.
func (h *host) run(c *hosted, f frame) {
	out := frame{Op: opDone, ID: f.ID}
	var b display.Bundle
	var err error
	if f.Op == opExecute {
		b, err = Execute(c.ctx, h.session, f.Cell, c)
	} else {
		err = h.comm(c, f)
	}
	c.cancel(nil)
	h.end(c)
	if err == nil {
		err = out.setBundle(b)
	}
	if err != nil {
		out = frame{Op: opDone, ID: f.ID, Fail: failed(err)}
	}
	if pipesDrain { // all that was printed is there to be read
		h.link.send(out)
	} else {
		h.sendHere(out)
	}
	h.tellNames()
}

// failed is err as it crosses the link.
func failed(err error) *CellError {
	var c *CellError
	if !errors.As(err, &c) {
		c = &CellError{Name: "SessionError", Value: err.Error()}
	}
	return c
}

// comm hands a client's message to a widget.
func (h *host) comm(c *hosted, f frame) error {
	data := decodeObject(f.Body)
	deliver := func() {
		switch f.Kind {
		case "comm_open":
			if !widgets.Opened(f.Name, f.Target, data) { // as the protocol asks
				c.SendComm("comm_close", object{"comm_id": f.Name, "data": object{}}, nil)
			}
		case "comm_msg":
			widgets.Received(f.Name, data)
		case "comm_close":
			widgets.Closed(f.Name)
		}
	}
	call, ok := h.session.(Caller)
	if _, open := widgets.List("")[f.Name]; !ok || !open {
		deliver()
		return nil
	}
	return call.Call(c.ctx, deliver)
}

// tellNames tells the kernel which variables there are, when that has changed: it names those that a crash takes away.
func (h *host) tellNames() {
	n, ok := h.session.(Namer)
	if !ok {
		return
	}
	names := n.Variables()
	slices.Sort(names)
	h.mu.Lock()
	defer h.mu.Unlock()
	if !slices.Equal(names, h.names) {
		h.names = names
		h.link.send(frame{Op: opNames, Names: names})
	}
}

// hostedKey is where a run's context has the run.
type hostedKey struct{}

func hostedIn(ctx context.Context) *hosted {
	c, _ := ctx.Value(hostedKey{}).(*hosted)
	return c
}

// number is the number of the call, 0 for none.
func (c *hosted) number() uint64 {
	if c == nil {
		return 0
	}
	return c.id
}

// caller is the run that the calling goroutine belongs to, also one that has ended; the latest when that is not known,
// and nil before the first.
func (h *host) caller() *hosted {
	if s, ok := h.session.(Contexter); ok {
		if c := hostedIn(s.Context()); c != nil {
			return c
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if n := len(h.cells); n > 0 {
		return h.cells[n-1]
	}
	return nil
}

// sendHere sends a frame that has its place in what is printed.
func (h *host) sendHere(f frame) {
	h.order.Lock()
	defer h.order.Unlock()
	f.Moment = h.streams.here()
	h.link.send(f)
}

// publish sends a message for the clients.
func (c *hosted) publish(f frame, b display.Bundle) {
	f.Op, f.ID = opPublish, c.id
	if err := f.setBundle(b); err != nil {
		c.Stream(stderrName, err.Error()+"\n")
		return
	}
	c.h.sendHere(f)
}

// Display, Stream and Input make a run the Output of its cell.
func (c *hosted) Display(b display.Bundle) { c.publish(frame{Kind: "display_data"}, b) }

func (c *hosted) Stream(name, text string) { c.h.streams.write(c.id, name, []byte(text)) }

func (c *hosted) Input(prompt string, password bool) (string, error) {
	return c.ask(c.ctx, prompt, password)
}

// ask asks the client until ctx ends.
func (c *hosted) ask(ctx context.Context, prompt string, password bool) (string, error) {
	h, answer := c.h, make(chan frame, 1)
	h.mu.Lock()
	h.count++
	n := h.count
	h.asked[n] = answer
	h.mu.Unlock()
	h.sendHere(frame{Op: opAsk, ID: c.id, Number: n, Text: prompt, Flag: password})
	select {
	case f := <-answer:
		if f.Fail != nil {
			return "", errors.New(f.Fail.Value)
		}
		return f.Text, nil
	case <-ctx.Done():
		h.mu.Lock()
		delete(h.asked, n)
		h.mu.Unlock()
		return "", fmt.Errorf("waiting for input: %w", ctx.Err())
	}
}

// readsInput answers a read of os.Stdin by the cell. A cell that cannot be answered fails: a program seldom looks at
// the errors of its input, and would go on with none.
func (c *hosted) readsInput(ctx context.Context) (line string, ok bool) {
	line, err := c.ask(ctx, "", false)
	if err != nil && ctx.Err() == nil {
		c.cancel(&CellError{Name: "NoInput", Value: err.Error()})
	}
	return line, err == nil
}

// leftReading reports whether those who wait for input are goroutines of cells that have ended, as far as the session
// knows.
func (h *host) leftReading() bool {
	s, ok := h.session.(Reader)
	if !ok {
		return false
	}
	cells := s.Reading()
	for _, ctx := range cells {
		if c := hostedIn(ctx); c == nil || c.ctx.Err() == nil {
			return false
		}
	}
	return len(cells) > 0
}

// SendComm sends a comm message on behalf of the run.
func (c *hosted) SendComm(msgType string, content, metadata map[string]any) {
	body, err := json.Marshal(content)
	meta, merr := json.Marshal(orEmpty(metadata))
	if err = errors.Join(err, merr); err != nil {
		c.Stream(stderrName, "widgets: "+err.Error()+"\n")
		return
	}
	c.h.sendHere(frame{Op: opPublish, ID: c.id, Kind: msgType, Body: body, Meta: meta})
}

// Publish makes the host the display.Rewriter, the display.Asker and the widgets.Sender of the process: what is shown
// belongs to the run of the goroutine that shows it.
func (h *host) Publish(b display.Bundle) {
	if c := h.caller(); c != nil {
		c.Display(b)
	}
}

// PublishAs shows b under an id.
func (h *host) PublishAs(id string, b display.Bundle) {
	if c := h.caller(); c != nil {
		c.publish(frame{Kind: "display_data", Name: id}, b)
	}
}

// Replace puts b in the place of what is shown under id.
func (h *host) Replace(id string, b display.Bundle) {
	if c := h.caller(); c != nil {
		c.publish(frame{Kind: "update_display_data", Name: id}, b)
	}
}

// Clear empties the cell's output.
func (h *host) Clear(wait bool) {
	if c := h.caller(); c != nil {
		c.publish(frame{Kind: "clear_output", Flag: wait}, display.Bundle{})
	}
}

// Input asks the person in front of the cell.
func (h *host) Input(prompt string, password bool) (string, error) {
	if c := h.caller(); c != nil {
		return c.Input(prompt, password)
	}
	return "", display.ErrNoInput
}

// SendComm sends a comm message.
func (h *host) SendComm(msgType string, content, metadata map[string]any) {
	if c := h.caller(); c != nil {
		c.SendComm(msgType, content, metadata)
	}
}

// ParentID is the id of the client's message that is being answered.
func (h *host) ParentID() string {
	if c := h.caller(); c != nil {
		return c.parent
	}
	return ""
}
