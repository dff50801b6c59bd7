//go:build !nocuda

package cudabackend

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// remote is a GPU that a worker process drives: a device.Device as GPU is. When the worker is lost, all that was made
// is void, and the next use starts another one.
type remote struct {
	fleet   *fleet
	ordinal int

	mu     sync.Mutex
	in     *worker // in which the GPU is open
	card   card
	closed bool
	base   trace.Time // when the GPU was opened in this worker
	latest trace.Time // end of anything
	cell   context.Context
	pages  *pager // of the worker; nil before it is needed
}

// Heed lets who queues more than a stream takes get away when ctx ends: what keeps it has some seconds more, and is
// then ended with the worker, as after an interrupted Sync.
func (g *remote) Heed(ctx context.Context) {
	g.mu.Lock()
	g.cell = ctx
	g.mu.Unlock()
}

func (g *remote) interrupted() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cell == nil {
		return nil
	}
	return g.cell.Done()
}

// openRemote opens the GPU of the given number in f's worker.
func openRemote(f *fleet, ordinal int) (*remote, error) {
	g := &remote{fleet: f, ordinal: ordinal}
	_, err := g.worker()
	return g, err
}

// worker returns the worker in which the GPU is open, opening it where it is not.
func (g *remote) worker() (*worker, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil, fmt.Errorf("%s: %w", g.ID(), errClosed)
	}
	w, err := g.fleet.get()
	if err != nil || w == g.in {
		return w, err
	}
	r, err := w.call(&request{Op: opOpen, Device: g.ordinal}, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.ID(), err)
	}
	g.in, g.card, g.base, g.pages = w, *r.Card, g.latest, nil
	return w, nil
}

// call asks the worker for something.
func (g *remote) call(r *request) (*worker, *reply, error) {
	w, err := g.worker()
	if err != nil {
		return nil, nil, err
	}
	r.Device = g.ordinal
	out, err := w.call(r, g.interrupted())
	var l *Lost
	if errors.As(err, &l) {
		err = fmt.Errorf("%s: %w", g.ID(), l)
	}
	return w, out, err
}

// ID returns "cuda:0".
func (g *remote) ID() string { return fmt.Sprint(prefix, g.ordinal) }

// LinkedTo implements device.Linked, as of GPU.
func (g *remote) LinkedTo(other device.Device) bool {
	o, ok := other.(*remote)
	return ok && o.fleet == g.fleet
}

// Properties returns what the driver says of the card.
func (g *remote) Properties() device.Properties { return g.card.Properties }

// ComputeCapability returns 90 for sm_90.
func (g *remote) ComputeCapability() int { return g.card.Capability }

// Losses counts the workers that were lost; see device.Forgetful.
func (g *remote) Losses() int {
	g.fleet.mu.Lock()
	defer g.fleet.mu.Unlock()
	return g.fleet.losses
}

// Notice tells once of a loss that came of an interrupt; see device.Noticer.
func (g *remote) Notice() string {
	f := g.fleet
	f.mu.Lock()
	defer f.mu.Unlock()
	notice := f.notice
	f.notice = ""
	if notice != "" {
		notice = g.ID() + ": " + notice
	}
	return notice
}

// Alloc makes a buffer; see GPU.Alloc.
func (g *remote) Alloc(bytes int) (device.Buffer, error) {
	w, r, err := g.call(&request{Op: opAlloc, Bytes: bytes})
	if err != nil {
		return nil, err
	}
	return &remoteBuffer{gpu: g, in: w, address: r.Address, bytes: bytes}, nil
}

// Reserve sets memory aside; see device.Reserver.
func (g *remote) Reserve(bytes int) (device.Buffer, error) { return g.Alloc(bytes) }

// Carve makes a buffer of a part of what Reserve returned.
func (g *remote) Carve(from device.Buffer, off, bytes int) (device.Buffer, error) {
	b, ok := from.(*remoteBuffer)
	if !ok || b.gpu != g {
		return nil, fmt.Errorf("%s: the buffer belongs to another device", g.ID())
	}
	at, err := b.piece(off, bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.ID(), err)
	}
	return &remoteBuffer{gpu: g, in: b.in, address: at, bytes: bytes, part: true}, nil
}

// MemInfo returns the bytes of the GPU's memory that are free, for all who use it, and all of it.
func (g *remote) MemInfo() (free, total int64) {
	_, r, err := g.call(&request{Op: opMemInfo})
	if err != nil {
		return 0, g.card.Properties.MemoryBytes
	}
	return r.Free, r.Total
}

// HostAlloc returns zeroed host memory that the worker shares: copies from and to it are asynchronous and fast. It
// outlives workers.
func (g *remote) HostAlloc(bytes int) ([]byte, error) {
	if bytes <= 0 {
		return []byte{}, nil
	}
	return g.fleet.pinned(bytes)
}

