package gokernels_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
	"github.com/arrayrepl/arrayrepl/interp/kernels"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// A kernel finds in a variable what the program sees in it, or the launch is an error that says which device has what:
// launches of arrays, of streams and of graphs, with values of kernels and of gpu.CopyTo, of a table, and of a launch
// that has not ended yet.
func TestVariablesOfTwoDevicesMixed(t *testing.T) {
	useDevices(t)
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Arrays: symbols.Arrays(), Functions: kernels.Functions{}})
	require.NoError(t, err)
	defer s.Close()
	r := judge.Record(t, s)
	require.Empty(t, r.Run(1, `var hits int32
func count(n int32) { gpu.AtomicAdd(&hits, n) }
func read(out []int32) { out[gpu.GlobalID()] = hits }
func other(f func()) { np.Use("host"); defer np.Use("sim:tiny"); f() }
var w [4]float32
func weigh(y []float32) { y[gpu.GlobalID()] = w[gpu.GlobalID()] }
np.Use("sim:tiny")`))
	const mixed = "variable hits: sim:tiny#0 has changed it last, and the value on host is another"
	for i, c := range []struct{ src, want string }{
		{`gpu.Launch(count, 1, 1, 5); other(func() { gpu.Launch(count, 1, 1, 5) })`, "kernel count, " + mixed},
		{`other(func() { gpu.Launch(read, 1, 1, make([]int32, 1)) })`, "gpu.CopyTo(&hits, hits)"},
		{`gpu.Launch(read, 1, 1, make([]int32, 1), gpu.On("host"))`, "kernel read, " + mixed},
		{`gpu.Check(read, 1, 1, make([]int32, 1), gpu.On("host"))`, "kernel read, " + mixed},
		{`other(func() { fmt.Println(len(gpu.Spaces(read, 1, 1, make([]int32, 1)).List) > 0) })`, "true\n"}, // nothing is launched
		// which of the two, the program says
		{`other(func() { gpu.CopyTo(&hits, hits); gpu.Launch(count, 1, 1, 1); fmt.Println(hits) })`, "6\n"},
		{`gpu.Launch(count, 1, 1, 5);`, "variable hits: host has changed it last, and the value on sim:tiny#0 is another"},
		{`fmt.Println(hits, gpu.CopyFrom(&hits)); gpu.CopyTo(&hits, gpu.CopyFrom(&hits)); gpu.Launch(count, 1, 1, 1); fmt.Println(hits)`, "6 5\n6\n"},
		// what changes nothing is no difference, and the same values are none
		{`other(func() { gpu.Launch(count, 1, 1, 0); fmt.Println(hits) })`, "6\n"},
		{`hits = 0; gpu.Launch(count, 1, 1, 0); other(func() { gpu.Launch(count, 1, 1, 3); fmt.Println(hits) })`, "3\n"},
		// assignments are for all
		{`hits = 10; gpu.Launch(count, 1, 1, 1); fmt.Println(hits)`, "11\n"},
		// gpu.CopyTo is for one
		{`hits = 1; gpu.CopyTo(&hits, 2); other(func() { gpu.Launch(count, 1, 1, 1) })`, "kernel count, " + mixed},
		// streams: nobody has waited for the other device's launch
		{`hits = 20
s := gpu.NewStream()
s.Launch(count, 1, 1, 1)
other(func() { gpu.Launch(count, 1, 1, 1) })`, "kernel count, " + mixed},
		{`fmt.Println(hits)
other(func() { o := gpu.NewStream(); o.Launch(count, 1, 1, 1) })`, "21\npanic: kernel count, " + mixed},
		{`hits = 30
var g *gpu.Graph
o := func() (o *gpu.Stream) { other(func() { o = gpu.NewStream() }); return o }()
other(func() { g = gpu.Capture(func(s *gpu.Stream) { s.Launch(count, 1, 1, 1) }) })
g.Launch(o); o.Sync(); fmt.Println(hits)
gpu.Launch(count, 1, 1, 1)`, "31\n"},
		{`gpu.CopyTo(&hits, 40)
g.Launch(o)`, "kernel count, " + mixed},
		// tables
		{`gpu.Const(&w, []float32{1, 2}); gpu.CopyTo(&w, [4]float32{3, 4})
other(func() { gpu.Launch(weigh, 1, 4, make([]float32, 4)) })`, "kernel weigh, variable w: sim:tiny#0 has changed it last"},
		{`gpu.Const(&w, []float32{3, 4})
other(func() { y := make([]float32, 4); gpu.Launch(weigh, 1, 4, y); fmt.Println(y) })`, "[3 4 0 0]\n"},
	} {
		require.Contains(t, r.Run(i+2, c.src), c.want, c.src)
	}
}

