package gpu

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/golabel"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Stream is a queue of copies and launches on one device. They run in their order, beside those of other streams, and
// the calls return at once. Launches of arrays need none; this is for those who want to overlap copies and kernels by
// themselves:
//
//	s := gpu.NewStream()
//	x := gpu.NewBuffer(np.Float32, n)
//	s.CopyIn(x, host)
//	start := s.Record()
//	s.Launch(saxpy, gpu.Blocks(n, 256), 256, 2, x, x)
//	stop := s.Record()
//	s.CopyOut(host, x)
//	s.Sync()
//	stop.Elapsed(start)
//
// After Sync, charts show what the streams of the device, and of others with the same clock, as the GPUs of one
// simulated machine, have done since the Sync before: viz.Timeline(). When two streams use one buffer, the second must
// Wait for the event of the first: streams tell when that is missing, see [CheckStreams].
type Stream struct {
	dev device.Device
	q   device.Stream
	log *streamLog

	mu      sync.Mutex
	lane    *lane
	known   waited // of other streams, what the next operation comes after
	begin   *Event // what Record returns before there is any operation
	last    *Event
	after   []int // IDs of events of other streams that the next operation waits for
	kernels map[[32]byte]device.Kernel

	priority int
	captured *capture       // what the stream is captured into, or nil
	ahead    []usedVariable // that launches since the last Sync may have written to
}

// StreamOption changes a stream that NewStream makes.
type StreamOption struct{ priority int }

// Priority lets blocks of the stream's kernels go before those of streams with a higher number, where both could begin;
// other streams have 0. A card has some numbers below 0 and takes those beyond for its last. On a simulated GPU
// priorities count among the operations of a graph; else what was queued first goes first.
//
// For example:
//
//	urgent := gpu.NewStream(gpu.Priority(-1))
func Priority(n int) StreamOption { return StreamOption{n} }

// NewStream makes a stream on the device that np.Use has chosen.
//
// For example:
//
//	copies, work := gpu.NewStream(), gpu.NewStream()
//	there := gpu.NewBuffer(np.Float32, 1000)
//	work.Wait(copies.CopyIn(there, gpu.Pinned(np.Float32, 1000)))
//	work.Launch(kernel, 4, 256, there)
//	work.Sync()
func NewStream(options ...StreamOption) *Stream { return streamOn(lazy.Runtime().Device(), options...) }

// streamOn makes a stream on a device.
func streamOn(d device.Device, options ...StreamOption) *Stream {
	priority := 0
	for _, o := range options {
		priority = o.priority
	}
	q, err := d.NewStream(priority)
	if err != nil {
		panic(&Error{Err: err})
	}
	return &Stream{dev: d, q: q, log: logOf(d), lane: new(lane), begin: &Event{first: make(chan *Event, 1)}, kernels: map[[32]byte]device.Kernel{}, priority: priority}
}

// CopyIn copies the elements of a slice, an array or a [HostBuffer] to the beginning of a buffer. Copies of pinned
// memory go on beside kernels of other streams, others do not; pinned memory must stay as it is until the event is
// done, of other memory the call takes a copy. It panics with *Error when they do not fit.
func (s *Stream) CopyIn(dst *Buffer, src any) *Event {
	switch a := src.(type) {
	case *lazy.Array:
		src = a.Array()
	}
	var bytes []byte
	var err error
	of := []operand{{buf: dst, writes: true}}
	if h, ok := src.(*HostBuffer); ok {
		if bytes, err = dst.fits(h); err == nil {
			of = append(of, operand{host: h.memory()})
		}
	} else if a, ok := src.(*arrays.Array); ok {
		switch {
		case a.DType() != dst.dtype:
			err = fmt.Errorf("the array has elements of %v, the buffer of %v: AsType converts it", a.DType(), dst.dtype)
		case a.Size() > dst.n:
			err = fmt.Errorf("the array has %d elements, the buffer %d", a.Size(), dst.n)
		default:
			bytes = a.Copy().Bytes()
		}
	} else if bytes, err = dst.hostBytes(src); err == nil {
		used("CopyIn", "reads it when it is called, as it is not pinned", "", dst.slice(bytes), false)
		bytes = slices.Clone(bytes) // the cell may change it before the copy runs
	}
	buf, err := s.check("copy in", dst, err)
	if err != nil {
		panic(&Error{Err: err})
	}
	return s.push(device.Node{Kind: trace.CopyIn, Name: "CopyIn", Dst: buf, Memory: bytes}, of...)
}

