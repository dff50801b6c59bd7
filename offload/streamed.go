package offload

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
	"weak"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/partition"
	"github.com/arrayrepl/arrayrepl/offload/storage"
)

// What lies in a file goes through the device as what does not fit there does: by the pieces of a chain of tasks, of
// which each reads those elements from the file that it needs. While the device works on one piece, the next is read.

const (
	leastBudget = 32 << 20 // where little is free
	leastRoom   = 1 << 20  // of pieces, however small the budget is: kernels that reduce take no less at a time
)

// SetHostBudget bounds the memory of the host that reading and writing files of arrays takes, however large they are; 0
// is an eighth of what is free, as at first.
func (rt *Runtime) SetHostBudget(bytes int64) { rt.budget.Store(max(bytes, 0)) }

// HostBudget returns the bound.
func (rt *Runtime) HostBudget() int64 {
	if n := rt.budget.Load(); n > 0 {
		return n
	}
	now := time.Now().UnixNano()
	if since := now - rt.free.at.Load(); since < 0 || since > int64(freeIsKnown) {
		rt.free.bytes.Store(budget.Free())
		rt.free.at.Store(now)
	}
	return max(rt.free.bytes.Load()/8, leastBudget)
}

// freeIsKnown is how long the runtime takes memory that was free to be free still: to ask takes as long as a small
// evaluation, and each evaluation wants to know.
const freeIsKnown = 100 * time.Millisecond

// freeMemory is what was free, and when.
type freeMemory struct{ at, bytes atomic.Int64 }

// streamingRoom is how much of a device's memory pieces of files may have: as much again is for what is read for the
// next ones, or waits to be written, and for what the collector has not found yet.
func (rt *Runtime) streamingRoom() int64 { return max(rt.HostBudget()/4, leastRoom) }

// SetSink lets the host have v, which a task of the next run makes piece by piece, in a file. The run fails with a
// *NotStreamed where it cannot be made so. The file is its caller's: v does not stay there, nor in one of its own.
func (v *Value) SetSink(s *storage.Source) {
	if v.sink = s; s != nil {
		v.spill = nil
	}
}

// SetSpill lets the host have v in a file that is made for it when a run begins, and is gone with v: where v is made
// piece by piece, or by a task that [Task.Puts] it there. Otherwise it is in memory.
func (v *Value) SetSpill(file func() (*storage.Source, error)) { v.spill = file }

// Spilled reports whether v is in a file of its own.
func (v *Value) Spilled() bool { return v.spill != nil && v.source != nil }

// Sink is where the task that makes v puts it; nil for memory.
func (v *Value) Sink() *storage.Source { return v.sink }

// openSpills makes the files of p's values.
func (p Program) openSpills() error {
	for _, t := range p.Tasks {
		for _, v := range t.Out {
			if v.spill == nil || v.sink != nil {
				continue
			}
			s, err := v.spill()
			if err != nil {
				return err
			}
			runtime.AddCleanup(v, (*storage.Source).Release, s)
			v.sink = s
		}
	}
	return nil
}

// dropSpill lets go of v's own file.
func (v *Value) dropSpill() {
	if v.spill != nil && v.sink != nil {
		v.sink.Release()
		v.sink = nil
	}
}

// letSinks forgets what a run has put into files: those who asked for it have it there.
func (p Program) letSinks() {
	for _, t := range p.Tasks {
		for _, v := range t.Out {
			if v.spill != nil && v.source == nil { // there was no need for its file
				v.dropSpill()
			}
			if v.spill == nil && v.sink != nil && v.source == v.sink {
				v.source = nil
			}
		}
	}
}

// streams reports whether t reads from a file that is not in memory, or makes what goes to one.
func (t *Task) streams() bool {
	for _, v := range t.In {
		if v.source != nil && v.host == nil {
			return true
		}
	}
	for _, v := range t.Out {
		if v.sink != nil {
			return true
		}
	}
	return false
}

