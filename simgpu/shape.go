package simgpu

import (
	"slices"
	"sync"
	"sync/atomic"
)

// shape is the addresses of a warp's lanes in an access, apart from where they are. Most accesses of an instruction have one
// of a few: a launch keeps each once, so that an access is recorded as a place and a shape, and what the timing model finds
// out about a shape once holds for all accesses that have it.
type shape struct {
	number  int32
	lanes   Mask
	offsets []uint64 // of each lane's address from the first one's
	lo, hi  int64    // the least and the greatest of them
}

// has reports whether addrs, those of the given lanes, have the shape.
func (sh *shape) has(lanes Mask, addrs []uint64) bool {
	if sh.lanes != lanes {
		return false
	}
	first := addrs[0]
	for i, o := range sh.offsets[:len(addrs)] {
		if addrs[i]-first != o {
			return false
		}
	}
	return true
}

// maxShapes bounds how many shapes of one operation are kept.
const maxShapes = 32

// shapes are those of a launch. Recorders of several goroutines use it; it is only read once the launch is over.
type shapes struct {
	mu  sync.Mutex
	all []*shape
	of  []atomic.Pointer[[]*shape] // by the operation's ID
}

func newShapes(values int) *shapes { return &shapes{of: make([]atomic.Pointer[[]*shape], values)} }

// find returns the shape of an access of operation op; nil when that has too many.
func (s *shapes) find(op int, lanes Mask, addrs []uint64) *shape {
	known := s.of[op].Load()
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
	var list []*shape
	if now := s.of[op].Load(); now != nil {
		if now != known {
			for _, sh := range *now {
				if sh.has(lanes, addrs) {
					return sh
				}
			}
		}
		if list = *now; len(list) >= maxShapes {
			return nil
		}
	}
	sh := &shape{number: int32(len(s.all)), lanes: lanes, offsets: make([]uint64, len(addrs))}
	for i, addr := range addrs {
		o := addr - addrs[0]
		sh.offsets[i] = o
		sh.lo, sh.hi = min(sh.lo, int64(o)), max(sh.hi, int64(o))
	}
	s.all = append(s.all, sh)
	list = append(slices.Clip(list), sh)
	s.of[op].Store(&list)
	return sh
}

// addresses appends those of the given lanes, where the first of the shape's own is at base.
func (sh *shape) addresses(base uint64, m Mask, out []uint64) []uint64 {
	if m == sh.lanes {
		for _, o := range sh.offsets {
			out = append(out, base+o)
		}
		return out
	}
	for rest := m; rest != 0; rest &= rest - 1 {
		below := sh.lanes & (rest&-rest - 1)
		out = append(out, base+sh.offsets[below.Count()])
	}
	return out
}

// Places that are so many bytes apart are the same to every rule of coalescing: the largest piece of memory that one aligns to
// is 16 words of 32 bytes.
const (
	moveBlock = 512
	moveLines = moveBlock / lineBytes
)

// known is what a machine has found out about accesses of a shape: all lanes go together, and the instruction is always the same.
type known struct {
	moves            [4]knownMoves // by the sector of a line in which the first lane's word is
	passes, conflict int32         // of shared memory; 0 passes when that is not known
	low              uint8         // the place within a word for which they hold
}

// knownMoves is the transactions of accesses that begin at place at-1 of a moveBlock; their lines are counted from it.
type knownMoves struct {
	at      uint64
	sectors int64
	list    []transaction
}

// known returns what is known of access number n of the step that st is in and where it begins; nil where that has no shape or st is
// not of all its lanes.
func (s *sm) known(st *strand, n int32) (*known, uint64) {
	w := st.warp
	if w.together < 0 || s.m.exec != nil {
		return nil, 0
	}
	step := &w.trace.steps[w.together]
	if step.lanes != st.lanes {
		return nil, 0
	}
	a := &w.trace.access[step.access+n]
	if a.shape < 0 {
		return nil, 0
	}
	return &s.m.known[a.shape], a.base
}

// transactionsOf returns what an access of st moves, and how many sectors that are. The list is valid until the next call.
func (s *sm) transactionsOf(st *strand, in *instr) (list []transaction, sectors int64) {
	rule, load := s.m.preset.Coalescing, in.kind == kindLoad
	k, base := s.known(st, in.access)
	if k == nil {
		s.transactions = rule.transactions(s.addresses(st, in.access), st.lanes, int(in.bytes), load, s.transactions[:0])
		return s.transactions, sectorsOf(s.transactions)
	}
	at, first := base%moveBlock+1, base/moveBlock*moveLines
	e := &k.moves[base/sectorBytes%uint64(len(k.moves))]
	if e.at != at {
		e.at = at
		e.list = rule.transactions(s.addresses(st, in.access), st.lanes, int(in.bytes), load, e.list[:0])
		for i := range e.list {
			e.list[i].line -= first
		}
		e.sectors = sectorsOf(e.list)
	}
	s.transactions = s.transactions[:0]
	for _, t := range e.list {
		s.transactions = append(s.transactions, transaction{t.line + first, t.sectors})
	}
	return s.transactions, e.sectors
}

func sectorsOf(list []transaction) (n int64) {
	for _, t := range list {
		n += int64(ones(t.sectors))
	}
	return n
}

// bankPasses is access.bankPasses for an access of st.
func (s *sm) bankPasses(st *strand, in *instr) (passes, conflicts int) {
	banks := s.m.preset.SharedBanks
	k, base := s.known(st, in.access)
	low := uint8(base % 4) // whole words more turn the banks, and change nothing
	if k != nil && k.passes > 0 && k.low == low {
		return int(k.passes), int(k.conflict)
	}
	passes, conflicts = s.addresses(st, in.access).bankPasses(st.lanes, int(in.bytes), banks)
	if k != nil {
		k.passes, k.conflict, k.low = int32(passes), int32(conflicts), low
	}
	return passes, conflicts
}
