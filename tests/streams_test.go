package tests

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/alone"
	"github.com/arrayrepl/arrayrepl/internal/anyorder"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// TestGraphsOnSeveralStreams: random graphs have the values of eager arrays on a device that does what several streams
// have to do in any order that their events allow, also with memory for little of a graph.
func TestGraphsOnSeveralStreams(t *testing.T) {
	if !alone.Here(t) { // a device without room asks the collector time and again
		return
	}
	defer lazy.Fuse(true)
	crossed := 0
	for seed := range testsize.Seeds("tests.TestGraphsOnSeveralStreams") {
		rnd := rand.New(rand.NewPCG(seed, 6))
		d := anyorder.New(seed, []int64{64 << 20, 1 << 20, 8192, 4096}[rnd.IntN(4)])
		var r device.Registry
		r.Add("anyorder", func() (device.Device, error) { return d, nil })
		rt, err := offload.New(&r, "anyorder")
		require.NoError(t, err)
		lazy.Wiring{}.SetRuntime(rt)
		lazy.Fuse(rnd.IntN(3) == 0)
		tw := newTwins(40_000 + seed)
		for range 3 {
			for range 8 {
				require.NoError(t, tw.step(), "seed %d", seed)
			}
			last := tw.pairs[len(tw.pairs)-8:]
			var xs []*lazy.Array
			for _, p := range last {
				xs = append(xs, p.lazy)
			}
			lazy.Eval(xs...)
			for i, p := range last {
				if msg := p.differ(); msg != "" {
					t.Fatalf("seed %d, value %d: %s", seed, i, msg)
				}
			}
		}
		crossed += d.Crossed
	}
	testdevices.Use(t)
	require.Positive(t, crossed)
	t.Logf("%d operations were done before some that were queued earlier", crossed)
}
