package cudabackend

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/paging"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

var backgroundContext = context.Background()

// servedEvent is the event of a launch that is served: it is over when the service is.
type servedEvent interface {
	device.Event
	kernelOver() bool // asks the driver, where that does not tell by itself
	settle()          // the service is over
}

// service answers what the threads of one launch ask for: it reads lines of files, by whatever backs them, copies them
// to slots on a stream of its own while the kernel runs, and answers then. When the kernel has ended, it takes back
// what was changed. One goroutine looks at the rings, and one for each request under way does it.
type service struct {
	pager       *pager
	on          any // the stream
	buffers     []*lineBuffer
	interrupted <-chan struct{}
	ended       atomic.Bool // the kernel has
	over        chan struct{}
	stop        atomic.Bool

	requests sync.WaitGroup
	mu       sync.Mutex
	err      error // the first of a file or of a copy
}

// putter are lines that take one as a whole, without reading it before.
type putter interface {
	Put(line int64, b []byte) error
}

func wordsOf(b []byte) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/8)
}

func (s *service) note(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}

// cause is the first error.
func (s *service) cause() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// run serves until the kernel of e has ended.
func (s *service) run(e servedEvent) {
	idle := time.Now()
	for {
		over := e.kernelOver() // before the look: what was asked for before the end is seen then
		found := false
		for _, b := range s.buffers {
			found = s.look(b) || found
		}
		switch now := time.Now(); {
		case over:
			if s.requests.Wait(); !found {
				s.takeBack()
				s.finish(e)
				return
			}
		case found:
			idle = now
		case now.Sub(idle) > 5*time.Millisecond:
			time.Sleep(200 * time.Microsecond)
		default:
			time.Sleep(5 * time.Microsecond)
		}
		s.heed()
	}
}

// heed lets nothing be brought any more once nobody wants it.
func (s *service) heed() {
	select {
	case <-s.interrupted:
		s.stop.Store(true)
	default:
	}
}

// abandon ends a service whose launch was not queued.
func (s *service) abandon() { s.finish(nil) }

func (s *service) finish(e servedEvent) {
	p := s.pager
	p.mu.Lock()
	p.services = slices.DeleteFunc(p.services, func(o *service) bool { return o == s })
	p.mu.Unlock()
	for _, b := range s.buffers {
		b.use(-1)
	}
	close(s.over)
	if e != nil {
		e.settle()
	}
}

// look begins what is asked for in a ring, and reports whether anything was.
func (s *service) look(b *lineBuffer) bool {
	found := false
	for {
		q, ok := paging.ParseRequest(atomic.LoadUint64(&b.ring[b.head&(1<<b.lap-1)]), b.head, b.lap)
		if !ok {
			return found
		}
		found = true
		ticket := b.head
		b.head++
		s.heed() // also while requests keep coming
		if s.stop.Load() {
			atomic.StoreUint64(&b.answers[q.Slot], paging.Answer(ticket, paging.Stopped))
			continue
		}
		stage := <-b.stages
		s.requests.Go(func() {
			code := paging.Stopped
			if s.heed(); !s.stop.Load() {
				code = s.bring(b, q, stage)
			}
			b.stages <- stage
			atomic.StoreUint64(&b.answers[q.Slot], paging.Answer(ticket, code))
		})
	}
}

// length is how many bytes a line has: the last is shorter.
func (b *lineBuffer) length(line int64) int {
	return int(min(1<<b.shift, b.bytes-line<<b.shift))
}

// bring does one request. The slot is the request's alone.
func (s *service) bring(b *lineBuffer, q paging.Request, stage []byte) paging.Code {
	if q.Dirty {
		if err := s.save(b, q.Slot, stage); err != nil {
			s.note(err)
			return paging.WriteFailed
		}
	}
	b.held[q.Slot].Store(-1)
	p, err := b.lines.Acquire(q.Line, q.Accesses, q.Bytes, false)
	if err == nil {
		stage = stage[:b.length(q.Line)]
		copy(stage, unsafe.Slice((*byte)(p), len(stage)))
		b.lines.Release(q.Line, q.Accesses, false)
		err = s.pager.copies.CopyIn(b.memory, b.data+q.Slot<<b.shift, stage).Wait(backgroundContext)
	}
	if err != nil {
		s.note(err)
		return paging.ReadFailed
	}
	b.held[q.Slot].Store(q.Line)
	return paging.Done
}

