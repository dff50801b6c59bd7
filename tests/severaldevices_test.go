package tests

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// TestGraphsOnSeveralDevices: random graphs have the values of eager arrays on all GPUs of a machine and on GPUs that
// have no link, under each policy, also where each has memory for little of a graph; and give all memory back.
func TestGraphsOnSeveralDevices(t *testing.T) {
	machines := [][]string{{"sim:v100x8"}, {"sim:a100x8#1", "sim:a100x8#4", "sim:a100x8#6"}, {"sim:tiny", "sim:v100x8#2", "sim:v100x8#5"}}
	policies := []string{"round-robin", "stream-aware", "min-transfer-size", "min-max-transfer-time", "key-affinity", "earliest-finish", "random"}
	rt := testdevices.Use(t)
	defer lazy.Fuse(true)
	for seed := range testsize.Seeds("tests.TestGraphsOnSeveralDevices") {
		r := rand.New(rand.NewPCG(seed, 5))
		lazy.Use(machines[r.IntN(len(machines))]...)
		lazy.Fuse(r.IntN(3) == 0)
		name := policies[r.IntN(len(policies))]
		if name == "random" {
			offload.Policy(func(c offload.Candidates) int { return c.Devices[r.IntN(len(c.Devices))] })
		} else {
			offload.Policy(name)
		}
		rt.SetMemLimit([]int64{0, 0, 0, 4096}[r.IntN(4)])
		offload.MinTile([]int64{1, 8, 64, 256, 0}[r.IntN(5)])
		offload.MaxTiles([]int{0, 0, 3, 11}[r.IntN(4)])
		offload.SetTiles([]offload.TileForm{offload.Slabs, offload.Slabs, offload.Balanced}[r.IntN(3)])
		tw := newTwins(20_000 + seed)
		for range 12 {
			if err := tw.step(); err != nil {
				t.Fatalf("%v %s, seed %d: %v", lazy.Device(), name, seed, err)
			}
		}
		last := tw.pairs[len(tw.pairs)-6:]
		var xs []*lazy.Array
		for _, p := range last {
			xs = append(xs, p.lazy)
		}
		lazy.Eval(xs...)
		for i, p := range last {
			if msg := p.differ(); msg != "" {
				t.Fatalf("%v %s, seed %d, value %d: %s", lazy.Device(), name, seed, i, msg)
			}
		}
	}
	s := rt.Stats()
	require.Positive(t, s.CopiesPeer)
	t.Logf("%v", s)
	offload.Collect()
	lazy.Eval(lazy.Arange(2.0).Add(1)) // collects
	require.Less(t, rt.Stats().LiveBytes, int64(100_000), "%s", device.Bytes(rt.Stats().LiveBytes))
}
