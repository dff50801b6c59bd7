// Package celltest has what cells give to functions that want a *testing.T, such as those of testify:
//
//	assert.Equal(t, 4, 2+2)
//
// In a cell, t means [T]() where the cells have no t of their own. A failure is written at once, with its line, and
// fails the cell when it has come to its end; FailNow, which require calls, ends the cell. Start with [T]. The package
// must not know sessions: a session brings a [Reporter].
package celltest

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
)

// Reporter takes what a [Tester] is told. Its methods may be called from several goroutines.
type Reporter interface {
	Log(text string)  // text is written, with the line that calls
	Fail(text string) // the same, and what runs has failed; an empty text is not written
	FailNow()         // ends what runs
	Failed() bool
	Name() string
}

// Tester has the methods of a *testing.T that libraries of assertions call.
type Tester struct{ to Reporter }

// Of returns a tester that reports to r.
func Of(r Reporter) *Tester { return &Tester{r} }

// T returns the tester of the cell that calls. In a program it writes failures on standard error, with file and line,
// and FailNow ends the program with exit code 1.
func T() *Tester { return Of(&inProgram) }

// Error fails, with the text that fmt.Println has for the arguments.
func (t *Tester) Error(args ...any) { t.to.Fail(fmt.Sprintln(args...)) }

// Errorf fails, with the text that fmt.Printf has for the arguments.
func (t *Tester) Errorf(format string, args ...any) {
	t.to.Fail(withoutTrace(fmt.Sprintf(format, args...)))
}

// Fail fails without a text.
func (t *Tester) Fail() { t.to.Fail("") }

// FailNow fails and ends the cell.
func (t *Tester) FailNow() { t.to.FailNow() }

// Failed reports whether something has failed in the cell.
func (t *Tester) Failed() bool { return t.to.Failed() }

// Fatal is Error and FailNow.
func (t *Tester) Fatal(args ...any) {
	t.Error(args...)
	t.FailNow()
}

// Fatalf is Errorf and FailNow.
func (t *Tester) Fatalf(format string, args ...any) {
	t.Errorf(format, args...)
	t.FailNow()
}

// Helper does nothing: lines are those of cells.
func (t *Tester) Helper() {}

// Log writes the text that fmt.Println has for the arguments.
func (t *Tester) Log(args ...any) { t.to.Log(fmt.Sprintln(args...)) }

// Logf writes the text that fmt.Printf has for the arguments.
func (t *Tester) Logf(format string, args ...any) { t.to.Log(fmt.Sprintf(format, args...)) }

// Name returns the cell's name: "cell 3".
func (t *Tester) Name() string { return t.to.Name() }

// withoutTrace leaves out of testify's text what the place says better: the lines of compiled code that were called,
// and the name of the test.
func withoutTrace(text string) string {
	var out []string
	skipping := false
	for line := range strings.Lines(text) {
		switch label, _, _ := strings.Cut(strings.TrimPrefix(line, "\t"), ":"); {
		case strings.HasPrefix(line, "\tError Trace:"):
			skipping = true
		case strings.HasPrefix(line, "\tTest:") && out != nil:
			skipping = true
		case skipping && strings.HasPrefix(line, "\t") && label != "" && label[0] != ' ' && label[0] != '\t':
			skipping = false
		}
		if !skipping {
			out = append(out, line)
		}
	}
	return strings.Trim(strings.Join(out, ""), "\n")
}

// program reports to standard error.
type program struct{ failed atomic.Bool }

var inProgram program

// Log implements [Reporter].
func (p *program) Log(text string) {
	fmt.Fprintf(os.Stderr, "%s: %s\n", caller(), strings.TrimRight(text, "\n"))
}

// Fail implements [Reporter].
func (p *program) Fail(text string) {
	p.failed.Store(true)
	if text != "" {
		p.Log(text)
	}
}

// FailNow implements [Reporter].
func (p *program) FailNow() { os.Exit(1) }

// Failed implements [Reporter].
func (p *program) Failed() bool { return p.failed.Load() }

// Name implements [Reporter].
func (p *program) Name() string { return "main" }

// caller is the innermost place of package main.
func caller() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "main.") {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		if !more {
			return "main"
		}
	}
}
