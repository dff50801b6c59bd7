package kernel

import (
	"regexp"
	"strings"
)

// historySession is the number of this run of the kernel.
const historySession = 1

// history is what was executed in this process. The shell goroutine alone uses it.
type history struct{ entries []historyEntry }

type historyEntry struct {
	line          int
	input, output string
}

func (h *history) add(line int, input, output string) {
	h.entries = append(h.entries, historyEntry{line, input, output})
}

// historyRequest is the content of history_request.
type historyRequest struct {
	Output  bool   `json:"output"`
	Access  string `json:"hist_access_type"` // "range", "tail" or "search"
	Session int    `json:"session"`          // for range: 0 is this one, others count from 1, negative ones back from this
	Start   int    `json:"start"`            // for range: the first line
	Stop    *int   `json:"stop"`             // for range: the line after the last
	N       *int   `json:"n"`                // for tail and search: the last n
	Pattern string `json:"pattern"`          // for search: with * and ?
	Unique  bool   `json:"unique"`           // for search: the last of equal inputs only
}

func (k *kernel) answerHistory(r *request) (any, error) {
	var q historyRequest
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	found, err := k.history.find(q)
	if err != nil {
		return nil, err
	}
	rows := [][3]any{}
	for _, e := range found {
		var text any = e.input
		if q.Output {
			text = [2]any{e.input, orNull(e.output)}
		}
		rows = append(rows, [3]any{historySession, e.line, text})
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
		return last(h.entries, q.N), nil
	case "range":
		var found []historyEntry
		if q.Session != 0 && q.Session != historySession {
			return nil, nil
		}
		for _, e := range h.entries {
			if e.line >= q.Start && (q.Stop == nil || e.line < *q.Stop) {
				found = append(found, e)
			}
		}
		return found, nil
	case "search":
		return last(h.search(globPattern(q.Pattern), q.Unique), q.N), nil
	}
	return nil, &CellError{Name: "BadRequest", Value: "history_request with hist_access_type " + q.Access + "; range, tail and search are known"}
}

func (h *history) search(pattern *regexp.Regexp, unique bool) []historyEntry {
	latest := map[string]int{}
	for i, e := range h.entries {
		latest[e.input] = i
	}
	var found []historyEntry
	for i, e := range h.entries {
		if pattern.MatchString(e.input) && (!unique || latest[e.input] == i) {
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

// globPattern matches a whole input; * stands for any text, ? for any character.
func globPattern(glob string) *regexp.Regexp {
	if glob == "" {
		glob = "*"
	}
	p := regexp.QuoteMeta(glob)
	p = strings.ReplaceAll(strings.ReplaceAll(p, `\*`, `.*`), `\?`, `.`)
	return regexp.MustCompile(`(?s)\A` + p + `\z`)
}