// HostFree takes back what HostAlloc has returned, for who asks for as much again: what the worker shares stays shared.
func (g *remote) HostFree(b []byte) error {
	g.fleet.unpinned(b)
	return nil
}

// Load prints f as PTX, which the worker's driver compiles. Its error has the compiler's log.
func (g *remote) Load(f *kir.Func) (device.Kernel, error) {
	f, text, err := printed(f, g.card.Capability)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.ID(), err)
	}
	return g.loadText(f, text)
}

// loadText loads what was printed of f.
func (g *remote) loadText(f *kir.Func, text string) (device.Kernel, error) {
	g.pager().quiet()
	k := &remoteKernel{gpu: g, f: f}
	var r *reply
	var err error
	k.in, r, err = g.call(&request{Op: opLoad, Name: f.Name, PTX: text, Bytes: f.ParamBytes()})
	if err != nil {
		return nil, err
	}
	k.id = r.ID
	return k, nil
}

// CannotPage is why kernels of the card cannot read files; nil where they can. See device.Pager.
func (g *remote) CannotPage() error { return cannotPage(g.card.Capability, g.card.Pools) }

// MapLines makes a buffer of lines of a file, which kernels fetch; see device.Pager. The session reads the files: the
// worker has the card alone.
func (g *remote) MapLines(lines device.Lines, readOnly bool) (device.Buffer, error) {
	if _, err := g.worker(); err != nil {
		return nil, err
	}
	g.mu.Lock()
	if g.pages == nil {
		g.pages = &pager{card: g}
	}
	p := g.pages
	g.mu.Unlock()
	return p.mapLines(lines, readOnly)
}

// pager returns what the card has for kernels that read files; nil where nobody has asked for it.
func (g *remote) pager() *pager {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.pages
}

// seen returns the address by which kernels see memory of HostAlloc.
func (g *remote) seen(b []byte) (uint64, error) {
	at, ok := g.fleet.offset(b)
	if !ok {
		return 0, fmt.Errorf("%s: this memory is not shared", g.ID())
	}
	_, r, err := g.call(&request{Op: opSeen, Offset: at})
	if err != nil {
		return 0, err
	}
	return r.Address, nil
}

// Library asks the worker, in which libraries are opened, which of them has r. See device.Librarian.
func (g *remote) Library(r device.Routine) (string, error) {
	_, out, err := g.call(&request{Op: opLibrary, Call: device.Call{Routine: r}})
	if err != nil {
		return "", err
	}
	return out.Name, nil
}

// Close gives everything back. Buffers and streams are of no use afterwards.
func (g *remote) Close() error {
	g.mu.Lock()
	w, closed := g.in, g.closed
	g.closed = true
	g.mu.Unlock()
	if closed {
		return nil
	}
	_, err := w.call(&request{Op: opClose, Device: g.ordinal}, nil)
	var l *Lost
	if errors.As(err, &l) {
		return nil // nothing is left to be given back
	}
	return err
}

// dated returns an event's record with times since the GPU was first opened.
func (g *remote) dated(e trace.Event) trace.Event {
	g.mu.Lock()
	defer g.mu.Unlock()
	e.Start, e.End = e.Start+g.base, e.End+g.base
	g.latest = max(g.latest, e.End)
	return e
}

// remoteKernel is a kernel that a worker has loaded.
type remoteKernel struct {
	gpu *remote
	in  *worker
	id  int
	f   *kir.Func
}

// Name returns the kernel's name.
func (k *remoteKernel) Name() string { return k.f.Name }

// remoteBuffer is a piece of a GPU's memory in a worker.
type remoteBuffer struct {
	gpu     *remote
	in      *worker
	address uint64
	bytes   int
	part    bool // of another buffer

	mu    sync.Mutex
	freed bool
}

// Bytes returns the size.
func (b *remoteBuffer) Bytes() int { return b.bytes }

// Addr returns the address, which kernels get as a pointer.
func (b *remoteBuffer) Addr() uint64 { return b.address }

// Free gives the memory back after the work that is queued.
func (b *remoteBuffer) Free() error {
	b.mu.Lock()
	freed := b.freed
	b.freed = true
	b.mu.Unlock()
	if freed {
		return fmt.Errorf("%s: the buffer at %#x was freed before", b.gpu.ID(), b.address)
	}
	if !b.part {
		b.in.send(&request{Op: opFree, Device: b.gpu.ordinal, Address: b.address, Bytes: b.bytes}, "", nil)
	}
	return nil
}

// piece checks that n bytes from off on are there, and returns their address.
func (b *remoteBuffer) piece(off, n int) (uint64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.freed {
		return 0, fmt.Errorf("the buffer at %#x has been freed", b.address)
	}
	if off < 0 || n < 0 || n > b.bytes-off {
		return 0, fmt.Errorf("bytes %d to %d of a buffer of %d bytes", off, off+n, b.bytes)
	}
	return b.address + uint64(off), nil
}
