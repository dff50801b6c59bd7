package simgpu

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// shape is the addresses of a warp's lanes in an access, apart from where they are. Most accesses of an instruction
// have one of a few: a launch keeps each once, so that an access is recorded as a place and a shape, and what the
// timing model finds out about a shape once holds for all accesses that have it.
type shape struct {
	number  int // among all of the launch
	index   int // among those of the operation
	lanes   Mask
	offsets []int32 // of each lane's address from the first one's
	lo, hi  int64   // the least and the greatest of them
}

// has reports whether addrs, those of the given lanes, have the shape.
func (sh *shape) has(lanes Mask, addrs []uint64) bool {
	if sh.lanes != lanes {
		return false
	}
	first := addrs[0]
	for i, o := range sh.offsets[:len(addrs)] {
		if addrs[i]-first != uint64(int64(o)) {
			return false
		}
	}
	return true
}

// maxShapes bounds how many shapes of one operation are kept.
const maxShapes = 32

// pattern is the addresses of all threads of a block in an access, where they follow from the threads' indices by a
// rule.
type pattern struct {
	number int // among all of the launch
	index  int // among those of the operation
	step   [3]int64
	warps  []patternWarp
	lo, hi int64 // the least and the greatest distance from where it begins
}

// patternWarp is the access of a warp: a shape, and where that begins, from where the pattern does.
type patternWarp struct {
	shape  *shape
	offset uint64
}

// maxPatterns bounds how many patterns of one operation are kept.
const maxPatterns = 16

// shapes are those of a launch, and its patterns. Recorders of several goroutines use it.
type shapes struct {
	mu       sync.Mutex
	count    int
	patterns int
	byOp     []atomic.Pointer[[]*shape] // by the operation's ID
	rules    []atomic.Pointer[[]*pattern]
}

func newShapes(values int) *shapes {
	return &shapes{byOp: make([]atomic.Pointer[[]*shape], values), rules: make([]atomic.Pointer[[]*pattern], values)}
}

// of returns shape number index of an operation.
func (s *shapes) of(op, index int) *shape { return (*s.byOp[op].Load())[index] }

// patternOf returns pattern number index of an operation.
func (s *shapes) patternOf(op, index int) *pattern { return (*s.rules[op].Load())[index] }

// find returns the shape of an access of operation op; nil when that has too many, or lanes that are too far apart.
func (s *shapes) find(op int, lanes Mask, addrs []uint64) *shape {
	known := s.byOp[op].Load()
	if known != nil {
		for _, sh := range *known {
			if sh.has(lanes, addrs) {
				return sh
			}
		}
		if len(*known) >= maxShapes {
			return nil
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(op, lanes, addrs)
}

// add is find with the lock held.
func (s *shapes) add(op int, lanes Mask, addrs []uint64) *shape {
	var list []*shape
	if now := s.byOp[op].Load(); now != nil {
		list = *now
		for _, sh := range list {
			if sh.has(lanes, addrs) {
				return sh
			}
		}
		if len(list) >= maxShapes {
			return nil
		}
	}
	sh := &shape{number: s.count, index: len(list), lanes: lanes, offsets: make([]int32, len(addrs))}
	for i, addr := range addrs {
		o := int64(addr - addrs[0])
		if int64(int32(o)) != o { // of buffers that are far apart
			return nil
		}
		sh.offsets[i] = int32(o)
		sh.lo, sh.hi = min(sh.lo, o), max(sh.hi, o)
	}
	s.count++
	list = append(slices.Clip(list), sh)
	s.byOp[op].Store(&list)
	return sh
}

// pattern returns the pattern of an access of operation op by all threads of a block, the given warps, whose addresses
// follow the rule with the given steps; nil when the operation has too many patterns or shapes.
func (s *shapes) pattern(op int, step [3]int64, set []warpLanes, at cpu.Addresses) *pattern {
	find := func() *pattern {
		known := s.rules[op].Load()
		if known == nil {
			return nil
		}
		for _, p := range *known {
			if p.step == step {
				return p
			}
		}
		return nil
	}
	if p := find(); p != nil {
		return p
	}
	if known := s.rules[op].Load(); known != nil && len(*known) >= maxPatterns {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := find(); p != nil {
		return p
	}
	var list []*pattern
	if known := s.rules[op].Load(); known != nil {
		list = *known
	}
	addrs := at.List()
	base, _, _ := at.Affine()
	p := &pattern{number: s.patterns, index: len(list), step: step}
	for _, w := range set {
		own := addrs[:w.lanes.Count()]
		addrs = addrs[len(own):]
		sh := s.add(op, w.lanes, own)
		if sh == nil {
			return nil
		}
		offset := own[0] - base
		p.warps = append(p.warps, patternWarp{sh, offset})
		p.lo, p.hi = min(p.lo, int64(offset)+sh.lo), max(p.hi, int64(offset)+sh.hi)
	}
	s.patterns++
	list = append(slices.Clip(list), p)
	s.rules[op].Store(&list)
	return p
}

// addresses appends those of the given lanes, where the first of the shape's own is at base.
func (sh *shape) addresses(base uint64, m Mask, out []uint64) []uint64 {
	if m == sh.lanes {
		for _, o := range sh.offsets {
			out = append(out, base+uint64(int64(o)))
		}
		return out
	}
	for rest := m; rest != 0; rest &= rest - 1 {
		below := sh.lanes & (rest&-rest - 1)
		out = append(out, base+uint64(int64(sh.offsets[below.Count()])))
	}
	return out
}
