package interp

import (
	"strings"
	"testing"
)

func TestErrorLines(t *testing.T) {
	compile := compileError([]Diagnostic{
		{Cell: 7, Line: 3, Column: 3, Message: "undefined: x", Source: "\té x"},
		{Cell: 7, Line: 4, Column: 1, Message: "other\n\thave (int)", Source: "y"},
	})
	panicked := &Error{Kind: Panic, Message: "boom", Trace: []Frame{{1, 2, "f"}, {1, 2, "f"}, {3, 4, ""}}}
	for _, c := range []struct {
		name string
		got  []string
		want string
	}{
		{"compile", compile.Lines(false), "cell 7, line 3, column 3: undefined: x\n    \té x\n    \t ^\ncell 7, line 4, column 1: other\n\thave (int)\n    y\n    ^"},
		{"panic", panicked.Lines(false), "panic: boom\n    cell 1, line 2, in f, and again\n    cell 3, line 4"},
		{"interrupt", (&Error{Kind: Interrupted, Message: "interrupted"}).Lines(false), "interrupted"},
		{"colour", (&Error{Kind: Interrupted, Message: "interrupted"}).Lines(true), "\x1b[31minterrupted\x1b[0m"},
	} {
		if got := strings.Join(c.got, "\n"); got != c.want {
			t.Errorf("%s:\n%q, want\n%q", c.name, got, c.want)
		}
	}
	if got := compile.Error(); got != "CompileError: cell 7, line 3, column 3: undefined: x (and 1 more)" {
		t.Error(got)
	}
}

func TestManyErrorsAreCutAtTen(t *testing.T) {
	r := newRecorder(t, Options{})
	got := r.run(1, strings.Repeat("nothing()\n", 14))
	if n := strings.Count(got, "undefined: nothing"); n != maxDiagnostics {
		t.Errorf("%d errors are shown:\n%s", n, got)
	}
}

func TestUnknownPackageOption(t *testing.T) {
	_, err := New(Options{Packages: []Package{{"np", "no/such"}}})
	if err == nil || !strings.Contains(err.Error(), "no/such") {
		t.Errorf("got %v", err)
	}
}
