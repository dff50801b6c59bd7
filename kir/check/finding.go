package check

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Access is what one thread did: it executed Value.
type Access struct {
	Value         *kir.Value // of the program's Func
	Block, Thread kir.Dim3   // indices in the grid and in the block
}

// Finding is one thing that is wrong with a kernel.
type Finding struct {
	Kind   Kind
	Kernel string
	Space  kir.Space
	Addr   uint64
	Where  string // the element: "tile[31]", "y[5]"; empty where that is not known
	Access        // what came second, or alone
	With   Access // what it met: for races and missing warp syncs
	Count  int    // how often, at the same two lines
	Err    error  // of the run, for kinds that end it
	Lane   int    // of a NoLane: the lane that is not there

	// Of a MissedBarrier: how many threads of the block waited, and how many had ended.
	Waited, Ended int
}

// String says what is wrong, where, and what to do about it.
func (f Finding) String() string {
	if f.Err != nil {
		if f.Where != "" {
			return f.Err.Error() + " (" + f.Where + ")"
		}
		return f.Err.Error()
	}
	place := fmt.Sprintf("%v memory at %#x", f.Space, f.Addr)
	if f.Where != "" {
		place = fmt.Sprintf("%s (%v address %#x)", f.Where, f.Space, f.Addr)
	}
	var s strings.Builder
	if f.Value.Pos != (kir.Pos{}) {
		fmt.Fprintf(&s, "%v: ", f.Value.Pos)
	}
	fmt.Fprintf(&s, "kernel %s: %v: ", f.Kernel, f.Kind)
	switch f.Kind {
	case Uninitialized:
		fmt.Fprintf(&s, "%s reads %s, which no thread of the block has written", f.Access, place)
	case MissedBarrier:
		fmt.Fprintf(&s, "%s; all threads of a block must come to a barrier", f.Missed())
	case NoLane:
		fmt.Fprintf(&s, "%s gets its value by shuffle from lane %d of its warp, %s: the value may be any", f.Access, f.Lane, f.NoThread())
	case AbsentBlock:
		fmt.Fprintf(&s, "%s %s %s of a block that may not have begun, or has ended: all blocks of a cluster must come to its barrier before the first such access and after the last",
			f.Access, f.Verb(), place)
	case UnfinishedCopy:
		fmt.Fprintf(&s, "%s reads %s while the copy to it may be on its way that %s has begun; its thread must wait for it, and the others for the thread", f.Access, place, f.With)
	default:
		fmt.Fprintf(&s, "%s %s %s, and %s %s it", f.Access, f.Verb(), place, f.With, f.With.Verb())
		switch {
		case f.Kind == MissingWarpSync:
			s.WriteString("; they are of one warp: a warp barrier must stand between")
		case f.Access.Block != f.With.Block:
			s.WriteString("; blocks run in any order: use atomics, or another launch")
		default:
			s.WriteString("; a barrier must stand between")
		}
	}
	if f.Count > 1 {
		fmt.Fprintf(&s, " (%d times)", f.Count)
	}
	return s.String()
}

// Missed says who waited at the barrier of a MissedBarrier: "16 threads of block (0) waited, 48 had ended".
func (f Finding) Missed() string {
	threads := "threads"
	if f.Waited == 1 {
		threads = "thread"
	}
	return fmt.Sprintf("%d %s of block %s waited, %d had ended", f.Waited, threads, index(f.Block), f.Ended)
}

// NoThread says why the lane of a NoLane is not there.
func (f Finding) NoThread() string {
	if f.Ended > 0 {
		return "whose thread has ended"
	}
	return "which the block does not have"
}

// String names the thread and its place in the source.
func (a Access) String() string {
	s := fmt.Sprintf("thread %s of block %s", index(a.Thread), index(a.Block))
	if a.Value.Pos != (kir.Pos{}) {
		s += " at " + a.Value.Pos.String()
	}
	if a.Value.Note != "" {
		s += ", " + a.Value.Note + ","
	}
	return s
}

// Verb says what the access does: "reads".
func (a Access) Verb() string {
	switch {
	case a.Value.Op.IsBarrier():
		return "waits"
	case a.Value.Op == kir.OpShuffle:
		return "exchanges"
	case a.Value.Op.IsAtomic():
		return "atomically changes"
	case a.Value.Op == kir.OpStore:
		return "writes"
	}
	return "reads"
}

func index(d kir.Dim3) string {
	switch {
	case d.Z > 0:
		return fmt.Sprintf("(%d,%d,%d)", d.X, d.Y, d.Z)
	case d.Y > 0:
		return fmt.Sprintf("(%d,%d)", d.X, d.Y)
	}
	return fmt.Sprintf("(%d)", d.X)
}

func (c *checker) failure(k Kind, err error, v *kir.Value, block, thread kir.Dim3, addr uint64) Finding {
	f := Finding{Kind: k, Kernel: c.f.Name, Addr: addr, Access: Access{v, block, thread}, Count: 1, Err: err}
	if k == OutOfBounds && v.Op.IsMemory() {
		f.Space = v.Space
		if name, _ := c.pointer(addr); name != "" && v.Space == kir.Global {
			f.Where = "the buffer of " + name
		}
	}
	return f
}

// where names the element of size bytes at addr.
func (c *checker) where(v *kir.Value, addr uint64) string {
	size := uint64(elemBytes(v))
	if v.Space == kir.Shared {
		for _, a := range c.f.Shared {
			end := a.Offset + a.Bytes()
			if a.Len == 0 {
				end = c.f.SharedBytes() + c.l.SharedBytes
			}
			if off := uint64(a.Offset); addr >= off && addr < uint64(end) {
				return fmt.Sprintf("%s[%d]", a.Name, (addr-off)/uint64(a.Elem.Bytes()))
			}
		}
		return ""
	}
	if name, base := c.pointer(addr); name != "" {
		return fmt.Sprintf("%s[%d]", name, (addr-base)/size)
	}
	return ""
}

// pointer returns the parameter whose buffer holds addr, or ends near before it, and where it points.
func (c *checker) pointer(addr uint64) (name string, base uint64) {
	const near = 1 << 20
	for _, p := range c.f.Params {
		if p.Type != kir.U64 {
			continue
		}
		at := binary.LittleEndian.Uint64(c.l.Params[p.Offset:])
		if addr >= at && at >= base && (name == "" || at > base) && addr-at < near+c.l.Memory.Size(at) {
			name, base = p.Name, at
		}
	}
	return name, base
}

// elemBytes returns the size of what a memory operation accesses.
func elemBytes(v *kir.Value) int {
	if v.Op == kir.OpStore {
		return v.Args[1].Type.Bytes()
	}
	return v.Type.Bytes()
}