// CopyOut copies the first elements of a buffer to a slice or a [HostBuffer], as many as that has. They are there when
// the event, or the stream, has been waited for. It panics with *Error when the slice has other elements than the
// buffer, or more.
func (s *Stream) CopyOut(dst any, src *Buffer) *Event {
	var host hostMemory
	var err error
	if h, ok := dst.(*HostBuffer); ok {
		if _, err = src.fits(h); err == nil {
			host = h.memory()
		}
	} else {
		var bytes []byte
		bytes, err = src.hostBytes(dst)
		host = src.slice(bytes)
	}
	buf, err := s.check("copy out", src, err)
	if err != nil {
		panic(&Error{Err: err})
	}
	return s.push(device.Node{Kind: trace.CopyOut, Name: "CopyOut", Src: buf, Memory: host.bytes}, operand{buf: src}, operand{host: host, writes: true})
}

// Copy copies the elements of src to dst, a buffer with as many elements or more. One of the two is on the stream's
// device, the other there too or on another GPU of the same machine: np.Use("sim:v100x8#3") makes buffers on number 3
// of eight. Such a copy goes over the link between the two. It begins without regard to what streams of the other
// device have queued: Sync them before, or Wait for their events.
func (s *Stream) Copy(dst, src *Buffer) *Event {
	var err error
	if dst.dtype != src.dtype || dst.n < src.n {
		err = fmt.Errorf("%v does not fit into %v", src, dst)
	}
	if err == nil && dst.dev != s.dev && src.dev != s.dev {
		err = fmt.Errorf("copy: the buffers are on %s and %s, the stream on %s", src.dev.ID(), dst.dev.ID(), s.dev.ID())
	}
	var to, from device.Buffer
	if err == nil {
		to, err = dst.live()
	}
	if err == nil {
		from, err = src.live()
	}
	if err != nil {
		panic(&Error{Err: err})
	}
	n := device.Node{Kind: trace.CopyPeer, Name: "Copy", Dst: to, Src: from, Bytes: src.n * src.dtype.Size()}
	return s.push(n, operand{buf: dst, writes: true}, operand{buf: src})
}

func (s *Stream) check(what string, b *Buffer, err error) (device.Buffer, error) {
	if err == nil && b.dev != s.dev {
		err = fmt.Errorf("the buffer is on %s, the stream on %s", b.dev.ID(), s.dev.ID())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return b.live()
}

// Launch queues a launch of kernel, as [Launch] takes it, but with buffers in the place of slices and arrays. It panics
// with *Error when the kernel cannot be compiled or the arguments do not fit. An error of the run itself is that of
// Sync, and of the event.
func (s *Stream) Launch(kernel any, grid, block any, args ...any) *Event {
	l, err := newLaunch(kernel, grid, block, args)
	if err != nil {
		panic(err)
	}
	n, of, err := s.prepare(l)
	if err != nil {
		panic(&Error{l.f.name(), err})
	}
	e := s.push(n, of...)
	if e.graph != nil {
		e.graph.nodes[e.id].launch = l
	}
	s.uses(l.used, "the launch of "+l.f.name(), e)
	return e
}

// Host has f called on the host when all is done that the stream has been given so far; what it is given later begins
// when f has returned. f must not use streams: nothing would end if it waited for the one that waits for it. It is
// CUDA's cudaLaunchHostFunc. When f panics, that is the error of the event, and of Sync.
//
// For example:
//
//	s.CopyOut(result, x)
//	s.Host(func() { done <- result[0] })
func (s *Stream) Host(f func()) *Event {
	if f == nil {
		panic(&Error{Err: errors.New("the function for the host is nil")})
	}
	return s.push(device.Node{Kind: trace.Host, Name: "Host", Call: func() error { return called(f) }})
}

// called calls f and returns what it panics with.
func called(f func()) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("the function that the stream has called on the host: %v", x)
		}
	}()
	golabel.During(f)
	return nil
}

