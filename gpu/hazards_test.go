package gpu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// place is a line of a program that is not there.
type place string

func (p place) String() string { return string(p) }

// at makes all that follows come from a line, and returns what streams tell.
func at(t *testing.T) (line *int, told *[]string) {
	t.Helper()
	line, told = new(int), new([]string)
	rt := lazy.Runtime()
	rt.Here = func() any { return place(fmt.Sprintf("line %d", *line)) }
	rt.Warn = func(text string) { *told = append(*told, text) }
	gpu.CheckStreams() // what other tests have left
	return line, told
}

// TestMissingEvents: two streams that use a buffer need an event, or somebody who has waited, between them.
func TestMissingEvents(t *testing.T) {
	saxpy, err := kernels.Source("Saxpy")
	require.NoError(t, err)
	module := gpu.PTX(".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry first(.param .u64 y, .param .u64 x)\n{\n\t.reg .u64 %a, %b;\n\t.reg .f32 %f;\n" +
		"\tld.param.u64 %a, [y];\n\tld.param.u64 %b, [x];\n\tld.global.f32 %f, [%b];\n\tst.global.f32 [%a], %f;\n\tret;\n}\n")
	host := []float32{1, 2, 3, 4}
	for _, c := range []struct {
		name string
		do   func(a, b *gpu.Stream, x, y *gpu.Buffer)
		want string // of the one finding; empty for none
	}{
		{"no event", func(a, b *gpu.Stream, x, y *gpu.Buffer) {
			a.CopyIn(x, host)
			b.Launch(saxpy, 1, 32, 2, x, y)
		}, "CopyIn (line 7) writes it|the launch of Saxpy (line 7) reads it"},
		{"an event", func(a, b *gpu.Stream, x, y *gpu.Buffer) {
			b.Wait(a.CopyIn(x, host))
			b.Launch(saxpy, 1, 32, 2, x, y)
		}, ""},
		{"a later event of the stream", func(a, b *gpu.Stream, x, y *gpu.Buffer) {
			a.CopyIn(x, host)
			a.CopyIn(y, host)
			b.Wait(a.Record())
			b.Launch(saxpy, 1, 32, 2, x, y)
		}, ""},
		{"an event from before", func(a, b *gpu.Stream, x, y *gpu.Buffer) {
			e := a.Record()
			a.CopyIn(x, host)
			b.Wait(e)
			b.Launch(saxpy, 1, 32, 2, x, y)
		}, "CopyIn (line 7) writes it|the launch of Saxpy (line 7) reads it"},
		{"the host has waited for the stream", func(a, b *gpu.Stream, x, y *gpu.Buffer) {
			a.CopyIn(x, host)
			a.Sync()
			b.Launch(saxpy, 1, 32, 2, x, y)
		}, ""},
		{"the host has waited for the event", func(a, b *gpu.Stream, x, y *gpu.Buffer) {
			a.CopyIn(x, host).Time()
			b.Launch(saxpy, 1, 32, 2, x, y)
		}, ""},
		{"two that read", func(a, b *gpu.Stream, x, y *gpu.Buffer) {
			z := gpu.NewBuffer(arrays.Float32, 4)
			a.Launch(saxpy, 1, 32, 2, x, y)
			b.Launch(saxpy, 1, 32, 2, x, z)
		}, ""},
		{"a write behind a read", func(a, b *gpu.Stream, x, y *gpu.Buffer) {
			a.CopyOut(make([]float32, 4), x)
			b.CopyIn(x, host)
		}, "CopyOut (line 7) reads it|CopyIn (line 7) writes it"},
		{"two launches that write", func(a, b *gpu.Stream, x, y *gpu.Buffer) {
			z := gpu.NewBuffer(arrays.Float32, 4)
			a.Launch(saxpy, 1, 32, 2, x, y)
			b.Launch(saxpy, 1, 32, 2, z, y)
		}, "the launch of Saxpy (line 7) writes it|the launch of Saxpy (line 7) writes it"},
		{"a kernel in PTX reads its second parameter", func(a, b *gpu.Stream, x, y *gpu.Buffer) {
			a.Launch(module, 1, 1, y, x)
			b.CopyOut(make([]float32, 4), x)
		}, ""},
		{"a kernel in PTX writes to its first parameter", func(a, b *gpu.Stream, x, y *gpu.Buffer) {
			a.Launch(module, 1, 1, y, x)
			b.CopyOut(make([]float32, 4), y)
		}, "the launch of first (line 7) writes it|CopyOut (line 7) reads it"},
		{"one operation with a buffer twice", func(a, b *gpu.Stream, x, y *gpu.Buffer) {
			a.Launch(saxpy, 1, 32, 2, x, x)
			a.Launch(saxpy, 1, 32, 2, x, x)
		}, ""},
	} {
		use(t, "sim:v100")
		line, _ := at(t)
		*line = 7
		a, b := gpu.NewStream(), gpu.NewStream()
		c.do(a, b, gpu.NewBuffer(arrays.Float32, 4), gpu.NewBuffer(arrays.Float32, 4))
		a.Sync()
		b.Sync()
		found := gpu.CheckStreams()
		if c.want == "" {
			assert.Empty(t, found.List, c.name)
			assert.Equal(t, "streams: no event is missing", found.String(), c.name)
			continue
		}
		if assert.Len(t, found.List, 1, c.name) {
			assert.Equal(t, c.want, strings.Join(found.List[0].Accesses, "|"), c.name)
			launches := strings.Count(c.want, "the launch") == 2 // which may use different elements
			assert.Equal(t, launches, strings.Contains(found.List[0].Remedy, "different elements"), c.name)
		}
		assert.Empty(t, gpu.CheckStreams().List, "%s: they are forgotten", c.name)
	}
	line, told := at(t)
	for *line = 100; *line < 102; *line++ {
		for range 3 { // told once for each pair of lines
			a, b, x := gpu.NewStream(), gpu.NewStream(), gpu.NewBuffer(arrays.Float32, 4)
			a.CopyIn(x, host)
			b.CopyIn(x, host)
		}
	}
	assert.Len(t, *told, 2)
	assert.Contains(t, (*told)[0], "CopyIn (line 100) writes it\n   CopyIn (line 100) writes it")
	found := gpu.CheckStreams()
	require.Len(t, found.List, 2)
	assert.Equal(t, 3, found.List[0].Count)
}

