package kernel

import (
	"cmp"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// history is what was executed in this session and, when it has a store, in earlier ones. The kernel guards it.
type history struct {
	entries []historyEntry // of this session
	store   *historyStore  // nil: it is kept in memory alone
}

type historyEntry struct {
	session, line int
	input, output string
}

// add keeps what a cell was and, when it is not "", showed. The error says that it could not be written down.
func (h *history) add(line int, input, output string) (err error) {
	if len(output) > keptOutput {
		output = strings.ToValidUTF8(output[:keptOutput], "") + "…"
	}
	e := historyEntry{1, line, input, output}
	if h.store != nil {
		e.session, err = h.store.add(e)
	}
	h.entries = append(h.entries, e)
	return err
}

// session is the number of this session.
func (h *history) session() int {
	if h.store == nil {
		return 1
	}
	return h.store.session()
}

// all returns the entries of every session, oldest first.
func (h *history) all() []historyEntry {
	if h.store == nil {
		return h.entries
	}
	return append(h.store.others(), h.entries...)
}

// historyRequest is the content of history_request.
type historyRequest struct {
	Output bool   `json:"output"`
	Access string `json:"hist_access_type"` // "range", "tail" or "search"
	// for range: 0 is this one, others count from 1, negative ones back from this
	Session int    `json:"session"`
	Start   int    `json:"start"`   // for range: the first line
	Stop    *int   `json:"stop"`    // for range: the line after the last
	N       *int   `json:"n"`       // for tail and search: the last n
	Pattern string `json:"pattern"` // for search: with * and ?
	Unique  bool   `json:"unique"`  // for search: the last of equal inputs only
}

func (k *kernel) answerHistory(r *request) (any, error) {
	var q historyRequest
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	k.recordMu.Lock()
	found, err := k.history.find(q)
	k.recordMu.Unlock()
	if err != nil {
		return nil, err
	}
	rows := [][3]any{}
	for _, e := range found {
		var text any = e.input
		if q.Output {
			text = [2]any{e.input, orNull(e.output)}
		}
		rows = append(rows, [3]any{e.session, e.line, text})
	}
	return object{"status": "ok", "history": rows}, nil
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// find returns the entries that q asks for, oldest first.
func (h *history) find(q historyRequest) ([]historyEntry, error) {
	switch q.Access {
	case "tail":
		return last(h.all(), q.N), nil
	case "range":
		return h.lines(q), nil
	case "search":
		return last(search(h.all(), cmp.Or(q.Pattern, "*"), q.Unique), q.N), nil
	}
	return nil, &CellError{Name: "BadRequest", Value: "history_request with hist_access_type " + brief.Text(q.Access) + "; range, tail and search are known"}
}

// lines returns a range of lines of one session.
func (h *history) lines(q historyRequest) (found []historyEntry) {
	entries, session := h.entries, q.Session
	if session <= 0 {
		session += h.session()
	}
	if session != h.session() {
		entries = h.all()
	}
	for _, e := range entries {
		if e.session == session && e.line >= q.Start && (q.Stop == nil || e.line < *q.Stop) {
			found = append(found, e)
		}
	}
	return found
}

func search(entries []historyEntry, pattern string, unique bool) []historyEntry {
	latest := map[string]int{}
	for i, e := range entries {
		latest[e.input] = i
	}
	var found []historyEntry
	for i, e := range entries {
		if globMatches(pattern, e.input) && (!unique || latest[e.input] == i) {
			found = append(found, e)
		}
	}
	return found
}

func last(entries []historyEntry, n *int) []historyEntry {
	if n == nil || *n < 0 || *n >= len(entries) {
		return entries
	}
	return entries[len(entries)-*n:]
}
