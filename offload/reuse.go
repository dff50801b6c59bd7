package offload

import (
	"time"

	"github.com/arrayrepl/arrayrepl/offload/mempool"
)

// Large results on the host go into memory of arrays that are gone: to have as much from the system anew, page by page,
// takes about as long as two operations on it. But only a collection tells which arrays are gone, and Go's own come
// when the heap has doubled.
//
// Both are variables for tests: of little memory, and in which collecting pays however busy the machine is.
var (
	worthCollecting int64   = 64 << 20 // bytes given out after which a collection is tried
	newMemory       float64 = 2e9      // bytes a second that the system gives, about: what takes longer does not pay
)

// reuse is when to look for memory of arrays that are gone.
type reuse struct {
	given    int64 // bytes that were given out since it was looked last
	patience int64 // how many there have to be
}

// give notes that so many bytes are given out.
func (r *reuse) give(bytes int) { r.given += int64(bytes) }

// due reports whether it is time to look.
func (r *reuse) due() bool {
	r.patience = max(r.patience, worthCollecting)
	return r.given >= r.patience
}

// looked notes what came of it: how many bytes came back, how many are in use still, and how long it took.
//
// Where little comes back, most is in use, and it waits twice as long for the next time; but never for more than is in
// use, as what is dropped meanwhile must not outgrow what is not. Where it takes longer than as much new memory, too.
func (r *reuse) looked(back, used int64, took time.Duration) {
	switch {
	case took.Seconds() > float64(r.given)/newMemory:
		r.patience *= 2
	case 2*back < r.given:
		r.patience = max(min(2*r.patience, used), worthCollecting)
	default:
		r.patience = worthCollecting
	}
	r.given = 0
}

// look collects garbage before pool makes new memory of so many bytes, where much of it has been given out since the
// last time, whether it was new or not: what is used again becomes garbage as what was new does.
func (m *memory) look(pool *mempool.Pool, bytes int) {
	r := &m.reuse
	r.give(bytes)
	if !pool.New(bytes) || !r.due() {
		return
	}
	begin, before := time.Now(), inUse(pool)
	back := int64(0)
	for turn := 0; turn < turnsToFree && 2*back < r.given; turn++ {
		Collect()
		m.collect()
		back = before - inUse(pool)
	}
	r.looked(back, before-back, time.Since(begin))
}

// An array that is gone gives its memory back in so many collections, where a device has it too: the first finds what
// held its value, the second the value, whose copies are freed, and the third their memory.
const turnsToFree = 3

// seek collects garbage before new memory of so many bytes is made that comes from Go's heap and no pool, so that the
// heap does not grow first: to let it double, as Go does, is dear where a few arrays are all there is.
func (m *memory) seek(bytes int) {
	m.made.give(bytes)
	if !m.made.due() {
		return
	}
	begin := time.Now()
	for range turnsToFree {
		Collect()
		m.collect()
	}
	r := &m.made // that nothing was found is no reason to wait: nothing may have been there yet
	if time.Since(begin).Seconds() > float64(r.given)/newMemory {
		r.patience *= 2
	} else {
		r.patience /= 2
	}
	r.given = 0
}

// Reuse looks for memory of arrays that are gone, for somebody who is about to make a value of so many bytes on the
// host. While something runs it does not: there is nothing to wait for, and who asks may be what runs.
func (rt *Runtime) Reuse(bytes int) {
	select {
	case <-rt.turn:
		defer rt.release()
		rt.memory.seek(bytes)
	default:
	}
}

func inUse(pool *mempool.Pool) int64 {
	n, _ := pool.Levels()
	return n
}