// inCallback panics where a function that a stream calls would use one.
func inCallback(what string) {
	if golabel.Within() {
		panic(&Error{Err: fmt.Errorf("%s: a function that a stream or an evaluation calls must not use streams, which may wait for it", what)})
	}
}

// prepare loads the launch's kernel, packs its parameters, and says which buffers they are.
func (s *Stream) prepare(l *launch) (device.Node, []operand, error) {
	fail := func(format string, args ...any) (device.Node, []operand, error) {
		return device.Node{}, nil, fmt.Errorf("kernel %s"+format, append([]any{l.f.name()}, args...)...)
	}
	if l.option.on != nil {
		return fail(": gpu.On does not go with a stream, which has its device: %s", s.dev.ID())
	}
	for i, a := range l.args {
		if b, ok := a.(*Buffer); ok && b != nil && b.dev != s.dev {
			return fail(", argument %d: %v cannot be used on %s", i+1, b, s.dev.ID())
		}
	}
	l.stream = s
	c, err := l.call()
	if err != nil {
		return device.Node{}, nil, err
	}
	params := make([]byte, c.Func.ParamBytes())
	var of []operand
	for i, a := range c.Args {
		p := c.Func.Params[i]
		if a.Array != nil || a.Bytes != nil {
			return fail(", parameter %s: on a stream, give it a buffer: gpu.NewBuffer, and CopyIn", p.Name)
		}
		if b, ok := a.Memory.(*Buffer); ok {
			of = append(of, operand{buf: b, writes: a.Writes, part: true})
		}
		word := binary.LittleEndian.AppendUint64(nil, a.Bits)
		if a.Raw != nil {
			word = a.Raw
		}
		copy(params[p.Offset:p.Offset+p.Bytes()], word)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := c.Func.Hash()
	k := s.kernels[h]
	if k == nil {
		if k, err = s.dev.Load(c.Func); err != nil {
			return device.Node{}, nil, err
		}
		s.kernels[h] = k
	}
	if old, ok := k.(device.Limited); ok && !c.Anyway {
		if err := old.Lacks(); err != nil {
			return device.Node{}, nil, err
		}
	}
	n := device.Node{Kind: trace.Kernel, Name: "the launch of " + l.f.name(), Kernel: k, Grid: l.grid, Block: l.block, Shared: l.option.shared, Params: params}
	return n, of, nil
}

// push queues an operation on buffers, or adds it to the graph that the stream is captured into.
func (s *Stream) push(n device.Node, of ...operand) *Event {
	inCallback(n.Name)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.captured != nil {
		return s.captured.add(s, n, of)
	}
	e := &Event{ev: n.On(s.q), moment: s.queued(n.Name, of)}
	s.logged(e)
	return e
}

// logged notes an operation that has been queued. The caller holds mu.
func (s *Stream) logged(e *Event) {
	after, parts := s.after, 1
	if s.last != nil {
		after = append(after, s.last.id)
	} else {
		s.begin.first <- e
	}
	if t, ok := e.ev.(*together); ok {
		parts = len(t.all)
	}
	e.id = s.log.add(e, after, parts)
	s.last, s.after = e, nil
}

// Record returns an event that is done when all that has been queued so far is.
func (s *Stream) Record() *Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.captured != nil {
		return s.captured.record(s)
	}
	if s.last == nil {
		return s.begin
	}
	return s.last
}

// Wait lets what is queued from now on begin after e, an event of another stream of the device.
func (s *Stream) Wait(e *Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.captured != nil || e.graph != nil {
		s.waitCaptured(e)
		return
	}
	if e.ev == nil {
		return
	}
	s.q.Wait(e.ev)
	s.after = append(s.after, e.id)
	if e.moment.of != s.lane {
		hazards.Lock()
		defer hazards.Unlock()
		s.known = s.known.with(e.moment)
	}
}

// Sync waits until all that has been queued is done, and makes it the trace that charts show. It panics with the first
// error of an operation since the Sync before; what was queued behind that has not run.
func (s *Stream) Sync() {
	inCallback("Sync")
	s.mu.Lock()
	last, captured := s.last, s.captured
	s.mu.Unlock()
	if captured != nil {
		panic(captured.nothingToWaitFor("Sync", captured.last[s]))
	}
	ctx := lazy.Runtime().CellContext()
	err := s.q.Sync(ctx)
	s.log.publish()
	if last != nil && ctx.Err() == nil {
		last.moment.done()
	}
	if ctx.Err() == nil { // the program gets what kernels have written to its variables
		s.settle()
	}
	if err != nil {
		panic(err)
	}
}