// unwritten returns an error when something that should be in a file was made another way.
func (p Program) unwritten() error {
	for _, t := range p.Tasks {
		for _, v := range t.Out {
			if v.spill == nil && v.sink != nil && v.source == nil {
				return &NotStreamed{Task: t.Name, Path: v.sink.Path(), Need: int64(v.size), Why: t.uncut()}
			}
		}
	}
	return nil
}

// NotStreamed is the error of what needs a file's elements all at once, and more memory for them than there may be: it
// was found out before anything was read.
type NotStreamed struct {
	Task         string // "sort"
	Path         string
	Need, Budget int64
	Why          string // it is not cut into pieces
}

// Error says what to do.
func (e *NotStreamed) Error() string {
	what := "this"
	if e.Task != "" {
		what = e.Task
	}
	return fmt.Sprintf("%s needs all of %s in memory, %s, and the host's budget for files is %s: %s. Work on parts of it, as x.At(np.S(lo, hi)), or raise the budget with np.SetHostBudget",
		what, brief.Path(e.Path), device.Bytes(e.Need), device.Bytes(e.Budget), e.Why)
}

// readWhole reads all of v's file to memory, for the rest of the run and what its caller does with it.
func (rt *Runtime) readWhole(ctx context.Context, v *Value, rec *recorder) error {
	if most := rt.HostBudget(); int64(v.size) > most && !v.source.IsTemporary() { // a result is in memory when it is asked for
		return rec.owner.needsAll(v.source.Path(), int64(v.size), most)
	}
	if err := budget.Limited("what is read from "+v.source.Path(), int64(v.size)); err != nil {
		return err
	}
	b := make([]byte, v.size)
	if err := readRange(ctx, v.source, b, 0); err != nil {
		return err
	}
	v.host = b
	rt.memory.whole = append(rt.memory.whole, weak.Make(v))
	return nil
}

// dropWhole lets go of what earlier runs have read whole.
func (m *memory) dropWhole() {
	for _, w := range m.whole {
		if v := w.Value(); v != nil && v.source != nil {
			v.host = nil
		}
	}
	m.whole = m.whole[:0]
}

const (
	mostRead  = 8 << 20 // bytes of one read, between two looks at whether anyone still waits
	leastRead = 1 << 20 // that are read at once where a piece has few of them, apart from each other
	thinnest  = 16      // less than one part in so many is read by itself
)

// readRange reads bytes from off on.
func readRange(ctx context.Context, from *storage.Source, to []byte, off int64) error {
	for len(to) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(mostRead, len(to))
		if err := from.ReadAt(to[:n], off); err != nil {
			return err
		}
		to, off = to[n:], off+int64(n)
	}
	return nil
}

// readBox reads the elements of a box, each of so many bytes, side by side to to. Where many lie close to each other,
// those between are read with them.
func readBox(ctx context.Context, from *storage.Source, to []byte, box partition.Box, root []int, bytes int) (err error) {
	if at, together := box.Run(root); together {
		return readRange(ctx, from, to[:box.Len()*bytes], int64(at*bytes))
	}
	first, end := -1, 0 // of all that the box lies in
	box.Runs(root, func(at, n, _ int) {
		if first < 0 {
			first = at
		}
		end = at + n
	})
	dense := from.Memory() == nil && (end-first)/thinnest <= box.Len()
	var window []byte // of the file
	start := 0        // where that begins
	box.Runs(root, func(at, n, before int) {
		lo, hi, dst := at*bytes, (at+n)*bytes, to[before*bytes:][:n*bytes]
		switch {
		case err != nil:
		case from.Memory() != nil:
			copy(dst, from.Memory()[lo:hi])
		case !dense || hi-lo >= leastRead:
			err = readRange(ctx, from, dst, int64(lo))
		default:
			if lo < start || hi > start+len(window) {
				if window == nil {
					window = make([]byte, leastRead/bytes*bytes)
				}
				window, start = window[:min(cap(window)/bytes*bytes, end*bytes-lo)], lo
				if err = readRange(ctx, from, window, int64(lo)); err != nil {
					return
				}
			}
			copy(dst, window[lo-start:])
		}
	})
	return err
}
