package supervise

import (
	"reflect"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
	"github.com/arrayrepl/arrayrepl/interp/internal/syncstate"
)

// The parts of (*sync.Cond).Wait. In one piece it cannot be interrupted: a goroutine that waits in it for a cell may
// not have unlocked the mutex yet when the cell ends, whose deferred call then unlocks it, and the second Unlock would
// end the process.

//go:linkname notifyListAdd sync.runtime_notifyListAdd
func notifyListAdd(list unsafe.Pointer) uint32

//go:linkname notifyListWait sync.runtime_notifyListWait
func notifyListWait(list unsafe.Pointer, ticket uint32)

// Where a sync.Cond has its list, and its own address as soon as it is used.
var condList, condSelf = condFields()

func condFields() (list, self uintptr) {
	t := reflect.TypeFor[sync.Cond]()
	l, hasList := t.FieldByName("notify")
	c, hasSelf := t.FieldByName("checker")
	if !hasList || !hasSelf || l.Type.Kind() != reflect.Struct || c.Type.Kind() != reflect.Uintptr {
		return syncstate.NoField, syncstate.NoField
	}
	return l.Offset, c.Offset
}

// condLock is the lock of a sync.Cond with its methods as cells call them.
type condLock struct {
	lock, unlock func()
	try          func() bool
}

func (s *Supervisor) condLock(m any, method string) condLock {
	switch m := m.(type) {
	case *sync.Mutex:
		return condLock{
			func() { lock(s, m, false, (*sync.Mutex).TryLock, (*sync.Mutex).Lock) },
			func() { unlock(s, m, "Unlock", (*sync.Mutex).Unlock) }, m.TryLock,
		}
	case *sync.RWMutex:
		if method == "RUnlock" {
			return condLock{
				func() { lock(s, m, true, (*sync.RWMutex).TryRLock, (*sync.RWMutex).RLock) },
				func() { unlock(s, m, "RUnlock", (*sync.RWMutex).RUnlock) }, m.TryRLock,
			}
		}
		return condLock{
			func() { lock(s, m, false, (*sync.RWMutex).TryLock, (*sync.RWMutex).Lock) },
			func() { unlock(s, m, "Unlock", (*sync.RWMutex).Unlock) }, m.TryLock,
		}
	}
	return condLock{}
}

// waitCond is (*sync.Cond).Wait.
func (s *Supervisor) waitCond(cond *sync.Cond) {
	find := syncstate.MutexItself
	if e, ok := s.opts.Engine.(mutexFinder); ok {
		find = e.MutexOf
	}
	m, method := find(cond.L, "Unlock")
	checkUnlock(m, method)
	l, c := s.condLock(m, method), s.owners.of(golabel.Current())
	if l.lock == nil || c == nil || condList == syncstate.NoField {
		cond.Wait() // the methods of L may be the cell's own
		return
	}
	self := (*uintptr)(unsafe.Add(unsafe.Pointer(cond), condSelf))
	if here := uintptr(unsafe.Pointer(self)); atomic.LoadUintptr(self) != here && !atomic.CompareAndSwapUintptr(self, 0, here) {
		panic("sync.Cond is copied")
	}
	s.awaitCond(c, cond, l)
}

// relock is how long a goroutine that must end tries to lock again what its deferred calls will unlock.
const relock = 10 * time.Millisecond

// awaitCond lets another goroutine wait. When the caller must end, that one goes on waiting as long as others wait for
// cond, which it must not wake.
func (s *Supervisor) awaitCond(c *crew, cond *sync.Cond, l condLock) {
	woken := make(chan struct{})
	list := unsafe.Add(unsafe.Pointer(cond), condList)
	s.conds.join(cond)
	defer s.conds.leave(cond)
	ticket := notifyListAdd(list)
	l.unlock()
	go func() {
		golabel.Set(nil)
		notifyListWait(list, ticket)
		close(woken)
	}()
	select {
	case <-woken:
		l.lock()
	case <-c.quit:
		for until := time.Now().Add(relock); !l.try() && time.Now().Before(until); {
			time.Sleep(relock / 20)
		}
		c.run.stopHere(c.run.where)
	}
}

// condWaits counts the goroutines that wait for each sync.Cond.
type condWaits struct {
	mu sync.Mutex
	n  map[*sync.Cond]int
}

// join counts the caller, before it is in the list of c.
func (w *condWaits) join(c *sync.Cond) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.n == nil {
		w.n = map[*sync.Cond]int{}
	}
	w.n[c]++
}

// leave ends what interrupted goroutines have left at c when nobody waits for it any more.
func (w *condWaits) leave(c *sync.Cond) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.n[c]--; w.n[c] == 0 {
		delete(w.n, c)
		c.Broadcast() // under the lock: who joins now is not woken
	}
}