// A launch of a stream that fails, or is interrupted, leaves a variable that it writes without a value: who uses it is
// told, again and again, until it gets one. Nothing hangs.
func TestVariablesAfterFailedStreams(t *testing.T) {
	useDevices(t)
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Arrays: symbols.Arrays(), Functions: kernels.Functions{}})
	require.NoError(t, err)
	defer s.Close()
	r := judge.Record(t, s)
	r.Limit = 20 * time.Second
	lost := "variable hits has no value on sim:tiny#0: the launch of bad, which may have written to it, has failed"
	for i, c := range []struct{ src, want string }{
		{`var hits int32
func count(x []float32) { gpu.AtomicAdd(&hits, 1); x[gpu.GlobalID()]++ }
func bad(x []float32) { gpu.AtomicAdd(&hits, 1); x[gpu.GlobalID()+4]++ }
np.Use("sim:tiny")
s, x := gpu.NewStream(), gpu.NewBuffer(np.Float32, 4)
s.CopyIn(x, make([]float32, 4));
s.Launch(count, 1, 4, x)
s.Launch(bad, 1, 4, x)
gpu.Launch(count, 1, 4, np.Zeros(4).AsType(np.Float32));`, "index 4 is out of range"},
		{`gpu.Launch(count, 1, 4, np.Zeros(4).AsType(np.Float32));`, "kernel count: " + lost},
		{`s.Sync()`, "index 4 is out of range"},
		{`s.Launch(count, 1, 4, x)`, lost},
		{`gpu.CopyFrom(&hits)`, "gpu.CopyTo(&hits, …) gives it one"},
		{`gpu.CopyTo(&hits, 0); s.Launch(count, 1, 4, x); s.Sync(); fmt.Println(hits)`, "4\n"},
		// what ended before the failure has its value
		{`s.Launch(count, 1, 4, x); s.CopyIn(x, make([]float32, 4)); s.Host(func() { panic("no") }); s.Sync()`, "no"},
		{`fmt.Println(hits, gpu.CopyFrom(&hits))`, "8 8\n"},
	} {
		require.Contains(t, r.Run(i+1, c.src), c.want, c.src)
	}
}

// interrupted runs a cell and interrupts it when its kernel has begun.
func interrupted(t *testing.T, s *interp.Session, n int, src string) {
	t.Helper()
	interruptedAfter(t, 300*time.Millisecond, s, n, src)
}

func interruptedAfter(t *testing.T, wait time.Duration, s *interp.Session, n int, src string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	_, err := s.Run(ctx, n, src)
	require.ErrorContains(t, err, "nterrupt", src)
}

// An interrupted launch of arrays has not happened: arrays, slices and variables are as they were, and stay so when
// somebody asks for the arrays, which would run the kernel again otherwise. The loops have no end.
func TestInterruptedLaunchesHaveNotHappened(t *testing.T) {
	testsize.InTurn(t, 1)
	useDevices(t)
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Arrays: symbols.Arrays(), Functions: kernels.Functions{}})
	require.NoError(t, err)
	defer s.Close()
	old := lazy.Runtime().Context
	lazy.Runtime().Context = s.Context
	defer func() { lazy.Runtime().Context = old }()
	r := judge.Record(t, s)
	r.Limit = 20 * time.Second
	require.Empty(t, r.Run(1, `var hits, others int32
func count(x []int32) { gpu.AtomicAdd(&hits, 1); x[gpu.GlobalID()]++ }
func spin(x []int32, end []int32) {
	gpu.AtomicAdd(&hits, 1)
	gpu.AtomicAdd(&others, 1)
	x[gpu.GlobalID()]++
	for end[0] == 0 { gpu.AtomicAdd(&end[1], 1) }
}
func spinning(x, y []int32) {
	x[gpu.GlobalID()]++
	y[gpu.GlobalID()]++
	for y[1] > 0 { gpu.AtomicAdd(&y[1], 1) }
}
func tree(x []int32, depth int32) {
	if gpu.GlobalID() == 0 && depth < 3 { gpu.TailLaunch(tree, 1, 4, x, depth+1) }
	gpu.AtomicAdd(&hits, 1)
	x[gpu.GlobalID()]++
	for depth == 2 { gpu.AtomicAdd(&x[1], 1) }
}`))
	n := 1
	for _, on := range []string{"host", "sim:tiny"} {
		run := func(src, want string) {
			n++
			require.Equal(t, want, r.Run(n, src), src)
		}
		run(`np.Use("`+on+`"); hits, others = 0, 0
x, end, y := np.Zeros(4).AsType(np.Int32), np.Zeros(2).AsType(np.Int32), []int32{0, 1, 0, 0}
gpu.Launch(count, 1, 4, x); fmt.Println(hits, x)`, "4 [1 1 1 1]\n")
		n++
		interrupted(t, s, n, "gpu.Launch(spin, 1, 4, x, end)")
		run("fmt.Println(hits, others, x, end)", "4 0 [1 1 1 1] [0 0]\n")
		n++
		interrupted(t, s, n, "gpu.Launch(spinning, 1, 4, x, y)")
		run("fmt.Println(x, y)", "[1 1 1 1] [0 1 0 0]\n")
		run("gpu.Launch(count, 1, 4, x); fmt.Println(hits, x)", "8 [2 2 2 2]\n")
		// of one that launches others, the grids that have ended have happened; on a busy machine these may be few
		for wait := 300 * time.Millisecond; ; wait *= 4 {
			n++
			interruptedAfter(t, wait, s, n, "gpu.Launch(tree, 1, 4, x, 0)")
			n++
			got := r.Run(n, "fmt.Println(hits, x)")
			if got == "16 [4 4 4 4]\n" {
				break
			}
			require.Contains(t, []string{"8 [2 2 2 2]\n", "12 [3 3 3 3]\n"}, got)
			require.Less(t, wait, time.Minute, "grids that have no end have not begun")
			run("hits = 8; x = np.Full(2, 4).AsType(np.Int32)", "")
		}
		// whoever waits for an event is interrupted, and the launch goes on
		run(`s, b, e := gpu.NewStream(), gpu.NewBuffer(np.Int32, 4), gpu.NewBuffer(np.Int32, 2)
s.CopyIn(b, make([]int32, 4)); s.CopyIn(e, make([]int32, 2)); s.Sync()
fmt.Println(hits)`, "16\n")
		n++
		interrupted(t, s, n, "s.Launch(count, 1, 4, b); s.Launch(spin, 1, 4, b, e); s.Sync()")
		n++
		require.Contains(t, r.Run(n, "gpu.CopyFrom(&hits)"), "variable hits has no value on", on)
		run("hits = 1; s.Launch(count, 1, 4, b); s.Sync(); fmt.Println(hits)", "5\n")
	}
}