// save gives the lines what a slot has, which was changed.
func (s *service) save(b *lineBuffer, slot int, stage []byte) error {
	line := b.held[slot].Load()
	stage = stage[:b.length(line)]
	if err := s.pager.copies.CopyOut(stage, b.memory, b.data+slot<<b.shift).Wait(backgroundContext); err != nil {
		return err
	}
	if l, ok := b.lines.(putter); ok {
		return l.Put(line, stage)
	}
	p, err := b.lines.Acquire(line, 1, 0, true)
	if err == nil {
		copy(unsafe.Slice((*byte)(p), len(stage)), stage)
		b.lines.Release(line, 1, true)
	}
	return err
}

// takeBack gives the lines what slots have that was changed, and counts the accesses that found their lines. Nobody
// asks for anything any more.
func (s *service) takeBack() {
	for _, b := range s.buffers {
		if err := s.takeBackFrom(b); err != nil {
			s.note(err)
		}
	}
}

func (s *service) takeBackFrom(b *lineBuffer) error {
	from, n := 0, paging.ControlSize
	if !b.readOnly {
		n = b.meta + b.slots*paging.SlotBytes
		from = b.meta
	}
	control := make([]byte, paging.ControlSize)
	if err := s.pager.copies.CopyOut(control, b.memory, 0).Wait(backgroundContext); err != nil {
		return err
	}
	var counted [3]uint64
	for i, at := range []int{paging.CtlAccesses, paging.CtlMisses, paging.CtlBytes} {
		x := binary.LittleEndian.Uint64(control[at:])
		counted[i], b.counted[i] = x-b.counted[i], x
	}
	if all := counted[0]; all > counted[1] {
		hits, each := all-counted[1], int(counted[2]/all)
		b.lines.Reuse(int(hits), each)
	}
	if b.readOnly {
		return nil
	}
	meta := make([]byte, n-from)
	if err := s.pager.copies.CopyOut(meta, b.memory, from).Wait(backgroundContext); err != nil {
		return err
	}
	for slot := range b.slots {
		const changed = 4
		if binary.LittleEndian.Uint32(meta[slot*paging.SlotBytes+changed:]) == 0 || b.held[slot].Load() < 0 {
			continue
		}
		stage := <-b.stages
		s.requests.Go(func() {
			if err := s.save(b, slot, stage); err != nil {
				s.note(err)
			}
			b.stages <- stage
		})
	}
	s.requests.Wait()
	return nil
}

// explain returns the error of the launch, of which err is what the card says.
func (s *service) explain(err error) error {
	cause := s.cause()
	var t *kir.Trap
	if !errors.As(err, &t) || t.Value == nil || t.Value.Op != kir.OpCheck || !isOfLines(t) {
		if err == nil {
			err = cause
		}
		return err
	}
	out := *t
	switch paging.Code(t.Figures[0]) {
	case paging.ReadFailed, paging.WriteFailed:
		out.Msg, out.Err = fmt.Sprintf("is in a file: %v", cause), cause
	case paging.Pinned:
		out.Err = errors.New("all lines of the file's cache are in use at once")
		for _, b := range s.buffers {
			if l, ok := b.lines.(interface{ Pinned() error }); ok {
				out.Err = l.Pinned()
			}
		}
		out.Msg = out.Err.Error()
	case paging.OutOfBounds:
		out.Msg = fmt.Sprintf("is out of bounds of a file: byte %d", t.Figures[1])
	case paging.ReadOnly:
		out.Msg = fmt.Sprintf("writes to byte %d of a file that the kernel may only read", t.Figures[1])
	case paging.Stopped:
		out.Msg, out.Err = "was interrupted while it read a file", context.Canceled
	}
	return &out
}

func isOfLines(t *kir.Trap) bool { return t.Msg == "panic: "+paging.CheckText }
