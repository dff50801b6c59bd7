package host

import (
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Buffers are page-aligned and lie a page apart, so that a kernel that runs over the end of one does not reach the
// next.
const page = 4096

// buffer is Go memory with a device address.
type buffer struct {
	d      *Device
	data   []byte
	addr   uint64
	shared bool         // the memory is not the device's
	lines  device.Lines // in the place of data, of one that is paged
	gone   atomic.Bool
}

// Alloc makes a zeroed buffer. When there is no room it waits for the buffers whose Free is behind queued work; when
// there is none then either, the error is a *device.OutOfMemory.
func (d *Device) Alloc(bytes int) (device.Buffer, error) {
	if bytes < 0 {
		return nil, fmt.Errorf("host: a buffer of %d bytes", bytes)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		if d.closed {
			return nil, errClosed
		}
		if d.used+int64(bytes) <= d.limit {
			break
		}
		if d.freeing == 0 {
			return nil, &device.OutOfMemory{Device: d.id, Need: int64(bytes), Free: d.limit - d.used, Size: d.limit}
		}
		d.freed.Wait()
	}
	d.used += int64(bytes)
	return d.mapped(aligned(bytes), false), nil
}

// Share makes b, which kernels then work on as it lies in memory, a buffer. It must begin on a multiple of 8, as what
// Go allocates does.
func (d *Device) Share(b []byte) (device.Buffer, error) {
	if uintptr(unsafe.Pointer(unsafe.SliceData(b)))%8 != 0 {
		return nil, fmt.Errorf("host: memory to share begins on no multiple of 8")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, errClosed
	}
	return d.mapped(b, true), nil
}

// CannotPage is nil; see device.Pager.
func (d *Device) CannotPage() error { return nil }

// MapLines makes a buffer of lines that kernels bring in.
func (d *Device) MapLines(lines device.Lines, readOnly bool) (device.Buffer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, errClosed
	}
	b := &buffer{d: d, addr: d.next, shared: true, lines: lines}
	d.next += (uint64(lines.Bytes())+page-1)/page*page + page
	if lines.Bytes() > 0 {
		d.memory.MapLines(b.addr, uint64(lines.Bytes()), lines, readOnly)
	}
	return b, nil
}

// mapped gives data an address. d.mu is held.
func (d *Device) mapped(data []byte, shared bool) *buffer {
	b := &buffer{d: d, addr: d.next, data: data, shared: shared}
	d.next += (uint64(len(data))+page-1)/page*page + page
	d.memory.Map(b.addr, b.data)
	return b
}

// aligned returns n bytes that begin on a multiple of 8, so that kernels may use elements of any type in them.
func aligned(n int) []byte {
	if n == 0 {
		return nil
	}
	words := make([]uint64, (n+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n)
}

// Bytes returns the buffer's length.
func (b *buffer) Bytes() int {
	if b.lines != nil {
		return int(b.lines.Bytes())
	}
	return len(b.data)
}

// Addr returns the address by which kernels know the buffer.
func (b *buffer) Addr() uint64 { return b.addr }

// Free gives the memory back once all streams have done what is queued on them now.
func (b *buffer) Free() error {
	if b.gone.Swap(true) {
		return fmt.Errorf("host: a buffer of %s is freed twice", device.Bytes(int64(len(b.data))))
	}
	d := b.d
	d.mu.Lock()
	d.freeing++
	streams := slices.Collect(maps.Keys(d.streams))
	d.mu.Unlock()
	var busy atomic.Int64
	busy.Store(int64(len(streams)) + 1)
	passed := func() {
		if busy.Add(-1) > 0 {
			return
		}
		d.memory.Unmap(b.addr)
		d.mu.Lock()
		if !b.shared {
			d.used -= int64(len(b.data))
		}
		d.freeing--
		d.freed.Broadcast()
		d.mu.Unlock()
	}
	for _, s := range streams {
		s.afterQueued(passed)
	}
	passed()
	return nil
}

// piece returns bytes off to off+n of b, which must be a live buffer of d.
func (d *Device) piece(buf device.Buffer, off, n int) ([]byte, error) {
	b, ok := buf.(*buffer)
	switch {
	case !ok || b.d != d:
		return nil, fmt.Errorf("host: the buffer belongs to another device")
	case b.gone.Load():
		return nil, fmt.Errorf("host: the buffer of %s has been freed", device.Bytes(int64(len(b.data))))
	case off < 0 || n > len(b.data)-off:
		return nil, fmt.Errorf("host: a copy of %d bytes at byte %d does not fit in a buffer of %d bytes", n, off, len(b.data))
	}
	return b.data[off : off+n], nil
}
