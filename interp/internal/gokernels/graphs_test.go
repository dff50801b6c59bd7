package gokernels_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
	"github.com/arrayrepl/arrayrepl/interp/kernels"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
)

const graphCells = `func step(x []float32) { if i := gpu.GlobalID(); i < len(x) { x[i] = 2*x[i] + 1 } }
func scale(a float32, x []float32) { if i := gpu.GlobalID(); i < len(x) { x[i] *= a } }
var hits int32
func count(x []float32) { if i := gpu.GlobalID(); i < len(x) && x[i] > 3 { gpu.AtomicAdd(&hits, 1) } }
host := []float32{1, 2, 3, 4}
out := make([]float32, 4)`

// Variables of devices on streams: launches of streams and of arrays leave them to each other, the program has the
// value after Sync, and what it assigns is there at the next launch.
func TestVariablesOnStreams(t *testing.T) {
	testsize.InTurn(t, 2)
	useDevices(t)
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Arrays: symbols.Arrays(), Functions: kernels.Functions{}})
	require.NoError(t, err)
	defer s.Close()
	r := judge.Record(t, s)
	require.Empty(t, r.Run(1, graphCells+`
np.Use("sim:tiny")`))
	for i, c := range []struct{ src, want string }{
		{`s := gpu.NewStream()
x := gpu.NewBuffer(np.Float32, 4)
s.CopyIn(x, host)
s.Launch(count, 1, 4, x)
s.Launch(count, 1, 4, x)
s.Sync()
fmt.Println(hits)`, "2\n"},
		{`gpu.Launch(count, 1, 4, host); fmt.Println(hits)
s.Launch(count, 1, 4, x)
fmt.Println(gpu.CopyFrom(&hits))
s.Launch(count, 1, 4, x)
gpu.Launch(count, 1, 4, host); fmt.Println(hits)`, "3\n4\n6\n"},
		{`hits = 100
s.Launch(count, 1, 4, x)
s.Sync()
fmt.Println(hits)
gpu.CopyTo(&hits, 7)
s.Launch(count, 1, 4, x)
s.Sync()
fmt.Println(hits)`, "101\n8\n"},
		// a graph has the variable as it is when it is launched
		{`g := gpu.Capture(func(s *gpu.Stream) { s.Launch(count, 1, 4, x); s.Launch(count, 1, 4, x) })
hits = 10
g.Launch(s)
g.Launch(s)
s.Sync()
fmt.Println(hits)`, "14\n"},
		{`var bias [2]float32
func add(x []float32) { x[gpu.GlobalID()] += bias[gpu.GlobalID()%2] }
gpu.Const(&bias, []float32{10, 20})
s.Launch(add, 1, 4, x)
bias[1] = 40
s.Launch(add, 1, 4, x)
s.CopyOut(out, x)
s.Sync()
fmt.Println(out)`, "[21 62 23 64]\n"},
		{`fmt.Println(gpu.CheckStreams())`, "streams: no event is missing\n"},
		// two that read what the program has assigned need no event: the second waits for the copy
		{`a, b, y := gpu.NewStream(), gpu.NewStream(), gpu.NewBuffer(np.Float32, 4)
b.CopyIn(y, host)
bias[0] = 1
a.Launch(add, 1, 4, x)
b.Launch(add, 1, 4, y)
b.CopyOut(out, y)
a.Sync()
b.Sync()
fmt.Println(out, gpu.CheckStreams())`, "[2 42 4 44] streams: no event is missing\n"},
		{`bias[0] = 2
a.Launch(add, 1, 4, x)
bias[0] = 3
b.Launch(add, 1, 4, y)
a.Sync()
b.Sync()
f := gpu.CheckStreams()
fmt.Println(f.List[0].What); fmt.Println(f.List[0].Accesses); fmt.Println(f.List[1].Accesses)`, "two streams use variable bias on sim:tiny#0, and nothing orders them: on a card or the CPU the result may be anything\n" +
			"[the copy of the program's bias writes it the copy of the program's bias writes it]\n[the launch of add reads it the copy of the program's bias writes it]\n"},
		{`a.Launch(count, 1, 4, x)
b.Launch(count, 1, 4, y)
a.Sync()
b.Sync()
fmt.Println(gpu.CheckStreams().List[0].What)`, "two streams use variable hits on sim:tiny#0, and nothing orders them: on a card or the CPU the result may be anything\n"},
	} {
		require.Equal(t, c.want, r.Run(i+2, c.src), c.src)
	}
}

