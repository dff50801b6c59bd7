package placement

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// step is a launch of a random program, or what the host does.
type step struct {
	host     bool
	accesses []access
}

// access is an Access of a field by its number.
type access struct {
	field int
	box   partition.Box
	mode  Mode
}

var randomShape = []int{6, 5}

const randomFields = 4

func randomBox(r *rand.Rand, whole bool) partition.Box {
	b := partition.Whole(randomShape)
	if whole || r.IntN(4) == 0 {
		return b
	}
	for a, n := range randomShape {
		start := r.IntN(n)
		b[a] = partition.Every(start, start+1+r.IntN(n-start), 1+r.IntN(2))
	}
	return b
}

func randomProgram(r *rand.Rand, whole bool) (out []step) {
	for range 5 + r.IntN(60) {
		s := step{host: r.IntN(12) == 0}
		n := 1 + r.IntN(3)
		if s.host {
			n = 1
		}
		for range n {
			s.accesses = append(s.accesses, access{r.IntN(randomFields), randomBox(r, whole), Mode(r.IntN(3))})
		}
		out = append(out, s)
	}
	return out
}

// model is the judge: for each element who has used it and which memories have it, without boxes.
type model struct {
	order []*Vertex
	after map[*Vertex]map[*Vertex]bool // all that it comes after
	in    [randomFields]map[string]Memories
	bytes [3]int64 // from the host, to the host, between devices
}

func elements(b partition.Box, yield func(string)) {
	for i := range randomShape[0] {
		for j := range randomShape[1] {
			if b.Has([]int{i, j}) {
				yield(fmt.Sprint(i, ",", j))
			}
		}
	}
}

func (m *model) copyTo(f int, b partition.Box, to int) {
	elements(b, func(e string) {
		if in := m.in[f][e]; !in.Has(to) {
			device := false
			for d := range in.All {
				device = device || d != CPU
			}
			switch {
			case to == CPU:
				m.bytes[1] += 4
			case device:
				m.bytes[2] += 4
			default:
				m.bytes[0] += 4
			}
			m.in[f][e] = in.With(to)
		}
	})
}

func randomPlanner(t *testing.T, r *rand.Rand, whole bool) *Planner {
	t.Helper()
	policies := []Policy{RoundRobin{}, StreamAware{}, MinTransferSize{.1}, MinMaxTransferTime{.1}, KeyAffinity{},
		Func("last", func(c Candidates) int { return c.Devices[len(c.Devices)-1] })}
	p, err := NewPlanner(Options{Devices: 1 + r.IntN(8), Rates: v100x8(), Policy: policies[r.IntN(len(policies))],
		Streams: StreamChoice(r.IntN(4)), Reuse: r.IntN(2) == 0, Whole: whole})
	require.NoError(t, err)
	return p
}

