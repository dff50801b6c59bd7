package cpu

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Memory is the global memory that kernels see: pieces of the host's memory at 64-bit addresses, which do not overlap.
// All of its methods, and launches that read and write the pieces, may be used from several goroutines at once. A
// launch sees the pieces that were mapped when it began.
//
// To map at addresses above all others, and to unmap, takes no time that grows with the number of pieces: small arrays
// come and go by the thousand.
type Memory struct {
	mu   sync.Mutex
	segs []segment // sorted by base; launches have it: it is appended to, and otherwise replaced

	gone      []uint64 // bases of those that are no longer mapped, and are taken out before anybody looks
	goneBytes uint64
}

type segment struct {
	base, size uint64
	ptr        unsafe.Pointer // of size bytes
	readOnly   bool
}

// mostGone is how many bytes that are no longer mapped may wait to be taken out; meanwhile they are not garbage.
const mostGone = 1 << 20

// NewMemory returns a Memory with nothing mapped.
func NewMemory() *Memory { return new(Memory) }

// Map makes b the memory at addresses base to base+len(b)-1. A base that is a multiple of 8 keeps elements aligned as
// they are in b. It panics when b would overlap what is mapped: which addresses are free is the caller's business.
// Nothing is mapped for an empty b.
func (m *Memory) Map(base uint64, b []byte) { m.mapped(base, b, false) }

// MapReadOnly is Map of memory that no launch may write to: one that comes to do so is trapped there.
func (m *Memory) MapReadOnly(base uint64, b []byte) { m.mapped(base, b, true) }

func (m *Memory) mapped(base uint64, b []byte, readOnly bool) {
	if len(b) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s := segment{base, uint64(len(b)), unsafe.Pointer(unsafe.SliceData(b)), readOnly}
	end := base + s.size // 0 at the very top of the addresses
	i := firstAfter(m.segs, base)
	if above := i == len(m.segs) && (i == 0 || base-m.segs[i-1].base >= m.segs[i-1].size); !above {
		m.sweep() // what is there may be gone
		i = firstAfter(m.segs, base)
	}
	if i > 0 && base-m.segs[i-1].base < m.segs[i-1].size || end < base && end != 0 || i < len(m.segs) && (end == 0 || end > m.segs[i].base) {
		panic(fmt.Sprintf("kir: %d bytes at %#x overlap what is mapped", len(b), base))
	}
	if i < len(m.segs) {
		m.segs = slices.Clone(m.segs)
	}
	m.segs = slices.Insert(m.segs, i, s)
}

// Unmap takes away what was mapped at base. Launches that have begun may still use it.
func (m *Memory) Unmap(base uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := firstAfter(m.segs, base) - 1
	if i < 0 || m.segs[i].base != base {
		return
	}
	m.gone = append(m.gone, base)
	if m.goneBytes += m.segs[i].size; m.goneBytes > mostGone {
		m.sweep()
	}
}

// sweep takes out what is gone. m.mu is held.
func (m *Memory) sweep() {
	if len(m.gone) == 0 {
		return
	}
	slices.Sort(m.gone)
	left := make([]segment, 0, len(m.segs)+len(m.segs)/4)
	k := 0
	for _, s := range m.segs {
		for k < len(m.gone) && m.gone[k] < s.base { // named twice
			k++
		}
		if k == len(m.gone) || m.gone[k] != s.base {
			left = append(left, s)
		}
	}
	m.segs, m.gone, m.goneBytes = left, m.gone[:0], 0
}

// pieces returns what is mapped now.
func (m *Memory) pieces() []segment {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sweep()
	return m.segs
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
	if s := find(m.pieces(), addr, 1); s != nil {
		return s.base + s.size - addr
	}
	return 0
}

// describe says what is wrong with size bytes at addr, which find did not find or which are not aligned.
func describe(space kir.Space, segs []segment, addr, size uint64) string {
	if addr%size != 0 {
		return fmt.Sprintf("is not aligned: it must be a multiple of %d", size)
	}
	if space == kir.Shared {
		var n uint64
		if len(segs) > 0 {
			n = segs[0].size
		}
		return fmt.Sprintf("is outside of the block's %d bytes of shared memory", n)
	}
	if s := find(segs, addr, size); s != nil && s.readOnly {
		return fmt.Sprintf("is in a buffer of %d bytes that the kernel has no pointer to write through", s.size)
	}
	const near = 1 << 20 // further off, the neighbour explains nothing
	i := firstAfter(segs, addr)
	if i > 0 {
		if s := segs[i-1]; addr-s.base-s.size < near || addr-s.base < s.size {
			return fmt.Sprintf("is out of bounds: %d bytes from the start of a buffer of %d bytes", addr-s.base, s.size)
		}
	}
	if i < len(segs) && segs[i].base-addr < near {
		return fmt.Sprintf("is out of bounds: %d bytes before a buffer of %d bytes", segs[i].base-addr, segs[i].size)
	}
	return "is in no buffer"
}
