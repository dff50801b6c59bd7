package judge

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/cellerror"
)

type killer struct{ name, src, kind, message, line string }

// killers are cells that would end a process, or leave it without a way back, with what the session must say of them.
var killers = []killer{
	{"panic", `panic("boom")`, cellerror.Panic, "boom", "cell 2, line 1"},
	{"panic in a goroutine", "go func() {\n\tpanic(\"boom\")\n}()\ntime.Sleep(time.Second)", cellerror.Panic, "boom", "cell 2, line 2"},
	{"panic in a goroutine of a function", "func work() {\n\tvar m map[int]int\n\tm[1]++\n}\ngo work()\ntime.Sleep(time.Second)", cellerror.Panic, "nil map", ""},
	{"panic as the cell ends", `go func() { panic("late") }()`, cellerror.Panic, "late", "cell 2, line 1"},
	{"nil map", "var m map[string]int\nm[`a`] = 1", cellerror.Panic, "assignment to entry in nil map", "cell 2, line 2"},
	{"nil pointer", "var p *struct{ x int }\np.x = 1", cellerror.Panic, "nil pointer", "cell 2, line 2"},
	{"recursion", "func deep(n int) int {\n\treturn deep(n+1) + 1\n}\ndeep(0)", cellerror.StackLimit, "nested too deep", "cell 2, line 1, in deep"},
	{"recursion of methods", "type T struct{}\nfunc (t T) a() int { return t.b() }\nfunc (t T) b() int { return t.a() }\nT{}.a()", cellerror.StackLimit, "nested too deep", "cell 2"},
	{"recursion of a closure", "var f func(int) int\nf = func(n int) int { return f(n+1) + 1 }\nf(0)", cellerror.StackLimit, "nested too deep", "cell 2"},
	{"os.Exit", "os.Exit(3)", cellerror.Exit, "os.Exit(3)", "cell 2, line 1"},
	{"os.Exit in a goroutine", "go os.Exit(4)\ntime.Sleep(time.Second)", cellerror.Exit, "os.Exit(4)", ""},
	{"os.Exit through a variable", "quit := os.Exit\nquit(5)", cellerror.Exit, "os.Exit(5)", ""},
	{"deferred os.Exit", "func f() { defer os.Exit(6) }\nf()", cellerror.Exit, "os.Exit(6)", ""},
	{"log.Fatal", "log.SetOutput(io.Discard)\nlog.Fatal(`x`)", cellerror.Exit, "os.Exit(1)", "cell 2, line 2"},
	{"logger's Fatalf", "log.New(io.Discard, ``, 0).Fatalf(`x`)", cellerror.Exit, "os.Exit(1)", "cell 2, line 1"},
	{"runtime.Goexit", "runtime.Goexit()", cellerror.Exit, "runtime.Goexit", "cell 2, line 1"},
	{"Goexit under defers", "func f() { defer func() { recover() }(); runtime.Goexit() }\nf()", cellerror.Exit, "runtime.Goexit", ""},
	{"negative slice", "n := -1\n_ = make([]int, n)", cellerror.Panic, "makeslice", "cell 2, line 2"},
	{"closed channel", "c := make(chan int)\nclose(c)\nclose(c)", cellerror.Panic, "close of closed channel", "cell 2, line 3"},
	{"panic in String", "type S struct{}\nfunc (S) MIMEBundle() display { panic(`x`) }\ntype display struct{}\nvar e error = nil\ne.Error()", cellerror.Panic, "nil pointer", "cell 2, line 5"},
	{"panic(nil)", "panic(nil)", cellerror.Panic, "nil", "cell 2, line 1"},
	{"custom error", "panic(fmt.Errorf(`wrapped %w`, io.EOF))", cellerror.Panic, "wrapped EOF", "cell 2, line 1"},
	{"exit in init", "func init() { os.Exit(9) }", cellerror.Exit, "os.Exit(9)", "cell 2"},
}

// deferring are killers that nest calls by deferring them. The second engine is not asked for these.
var deferring = []killer{
	{"panics without an end", "func g() { defer g(); panic(1) }\ng()", cellerror.StackLimit, "nested too deep", "cell 2, line 1, in g"},
	{"panics of deferred literals", "func g() { defer func() { recover(); g() }(); panic(1) }\ng()", cellerror.StackLimit, "nested too deep", "cell 2, line 1, in g"},
	{"panics of methods", "type T struct{}\nfunc (t *T) g() { f := t.g; defer f(); panic(1) }\nnew(T).g()", cellerror.StackLimit, "nested too deep", "cell 2, line 2, in (*T).g"},
	{"deferred panics", "func g() { defer panic(1); defer g(); panic(2) }\ng()", cellerror.StackLimit, "nested too deep", "cell 2, line 1, in g"},
	{"run-time errors without an end", "func g() { defer g(); var m map[int]int; m[1] = 2 }\ng()", cellerror.StackLimit, "nested too deep", "cell 2, line 1, in g"},
	{"Goexit without an end", "func g() { defer g(); runtime.Goexit() }\ng()", cellerror.StackLimit, "nested too deep", ""},
	{"panics of a goroutine", "func g() { defer g(); panic(1) }\nf := g\ngo f()\ntime.Sleep(time.Minute)", cellerror.StackLimit, "nested too deep", "cell 2, line 4"},
	{"recursion with deferred calls", "func g(n int) { defer func() { n++ }(); g(n + 1) }\ng(0)", cellerror.StackLimit, "nested too deep", "cell 2, line 1, in g"},
}

// Killed runs cells that would end a process, one after the other in the session of r, which must say what each did and
// keep its variables. A short test runs a third of them, each turn another. Errors of goroutines after the end of their
// cell come from late.
func Killed(t *testing.T, r *Recorder, late <-chan *cellerror.Error, second bool) {
	if got := r.Run(1, "survivor := 42\nlist := []int{1, 2, 3}"); got != "" {
		t.Fatal(got)
	}
	cells := killers
	if !second {
		cells = slices.Concat(killers, deferring)
	}
	for i, k := range cells {
		if !testsize.Part(i, 3) {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			start := time.Now()
			_, err := r.session.Run(context.Background(), 2, k.src)
			var e *cellerror.Error
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
