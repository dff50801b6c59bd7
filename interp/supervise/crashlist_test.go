package supervise_test

import (
	"context"
	"errors"
	"math"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
)

// fragile is an engine that panics at the cells that say so.
type fragile struct{ engine.Engine }

func (e fragile) Compile(p *engine.Program) (engine.Code, error) {
	if p.Cell.Pkg.Scope().Lookup("breakTheEngine") != nil {
		panic("index out of range in the engine")
	}
	return e.Engine.Compile(p)
}

// TestCrashList does to one session, one after the other, what ends other notebooks. What is fatal in Go itself, and
// ends the session's process, is tried in tests/jupyter.
func TestCrashList(t *testing.T) {
	if !alone(t) { // cells that fill the memory up to a limit would have the collector go through all that other tests hold
		return
	}
	t.Setenv("GODEBUG", "tracebacklabels=1")
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	r := newRecorder(t, interp.Options{Engine: fragile{ixgo.New()}, MemoryLimit: 400 << 20})
	noted := make(chan string, 10)
	r.session.Redirect(func(_ context.Context, _ string, text []byte) error { noted <- string(text); return nil })
	if got := r.Run(1, "survivor := map[string][]int{`a`: {1, 2, 3}}"); got != "" {
		t.Fatal(got)
	}
	for _, k := range []struct{ name, src, kind, message, line string }{
		{"panic in a goroutine", "go func() {\n\tpanic(`boom`)\n}()\ntime.Sleep(time.Second)", interp.Panic, "boom", "cell 2, line 2"},
		{"panic in a goroutine of sync", "var wg sync.WaitGroup\nwg.Go(func() { panic(`boom`) })\nwg.Wait()\ntime.Sleep(time.Second)", interp.Panic, "boom", "cell 2"},
		{"infinite recursion", "func deep(n int) int {\n\treturn deep(n+1) + 1\n}\ndeep(0)", interp.StackLimit, "nested too deep", "cell 2, line 1, in deep"},
		{"os.Exit", "_ = 1\nos.Exit(3)", interp.Exit, "os.Exit(3)", "cell 2, line 2"},
		{"log.Fatal", "log.SetOutput(io.Discard)\nlog.Fatal(`x`)", interp.Exit, "os.Exit(1)", "cell 2, line 2"},
		{"runtime.Goexit", "_ = 1\nruntime.Goexit()", interp.Exit, "runtime.Goexit", "cell 2, line 2"},
		{"nil map", "var m map[string]int\nm[`a`] = 1", interp.Panic, "assignment to entry in nil map", "cell 2, line 2"},
		{"an address that is not there", "p := (*int)(unsafe.Pointer(uintptr(8192)))\n*p = 1", interp.Panic, "invalid memory address", "cell 2, line 2"},
		{"the engine panics", "breakTheEngine := 1", interp.EngineError, "index out of range in the engine", ""},
		{"make", "_ = 1\n_ = make([]float64, 1<<40)", interp.MemoryLimit, "make([]float64, 1099511627776) takes 8.8 TB", "cell 2, line 2"},
		{"append", "func() { x := make([]int64, 1000)\nfor {\n\tx = append(x, x[:1000]...)\n}\n}()", interp.MemoryLimit, "append: a []int64", "cell 2, line 3"},
		{"small steps", "func() { var x [][]byte\nfor {\n\tx = append(x, make([]byte, 100_000))\n}\n}()", interp.MemoryLimit, "the limit is 419 MB", "cell 2, line"},
		{"deadlock", "c := make(chan int)\n<-c", interp.Interrupted, "interrupted", "cell 2, line 2"},
	} {
		t.Run(k.name, func(t *testing.T) {
			ctx, interrupt := context.WithTimeout(context.Background(), 60*time.Second)
			defer interrupt()
			if k.kind == interp.Interrupted {
				go func() {
					if note := <-noted; !strings.Contains(note, "The cell waits at "+k.line) {
						t.Errorf("the note is %q", note)
					}
					interrupt()
				}()
			}
			_, err := r.session.Run(ctx, 2, k.src)
			var e *interp.Error
			if !errors.As(err, &e) || e.Kind != k.kind || !strings.Contains(e.Message, k.message) {
				t.Fatalf("got %v, want kind %s with %q", err, k.kind, k.message)
			}
			if all := strings.Join(e.Lines(false), "\n"); !strings.Contains(all, k.line) {
				t.Errorf("%s\nwant the line %s", all, k.line)
			}
			if got := r.Run(3, "survivor[`a`]"); got != "[1 2 3]\n" {
				t.Errorf("afterwards survivor is %q", got)
			}
		})
	}
}