// TestRandomPrograms compares plans with what follows element by element: two launches are ordered, by parents of
// parents, where one writes what the other uses, unless the host has waited between them; each parent is needed; and
// before each launch all that it reads is on its device, copied once.
func TestRandomPrograms(t *testing.T) {
	for seed := range testsize.Seeds("offload/placement.TestRandomPrograms") {
		r := rand.New(rand.NewPCG(seed, 1))
		p := randomPlanner(t, r, false)
		var fs [randomFields]*Field
		m := model{after: map[*Vertex]map[*Vertex]bool{}}
		for i := range fs {
			fs[i] = NewField(fmt.Sprint(i), 4, randomShape...)
			m.in[i] = map[string]Memories{}
			elements(fs[i].Whole(), func(e string) { m.in[i][e] = MemoriesOf(CPU) })
		}
		steps := randomProgram(r, false)
		var done []step // of m.order
		finished := map[*Vertex]bool{}
		for _, s := range steps {
			if s.host {
				a := s.accesses[0]
				for i, v := range m.order { // the host waits for these, and for what they come after
					if conflict(done[i], step{accesses: []access{a}}) {
						finished[v] = true
						for u := range m.after[v] {
							finished[u] = true
						}
					}
				}
				if a.mode == Read {
					p.HostRead(fs[a.field], a.box)
					m.copyTo(a.field, a.box, CPU)
				} else {
					p.HostWrite(fs[a.field], a.box)
					elements(a.box, func(e string) { m.in[a.field][e] = MemoriesOf(CPU) })
				}
				continue
			}
			var accesses []Access
			for _, a := range s.accesses {
				accesses = append(accesses, Access{fs[a.field], a.box, a.mode})
			}
			v, copies, err := p.Submit("launch", accesses...)
			require.NoError(t, err)
			all := map[*Vertex]bool{}
			for _, u := range v.Parents {
				all[u] = true
				for w := range m.after[u] {
					all[w] = true
				}
			}
			for i, u := range m.order {
				if !finished[u] && conflict(done[i], s) {
					require.True(t, all[u], "seed %d: launch %d does not come after %d", seed, v.Number, u.Number)
				}
			}
			for _, u := range v.Parents {
				require.False(t, finished[u], "seed %d", seed)
				for _, w := range v.Parents {
					require.False(t, m.after[w][u], "seed %d: parent %d of %d comes before parent %d", seed, u.Number, v.Number, w.Number)
				}
			}
			m.after[v] = all
			m.order, done = append(m.order, v), append(done, s)
			for _, a := range s.accesses {
				if a.mode != Write {
					m.copyTo(a.field, a.box, v.Device)
				}
			}
			for _, a := range s.accesses {
				if a.mode != Read {
					elements(a.box, func(e string) { m.in[a.field][e] = MemoriesOf(v.Device) })
				}
			}
			for _, c := range copies {
				require.Equal(t, v.Device, c.To)
				require.Equal(t, int64(c.Box.Len()*4), c.Bytes)
			}
		}
		s := p.Stats()
		require.Equal(t, m.bytes, [3]int64{s.HostToDevice, s.DeviceToHost, s.DeviceToDevice}, "seed %d", seed)
		for i, f := range fs {
			n := 0
			for b, in := range f.Places {
				elements(b, func(e string) { n++; require.Equal(t, m.in[i][e], in, "seed %d, field %d, %s", seed, i, e) })
			}
			require.Equal(t, randomShape[0]*randomShape[1], n)
		}
	}
}

func conflict(a, b step) bool {
	for _, x := range a.accesses {
		for _, y := range b.accesses {
			if x.field == y.field && (x.mode != Read || y.mode != Read) && x.box.Meets(y.box) {
				return true
			}
		}
	}
	return false
}

// TestWholeArraysAndBoxes: where all boxes are whole arrays, both units give the same edges, devices and streams.
func TestWholeArraysAndBoxes(t *testing.T) {
	for seed := range testsize.Seeds("offload/placement.TestWholeArraysAndBoxes") {
		steps := randomProgram(rand.New(rand.NewPCG(seed, 2)), true)
		var plans [2][]string
		for i := range plans {
			p := randomPlanner(t, rand.New(rand.NewPCG(seed, 3)), i == 0)
			fs := fields("f", randomFields, 30)
			for _, s := range steps {
				var accesses []Access
				for _, a := range s.accesses {
					mode := a.mode
					if mode == Write { // as whole arrays have it
						mode = ReadWrite
					}
					accesses = append(accesses, Access{Field: fs[a.field], Mode: mode})
				}
				if s.host {
					p.HostRead(accesses[0].Field, nil)
					continue
				}
				v, copies, err := p.Submit("launch", accesses...)
				require.NoError(t, err)
				line := fmt.Sprint(v.Device, v.Stream, len(copies))
				for _, u := range v.Parents {
					line += fmt.Sprint(" ", u.Number)
				}
				plans[i] = append(plans[i], line)
			}
		}
		require.Equal(t, plans[0], plans[1], "seed %d", seed)
	}
}

