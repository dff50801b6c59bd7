package placement

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// stencils submits launches of a stencil on eight devices: each reads its tile of a field with a row on either side,
// and writes that tile of another.
func stencils(t testing.TB, p *Planner, launches, tiles int) {
	const rows = 1000
	a, b := NewField("a", 8, tiles*rows, 64), NewField("b", 8, tiles*rows, 64)
	for i := range launches {
		k := i % tiles
		if k == 0 {
			a, b = b, a
		}
		own := partition.Box{partition.Span(k*rows, (k+1)*rows), partition.Span(0, 64)}
		around := partition.Box{partition.Span(max(k*rows-1, 0), min((k+1)*rows+1, tiles*rows)), partition.Span(0, 64)}
		_, _, err := p.SubmitAmong([]int{k * 8 / tiles}, "stencil", Access{a, around, Read}, Access{b, own, Write})
		require.NoError(t, err)
	}
}

func BenchmarkPlanning(b *testing.B) {
	for _, tiles := range []int{8, 64, 512, 4096} {
		b.Run(fmt.Sprint(tiles, " tiles"), func(b *testing.B) {
			p, err := NewPlanner(Options{Devices: 8, Rates: v100x8(), Policy: MinMaxTransferTime{.1}})
			require.NoError(b, err)
			b.ResetTimer()
			stencils(b, p, b.N, tiles)
		})
	}
}

// TestPlanningIsLinear: a launch of a long program takes no more memory to plan than one of a short one, nor one of
// many tiles much more than one of few, and what is noted of a field does not grow.
func TestPlanningIsLinear(t *testing.T) {
	each := func(launches, tiles int) float64 {
		p, err := NewPlanner(Options{Devices: 8, Rates: v100x8(), Policy: MinMaxTransferTime{.1}})
		require.NoError(t, err)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		stencils(t, p, launches, tiles)
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc-before.TotalAlloc) / float64(launches)
	}
	few, many := each(4000, 8), each(40_000, 8)
	require.LessOrEqual(t, many, 1.1*few)
	require.LessOrEqual(t, many, 1000.0, "bytes")
	require.LessOrEqual(t, each(40_000, 512), 1000.0, "bytes, with many tiles")
}

// TestEdgesOfManyTiles: where each tile's step comes after a value that all tiles have made, the plan has no more edges
// than a few for each launch, and all that there must be.
func TestEdgesOfManyTiles(t *testing.T) {
	const tiles, steps = 300, 5
	p, err := NewPlanner(Options{Devices: 8, Rates: v100x8(), Policy: MinMaxTransferTime{.1}})
	require.NoError(t, err)
	x, parts, sum := NewField("x", 8, tiles), NewField("parts", 8, tiles), NewField("sum", 8, 1)
	tile := func(i int) partition.Box { return partition.Box{partition.Span(i, i+1)} }
	var total *Vertex
	edges, launches := 0, 0
	submit := func(accesses ...Access) *Vertex {
		v, _, err := p.Submit("launch", accesses...)
		require.NoError(t, err)
		edges, launches = edges+len(v.Parents), launches+1
		return v
	}
	for range steps {
		for i := range tiles {
			v := submit(Access{x, tile(i), ReadWrite}, Access{sum, nil, Read})
			if total != nil {
				require.Contains(t, v.Parents, total)
			}
		}
		for i := range tiles {
			submit(Access{x, tile(i), Read}, Access{parts, tile(i), Write})
		}
		total = submit(Access{parts, nil, Read}, Access{sum, nil, Write})
		require.Len(t, total.Parents, tiles, "each tile's part, which comes after its step")
	}
	require.LessOrEqual(t, edges, 3*launches)
}
