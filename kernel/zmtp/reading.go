package zmtp

import (
	"math/rand/v2"
	"slices"
	"time"
)

// pingParts are the parts of a queue after each of which a peer is asked: a MiB or 312 messages, unless Options say
// otherwise.
const pingParts = 64

// maxOpen is how many PINGs wait for their answers; a peer that reads and does not answer gets no more.
const maxOpen = 1024

// reading is what one peer has shown of its reading. In ZMTP 3.1 it answers PING by PONG, and what was sent before the
// PING has then been read: by the program or, up to its own bounds, by the ZeroMQ library in it. A peer of 3.0 shows
// that it reads by the room that it makes in a full queue, and by nothing else.
//
// By reading a sixteenth of the queue a peer earns that a sender waits for it, for Options.Stall. That time is its own,
// and no other connection can use it up. Of a peer that has shown nothing for that long, none is left: so any number of
// peers that stop reading at the same time cost one Stall together.
type reading struct {
	asks     bool // the peer knows PING
	maxItems int
	maxBytes int
	stall    time.Duration
	earned   time.Duration // how long it may be waited for
	since    time.Time     // from when on waiting has not been taken from earned; zero when nobody waits
	taken    time.Time     // when something was last taken to be sent
	proved   time.Time     // when the last PONG came
	items    int           // sent since the last PING
	bytes    int           //
	open     []ping        // those without an answer, the oldest first
}

// ping is a PING that was sent.
type ping struct {
	context [8]byte       // random, so that nobody answers what it has not read
	at      time.Time     //
	earns   time.Duration // by what was sent before it
}

// take says that n bytes are being sent, and returns the context of the PING that is to follow them, if one is.
func (r *reading) take(n int) (context []byte) {
	r.taken = time.Now()
	if !r.asks {
		return nil
	}
	r.items++
	r.bytes += n
	if r.items < r.maxItems/pingParts && r.bytes < r.maxBytes/pingParts || len(r.open) == maxOpen {
		return nil
	}
	parts := max(float64(r.items)/float64(r.maxItems), float64(r.bytes)/float64(r.maxBytes)) * queueParts
	p := ping{at: r.taken, earns: time.Duration(min(parts, 1) * float64(r.stall))}
	for i, v := 0, rand.Uint64(); i < len(p.context); i, v = i+1, v>>8 {
		p.context[i] = byte(v)
	}
	r.items, r.bytes, r.open = 0, 0, append(r.open, p)
	return p.context[:]
}

// answered takes a PONG, and reports whether that PING was sent.
func (r *reading) answered(context []byte) bool {
	i := slices.IndexFunc(r.open, func(p ping) bool { return string(p.context[:]) == string(context) })
	if i < 0 {
		return false
	}
	r.proved = time.Now()
	r.pay()
	for _, p := range r.open[:i+1] {
		r.earn(p.earns)
	}
	r.open = slices.Delete(r.open, 0, i+1)
	return true
}

func (r *reading) earn(d time.Duration) { r.earned = min(r.earned+d, r.stall) }

// wait says that somebody waits from now on.
func (r *reading) wait() { r.since = time.Now() }

// end says that nobody waits any more.
func (r *reading) end() {
	r.pay()
	r.since = time.Time{}
}

// pay takes what was waited from what was earned.
func (r *reading) pay() {
	if !r.since.IsZero() {
		now := time.Now()
		r.earned, r.since = max(0, r.earned-now.Sub(r.since)), now
	}
}

// rest is how long may be waited now of what was earned.
func (r *reading) rest() time.Duration {
	silent := r.taken
	if len(r.open) > 0 {
		silent = r.open[0].at
	}
	if r.proved.After(silent) {
		silent = r.proved
	}
	return min(r.earned-time.Since(r.since), r.stall-time.Since(silent))
}
