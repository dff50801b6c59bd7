package cudabackend

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/offload/device"
)

// buffer is a piece of a GPU's memory.
type buffer struct {
	gpu     *GPU
	address uint64
	bytes   int
	part    bool // of another buffer

	mu    sync.Mutex
	freed bool
}

// Bytes returns the size.
func (b *buffer) Bytes() int { return b.bytes }

// Addr returns the address, which kernels get as a pointer.
func (b *buffer) Addr() uint64 { return b.address }

// startPool tells the driver's pool to keep what is freed: allocations then cost no call of the system. Drivers before
// CUDA 11.2 have none.
func (g *GPU) startPool() error {
	d := g.driver
	for _, f := range []function{fnMemAllocAsync, fnMemFreeAsync, fnDeviceGetDefaultMemPool, fnMemPoolSetAttribute} {
		if !d.has(f) {
			return nil
		}
	}
	if g.attrs[attrMemoryPools] == 0 {
		return nil
	}
	var pool uintptr
	if err := d.must(fnDeviceGetDefaultMemPool, uintptr(unsafe.Pointer(&pool)), uintptr(g.handle)); err != nil {
		return err
	}
	const releaseThreshold = 4
	all := ^uint64(0)
	if err := d.must(fnMemPoolSetAttribute, pool, releaseThreshold, uintptr(unsafe.Pointer(&all))); err != nil {
		return err
	}
	g.pools = true
	return nil
}

// Alloc makes a buffer, whose contents are anything. Its error is a *device.OutOfMemory when the GPU is full. Memory
// comes from the driver's pool in the order of a stream of its own, for which every stream waits before it goes on; a
// driver without a pool allocates at once.
func (g *GPU) Alloc(bytes int) (device.Buffer, error) {
	if bytes < 0 {
		return nil, fmt.Errorf("%s: a buffer of %d bytes", g.ID(), bytes)
	}
	b := &buffer{gpu: g, bytes: bytes}
	err := g.do(func() error {
		if !g.pools {
			return g.driver.must(fnMemAlloc, uintptr(unsafe.Pointer(&b.address)), uintptr(max(bytes, 1)))
		}
		if err := g.driver.must(fnMemAllocAsync, uintptr(unsafe.Pointer(&b.address)), uintptr(max(bytes, 1)), g.memory); err != nil {
			return err
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		g.allocs++
		return g.driver.must(fnEventRecord, g.ready, g.memory)
	})
	var e *Error
	if errors.As(err, &e) && e.Result == resultOutOfMemory {
		free, all := g.MemInfo()
		return nil, g.full(bytes, free, all)
	}
	if err != nil {
		return nil, err
	}
	g.used.Add(int64(bytes))
	return b, nil
}

// full is the error of an allocation that finds so much free of all.
func (g *GPU) full(bytes int, free, all int64) *device.OutOfMemory {
	others := max(all-free-g.used.Load(), 0)
	return &device.OutOfMemory{Device: g.ID(), Need: int64(bytes), Free: free, Size: all, Remedy: fmt.Sprintf(
		"free arrays (x = nil), or end other programs that use the card (nvidia-smi lists them): they and the driver have %s of it", device.Bytes(others))}
}

// Free gives the memory back after the work that is queued.
func (b *buffer) Free() error {
	g := b.gpu
	b.mu.Lock()
	freed := b.freed
	b.freed = true
	b.mu.Unlock()
	if freed {
		return fmt.Errorf("%s: the buffer at %#x was freed before", g.ID(), b.address)
	}
	if b.part {
		return nil
	}
	g.used.Add(-int64(b.bytes))
	return g.do(func() error {
		if !g.pools {
			return g.driver.must(fnMemFree, uintptr(b.address)) // waits for the work that is queued
		}
		for _, s := range g.working() {
			if err := s.before(g.memory); err != nil {
				return err
			}
		}
		return g.driver.must(fnMemFreeAsync, uintptr(b.address), g.memory)
	})
}

// Reserve sets memory aside; see device.Reserver.
func (g *GPU) Reserve(bytes int) (device.Buffer, error) { return g.Alloc(bytes) }

// Carve makes a buffer of a part of what Reserve returned.
func (g *GPU) Carve(from device.Buffer, off, bytes int) (device.Buffer, error) {
	at, err := g.piece(from, off, bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.ID(), err)
	}
	return &buffer{gpu: g, address: uint64(at), bytes: bytes, part: true}, nil
}

