package cpu

import (
	"sort"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
)

// fewNeighbours is how many threads a list begins and ends with in a row that is taken as runs of neighbours.
const fewNeighbours = 8

// neighbours reports whether w.list is some of the threads, in long runs of neighbours as it seems, and the affine
// addresses of a block's neighbours are size bytes apart: as the first half of a block has it in a tree of sums.
func (w *worker) neighbours(a *reg, size uint64) bool {
	n := len(w.list)
	if n == w.n || n < fewNeighbours || !a.affine || (a.base|uint64(a.s[3]))&(size-1) != 0 {
		return false
	}
	if !inRow(w.list[:fewNeighbours]) || !inRow(w.list[n-fewNeighbours:]) {
		return false
	}
	for i, n := range w.extent[:3] {
		if n > 1 && a.s[i] != int64(size) {
			return false
		}
		size *= uint64(n)
	}
	return true
}

func inRow(list []int32) bool { return int(list[len(list)-1]-list[0]) == len(list)-1 }

// accessNeighbours loads or stores x for runs of w.list, of which neighbours has said that they may be taken so. It
// returns false where some are outside of the memory, which thread after thread then finds.
func accessNeighbours[T unsigned](w *worker, in *instr, a *reg, x []T) bool {
	if in.v.Space == kir.Local {
		return false
	}
	size := uint64(unsafe.Sizeof(T(0)))
	for list := w.list; len(list) > 0; {
		t := int(list[0])
		block := t / w.per
		n := min(len(list), (block+1)*w.per-t)
		if !inRow(list[:n]) {
			n = sort.Search(n, func(i int) bool { return int(list[i]) != t+i })
		}
		addr := a.base + uint64(t-block*w.per)*size + uint64(block)*uint64(a.s[3])
		s := w.segment(in, addr, uint64(n)*size)
		if s == nil {
			return false
		}
		p := s.at(addr)
		if in.v.Space == kir.Shared {
			p = unsafe.Add(p, block*w.apart)
		}
		if in.op == kir.OpStore {
			copy(lanes[T](p, n), x[t:])
		} else {
			copy(x[t:t+n], lanes[T](p, n))
		}
		list = list[n:]
	}
	return true
}
