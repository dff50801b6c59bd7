package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/mmap"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// copyChunk is how much is copied between two looks at whether anyone still waits: some milliseconds' worth.
const copyChunk = 16 << 20

// stream is a queue and the goroutine that works it off.
type stream struct {
	d    *Device
	id   int
	done chan struct{} // closed when the goroutine has ended

	mu     sync.Mutex
	more   sync.Cond // there is a task, or the stream is closed
	queue  []task
	closed bool            // takes no more operations
	ended  bool            // the goroutine takes no more tasks
	ctx    context.Context // of the tasks; Sync cancels it when its own is cancelled
	cancel context.CancelFunc
	err    error // first since the last Sync
	watch  cpu.Watch
}

// task is one thing in the queue. Either run is set, which is an operation that is left out after an error; or always,
// which is the stream's own business and happens in any case.
type task struct {
	run    func(context.Context) error
	event  *device.Completion
	pushed trace.Time
	always func()
}

func newStream(d *Device, id int) *stream {
	s := &stream{d: d, id: id, done: make(chan struct{})}
	s.more.L = &s.mu
	s.ctx, s.cancel = context.WithCancel(context.Background())
	go s.work()
	return s
}

// work runs tasks until the stream is closed and its queue empty.
func (s *stream) work() {
	defer close(s.done)
	var end trace.Time // of the last task
	for {
		s.mu.Lock()
		for len(s.queue) == 0 && !s.closed {
			s.more.Wait()
		}
		if len(s.queue) == 0 {
			s.ended = true
			s.mu.Unlock()
			return
		}
		t := s.queue[0]
		s.queue = s.queue[1:]
		ctx, err := s.ctx, s.err
		s.mu.Unlock()
		if t.always != nil {
			t.always()
			continue
		}
		t.event.Record.Start = s.d.now()
		t.event.Record.Launch = t.event.Record.Start - max(t.pushed, end)
		if err != nil {
			err = notRun(err)
		} else if err = mmap.Read(func() error { return t.run(ctx) }); err != nil {
			s.mu.Lock()
			if s.err == nil && s.ctx == ctx { // else the queue that this was of has been given up
				s.err = err
			}
			s.mu.Unlock()
		}
		end = s.d.now()
		t.finish(end, err)
	}
}

// errNotRun is in the errors of operations that were left out.
var errNotRun = errors.New("not run, because of an earlier error on its stream")

func notRun(cause error) error {
	if errors.Is(cause, errNotRun) {
		return cause
	}
	return fmt.Errorf("%w: %w", errNotRun, cause)
}

func (t *task) finish(now trace.Time, err error) {
	t.event.Record.End = now
	t.event.Finish(err)
}

// push queues run and returns its event.
func (s *stream) push(kind trace.Kind, name string, bytes int, run func(context.Context) error) device.Event {
	e := device.NewCompletion(trace.Event{Name: name, Kind: kind, Device: s.d.id, Stream: s.id, Bytes: int64(bytes)})
	t := task{run: run, event: e, pushed: s.d.now()}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		e.Record.Start = s.d.now()
		t.finish(e.Record.Start, errors.New("host: the stream is closed"))
		return e
	}
	s.queue = append(s.queue, t)
	s.more.Signal()
	return e
}

// afterQueued calls f after what is queued now: from the stream's goroutine, or at once when that has ended.
func (s *stream) afterQueued(f func()) {
	s.mu.Lock()
	ended := s.ended
	if !ended {
		s.queue = append(s.queue, task{always: f})
		s.more.Signal()
	}
	s.mu.Unlock()
	if ended {
		f()
	}
}

// CopyIn copies src to dst from byte off on.
func (s *stream) CopyIn(dst device.Buffer, off int, src []byte) device.Event {
	to, err := s.d.piece(dst, off, len(src))
	return s.push(trace.CopyIn, "copy in", len(src), copier(to, src, err))
}

