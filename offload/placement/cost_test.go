package placement

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// stencils submits launches of a stencil on eight tiles: each reads its tile of a field with a row on either side, and
// writes that tile of another.
func stencils(t testing.TB, p *Planner, launches int) {
	const tiles, rows = 8, 1000
	a, b := NewField("a", 8, tiles*rows, 64), NewField("b", 8, tiles*rows, 64)
	for i := range launches {
		k := i % tiles
		if k == 0 {
			a, b = b, a
		}
		own := partition.Box{partition.Span(k*rows, (k+1)*rows), partition.Span(0, 64)}
		around := partition.Box{partition.Span(max(k*rows-1, 0), min((k+1)*rows+1, tiles*rows)), partition.Span(0, 64)}
		_, _, err := p.SubmitAmong([]int{k}, "stencil", Access{a, around, Read}, Access{b, own, Write})
		require.NoError(t, err)
	}
}

func BenchmarkPlanning(b *testing.B) {
	p, err := NewPlanner(Options{Devices: 8, Rates: v100x8(), Policy: MinMaxTransferTime{.1}})
	require.NoError(b, err)
	b.ResetTimer()
	stencils(b, p, b.N)
}

// TestPlanningIsLinear: a launch of a long program takes no more memory to plan than one of a short one, and what is
// noted of a field does not grow.
func TestPlanningIsLinear(t *testing.T) {
	each := func(launches int) float64 {
		p, err := NewPlanner(Options{Devices: 8, Rates: v100x8(), Policy: MinMaxTransferTime{.1}})
		require.NoError(t, err)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		stencils(t, p, launches)
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc-before.TotalAlloc) / float64(launches)
	}
	few, many := each(4000), each(40_000)
	require.LessOrEqual(t, many, 1.1*few)
	require.LessOrEqual(t, many, 1000.0, "bytes")
}
