package kir

import (
	"fmt"
	"strings"
)

// Trap is the error of a run in which a thread touched memory that it may not, or an OpCheck of it failed. It ends the run,
// not the process.
type Trap struct {
	Kernel        string
	Block, Thread Dim3   // indices in the grid and in the block
	Value         *Value // the load, store, atomic or check, of the program's Func
	Pos           Pos
	Note          string // what the value is to a person, as its maker said
	Addr          uint64 // not of a check
	Bytes         int
	Figures       [2]int64 // of a check: its operands, such as index and length
	Msg           string   // what was wrong
}

func (t *Trap) Error() string {
	var s strings.Builder
	if t.Pos != (Pos{}) {
		fmt.Fprintf(&s, "%v: ", t.Pos)
	}
	fmt.Fprintf(&s, "kernel %s: thread %s of block %s", t.Kernel, index(t.Thread), index(t.Block))
	if t.Note != "" {
		fmt.Fprintf(&s, ", %s", t.Note)
	}
	if t.Value.Op == OpCheck {
		return s.String() + ": " + t.Msg
	}
	fmt.Fprintf(&s, ": %v of %d bytes at %s address %#x %s", t.Value.Op, t.Bytes, t.Value.Space, t.Addr, t.Msg)
	return s.String()
}

// BarrierError is the error of a run in which the threads of a block waited at two barriers, so that none could go on: a
// barrier stands where not all threads come.
type BarrierError struct {
	Kernel  string
	Block   Dim3      // index in the grid
	Barrier [2]*Value // of the program's Func
	Thread  [2]Dim3   // a thread that waits at each
	Waiting [2]int    // how many threads wait at each
}

func (e *BarrierError) Error() string {
	at := func(i int) string {
		v := e.Barrier[i]
		where := "in block " + blockName(v.Block)
		if v.Pos != (Pos{}) {
			where = "at " + v.Pos.String()
		}
		s := "threads wait"
		if e.Waiting[i] == 1 {
			s = "thread waits"
		}
		return fmt.Sprintf("%d %s at the barrier %s (thread %s among them)", e.Waiting[i], s, where, index(e.Thread[i]))
	}
	return fmt.Sprintf("kernel %s, block %s: divergent barriers: %s and %s; all threads of a block must come to the same barrier",
		e.Kernel, index(e.Block), at(0), at(1))
}

// index formats an index like Dim3.String formats a size, whose ones it leaves out: zeros.
func index(d Dim3) string {
	switch {
	case d.Z > 0:
		return fmt.Sprintf("(%d,%d,%d)", d.X, d.Y, d.Z)
	case d.Y > 0:
		return fmt.Sprintf("(%d,%d)", d.X, d.Y)
	}
	return fmt.Sprintf("(%d)", d.X)
}

// describe says what is wrong with size bytes at addr, which find did not find or which are not aligned.
func describe(space Space, segs []segment, addr, size uint64) string {
	if addr%size != 0 {
		return fmt.Sprintf("is not aligned: it must be a multiple of %d", size)
	}
	if space == Shared {
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
