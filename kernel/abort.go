package kernel

import (
	"strings"
	"time"
)

// When a cell fails, the cells that its client has sent behind it are aborted. A client that runs a whole notebook
// sends all cells at once, and the first may fail while the others are still on their way.
//
// Where cells wait, or the failed one itself had waited, more are waited for: until none has come for abortGrace. A
// client that sends one cell after the other would wait in vain each time, so without a queue the wait is abortGlance.
// What comes after that, within abortGrace, is aborted when its header says that it was sent before the failure was
// told.
const (
	abortGrace  = 50 * time.Millisecond
	abortGlance = 3 * time.Millisecond
)

// failedCell is a cell that failed, as those that were sent behind it need to know it.
type failedCell struct {
	peer    string
	sent    time.Time // by the client's clock
	arrived time.Time // and by ours
	told    time.Time
}

// abort aborts the cells that r's client has sent behind r, which has failed.
func (q *requestQueue) abort(r *request) {
	n := q.abortWaiting(r.peer)
	grace := abortGrace
	if n == 0 && !r.piped {
		grace = abortGlance
	}
	for time.Sleep(grace); q.abortWaiting(r.peer) > 0; time.Sleep(abortGrace) {
	}
	sent, _ := r.sent()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.failed = failedCell{peer: r.peer, sent: sent, arrived: r.arrived, told: time.Now()}
}

// abortWaiting marks the waiting execute requests of one client as aborted, and returns how many it found that were not
// yet. Other requests are answered as usual, and another client did not ask for anything to stop.
func (q *requestQueue) abortWaiting(peer string) (n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, r := range q.items {
		if r.isCellOf(peer) && !r.aborted {
			r.aborted = true
			n++
		}
	}
	return n
}

// pipes reports whether a cell of the client runs or waits. The caller holds mu.
func (q *requestQueue) pipes(peer string) bool {
	if q.served != nil && q.served.isCellOf(peer) {
		return true
	}
	for _, r := range q.items {
		if r.isCellOf(peer) {
			return true
		}
	}
	return false
}

func (r *request) isCellOf(peer string) bool {
	return r.header.Type == "execute_request" && r.peer == peer
}

// unknownTo reports whether r was sent, a moment ago, by the client whose cell failed and could not know of it yet.
func (f *failedCell) unknownTo(r *request) bool {
	if f.peer != r.peer || r.header.Type != "execute_request" || f.sent.IsZero() || r.arrived.Sub(f.told) > abortGrace {
		return false
	}
	sent, unit := r.sent()
	// The two clocks may differ. Between its two messages, less time has passed at the client's than until the failure
	// was told.
	return !sent.IsZero() && sent.Sub(f.sent.Truncate(unit)) < f.told.Sub(f.arrived)-unit
}

// sent is when the client sent r, by its clock, in which unit; zero when it does not say.
func (r *request) sent() (at time.Time, unit time.Duration) {
	at, err := time.Parse(time.RFC3339Nano, r.header.Date)
	if err != nil {
		return time.Time{}, 0
	}
	unit = time.Second
	_, fraction, _ := strings.Cut(r.header.Date, ".")
	for i := 0; i < len(fraction) && '0' <= fraction[i] && fraction[i] <= '9' && unit > 1; i++ {
		unit /= 10
	}
	return at, unit
}
