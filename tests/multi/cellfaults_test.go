package multi_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/tests/internal/published"
)

// TestMemoriesAndLinksInCells: cells whose arrays do not fit on one of the GPUs, that drop thousands of results, whose
// machine lacks a link, that are interrupted in copies between GPUs and that fail in one tile have the values or the
// error that say so, and the memory of all GPUs is as it was.
func TestMemoriesAndLinksInCells(t *testing.T) {
	rt := use(t)
	lazy.Fuse(true)
	s, err := published.New()
	require.NoError(t, err)
	defer s.Close()
	defer offload.Preset("default")
	run := func(src string) string {
		t.Helper()
		text, err := s.Cell(src)
		require.NoError(t, err)
		return text
	}
	inUse := func() (n int64) {
		for _, d := range rt.MemoryUse() {
			n += d.Pool.InUse
		}
		return n
	}
	settle := func() {
		for range 4 { // what other devices read is freed when a later run begins
			offload.Collect()
			run("np.Eval(np.FromArray(arrays.Arange(2.0)) + 1.0)")
		}
	}

	// One of two GPUs is full: what goes there goes in pieces.
	run(`np.Use("sim:tiny", "sim:v100x8#2")
turn := 0
offload.MaxTiles(1)
offload.Policy(func(offload.Candidates) int { turn++; return turn % 2 })
large := np.FromArray(arrays.Arange(1_200_000.0))`)
	before := rt.Stats().Pieces
	require.Equal(t, "[true true]", run(`twice, thrice := large*2.0+1.0, large*3.0-1.0
np.Eval(twice, thrice)
[]bool{float64(twice[1_199_999]) == 2_399_999, float64(thrice[1_199_999]) == 3_599_996}`))
	require.Greater(t, rt.Stats().Pieces-before, int64(1))
	run("large, twice, thrice = nil, nil, nil")

	// Thousands of results are dropped.
	run(`offload.Preset("default")
np.Use("sim:v100x8")
offload.MinTile(256)
base := np.FromArray(arrays.Arange(1000.0)) * 1.0
np.Eval(base)`)
	settle()
	start := inUse()
	for range testsize.Of("tests/multi.TestMemoriesAndLinksInCells") { // thousands
		run(`for k := range 10 {
	drop := make([]*np.Array, 100)
	for i := range drop {
		drop[i] = base + float64(100*k+i)
	}
	np.Eval(drop...)
}`)
	}
	settle()
	require.LessOrEqual(t, inUse(), start+8*512, "but for the arrays of the last runs")

	// A tile fails: it is named, with its GPU, and others go on.
	_, err = s.Cell(`at := np.Arange(1000)
np.Eval(at)
at[990] = 5000
np.Eval(base.Take(at) + 1.0)`)
	require.ErrorContains(t, err, "5000")
	require.Equal(t, "499500.0", run("base.Sum()"))

	// A machine without one of its links, or all, copies by another way.
	for _, links := range []string{"p.Links[0][3], p.Links[3][0] = 0, 0", "p.Links = nil"} {
		run(`np.Use(simgpu.Custom("v100x8", simgpu.Change(func(p *simgpu.Preset) {
	rows := make([][]int64, len(p.Links))
	for i := range rows {
		rows[i] = append(rows[i], p.Links[i]...)
	}
	p.Links = rows
	` + links + `
})))
offload.MaxTiles(1)
offload.Policy(func(offload.Candidates) int { return 0 })
there := base*2.0
np.Eval(there)
offload.Policy(func(offload.Candidates) int { return 3 })`)
		require.Equal(t, "999000.0", run("(there + 0.0).Sum()"), links)
		run("there = nil\noffload.Preset(\"default\")")
	}

	// An interrupt in copies between GPUs.
	run(`np.Use("sim:v100x8#0", "sim:v100x8#4")
offload.MaxTiles(1)
offload.Policy(func(offload.Candidates) int { turn++; return turn % 2 })
wide := np.FromArray(arrays.Arange(4_000_000.0)) * 1.0
np.Eval(wide)`)
	settle()
	start = inUse()
	ctx, cancel := context.WithCancel(context.Background())
	asked := make(chan time.Time, 1)
	time.AfterFunc(200*time.Millisecond, func() { asked <- time.Now(); cancel() })
	_, err = s.Run(ctx, 1000, `for {
	moved := wide + 1.0
	for range 20 {
		moved = moved.Copy().Add(0.5)
		np.Eval(moved)
	}
}`)
	took := time.Since(<-asked)
	require.Error(t, err)
	t.Logf("an interrupt in copies between GPUs took %v", took) // 100 ms are promised; the machine may be busy
	require.Less(t, took, time.Minute)
	require.Equal(t, "true", run("float64((wide + 0.0).Sum()) == 4_000_000.0*3_999_999/2"))
	settle()
	require.LessOrEqual(t, inUse(), start+2*8*4_000_000)
}

// TestLoopsInCellsHoldFewVersions: however often a cell launches a kernel that changes an array before it is asked for,
// a GPU gives out the memory of a few versions of it.
func TestLoopsInCellsHoldFewVersions(t *testing.T) {
	rt := use(t)
	s, err := published.New()
	require.NoError(t, err)
	defer s.Close()
	_, err = s.Cell(`np.Use("sim:a100x8#2")
x, y := zeros32(20_000), zeros32(20_000)
for range 100 {
	gpu.Launch(square, gpu.Blocks(20_000, 256), 256, y, x)
}
np.Eval(x)`)
	require.NoError(t, err)
	for _, d := range rt.MemoryUse() {
		require.LessOrEqual(t, d.Pool.Peak, int64(10*4*20_000))
	}
}
