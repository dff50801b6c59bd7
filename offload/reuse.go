package offload

import (
	"time"

	"github.com/arrayrepl/arrayrepl/offload/mempool"
)

// Large results on the host go into memory of arrays that are gone: to have as much from the system anew, page by page,
// takes about as long as two operations on it. But only a collection tells which arrays are gone, and Go's own come
// when the heap has doubled.
const (
	worthCollecting = 64 << 20 // bytes of new memory after which a collection is tried
	newMemory       = 2e9      // bytes a second that the system gives, about: what a collection may take at most to pay
)

// reuse is when to look for memory of arrays that are gone.
type reuse struct {
	fresh    int64 // bytes of new memory since it was looked last
	patience int64 // how many there have to be
}

// due notes that so many bytes of new memory are about to be made, and reports whether it is time to look.
func (r *reuse) due(bytes int) bool {
	r.patience = max(r.patience, worthCollecting)
	r.fresh += int64(bytes)
	return r.fresh >= r.patience
}

// look collects garbage before pool makes new memory of so many bytes, where there has been much of it since the last
// time. When nothing came of it, or not enough for what it took, it waits twice as long for the next.
func (m *memory) look(pool *mempool.Pool, bytes int) {
	r := &m.reuse
	if !pool.New(bytes) || !r.due(bytes) {
		return
	}
	begin := time.Now()
	Collect()
	m.collect()
	pays := float64(r.fresh) / newMemory
	r.fresh = 0
	if pool.New(bytes) || time.Since(begin).Seconds() > pays {
		r.patience *= 2
	} else {
		r.patience = worthCollecting
	}
}

// An array that is gone gives its memory back in so many collections, where a device has it too: the first finds what
// held its value, the second the value, whose copies are freed, and the third their memory.
const turnsToFree = 3

// seek collects garbage before new memory of so many bytes is made that comes from Go's heap and no pool, so that the
// heap does not grow first: to let it double, as Go does, is dear where a few arrays are all there is.
func (m *memory) seek(bytes int) {
	if !m.made.due(bytes) {
		return
	}
	begin := time.Now()
	for range turnsToFree {
		Collect()
		m.collect()
	}
	r := &m.made // that nothing was found is no reason to wait: nothing may have been there yet
	if time.Since(begin).Seconds() > float64(r.fresh)/newMemory {
		r.patience *= 2
	} else {
		r.patience /= 2
	}
	r.fresh = 0
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
