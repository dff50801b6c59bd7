package kernel

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func number(i int) *int { return &i }

// found lists the entries as session:line.
func found(t *testing.T, h *history, q historyRequest) string {
	t.Helper()
	entries, err := h.find(q)
	if err != nil {
		t.Errorf("%+v: %v", q, err)
	}
	var s []string
	for _, e := range entries {
		s = append(s, fmt.Sprintf("%d:%d", e.session, e.line))
	}
	return strings.Join(s, " ")
}

func addAll(t *testing.T, h *history, inputs ...string) {
	t.Helper()
	for _, code := range inputs {
		assert.NoError(t, h.add(len(h.entries)+1, code, ""))
	}
}

func TestHistory(t *testing.T) {
	var h history
	addAll(t, &h, "x := 1", "x + 1", "y := 2", "x + 1")
	for _, tt := range []struct {
		q    historyRequest
		want string
	}{
		{historyRequest{Access: "tail", N: number(2)}, "1:3 1:4"},
		{historyRequest{Access: "tail", N: number(99)}, "1:1 1:2 1:3 1:4"},
		{historyRequest{Access: "tail"}, "1:1 1:2 1:3 1:4"},
		{historyRequest{Access: "range", Start: 2, Stop: number(4)}, "1:2 1:3"},
		{historyRequest{Access: "range", Session: 1, Start: 3}, "1:3 1:4"},
		{historyRequest{Access: "range", Session: 7}, ""},
		{historyRequest{Access: "search", Pattern: "x*"}, "1:1 1:2 1:4"},
		{historyRequest{Access: "search", Pattern: "x*", Unique: true}, "1:1 1:4"},
		{historyRequest{Access: "search", Pattern: "? := ?"}, "1:1 1:3"},
		{historyRequest{Access: "search", Pattern: "x"}, ""},
		{historyRequest{Access: "search", Pattern: "*(*"}, ""},
		{historyRequest{Access: "search", N: number(1)}, "1:4"},
	} {
		if got := found(t, &h, tt.q); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.q, got, tt.want)
		}
	}
	if _, err := h.find(historyRequest{Access: "all"}); err == nil {
		t.Error("an unknown access type was taken")
	}
}

// Sessions one after the other and at the same time, in one directory.
func TestHistoryOfSeveralSessions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "history")
	open := func() *history { return &history{store: &historyStore{dir: dir}} }
	first := open()
	addAll(t, first, "a := 1", "a")
	first.store.close()
	left, right := open(), open() // at the same time
	if left.session() != 2 || right.session() != 2 {
		t.Error("a session that has run nothing takes a number")
	}
	addAll(t, left, "b := 2")
	addAll(t, right, "a", "c := 3")
	addAll(t, left, "b")
	for _, tt := range []struct {
		h    *history
		q    historyRequest
		want string
	}{
		{left, historyRequest{Access: "tail"}, "1:1 1:2 3:1 3:2 2:1 2:2"}, // its own last
		{right, historyRequest{Access: "tail", N: number(3)}, "2:2 3:1 3:2"},
		{right, historyRequest{Access: "range", Session: 0}, "3:1 3:2"},
		{right, historyRequest{Access: "range", Session: -1, Start: 2}, "2:2"},
		{right, historyRequest{Access: "range", Session: 1}, "1:1 1:2"},
		{right, historyRequest{Access: "search", Pattern: "a*", Unique: true}, "1:1 3:1"},
		{open(), historyRequest{Access: "range", Session: -1}, "3:1 3:2"},
	} {
		if got := found(t, tt.h, tt.q); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.q, got, tt.want)
		}
	}
	left.store.close()
	right.store.close()
}

func TestHistoryKeepsTheLatestSessions(t *testing.T) {
	dir := t.TempDir()
	for n := 1; n <= keptSessions+3; n++ {
		writeFile(t, filepath.Join(dir, fmt.Sprintf("%06d.jsonl", n)), `{"line":1,"input":"x"}`+"\n"+`{"line":2,"inp`)
	}
	writeFile(t, filepath.Join(dir, "notes.txt"), "not ours")
	h := &history{store: &historyStore{dir: dir}}
	require.NoError(t, h.add(1, "y", strings.Repeat("ä", keptOutput)))
	h.store.close()
	if files, _ := os.ReadDir(dir); len(files) != keptSessions+1 {
		t.Errorf("%d files", len(files))
	}
	again := &history{store: &historyStore{dir: dir}}
	all := again.all()
	if len(all) != keptSessions {
		t.Errorf("%d entries: the half lines are not left out", len(all))
	}
	if e := all[len(all)-1]; e.session != keptSessions+4 || e.input != "y" || len(e.output) > keptOutput+4 {
		t.Errorf("%d:%d, %d bytes of output", e.session, e.line, len(e.output))
	}
}

func TestHistoryWithoutAPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, "")
	h := &history{store: &historyStore{dir: filepath.Join(file, "history")}}
	if err := h.add(1, "x", ""); err == nil {
		t.Error("no error")
	}
	if err := h.add(2, "y", ""); err != nil {
		t.Errorf("it is said once: %v", err)
	}
	if got := found(t, h, historyRequest{Access: "tail"}); got != "1:1 1:2" {
		t.Error(got)
	}
}
