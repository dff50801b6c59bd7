package cellerror

import (
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

func TestErrorLines(t *testing.T) {
	compile := Compile([]Diagnostic{
		{Cell: 7, Line: 3, Column: 3, Message: "undefined: x", Source: "\té x"},
		{Cell: 7, Line: 4, Column: 1, Message: "other\n\thave (int)", Source: "y"},
	})
	panicked := &Error{Kind: Panic, Message: "boom", Trace: []engine.Frame{{Cell: 1, Line: 2, Func: "f"}, {Cell: 1, Line: 2, Func: "f"}, {Cell: 3, Line: 4}}}
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

// A source line is shown in a line of the screen, with the caret where it belongs.
func TestExcerpt(t *testing.T) {
	defer display.SetScreen(display.Screen{})
	long := strings.Repeat("a", 3000) + "X" + strings.Repeat("b", 3000)
	for _, c := range []struct {
		line    string
		column  int
		columns int
		caret   string // what is above it
		width   int
	}{
		{"x := y", 6, 0, "y", 6},
		{long, 3001, 0, "X", maxExcerpt},
		{long, 3001, 40, "X", 35},
		{long, 2, 40, "a", 35},
		{"X" + long, 1, 40, "X", 35},
		{long + "X", 6002, 40, "X", 35},
		{"\x1b[2Jé\x7fX", 7, 0, "X", 7},
	} {
		display.SetScreen(display.Screen{Columns: c.columns})
		text, column := excerpt(c.line, c.column)
		got := []rune(text)
		if len(got) != c.width || string(got[column-1]) != c.caret {
			t.Errorf("%.20q, column %d: %q, column %d", c.line, c.column, text, column)
		}
		if strings.ContainsAny(text, "\x1b\x7f") {
			t.Errorf("%q has control characters", text)
		}
	}
}
