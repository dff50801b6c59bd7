//go:build !nocuda

package cudabackend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// remoteStream is a stream in a worker.
type remoteStream struct {
	gpu *remote
	in  *worker
	id  int

	queue[*remoteEvent]

	hurried atomic.Bool // somebody watches for the end of what was interrupted
}

// NewStream makes a stream; see GPU.NewStream.
func (g *remote) NewStream(priority int) (device.Stream, error) {
	return g.newStream(&request{Op: opStream, Priority: priority})
}

// copyStream makes a stream for copies that kernels wait for; see GPU.copyStream.
func (g *remote) copyStream() (device.Stream, error) {
	return g.newStream(&request{Op: opStream, Apart: true})
}

func (g *remote) newStream(ask *request) (device.Stream, error) {
	w, r, err := g.call(ask)
	if err != nil {
		return nil, err
	}
	return &remoteStream{gpu: g, in: w, id: r.ID}, nil
}

// remoteEvent is the end of one operation, which may go in parts.
type remoteEvent struct {
	stream *remoteStream
	age    int
	last   int // the number of the last part's request
	done   chan struct{}

	mu     sync.Mutex
	parts  int // that are not over
	err    error
	record trace.Event

	service *service // of a launch whose kernel reads files
}

// part notes the end of a part.
func (e *remoteEvent) part(r *reply, f *kir.Func) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := r.Err.err(f); err != nil && e.err == nil && e.service != nil {
		e.err = err
	} else if err != nil && e.err == nil {
		var l *Lost
		if errors.As(err, &l) {
			err = fmt.Errorf("%s: %w", e.stream.gpu.ID(), l)
		}
		e.err = err
		e.stream.errors.fail(e.age, err)
	}
	if r.Event.Name != "" {
		now := e.stream.gpu.dated(r.Event)
		if e.record.Stream = now.Stream; e.record.End == 0 {
			e.record.Start, e.record.InUse, e.record.Memory, e.record.Stats = now.Start, now.InUse, now.Memory, now.Stats
		}
		e.record.End = max(e.record.End, now.End)
	}
	if e.parts--; e.parts == 0 && e.service != nil {
		e.service.ended.Store(true)
	} else if e.parts == 0 {
		close(e.done)
	}
}

// kernelOver reports whether the kernel of a launch that is served has ended.
func (e *remoteEvent) kernelOver() bool { return e.service.ended.Load() }

// settle ends a launch whose service is over.
func (e *remoteEvent) settle() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err = e.service.explain(e.err); e.err != nil {
		var l *Lost
		if errors.As(e.err, &l) {
			e.err = fmt.Errorf("%s: %w", e.stream.gpu.ID(), l)
		}
		e.stream.errors.fail(e.age, e.err)
	}
	close(e.done)
}

