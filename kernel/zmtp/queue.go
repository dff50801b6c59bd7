package zmtp

import (
	"sync"
	"time"
)

// item waits in a queue: a message, or a command when cmd is set.
type item struct {
	msg Message
	cmd []byte
}

func (it item) size() int { return it.msg.Size() + len(it.cmd) }

// queue holds what waits to be written to one connection, bounded by count and bytes.
//
// A full queue has two causes that look alike: a healthy reader for whom we are too fast, and one that stopped. put waits
// Stall for room, which a healthy reader makes in milliseconds; whoever made none is stuck, and loses messages at once and
// without further waiting until half of its queue is free again. So a flood is slowed down to its readers' speed and loses
// nothing, and a stuck reader delays the others once, by Stall.
type queue struct {
	mu       sync.Mutex
	changed  sync.Cond
	items    []item
	bytes    int
	maxItems int
	maxBytes int
	stall    time.Duration
	stuck    bool
	closed   bool
}

func newQueue(o Options) *queue {
	q := &queue{maxItems: o.QueueMessages, maxBytes: o.QueueBytes, stall: o.Stall}
	q.changed.L = &q.mu
	return q
}

func (q *queue) full(n int) bool {
	return len(q.items) > 0 && (len(q.items) >= q.maxItems || q.bytes+n > q.maxBytes)
}

// put appends it, and reports whether it did: not when the queue is closed or its reader is stuck.
func (q *queue) put(it item) bool {
	n := it.size()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stuck && len(q.items) <= q.maxItems/2 && q.bytes <= q.maxBytes/2 {
		q.stuck = false
	}
	if q.full(n) && !q.stuck && !q.closed {
		late := false
		timer := time.AfterFunc(q.stall, func() {
			q.mu.Lock()
			defer q.mu.Unlock()
			late = true
			q.changed.Broadcast()
		})
		for q.full(n) && !late && !q.stuck && !q.closed {
			q.changed.Wait()
		}
		timer.Stop()
		q.stuck = q.stuck || q.full(n)
	}
	if q.closed || q.stuck {
		return false
	}
	q.items = append(q.items, it)
	q.bytes += n
	q.changed.Broadcast()
	return true
}

// take removes the oldest item, waiting for one. idle is called before it waits. ok is false when the queue is closed and
// empty.
func (q *queue) take(idle func()) (it item, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		q.mu.Unlock()
		idle()
		q.mu.Lock()
	}
	for len(q.items) == 0 {
		if q.closed {
			return item{}, false
		}
		q.changed.Wait()
	}
	it = q.items[0]
	q.items[0] = item{}
	q.items = q.items[1:]
	q.bytes -= it.size()
	q.changed.Broadcast()
	return it, true
}

// close lets take return what is left and then nothing.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Broadcast()
}