// Graphs give what the same operations give one by one, on simulated GPUs and on the CPU, and 1,000 small kernels of
// one take the gap of a graph each, where launches take that of launches: 500 and 1,000 ns on the simulated V100.
func TestGraphs(t *testing.T) {
	testsize.InTurn(t, 1)
	useDevices(t)
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Arrays: symbols.Arrays(), Functions: kernels.Functions{}})
	require.NoError(t, err)
	defer s.Close()
	r := judge.Record(t, s)
	require.Empty(t, r.Run(1, graphCells))
	cell := 1
	for _, on := range []string{"host", "sim:tiny"} {
		for _, c := range []struct{ src, want string }{
			{`np.Use("` + on + `")
s, x := gpu.NewStream(), gpu.NewBuffer(np.Float32, 4)
pinned := gpu.Pinned(np.Float32, 4)
g := gpu.Capture(func(s *gpu.Stream) {
	s.CopyIn(x, pinned)
	for range 3 { s.Launch(step, 1, 4, x) }
	s.Launch(scale, 1, 4, 0.5, x)
	s.CopyOut(out, x)
})
copy(pinned.Float32(), host)
g.Launch(s)
s.Sync()
fmt.Println(out, g.Nodes())`, "[7.5 11.5 15.5 19.5] 6\n"},
			{`pinned.Float32()[0] = 2 // a graph reads pinned memory when it runs
g.Update(4, 2, x)
e := g.Launch(s)
e.Wait()
s.Sync()
fmt.Println(out)`, "[46 46 62 78]\n"},
			// two streams beside each other, and a call of the host behind them
			{`y, z := gpu.NewBuffer(np.Float32, 4), gpu.NewBuffer(np.Float32, 4)
a, b := make([]float32, 4), make([]float32, 4)
side := gpu.NewStream(gpu.Priority(-1))
sum := float32(0)
fork := gpu.Capture(func(s *gpu.Stream) {
	s.CopyIn(y, host)
	side.Wait(s.CopyIn(z, host))
	s.Launch(step, 1, 4, y)
	e := side.Launch(scale, 1, 4, 10, z)
	s.Wait(e)
	s.CopyOut(a, y)
	s.CopyOut(b, z)
	s.Host(func() { for i := range a { sum += a[i] + b[i] } })
})
fork.Launch(s)
s.Sync()
fmt.Println(a, b, sum, len(gpu.CheckStreams().List))`, "[3 5 7 9] [10 20 30 40] 124 0\n"},
			{`side.Launch(step, 1, 4, z); side.Sync() // it is free again
fmt.Println(fork)`, ""},
		} {
			cell++
			got := r.Run(cell, c.src)
			if c.want != "" {
				require.Equal(t, c.want, got, c.src)
			}
		}
	}
	cell++
	require.Equal(t, "true true true\n", r.Run(cell, `np.Use("sim:v100")
s, x := gpu.NewStream(), gpu.NewBuffer(np.Float32, 4)
s.CopyIn(x, host)
s.Launch(step, 1, 4, x)
s.Sync()
t0 := s.Launch(step, 1, 4, x)
var last *gpu.Event
for range 1000 { last = s.Launch(step, 1, 4, x) }
s.Sync()
one := last.Time()
plain := last.Elapsed(t0)
g := gpu.Capture(func(s *gpu.Stream) { for range 1000 { s.Launch(step, 1, 4, x) } })
e := g.Launch(s)
s.Sync()
whole := e.Time()
gap := (whole - 1000*one) / 999
fmt.Println(gap <= 500*trace.Nanosecond, plain > whole + 400*trace.Microsecond, strings.Contains(viz.TaskGraph().String(), "step"))`))
	for _, c := range []struct{ src, want string }{
		{`gpu.Capture(func(s *gpu.Stream) { s.Launch(step, 1, 4, x); s.Sync() })`, "nothing to wait for: neither the launch of step nor what comes before it"},
		{`gpu.Capture(func(s *gpu.Stream) { s.Launch(step, 1, 4, x).Wait() })`, "Wait: the stream is captured into a graph"},
		{`gpu.Capture(func(s *gpu.Stream) { fmt.Println(s.Launch(step, 1, 4, x).Time()) })`, "Wait: the stream is captured"},
		{`gpu.Capture(func(s *gpu.Stream) { e := s.Launch(step, 1, 4, x); o := gpu.NewStream(); o.Wait(e); o.Launch(step, 1, 4, x) })`, "node 1 of the graph, the launch of step, is of a stream that the captured one has not waited for"},
		{`gpu.Capture(func(s *gpu.Stream) {})`, "the graph is empty"},
		{`before := s.Launch(step, 1, 4, x)
gpu.Capture(func(s *gpu.Stream) { s.Wait(before) })`, "waits for an event of before"},
		{`g.Update(1000, x)`, "Update: the graph has operations 0 to 999, not 1000"},
		{`g.Update(0, 1, 2)`, "kernel step"},
		{`c := gpu.Capture(func(s *gpu.Stream) { s.CopyIn(x, host) })
c.Update(0, x)`, "operation 0 of the graph, CopyIn, is not a launch"},
		{`s.Host(func() { s.Sync() }); s.Sync()`, "a function that a stream or an evaluation calls must not use streams"},
		{`s.Host(func() { panic("too late") }); s.Sync()`, "too late"},
		{`s.Host(nil)`, "the function for the host is nil"},
		{`y := gpu.NewBuffer(np.Float32, 4)
d := gpu.Capture(func(s *gpu.Stream) { s.CopyIn(y, host) })
y.Free()
d.Launch(s)`, "CopyIn: the buffer has been freed"},
		{`np.Use("sim:tiny")
g.Launch(gpu.NewStream())`, "the graph is of sim:v100#0, the stream of sim:tiny#0"},
		{`np.Use("sim:g80")
x := gpu.NewBuffer(np.Float32, 4)
gpu.Capture(func(s *gpu.Stream) { s.CopyIn(x, host) })`, "sim:g80#0 has no graphs: they came with CUDA 10, which needs compute capability 3.0, and it has 1.0"},
	} {
		cell++
		require.Contains(t, r.Run(cell, c.src), c.want, c.src)
	}
}

