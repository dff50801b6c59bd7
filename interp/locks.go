package interp

import (
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
)

// Cells call these in the place of sync's functions that wait, and of those that end the process when they are used
// wrongly: an interrupt ends what waits, and a wrong use is a panic with the text that Go would print. What does not
// have to wait costs one look more.
func (s *Session) locks() map[string]any {
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

// fatalError is what Go makes fatal and a cell's panic is.
type fatalError string

func (e fatalError) Error() string { return "fatal error: " + string(e) }

// The state of sync's types, where this version of Go has it.
var (
	mutexState  = syncField(reflect.TypeFor[sync.Mutex](), reflect.TypeFor[int32](), "mu", "state")
	readerCount = syncField(reflect.TypeFor[sync.RWMutex](), reflect.TypeFor[atomic.Int32](), "readerCount")
	onceMutex   = syncField(reflect.TypeFor[sync.Once](), reflect.TypeFor[sync.Mutex](), "m")
	groupState  = syncField(reflect.TypeFor[sync.WaitGroup](), reflect.TypeFor[atomic.Uint64](), "state")
)

// noField is the place of a field that is not there.
const noField = ^uintptr(0)

// syncField is the place of a field in t.
func syncField(t, want reflect.Type, names ...string) (offset uintptr) {
	for _, name := range names {
		if t.Kind() != reflect.Struct {
			return noField
		}
		f, ok := t.FieldByName(name)
		if !ok {
			return noField
		}
		offset, t = offset+f.Offset, f.Type
	}
	if t != want {
		return noField
	}
	return offset
}

const (
	lockedBit  = 1       // of a mutex's state
	maxReaders = 1 << 30 // a writer subtracts it from the number of readers
)

func unlocked(m *sync.Mutex) bool {
	return m != nil && mutexState != noField && atomic.LoadInt32((*int32)(unsafe.Add(unsafe.Pointer(m), mutexState)))&lockedBit == 0
}

// readers is the number of readers, less maxReaders where a writer has the lock or waits for it.
func readers(m *sync.RWMutex) (n int32, known bool) {
	if m == nil || readerCount == noField {
		return 0, false
	}
	return (*atomic.Int32)(unsafe.Add(unsafe.Pointer(m), readerCount)).Load(), true
}

// unlock gives a lock back by its method of that name.
func unlock[M any](s *Session, m *M, name string, unlock func(*M)) {
	checkUnlock(m, name)
	unlock(m)
	s.parked.wake(unsafe.Pointer(m))
}

// checkUnlock panics where a method of a mutex would unlock what is not locked.
func checkUnlock(m any, method string) {
	switch m := m.(type) {
	case *sync.Mutex:
		if unlocked(m) {
			panic(fatalError("sync: unlock of unlocked mutex"))
		}
	case *sync.RWMutex:
		switch n, known := readers(m); {
		case !known:
		case method == "Unlock" && n >= 0:
			panic(fatalError("sync: Unlock of unlocked RWMutex"))
		case method == "RUnlock" && (n == 0 || n == -maxReaders):
			panic(fatalError("sync: RUnlock of unlocked RWMutex"))
		}
	}
}

// mutexFinder is an engine that finds the mutexes that values of cells' types embed.
type mutexFinder interface {
	// mutexOf returns the mutex, and its method, that a call of a method of v comes to, nil when that is none.
	mutexOf(v any, name string) (m any, method string)
}

// mutexItself returns a mutex that v is itself, and its method that is called.
func mutexItself(v any, name string) (m any, method string) {
	switch v.(type) {
	case *sync.Mutex, *sync.RWMutex:
		return v, name
	}
	if reflect.TypeOf(v) == readLocker {
		return (*sync.RWMutex)(reflect.ValueOf(v).UnsafePointer()), "R" + name
	}
	return nil, ""
}

// readLocker is the type of what (*sync.RWMutex).RLocker returns, a pointer to the same memory.
var readLocker = reflect.TypeOf(new(sync.RWMutex).RLocker())

// lockTries is how often a lock is tried before the goroutine parks: most are held for a moment.
const lockTries = 8

// lock takes a lock, or ends the calling goroutine when it must end. Beside says that others may have the lock too, as
// readers do.
func lock[M any](s *Session, m *M, beside bool, try func(*M) bool, lock func(*M)) {
	at := unsafe.Pointer(m)
	for range lockTries {
		if !s.parked.free(at, beside) {
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

func (s *Session) awaitMutex(c *crew, at unsafe.Pointer, beside bool, try func() bool) {
	if !s.parked.await(c, at, beside, try) {
		c.run.stopHere(c.run.where)
	}
}

// once is (*sync.Once).Do. Who comes while another goroutine is in it waits as for a lock. A function that replaces the
// Once would have Go unlock the mutex of a new one.
func (s *Session) once(o *sync.Once, f func()) {
	if o == nil || onceMutex == noField {
		o.Do(f)
		return
	}
	m := (*sync.Mutex)(unsafe.Add(unsafe.Pointer(o), onceMutex))
	if !unlocked(m) {
		lock(s, m, false, (*sync.Mutex).TryLock, (*sync.Mutex).Lock)
		m.Unlock()
	}
	defer s.parked.wake(unsafe.Pointer(m))
	o.Do(func() {
		defer func() {
			if unlocked(m) {
				m.Lock()
				panic(fatalError("sync: unlock of unlocked mutex"))
			}
		}()
		f()
	})
}

// waitGroup is (*sync.WaitGroup).Wait.
func (s *Session) waitGroup(g *sync.WaitGroup) {
	c := s.owners.of(golabel.Current())
	if c == nil || g == nil || groupState == noField || groupCounter(g) == 0 {
		g.Wait()
		return
	}
	s.awaitGroup(c, g)
}

func groupCounter(g *sync.WaitGroup) int32 {
	return int32((*atomic.Uint64)(unsafe.Add(unsafe.Pointer(g), groupState)).Load() >> 32)
}

func (s *Session) awaitGroup(c *crew, g *sync.WaitGroup) {
	done := s.parked.await(c, unsafe.Pointer(g), true, func() bool { return groupCounter(g) == 0 })
	if !done || c.abandoned.Load() { // goroutines that leave are done too
		c.run.stopHere(c.run.where)
	}
	g.Wait() // does not wait; the race detector learns from it what has happened before
}

// addToGroup is (*sync.WaitGroup).Add, and Done.
func (s *Session) addToGroup(g *sync.WaitGroup, n int) {
	g.Add(n)
	s.parked.wake(unsafe.Pointer(g))
}

// goInGroup is (*sync.WaitGroup).Go.
func (s *Session) goInGroup(g *sync.WaitGroup, f func()) {
	f = s.guarded(f)
	g.Add(1)
	go func() {
		defer s.addToGroup(g, -1)
		f()
	}()
}
