package kernel

import (
	"fmt"
	"strings"
	"testing"
)

func TestHistory(t *testing.T) {
	var h history
	for i, code := range []string{"x := 1", "x + 1", "y := 2", "x + 1"} {
		h.add(i+1, code, "")
	}
	n := func(i int) *int { return &i }
	for _, tt := range []struct {
		q    historyRequest
		want string
	}{
		{historyRequest{Access: "tail", N: n(2)}, "3 4"},
		{historyRequest{Access: "tail", N: n(99)}, "1 2 3 4"},
		{historyRequest{Access: "tail"}, "1 2 3 4"},
		{historyRequest{Access: "range", Start: 2, Stop: n(4)}, "2 3"},
		{historyRequest{Access: "range", Session: 1, Start: 3}, "3 4"},
		{historyRequest{Access: "range", Session: 7}, ""},
		{historyRequest{Access: "search", Pattern: "x*"}, "1 2 4"},
		{historyRequest{Access: "search", Pattern: "x*", Unique: true}, "1 4"},
		{historyRequest{Access: "search", Pattern: "? := ?"}, "1 3"},
		{historyRequest{Access: "search", Pattern: "x"}, ""},
		{historyRequest{Access: "search", Pattern: "*(*"}, ""},
		{historyRequest{Access: "search", N: n(1)}, "4"},
	} {
		found, err := h.find(tt.q)
		var lines []string
		for _, e := range found {
			lines = append(lines, fmt.Sprint(e.line))
		}
		if got := strings.Join(lines, " "); err != nil || got != tt.want {
			t.Errorf("%+v: lines %q, %v; want %q", tt.q, got, err, tt.want)
		}
	}
	if _, err := h.find(historyRequest{Access: "all"}); err == nil {
		t.Error("an unknown access type was taken")
	}
}
