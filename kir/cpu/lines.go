package cpu

import (
	"errors"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Lines is memory of which threads bring in, line by line, what they touch: a file's, through a cache. Its methods are
// called from several goroutines.
type Lines interface {
	LineShift() uint // the logarithm of a line's bytes
	Slots() int      // how many lines may be there at once
	// Pin brings a line in for groups of threads that ask for it one after the other, with so many accesses together.
	// It stays where it is until Release is called with the same. read is whether it was not there: then the first
	// group has waited for it.
	Pin(line int64, groups, accesses int, write bool) (p unsafe.Pointer, read bool, err error)
	Release(line int64, accesses int, write bool)
	// Count counts how often groups have asked, their accesses by whether they found the line, accesses without asking
	// to a line that had not been released, and the bytes of all these.
	Count(groups, hits, misses, reused, bytes int)
	// Coalesces is whether threads of a warp that want one line ask for it together, Reuses whether a warp may hold the
	// line that it had last. Without, programs do the same and take longer.
	Coalesces() bool
	Reuses() bool
}

// errAbandoned ends an access for which nobody waits any more.
var errAbandoned = errors.New("the launch was interrupted")

// PastLines are Lines that can be read past their cache.
type PastLines interface {
	// Past reads all of a line for so many accesses, of so many bytes each, to b, which has room for it.
	Past(line int64, accesses, bytes int, b []byte) error
}

// inLines reports whether a thread of w.list accesses, by in, memory of lines.
func (w *worker) inLines(in *instr, size uint64) bool {
	a, all := w.address(in), w.spaces[kir.Global]
	if a.affine {
		if lo, hi, ok := a.bounds(&w.extent); ok {
			bytes := uint64(hi-lo) + size
			if w.near[in.mem].holds(uint64(lo), bytes) {
				return false
			}
			if w.far[in.mem].holds(uint64(lo), bytes) {
				return true
			}
			if s := all.find(uint64(lo), bytes); s != nil {
				return s.lines != nil
			}
		}
	}
	addrs := lanes[uint64](a.lanes(&w.extent), w.n)
	near := w.near[in.mem]
	for _, t := range w.list {
		if near.holds(addrs[t], size) {
			continue
		}
		if s := all.find(addrs[t], size); s != nil {
			if s.lines != nil {
				return true
			}
			near = *s
		}
	}
	return false
}
