package supervise_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
)

// killers are cells that would end a process, or leave it without a way back, with what the session must say of them.
var killers = []struct{ name, src, kind, message, line string }{
	{"panic", `panic("boom")`, interp.Panic, "boom", "cell 2, line 1"},
	{"panic in a goroutine", "go func() {\n\tpanic(\"boom\")\n}()\ntime.Sleep(time.Second)", interp.Panic, "boom", "cell 2, line 2"},
	{"panic in a goroutine of a function", "func work() {\n\tvar m map[int]int\n\tm[1]++\n}\ngo work()\ntime.Sleep(time.Second)", interp.Panic, "nil map", ""},
	{"panic as the cell ends", `go func() { panic("late") }()`, interp.Panic, "late", "cell 2, line 1"},
	{"nil map", "var m map[string]int\nm[`a`] = 1", interp.Panic, "assignment to entry in nil map", "cell 2, line 2"},
	{"nil pointer", "var p *struct{ x int }\np.x = 1", interp.Panic, "nil pointer", "cell 2, line 2"},
	{"recursion", "func deep(n int) int {\n\treturn deep(n+1) + 1\n}\ndeep(0)", interp.StackLimit, "nested too deep", "cell 2, line 1, in deep"},
	{"recursion of methods", "type T struct{}\nfunc (t T) a() int { return t.b() }\nfunc (t T) b() int { return t.a() }\nT{}.a()", interp.StackLimit, "nested too deep", "cell 2"},
	{"recursion of a closure", "var f func(int) int\nf = func(n int) int { return f(n+1) + 1 }\nf(0)", interp.StackLimit, "nested too deep", "cell 2"},
	{"panics without an end", "func g() { defer g(); panic(1) }\ng()", interp.StackLimit, "nested too deep", "cell 2, line 1, in g"},
	{"panics of deferred literals", "func g() { defer func() { recover(); g() }(); panic(1) }\ng()", interp.StackLimit, "nested too deep", "cell 2, line 1, in g"},
	{"panics of methods", "type T struct{}\nfunc (t *T) g() { f := t.g; defer f(); panic(1) }\nnew(T).g()", interp.StackLimit, "nested too deep", "cell 2, line 2, in (*T).g"},
	{"deferred panics", "func g() { defer panic(1); defer g(); panic(2) }\ng()", interp.StackLimit, "nested too deep", "cell 2, line 1, in g"},
	{"run-time errors without an end", "func g() { defer g(); var m map[int]int; m[1] = 2 }\ng()", interp.StackLimit, "nested too deep", "cell 2, line 1, in g"},
	{"Goexit without an end", "func g() { defer g(); runtime.Goexit() }\ng()", interp.StackLimit, "nested too deep", ""},
	{"panics of a goroutine", "func g() { defer g(); panic(1) }\nf := g\ngo f()\ntime.Sleep(time.Minute)", interp.StackLimit, "nested too deep", "cell 2, line 4"},
	{"recursion with deferred calls", "func g(n int) { defer func() { n++ }(); g(n + 1) }\ng(0)", interp.StackLimit, "nested too deep", "cell 2, line 1, in g"},
	{"os.Exit", "os.Exit(3)", interp.Exit, "os.Exit(3)", "cell 2, line 1"},
	{"os.Exit in a goroutine", "go os.Exit(4)\ntime.Sleep(time.Second)", interp.Exit, "os.Exit(4)", ""},
	{"os.Exit through a variable", "quit := os.Exit\nquit(5)", interp.Exit, "os.Exit(5)", ""},
	{"deferred os.Exit", "func f() { defer os.Exit(6) }\nf()", interp.Exit, "os.Exit(6)", ""},
	{"log.Fatal", "log.SetOutput(io.Discard)\nlog.Fatal(`x`)", interp.Exit, "os.Exit(1)", "cell 2, line 2"},
	{"logger's Fatalf", "log.New(io.Discard, ``, 0).Fatalf(`x`)", interp.Exit, "os.Exit(1)", "cell 2, line 1"},
	{"runtime.Goexit", "runtime.Goexit()", interp.Exit, "runtime.Goexit", "cell 2, line 1"},
	{"Goexit under defers", "func f() { defer func() { recover() }(); runtime.Goexit() }\nf()", interp.Exit, "runtime.Goexit", ""},
	{"negative slice", "n := -1\n_ = make([]int, n)", interp.Panic, "makeslice", "cell 2, line 2"},
	{"closed channel", "c := make(chan int)\nclose(c)\nclose(c)", interp.Panic, "close of closed channel", "cell 2, line 3"},
	{"panic in String", "type S struct{}\nfunc (S) MIMEBundle() display { panic(`x`) }\ntype display struct{}\nvar e error = nil\ne.Error()", interp.Panic, "nil pointer", "cell 2, line 5"},
	{"panic(nil)", "panic(nil)", interp.Panic, "nil", "cell 2, line 1"},
	{"custom error", "panic(fmt.Errorf(`wrapped %w`, io.EOF))", interp.Panic, "wrapped EOF", "cell 2, line 1"},
	{"exit in init", "func init() { os.Exit(9) }", interp.Exit, "os.Exit(9)", "cell 2"},
}

