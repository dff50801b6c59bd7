// Package mapguard finds two goroutines that use one map at the same time.
//
// Go's runtime ends the process when a goroutine writes a map that another one uses at the same time. Where the engine
// executes both, it sees them before the runtime does: each use of a map stands in a table while it lasts, and one that
// meets a write, or a write that meets a use, is a panic of the cell. A program without a race never has two such uses
// at once.
package mapguard

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/interp/internal/goerror"
)

// Access is what an instruction does with a map.
type Access uint8

const (
	Read Access = iota
	Iterated
	Written
)

// conflict is the panic of a use that meets another one; writer is true where that writes.
func (u Access) conflict(writer bool) goerror.Fatal {
	const advice = "; guard the map with a sync.Mutex, or use a sync.Map"
	switch {
	case u == Iterated:
		return "concurrent map iteration and map write" + advice
	case u == Read || !writer:
		return "concurrent map read and map write" + advice
	}
	return "concurrent map writes" + advice
}

// Slot is the map that goroutines use now, of those that have this place in the table: zero when they use none. The
// lowest bits count its readers, one bit tells of a writer, and the others are the map's address, which is a multiple
// of 8 below 2^48. Who comes with another map waits: a use takes no longer than an instruction.
type Slot struct {
	state atomic.Uint64
	_     [56]byte // the rest of a cache line
}

const (
	slotWriter   = 1 << 18
	slotReaders  = slotWriter - 1
	slotMapShift = 19
	mapSlotBits  = 8
)

var mapSlots [1 << mapSlotBits]Slot

// Use waits until the map at p may be used, and returns its slot, for [Slot.Leave].
func Use(p unsafe.Pointer, use Access) *Slot {
	s := &mapSlots[uint64(uintptr(p))*0x9e3779b97f4a7c15>>(64-mapSlotBits)]
	mine := uint64(uintptr(p)) >> 3 << slotMapShift
	for {
		now := s.state.Load()
		next := now + 1
		switch {
		case now == 0:
			next = mine | 1
			if use == Written {
				next = mine | slotWriter
			}
		case now&^(slotWriter|slotReaders) != mine || now&slotReaders == slotReaders:
			runtime.Gosched()
			continue
		case use == Written || now&slotWriter != 0:
			panic(use.conflict(now&slotWriter != 0))
		}
		if s.state.CompareAndSwap(now, next) {
			return s
		}
	}
}

// Leave ends a use.
func (s *Slot) Leave(use Access) {
	if use == Written {
		s.state.Store(0)
		return
	}
	for {
		now := s.state.Load()
		next := now - 1
		if next&slotReaders == 0 {
			next = 0
		}
		if s.state.CompareAndSwap(now, next) {
			return
		}
	}
}
