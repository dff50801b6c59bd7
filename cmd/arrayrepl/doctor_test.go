package main

import (
	"bytes"
	"context"
	"testing"
)

func TestReport(t *testing.T) {
	for _, tt := range []struct {
		name  string
		found []finding
		want  string
		fails bool
	}{
		{"well", []finding{{part: "a", found: "b"}}, "ok a            b\n", false},
		{"broken", []finding{{part: "a", found: "b", repair: "c"}}, "!! a            b\n                → c\n", true},
		{"optional", []finding{{part: "a", found: "b", repair: "c", optional: true}}, "-  a            b\n                → c\n", false},
	} {
		var b bytes.Buffer
		if err := report(&b, tt.found); b.String() != tt.want || (err != nil) != tt.fails {
			t.Errorf("%s: %q, %v", tt.name, b.String(), err)
		}
	}
}

// What needs nothing of the machine must be well on any.
func TestChecksOfOurOwn(t *testing.T) {
	for _, check := range []func(context.Context) finding{checkSession, checkDevices} {
		if f := check(t.Context()); f.repair != "" || f.found == "" {
			t.Errorf("%+v", f)
		}
	}
}

// Whoever started the program by go run has no arrayrepl to call.
func TestCommandsOfGoRun(t *testing.T) {
	for line, want := range map[string]string{
		"arrayrepl lab   (sets up one of its own)": "go run ./cmd/arrayrepl lab   (sets up one of its own)",
		"pip install arrayrepl":                    "pip install arrayrepl",
		"go install ./cmd/arrayrepl":               "go install ./cmd/arrayrepl",
	} {
		if got := calledBy("go run ./cmd/arrayrepl", line); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := asCommand("arrayrepl lab"); got != calledBy(calledAs(), "arrayrepl lab") { // a test program is built as go run builds
		t.Error(got)
	}
}
