package dense

import "sync/atomic"

var onPoll atomic.Pointer[func()]

// OnPoll makes f be called about every hundredth of a second of work, by the goroutine that computes; it may panic to
// end it.
func OnPoll(f func()) { onPoll.Store(&f) }

// pollEvery is how many multiplications lie between two polls.
const pollEvery = 4 << 20

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

// Worked counts n multiplications of work, and polls when they have become many: for the products that gonum's routines
// are made of.
func Worked(n int) { poll(n) }