// CopyOut copies from byte off of src on, len(dst) bytes.
func (s *stream) CopyOut(dst []byte, src device.Buffer, off int) device.Event {
	from, err := s.d.piece(src, off, len(dst))
	return s.push(trace.CopyOut, "copy out", len(dst), copier(dst, from, err))
}

// CopyPeer copies bytes from one buffer to another.
func (s *stream) CopyPeer(dst device.Buffer, dstOff int, src device.Buffer, srcOff, bytes int) device.Event {
	to, err := s.d.piece(dst, dstOff, bytes)
	from, ferr := s.d.piece(src, srcOff, bytes)
	return s.push(trace.CopyPeer, "copy on the device", bytes, copier(to, from, errors.Join(err, ferr)))
}

func copier(dst, src []byte, err error) func(context.Context) error {
	return func(ctx context.Context) error {
		for err == nil && len(src) > 0 {
			n := min(copyChunk, len(src))
			copy(dst, src[:n])
			dst, src, err = dst[n:], src[n:], ctx.Err()
		}
		return err
	}
}

// Launch runs k.
func (s *stream) Launch(k device.Kernel, grid, block kir.Dim3, sharedBytes int, params []byte) device.Event {
	params = slices.Clone(params)
	hk, ok := k.(*kernel)
	name := "kernel"
	if ok {
		name = hk.Name()
	}
	return s.push(trace.Kernel, name, 0, func(ctx context.Context) error {
		if !ok {
			return fmt.Errorf("host: the kernel was loaded by another device")
		}
		if n := hk.program.Func().SharedBytes() + sharedBytes; n > sharedPerBlock {
			return fmt.Errorf("host: kernel %s needs %d bytes of shared memory; a block has %d", name, n, sharedPerBlock)
		}
		_, err := hk.program.Run(ctx, cpu.Launch{
			Grid: grid, Block: block, SharedBytes: sharedBytes, Params: params, Memory: s.d.memory, Watch: &s.watch,
		})
		return err
	})
}

// CallHost implements device.HostCaller.
func (s *stream) CallHost(f func() error) device.Event {
	return s.push(trace.Host, "host function", 0, func(context.Context) error { return f() })
}

// Wait lets what is queued from now on begin after e. When e failed, so does what is queued.
func (s *stream) Wait(e device.Event) {
	s.push(trace.Overhead, "wait", 0, e.Wait)
}

// Where implements device.Watched.
func (s *stream) Where() string {
	if at, ok := s.watch.Where(); ok {
		return at.String()
	}
	return ""
}

// Sync waits until all is done and returns the first error since the last Sync. When ctx ends first it gives up what is
// queued and returns ctx's error.
func (s *stream) Sync(ctx context.Context) error {
	reached := make(chan error, 1)
	s.afterQueued(func() {
		s.mu.Lock()
		reached <- s.err
		s.err = nil
		s.mu.Unlock()
	})
	select {
	case err := <-reached:
		return err
	case <-ctx.Done():
	}
	s.giveUp(ctx.Err())
	<-reached // what ran has stopped: copies and kernels look at their context every few milliseconds
	return ctx.Err()
}

// giveUp ends the tasks that are queued with err and makes the one that runs stop.
func (s *stream) giveUp(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel()
	s.ctx, s.cancel = context.WithCancel(context.Background())
	keep := s.queue[:0:0]
	for _, t := range s.queue {
		if t.always != nil {
			keep = append(keep, t)
			continue
		}
		t.event.Record.Start = s.d.now()
		t.finish(t.event.Record.Start, notRun(err))
	}
	s.queue = keep
}

// Close ends the stream after what is queued and returns an error that no Sync has returned.
func (s *stream) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	s.more.Signal()
	s.mu.Unlock()
	<-s.done
	s.cancel()
	s.d.mu.Lock()
	delete(s.d.streams, s)
	s.d.mu.Unlock()
	return s.err
}
