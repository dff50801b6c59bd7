package placement

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestEstimator: the device that has the larger of two arguments is the cheapest, those that have none cost the same
// and are taken in turn, and a faster machine makes up for a copy.
func TestEstimator(t *testing.T) {
	rates := table{{100, 10, 5}, {10, 400, 5}, {5, 5, 0}}
	p, err := NewPlanner(Options{Devices: 2, Rates: rates, Policy: Estimator{}})
	require.NoError(t, err)
	on := func(in Memories) *Field { return NewFieldIn(in, "", 1, 1_000_000_000) }
	// On device 0 it computes 10 times as long as a copy's 0.1 s: 2e9/100e9 = 0.02 s; on 1, 0.005 s.
	v := submit(t, p, "small", Reads(on(MemoriesOf(0))), Reads(NewFieldIn(MemoriesOf(0), "", 1, 1000)))
	require.Equal(t, 0, v.Device, "0.01 s there, and 0.0025 + 0.1 s on the other")
	v = submit(t, p, "from the host", Reads(on(MemoriesOf(CPU))))
	require.Equal(t, 1, v.Device, "the same copy, and it computes faster")
	equal, err := NewPlanner(Options{Devices: 4, Rates: v100x8(), Policy: Estimator{}})
	require.NoError(t, err)
	var vs []*Vertex
	for range 6 {
		vs = append(vs, submit(t, equal, "", Reads(on(MemoriesOf(CPU)))))
	}
	require.Equal(t, "012301", devices(vs))
}

// TestSeconds has an estimate by hand: two launches side by side, then one that reads both.
func TestSeconds(t *testing.T) {
	rates := table{{100, 10, 5}, {10, 100, 5}, {5, 5, 0}}
	turn := 0
	p, err := NewPlanner(Options{Devices: 2, Rates: rates, Timed: true, Policy: Func("", func(c Candidates) int { turn++; return []int{0, 1, 0}[turn-1] })})
	require.NoError(t, err)
	x, y, z := NewField("x", 1, 1e9), NewField("y", 1, 1e9), NewField("z", 1, 1e9)
	submit(t, p, "a", Updates(x)) // 0.2 s to copy, 0.01 s
	submit(t, p, "b", Updates(y))
	require.InDelta(t, 0.21, p.Seconds(), 1e-12)
	submit(t, p, "c", Reads(x), Reads(y), Writes(z)) // 0.1 s to copy y, 0.03 s
	require.InDelta(t, 0.34, p.Seconds(), 1e-12)
	p.HostRead(z, nil)
	require.InDelta(t, 0.54, p.Seconds(), 1e-12)
}

// costly is a table of machines of which each copy and launch takes a second more, and the host 0.1 s to ask for it;
// the host copies 4 GB/s to one, and to all together.
type costly struct{ table }

func (costly) Copy(int) float64   { return 1 }
func (costly) Launch(int) float64 { return 1 }
func (costly) Submit(int) float64 { return 0.1 }
func (costly) Plain(int) float64  { return 4 }
func (costly) Together() float64  { return 4 }

// TestSecondsOfCosts has an estimate by hand: two copies from the host share its root.
func TestSecondsOfCosts(t *testing.T) {
	turn := 0
	p, err := NewPlanner(Options{Devices: 2, Rates: costly{table{{100, 10, 9}, {10, 100, 9}, {9, 9, 0}}}, Timed: true, Policy: Func("", func(c Candidates) int { turn++; return []int{0, 1, 0}[turn-1] })})
	require.NoError(t, err)
	x, y, z := NewField("x", 1, 8e9), NewField("y", 1, 8e9), NewField("z", 1, 1e9)
	submit(t, p, "a", Reads(x)) // asked for at 0.1 s, 3 s to copy, and 1.08 s
	require.InDelta(t, 4.18, p.Seconds(), 1e-12)
	submit(t, p, "b", Reads(y)) // the root has sent both at 4.1 s
	require.InDelta(t, 5.18, p.Seconds(), 1e-12)
	submit(t, p, "c", Reads(y), Writes(z)) // y comes beside a, and then 1.09 s
	require.InDelta(t, 4.18+1.09, p.Seconds(), 1e-12)
}

// planned plans a random program by a policy, which chooses among the devices of parents where it does so, and returns
// how long it is estimated to take.
func planned(t *testing.T, steps []step, devices int, policy Policy) float64 {
	t.Helper()
	return plannedBy(t, steps, devices, policy, ParentOfDevice)
}

func plannedBy(t *testing.T, steps []step, devices int, policy Policy, streams StreamChoice) float64 {
	t.Helper()
	p, err := Planned(Options{Devices: devices, Rates: v100x8(), Policy: policy, Timed: true, Streams: streams}, func(p *Planner) error {
		var fs [randomFields]*Field
		for i := range fs {
			fs[i] = NewField(fmt.Sprint(i), 1<<20, randomShape...)
		}
		for _, s := range steps {
			var accesses []Access
			for _, a := range s.accesses {
				accesses = append(accesses, Access{fs[a.field], a.box, a.mode})
			}
			if s.host {
				p.HostRead(accesses[0].Field, accesses[0].Box)
			} else if _, _, err := p.Submit("", accesses...); err != nil {
				return err
			}
		}
		return nil
	})
	require.NoError(t, err)
	return p.Seconds()
}

// TestExhaustiveIsTheBest: no policy places a small random program so that it is over earlier, nor does any of the
// placements that a loop over all of them counts through.
func TestExhaustiveIsTheBest(t *testing.T) {
	for seed := range testsize.Seeds("offload/placement.TestExhaustiveIsTheBest") {
		r := rand.New(rand.NewPCG(seed, 2))
		var steps []step
		for _, s := range randomProgram(r, false) {
			if launches := len(steps); launches < 6 {
				steps = append(steps, s)
			}
		}
		best := planned(t, steps, 3, Exhaustive{})
		for _, p := range policies(0.1) {
			require.LessOrEqual(t, best, planned(t, steps, 3, p), "seed %d, %s", seed, p.Name())
		}
		least := best + 1
		for n := range 3 * 3 * 3 * 3 * 3 * 3 {
			digits := n
			least = min(least, plannedBy(t, steps, 3, Func("counted", func(c Candidates) int {
				d := c.Devices[digits%3%len(c.Devices)]
				digits /= 3
				return d
			}), DeviceFirst))
		}
		require.Equal(t, least, best, "seed %d", seed)
	}
	long := randomProgram(rand.New(rand.NewPCG(1, 3)), false)
	for len(long) < 60 { // too many ways to try
		long = append(long, long...)
	}
	best := planned(t, long, 8, Exhaustive{})
	require.Equal(t, best, planned(t, long, 8, Exhaustive{}), "the same each time")
	for _, p := range policies(0.1) {
		require.LessOrEqual(t, best, planned(t, long, 8, p), p.Name())
	}
}

func TestNames(t *testing.T) {
	for _, name := range Names() {
		p, err := Named(name, 0.1)
		require.NoError(t, err)
		require.Equal(t, name, p.Name())
	}
}
