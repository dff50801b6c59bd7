package supervise

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/arrayrepl/arrayrepl/interp/cellerror"
	"github.com/arrayrepl/arrayrepl/interp/engine"
)

const (
	// stackTick is how often the size of all stacks is looked at, and stackLimit how much they may grow beyond
	// stackEach a goroutine: about 100,000 nested calls. Stacks double, and Go ends the process when one would exceed
	// the maximum, which maxStack raises, so that the watcher wins also on a busy machine (seen: 384 MB at its first
	// look).
	stackTick  = 2 * time.Millisecond
	stackLimit = 48 << 20
	stackEach  = 16 << 10
	maxStack   = 1536 << 20
	// deepFrames is how many frames of compiled code a goroutine has at least, in the profile of goroutines, whose
	// stack may be the one that grew. The profile ends at 128.
	deepFrames = 100
	// memoryTick is how often the memory is looked at, and waitTick how often it is looked whether a cell waits for
	// ever.
	memoryTick = 10 * time.Millisecond
	waitTick   = 250 * time.Millisecond
)

// watcher ends cells that take what the process has not. It is a timer that is set anew, and no goroutine: cells may
// count those, and one that is over before the first look costs next to nothing. The timer of a cell that has ended
// stays set, and serves the next if that comes soon: to set a timer wakes a thread up, which takes as long as a small
// cell.
type watcher struct {
	mu     sync.Mutex
	timer  *time.Timer
	set    bool     // the timer is
	during *watched // nil when no cell runs
}

// watched is what is known of the cells that run, from the first's begin until none is left. The timer's goroutine
// alone writes it.
type watched struct {
	base          int64 // the least that the stacks have had since
	memory, waits time.Time
}

// beginWatch has the cells that run be watched, until endWatch.
func (s *Supervisor) beginWatch() {
	stacks, heap := memoryBytes()
	s.memory.floor.Store(heap + heap/16)
	w := &s.watcher
	w.mu.Lock()
	defer w.mu.Unlock()
	w.during = &watched{base: stacks}
	switch {
	case w.set:
	case w.timer == nil:
		w.timer = time.AfterFunc(stackTick, s.watch)
	default:
		w.timer.Reset(stackTick)
	}
	w.set = true
}

func (s *Supervisor) endWatch() {
	s.watcher.mu.Lock()
	defer s.watcher.mu.Unlock()
	s.watcher.during = nil
}

// watch looks once, and has the next look come if cells run.
func (s *Supervisor) watch() {
	w := &s.watcher
	w.mu.Lock()
	during := w.during
	w.mu.Unlock()
	if during != nil {
		s.look(during)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.set = w.during != nil; w.set {
		w.timer.Reset(stackTick)
	}
}

// look looks once.
func (s *Supervisor) look(w *watched) {
	now := time.Now()
	have := stackBytes()
	w.base = min(w.base, have) // what earlier cells left is collected meanwhile: growth up to there would not be seen
	if n := have - w.base; n > stackLimit+stackEach*int64(runtime.NumGoroutine()) {
		s.overflow(n)
		w.base = stackBytes() // it shrinks when the goroutines have ended and garbage has been collected
	}
	if now.Sub(w.memory) >= memoryTick {
		w.memory = now
		s.watchMemory()
	}
	if w.waits.IsZero() {
		w.waits = now
	}
	if now.Sub(w.waits) >= waitTick {
		w.waits = now
		s.watchWaits(now)
		if runtime.NumGoroutine() <= waitGoroutines {
			s.sweep() // what earlier cells left may have ended: polls of this one are fast again
		}
	}
}

// overflow ends the cells with a deep stack, now that all stacks have grown by n bytes. There may be none: many
// goroutines leave much behind.
func (s *Supervisor) overflow(n int64) {
	fail := stackError(n)
	live := liveCrews()
	s.owners.each(func(c *crew) {
		if a := live[c.name]; a != nil && a.deepest >= deepFrames {
			c.run.give(fail)
		}
	})
	if a := live[""]; a == nil || a.deepest < deepFrames { // of those that have lost their tag
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.running {
		r.give(fail)
	}
}

// tooDeep ends the cell of the calling goroutine, whose calls take so many bytes.
func (s *Supervisor) tooDeep(bytes int64, trace func() []engine.Frame) {
	if r := s.mine(); r != nil {
		err := stackError(bytes)
		err.Trace = trace()
		r.give(err)
	}
	runtime.Goexit()
}

func stackError(bytes int64) *cellerror.Error {
	return &cellerror.Error{Kind: cellerror.StackLimit, Message: fmt.Sprintf("calls nested too deep: the stack grew to %d MB; is there a recursion without an end?", bytes>>20)}
}

// stackBytes is the memory of all goroutines' stacks. Reading it takes about a microsecond and stops nothing.
func stackBytes() int64 { return readMetric(stackMetric) }

// heapBytes is what objects take of the heap, with those that are garbage and not collected.
func heapBytes() int64 { return readMetric(heapMetric) }

const (
	stackMetric = "/memory/classes/heap/stacks:bytes"
	heapMetric  = "/memory/classes/heap/objects:bytes"
)

func readMetric(name string) int64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// memoryBytes is stackBytes and heapBytes in the time of one.
func memoryBytes() (stacks, heap int64) {
	samples := []metrics.Sample{{Name: stackMetric}, {Name: heapMetric}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64()), int64(samples[1].Value.Uint64())
}
