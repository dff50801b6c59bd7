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
)

// TestMissingEventsOfHostMemory: memory of the host takes part, pinned or not, as far as two operations share it; so
// does the program, where it is given the memory or the memory is read for it.
func TestMissingEventsOfHostMemory(t *testing.T) {
	saxpy, err := kernels.Source("Saxpy")
	require.NoError(t, err)
	type memory struct {
		x, y, z *gpu.Buffer
		h       *gpu.HostBuffer
		s       []float32
	}
	for _, c := range []struct {
		name string
		do   func(a, b *gpu.Stream, m memory)
		want string // of the one finding: what, and who; empty for none
	}{
		{"pinned, no event", func(a, b *gpu.Stream, m memory) {
			a.CopyOut(m.h, m.x)
			b.CopyIn(m.y, m.h)
		}, "two streams use one pinned buffer of 4 float32|CopyOut (line 7) writes it|CopyIn (line 7) reads it"},
		{"pinned, an event", func(a, b *gpu.Stream, m memory) {
			b.Wait(a.CopyOut(m.h, m.x))
			b.CopyIn(m.y, m.h)
		}, ""},
		{"pinned, the host has waited", func(a, b *gpu.Stream, m memory) {
			a.CopyOut(m.h, m.x).Wait()
			b.CopyIn(m.y, m.h)
		}, ""},
		{"pinned, an event by a third stream", func(a, b *gpu.Stream, m memory) {
			c := gpu.NewStream()
			c.Wait(a.CopyOut(m.h, m.x))
			b.Wait(c.CopyIn(m.z, m.h))
			b.CopyOut(m.h, m.y)
		}, ""},
		{"pinned, one stream", func(a, b *gpu.Stream, m memory) {
			a.CopyOut(m.h, m.x)
			a.CopyIn(m.y, m.h)
			a.CopyOut(m.h, m.y)
		}, ""},
		{"pinned, two that read", func(a, b *gpu.Stream, m memory) {
			a.CopyIn(m.x, m.h)
			b.CopyIn(m.y, m.h)
		}, ""},
		{"pinned, a write behind a read", func(a, b *gpu.Stream, m memory) {
			a.CopyIn(m.x, m.h)
			b.CopyOut(m.h, m.y)
		}, "two streams use one pinned buffer of 4 float32|CopyIn (line 7) reads it|CopyOut (line 7) writes it"},
		{"pinned, in a graph", func(a, b *gpu.Stream, m memory) {
			g := gpu.Capture(func(s *gpu.Stream) { s.CopyOut(m.h, m.x) })
			g.Launch(a)
			b.CopyIn(m.y, m.h)
		}, "two streams use one pinned buffer of 4 float32|the launch of a graph (line 7) writes it|CopyIn (line 7) reads it"},
		{"slices, two that write", func(a, b *gpu.Stream, m memory) {
			a.CopyOut(m.s, m.x)
			b.CopyOut(m.s, m.y)
		}, "two streams use one slice of 8 float32|CopyOut (line 7) writes it|CopyOut (line 7) writes it"},
		{"slices that share some", func(a, b *gpu.Stream, m memory) {
			a.CopyOut(m.s[:5], m.x)
			b.CopyOut(m.s[4:], m.y)
		}, "two streams use one slice of 4 float32|CopyOut (line 7) writes it|CopyOut (line 7) writes it"},
		{"slices side by side", func(a, b *gpu.Stream, m memory) {
			a.CopyOut(m.s[:4], m.x)
			b.CopyOut(m.s[4:], m.y)
		}, ""},
		{"a slice of the pinned buffer", func(a, b *gpu.Stream, m memory) {
			h := m.h.Float32()
			a.CopyOut(m.h, m.x)
			b.CopyOut(h[3:], m.y)
		}, "two streams use one slice of 1 float32|CopyOut (line 7) writes it|CopyOut (line 7) writes it"},
		{"CopyIn reads a slice when it is called", func(a, b *gpu.Stream, m memory) {
			a.CopyOut(m.s, m.x)
			a.CopyIn(m.y, m.s)
		}, "the program uses a slice of 8 float32 that a stream may not be done with|CopyOut (line 7) writes it|" +
			"CopyIn (line 7) reads it when it is called, as it is not pinned"},
		{"CopyIn of a slice behind Sync", func(a, b *gpu.Stream, m memory) {
			a.CopyOut(m.s, m.x)
			a.Sync()
			a.CopyIn(m.y, m.s)
			b.CopyOut(m.s, m.z) // CopyIn has a copy
		}, ""},
		{"the program reads too early", func(a, b *gpu.Stream, m memory) {
			a.CopyOut(m.h, m.x)
			_ = m.h.Float32()[0]
		}, "the program uses a pinned buffer of 4 float32 that a stream may not be done with|CopyOut (line 7) writes it|" +
			"Float32 (line 7) gives it to the program"},
		{"the program writes too early", func(a, b *gpu.Stream, m memory) {
			a.CopyIn(m.x, m.h)
			m.h.Float32()[0] = 1
		}, "the program uses a pinned buffer of 4 float32 that a stream may not be done with|CopyIn (line 7) reads it|" +
			"Float32 (line 7) gives it to the program"},
		{"the program reads behind Sync", func(a, b *gpu.Stream, m memory) {
			a.CopyOut(m.h, m.x)
			a.Sync()
			_ = m.h.Float32()[0]
		}, ""},
		{"the program has waited for one that has", func(a, b *gpu.Stream, m memory) {
			b.Wait(a.CopyOut(m.h, m.x))
			b.CopyIn(m.y, m.s)
			b.Sync()
			_ = m.h.Float32()[0]
		}, ""},
		{"the stream's function reads it", func(a, b *gpu.Stream, m memory) {
			a.CopyOut(m.h, m.x)
			a.Host(func() { _ = m.h.Float32()[0] })
		}, ""},
		{"freed too early", func(a, b *gpu.Stream, m memory) {
			h := gpu.Pinned(arrays.Float32, 2)
			a.CopyIn(m.x, h)
			h.Free()
		}, "the program uses a pinned buffer of 2 float32 that a stream may not be done with|CopyIn (line 7) reads it|Free (line 7) gives it back"},
		{"freed behind Sync", func(a, b *gpu.Stream, m memory) {
			h := gpu.Pinned(arrays.Float32, 2)
			a.CopyIn(m.x, h)
			a.Sync()
			h.Free()
		}, ""},
		{"a launch of slices", func(a, b *gpu.Stream, m memory) {
			a.CopyOut(m.s[:4], m.x)
			gpu.Launch(saxpy, 1, 32, 2, m.s[2:4], []float32{1, 2})
		}, "the program uses a slice of 2 float32 that a stream may not be done with|CopyOut (line 7) writes it|the launch of Saxpy (line 7) reads it"},
		{"a launch of slices behind Sync", func(a, b *gpu.Stream, m memory) {
			a.CopyOut(m.s[:4], m.x)
			a.Sync()
			gpu.Launch(saxpy, 1, 32, 2, m.s[2:4], []float32{1, 2})
		}, ""},
	} {
		use(t, "sim:v100")
		line, _ := at(t)
		*line = 7
		a, b := gpu.NewStream(), gpu.NewStream()
		buffer := func() *gpu.Buffer { return gpu.NewBuffer(arrays.Float32, 8) }
		c.do(a, b, memory{buffer(), buffer(), buffer(), gpu.Pinned(arrays.Float32, 4), make([]float32, 8)})
		a.Sync()
		b.Sync()
		found := gpu.CheckStreams()
		if c.want == "" {
			assert.Empty(t, found.List, c.name)
			continue
		}
		if assert.Len(t, found.List, 1, c.name) {
			f := found.List[0]
			what, _, _ := strings.Cut(f.What, ",")
			what, _, _ = strings.Cut(what, ":")
			assert.Equal(t, c.want, what+"|"+strings.Join(f.Accesses, "|"), c.name)
			assert.Equal(t, strings.Contains(c.want, "gives it to"), strings.Contains(f.Remedy, "nothing is wrong if"), c.name)
		}
	}
}