// Event is the end of an operation of a stream.
type Event struct {
	ev     device.Event // nil for the beginning of a stream
	id     int
	moment moment

	graph *capture    // what the operation was captured into, as node number id
	first chan *Event // of the beginning of a stream: gets the first operation
}

// Wait waits until the operation is done, and panics with its error.
func (e *Event) Wait() {
	if err := e.wait(); err != nil {
		panic(err)
	}
}

func (e *Event) wait() error {
	inCallback("Wait")
	if e.graph != nil {
		panic(e.graph.nothingToWaitFor("Wait", e.id))
	}
	if e.ev == nil {
		return nil
	}
	ctx := lazy.Runtime().CellContext()
	err := e.ev.Wait(ctx)
	if ctx.Err() == nil {
		e.moment.done()
	}
	return err
}

// Time waits and returns how long the operation took by the device's clock: modelled on a simulated GPU.
func (e *Event) Time() trace.Time {
	if e.Wait(); e.ev == nil {
		return 0
	}
	t := e.ev.Trace()
	return t.Duration()
}

// Elapsed waits and returns the time by the device's clock from the end of start's operation to that of e's.
func (e *Event) Elapsed(start *Event) trace.Time {
	return e.at() - start.at()
}

func (e *Event) at() trace.Time {
	if e.graph != nil {
		e.Wait()
	}
	if e.ev == nil { // when the stream's first operation began
		select {
		case first := <-e.first:
			e.first <- first
			first.Wait()
			return first.ev.Trace().Start
		default:
			panic(&Error{Err: errors.New("the stream has done nothing yet: there is no time that its beginning could have")})
		}
	}
	e.Wait()
	return e.ev.Trace().End
}

// streamLog is what the streams of one device, or of the GPUs of one simulated machine, have been given since a Sync
// found all of it done.
type streamLog struct {
	mu     sync.Mutex
	next   int
	events []logged
	stale  bool // all of it has been published
}

type logged struct {
	e     *Event
	after []int
}

var streamLogs = struct {
	sync.Mutex
	of map[any]*streamLog // by clock
}{of: map[any]*streamLog{}}

func logOf(d device.Device) *streamLog {
	streamLogs.Lock()
	defer streamLogs.Unlock()
	c := device.ClockOf(d)
	if streamLogs.of[c] == nil {
		streamLogs.of[c] = new(streamLog)
	}
	return streamLogs.of[c]
}

// add notes e, which has so many parts: they have numbers up to the one that is returned.
func (l *streamLog) add(e *Event, after []int, parts int) (id int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stale {
		l.events, l.stale = nil, false
	}
	l.next += parts
	l.events = append(l.events, logged{e, after})
	return l.next
}

// publish makes the events that are done the last trace, from time 0 on.
func (l *streamLog) publish() {
	l.mu.Lock()
	defer l.mu.Unlock()
	var done []trace.Event
	tasks := graphTasks{first: map[*capture]int{}}
	l.stale = true
	for _, x := range l.events {
		if !x.e.ev.Done() {
			l.stale = false
			continue
		}
		if x.e.ev.Wait(context.Background()) != nil {
			continue
		}
		if t, ok := x.e.ev.(*together); ok && len(t.all) == len(t.graph.nodes) {
			done = append(done, t.parts(&x, &tasks)...)
			continue
		}
		t := x.e.ev.Trace()
		t.ID, t.After = x.e.id, x.after
		done = append(done, t)
	}
	if len(done) == 0 {
		return
	}
	first := slices.MinFunc(done, func(a, b trace.Event) int { return int(a.Start - b.Start) }).Start
	var log trace.Log
	for _, t := range done {
		t.Start, t.End = t.Start-first, t.End-first
		log.Add(t)
	}
	if tasks.graph.Tasks != nil {
		log.SetGraph(&tasks.graph)
	}
	trace.SetLast(&log)
}
