package kernel

import (
	"crypto/rand"
	"maps"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// A subshell is one more queue of shell requests with a goroutine that works through it: its cells run beside those of
// the main shell, with the same variables, and it answers while one of those runs.

// work answers the requests of one queue until it or the kernel ends.
func (k *kernel) work(q *requestQueue) {
	for r := q.pop(k.ctx); r != nil; r = q.pop(k.ctx) {
		k.handle(r, shellHandlers)
	}
}

// enqueue puts a shell request where its header says.
func (k *kernel) enqueue(r *request) {
	r.queue = k.queue
	if k.comms != nil && isComm(r.header.Type) {
		r.queue = k.comms
	}
	if id := r.header.Subshell; id != "" {
		k.shellsMu.Lock()
		r.queue = k.subshells[id]
		k.shellsMu.Unlock()
		if r.queue == nil {
			k.status(r, "busy")
			k.reply(r, errorContent(noSubshell(id)))
			k.status(r, "idle")
			return
		}
	}
	r.queue.push(r)
}

func noSubshell(id string) error {
	return &CellError{Name: "BadRequest", Value: "there is no subshell " + brief.Text(id)}
}

// createSubshell opens a subshell.
func (k *kernel) createSubshell(*request) (any, error) {
	id, q := rand.Text(), newRequestQueue()
	k.shellsMu.Lock()
	defer k.shellsMu.Unlock()
	if k.subshells == nil {
		return nil, &CellError{Name: "BadRequest", Value: "the kernel is about to end"}
	}
	k.subshells[id] = q
	k.shells.Go(func() { k.work(q) })
	return object{"status": "ok", "subshell_id": id}, nil
}

// deleteSubshell closes a subshell. What waits in it is still answered.
func (k *kernel) deleteSubshell(r *request) (any, error) {
	var q struct {
		ID string `json:"subshell_id"`
	}
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	k.shellsMu.Lock()
	queue := k.subshells[q.ID]
	delete(k.subshells, q.ID)
	k.shellsMu.Unlock()
	if queue == nil {
		return nil, noSubshell(q.ID)
	}
	queue.close()
	return object{"status": "ok"}, nil
}

// listSubshells names the open subshells.
func (k *kernel) listSubshells(*request) (any, error) {
	k.shellsMu.Lock()
	defer k.shellsMu.Unlock()
	return object{"status": "ok", "subshell_id": append([]string{}, slices.Sorted(maps.Keys(k.subshells))...)}, nil
}
