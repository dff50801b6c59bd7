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
// A full queue has two causes that look alike: a healthy reader for whom we are too fast, and one that stopped. put
// waits for room, and takes a sixteenth of the queue for it: whoever makes that is healthy, and is waited for up to
// Stall from then on, and whoever has just taken something may be so. The others share the patience of their socket, so
// that many of them cost no more time than one. Who made no room in its time is stuck: it loses messages without any
// waiting until half of its queue is free again. So a flood is slowed down to its readers' speed and loses nothing, and
// stuck readers delay the others once, by Stall in all.
type queue struct {
	mu       sync.Mutex
	changed  sync.Cond
	items    []item
	bytes    int
	maxItems int
	maxBytes int
	stall    time.Duration
	shared   *patience
	reads    bool      // it made room when it was waited for
	stuck    bool      //
	since    time.Time // stuck and nothing taken
	hurries  int       // how often hurry was called
	last     time.Time // when something was taken
	closed   bool
}

func newQueue(o Options, shared *patience) *queue {
	q := &queue{maxItems: o.QueueMessages, maxBytes: o.QueueBytes, stall: o.Stall, shared: shared}
	q.changed.L = &q.mu
	return q
}

// fits reports whether n more bytes and one more item leave free queueParts of the queue.
func (q *queue) fits(n, free int) bool {
	if len(q.items) == 0 {
		return true
	}
	items, bytes := q.maxItems*free/queueParts, q.maxBytes*free/queueParts
	if free > 0 {
		items = max(items, 1)
	}
	return len(q.items) < q.maxItems-items && q.bytes+n <= q.maxBytes-bytes
}

// queueParts are the parts of a queue in which room is counted. One part above its bounds is there for urgent messages.
const queueParts = 16

// put appends it, and reports whether it did: not when the queue is closed or its reader is stuck. An urgent item is
// not waited for, and has some room of its own.
func (q *queue) put(it item, urgent bool) bool {
	n := it.size()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stuck && len(q.items) <= q.maxItems/2 && q.bytes <= q.maxBytes/2 {
		q.stuck, q.reads = false, true
	}
	switch {
	case q.closed || q.stuck:
		return false
	case q.fits(n, 0):
	case urgent:
		if !q.fits(n, -1) {
			return false
		}
	default:
		if q.wait(n); q.closed || q.stuck {
			return false
		}
	}
	q.items = append(q.items, it)
	q.bytes += n
	q.changed.Broadcast()
	return true
}

// wait waits for room for n bytes. A reader that makes none is stuck afterwards. The caller holds mu.
func (q *queue) wait(n int) {
	grace := q.stall
	if !q.reads {
		grace = q.shared.rest()
	}
	late, done, hurries, begun := false, false, q.hurries, time.Now()
	slow := time.Duration(0)
	var timer *time.Timer
	timer = time.AfterFunc(grace, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if !done && !q.reads && time.Since(q.last) < q.stall/5 && slow < q.shared.slow.rest() {
			slow += grace
			timer.Reset(grace)
			return
		}
		late = true
		q.changed.Broadcast()
	})
	defer func() {
		done = true
		timer.Stop()
	}()
	for !q.fits(n, 1) && !late && !q.stuck && !q.closed && (q.reads || hurries == q.hurries) {
		q.changed.Wait()
	}
	switch {
	case q.closed || q.stuck:
	case q.fits(n, 1):
		q.reads = true
	default:
		if !q.reads {
			q.shared.spend(time.Since(begun) - slow)
			q.shared.slow.spend(slow)
		}
		q.stuck, q.reads, q.since = true, false, time.Now()
	}
}

// hurry ends the waiting for a reader that has never shown that it reads and does not do so now.
func (q *queue) hurry() {
	time.AfterFunc(q.stall/patienceFloor, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.hurries++
		q.changed.Broadcast()
	})
}

// lost reports whether the reader has taken nothing for d since it is stuck.
func (q *queue) lost(d time.Duration) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.stuck && time.Since(q.since) > d
}

// take removes the oldest item, waiting for one. idle is called before it waits. ok is false when the queue is closed
// and empty.
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
	q.last = time.Now()
	if q.stuck {
		q.since = q.last
	}
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
