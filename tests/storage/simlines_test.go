//go:build unix

package storage

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// linesOfLaunch are the statistics of the last kernel.
func linesOfLaunch(t *testing.T) *trace.KernelStats {
	ks := trace.Last().Kernels()
	require.NotEmpty(t, ks)
	return ks[len(ks)-1].Stats
}

// TestWarpsWaitForLines: on a simulated GPU a kernel takes as long as the disks of the model let it: warps look lines
// up, wait for those that others bring, for a queue and for the completion; what the model counts are the figures of
// BaM's artifact, and a second pass finds all lines and reads none.
func TestWarpsWaitForLines(t *testing.T) {
	testdevices.Use(t)
	lazy.Use("sim:tiny")
	const n = 1 << 16
	path := saved(t)
	x, err := lazy.Open(path, lazy.LineBytes(512), lazy.CacheBytes(8<<20), lazy.Drive("optane"))
	require.NoError(t, err)
	sum := guarded(t, "sum", n, []string{"data", "out"}, func(b *kir.Builder, i *kir.Value, p []*kir.Value) {
		b.Store(kir.Global, b.Index(p[1], i, kir.F64), b.Load(kir.Global, kir.F64, b.Index(p[0], i, kir.F64)))
	})
	var took []trace.Time
	for pass := range 2 {
		out := lazy.Zeros(n)
		launch(sum, n, []*lazy.Array{x, out}, 1)
		require.Equal(t, 7.0, out.Float64(7))
		s := linesOfLaunch(t)
		require.NotNil(t, s.Lines)
		t.Log(s.Lines, s.Cycles)
		l := s.Lines
		assert.Equal(t, "optane", l.Machine)
		assert.EqualValues(t, n, l.Accesses)
		assert.Equal(t, l.Accesses, l.Hits+l.Misses)
		assert.EqualValues(t, n/32, l.Probes)
		want := [2]int64{n * 8 / 512, 0}[pass]
		assert.Equal(t, want, l.ReadIOs)
		assert.Equal(t, want*32, l.Misses)
		cycles := int64(0)
		for _, c := range s.Issued {
			cycles += c
		}
		for _, c := range s.Stalls {
			cycles += c
		}
		assert.Equal(t, s.Cycles*int64(s.SMs*s.Schedulers), cycles)
		took = append(took, trace.Time(float64(s.Cycles)/s.ClockHz*1e12))
		if pass == 0 {
			assert.NotZero(t, s.Stalls[trace.StallPoll])
			assert.NotZero(t, l.Waits[trace.LinePoll])
			assert.Greater(t, took[0], trace.Time(float64(want)/5.1e6*1e12), "the SSD's rate is a bound")
		} else {
			assert.Zero(t, s.Stalls[trace.StallPoll]+s.Stalls[trace.StallSubmit])
		}
		assert.NotZero(t, s.Stalls[trace.StallProbe])
	}
	assert.Less(t, 3*took[1], took[0])
}

// TestQueuesBySM: with pairs of queues by SM, the kernel of a GPU with few SMs has few pairs, and waits longer in them.
func TestQueuesBySM(t *testing.T) {
	testdevices.Use(t)
	lazy.Use("sim:tiny")
	const n = 1 << 14
	path := saved(t)
	read := guarded(t, "read", n, []string{"data", "out"}, func(b *kir.Builder, i *kir.Value, p []*kir.Value) {
		b.Store(kir.Global, b.Index(p[1], i, kir.F64), b.Load(kir.Global, kir.F64, b.Index(p[0], i, kir.F64)))
	})
	var cycles []int64
	for _, machine := range []string{"optane", "optane by SM"} {
		x, err := lazy.Open(path, lazy.LineBytes(512), lazy.CacheBytes(8<<20), lazy.Drive(machine))
		require.NoError(t, err)
		out := lazy.Zeros(n)
		launch(read, n, []*lazy.Array{x, out}, 1)
		require.Equal(t, 7.0, out.Float64(7))
		s := linesOfLaunch(t)
		assert.Equal(t, machine, s.Lines.Machine)
		assert.EqualValues(t, n*8/512, s.Lines.ReadIOs)
		if machine != "optane" { // a pair has 38,800 commands a second
			bound := float64(s.Lines.ReadIOs) / (38.8e3 * float64(s.SMs)) * s.ClockHz
			assert.Greater(t, float64(s.Cycles), 0.95*bound)
		}
		cycles = append(cycles, s.Cycles)
		require.NoError(t, x.Close())
	}
	assert.Greater(t, cycles[1], 2*cycles[0])
}