// TestMissingEventsOfRandomHostMemory compares what is found of pieces of a pinned buffer and of slices with the graph
// of all operations: a finding is a pair of operations that share elements, of which one writes, and that no path
// orders; each operation that is the second of such a pair has one.
func TestMissingEventsOfRandomHostMemory(t *testing.T) {
	use(t, "sim:v100")
	line, _ := at(t)
	r := rand.New(rand.NewPCG(28, 10))
	with, without := 0, 0
	for program := range 300 {
		type op struct {
			lo, hi int
			writes bool
			before []bool // by operation: there is a path from it
		}
		var ops []op
		streams := make([]*gpu.Stream, 2+r.IntN(3))
		for i := range streams {
			streams[i] = gpu.NewStream()
		}
		pinned := gpu.Pinned(arrays.Float64, 6)
		host, x := pinned.Float64(), gpu.NewBuffer(arrays.Float64, 6)
		seen, synced := make([]map[int]bool, len(streams)), map[int]bool{}
		last := make([]int, len(streams))
		for i := range seen {
			seen[i], last[i] = map[int]bool{}, -1
		}
		var events []*gpu.Event
		closure := func(into map[int]bool, n int) {
			into[n] = true
			for k, yes := range ops[n].before {
				if yes {
					into[k] = true
				}
			}
		}
		for range 4 + r.IntN(28) {
			s := r.IntN(len(streams))
			switch k := r.IntN(10); {
			case k < 6:
				n, lo := len(ops), r.IntN(6)
				*line = n
				o := op{lo, lo + 1 + r.IntN(6-lo), r.IntN(2) == 0, make([]bool, n)}
				own := gpu.NewBuffer(arrays.Float64, 6) // so that nothing but the host's memory is shared
				known := []map[int]bool{seen[s], synced}
				var e *gpu.Event
				switch {
				case o.writes:
					e = streams[s].CopyOut(host[o.lo:o.hi], own)
				case r.IntN(2) == 0:
					o.lo, o.hi = 0, 6
					e = streams[s].CopyIn(own, pinned)
				default: // read by the program
					known = known[1:]
					streams[s].CopyIn(own, host[o.lo:o.hi])
				}
				for _, known := range known {
					for m := range known {
						o.before[m] = true
					}
				}
				ops = append(ops, o)
				if e == nil { // what is queued later comes after it
					events = append(events, nil)
					closure(synced, n)
					continue
				}
				closure(seen[s], n)
				last[s] = n
				events = append(events, e)
			case k < 8 && len(events) > 0:
				if i := r.IntN(len(events)); events[i] != nil {
					streams[s].Wait(events[i])
					closure(seen[s], i)
				}
			case k == 8 && len(events) > 0 && r.IntN(3) == 0:
				if i := r.IntN(len(events)); events[i] != nil {
					events[i].Wait()
					closure(synced, i)
				}
			case k == 9 && last[s] >= 0 && r.IntN(4) == 0:
				streams[s].Sync()
				closure(synced, last[s])
			}
		}
		for _, s := range streams {
			s.Sync()
		}
		x.Free()
		wrong, seconds := map[string]bool{}, map[int]bool{}
		for j, y := range ops {
			for i, x := range ops[:j] {
				if x.lo < y.hi && y.lo < x.hi && (x.writes || y.writes) && !y.before[i] {
					wrong[fmt.Sprintf("%d %d", i, j)] = true
					seconds[j] = true
				}
			}
		}
		found := map[int]bool{}
		for _, f := range gpu.CheckStreams().List {
			var i, j int
			for k, at := range []*int{&i, &j} {
				_, err := fmt.Sscanf(f.Accesses[k][strings.Index(f.Accesses[k], "("):], "(line %d)", at)
				require.NoError(t, err)
			}
			require.True(t, wrong[fmt.Sprintf("%d %d", i, j)], "program %d: %v, but there is a path", program, f)
			found[j] = true
		}
		require.Equal(t, seconds, found, "program %d", program)
		with += len(wrong)
		if len(wrong) == 0 {
			without++
		}
	}
	assert.Greater(t, with, 1000)
	assert.Greater(t, without, 5)
}
