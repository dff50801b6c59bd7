package supervise

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/interp/cellerror"
	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// memory is what the cells of a session may take of the heap.
type memory struct {
	limit atomic.Int64 // 0: all there is
	// what was in use when the running cells began, and some more: a cell must run that frees what there is too much
	floor atomic.Int64
}

// memoryError is an allocation that the limit does not allow.
type memoryError struct {
	what              string
	need, limit, used int64
}

func (e *memoryError) Error() string {
	if e.need == 0 {
		return fmt.Sprintf("the memory in use grew to %s; the limit is %s (%%memlimit). Variables are kept: set what is large to nil", budget.Bytes(e.used), budget.Bytes(e.limit))
	}
	return fmt.Sprintf("%s takes %s, and %s are in use; the limit is %s (%%memlimit)", e.what, budget.Bytes(e.need), budget.Bytes(e.used), budget.Bytes(e.limit))
}

// SetMemoryLimit sets how many bytes of the heap cells may take, all together; 0 lifts the limit. A cell that goes
// beyond it ends with an error of kind MemoryLimit, and what it has made is kept as far as variables hold it: make and
// append before they do it, the loop that makes many small things soon after. Garbage is collected harder near the
// limit, for the whole process.
func (s *Supervisor) SetMemoryLimit(bytes int64) {
	s.memory.limit.Store(max(bytes, 0))
	if bytes <= 0 {
		bytes = math.MaxInt64
	}
	debug.SetMemoryLimit(bytes)
}

// MemoryLimit returns the limit, 0 when there is none, and what is in use now, with garbage that is not collected yet.
func (s *Supervisor) MemoryLimit() (limit, used int64) { return s.memory.limit.Load(), heapBytes() }

// CheckMemory returns an error when the limit does not allow to make something of so many bytes: for compiled code that
// makes what is large on behalf of a cell. What names it, as "an array".
func (s *Supervisor) CheckMemory(what string, bytes int64) error {
	limit := s.memory.limit.Load()
	if limit == 0 || bytes < engine.LargeAllocation || fits(bytes, heapBytes(), limit) {
		return nil
	}
	if bytes <= limit { // garbage may be in its place
		runtime.GC()
		if fits(bytes, heapBytes(), limit) {
			return nil
		}
	}
	return &memoryError{what, bytes, limit, heapBytes()}
}

// fits reports whether need and used stay within limit.
func fits(need, used, limit int64) bool { return need <= limit && used <= limit-need }

// allow panics when CheckMemory refuses n elements of so many bytes.
func (s *Supervisor) allow(what func() string, n, size int64) {
	bytes := float64(n) * float64(size)
	if bytes < engine.LargeAllocation || s.memory.limit.Load() == 0 {
		return
	}
	if err := s.CheckMemory("", int64(min(bytes, math.MaxInt64/2))); err != nil {
		err.(*memoryError).what = what()
		panic(err)
	}
}

// watchMemory ends the running cells when they have taken more than the limit.
func (s *Supervisor) watchMemory() {
	limit := s.memory.limit.Load()
	if limit == 0 {
		return
	}
	limit = max(limit, s.memory.floor.Load())
	if heapBytes() <= limit {
		return
	}
	runtime.GC()
	used := heapBytes()
	if used <= limit {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.running { // whose it is is not known
		r.give(&cellerror.Error{Kind: cellerror.MemoryLimit, Message: (&memoryError{limit: s.memory.limit.Load(), used: used}).Error()})
	}
	s.memory.floor.Store(used + used/16)
}
