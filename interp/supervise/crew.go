package supervise

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// crew is the goroutines of one run that one go statement has started. Those of which that is not known, the cell's own
// among them, are its first crew. A goroutine that compiled code starts belongs to the crew of who called that code.
type crew struct {
	run  *Run
	name string       // in the tags of its goroutines, and no other crew's of the process
	at   engine.Frame // of the go statement; of the first crew none

	labels    weak.Pointer[byte] // of its tag, while a goroutine has them; guarded by run.mu
	abandoned atomic.Bool        // its goroutines end at their next poll
	quit      chan struct{}      // closed then: it wakes those that wait where the session sees them wait
	job       atomic.Int64       // see Job
}

// crewKey is the label that tells the crews of a run apart.
const crewKey = "arrayrepl crew"

// newCrew returns a crew without goroutines.
func newCrew(r *Run, name string, at engine.Frame) *crew {
	return &crew{run: r, name: name, at: at, quit: make(chan struct{})}
}

// leave lets the crew's goroutines end. It may be called again.
func (c *crew) leave() {
	if !c.abandoned.Swap(true) {
		close(c.quit)
	}
}

// quit is closed when the calling goroutine must end. It is nil when that is not a cell's.
func (s *Supervisor) quit() <-chan struct{} {
	if c := s.owners.of(golabel.Current()); c != nil {
		return c.quit
	}
	return nil
}

// spawn returns the labels for a goroutine that one with the labels from starts, by a go statement at the innermost
// frame of trace.
func (s *Supervisor) spawn(from unsafe.Pointer, trace func() []engine.Frame) unsafe.Pointer {
	c := s.owners.of(from)
	if c == nil {
		return from
	}
	frames := trace()
	if len(frames) == 0 {
		return from
	}
	at := frames[0]
	at.Func = ""
	return golabel.Inherit(from, s.labelsAt(c.run, at))
}

// labelsAt returns the labels of the goroutines that r starts at a line.
func (s *Supervisor) labelsAt(r *Run, at engine.Frame) unsafe.Pointer {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.crews[at]
	if c != nil && (!c.abandoned.Load() || r.abandoned) {
		if p := c.labels.Value(); p != nil {
			return unsafe.Pointer(p)
		}
	} else {
		c = newCrew(r, fmt.Sprint(r.name, " g", tags.Add(1)), at)
		if r.crews == nil {
			r.crews = map[engine.Frame]*crew{}
		}
		r.crews[at] = c
		if r.abandoned {
			s.abandonCrew(c)
		}
	}
	labels := golabel.New(tagKey, r.name, crewKey, c.name)
	c.labels = weak.Make((*byte)(labels))
	s.owners.add(labels, c)
	return labels
}

// abandon lets polls end the goroutines of r from now on.
func (s *Supervisor) abandon(r *Run) {
	r.mu.Lock()
	r.abandoned = true
	crews := append([]*crew{r.first}, slices.Collect(maps.Values(r.crews))...)
	r.mu.Unlock()
	for _, c := range crews {
		s.abandonCrew(c)
	}
}

// abandonCrew lets polls end the goroutines of c from now on, and wakes those that wait where the session can.
func (s *Supervisor) abandonCrew(c *crew) {
	s.left.mu.Lock()
	if s.left.names == nil {
		s.left.names = map[string]bool{}
	}
	s.left.names[c.name] = true
	setFlag(&s.left.stop, true)
	s.left.mu.Unlock()
	c.leave()
}

// owners finds crews by the labels of their goroutines. A crew stays in it as long as a goroutine has its labels:
// nothing else that stays may refer to them.
type owners struct{ byLabels sync.Map } // *owned by uintptr

// owned is a crew under one of its labels: each time another, as labels may come to lie where others were.
type owned struct{ *crew }

func (o *owners) add(labels unsafe.Pointer, c *crew) {
	type entry struct {
		o   *owners
		key uintptr
		c   *owned
	}
	e := entry{o, uintptr(labels), &owned{c}}
	o.byLabels.Store(e.key, e.c)
	runtime.AddCleanup((*byte)(labels), func(e entry) { e.o.byLabels.CompareAndDelete(e.key, e.c) }, e)
}

// of returns the crew whose goroutines have these labels, nil when there is none.
func (o *owners) of(labels unsafe.Pointer) *crew {
	c, ok := o.byLabels.Load(uintptr(labels))
	if !ok {
		c, ok = o.byLabels.Load(uintptr(golabel.Origin(labels))) // an evaluation has marked them
	}
	if !ok {
		return nil
	}
	return c.(*owned).crew
}

// each calls f with the crews that may have goroutines.
func (o *owners) each(f func(*crew)) {
	o.byLabels.Range(func(_, c any) bool {
		f(c.(*owned).crew)
		return true
	})
}

// mine returns the run that the calling goroutine belongs to, also one that is over, and the latest of those that run
// when that is not known; nil when none does.
func (s *Supervisor) mine() *Run {
	if c := s.owners.of(golabel.Current()); c != nil {
		return c.run
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.running); n > 0 {
		return s.running[n-1]
	}
	return nil
}
