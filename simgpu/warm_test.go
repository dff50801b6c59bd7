package simgpu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// doubled is y[i] = 2 x[i], by threads of 256 in a block.
func doubled(t testing.TB) *kir.Func {
	return elementwise(t, "doubled", []string{"x", "y"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
		x := b.Load(kir.Global, kir.F32, b.Index(p[0], i, kir.F32))
		b.Store(kir.Global, b.Index(p[1], i, kir.F32), b.Op(kir.OpAdd, x, x))
	})
}

// A launch finds in L2 what launches before have left: nothing of what fits is read from DRAM again. Cold caches, a
// copy that overwrites it, and buffers that are new make it as the first one; on a machine without L2 all launches are
// alike.
func TestL2SurvivesLaunches(t *testing.T) {
	testsize.InTurn(t, 0)
	const n = 1 << 18 // 1 MB each; a V100 has 6, a GTX 480 768 KB
	for _, c := range []struct {
		machine      string
		keeps, fewer bool
	}{{"v100", true, true}, {"gtx480", false, true}, {"g80", false, false}} {
		b := newBench(t, c.machine)
		f := doubled(t)
		k, err := b.gpu.Load(f)
		require.NoError(t, err)
		x, y := b.alloc(4*n), b.alloc(4*n)
		run := func(params ...any) *trace.KernelStats {
			e := b.stream.Launch(k, kir.D1(n/256), kir.D1(256), 0, pack(t, append(params, n)...))
			require.NoError(t, e.Wait(ctx))
			return e.Trace().Stats
		}
		first, second, third := run(x, y), run(x, y), run(x, y)
		assert.Equal(t, int64(8*n), first.DRAMBytes, c.machine)
		assert.Equal(t, second.Cycles, third.Cycles, c.machine)
		if c.keeps {
			assert.Zero(t, second.DRAMBytes)
			assert.Equal(t, int64(4*n/32), second.L2Hits)
			assert.Less(t, second.Cycles, first.Cycles)
			assert.True(t, second == third, "a launch that finds the same is not timed anew")
		} else if c.fewer {
			assert.Greater(t, 2*second.DRAMBytes, first.DRAMBytes, "least recently used lines went first: of a stream that does not fit little stays")
		} else {
			assert.True(t, first == second)
		}
		b.gpu.ColdCaches()
		assert.Equal(t, first.Cycles, run(x, y).Cycles, "cold")
		run(x, y)
		b.stream.CopyIn(x, 0, make([]byte, 4*n))
		if half := run(x, y); c.keeps {
			assert.Equal(t, int64(4*n), half.DRAMBytes, "x comes from DRAM, y is in L2")
		}
		b.stream.CopyIn(x, 0, make([]byte, 2*n))
		if half := run(x, y); c.keeps {
			assert.Equal(t, int64(2*n), half.DRAMBytes, "half of x comes from DRAM")
		}
		if c.keeps {
			assert.Equal(t, first.DRAMBytes, run(b.alloc(4*n), b.alloc(4*n)).DRAMBytes, "new buffers")
			assert.Equal(t, int64(4*n), run(y, x).DRAMBytes, "where a launch has its buffers does not matter: y is found, x becomes dirty")
			z := b.alloc(24 * n) // all of L2
			b.launch(f, kir.D1(6*n/256), kir.D1(256), z, z, 6*n)
			assert.Greater(t, run(x, y).DRAMBytes, int64(7*n), "others have taken its room")
		}
		ColdCaches()
		assert.Equal(t, first.Cycles, run(x, y).Cycles, "cold, all machines")
	}
}

