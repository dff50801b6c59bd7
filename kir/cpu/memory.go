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
// To map and to unmap one piece of many takes hardly more time than one of few, between launches too: small arrays come
// and go by the thousand.
type Memory struct {
	mu    sync.Mutex
	table table
	made  []uint64 // by block of the table: the number of looks when it was made
	looks uint64   // how often launches have taken the table as it is
	lent  bool     // whether the last look has the list of blocks
	held  int      // looks that are not released: launches that run
	paged int      // pieces of which only lines are there
}

type segment struct {
	base, size uint64
	ptr        unsafe.Pointer // of size bytes; nil of paged ones
	readOnly   bool
	lines      Lines // of one that is paged; nil otherwise
}

// mostInBlock is how many segments a block of a table holds: what one change copies.
const mostInBlock = 128

// table is segments by their addresses, in blocks none of which is empty. Launches have it, so that a block, and the
// list of them, is copied before the first change after a look, while a launch runs.
type table [][]segment

// tableFrom returns the table of a memory that is b, from address 0 on; none of no bytes.
func tableFrom(b []byte) table {
	if len(b) == 0 {
		return nil
	}
	return table{{{size: uint64(len(b)), ptr: unsafe.Pointer(unsafe.SliceData(b))}}}
}

// bytes returns the n bytes at addr.
func (t table) bytes(addr uint64, n int) ([]byte, error) {
	s := t.find(addr, uint64(n))
	switch {
	case s == nil:
		return nil, fmt.Errorf("no global memory of %d bytes at %#x", n, addr)
	case s.lines != nil:
		return nil, fmt.Errorf("the memory at %#x is of a file, of which lines are there", addr)
	}
	return unsafe.Slice((*byte)(s.ptr), s.size)[addr-s.base:][:n], nil
}

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
	m.add(segment{base, uint64(len(b)), unsafe.Pointer(unsafe.SliceData(b)), readOnly, nil})
}

// MapLines makes lines the memory at addresses base, a multiple of the size of a line, to base+size-1.
func (m *Memory) MapLines(base, size uint64, lines Lines, readOnly bool) {
	m.add(segment{base, size, nil, readOnly, lines})
}

// add maps s.
func (m *Memory) add(s segment) {
	base := s.base
	m.mu.Lock()
	defer m.mu.Unlock()
	end := base + s.size // 0 at the very top of the addresses
	before, after := m.table.around(base)
	if before != nil && base-before.base < before.size || end < base && end != 0 || after != nil && (end == 0 || end > after.base) {
		panic(fmt.Sprintf("kir: %d bytes at %#x overlap what is mapped", s.size, base))
	}
	if s.lines != nil {
		m.paged++
	}
	k := max(m.table.block(base), 0)
	if len(m.table) == 0 {
		m.insert(0, nil)
	}
	segs := m.own(k)
	segs = slices.Insert(segs, firstAfter(segs, base), s)
	m.table[k] = segs
	if len(segs) > mostInBlock {
		half := len(segs) / 2
		m.insert(k+1, slices.Clone(segs[half:]))
		m.table[k] = segs[:half:half]
	}
}

// Copy returns a Memory with copies of what is mapped, at the same addresses, but for what is only there as lines.
func (m *Memory) Copy() *Memory {
	out := NewMemory()
	all, _ := m.pieces()
	defer m.release()
	for _, segs := range all {
		for _, s := range segs {
			if s.lines != nil {
				continue
			}
			words := make([]uint64, (s.size+7)/8) // aligned for elements of any type
			b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), s.size)
			copy(b, unsafe.Slice((*byte)(s.ptr), s.size))
			out.mapped(s.base, b, s.readOnly)
		}
	}
	return out
}

// Pieces yields the addresses at which something is mapped, in their order, and how many bytes are there.
func (m *Memory) Pieces(yield func(base, bytes uint64) bool) {
	all, _ := m.pieces()
	defer m.release()
	for _, segs := range all {
		for _, s := range segs {
			if !yield(s.base, s.size) {
				return
			}
		}
	}
}

