package cudabackend

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// depth is how many operations of a stream may be under way: whoever queues more waits, so that an interrupt ends a
// long sequence of launches soon.
const depth = 128

// stream is a stream of the driver's.
type stream struct {
	gpu    *GPU
	id     int
	handle uintptr
	tail   uintptr // an event for others to wait for
	seen   int     // the allocations that the stream has waited for
	apart  bool    // it waits for none: see copyStream

	queue[*event]
}

// NewStream makes a stream. A lower priority is served first, as far as the card knows any.
func (g *GPU) NewStream(priority int) (device.Stream, error) {
	s := &stream{gpu: g}
	err := g.do(func() error {
		var least, greatest int32
		if err := g.driver.must(fnCtxGetStreamPriorityRange, uintptr(unsafe.Pointer(&least)), uintptr(unsafe.Pointer(&greatest))); err != nil {
			return err
		}
		priority = min(max(priority, int(greatest)), int(least))
		const nonBlocking = 1
		if err := g.driver.must(fnStreamCreate, uintptr(unsafe.Pointer(&s.handle)), nonBlocking, uintptr(priority)); err != nil {
			return err
		}
		var err error
		s.tail, err = g.event()
		return err
	})
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil, errClosed
	}
	s.id = g.opened
	g.opened++
	g.streams[s] = true
	return s, nil
}

// copyStream makes a stream for copies that kernels wait for: it waits for nothing, not for memory either that was
// given out, which may be what such a kernel has before it is freed. Whoever copies knows that the memory is there.
func (g *GPU) copyStream() (device.Stream, error) {
	s, err := g.NewStream(0)
	if err == nil {
		s.(*stream).apart = true
	}
	return s, err
}

// working returns the streams that have work.
func (g *GPU) working() (list []*stream) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for s := range g.streams {
		if s.working.Load() {
			list = append(list, s)
		}
	}
	return list
}

// before lets what is queued on another stream from now on begin after what is queued on s. Called in the context.
func (s *stream) before(other uintptr) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.gpu.driver.must(fnEventRecord, s.tail, s.handle); err != nil {
		return err
	}
	return s.gpu.driver.must(fnStreamWaitEvent, other, s.tail, 0)
}

// submit queues an operation between two events. Its caller's memory stays reachable by way of keep.
func (s *stream) submit(name string, kind trace.Kind, bytes int, keep any, err error, do func(e *event) error) device.Event {
	g := s.gpu
	e := &event{stream: s, age: s.errors.round(), keep: keep}
	e.record = trace.Event{Name: name, Kind: kind, Device: g.ID(), Stream: s.id, Bytes: int64(bytes), InUse: g.used.Load(), Memory: g.bytes}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil && s.closed {
		err = errors.New("the stream is closed")
	}
	if err == nil {
		err = g.do(func() error {
			for len(s.pending) >= depth {
				s.pending[0].synchronize()
				s.pending = s.pending[1:]
			}
			if err := s.afterAllocations(); err != nil {
				return err
			}
			var err error
			if e.start, err = g.event(); err != nil {
				return err
			}
			if e.end, err = g.event(); err != nil {
				return err
			}
			if err := g.driver.must(fnEventRecord, e.start, s.handle); err != nil {
				return err
			}
			if err := do(e); err != nil {
				return err
			}
			return g.driver.must(fnEventRecord, e.end, s.handle)
		})
	} else {
		err = fmt.Errorf("%s: %w", g.ID(), err)
	}
	if err != nil {
		e.finish(err)
		return e
	}
	s.add(e)
	return e
}

// afterAllocations makes the stream wait for memory that was given out since it last did. Called in the context, with
// s.mu held.
func (s *stream) afterAllocations() error {
	g := s.gpu
	g.mu.Lock()
	defer g.mu.Unlock()
	if s.apart || s.seen == g.allocs {
		return nil
	}
	s.seen = g.allocs
	return g.driver.must(fnStreamWaitEvent, s.handle, g.ready, 0)
}

// CopyIn copies src to dst from byte off on. From memory that is not pinned the driver copies by way of its own.
func (s *stream) CopyIn(dst device.Buffer, off int, src []byte) device.Event {
	to, err := s.gpu.piece(dst, off, len(src))
	return s.submit("copy in", trace.CopyIn, len(src), src, err, func(*event) error {
		if len(src) == 0 {
			return nil
		}
		return s.gpu.driver.must(fnMemcpyHtoDAsync, to, uintptr(unsafe.Pointer(&src[0])), uintptr(len(src)), s.handle)
	})
}

// CopyOut copies from byte off of src on to dst.
func (s *stream) CopyOut(dst []byte, src device.Buffer, off int) device.Event {
	from, err := s.gpu.piece(src, off, len(dst))
	return s.submit("copy out", trace.CopyOut, len(dst), dst, err, func(*event) error {
		if len(dst) == 0 {
			return nil
		}
		return s.gpu.driver.must(fnMemcpyDtoHAsync, uintptr(unsafe.Pointer(&dst[0])), from, uintptr(len(dst)), s.handle)
	})
}

