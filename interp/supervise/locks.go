package supervise

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
	"github.com/arrayrepl/arrayrepl/interp/internal/goerror"
	"github.com/arrayrepl/arrayrepl/interp/internal/syncstate"
)

// Cells call these in the place of sync's functions that wait, and of those that end the process when they are used
// wrongly: an interrupt ends what waits, and a wrong use is a panic with the text that Go would print. What does not
// have to wait costs one look more.
func (s *Supervisor) locks() map[string]any {
	return map[string]any{
		"(*sync.Mutex).Lock":   func(m *sync.Mutex) { lock(s, m, false, (*sync.Mutex).TryLock, (*sync.Mutex).Lock) },
		"(*sync.Mutex).Unlock": func(m *sync.Mutex) { unlock(s, m, "Unlock", (*sync.Mutex).Unlock) },
		"(*sync.RWMutex).Lock": func(m *sync.RWMutex) {
			lock(s, m, false, (*sync.RWMutex).TryLock, (*sync.RWMutex).Lock)
		},
		"(*sync.RWMutex).RLock": func(m *sync.RWMutex) {
			lock(s, m, true, (*sync.RWMutex).TryRLock, (*sync.RWMutex).RLock)
		},
		"(*sync.RWMutex).Unlock":  func(m *sync.RWMutex) { unlock(s, m, "Unlock", (*sync.RWMutex).Unlock) },
		"(*sync.RWMutex).RUnlock": func(m *sync.RWMutex) { unlock(s, m, "RUnlock", (*sync.RWMutex).RUnlock) },
		"(*sync.Once).Do":         s.once,
		"(*sync.WaitGroup).Add":   s.addToGroup,
		"(*sync.WaitGroup).Done":  func(g *sync.WaitGroup) { s.addToGroup(g, -1) },
		"(*sync.WaitGroup).Go":    s.goInGroup,
		"(*sync.WaitGroup).Wait":  s.waitGroup,
		"(*sync.Cond).Wait":       s.waitCond,
	}
}

// unlock gives a lock back by its method of that name.
func unlock[M any](s *Supervisor, m *M, name string, unlock func(*M)) {
	checkUnlock(m, name)
	unlock(m)
	s.parked.Wake(unsafe.Pointer(m))
}

// checkUnlock panics where a method of a mutex would unlock what is not locked.
func checkUnlock(m any, method string) {
	switch m := m.(type) {
	case *sync.Mutex:
		if syncstate.Unlocked(m) {
			panic(goerror.Fatal("sync: unlock of unlocked mutex"))
		}
	case *sync.RWMutex:
		switch n, known := syncstate.Readers(m); {
		case !known:
		case method == "Unlock" && n >= 0:
			panic(goerror.Fatal("sync: Unlock of unlocked RWMutex"))
		case method == "RUnlock" && (n == 0 || n == -syncstate.MaxReaders):
			panic(goerror.Fatal("sync: RUnlock of unlocked RWMutex"))
		}
	}
}

// mutexFinder is an engine that finds the mutexes that values of cells' types embed.
type mutexFinder interface {
	// MutexOf returns the mutex, and its method, that a call of a method of v comes to, nil when that is none.
	MutexOf(v any, name string) (m any, method string)
}

// lockTries is how often a lock is tried before the goroutine parks: most are held for a moment.
const lockTries = 8

// lock takes a lock, or ends the calling goroutine when it must end. Beside says that others may have the lock too, as
// readers do.
func lock[M any](s *Supervisor, m *M, beside bool, try func(*M) bool, lock func(*M)) {
	at := unsafe.Pointer(m)
	for range lockTries {
		if !s.parked.Free(at, beside) {
			break
		}
		if try(m) {
			return
		}
		runtime.Gosched()
	}
	c := s.owners.of(golabel.Current())
	if c == nil {
		lock(m)
		return
	}
	s.awaitMutex(c, at, beside, func() bool { return try(m) })
}

func (s *Supervisor) awaitMutex(c *crew, at unsafe.Pointer, beside bool, try func() bool) {
	if !s.parked.Await(&c.abandoned, c.quit, at, beside, try) {
		c.run.stopHere(c.run.where)
	}
}

// once is (*sync.Once).Do. Who comes while another goroutine is in it waits as for a lock. A function that replaces the
// Once would have Go unlock the mutex of a new one.
func (s *Supervisor) once(o *sync.Once, f func()) {
	if o == nil || syncstate.OnceMutex == syncstate.NoField {
		o.Do(f)
		return
	}
	m := (*sync.Mutex)(unsafe.Add(unsafe.Pointer(o), syncstate.OnceMutex))
	if !syncstate.Unlocked(m) {
		lock(s, m, false, (*sync.Mutex).TryLock, (*sync.Mutex).Lock)
		m.Unlock()
	}
	defer s.parked.Wake(unsafe.Pointer(m))
	o.Do(func() {
		defer func() {
			if syncstate.Unlocked(m) {
				m.Lock()
				panic(goerror.Fatal("sync: unlock of unlocked mutex"))
			}
		}()
		f()
	})
}

// waitGroup is (*sync.WaitGroup).Wait.
func (s *Supervisor) waitGroup(g *sync.WaitGroup) {
	c := s.owners.of(golabel.Current())
	if c == nil || g == nil || syncstate.GroupState == syncstate.NoField || syncstate.GroupCounter(g) == 0 {
		g.Wait()
		return
	}
	s.awaitGroup(c, g)
}

func (s *Supervisor) awaitGroup(c *crew, g *sync.WaitGroup) {
	done := s.parked.Await(&c.abandoned, c.quit, unsafe.Pointer(g), true, func() bool { return syncstate.GroupCounter(g) == 0 })
	if !done || c.abandoned.Load() { // goroutines that leave are done too
		c.run.stopHere(c.run.where)
	}
	g.Wait() // does not wait; the race detector learns from it what has happened before
}

// addToGroup is (*sync.WaitGroup).Add, and Done.
func (s *Supervisor) addToGroup(g *sync.WaitGroup, n int) {
	g.Add(n)
	s.parked.Wake(unsafe.Pointer(g))
}

// goInGroup is (*sync.WaitGroup).Go.
func (s *Supervisor) goInGroup(g *sync.WaitGroup, f func()) {
	f = s.guarded(f)
	g.Add(1)
	go func() {
		defer s.addToGroup(g, -1)
		f()
	}()
}
