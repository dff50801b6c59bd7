package kernel

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/arrayrepl/arrayrepl/kernel/zmtp"
)

// request is a message that waits for its answer.
type request struct {
	*message
	via     *zmtp.Router
	queue   *requestQueue // that it waited in
	peer    string
	aborted bool           // a cell before it failed
	meta    map[string]any // metadata of the reply
	after   func()         // runs when the reply and idle are sent, when not nil
}

// decode reads the content into v; a content that does not fit is the client's error.
func (r *request) decode(v any) error {
	if err := json.Unmarshal(r.content, v); err != nil {
		return &CellError{Name: "BadRequest", Value: "the content of " + r.header.Type + ": " + err.Error()}
	}
	return nil
}

// cellID is the id of the cell that an execute_request runs, as JupyterLab and nbclient send it; "" from other clients.
func (r *request) cellID() string {
	var meta struct {
		ID string `json:"cellId"`
	}
	json.Unmarshal(r.metadata, &meta) // whatever else stands there is none of our business
	return meta.ID
}

// requestQueue holds the shell requests that wait behind a running cell. It has no bound: only a client with the key gets
// in here, and it may send a whole notebook at once.
type requestQueue struct {
	mu     sync.Mutex
	items  []*request
	closed bool
	more   chan struct{}
}

func newRequestQueue() *requestQueue { return &requestQueue{more: make(chan struct{}, 1)} }

func (q *requestQueue) push(r *request) {
	q.mu.Lock()
	q.items = append(q.items, r)
	q.mu.Unlock()
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// close makes pop return nil when nothing waits any more.
func (q *requestQueue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// pop waits for the oldest request; nil when ctx ended or the queue is closed. One goroutine calls it.
func (q *requestQueue) pop(ctx context.Context) *request {
	for {
		q.mu.Lock()
		if len(q.items) > 0 && ctx.Err() == nil {
			r := q.items[0]
			q.items[0] = nil // it may be large
			q.items = q.items[1:]
			q.mu.Unlock()
			return r
		}
		closed := q.closed
		q.mu.Unlock()
		if closed {
			return nil
		}
		select {
		case <-q.more:
		case <-ctx.Done():
			return nil
		}
	}
}

// abortExecutes marks the waiting execute requests of one client as aborted, and returns how many it found that were not
// yet. Other requests are answered as usual, and another client did not ask for anything to stop.
func (q *requestQueue) abortExecutes(peer string) (n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, r := range q.items {
		if r.header.Type == "execute_request" && r.peer == peer && !r.aborted {
			r.aborted = true
			n++
		}
	}
	return n
}
