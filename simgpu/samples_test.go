package simgpu

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/random"
)

// skewedStats returns the cycles, the ± and the number of timed blocks of a skewed kernel on a v100 with the given
// options.
func skewedStats(t testing.TB, k *random.SkewedKernel, options ...Option) (cycles float64, off float64, timed int) {
	b := newBench(t, "v100", options...)
	trips := make([]byte, 4*len(k.Trips))
	for i, n := range k.Trips {
		binary.LittleEndian.PutUint32(trips[4*i:], uint32(n))
	}
	st := b.launch(k.Func, k.Grid, k.Block, b.put(trips), b.alloc(4*random.SkewedWords), b.alloc(4*len(k.Trips)), len(k.Trips)).Stats
	return float64(st.Cycles), st.ErrorEstimate, st.SampledBlocks
}

// sampled makes the timing model sample launches of more than so many warp instructions, as those of more than four
// million are: a launch of up to four times as many is timed whole where its sample is not sure.
func sampled(above int64) Option {
	return func(g *GPU) { g.limits = limits{above, 3 * above / 2, 4 * above} }
}

// The full model lies within what a sample says of itself, on skewed kernels of all kinds, nearly always, and what it
// says is below a tenth on average. The long form, with launches that are sampled without being asked to, is
// tests/bench/simgpu -samples, whose table is docs/design/measurements/samples.md.
func TestSamplesAreHonest(t *testing.T) {
	const size = 150_000
	kernels := testsize.Of("simgpu.TestSamplesAreHonest")
	within, sum, parts := 0, 0.0, 0
	for seed := range testsize.Seeds("simgpu.TestSamplesAreHonest") {
		k := random.Skewed(seed, size)
		full, _, _ := skewedStats(t, k, Full())
		got, off, timed := skewedStats(t, k, sampled(size/2))
		if timed < k.Grid.X {
			parts++
		} else {
			assert.Zero(t, off)
		}
		if math.Abs(full/got-1) <= off {
			within++
		} else {
			t.Logf("seed %d, %s: off by %+.1f %%, said ± %.1f %%", seed, k.Name, 100*(got/full-1), 100*off)
		}
		sum += off
	}
	t.Logf("%d of %d within, ± %.1f %% on average, %d from samples", within, kernels, 100*sum/float64(kernels), parts)
	assert.GreaterOrEqual(t, within*100, kernels*95)
	assert.Less(t, sum/float64(kernels), 0.10)
	assert.Positive(t, parts)
}

// A launch that the model times whole does not say otherwise, and one that it samples does not take less than its
// longest block.
func TestNoLaunchIsShorterThanItsLongestBlock(t *testing.T) {
	testsize.InTurn(t, 0)
	k := random.Skewed(2, 300_000) // one long thread
	alone := *k
	longest := slices.Index(k.Trips, slices.Max(k.Trips)) / k.Block.X
	alone.Grid, alone.Trips = kir.D1(1), k.Trips[longest*k.Block.X:][:k.Block.X]
	least, _, _ := skewedStats(t, &alone, Full())
	got, off, timed := skewedStats(t, k, SampleAbove(50_000))
	assert.Less(t, timed, k.Grid.X)
	assert.Positive(t, off)
	assert.GreaterOrEqual(t, got, 0.99*least)
	_, off, timed = skewedStats(t, k)
	assert.Zero(t, off)
	assert.Equal(t, k.Grid.X, timed)
}

// All threads go round a loop a hundred times but one, which does so five thousand times: the launch takes as long as
// that thread, and is timed whole. A sample of it is as long.
func TestOneLongThreadIsSeen(t *testing.T) {
	testsize.InTurn(t, 2)
	k := *random.Skewed(2, 300_000) // for its kernel
	k.Grid, k.Block, k.Trips = kir.D1(128), kir.D1(256), make([]int32, 128*256)
	for i := range k.Trips {
		k.Trips[i] = 100
	}
	even, _, _ := skewedStats(t, &k)
	k.Trips[12_345] = 5000
	full, _, _ := skewedStats(t, &k, Full())
	whole, off, timed := skewedStats(t, &k)
	assert.Equal(t, full, whole)
	assert.Zero(t, off)
	assert.Equal(t, 128, timed)
	assert.Greater(t, full, 10*even)
	sample, off, timed := skewedStats(t, &k, SampleAbove(50_000))
	assert.Less(t, timed, 128)
	assert.InEpsilon(t, full, sample, off)
}
