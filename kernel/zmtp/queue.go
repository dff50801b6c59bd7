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
// waits for a sixteenth of the queue to be free: for as long as the reader has earned by what it was seen to read
// (reading.go), or as the patience lasts that all connections of the socket share (patience.go), so that many that
// have shown nothing cost no more time than one. Who makes no room in its time is stuck: it loses messages without any
// waiting until half of its queue is free again. So a flood is slowed down to its readers' speed and loses nothing, and
// stuck readers delay the others once, by Stall in all.
type queue struct {
	mu       sync.Mutex
	changed  sync.Cond
	items    []item
	bytes    int
	maxItems int
	maxBytes int
	shared   *patience
	reading  reading
	stuck    bool
	since    time.Time // stuck and nothing taken
	hurries  int       // how often hurry was called
	closed   bool
}

// newQueue returns a queue for a peer that answers PINGs, or does not.
func newQueue(o Options, shared *patience, answers bool) *queue {
	q := &queue{
		maxItems: o.QueueMessages, maxBytes: o.QueueBytes, shared: shared,
		reading: reading{asks: answers, maxItems: o.QueueMessages, maxBytes: o.QueueBytes, stall: o.Stall},
	}
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
		q.stuck = false
		q.reading.earn(q.reading.stall)
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
	r, begun, hurries, patience := &q.reading, time.Now(), q.hurries, q.shared.rest()
	r.wait()
	late := time.AfterFunc(max(r.rest(), patience), q.wake)
	defer late.Stop()
	for !q.fits(n, 1) && !q.stuck && !q.closed && (r.earned > 0 || hurries == q.hurries) {
		left := max(r.rest(), patience-time.Since(begun))
		if left <= 0 {
			break
		}
		late.Reset(left)
		q.changed.Wait()
	}
	r.end()
	switch {
	case q.closed || q.stuck:
	case q.fits(n, 1):
		r.earn(r.stall)
	default:
		q.shared.spend(time.Since(begun))
		r.earned, q.stuck, q.since = 0, true, time.Now()
	}
}

func (q *queue) wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.changed.Broadcast()
}

// hurry ends the waiting for a reader that has not shown that it reads, and does not do so now.
func (q *queue) hurry() {
	time.AfterFunc(q.reading.stall/patienceFloor, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.hurries++
		q.changed.Broadcast()
	})
}

// answered takes the peer's answer to a PING.
func (q *queue) answered(context []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.reading.answered(context) {
		q.changed.Broadcast()
	}
}

// lost reports whether the reader has taken nothing for d since it is stuck.
func (q *queue) lost(d time.Duration) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.stuck && time.Since(q.since) > d
}

// take removes the oldest item, waiting for one. idle is called before it waits. When ask is not nil, a PING with that
// context is to be sent behind the item. ok is false when the queue is closed and empty.
func (q *queue) take(idle func()) (it item, ask []byte, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		q.mu.Unlock()
		idle()
		q.mu.Lock()
	}
	for len(q.items) == 0 {
		if q.closed {
			return item{}, nil, false
		}
		q.changed.Wait()
	}
	it = q.items[0]
	q.items[0] = item{}
	q.items = q.items[1:]
	q.bytes -= it.size()
	if q.stuck {
		q.since = time.Now()
	}
	if it.cmd == nil {
		ask = q.reading.take(it.size())
	}
	q.changed.Broadcast()
	return it, ask, true
}

// close lets take return what is left and then nothing.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Broadcast()
}
