package kir

import (
	"fmt"
	"strings"
)

// Trap is the error of a run in which a thread touched memory that it may not, or an OpCheck of it failed. It ends the
// run, not the process.
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
	Err           error    // of the file that has the memory, where that was it; else nil
}

// Unwrap returns the error of the file.
func (t *Trap) Unwrap() error { return t.Err }

func (t *Trap) Error() string {
	var s strings.Builder
	if t.Pos != (Pos{}) {
		fmt.Fprintf(&s, "%v: ", t.Pos)
	}
	fmt.Fprintf(&s, "kernel %s: thread %s of block %s", t.Kernel, IndexText(t.Thread), IndexText(t.Block))
	if t.Note != "" {
		fmt.Fprintf(&s, ", %s", t.Note)
	}
	if t.Value.Op == OpCheck {
		return s.String() + ": " + t.Msg
	}
	fmt.Fprintf(&s, ": %v of %d bytes at %s address %#x %s", t.Value.Op, t.Bytes, t.Value.Space, t.Addr, t.Msg)
	return s.String()
}

// BarrierError is the error of a run in which the threads of a block waited at two barriers, so that none could go on:
// a barrier stands where not all threads come.
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
		return fmt.Sprintf("%d %s at the barrier %s (thread %s among them)", e.Waiting[i], s, where, IndexText(e.Thread[i]))
	}
	return fmt.Sprintf("kernel %s, block %s: divergent barriers: %s and %s; all threads of a block must come to the same barrier",
		e.Kernel, IndexText(e.Block), at(0), at(1))
}

// GridBarrierError is the error of a cooperative launch in which blocks wait at a barrier of the grid for others that
// have ended.
type GridBarrierError struct {
	Kernel  string
	Barrier *Value // of the program's Func
	Waiting Dim3   // a block that waits, and how many do
	Waits   int
	Ended   Dim3 // a block that has ended, and how many have
	Ends    int
}

func (e *GridBarrierError) Error() string {
	at := ""
	if e.Barrier.Pos != (Pos{}) {
		at = e.Barrier.Pos.String() + ": "
	}
	of := "grid"
	if e.Barrier.Op == OpClusterBarrier {
		of = "cluster"
	}
	return fmt.Sprintf("%skernel %s: %d blocks wait at the barrier of the %s (block %s among them) for %d that have ended (block %s among them); all blocks of a %s must come to it",
		at, e.Kernel, e.Waits, of, IndexText(e.Waiting), e.Ends, IndexText(e.Ended), of)
}

// IndexText formats an index like Dim3.String formats a size, whose ones it leaves out: zeros.
func IndexText(d Dim3) string {
	switch {
	case d.Z > 0:
		return fmt.Sprintf("(%d,%d,%d)", d.X, d.Y, d.Z)
	case d.Y > 0:
		return fmt.Sprintf("(%d,%d)", d.X, d.Y)
	}
	return fmt.Sprintf("(%d)", d.X)
}

// FailedCheck returns the error of a run on a device in which the check of the given number (Value.ID) failed for a
// thread, with the check's two figures; nil when f has no such check.
func (f *Func) FailedCheck(id int, block, thread Dim3, x, y int64) *Trap {
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if v.Op == OpCheck && v.ID == id {
				return f.CheckTrap(v, block, thread, x, y)
			}
		}
	}
	return nil
}

// CheckTrap returns the error of a run in which the check v failed for a thread, with its figures.
func (f *Func) CheckTrap(v *Value, block, thread Dim3, x, y int64) *Trap {
	kind, text := f.Check(v)
	return &Trap{Kernel: f.Name, Block: block, Thread: thread, Value: v, Pos: v.Pos, Note: v.Note, Figures: [2]int64{x, y}, Msg: checkMessage(kind, text, x, y)}
}

// checkMessage says what an OpCheck of the kind found.
func checkMessage(kind CheckKind, text string, x, y int64) string {
	var s string
	switch kind {
	case CheckIndex:
		s = fmt.Sprintf("index %d is out of range: the length is %d", x, y)
	case CheckSlice:
		s = fmt.Sprintf("slice bound %d is out of range: the capacity is %d", x, y)
	case CheckDivide:
		s = "an integer is divided by zero"
	case CheckShift:
		s = fmt.Sprintf("the shift count %d is negative", x)
	case CheckPanic:
		s, text = "panic: "+text, ""
	}
	if text != "" {
		s += " (" + text + ")"
	}
	return s
}

// WarpError is the error of a run in which lanes of a warp could not meet at an operation of the warp: one that its
// mask names never came, or the masks contradict each other.
type WarpError struct {
	Kernel        string
	Block, Thread Dim3   // indices of the block in the grid, and in it of a thread that came
	Value         *Value // the operation, of the program's Func
	Msg           string
}

func (e *WarpError) Error() string {
	at := ""
	if e.Value.Pos != (Pos{}) {
		at = e.Value.Pos.String() + ": "
	}
	return fmt.Sprintf("%skernel %s: thread %s of block %s, %v: %s", at, e.Kernel, IndexText(e.Thread), IndexText(e.Block), e.Value.Op, e.Msg)
}
