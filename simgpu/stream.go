package simgpu

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// copyPiece is how much is copied between looks at the context.
const copyPiece = 4 << 20

// syncGrace is how long a cancelled Sync waits for the operation that is running to notice.
const syncGrace = 80 * time.Millisecond

// stream is a device.Stream of a GPU.
type stream struct {
	gpu *GPU
	id  int

	launching *launching // a graph that is being queued; the caller's
	beside    bool       // copies of memory that is not pinned let kernels go on; see device.Beside
	end       trace.Time // of its last operation; the executing goroutine's
	open      bool       // it has launches whose times are not known; the same

	mu     sync.Mutex
	ctx    context.Context // of what is queued from now on
	cancel context.CancelFunc
	last   *event
	failed error // the first since the last Sync
}

// NewStream makes a stream. Priorities count in graphs; else, of work that is ready at one time, what was queued first
// goes first.
func (g *GPU) NewStream(int) (device.Stream, error) {
	if g.isClosed() {
		return nil, fmt.Errorf("%s: %w", g.id, errClosed)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	s := &stream{gpu: g, id: g.streams}
	g.streams++
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s, nil
}

// connections is how many streams a GPU takes work from at once: what CUDA_DEVICE_MAX_CONNECTIONS is where nobody has
// set it (CUDA C Programming Guide, environment variables).
const connections = 8

// Streams implements device.Concurrent.
func (g *GPU) Streams() int {
	if g.preset.oneKernel() {
		return 1
	}
	return connections
}

// oneKernel reports whether kernels follow one another, whatever their streams: the CUDA C Programming Guide has
// concurrent kernels from compute capability 2.0 on. A machine of a paper is what its programs take it for.
func (p *Preset) oneKernel() bool { return p.Capability != "" && older(p.Capability, "2.0") }

// submit queues work. A nil work is a call that was refused with err.
func (s *stream) submit(name string, kind trace.Kind, bytes int, work workFunc, err error) *event {
	return s.submitNested(name, kind, bytes, work, err, nesting{})
}

// submitNested is submit of what may have to do with launches from kernels.
func (s *stream) submitNested(name string, kind trace.Kind, bytes int, work workFunc, err error, n nesting) *event {
	e := &event{Completion: device.NewCompletion(trace.Event{Name: name, Kind: kind, Device: s.gpu.id, Stream: s.id, Modelled: true, Bytes: int64(bytes)}), gpu: s.gpu, told: make(chan struct{})}
	if work == nil {
		work = func(_ context.Context, at moment, e *trace.Event) error {
			e.Start, e.End = at.latest(), at.latest()
			return err
		}
	}
	free, all := s.gpu.MemInfo()
	e.Record.InUse, e.Record.Memory = all-free, all
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = e
	op := &operation{stream: s, event: e, ctx: s.ctx, work: work, nesting: n}
	if s.launching != nil {
		op.submitted, op.node = s.launching.at, s.launching.node
	} else {
		op.submitted = s.gpu.call()
	}
	s.gpu.enqueue(op)
	return e
}

// CopyIn copies src to dst from byte off on.
func (s *stream) CopyIn(dst device.Buffer, off int, src []byte) device.Event {
	return s.copyIn(dst, off, src, func(ctx context.Context, to portion) error { return to.fill(ctx, src) })
}

// Adopt is CopyIn of all of dst; see device.Adopter.
func (s *stream) Adopt(dst device.Buffer, src []byte) device.Event {
	return s.copyIn(dst, 0, src, func(ctx context.Context, to portion) error {
		if to.buf.adopt(src) {
			return nil
		}
		return to.fill(ctx, src)
	})
}

func (s *stream) copyIn(dst device.Buffer, off int, src []byte, move func(context.Context, portion) error) device.Event {
	to, err := s.portion(s.gpu, dst, off, len(src))
	if err != nil {
		return s.submit("copy in", trace.CopyIn, len(src), nil, fmt.Errorf("copy to %s: %w", s.gpu.id, err))
	}
	rate := s.gpu.hostRate(src)
	shares := append(s.gpu.box.fromHost(s.gpu.number, rate), share{&s.gpu.copyIn, whole})
	shares = append(shares, s.staged(src)...)
	return s.submit("copy in", trace.CopyIn, len(src), s.gpu.copyWork(len(src), rate, func(ctx context.Context) error {
		to.overwritten()
		return move(ctx, to)
	}, shares...), nil)
}

// CopyOut copies from byte off of src on to dst.
func (s *stream) CopyOut(dst []byte, src device.Buffer, off int) device.Event {
	return s.copyOut(src, off, dst, len(dst), func(ctx context.Context, from portion) error {
		return copyBytes(ctx, dst, from.read())
	})
}

// Lend is CopyOut of all of src; see device.Adopter.
func (s *stream) Lend(dst *[]byte, src device.Buffer) device.Event {
	return s.copyOut(src, 0, nil, src.Bytes(), func(_ context.Context, from portion) error {
		*dst = from.buf.lend()
		return nil
	})
}

func (s *stream) copyOut(src device.Buffer, off int, dst []byte, n int, move func(context.Context, portion) error) device.Event {
	from, err := s.portion(s.gpu, src, off, n)
	if err != nil {
		return s.submit("copy out", trace.CopyOut, n, nil, fmt.Errorf("copy from %s: %w", s.gpu.id, err))
	}
	rate := s.gpu.hostRate(dst)
	shares := append(s.gpu.box.toHost(s.gpu.number, rate), share{&s.gpu.copyOut, whole})
	shares = append(shares, s.staged(dst)...)
	return s.submit("copy out", trace.CopyOut, n, s.gpu.copyWork(n, rate, func(ctx context.Context) error { return move(ctx, from) }, shares...), nil)
}

// CopyPeer copies bytes within the device's memory, at the rate of a kernel that reads and writes them, or to or from
// another GPU of its machine over the link between them. Buffers of other devices are refused.
func (s *stream) CopyPeer(dst device.Buffer, dstOff int, src device.Buffer, srcOff, bytes int) device.Event {
	const name = "copy on the device"
	g := s.gpu
	from, to := g.peerOf(src), g.peerOf(dst)
	target, err := s.portion(to, dst, dstOff, bytes)
	source, ferr := s.portion(from, src, srcOff, bytes)
	if err = errors.Join(err, ferr); err != nil {
		return s.submit(name, trace.CopyPeer, bytes, nil, fmt.Errorf("copy on %s: %w", g.id, err))
	}
	move := func(ctx context.Context) error {
		target.overwritten()
		if source.buf == target.buf {
			data := target.buf.write(false)
			return copyBytes(ctx, data[dstOff:dstOff+bytes], data[srcOff:srcOff+bytes])
		}
		return target.fill(ctx, source.read())
	}
	if from == to {
		rate := int64(float64(g.preset.DRAMPeak) * g.preset.DRAMShare / 2)
		return s.submit(name, trace.CopyPeer, bytes, g.copyWork(bytes, rate, move, share{&from.room, whole}, share{&from.dram, whole}), nil)
	}
	shares, rate := g.box.between(from.number, to.number)
	shares = append(shares, share{&from.copyPeer, whole})
	work := g.copyWork(bytes, rate, move, shares...)
	return s.submit("copy from "+from.id+" to "+to.id, trace.CopyPeer, bytes, func(ctx context.Context, at moment, e *trace.Event) error {
		e.Peer = from.id
		if to != g {
			e.To = to.id
		}
		return work(ctx, at, e)
	}, nil)
}

// peerOf returns the GPU of g's machine whose buffer b is, or g.
func (g *GPU) peerOf(b device.Buffer) *GPU {
	if buf, ok := b.(*buffer); ok && buf.gpu.box == g.box {
		return buf.gpu
	}
	return g
}

// hostRate is the rate of a copy from or to the host's memory, which may be pinned.
func (g *GPU) hostRate(host []byte) int64 {
	rate := g.preset.PageableRate
	if g.isPinned(host) {
		rate = g.preset.PinnedRate
	}
	if root := g.preset.RootRate; root > 0 {
		rate = min(rate, root)
	}
	return rate
}

// staged is what a copy from or to memory that is not pinned takes beside engine and link: the driver copies it piece
// by piece through pinned memory of its own and waits for each, so that no kernel runs meanwhile.
func (s *stream) staged(host []byte) []share {
	if s.beside || s.gpu.isPinned(host) {
		return nil
	}
	return []share{{&s.gpu.room, alone}}
}

// CopyBeside implements device.Beside.
func (s *stream) CopyBeside() { s.beside = true }

// portion is n bytes of a buffer from byte off on.
type portion struct {
	buf    *buffer
	off, n int
}

// read returns the bytes, which the caller does not write to.
func (p portion) read() []byte { return p.buf.read()[p.off : p.off+p.n] }

// overwritten takes the bytes out of L2, since a copy writes them to memory.
func (p portion) overwritten() { p.buf.gpu.warm.overwritten(p.buf, p.off, p.n) }

// fill copies src to the bytes, which are as many.
func (p portion) fill(ctx context.Context, src []byte) error {
	return copyBytes(ctx, p.buf.write(p.n == p.buf.size)[p.off:p.off+p.n], src)
}

func copyBytes(ctx context.Context, dst, src []byte) error {
	for i := 0; i < len(src); i += copyPiece {
		if err := ctx.Err(); err != nil {
			return err
		}
		copy(dst[i:], src[i:min(i+copyPiece, len(src))])
	}
	return nil
}

// portion returns n bytes of b, a buffer of g, from off on.
func (s *stream) portion(g *GPU, b device.Buffer, off, n int) (portion, error) {
	buf, ok := b.(*buffer)
	if !ok || buf.gpu != g {
		return portion{}, fmt.Errorf("the buffer belongs to another device")
	}
	g.mu.Lock()
	freed := buf.freed
	g.mu.Unlock()
	if freed {
		return portion{}, fmt.Errorf("the buffer at %#x has been freed", buf.addr)
	}
	if off < 0 || n > buf.size-off {
		return portion{}, fmt.Errorf("bytes %d to %d of a buffer of %d bytes", off, off+n, buf.size)
	}
	return portion{buf, off, n}, nil
}

// copyWork moves n bytes at so many bytes a second, which takes shares of engines and links.
func (g *GPU) copyWork(n int, rate int64, move func(context.Context) error, shares ...share) workFunc {
	return func(ctx context.Context, at moment, e *trace.Event) error {
		if err := move(ctx); err != nil {
			return err
		}
		for _, s := range shares {
			if s.of == &g.room || s.of == &g.dram { // kernels wait, or go slower
				g.settle()
			}
			s.of.forget(at.submitted)
		}
		e.Start, e.End = occupy(at.latest(), g.preset.copyTime(n, rate), shares...)
		return nil
	}
}

// copyTime returns the time of a copy of n bytes at so many bytes a second.
func (p *Preset) copyTime(n int, rate int64) trace.Time {
	whole, rest := int64(n)/rate, int64(n)%rate // so that no product overflows
	return trace.Time(p.CopyLatency)*trace.Nanosecond + trace.Time(whole)*trace.Second +
		trace.Time(float64(rest)*1e12/float64(rate))
}

// Launch runs k with the packed parameters. What exceeds a limit of the device is a *LaunchLimit of the event.
func (s *stream) Launch(k device.Kernel, grid, block kir.Dim3, sharedBytes int, params []byte) device.Event {
	name := "kernel"
	if k != nil {
		name = k.Name()
	}
	kern, ok := k.(*kernel)
	if !ok || kern.gpu != s.gpu {
		return s.submit(name, trace.Kernel, 0, nil, fmt.Errorf("kernel %s was loaded on another device than %s", name, s.gpu.id))
	}
	work, err := kern.launch(grid, block, sharedBytes, append([]byte(nil), params...))
	return s.submitNested(name, trace.Kernel, 0, work, err, nestingOf(kern.program.Func()))
}

// Wait lets what is queued from now on begin after e.
func (s *stream) Wait(e device.Event) {
	if own, ok := e.(*event); ok && own.gpu.box != s.gpu.box {
		own.gpu.box.settles()
	}
	s.submit("wait", trace.Overhead, 0, func(ctx context.Context, at moment, r *trace.Event) error {
		if own, ok := e.(*event); !ok || own.open || own.gpu.box != s.gpu.box {
			s.gpu.box.settle()
		}
		end, err := endOf(ctx, e)
		r.Start = max(at.latest(), end)
		r.End = r.Start
		return err
	}, nil)
}

// endOf waits for e, without the host's clock, and returns its end. Times of other modelled devices count from when
// they were opened and are taken as they are; those of measured devices mean nothing here.
func endOf(ctx context.Context, e device.Event) (trace.Time, error) {
	if own, ok := e.(*event); ok {
		if err := own.Completion.Wait(ctx); !own.Done() {
			return 0, err
		}
		select { // whoever waits for another machine has asked for it
		case <-own.told:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		return own.Record.End, own.Completion.Wait(ctx)
	}
	if err := e.Wait(ctx); err != nil {
		return 0, err
	}
	if t := e.Trace(); t.Modelled {
		return t.End, nil
	}
	return 0, nil
}

// Where implements device.Watched: a GPU runs one kernel at a time.
func (s *stream) Where() string {
	if at, ok := s.gpu.watch.Where(); ok {
		return at.String()
	}
	return ""
}

// Sync waits until all is done and returns the first error since the last Sync. When ctx is cancelled it gives up the
// rest of the queue and returns within 100 ms.
func (s *stream) Sync(ctx context.Context) error {
	s.mu.Lock()
	last, cancel := s.last, s.cancel
	s.mu.Unlock()
	if last == nil {
		return ctx.Err()
	}
	if last.Completion.Wait(ctx); !last.Done() || last.timed(ctx) != nil {
		cancel()
		grace, stop := context.WithTimeout(context.Background(), syncGrace)
		defer stop()
		last.Completion.Wait(grace)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ctx, s.cancel = context.WithCancel(context.Background())
		s.failed = nil
		return ctx.Err()
	}
	s.gpu.hostAt(last.Record.End)
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.failed
	s.failed = nil
	return err
}

// Close gives up what is still queued.
func (s *stream) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel()
	return nil
}

// broken returns why operations that were queued under ctx are not done: the stream gave up, or one before failed.
func (s *stream) broken(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed != nil {
		return fmt.Errorf("not done, since an operation before it in the stream failed: %w", s.failed)
	}
	return nil
}

// fail keeps the first error since the last Sync, of an operation that was queued under ctx. One that a Sync has given
// up may end after it: its error is not that of what was queued since.
func (s *stream) fail(ctx context.Context, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil && ctx == s.ctx {
		s.failed = err
	}
}
