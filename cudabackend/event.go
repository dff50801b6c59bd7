package cudabackend

import (
	"context"
	"encoding/binary"
	"sync"
	"time"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// event is the end of one operation.
type event struct {
	stream *stream
	age    int // of the stream's queue
	keep   any // memory that the driver still uses

	mu         sync.Mutex
	start, end uintptr // of the driver; nobody's once the event is over
	over       bool
	err        error
	record     trace.Event
	service    *service // of a launch whose kernel reads files
	kernel     *kernel  // whose record of a failed check is in trap
	trap       []byte
	pivot      []byte // what a solver says: 0, or which pivot was 0
}

// poll looks whether the operation is over. Called in the context.
func (e *event) poll() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.over {
		return true
	}
	d := e.stream.gpu.driver
	r := d.call(fnEventQuery, e.end)
	if r == resultNotReady {
		return false
	}
	if s := e.service; s != nil {
		s.ended.Store(true)
		select {
		case <-s.over:
		default:
			return false
		}
	}
	if r != 0 {
		e.finishLocked(e.stream.gpu.noted(d.fail(fnEventQuery, r)))
		return true
	}
	var err error
	if e.record.Start, e.record.End, err = e.stream.gpu.times(e.start, e.end); err == nil {
		if err = e.failedCheck(); err == nil {
			err = e.singular()
		}
	}
	if e.service != nil {
		err = e.service.explain(err)
	}
	e.finishLocked(err)
	return true
}

// kernelOver reports whether the kernel of a launch that is served has ended.
func (e *event) kernelOver() bool { return e.Done() || e.service.ended.Load() }

// settle is for the service to say that it is over, which the next look sees.
func (e *event) settle() { e.Done() }

func (e *event) finish(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.finishLocked(err)
}

func (e *event) finishLocked(err error) {
	e.over, e.err, e.keep = true, err, nil
	e.stream.errors.fail(e.age, err)
}

// synchronize waits for the operation. Called in the context.
func (e *event) synchronize() {
	for pause := time.Duration(0); !e.poll(); pause = next(pause) {
		time.Sleep(pause)
	}
}

// next is how long to sleep after a look that came after a pause: at first not at all, later up to a millisecond.
func next(pause time.Duration) time.Duration {
	switch {
	case pause == 0:
		return time.Microsecond
	case pause < time.Millisecond:
		return pause * 3 / 2
	}
	return pause
}

// Wait blocks until the operation is done and returns its error.
func (e *event) Wait(ctx context.Context) error {
	for pause := time.Duration(0); ; pause = next(pause) {
		if e.Done() {
			e.mu.Lock()
			defer e.mu.Unlock()
			return e.err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		time.Sleep(pause)
	}
}

func (e *event) isOver() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.over
}

// Done reports whether it is done.
func (e *event) Done() bool {
	if e.isOver() {
		return true
	}
	g, done := e.stream.gpu, false
	err := g.do(func() error {
		done = e.poll()
		return nil
	})
	if err != nil { // closed or lost
		e.finish(err)
		return true
	}
	return done
}

// Trace returns the record of the operation.
func (e *event) Trace() trace.Event {
	e.Wait(context.Background())
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.record
}

// recordBytes is the size of the record that a failed check leaves; see ptx.TrapRecord.
const recordBytes = 12 * 8

// readRecord queues a copy of the kernel's record behind its launch. Called in the context.
func (e *event) readRecord(k *kernel) error {
	if k.record == 0 {
		return nil
	}
	slot, err := k.gpu.slot()
	if err != nil {
		return err
	}
	e.kernel, e.trap = k, slot
	k.unread.Add(1)
	return k.gpu.driver.must(fnMemcpyDtoHAsync, uintptr(unsafe.Pointer(&e.trap[0])), k.record, recordBytes, e.stream.handle)
}

// emptyRecord lets a launch in a stream find the record empty, where launches before it may leave something there that
// nobody has read by then: that of a cell that was interrupted. Called in the context.
func (k *kernel) emptyRecord(s *stream) error {
	if k.record == 0 || k.unread.Load() == 0 {
		return nil
	}
	return k.gpu.driver.must(fnMemsetD8Async, k.record, 0, recordBytes, s.handle)
}

// failedCheck returns the trap that the record holds, and empties the record. Called in the context, with e.mu held.
func (e *event) failedCheck() error {
	if e.kernel == nil {
		return nil
	}
	defer e.stream.gpu.giveSlot(e.trap)
	e.kernel.unread.Add(-1)
	word := func(i int) int64 { return int64(binary.LittleEndian.Uint64(e.trap[8*i:])) }
	if word(0) == 0 {
		return nil
	}
	k := e.kernel
	if err := k.gpu.driver.must(fnMemsetD8Async, k.record, 0, recordBytes, e.stream.handle); err != nil {
		return err
	}
	dim := func(i int) kir.Dim3 { return kir.Dim3{X: int(word(i)), Y: int(word(i + 1)), Z: int(word(i + 2))} }
	c := &failedCheck{Kernel: k.name, Site: int(word(2)), Figures: [2]int64{word(3), word(4)}, Block: dim(5), Thread: dim(8)}
	if k.f == nil { // the session knows its places
		return c
	}
	return c.of(k.f)
}

// singular returns the error of a system that its solver found to be singular. Called with e.mu held.
func (e *event) singular() error {
	if e.pivot == nil {
		return nil
	}
	defer e.stream.gpu.giveSlot(e.pivot)
	if n := int32(binary.LittleEndian.Uint32(e.pivot)); n > 0 {
		return &device.Singular{Pivot: int(n)}
	}
	return nil
}