// TestBlocksBelowTheCache: a load that bypasses caches reads its line for the threads that want it, each time, and
// leaves the cache as it is; what others have written in the cache is seen; on a simulated GPU it waits for a command.
func TestBlocksBelowTheCache(t *testing.T) {
	devices(t, func(t *testing.T, rt *offload.Runtime) {
		const m = 4096
		path := filepath.Join(t.TempDir(), "y.npy")
		y, err := lazy.Create(path, lazy.Float64, m)
		require.NoError(t, err)
		y.Set(lazy.Arange(m).AsType(lazy.Float64))
		require.NoError(t, y.Flush())
		double := guarded(t, "double", m, []string{"y"}, func(b *kir.Builder, i *kir.Value, p []*kir.Value) {
			at := b.Index(p[0], i, kir.F64)
			v := b.Load(kir.Global, kir.F64, at)
			b.Store(kir.Global, at, b.Op(kir.OpAdd, v, v))
		})
		launch(double, m, []*lazy.Array{y}, 0)
		past := guarded(t, "past", m, []string{"data", "out"}, func(b *kir.Builder, i *kir.Value, p []*kir.Value) {
			v := b.Load(kir.Global, kir.F64, b.Index(p[0], i, kir.F64))
			v.Access = kir.Bypass
			b.Store(kir.Global, b.Index(p[1], i, kir.F64), v)
		})
		var before lazy.StorageStats
		for pass := range 3 {
			if pass == 1 {
				require.NoError(t, y.Flush())
			}
			out := lazy.Zeros(m)
			launch(past, m, []*lazy.Array{y, out}, 1)
			for i, v := range out.Float64s() {
				require.Equal(t, float64(2*i), v)
			}
			s := storageOf(t, y)
			if pass == 0 {
				assert.Zero(t, s.Cache.WriteIOs, "the cache has what the file has not")
			} else if !strings.HasSuffix(t.Name(), "cuda:0") { // a card has its own cache before all reads
				assert.EqualValues(t, m/32, s.Cache.ReadIOs-before.Cache.ReadIOs, "one command for each warp, and again")
				assert.EqualValues(t, m, s.Cache.Misses-before.Cache.Misses)
				assert.Equal(t, before.Cache.Probes, s.Cache.Probes)
				assert.Equal(t, before.Cache.Evictions, s.Cache.Evictions)
			}
			before = s
			if k := trace.Last().Kernels(); len(k) > 0 && k[len(k)-1].Device == "sim:tiny#0" && pass > 0 {
				l := k[len(k)-1].Stats.Lines
				require.NotNil(t, l)
				assert.EqualValues(t, m/32, l.ReadIOs)
				assert.Zero(t, l.Probes)
				assert.NotZero(t, l.Waits[trace.LinePoll])
			}
		}
		require.NoError(t, y.Close())
	})
}

// cyclesOf is how long the model says that a launch takes that reads a line for each thread, on a machine of SSDs.
func cyclesOf(t *testing.T, machine string, threads, shared int) *trace.KernelStats {
	path := filepath.Join(t.TempDir(), "x.npy") // each thread has a line of its own
	require.NoError(t, arrays.Save(path, arrays.Arange(64*threads).AsType(arrays.Float64)))
	x, err := lazy.Open(path, lazy.LineBytes(512), lazy.CacheBytes(8<<20), lazy.Drive(machine))
	require.NoError(t, err)
	defer x.Close()
	out := lazy.Zeros(threads)
	each := guarded(t, "each", threads, []string{"data", "out"}, func(b *kir.Builder, i *kir.Value, p []*kir.Value) {
		at := b.Op(kir.OpMul, i, b.Int(kir.I64, 64))
		b.Store(kir.Global, b.Index(p[1], i, kir.F64), b.Load(kir.Global, kir.F64, b.Index(p[0], at, kir.F64)))
	})
	lazy.Wiring{}.Launch(kernelcall.Call[lazy.Array]{
		Name: "each", Func: each, Grid: kir.D1((threads + 31) / 32), Block: kir.D1(32), SharedBytes: shared,
		Args: []kernelcall.Arg[lazy.Array]{{Array: x}, {Array: out, Writes: true}},
	})
	require.Equal(t, 64.0*float64(threads-1), out.Float64(threads-1))
	return linesOfLaunch(t)
}

// TestFewerWarpsAreEnoughForTheKnee: blocks that take more of an SM leave fewer warps on it. Lines come at the same
// rate as long as those have as many reads under way as Little's law asks for, 57 of an Optane for 512 bytes.
func TestFewerWarpsAreEnoughForTheKnee(t *testing.T) {
	testdevices.Use(t)
	lazy.Use("sim:tiny")
	const n = 8192
	many, fewer := cyclesOf(t, "optane", n, 0), cyclesOf(t, "optane", n, 8<<10)
	t.Log(many.Theoretical, fewer.Theoretical, many.Cycles, fewer.Cycles)
	require.Less(t, fewer.Theoretical, 0.7*many.Theoretical)
	assert.InEpsilon(t, many.Cycles, fewer.Cycles, 0.05)
	rate := n / (float64(many.Cycles) / many.ClockHz)
	assert.InEpsilon(t, 4.97e6, rate, 0.1, "128 pairs of queues at 38,800 commands a second")
}

// TestMoreSSDsHelpWhereReadsWait: with four SSDs one launch that wants many lines is nearly four times as fast, as are
// connected components in the paper; levels that follow each other and want few lines are hardly faster, as is a
// search in a graph with a long path.
func TestMoreSSDsHelpWhereReadsWait(t *testing.T) {
	testdevices.Use(t)
	lazy.Use("sim:tiny")
	wide := float64(cyclesOf(t, "optane", 8192, 0).Cycles) / float64(cyclesOf(t, "optane*4", 8192, 0).Cycles)
	narrow := float64(cyclesOf(t, "optane", 32, 0).Cycles) / float64(cyclesOf(t, "optane*4", 32, 0).Cycles)
	t.Log(wide, narrow)
	assert.Greater(t, wide, 2.5)
	assert.Less(t, narrow, 2.0)
	assert.Greater(t, wide, 1.5*narrow)
}