func TestBadPolicies(t *testing.T) {
	x := NewField("x", 4, 10)
	for name, choose := range map[string]func(c Candidates) int{
		"chose device -1 for launch square; it can choose one of [0 1]": func(Candidates) int { return -1 },
		"chose device 2": func(Candidates) int { return 2 },
		"policy mine panics for launch square: no idea": func(Candidates) int { panic("no idea") },
		"index out of range":                            func(c Candidates) int { return c.Devices[7] },
	} {
		bad := true
		p := planner(t, 2, Func("mine", func(c Candidates) int {
			if bad {
				return choose(c)
			}
			return 1
		}))
		_, _, err := p.Submit("square", Updates(x))
		require.ErrorContains(t, err, name)
		require.Zero(t, p.Stats())
		bad = false // nothing was planned, and the planner goes on
		v, copies, err := p.Submit("square", Updates(x))
		require.NoError(t, err)
		require.Empty(t, v.Parents)
		require.Equal(t, 1, v.Device)
		require.Len(t, copies, 1)
		x = NewField("x", 4, 10)
	}
	_, err := Named("min-transfer-size", 1.5)
	require.ErrorContains(t, err, "the threshold is a part of the arguments' bytes, 0 to 1, not 1.5")
	_, err = Named("quickest", 0)
	require.ErrorContains(t, err, `there is no policy "quickest"; there are round-robin`)
	for _, o := range []Options{{}, {Devices: 2}, {Devices: 2, Policy: RoundRobin{}}, {Devices: 1024, Policy: RoundRobin{}, Rates: v100x8()}} {
		_, err := NewPlanner(o)
		require.Error(t, err)
	}
}

func TestMemories(t *testing.T) {
	s := MemoriesOf(CPU, 3, 64, MaxDevices-1)
	require.Equal(t, "{CPU, 3, 64, 1022}", s.String())
	require.True(t, s.Has(64) && !s.Has(63) && !s.Empty() && Memories{}.Empty())
	require.Equal(t, s, MemoriesOf(MaxDevices-1, 64, 3, CPU).With(3))
	require.Equal(t, MemoriesOf(3, 64), s.And(MemoriesOf(2, 3, 62, 63, 64)))
	require.Equal(t, MemoriesOf(CPU, 62), MemoriesOf(CPU, 62, 200).And(MemoriesOf(CPU, 62, 201)), "as if 200 had never been there")
}

// TestPlanningTakesLittleMemory: a launch of a long program allocates in the mean less than one time, where it copies
// too: see BenchmarkSubmit.
func TestPlanningTakesLittleMemory(t *testing.T) {
	const tiles, rows = 8, 1000
	for _, policy := range policies(.1) {
		p, err := NewPlanner(Options{Devices: 8, Rates: v100x8(), Policy: policy})
		require.NoError(t, err)
		from, to := NewField("from", 4, tiles*rows), NewField("to", 4, tiles*rows)
		able := []int{0, 1, 2, 3, 4, 5, 6, 7}
		var accesses [tiles][2]Access
		for i := range accesses {
			accesses[i] = [2]Access{{nil, partition.Box{partition.Span(max(0, i*rows-1), min(tiles*rows, i*rows+rows+1))}, Read},
				{nil, partition.Box{partition.Span(i*rows, i*rows+rows)}, Write}}
		}
		step := func() {
			for i := range accesses {
				accesses[i][0].Field, accesses[i][1].Field = from, to
				if _, _, err := p.SubmitAmong(able[i:i+1], "stencil", accesses[i][:]...); err != nil {
					t.Fatal(err)
				}
			}
			from, to = to, from
		}
		for range 20 {
			step()
		}
		require.Less(t, testing.AllocsPerRun(200, step)/tiles, 0.5, policy.Name())
	}
}

// BenchmarkSubmit is the time of a launch in a long program on eight devices: a stencil's tiles, which read their
// neighbours' edges, and what reads one vector in all.
func BenchmarkSubmit(b *testing.B) {
	const tiles, rows = 8, 1000
	p, err := NewPlanner(Options{Devices: 8, Rates: v100x8(), Policy: MinMaxTransferTime{.1}})
	require.NoError(b, err)
	from, to, all := NewField("from", 4, tiles*rows), NewField("to", 4, tiles*rows), NewField("all", 4, 100)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		lo := i % tiles * rows
		_, _, err := p.Submit("stencil", Access{from, partition.Box{partition.Span(max(0, lo-1), min(tiles*rows, lo+rows+1))}, Read},
			Access{all, nil, Read}, Access{to, partition.Box{partition.Span(lo, lo+rows)}, Write})
		require.NoError(b, err)
		if i%tiles == tiles-1 {
			from, to = to, from
		}
	}
}
