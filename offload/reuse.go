package offload

import (
	"time"

	"github.com/arrayrepl/arrayrepl/offload/mempool"
)

// Large results on the host go into memory of arrays that are gone: to have as much from the system anew, page by page, takes about
// as long as two operations on it. But only a collection tells which arrays are gone, and Go's own come when the heap has doubled.
const (
	worthCollecting = 64 << 20 // bytes of new memory after which a collection is tried
	newMemory       = 2e9      // bytes a second that the system gives, about: what a collection may take at most to pay
)

// reuse is when to look for memory of arrays that are gone.
type reuse struct {
	fresh    int64 // bytes of new memory since it was looked last
	patience int64 // how many there have to be
}

// look collects garbage before pool makes new memory of so many bytes, where there has been much of it since the last time. When
// nothing came of it, or not enough for what it took, it waits twice as long for the next.
func (m *memory) look(pool *mempool.Pool, bytes int) {
	if !pool.New(bytes) {
		return
	}
	r := &m.reuse
	r.patience = max(r.patience, worthCollecting)
	if r.fresh += int64(bytes); r.fresh < r.patience {
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
