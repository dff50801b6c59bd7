package lazy

import (
	"sync"
	"weak"

	"github.com/arrayrepl/arrayrepl/offload"
)

// ahead has the arrays that wait for the trigger that offload.SetTrigger has set.
var ahead waitingArrays

// waitingArrays are arrays that were made, and not evaluated since, as long as somebody has them.
type waitingArrays struct {
	mu    sync.Mutex
	all   []weak.Pointer[Array]
	bytes int64
}

// add notes that a, whose node is n, was made, and evaluates all that wait where the trigger wants that. It does so
// not while somebody evaluates: an annotated function that makes arrays while it runs would wait for itself. It panics
// as Eval does.
func (w *waitingArrays) add(a *Array, n *node, t *offload.Trigger) {
	if len(n.args) == 0 || n.done() {
		return
	}
	w.mu.Lock()
	w.all = append(w.all, weak.Make(a))
	w.bytes += int64(sizeBytes(n))
	due := t.Tasks > 0 && len(w.all) >= t.Tasks || t.Bytes > 0 && w.bytes >= t.Bytes
	w.mu.Unlock()
	if !due {
		return
	}
	select {
	case evaluating <- struct{}{}:
	default:
		return
	}
	run := w.take(t)
	unlock()
	if len(run) > 0 {
		Eval(run...)
	}
}

// take returns those of the arrays that somebody has and that have not been computed, each once, and forgets them; none
// where they are less than half of what may wait. Its caller holds the evaluation lock.
func (w *waitingArrays) take(t *offload.Trigger) (out []*Array) {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.all
	w.all, w.bytes = nil, 0
	seen := make(map[*Array]bool, len(all))
	for _, p := range all {
		a := p.Value()
		if a == nil || seen[a] || a.missing() || a.inFile() != nil {
			continue
		}
		if n := a.view().node; !n.done() {
			seen[a] = true
			out, w.all, w.bytes = append(out, a), append(w.all, p), w.bytes+int64(sizeBytes(n))
		}
	}
	if t.Tasks > 0 && len(out) >= (t.Tasks+1)/2 || t.Bytes > 0 && w.bytes >= t.Bytes/2 {
		w.all, w.bytes = nil, 0
		return out
	}
	return nil
}
