package supervise

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// What cells open and what goes on without a goroutine of theirs is kept here as long as it is there: listeners and
// connections, timers, processes. Nothing is kept alive: what the cells hold no more, and what Go would then close, is
// forgotten with it.

// opened is such a thing.
type opened struct {
	by   *crew // who opened it
	at   engine.Frame
	text string // what it is

	alive  func() bool // whether it is open, or goes on
	resets bool        // it may come to life once more, as timers do
	pipe   bool        // nothing goes on in it: it is not a job, and closed for who waits for it
	close  func()      // ends it; may be called again

	timer   *pending     // of a timer, whether it goes on
	held    any          // is kept from the garbage: what goes on without its variable
	port    int          // of a listener, 0 for none
	process int          // its number, 0 for none
	server  atomic.Value // what serves a listener, a *server

	closed atomic.Bool  // by the session
	job    atomic.Int64 // see Job
}

// openedThings finds what is open by its address.
type openedThings struct{ m sync.Map } // *opened by uintptr

// keepOpen keeps o, which stands for p, until p is garbage. Alive and close must not hold p.
func keepOpen[T any](s *Supervisor, p *T, o *opened, alive func(*T) bool, close func(*T)) *opened {
	type entry struct {
		things *openedThings
		key    uintptr
		o      *opened
	}
	w := weak.Make(p)
	o.alive = func() bool {
		p := w.Value()
		return p != nil && alive(p)
	}
	o.close = func() {
		if p := w.Value(); p != nil {
			close(p)
		}
	}
	o.by, o.at = s.here()
	if o.by == nil {
		return o // not of a cell
	}
	e := entry{&s.opened, uintptr(unsafe.Pointer(p)), o}
	e.things.m.Store(e.key, o)
	runtime.AddCleanup(p, func(e entry) { e.things.m.CompareAndDelete(e.key, e.o) }, e)
	if o.by.abandoned.Load() { // who ended its run may have looked before
		o.end()
	}
	return o
}

// forget drops what stands for p.
func (t *openedThings) forget(p unsafe.Pointer) { t.m.Delete(uintptr(p)) }

// of returns what stands for p, nil for nothing.
func (t *openedThings) of(p unsafe.Pointer) *opened {
	if o, ok := t.m.Load(uintptr(p)); ok {
		return o.(*opened)
	}
	return nil
}

// each calls f with what is open, and drops what is not.
func (t *openedThings) each(f func(*opened)) {
	t.m.Range(func(key, o any) bool {
		if o := o.(*opened); o.alive() {
			f(o)
		} else if !o.resets {
			t.m.CompareAndDelete(key, o)
		}
		return true
	})
}

// closeOpened ends what those runs have opened, and what they serve.
func (s *Supervisor) closeOpened(of func(*Run) bool) {
	s.opened.each(func(o *opened) {
		sv, _ := o.server.Load().(*server)
		if of(o.by.run) || sv != nil && sv.by != nil && of(sv.by.run) {
			o.end()
		}
	})
}

// end ends it.
func (o *opened) end() {
	o.closed.Store(true)
	if sv, _ := o.server.Load().(*server); sv != nil {
		sv.close()
	}
	o.close()
}

// here returns the crew of the calling goroutine, nil when it is not a cell's, and the line that it is at, or that
// started it.
func (s *Supervisor) here() (*crew, engine.Frame) {
	c := s.owners.of(golabel.Current())
	if c == nil {
		return nil, engine.Frame{}
	}
	if c == c.run.first {
		if at := c.run.where(); len(at) > 0 {
			return c, engine.Frame{Cell: at[0].Cell, Line: at[0].Line}
		}
	}
	return c, c.at
}
