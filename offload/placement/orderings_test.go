package placement

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOrderingsAsPublished has what the paper finds about numbers of GPUs and policies, by the planner's estimate of
// times, which knows bytes, ways and what a launch takes, but not what a kernel computes: eight V100 are not faster
// than four on ML, eight A100 are; min-max-transfer-time is not behind min-transfer-size on ML, and round-robin is
// behind it on CG, where it moves 200 times the bytes. make bench-multi has the times of the device model.
func TestOrderingsAsPublished(t *testing.T) {
	v100, a100 := machine{v100x8(), 380, 6, 15}, machine{a100x8(), 700, 12, 0}
	plan := func(m machine, devices int, policy Policy, program func(*run)) float64 {
		p, err := NewPlanner(Options{Devices: devices, Rates: m, Policy: policy, Whole: true, Timed: true})
		require.NoError(t, err)
		program(&run{Planner: p, t: t})
		return p.Seconds()
	}
	minMax := MinMaxTransferTime{.1}
	ml := func(r *run) { ml(r, 1_000_000, 1024, 16, 16, true) }
	cg := func(r *run) { cg(r, 20_000, 16) }
	gain := func(m machine, program func(*run)) float64 {
		return plan(m, 4, minMax, program) / plan(m, 8, minMax, program)
	}
	t.Logf("eight beside four: ML %.3f and CG %.3f on V100, ML %.3f and CG %.3f on A100", gain(v100, ml), gain(v100, cg), gain(a100, ml), gain(a100, cg))
	require.InDelta(t, 1, gain(v100, ml), 0.02, "ML on V100: the way from the host is one")
	require.Greater(t, gain(a100, ml), 1.5, "ML on A100")
	for _, m := range []machine{v100, a100} {
		require.LessOrEqual(t, plan(m, 8, minMax, ml), 1.001*plan(m, 8, MinTransferSize{.1}, ml))
		turns := plan(m, 8, RoundRobin{}, cg) / plan(m, 8, minMax, cg)
		t.Logf("round-robin beside min-max-transfer-time on CG: %.3f", turns)
		require.Greater(t, turns, 1.2)
	}
}