// TestNothingKillsTheSession runs the killers one after the other in one session; a short test runs a third, each turn
// another.
func TestNothingKillsTheSession(t *testing.T) {
	late := make(chan *interp.Error, 1)
	r := newRecorder(t, interp.Options{Background: func(e *interp.Error) { late <- e }})
	if got := r.Run(1, "survivor := 42\nlist := []int{1, 2, 3}"); got != "" {
		t.Fatal(got)
	}
	for i, k := range killers {
		if !testsize.Part(i, 3) {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			start := time.Now()
			_, err := r.session.Run(context.Background(), 2, k.src)
			var e *interp.Error
			// its cell was done before a busy machine let the goroutine run
			if err == nil && strings.HasPrefix(k.src, "go ") {
				e = <-late
			} else if !errors.As(err, &e) {
				t.Fatalf("got %v, want an *Error", err)
			}
			all := strings.Join(e.Lines(false), "\n")
			if e.Kind != k.kind || !strings.Contains(e.Message, k.message) || !strings.Contains(all, k.line) {
				t.Errorf("got kind %q:\n%s\nwant kind %q with %q and %q", e.Kind, all, k.kind, k.message, k.line)
			}
			if strings.Contains(all, "·") {
				t.Errorf("a hidden name shows in\n%s", all)
			}
			// it did not hang; the race detector takes ten seconds for deep recursion
			if d := time.Since(start); d > time.Minute {
				t.Errorf("took %v", d)
			}
			if got := r.Run(3, "survivor"); got != "42\n" {
				t.Errorf("afterwards survivor is %q", got)
			}
		})
	}
	if got := r.Run(9, "fmt.Println(survivor, list)"); got != "42 [1 2 3]\n" {
		t.Errorf("at the end: %q", got)
	}
}

func TestPanicKeepsItsValue(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	_, err := r.session.Run(context.Background(), 1, "panic(fmt.Errorf(`reading: %w`, io.ErrUnexpectedEOF))")
	if err == nil || !strings.Contains(err.Error(), "unexpected EOF") {
		t.Fatalf("got %v", err)
	}
	var e *interp.Error
	if !errors.As(err, &e) || e.Value == nil || e.Unwrap() == nil {
		t.Errorf("the panic's error is not kept: %#v", err)
	}
}

func TestBackgroundPanicIsReported(t *testing.T) {
	got := make(chan *interp.Error, 1)
	r := newRecorder(t, interp.Options{Background: func(e *interp.Error) { got <- e }})
	if out := r.Run(1, "fire := make(chan bool)\ngo func() {\n\t<-fire\n\tpanic(`after the cell`)\n}()"); out != "" {
		t.Fatal(out)
	}
	r.Run(2, "go func() { time.Sleep(30 * time.Millisecond); close(fire) }()")
	select {
	case e := <-got:
		if !strings.Contains(e.Message, "after the cell") || len(e.Trace) == 0 || e.Trace[0].Cell != 1 || e.Trace[0].Line != 4 {
			t.Errorf("got %v, trace %v", e, e.Trace)
		}
	case <-time.After(time.Minute):
		t.Error("no report of a goroutine that panicked between cells")
	}
	if out := r.Run(3, "1 + 1"); out != "2\n" {
		t.Error(out)
	}
}
