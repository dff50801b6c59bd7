// Package workers runs pieces of one large computation on all processors: the pool of package arrays. Its goroutines
// look for the next computation for some microseconds before they sleep, longer where computations follow each other
// closely, because waking a goroutine costs more than a piece; when idle they use no time. Who divides work into pieces
// must do so by its size alone, so that results do not depend on how many run.
package workers

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"time"
)

// A worker looks for work for so long before it sleeps: for longSpin where its last jobs came within that time one
// after the other, as those of a loop do that plans each for some ten microseconds.
const (
	spin     = 50 * time.Microsecond
	longSpin = 250 * time.Microsecond
)

var (
	limit   atomic.Int64 // set by SetCount, else 0
	running atomic.Int64 // goroutines started
	parked  atomic.Int64 // of them, those that sleep or are about to
	wake    = make(chan struct{}, 1024)
	current atomic.Pointer[job]
	busy    sync.Mutex // held by who has a job in current
)

// job is one call of Do.
type job struct {
	run      func(piece int)
	pieces   int64
	next     atomic.Int64 // the first piece that nobody has
	helpers  int64        // how many may join
	joined   atomic.Int64
	active   atomic.Int64 // who is in a piece or about to take one, the caller not counted
	finished chan struct{}
	failure  atomic.Pointer[failure]
}

type failure struct{ value any }

// SetCount sets how many goroutines compute at most, for tests; 0 is one for each processor that Go uses.
func SetCount(n int) { limit.Store(int64(n)) }

// Count returns how many goroutines compute at most, the caller's among them.
func Count() int {
	if n := limit.Load(); n > 0 {
		return int(n)
	}
	return runtime.GOMAXPROCS(0)
}

// Do calls run for the pieces 0 to pieces-1, several at the same time, and returns when all are done. The caller takes
// part and calls between after each of its pieces, and once if the others were so quick that it had none: if that
// panics, no further piece begins, and Do panics with it when those that run are done. A panic of run is the caller's
// too. Calls from inside a piece, or while another Do runs, do all pieces themselves.
func Do(pieces int, run func(piece int), between func()) {
	if Try(pieces, run, between) {
		return
	}
	for i := range pieces {
		run(i)
		between()
	}
}

// Try is Do where others can help: it does nothing and returns false where the others have another Do, or there are
// none.
func Try(pieces int, run func(piece int), between func()) bool {
	helpers := min(Count(), pieces) - 1
	if helpers <= 0 || !busy.TryLock() {
		return false
	}
	defer busy.Unlock()
	j := &job{run: run, pieces: int64(pieces), helpers: int64(helpers), finished: make(chan struct{}, 1)}
	for n := running.Load(); n < int64(helpers); n++ {
		running.Add(1)
		go work()
	}
	current.Store(j)
	for n := min(parked.Load(), int64(helpers)); n > 0; n-- {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
	defer func() {
		j.next.Store(j.pieces) // nobody begins another
		current.Store(nil)
		j.wait()
		j.run = nil // workers remember the last job: what it worked on can go
		if f := j.failure.Load(); f != nil {
			panic(f.value)
		}
	}()
	for own := false; ; own = true {
		i := j.next.Add(1) - 1
		if i >= j.pieces {
			if !own {
				between()
			}
			return true
		}
		run(int(i))
		between()
	}
}

// wait returns when no helper is in a piece.
func (j *job) wait() {
	for begin := time.Now(); time.Since(begin) < spin; {
		if j.active.Load() == 0 {
			return
		}
	}
	for j.active.Load() != 0 {
		<-j.finished
	}
}

// work is a worker's life.
func work() {
	pprof.SetGoroutineLabels(context.Background()) // it belongs to nobody, whoever it was that came first
	debug.SetPanicOnFault(true)                    // a mapped file that was cut is the caller's panic, and ends nothing else
	var last *job
	patience, idle := spin, time.Now()
	for {
		j := seek(last, patience)
		if j == nil {
			parked.Add(1)
			if j = available(last); j == nil {
				<-wake
			}
			parked.Add(-1)
			continue
		}
		if patience = spin; time.Since(idle) < longSpin {
			patience = longSpin
		}
		last = j
		j.help()
		idle = time.Now()
	}
}

// available returns a job that can be joined.
func available(last *job) *job {
	if j := current.Load(); j != nil && j != last && j.next.Load() < j.pieces {
		return j
	}
	return nil
}

// seek looks for a job for a while.
func seek(last *job, patience time.Duration) *job {
	for begin := time.Now(); time.Since(begin) < patience; {
		for range 64 {
			if j := available(last); j != nil {
				return j
			}
		}
		runtime.Gosched()
	}
	return nil
}

// help does pieces until there are none.
func (j *job) help() {
	if j.joined.Add(1) > j.helpers {
		return
	}
	j.active.Add(1)
	defer func() {
		if r := recover(); r != nil {
			j.failure.CompareAndSwap(nil, &failure{r})
			j.next.Store(j.pieces)
		}
		if j.active.Add(-1) == 0 {
			select {
			case j.finished <- struct{}{}:
			default:
			}
		}
	}()
	for {
		i := j.next.Add(1) - 1
		if i >= j.pieces {
			return
		}
		j.run(int(i))
	}
}
