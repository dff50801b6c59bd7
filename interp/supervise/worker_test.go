package supervise_test

import (
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/supervise"
)

// The goroutine of a cell runs the next one, unless the cell has left it other than a new one is.
func TestCellsShareAGoroutine(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the collector shrinks stacks
	r := newRecorder(t, interp.Options{})
	const id = "strings.Fields(string(debug.Stack()))[1]"
	n := 0
	run := func(src string) string {
		n++
		return r.Run(n, src)
	}
	waits := func() { require.Eventually(t, supervise.WorkerWaits, 5*time.Second, time.Millisecond) }
	run("func deep(n int) { if n > 0 { strings.Map(func(r rune) rune { deep(n-1); return r }, `a`) } }")
	run(id) // loads packages, which takes a deep stack
	for _, c := range []struct {
		what, src string
		kept      bool
	}{
		{"an expression", "1 + 1", true},
		{"a declaration", "x := 3", true},
		{"an error of the check", "y", true},
		{"a panic", "panic(`no`)", true},
		{"labels", "pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels(`a`, `b`)))", true},
		{"a goroutine beside", "go func() { select {} }()", true},
		{"the end of the goroutine", "runtime.Goexit()", false},
		{"the end of the process", "os.Exit(1)", false},
		{"a thread", "runtime.LockOSThread()", false},
		{"a thread, twice", "lock := runtime.LockOSThread; lock(); lock(); runtime.UnlockOSThread()", false},
		{"a deep stack", "deep(1_000)", false},
	} {
		before := run(id)
		waits()
		run(c.src)
		if c.kept {
			waits()
		}
		if after := run(id); c.kept {
			assert.Equal(t, before, after, c.what)
		} else {
			assert.NotEqual(t, before, after, c.what)
		}
		waits()
	}
	assert.Equal(t, "map[]\n", run("_, labels := 0, map[string]string{}; pprof.ForLabels(context.Background(), func(k, v string) bool { labels[k] = v; return true }); labels"))
}
