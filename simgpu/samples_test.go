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

// The full model lies within what a sample says of itself, on skewed kernels of all kinds, nearly always. The long
// form, with larger launches, is tests/bench/simgpu -samples, whose table is docs/design/measurements/samples.md.
func TestSamplesAreHonest(t *testing.T) {
	testsize.InTurn(t, 0)
	const kernels, size = 12, 300_000
	within, sum := 0, 0.0
	for seed := range uint64(kernels) {
		k := random.Skewed(seed, size)
		full, _, _ := skewedStats(t, k, Full())
		got, off, timed := skewedStats(t, k, SampleAbove(size/3))
		assert.Less(t, timed, k.Grid.X)
		if math.Abs(full/got-1) <= off {
			within++
		} else {
			t.Logf("seed %d, %s: off by %+.1f %%, said ± %.1f %%", seed, k.Name, 100*(got/full-1), 100*off)
		}
		sum += off
	}
	assert.GreaterOrEqual(t, within, kernels*80/100) // these are small: a few waves of blocks
	assert.Less(t, sum/kernels, 0.20)
}

// A launch that the model times whole does not say otherwise, and one that it samples does not take less than its
// longest block.
func TestNoLaunchIsShorterThanItsLongestBlock(t *testing.T) {
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