// Random operations on three streams and four buffers, captured into a graph and launched twice, give what they give on
// one stream in the order in which they were written.
func TestRandomGraphs(t *testing.T) {
	useDevices(t)
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Arrays: symbols.Arrays(), Functions: kernels.Functions{}})
	require.NoError(t, err)
	defer s.Close()
	r := judge.Record(t, s)
	require.Empty(t, r.Run(1, graphCells+`
func axpy(a float32, x, y []float32) { if i := gpu.GlobalID(); i < len(x) { y[i] += a * x[i] } }
type op struct { stream, kind, i, j int; by float32 }
func ops(seed uint64) (list []op) {
	r := rand.New(rand.NewSource(int64(seed)))
	for range 3 + r.Intn(12) { list = append(list, op{r.Intn(3), r.Intn(4), r.Intn(4), r.Intn(4), float32(r.Intn(5))}) }
	return list
}
func give(s *gpu.Stream, o op, b []*gpu.Buffer) *gpu.Event {
	switch o.kind {
	case 0: return s.CopyIn(b[o.i], []float32{o.by, 1, 2, 3})
	case 1: return s.Launch(step, 1, 4, b[o.i])
	case 2: return s.Copy(b[o.i], b[o.j])
	}
	return s.Launch(axpy, 1, 4, o.by, b[o.j], b[o.i])
}
func values(s *gpu.Stream, b []*gpu.Buffer) string {
	out := make([]float32, 16)
	for i := range b { s.CopyOut(out[4*i:4*i+4], b[i]) }
	s.Sync()
	return fmt.Sprint(out)
}
func fresh(s *gpu.Stream) (b []*gpu.Buffer) {
	for i := range 4 { b = append(b, gpu.NewBuffer(np.Float32, 4)); s.CopyIn(b[i], []float32{float32(i), 2, 3, 4}) }
	s.Sync()
	return b
}`))
	seeds := ""
	for seed := range testsize.Seeds("interp/internal/gokernels.TestRandomGraphs") {
		seeds += fmt.Sprintf("%d, ", seed)
	}
	require.Equal(t, "0\n", r.Run(2, `wrong := 0
for _, on := range []string{"host", "sim:tiny"} {
	np.Use(on)
	for _, seed := range []uint64{`+seeds+`} {
		list, s := ops(seed), gpu.NewStream()
		b := fresh(s)
		for range 2 { for _, o := range list { give(s, o, b) } }
		want := values(s, b)
		b = fresh(s)
		g := gpu.Capture(func(first *gpu.Stream) {
			streams := []*gpu.Stream{first, gpu.NewStream(gpu.Priority(-1)), gpu.NewStream()}
			begin := first.Record()
			streams[1].Wait(begin)
			streams[2].Wait(begin)
			last := map[int]*gpu.Event{}
			for _, o := range list {
				for _, k := range []int{o.i, o.j} { if e := last[k]; e != nil { streams[o.stream].Wait(e) } }
				e := give(streams[o.stream], o, b)
				last[o.i], last[o.j] = e, e
			}
			for _, o := range streams[1:] { first.Wait(o.Record()) }
		})
		g.Launch(s)
		g.Launch(s)
		if got := values(s, b); got != want { wrong++; fmt.Println(on, seed, got, want) }
	}
}
fmt.Println(wrong)`))
}