// What is kept between launches behaves as a cache that is used on and on: random accesses by launches to random
// buffers, at changing places, hit and miss as in a cache by the buffers' own lines. Sets are as many as the places'
// hash needs to tell them apart: one, of all ways.
func TestWarmCacheAgainstOne(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 28))
	const ways = 40
	g := New(tiny(), Change(func(p *Preset) { p.L2Bytes, p.L2Ways = ways*lineBytes, ways }))
	defer g.Close()
	var bufs []*buffer
	for range 5 {
		buf, err := g.Alloc(64 * lineBytes)
		require.NoError(t, err)
		bufs = append(bufs, buf.(*buffer))
	}
	there := make(chan struct{})
	g.enqueue(&operation{run: func() { close(there) }})
	<-there
	one := newCache(ways*lineBytes, ways) // of lines number*64 + line
	for launch := range 400 {
		at := &places{}
		of := map[int]uint64{}
		for place, n := range r.Perm(len(bufs))[:1+r.IntN(3)] {
			b := bufs[n]
			at.add(span{b.addr, 64 * lineBytes}, place, b.addr, 0)
			of[n] = (b.addr + at.of(b.addr).shift) / lineBytes
		}
		c := newCache(ways*lineBytes, ways)
		g.warm.load(c, at)
		if r.IntN(8) == 0 {
			n, line := r.IntN(len(bufs)), r.IntN(60)
			if first, ok := of[n]; ok { // before the launch
				c.release()
				g.warm.overwritten(bufs[n], line*lineBytes, 3*lineBytes)
				for k := range 3 {
					one.remove(uint64(n*64 + line + k))
				}
				c = newCache(ways*lineBytes, ways)
				g.warm.load(c, at)
				_ = first
			}
		}
		for range 1 + r.IntN(60) {
			for n, first := range of {
				line, sector := uint64(r.IntN(64)), uint8(1)<<r.IntN(4)
				got, want := c.find(first+line), one.find(uint64(n*64)+line)
				require.Equal(t, want.valid, got.valid, "launch %d", launch)
				got.valid, want.valid = got.valid|sector, want.valid|sector
				break
			}
		}
		g.warm.keep(c, at)
		c.release()
	}
	require.Greater(t, g.warm.held.lines, ways/2)
}

// remove takes a line out of the cache.
func (c *cache) remove(line uint64) {
	l := c.find(line)
	*l = cacheLine{}
	c.keys[slices.IndexFunc(c.keys, func(k cacheKey) bool { return k.tag == line+1 })] = cacheKey{}
}

// A sampled launch finds and leaves what the full model says, within what it says of its error: a second launch reads
// from DRAM what the full model reads, for data that fit L2 and for data that do not.
func TestSamplesAreWarmToo(t *testing.T) {
	testsize.InTurn(t, 1)
	for _, n := range []int{1 << 18, 1 << 21} { // 2 and 16 MB, of 6
		var bytes [2]float64
		var cycles [2]float64
		for i, o := range []Option{Full(), SampleAbove(6000)} {
			b := newBench(t, "v100", o)
			f := doubled(t)
			x, y := b.alloc(4*n), b.alloc(4*n)
			b.launch(f, kir.D1(n/256), kir.D1(256), x, y, n)
			st := b.launch(f, kir.D1(n/256), kir.D1(256), x, y, n).Stats
			require.Equal(t, i == 1, st.SampledBlocks < st.TotalBlocks)
			bytes[i], cycles[i] = float64(st.DRAMBytes), float64(st.Cycles)
		}
		t.Log(n, bytes, cycles)
		assert.InDelta(t, bytes[0], bytes[1], 0.3*float64(8*n))
		assert.InDelta(t, 1, cycles[1]/cycles[0], 0.35)
	}
}

// What a cache gives back is empty, whatever its machine has done.
func TestReleasedCachesAreEmpty(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		c := newCache(1<<13, 4)
		for i, l := range c.lines {
			require.Equal(t, cacheLine{}, l)
			require.Equal(t, cacheKey{}, c.keys[i])
		}
		require.Zero(t, c.clock)
		for range r.IntN(100) {
			if line := uint64(r.IntN(500)); r.IntN(2) == 0 {
				c.find(line).valid = 1
			} else {
				c.put(cacheKey{line + 1, uint64(r.IntN(100))}, cacheLine{valid: 3})
			}
		}
		c.release()
	}
}