// Unmap takes away what was mapped at base. Launches that have begun may still use it.
func (m *Memory) Unmap(base uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.table.block(base)
	if k < 0 {
		return
	}
	i := firstAfter(m.table[k], base) - 1
	if m.table[k][i].base != base {
		return
	}
	if m.table[k][i].lines != nil {
		m.paged--
	}
	if segs := slices.Delete(m.own(k), i, i+1); len(segs) > 0 {
		m.table[k] = segs
		return
	}
	m.table, m.made = slices.Delete(m.table, k, k+1), slices.Delete(m.made, k, k+1)
}

// own makes sure that no launch has block k, nor the list of blocks, and returns the block.
func (m *Memory) own(k int) []segment {
	m.ownList()
	if m.made[k] != m.looks {
		if m.held > 0 {
			m.table[k] = slices.Clone(m.table[k])
		}
		m.made[k] = m.looks
	}
	return m.table[k]
}

// ownList makes sure that no launch has the list of blocks.
func (m *Memory) ownList() {
	if m.lent && m.held > 0 {
		m.table = slices.Clone(m.table)
	}
	m.lent = false
}

// insert makes segs, which no launch has, block k.
func (m *Memory) insert(k int, segs []segment) {
	m.ownList()
	m.table, m.made = slices.Insert(m.table, k, segs), slices.Insert(m.made, k, m.looks)
}

// pieces returns what is mapped now, and whether any of it is paged. It stays as it is until release is called.
func (m *Memory) pieces() (t table, paged bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.looks++
	m.lent = true
	m.held++
	return m.table, m.paged > 0
}

// release says that a look that pieces returned is not used any more: where there is no other, changes are made in
// place.
func (m *Memory) release() {
	m.mu.Lock()
	m.held--
	m.mu.Unlock()
}

// block returns the number of the last block that begins at addr or before, or -1.
func (t table) block(addr uint64) int {
	i, _ := slices.BinarySearchFunc(t, addr, func(segs []segment, addr uint64) int { return begins(segs[0], addr) })
	return i - 1
}

// firstAfter returns the number of the first segment that begins after addr.
func firstAfter(segs []segment, addr uint64) int {
	i, _ := slices.BinarySearchFunc(segs, addr, begins)
	return i
}

// begins says, for a search of the first that does, whether s begins after addr.
func begins(s segment, addr uint64) int {
	if s.base <= addr {
		return -1
	}
	return 1
}

// around returns the last segment that begins at addr or before, and the first that begins after it; nil where there
// is none.
func (t table) around(addr uint64) (before, after *segment) {
	k := t.block(addr)
	i := 0
	if k >= 0 {
		i = firstAfter(t[k], addr)
		before = &t[k][i-1]
	}
	switch {
	case k >= 0 && i < len(t[k]):
		after = &t[k][i]
	case k+1 < len(t):
		after = &t[k+1][0]
	}
	return before, after
}

// find returns the segment that holds size bytes at addr, or nil.
func (t table) find(addr, size uint64) *segment {
	k := t.block(addr)
	if k < 0 {
		return nil
	}
	if s := &t[k][firstAfter(t[k], addr)-1]; s.holds(addr, size) {
		return s
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
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.table.find(addr, 1); s != nil {
		return s.base + s.size - addr
	}
	return 0
}

// describe says what is wrong with size bytes at addr, which find did not find or which are not aligned.
func describe(space kir.Space, segs table, addr, size uint64) string {
	if addr%size != 0 {
		return fmt.Sprintf("is not aligned: it must be a multiple of %d", size)
	}
	if space == kir.Shared {
		var n uint64
		if len(segs) > 0 {
			n = segs[0][0].size
		}
		return fmt.Sprintf("is outside of the block's %d bytes of shared memory", n)
	}
	if s := segs.find(addr, size); s != nil && s.readOnly {
		return fmt.Sprintf("is in a buffer of %d bytes that the kernel has no pointer to write through", s.size)
	}
	const near = 1 << 20 // further off, the neighbour explains nothing
	before, after := segs.around(addr)
	if s := before; s != nil && (addr-s.base-s.size < near || addr-s.base < s.size) {
		return fmt.Sprintf("is out of bounds: %d bytes from the start of a buffer of %d bytes", addr-s.base, s.size)
	}
	if after != nil && after.base-addr < near {
		return fmt.Sprintf("is out of bounds: %d bytes before a buffer of %d bytes", after.base-addr, after.size)
	}
	return "is in no buffer"
}