// MemInfo returns the bytes of the GPU's memory that are free, for all who use it, and all of it.
func (g *GPU) MemInfo() (free, total int64) {
	if err := g.do(func() error {
		return g.driver.must(fnMemGetInfo, uintptr(unsafe.Pointer(&free)), uintptr(unsafe.Pointer(&total)))
	}); err != nil {
		return 0, g.bytes
	}
	return free, total
}

// HostAlloc returns zeroed host memory that is pinned: copies from and to it are asynchronous and fast. It stays until
// HostFree, or until the GPU is closed.
func (g *GPU) HostAlloc(bytes int) ([]byte, error) {
	if bytes <= 0 {
		return []byte{}, nil
	}
	var p unsafe.Pointer
	const portable, mapped = 1, 2 // for the contexts of all GPUs, and for their kernels
	err := g.do(func() error {
		return g.driver.must(fnMemHostAlloc, uintptr(unsafe.Pointer(&p)), uintptr(bytes), portable|mapped)
	})
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	g.pinned = append(g.pinned, uintptr(p))
	g.mu.Unlock()
	b := unsafe.Slice((*byte)(p), bytes)
	clear(b)
	return b, nil
}

// seen returns the address by which kernels see memory of HostAlloc.
func (g *GPU) seen(b []byte) (at uint64, err error) {
	err = g.do(func() error {
		return g.driver.must(fnMemHostGetDevicePointer, uintptr(unsafe.Pointer(&at)), uintptr(unsafe.Pointer(&b[0])), 0)
	})
	return at, err
}

// HostFree takes back what HostAlloc has returned.
func (g *GPU) HostFree(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	p := uintptr(unsafe.Pointer(&b[0]))
	g.mu.Lock()
	i := slices.Index(g.pinned, p)
	if i >= 0 {
		g.pinned = slices.Delete(g.pinned, i, i+1)
	}
	g.mu.Unlock()
	if i < 0 {
		return fmt.Errorf("%s: this memory is not pinned", g.ID())
	}
	return g.do(func() error { return g.driver.must(fnMemFreeHost, p) })
}

// piece checks that n bytes of b from off on are there, and returns their address.
func (g *GPU) piece(b device.Buffer, off, n int) (uintptr, error) {
	buf, ok := b.(*buffer)
	if !ok || buf.gpu != g {
		return 0, errors.New("the buffer belongs to another device")
	}
	return buf.piece(off, n)
}

func (b *buffer) piece(off, n int) (uintptr, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.freed {
		return 0, fmt.Errorf("the buffer at %#x has been freed", b.address)
	}
	if off < 0 || n < 0 || n > b.bytes-off {
		return 0, fmt.Errorf("bytes %d to %d of a buffer of %d bytes", off, off+n, b.bytes)
	}
	return uintptr(b.address) + uintptr(off), nil
}

// slot returns pinned memory for one record of a failed check: a copy to other memory would wait for the launch. Called
// in the context.
func (g *GPU) slot() ([]byte, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.slots) == 0 {
		const slots = 512
		var p unsafe.Pointer
		if err := g.driver.must(fnMemHostAlloc, uintptr(unsafe.Pointer(&p)), slots*recordBytes, 0); err != nil {
			return nil, err
		}
		g.pinned = append(g.pinned, uintptr(p))
		slab := unsafe.Slice((*byte)(p), slots*recordBytes)
		for part := range slices.Chunk(slab, recordBytes) {
			g.slots = append(g.slots, part)
		}
	}
	s := g.slots[len(g.slots)-1]
	g.slots = g.slots[:len(g.slots)-1]
	return s, nil
}

func (g *GPU) giveSlot(s []byte) {
	g.mu.Lock()
	g.slots = append(g.slots, s)
	g.mu.Unlock()
}
