package dense

import (
	"slices"
	"sync"
	"sync/atomic"
)

var onPoll atomic.Pointer[func()]

// OnPoll makes f be called about every hundredth of a second of work, by the goroutine that computes; it may panic to
// end it.
func OnPoll(f func()) { onPoll.Store(&f) }

// pollEvery is how many multiplications lie between two polls.
const pollEvery = 4 << 20

// A pass over a matrix polls each passStep elements. One that comes to memory for the first time, or in another order,
// counts passWork multiplications for each.
const passStep, passWork = 1 << 17, 8

var worked atomic.Int64

// poll counts n multiplications of work.
func poll(n int) {
	if worked.Add(int64(n)) >= pollEvery {
		worked.Store(0)
		if f := onPoll.Load(); f != nil {
			(*f)()
		}
	}
}

// underway are the routines that run and cannot be asked to stop.
var underway struct {
	sync.Mutex
	names []string
}

// unasked runs a routine that cannot be asked, under the name that Underway has for it.
func unasked(name string, run func()) {
	underway.Lock()
	underway.names = append(underway.names, name)
	underway.Unlock()
	defer func() {
		underway.Lock()
		at := slices.Index(underway.names, name)
		underway.names = slices.Delete(underway.names, at, at+1)
		underway.Unlock()
	}()
	run()
}

// Underway names the routine that runs, of those that cannot be asked whether to go on between their products: the last
// that began, "" for none.
func Underway() string {
	underway.Lock()
	defer underway.Unlock()
	if n := len(underway.names); n > 0 {
		return underway.names[n-1]
	}
	return ""
}

// Worked counts n multiplications of work, and polls when they have become many: for the products that gonum's routines
// are made of.
func Worked(n int) { poll(n) }