// CopyPeer copies bytes on the GPU or from another one: directly where the two are linked, else the driver goes by way
// of the host.
func (s *stream) CopyPeer(dst device.Buffer, dstOff int, src device.Buffer, srcOff, bytes int) device.Event {
	g := s.gpu
	to, err := g.piece(dst, dstOff, bytes)
	buf, ok := src.(*buffer)
	if !ok {
		return s.submit("copy on the device", trace.CopyPeer, bytes, nil, errors.New("the buffer belongs to no GPU of the driver"), nil)
	}
	from, ferr := buf.piece(srcOff, bytes)
	err = errors.Join(err, ferr)
	if buf.gpu == g {
		return s.submit("copy on the device", trace.CopyPeer, bytes, nil, err, func(*event) error {
			return g.driver.must(fnMemcpyDtoDAsync, to, from, uintptr(bytes), s.handle)
		})
	}
	if err == nil {
		err = g.reach(buf.gpu)
	}
	e := s.submit("copy from "+buf.gpu.ID(), trace.CopyPeer, bytes, nil, err, func(*event) error {
		return g.driver.must(fnMemcpyPeerAsync, to, g.context, from, buf.gpu.context, uintptr(bytes), s.handle)
	})
	e.(*event).record.Peer = buf.gpu.ID()
	return e
}

// reach lets g read the memory of the other GPU directly where the hardware can.
func (g *GPU) reach(other *GPU) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.peers[other] {
		return nil
	}
	g.peers[other] = true
	var can int32
	if err := g.driver.must(fnDeviceCanAccessPeer, uintptr(unsafe.Pointer(&can)), uintptr(g.handle), uintptr(other.handle)); err != nil || can == 0 {
		return err
	}
	return g.driver.within(g.context, func() error {
		if r := g.driver.call(fnCtxEnablePeerAccess, other.context, 0); r != 0 && r != resultPeerEnabled {
			return g.driver.fail(fnCtxEnablePeerAccess, r)
		}
		return nil
	})
}

// Launch runs k with the packed parameters. What exceeds a limit of the card is a *LaunchLimit of the event, a failed
// check of a thread a *kir.Trap.
func (s *stream) Launch(k device.Kernel, grid, block kir.Dim3, sharedBytes int, params []byte) device.Event {
	g := s.gpu
	name := "kernel"
	if k != nil {
		name = k.Name()
	}
	kern, ok := k.(*kernel)
	if !ok || kern.gpu != g {
		return s.submit(name, trace.Kernel, 0, nil, fmt.Errorf("kernel %s was loaded on another device", name), nil)
	}
	lowered, params, served, err := g.pages.prepare(s, kern, kern.f, params)
	kern = lowered.(*kernel)
	e := s.submit(name, trace.Kernel, 0, nil, err, func(e *event) error {
		if err := kern.check(grid, block, sharedBytes, params); err != nil {
			return err
		}
		var err error
		if e.record.Stats, err = kern.stats(grid, block, sharedBytes); err != nil {
			return fmt.Errorf("kernel %s was not launched: %w", name, err)
		}
		launched := func() error { return nil }
		if kern.late != nil {
			kern.constants.Lock()
			defer kern.constants.Unlock()
			if launched, err = kern.fill(s, params); err != nil {
				return err
			}
		}
		if err := kern.emptyRecord(s); err != nil {
			return err
		}
		// One packed buffer, which the driver copies: CU_LAUNCH_PARAM_BUFFER_POINTER, ..._SIZE, ..._END.
		var pins runtime.Pinner
		defer pins.Unpin()
		packed := append([]byte{}, params...)
		packed = append(packed, 0) // so that there is an address
		size := uintptr(len(params))
		pins.Pin(&packed[0])
		pins.Pin(&size)
		extra := [5]uintptr{1, uintptr(unsafe.Pointer(&packed[0])), 2, uintptr(unsafe.Pointer(&size)), 0}
		if err := g.driver.must(fnLaunchKernel, kern.function, uintptr(grid.X), uintptr(grid.Y), uintptr(grid.Z), uintptr(block.X), uintptr(block.Y), uintptr(block.Z),
			uintptr(sharedBytes), s.handle, 0, uintptr(unsafe.Pointer(&extra[0]))); err != nil {
			return err
		}
		e.service = served
		return errors.Join(launched(), e.readRecord(kern))
	})
	if served != nil {
		if e := e.(*event); e.isOver() { // it was not queued
			served.abandon()
		} else {
			go served.run(e)
		}
	}
	return e
}

// Wait lets what is queued from now on begin after e.
func (s *stream) Wait(e device.Event) {
	own, ok := e.(*event)
	var err error
	if !ok || own.service != nil { // what is in a file is there when the service is over
		err = e.Wait(context.Background())
	}
	s.waitFor(own, err)
}

// waitFor queues a wait for own, where that is not nil, or fails with err.
func (s *stream) waitFor(own *event, err error) device.Event {
	return s.submit("wait", trace.Overhead, 0, nil, err, func(*event) error {
		if own == nil {
			return nil
		}
		own.mu.Lock()
		defer own.mu.Unlock()
		if own.over {
			return nil
		}
		return s.gpu.driver.must(fnStreamWaitEvent, s.handle, own.end, 0)
	})
}

// Sync waits until all is done and returns the first error since the last Sync. When ctx ends first it returns at once:
// what the driver has been given goes on, at most some launches, and its results are of no interest.
func (s *stream) Sync(ctx context.Context) error {
	_, err := s.drain(ctx)
	return err
}

// Close waits for what is queued and ends the stream.
func (s *stream) Close() error {
	if !s.close() {
		return nil
	}
	err := s.Sync(context.Background())
	s.gpu.mu.Lock()
	delete(s.gpu.streams, s)
	s.gpu.mu.Unlock()
	return errors.Join(err, s.gpu.do(func() error {
		s.gpu.recycle(s.tail)
		return s.gpu.driver.must(fnStreamDestroy, s.handle)
	}))
}
