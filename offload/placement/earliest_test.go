package placement

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// machine is a table of rates with what the presets of simgpu say of copies and launches.
type machine struct {
	table
	within, pageable, root float64
}

func (m machine) Rate(from, to int) float64 {
	if from == to && from != CPU {
		return m.within
	}
	return m.table.Rate(from, to)
}
func (m machine) Copy(int) float64   { return 8e-6 }
func (m machine) Launch(int) float64 { return 4e-6 }
func (m machine) Submit(int) float64 { return 2e-6 }
func (m machine) Plain(int) float64  { return m.pageable }
func (m machine) Together() float64  { return m.root }

// a100x8 is a table of the second machine: a switch between all.
func a100x8() table {
	t := v100x8()
	for i := range 8 {
		for j := range 8 {
			t[i][j] = 250
		}
		t[i][8], t[8][i] = 24, 24
	}
	return t
}

// mlInBoxes is ml without a false const: each part of the scores is written into its rows.
func mlInBoxes(r *run, rows, features, classes, parts int) {
	x, z := make([]*Field, parts), make([]*Field, parts)
	mean, std := fields("mean", parts, 4*features), fields("std", parts, 4*features)
	all, all2 := NewField("mean", 4, features), NewField("std", 4, features)
	for i := range parts {
		x[i], z[i] = NewField("x", 4, rows/parts, features), NewField("z", 4, rows/parts, features)
	}
	w, f, b, l := NewField("W", 4, classes, features), NewField("F", 4, classes, features), NewField("b", 4, classes), NewField("l", 4, rows)
	r1, r2, amax, out := NewField("r1", 4, rows, classes), NewField("r2", 4, rows, classes), NewField("amax", 4, rows), NewField("out", 4, rows)
	own := func(f *Field, i int) Access {
		return Access{f, partition.Box{partition.Span(i*rows/parts, (i+1)*rows/parts), partition.Span(0, classes)}, Write}
	}
	for i := range parts {
		r.launch("rr1", Reads(x[i]), Writes(mean[i]), Writes(std[i]))
	}
	for i := range parts {
		r.launch("rr11", Updates(all), Updates(all2), Reads(mean[i]), Reads(std[i]))
	}
	for i := range parts {
		r.launch("rr12", Reads(x[i]), Writes(z[i]), Reads(all), Reads(all2))
	}
	for i := range parts {
		r.launch("rr2", Reads(z[i]), Reads(w), own(r2, i))
	}
	for i := range parts {
		r.launch("nb1", Reads(x[i]), Reads(f), own(r1, i))
	}
	r.launch("nb2", Reads(r1), Writes(amax))
	r.launch("nb3", Reads(r1), Reads(amax), Writes(l))
	r.launch("nb4", Updates(r1), Reads(l))
	r.launch("softmax", Updates(r1))
	r.launch("rr3", Reads(b), Updates(r2))
	r.launch("softmax", Updates(r2))
	r.launch("argmax", Reads(r1), Reads(r2), Writes(out))
}

// TestEarliestFinishIsNearTheBest: by the planner's estimate the default policy is at most 5 % behind the best of all
// policies and of random placements, on the published workloads, at the published sizes, on both machines.
func TestEarliestFinishIsNearTheBest(t *testing.T) {
	v100, a100 := machine{v100x8(), 380, 6, 15}, machine{a100x8(), 700, 12, 0}
	for _, c := range []struct {
		name   string
		random int
		run    func(*run)
	}{
		{"VEC", 100, func(r *run) { vec(r, 160_000_000, 16) }},
		{"VEC, small", 100, func(r *run) { vec(r, 16_000, 16) }},
		{"B&S", 100, func(r *run) { bs(r, 10_000_000, 24) }},
		{"ML", 50, func(r *run) { mlInBoxes(r, 1_000_000, 1024, 16, 16) }},
		{"CG", 3, func(r *run) { cgInBoxes(r, 20_000, 16) }},
		{"MUL", 50, func(r *run) { mul(r, 20_000, 16) }},
	} {
		for name, m := range map[string]machine{"v100x8": v100, "a100x8": a100} {
			plan := func(policy Policy) float64 {
				p, err := NewPlanner(Options{Devices: 8, Rates: m, Policy: policy, Timed: true})
				require.NoError(t, err)
				c.run(&run{Planner: p, t: t})
				return p.Seconds()
			}
			best := math.Inf(1)
			for _, policy := range policies(.1) {
				best = min(best, plan(policy))
			}
			random := rand.New(rand.NewPCG(1, 1))
			for range c.random {
				best = min(best, plan(Func("random", func(c Candidates) int { return c.Devices[random.IntN(len(c.Devices))] })))
			}
			own := plan(EarliestFinish{.1})
			t.Logf("%s on %s: %.4g s, %.3f of the best", c.name, name, own, own/best)
			require.LessOrEqual(t, own, 1.05*best, "%s on %s", c.name, name)
		}
	}
}

// TestEqualDevicesShareChains: both chains of ML's last part read what all devices have equal parts of. By the copies
// alone one device gets both; by what it has to do already, the second chain goes to another.
func TestEqualDevicesShareChains(t *testing.T) {
	for policy, want := range map[Policy]int{MinMaxTransferTime{.1}: 1, EarliestFinish{.1}: 2} {
		p, err := NewPlanner(Options{Devices: 8, Rates: machine{a100x8(), 700, 12, 0}, Policy: policy})
		require.NoError(t, err)
		r := &run{Planner: p, t: t}
		mlInBoxes(r, 1_000_000, 1024, 16, 16)
		on := map[int]bool{}
		for _, v := range r.vs {
			if v.Name == "softmax" {
				on[v.Device] = true
			}
		}
		require.Len(t, on, want, policy.Name())
	}
}

// TestFinish has estimates by hand, which are those that the planner notes when the launch is placed there: device 0
// has what is read and is busy, device 1 has to be given it.
func TestFinish(t *testing.T) {
	rates := table{{100, 10, 5}, {10, 100, 5}, {5, 5, 0}}
	var finish []float64
	p, err := NewPlanner(Options{Devices: 2, Rates: rates, Policy: Func("", func(c Candidates) int {
		finish = nil
		for _, d := range c.Devices {
			finish = append(finish, c.Finish(d))
		}
		return 0
	})})
	require.NoError(t, err)
	x, y := NewField("x", 1, 1e9), NewField("y", 1, 1e9)
	submit(t, p, "a", Reads(x)) // 0.2 s from the host, and 0.01 s
	require.InDeltaSlice(t, []float64{0.21, 0.21}, finish, 1e-12)
	submit(t, p, "b", Reads(x))
	require.InDeltaSlice(t, []float64{0.22, 0.11}, finish, 1e-12, "0.1 s from device 0, which nothing is waited for")
	submit(t, p, "c", Updates(y))
	require.InDeltaSlice(t, []float64{0.41, 0.21}, finish, 1e-12, "the way from the host to device 0 is in use for 0.2 s")
	require.InDelta(t, 0.41, p.Seconds(), 1e-12, "what was tried is taken back")
}