// Wait blocks until the operation is done and returns its error.
func (e *remoteEvent) Wait(ctx context.Context) error {
	select {
	case <-e.done:
		return e.err
	default:
	}
	select {
	case <-e.done:
		return e.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Done reports whether it is done.
func (e *remoteEvent) Done() bool {
	select {
	case <-e.done:
		return true
	default:
		return false
	}
}

func (e *remoteEvent) isOver() bool { return e.Done() }

// Trace returns the record of the operation.
func (e *remoteEvent) Trace() trace.Event {
	<-e.done
	return e.record
}

// submit queues an operation of so many parts, each of which send sends. Whoever queues more than depth waits.
func (s *remoteStream) submit(name string, kind trace.Kind, bytes, parts int, err error, send func(e *remoteEvent)) *remoteEvent {
	e := &remoteEvent{stream: s, age: s.errors.round(), parts: parts, done: make(chan struct{})}
	e.record = trace.Event{Name: name, Kind: kind, Device: s.gpu.ID(), Bytes: int64(bytes)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil && s.closed {
		err = errors.New("the stream is closed")
	}
	if err != nil {
		e.parts, e.err = 0, fmt.Errorf("%s: %w", s.gpu.ID(), err)
		s.errors.fail(e.age, e.err)
		close(e.done)
		return e
	}
	for len(s.pending) >= depth {
		select {
		case <-s.pending[0].done:
		case <-s.gpu.interrupted():
			s.hurry(s.pending[len(s.pending)-1])
			<-s.pending[0].done
		}
		s.pending = s.pending[1:]
	}
	send(e)
	s.add(e)
	return e
}

// send sends one part of e.
func (s *remoteStream) send(e *remoteEvent, r *request, then func(*reply)) {
	r.Device, r.Stream = s.gpu.ordinal, s.id
	e.last = s.in.send(r, "", then)
}

// at returns the address of n bytes of b from off on.
func (s *remoteStream) at(b device.Buffer, off, n int) (uint64, error) {
	buf, ok := b.(*remoteBuffer)
	if !ok || buf.gpu != s.gpu {
		return 0, errors.New("the buffer belongs to another device")
	}
	return s.live(buf, off, n)
}

// live is buf.piece for a buffer of this stream's worker.
func (s *remoteStream) live(buf *remoteBuffer, off, n int) (uint64, error) {
	if buf.in != s.in {
		for _, w := range []*worker{buf.in, s.in} {
			w.mu.Lock()
			l := w.lost
			w.mu.Unlock()
			if l != nil {
				return 0, l
			}
		}
	}
	return buf.piece(off, n)
}

// CopyIn copies src to dst from byte off on: what is small in the message, what the worker shares from where it is, all
// else by way of memory that it shares.
func (s *remoteStream) CopyIn(dst device.Buffer, off int, src []byte) device.Event {
	to, err := s.at(dst, off, len(src))
	return s.copy("copy in", trace.CopyIn, src, err, func(e *remoteEvent, r *request, at int, b []byte) {
		r.Op, r.Address, r.Bytes = opCopyIn, to+uint64(at), len(b)
		if r.Offset < 0 {
			r.Data = slices.Clone(b)
		}
	}, nil)
}

// CopyOut copies from byte off of src on to dst.
func (s *remoteStream) CopyOut(dst []byte, src device.Buffer, off int) device.Event {
	from, err := s.at(src, off, len(dst))
	return s.copy("copy out", trace.CopyOut, dst, err, func(e *remoteEvent, r *request, at int, b []byte) {
		r.Op, r.Address, r.Bytes = opCopyOut, from+uint64(at), len(b)
	}, func(b, slab []byte, r *reply) {
		if r.Err != nil {
			return
		}
		if slab == nil {
			slab = r.Data
		}
		copy(b, slab)
	})
}

// copy copies host in parts: ask completes the request for the part b that begins at byte at, and got, where there is
// one, gets what came into a slab, or into the reply.
func (s *remoteStream) copy(name string, kind trace.Kind, host []byte, err error, ask func(e *remoteEvent, r *request, at int, b []byte), got func(b, slab []byte, r *reply)) device.Event {
	f := s.gpu.fleet
	offset, shared := f.offset(host)
	size := slabBytes
	if shared || len(host) <= inlineBytes {
		size = max(len(host), 1)
	}
	parts := max((len(host)+size-1)/size, 1)
	return s.submit(name, kind, len(host), parts, err, func(e *remoteEvent) {
		for at := 0; parts > 0; at, parts = at+size, parts-1 {
			b := host[at:min(at+size, len(host))]
			r, slab := &request{Offset: -1}, []byte(nil)
			switch {
			case shared:
				r.Offset = offset
			case len(b) > inlineBytes || len(host) > inlineBytes:
				select { // a part that is over, or the loss of its worker, gives one back
				case slab = <-f.slabs:
				case <-s.gpu.interrupted():
					s.hurry(e)
					slab = <-f.slabs
				}
				r.Offset, _ = f.offset(slab)
				if got == nil {
					copy(slab, b)
				}
			}
			ask(e, r, at, b)
			s.send(e, r, func(answer *reply) {
				if got != nil && !shared {
					got(b, slab, answer)
				}
				if slab != nil {
					f.slabs <- slab
				}
				e.part(answer, nil)
			})
		}
	})
}

// CopyPeer copies bytes on the GPU or from another one.
func (s *remoteStream) CopyPeer(dst device.Buffer, dstOff int, src device.Buffer, srcOff, bytes int) device.Event {
	name, peer := "copy on the device", ""
	to, err := s.at(dst, dstOff, bytes)
	buf, ok := src.(*remoteBuffer)
	if !ok {
		return s.submit(name, trace.CopyPeer, bytes, 1, errors.New("the buffer belongs to no GPU of the driver"), nil)
	}
	from, ferr := s.live(buf, srcOff, bytes)
	if buf.gpu != s.gpu {
		name, peer = "copy from "+buf.gpu.ID(), buf.gpu.ID()
	}
	return s.submit(name, trace.CopyPeer, bytes, 1, errors.Join(err, ferr), func(e *remoteEvent) {
		e.record.Peer = peer
		s.send(e, &request{Op: opCopyPeer, Address: to, From: from, Peer: buf.gpu.ordinal, Bytes: bytes}, func(r *reply) { e.part(r, nil) })
	})
}

// Launch runs k with the packed parameters. What exceeds a limit of the card is a *LaunchLimit of the event, a failed
// check of a thread a *kir.Trap.
func (s *remoteStream) Launch(k device.Kernel, grid, block kir.Dim3, sharedBytes int, params []byte) device.Event {
	name, err := "kernel", error(nil)
	if k != nil {
		name = k.Name()
	}
	kern, ok := k.(*remoteKernel)
	switch {
	case !ok || kern.gpu != s.gpu:
		err = fmt.Errorf("kernel %s was loaded on another device", name)
	case kern.in != s.in:
		err = fmt.Errorf("kernel %s was loaded before the GPU was lost, or the stream was made before: make them anew", name)
	}
	var served *service
	if err == nil {
		var lowered device.Kernel
		if lowered, params, served, err = s.gpu.pager().prepare(s, kern, kern.f, params); err == nil {
			kern = lowered.(*remoteKernel)
		}
	}
	e := s.submit(name, trace.Kernel, 0, 1, err, func(e *remoteEvent) {
		e.service = served
		r := &request{Op: opLaunch, Device: s.gpu.ordinal, Stream: s.id, Kernel: kern.id, Grid: grid, Block: block, Shared: sharedBytes, Data: slices.Clone(params)}
		e.last = s.in.send(r, name, func(r *reply) { e.part(r, kern.f) })
	})
	if served != nil {
		if e.service == nil { // it was not queued
			served.abandon()
		} else {
			go served.run(e)
		}
	}
	return e
}

// Call queues a call of a library.
func (s *remoteStream) Call(c device.Call) device.Event {
	name := string(c.Routine)
	if l := serves[c.Routine]; l != nil {
		name = l.title + " " + name
	}
	return s.submit(name, trace.Kernel, 0, 1, nil, func(e *remoteEvent) {
		r := &request{Op: opCall, Device: s.gpu.ordinal, Stream: s.id, Call: c}
		e.last = s.in.send(r, name, func(r *reply) { e.part(r, nil) })
	})
}

// Wait lets what is queued from now on begin after e.
func (s *remoteStream) Wait(e device.Event) {
	own, ok := e.(*remoteEvent)
	var err error
	if !ok || own.stream.in != s.in || own.service != nil { // what is in a file is there when the service is over
		own, err = nil, e.Wait(context.Background())
	}
	if err == nil && (own == nil || own.Done()) {
		return
	}
	s.submit("wait", trace.Overhead, 0, 1, err, func(e *remoteEvent) {
		s.send(e, &request{Op: opWait, Event: own.last}, func(r *reply) { e.part(r, nil) })
	})
}

// Sync waits until all is done and returns the first error since the last Sync. When ctx ends first it returns at once,
// and what is queued has some seconds to end, or the worker is ended: kernels may be endless.
func (s *remoteStream) Sync(ctx context.Context) error {
	left, err := s.drain(ctx)
	if n := len(left); n > 0 && !left[n-1].Done() {
		s.hurry(left[n-1])
	}
	return err
}

// hurry ends the worker when e, the last of the operations that were interrupted, is not soon over.
func (s *remoteStream) hurry(e *remoteEvent) {
	if s.hurried.Swap(true) {
		return
	}
	go func() {
		s.in.endUnless(e.done)
		s.hurried.Store(false)
	}()
}

// Close waits for what is queued and ends the stream.
func (s *remoteStream) Close() error {
	if !s.close() {
		return nil
	}
	_, err := s.in.call(&request{Op: opStreamClose, Device: s.gpu.ordinal, Stream: s.id}, nil)
	return errors.Join(s.Sync(context.Background()), err)
}
