package kernel

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/kernel/zmtp"
)

// request is a message that waits for its answer.
type request struct {
	*message
	via     *zmtp.Router
	queue   *requestQueue // that it waited in
	peer    string
	arrived time.Time
	piped   bool           // a cell of the same client was running or waited when it came
	aborted bool           // a cell before it failed
	meta    map[string]any // metadata of the reply
	after   func()         // runs when the reply and idle are sent, when not nil
}

// decode reads the content into v; a content that does not fit is the client's error.
func (r *request) decode(v any) error {
	err := budget.JSON("it", r.content, nil)
	if err == nil {
		err = json.Unmarshal(r.content, v)
	}
	if err != nil {
		return &CellError{Name: "BadRequest", Value: "the content of " + r.header.Type + ": " + brief.Reason(err)}
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

// requestQueue holds the shell requests that wait behind a running cell. It has no bound: only a client with the key
// gets in here, and it may send a whole notebook at once.
type requestQueue struct {
	mu     sync.Mutex
	items  []*request
	served *request   // that pop returned and that has no answer yet
	failed failedCell // the latest cell that did
	closed bool
	more   chan struct{}
}

func newRequestQueue() *requestQueue { return &requestQueue{more: make(chan struct{}, 1)} }

func (q *requestQueue) push(r *request) {
	q.mu.Lock()
	r.piped = q.pipes(r.peer)
	r.aborted = q.failed.unknownTo(r)
	q.items = append(q.items, r)
	q.mu.Unlock()
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// answered notes that the request that pop has returned is about to be answered.
func (q *requestQueue) answered() {
	q.mu.Lock()
	q.served = nil
	q.mu.Unlock()
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
			q.served = r
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