// TestMissingEventsOfRandomPrograms compares what is found with the graph of all operations: its paths say which
// operations are ordered. Findings are pairs without a path, and each buffer that has such a pair has a finding.
func TestMissingEventsOfRandomPrograms(t *testing.T) {
	// it runs one operation at a time: on the CPU these programs have the data races that they are about
	use(t, "sim:v100")
	line, _ := at(t)
	r := rand.New(rand.NewPCG(28, 10))
	with, without := 0, 0
	for program := range 300 {
		type op struct {
			buffer int
			writes bool
			before []bool // by operation: there is a path from it
		}
		var ops []op
		streams := make([]*gpu.Stream, 2+r.IntN(3))
		bufs := make([]*gpu.Buffer, 1+r.IntN(3))
		for i := range streams {
			streams[i] = gpu.NewStream()
		}
		for i := range bufs {
			bufs[i] = gpu.NewBuffer(arrays.Float64, i+1) // of different lengths: findings name them
		}
		seen := make([]map[int]bool, len(streams)) // by stream: what its next operation comes after
		host := map[int]bool{}                     // what the host has waited for
		last := make([]int, len(streams))
		var events []*gpu.Event
		var of []int // operations of the events
		for i := range seen {
			seen[i], last[i] = map[int]bool{}, -1
		}
		closure := func(into map[int]bool, n int) {
			into[n] = true
			for k, yes := range ops[n].before {
				if yes {
					into[k] = true
				}
			}
		}
		for range 12 + r.IntN(20) {
			s := r.IntN(len(streams))
			switch k := r.IntN(10); {
			case k < 6:
				b, n := r.IntN(len(bufs)), len(ops)
				*line = n
				o := op{b, r.IntN(2) == 0, make([]bool, n)}
				for _, known := range []map[int]bool{seen[s], host} {
					for m := range known {
						o.before[m] = true
					}
				}
				var e *gpu.Event
				if o.writes {
					e = streams[s].CopyIn(bufs[b], make([]float64, b+1))
				} else {
					e = streams[s].CopyOut(make([]float64, b+1), bufs[b])
				}
				ops = append(ops, o)
				closure(seen[s], n)
				last[s] = n
				events, of = append(events, e), append(of, n)
			case k < 8 && len(events) > 0:
				i := r.IntN(len(events))
				streams[s].Wait(events[i])
				closure(seen[s], of[i])
			case k == 8 && len(events) > 0 && r.IntN(3) == 0:
				i := r.IntN(len(events))
				events[i].Wait()
				closure(host, of[i])
			case k == 9 && last[s] >= 0 && r.IntN(4) == 0:
				streams[s].Sync()
				closure(host, last[s])
			}
		}
		for _, s := range streams {
			s.Sync()
		}
		wrong := map[string]bool{} // pairs without a path
		buffers := map[int]bool{}
		for j, y := range ops {
			for i, x := range ops[:j] {
				if x.buffer == y.buffer && (x.writes || y.writes) && !y.before[i] {
					wrong[fmt.Sprintf("%d %d", i, j)] = true
					buffers[x.buffer] = true
				}
			}
		}
		found := map[int]bool{}
		for _, f := range gpu.CheckStreams().List {
			var n, i, j int
			_, err := fmt.Sscanf(f.What, "two streams use one buffer of %d", &n)
			require.NoError(t, err)
			for k, at := range []*int{&i, &j} {
				_, err := fmt.Sscanf(f.Accesses[k][strings.Index(f.Accesses[k], "("):], "(line %d)", at)
				require.NoError(t, err)
			}
			require.True(t, wrong[fmt.Sprintf("%d %d", i, j)], "program %d: %v, but there is a path", program, f)
			found[n-1] = true
		}
		require.Equal(t, buffers, found, "program %d: buffers with operations that nothing orders", program)
		with += len(wrong)
		if len(wrong) == 0 {
			without++
		}
	}
	assert.Greater(t, with, 1000)
	assert.Greater(t, without, 5)
}
