package yaegi

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

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

func TestNothingKillsTheSession(t *testing.T) {
	late := make(chan *interp.Error, 1)
	r := newRecorderWith(t, interp.Options{Background: func(e *interp.Error) { late <- e }})
	if got := r.Run(1, "survivor := 42\nlist := []int{1, 2, 3}"); got != "" {
		t.Fatal(got)
	}
	for _, k := range killers {
		t.Run(k.name, func(t *testing.T) {
			start := time.Now()
			_, err := r.session.Run(context.Background(), 2, k.src)
			var e *interp.Error
			// its cell was done before a busy machine let the goroutine run
			if err == nil && strings.HasPrefix(k.src, "go ") {
				e = <-late
			} else if !errors.As(err, &e) {
				t.Fatalf("got %v, want an *interp.Error", err)
			}
			all := strings.Join(e.Lines(false), "\n")
			if e.Kind != k.kind || !strings.Contains(e.Message, k.message) || !strings.Contains(all, k.line) {
				t.Errorf("got kind %q:\n%s\nwant kind %q with %q and %q", e.Kind, all, k.kind, k.message, k.line)
			}
			if strings.Contains(all, "·") {
				t.Errorf("a hidden name shows in\n%s", all)
			}
			if d := time.Since(start); d > time.Minute { // on a busy machine five seconds were too few
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

// Each cell would run for ever, or for very long.
var endless = []struct{ name, before, src string }{
	{"loop", "", "for {\n}"},
	{"loop that counts", "", "for i := 0; ; i++ {\n\tkept = i\n}"},
	{"called function", "func spin() { for { } }", "spin()"},
	{"closure", "", "f := func() { for { } }\nf()"},
	{"method of an earlier cell", "type W struct{ n int }\nfunc (w *W) spin() { for { w.n++ } }", "(&W{}).spin()"},
	{"range over int", "", "for i := range math.MaxInt { _ = i }"},
	{"range over func", "", "for x := range func(yield func(int) bool) { for yield(1) { } } { _ = x }"},
	{"goto", "", "func g() {\nagain:\n\tgoto again\n}\ng()"},
	{"slow recursion", "func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }", "fib(80)"},
	{"blocked channel", "", "<-make(chan int)"},
	{"empty select", "", "select {}"},
	{"sleep", "", "time.Sleep(time.Hour)"},
	{"goroutines that spin", "", "for range 4 { go func() { for { } }() }\nfor { }"},
	{"wait group", "", "var wg sync.WaitGroup\nwg.Add(1)\nwg.Wait()"},
	{"loop that recovers", "", "func try() { defer func() { recover() }(); for { } }\nfor { try() }"},
	{"callback of compiled code", "", "strings.Map(func(r rune) rune { for { } }, `abc`)"},
}

func TestInterrupt(t *testing.T) {
	r := newRecorder(t)
	r.Run(1, "kept := 0\nname := `here`")
	for i, c := range endless {
		t.Run(c.name, func(t *testing.T) {
			if c.before != "" {
				if got := r.Run(2, c.before); got != "" {
					t.Fatal(got)
				}
			}
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(40*time.Millisecond, cancel)
			start := time.Now()
			_, err := r.session.Run(ctx, 3+i, c.src)
			took := time.Since(start) - 40*time.Millisecond
			var e *interp.Error
			if !errors.As(err, &e) || e.Kind != interp.Interrupted {
				t.Fatalf("got %v, want Interrupted", err)
			}
			if took > 5*time.Second {
				t.Errorf("control came back %v after the interrupt", took)
			}
			if got := r.Run(99, "name"); got != "here\n" {
				t.Errorf("variables: %q", got)
			}
		})
	}
}
