package simgpu

import (
	"fmt"
	"slices"
	"sync"

	"github.com/arrayrepl/arrayrepl/offload/device"
)

// allocUnit is what allocations are aligned to and rounded up to, as cudaMalloc's are at least.
const allocUnit = 256

// firstAddr keeps device pointers apart from small numbers and from the host's.
const firstAddr = 0x7_0000_0000

// heap gives out addresses of a device's memory. The limit is on the sum of sizes: a real device maps its pages
// anywhere, so addresses do not fragment, and here they have room.
type heap struct {
	mu     sync.Mutex
	device string
	size   int64
	used   int64
	spans  []span // what is in use, by address
}

type span struct{ addr, bytes uint64 }

// alloc returns the lowest address with room for so many bytes.
func (h *heap) alloc(bytes int) (uint64, error) {
	if bytes < 0 {
		return 0, fmt.Errorf("%s: an allocation of %d bytes", h.device, bytes)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if int64(bytes) > h.size-h.used || int64(sizeOf(bytes)) > h.size-h.used {
		return 0, &device.OutOfMemory{Device: h.device, Need: int64(bytes), Free: h.size - h.used, Size: h.size}
	}
	need := sizeOf(bytes)
	addr, at := uint64(firstAddr), 0
	for at < len(h.spans) && h.spans[at].addr-addr < need {
		addr = h.spans[at].addr + h.spans[at].bytes
		at++
	}
	h.spans = append(h.spans, span{})
	copy(h.spans[at+1:], h.spans[at:])
	h.spans[at] = span{addr, need}
	h.used += int64(need)
	return addr, nil
}

// free gives back what alloc returned.
func (h *heap) free(addr uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, s := range h.spans {
		if s.addr == addr {
			h.spans = append(h.spans[:i], h.spans[i+1:]...)
			h.used -= int64(s.bytes)
			return
		}
	}
}

// holding returns the span that holds addr, of spans sorted by address.
func holding(spans []span, addr uint64) (span, bool) {
	i, _ := slices.BinarySearchFunc(spans, addr, func(s span, addr uint64) int {
		if s.addr+s.bytes <= addr {
			return -1
		}
		return 1
	})
	if i < len(spans) && spans[i].addr <= addr {
		return spans[i], true
	}
	return span{}, false
}

func sizeOf(bytes int) uint64 { return uint64(max(roundUp(bytes, allocUnit), allocUnit)) }

// buffer is a piece of a GPU's memory.
type buffer struct {
	gpu      *GPU
	addr     uint64
	size     int
	reserved int  // bytes that were set aside, without data
	carved   bool // a part of what was set aside
	freed    bool // guarded by gpu.mu

	// The goroutine's that executes: the contents, nil while they are zeros that nobody has asked for, and whether the
	// host may have them too.
	data   []byte
	shared bool

	pages *pages // of managed memory, else nil
}

func (b *buffer) Bytes() int   { return b.size }
func (b *buffer) Addr() uint64 { return b.addr }

// Free gives the memory back. What was queued before still finds it; what is allocated from now on may lie there.
func (b *buffer) Free() error { return b.gpu.release(b) }
