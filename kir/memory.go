package kir

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Memory is the global memory that kernels see: pieces of the host's memory at 64-bit addresses, which do not overlap. All
// of its methods, and launches that read and write the pieces, may be used from several goroutines at once. A launch sees
// the pieces that were mapped when it began.
type Memory struct {
	mu   sync.Mutex
	segs atomic.Pointer[[]segment] // sorted by base; replaced, never changed
}

type segment struct {
	base, size uint64
	ptr        unsafe.Pointer // of size bytes
	readOnly   bool
}

// NewMemory returns a Memory with nothing mapped.
func NewMemory() *Memory {
	m := new(Memory)
	m.segs.Store(new([]segment))
	return m
}

// Map makes b the memory at addresses base to base+len(b)-1. A base that is a multiple of 8 keeps elements aligned as they
// are in b. It panics when b would overlap what is mapped: which addresses are free is the caller's business. Nothing is
// mapped for an empty b.
func (m *Memory) Map(base uint64, b []byte) { m.mapped(base, b, false) }

// MapReadOnly is Map of memory that no launch may write to: one that comes to do so is trapped there.
func (m *Memory) MapReadOnly(base uint64, b []byte) { m.mapped(base, b, true) }

func (m *Memory) mapped(base uint64, b []byte, readOnly bool) {
	if len(b) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	segs := slices.Clone(*m.segs.Load())
	i := firstAfter(segs, base)
	end := base + uint64(len(b)) // 0 at the very top of the addresses
	if i > 0 && base-segs[i-1].base < segs[i-1].size || end < base && end != 0 || i < len(segs) && (end == 0 || end > segs[i].base) {
		panic(fmt.Sprintf("kir: %d bytes at %#x overlap what is mapped", len(b), base))
	}
	segs = slices.Insert(segs, i, segment{base, uint64(len(b)), unsafe.Pointer(unsafe.SliceData(b)), readOnly})
	m.segs.Store(&segs)
}

// Unmap takes away what was mapped at base. Launches that have begun may still use it.
func (m *Memory) Unmap(base uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	segs := slices.DeleteFunc(slices.Clone(*m.segs.Load()), func(s segment) bool { return s.base == base })
	m.segs.Store(&segs)
}

// firstAfter returns the number of the first segment that begins after addr.
func firstAfter(segs []segment, addr uint64) int {
	i, _ := slices.BinarySearchFunc(segs, addr, func(s segment, addr uint64) int {
		if s.base <= addr {
			return -1
		}
		return 1
	})
	return i
}

// find returns the segment that holds size bytes at addr, or nil.
func find(segs []segment, addr, size uint64) *segment {
	if i := firstAfter(segs, addr) - 1; i >= 0 && segs[i].holds(addr, size) {
		return &segs[i]
	}
	return nil
}

func (s *segment) holds(addr, size uint64) bool {
	return s.size >= size && addr-s.base <= s.size-size
}

func (s *segment) at(addr uint64) unsafe.Pointer { return unsafe.Add(s.ptr, addr-s.base) }

// Size returns how many bytes are mapped from addr on, in the piece that holds it; 0 where nothing is.
func (m *Memory) Size(addr uint64) uint64 {
	if m == nil {
		return 0
	}
	if s := find(*m.segs.Load(), addr, 1); s != nil {
		return s.base + s.size - addr
	}
	return 0
}
