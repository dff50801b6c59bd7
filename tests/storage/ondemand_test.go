//go:build unix

package storage

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/cudabackend/fake"
	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// launch runs a kernel of so many threads, in blocks of 256, over arrays, of which those named write are written to.
func launch(f *kir.Func, threads int, args []*lazy.Array, writes ...int) {
	c := kernelcall.Call[lazy.Array]{Name: f.Name, Func: f, Grid: kir.D1((threads + 255) / 256), Block: kir.D1(256)}
	for i, a := range args {
		arg := kernelcall.Arg[lazy.Array]{Array: a}
		for _, w := range writes {
			arg.Writes = arg.Writes || w == i
		}
		c.Args = append(c.Args, arg)
	}
	lazy.Wiring{}.Launch(c)
}

// guarded makes the kernel in which threads 0 to n-1 do what body says.
func guarded(t *testing.T, name string, n int, params []string, body func(b *kir.Builder, i *kir.Value, p []*kir.Value)) *kir.Func {
	b := kir.NewBuilder(name)
	var p []*kir.Value
	for _, name := range params {
		p = append(p, b.Param(name, kir.U64))
	}
	i := b.GlobalIDX()
	in, end := b.NewBlock("in"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, b.Int(kir.I64, int64(n))), in, end)
	b.SetBlock(in)
	body(b, i, p)
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	return f
}

// pick is out[i] = data[idx[i]], BaM's Listing 1.
func pick(t *testing.T, m int) *kir.Func {
	return guarded(t, "pick", m, []string{"data", "idx", "out"}, func(b *kir.Builder, i *kir.Value, p []*kir.Value) {
		k := b.Load(kir.Global, kir.I64, b.Index(p[1], i, kir.I64))
		b.Store(kir.Global, b.Index(p[2], i, kir.F64), b.Load(kir.Global, kir.F64, b.Index(p[0], k, kir.F64)))
	})
}

// storageOf are the statistics of an array's file.
func storageOf(t *testing.T, x *lazy.Array) lazy.StorageStats {
	s, err := x.Storage()
	require.NoError(t, err)
	return s
}

// TestKernelsPageOnDemand: a kernel that is given an array in a file, 16 times as large as the cache, reads the lines
// that it touches, and gives the bits of the same kernel over memory.
func TestKernelsPageOnDemand(t *testing.T) {
	testsize.InTurn(t, 0)
	devices(t, func(t *testing.T, rt *offload.Runtime) {
		const m = 20_000
		path := saved(t)
		for _, policy := range disk.Policies {
			x, err := lazy.Open(path, lazy.CacheBytes(8*n/16), lazy.CachePolicy(policy))
			require.NoError(t, err)
			r := rand.New(rand.NewPCG(1, 2))
			idx := make([]int64, m)
			for i := range idx {
				idx[i] = r.Int64N(n)
			}
			out := lazy.Zeros(m)
			launch(pick(t, m), m, []*lazy.Array{x, lazy.FromSlice(idx, m), out}, 2)
			got := out.Float64s()
			for i, k := range idx {
				require.Equal(t, float64(k), got[i])
			}
			s := storageOf(t, x).Cache
			assert.EqualValues(t, m, s.Accesses)
			assert.Equal(t, s.Accesses, s.Hits+s.Misses)
			assert.Equal(t, 8*n/16/4096, s.Slots)
			assert.Less(t, s.Hits, s.Misses)
			assert.NotZero(t, s.Evictions)
			assert.EqualValues(t, 8*m, s.Useful)
			require.NoError(t, x.Close())
		}
	})
}

// TestCountersOfKernels: the figures of BaM's artifact for a thread for each element, by way of a kernel: as many reads
// as lines, the misses of the warps that come first to a line; none in a second pass over what is in memory; one probe
// for each warp.
func TestCountersOfKernels(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	require.NoError(t, arrays.Save(path, arrays.Arange(1<<20)))
	count := func(t *testing.T, n int) {
		sum := guarded(t, "sum", n, []string{"data", "out"}, func(b *kir.Builder, i *kir.Value, p []*kir.Value) {
			b.Atomic(kir.OpAtomicAdd, kir.Global, p[1], b.Load(kir.Global, kir.I64, b.Index(p[0], i, kir.I64)))
		})
		for _, want := range []struct{ line, readIOs, misses int }{{512, 16384, 524288}, {4096, 2048, 65536}} {
			x, err := lazy.Open(path, lazy.LineBytes(int64(want.line)), lazy.CacheBytes(8<<20))
			require.NoError(t, err)
			for pass := 1; pass <= 2; pass++ {
				out := lazy.Zeros(1).AsType(lazy.Int64)
				launch(sum, n, []*lazy.Array{x, out}, 1)
				assert.Equal(t, n*(n-1)/2, out.Int())
				s, part := storageOf(t, x).Cache, (1<<20)/n
				assert.Equal(t, []int64{int64(want.readIOs / part), int64(want.misses / part), int64(pass * n), int64(pass * n / 32)}, []int64{s.ReadIOs, s.Misses, s.Accesses, s.Probes})
			}
			require.NoError(t, x.Close())
		}
	}
	testdevices.Use(t)
	count(t, 1<<20)
	lazy.Use("sim:tiny")
	count(t, 1<<16)
}

// TestKernelsWriteFiles: loads, stores and atomics of a kernel change the file of an array that was opened for it, as
// they change memory; what is computed afterwards sees that, what was asked for before does not.
func TestKernelsWriteFiles(t *testing.T) {
	testsize.InTurn(t, 0)
	devices(t, func(t *testing.T, rt *offload.Runtime) {
		const m = 50_000
		path := filepath.Join(t.TempDir(), "y.npy")
		y, err := lazy.Create(path, lazy.Int64, m)
		require.NoError(t, err)
		y.Set(lazy.Arange(m))
		before := y.Sum()
		double := guarded(t, "double", m-1, []string{"y"}, func(b *kir.Builder, i *kir.Value, p []*kir.Value) {
			at := b.Index(p[0], b.Op(kir.OpAdd, i, b.Int(kir.I64, 1)), kir.I64) // element 0 counts
			b.Store(kir.Global, at, b.Op(kir.OpMul, b.Load(kir.Global, kir.I64, at), b.Int(kir.I64, 2)))
			b.Atomic(kir.OpAtomicAdd, kir.Global, p[0], b.Int(kir.I64, 1))
		})
		launch(double, m, []*lazy.Array{y}, 0)
		assert.Equal(t, m*(m-1)/2, before.Int())
		assert.Equal(t, m*(m-1)+m-1, y.Sum().Int())
		loaded, err := lazy.Load(path)
		require.NoError(t, err)
		assert.Equal(t, 2*(m-1), loaded.At(-1).Int())
		assert.NotZero(t, storageOf(t, y).Cache.WriteIOs)
		require.NoError(t, y.Flush())
		require.NoError(t, y.Close())
	})
}

// TestKernelsOfFaultyFiles: a line that cannot be read is an error with file, byte and thread; the session goes on, and
// so does the array when the disk does.
func TestKernelsOfFaultyFiles(t *testing.T) {
	devices(t, func(t *testing.T, rt *offload.Runtime) {
		path := saved(t)
		x, err := lazy.Open(path)
		require.NoError(t, err)
		require.NoError(t, os.Truncate(path, 128+8*1000))
		out := lazy.Zeros(1)
		launch(pick(t, 1), 1, []*lazy.Array{x, lazy.FromSlice([]int64{5000}, 1), out}, 2)
		err = panicOf(func() { out.Float64() })
		wrong := new(disk.Error)
		require.ErrorAs(t, err, &wrong)
		assert.ErrorContains(t, err, "x.npy cannot be read at byte")
		assert.Equal(t, 3.0, lazy.Ones(3).Sum().Float64())
	})
}

// TestRandomKernelsOverFiles: kernels that read and write two files at random places, one thread a place, with caches
// and lines of any size, leave what they leave in memory.
func TestRandomKernelsOverFiles(t *testing.T) {
	on := withCard(t)
	testdevices.Use(t)
	dir := t.TempDir()
	for seed := range asked(testsize.Seeds("tests/storage.TestRandomKernelsOverFiles")) {
		r := rand.New(rand.NewPCG(seed, 33))
		lazy.Use(on[seed%uint64(len(on))])
		size := 2000 + r.IntN(20_000)
		perm := r.Perm(size)
		places := make([]int64, size)
		for i, k := range perm {
			places[i] = int64(k)
		}
		stride := 1 + r.IntN(40)
		var kinds [2][]*lazy.Array
		for i := range 2 {
			vals := make([]float64, size)
			for k := range vals {
				vals[k] = float64(r.IntN(1000))
			}
			path := filepath.Join(dir, fmt.Sprintf("%d.%d.npy", seed, i))
			require.NoError(t, arrays.Save(path, arrays.FromSlice(vals, size)))
			x, err := lazy.Open(path, lazy.Writable(), lazy.Backing(disk.Backings[r.IntN(4)]), lazy.LineBytes(512<<r.IntN(4)), lazy.CacheBytes(int64(1<<14+r.IntN(1<<18))), lazy.CachePolicy(disk.Policies[r.IntN(4)]))
			require.NoError(t, err)
			kinds[0], kinds[1] = append(kinds[0], lazy.FromSlice(vals, size)), append(kinds[1], x)
		}
		for round := range 3 {
			threads, past := 1+r.IntN(size), r.IntN(3) == 0
			f := guarded(t, "mix", threads, []string{"x", "y", "places"}, func(b *kir.Builder, i *kir.Value, p []*kir.Value) {
				at := b.Load(kir.Global, kir.I64, b.Index(p[2], i, kir.I64))
				other := b.Op(kir.OpRem, b.Op(kir.OpMul, i, b.Int(kir.I64, int64(stride))), b.Int(kir.I64, int64(size)))
				to := b.Index(p[0], at, kir.F64)
				y := b.Load(kir.Global, kir.F64, b.Index(p[1], other, kir.F64))
				if past {
					y.Access = kir.Bypass
				}
				v := b.Op(kir.OpAdd, b.Load(kir.Global, kir.F64, to), y)
				b.Store(kir.Global, to, v)
			})
			for _, xs := range kinds {
				launch(f, threads, []*lazy.Array{xs[round%2], xs[1-round%2], lazy.FromSlice(places, size)}, 0)
			}
			lo := r.IntN(size / 2)
			for _, xs := range kinds {
				xs[0].Set(xs[1].At(lazy.S(lo, lo+100)).Mul(0.5), lazy.S(lo+50, lo+150))
			}
		}
		for i := range 2 {
			require.Equal(t, kinds[0][i].Array().Bytes(), kinds[1][i].Copy().Array().Bytes(), "seed %d, file %d", seed, i)
			require.NoError(t, kinds[1][i].Close())
		}
	}
}

// TestCardsReadFiles: a card's kernels read files themselves, and a hit on the card is counted as reused; those of
// cards before Volta run on the CPU, which a note says, with the reason.
func TestCardsReadFiles(t *testing.T) {
	driver, err := testdevices.Driver()
	if errors.Is(err, fake.ErrNone) {
		t.Skip(err)
	}
	require.NoError(t, err)
	path := saved(t)
	for _, c := range []struct {
		capability int32
		notes      []string
	}{{80, nil}, {61, []string{"pick runs on the CPU: kernels of cuda:0 cannot read files: it has compute capability 6.1, and only from 7.0 on, Volta, " +
		"do threads of a warp go on independently of each other and rest while they wait. To have it there, Load what it reads, or give it parts of that"}}} {
		driver.Capability(c.capability)
		rt := testdevices.Use(t)
		var notes []string
		rt.Warn = func(text string) { notes = append(notes, text) }
		lazy.Use("cuda:0")
		x, err := lazy.Open(path)
		require.NoError(t, err)
		idx := make([]int64, 640)
		for i := range idx {
			idx[i] = int64(i / 64) // two warps for each
		}
		out := lazy.Zeros(len(idx))
		launch(pick(t, len(idx)), len(idx), []*lazy.Array{x, lazy.FromSlice(idx, len(idx)), out}, 2)
		assert.Equal(t, float64(9), out.Max().Float64())
		assert.Equal(t, c.notes, notes)
		if s := storageOf(t, x).Cache; c.capability == 80 {
			assert.Equal(t, []int64{1, 32, 608, 608}, []int64{s.ReadIOs, s.Misses, s.Hits, s.Reused})
		}
		require.NoError(t, x.Close())
	}
	driver.Capability(80)
}

// TestTake: Take of rows and elements reads what it takes, whatever the budget; what is out of bounds is the error that
// it is in memory.
func TestTake(t *testing.T) {
	budgeted(t, func(t *testing.T, rt *offload.Runtime) {
		path := saved(t)
		eager := arrays.Arange(n).AsType(arrays.Float64)
		r := rand.New(rand.NewPCG(5, 6))
		idx := make([]int64, 3000)
		for i := range idx {
			idx[i] = r.Int64N(2*n) - n
		}
		x, err := lazy.Open(path, lazy.Access("lines"))
		require.NoError(t, err)
		before := storageOf(t, x).BytesRead // of the header
		assert.Equal(t, arrays.Take(eager, idx).Bytes(), lazy.Take(x, idx).Array().Bytes())
		s := storageOf(t, x)
		assert.EqualValues(t, len(idx), s.Cache.Accesses)
		assert.EqualValues(t, s.Cache.ReadIOs*4096, s.BytesRead-before)
		rows := []int64{5, -1, 5, 33}
		for _, shape := range [][]int{{n / 8, 8}, {64, n / 64}} {
			assert.Equal(t, arrays.Take(eager.Reshape(shape...), rows, arrays.Axis(0)).Bytes(), lazy.Take(x.Reshape(shape...), rows, lazy.Axis(0)).Array().Bytes())
		}
		want := panicOf(func() { arrays.Take(eager, []int64{7, n}) })
		assert.ErrorContains(t, panicOf(func() { lazy.Take(x, []int64{7, n}).Array() }), want.Error())
	})
}

// TestTakeChooses: elements that are picked are read by lines where these are few, and by reading all in order where
// they are not; each way can be asked for, and both have the same elements. np.Explain has both estimates.
func TestTakeChooses(t *testing.T) {
	budgeted(t, func(t *testing.T, rt *offload.Runtime) {
		path := saved(t)
		eager := arrays.Arange(n).AsType(arrays.Float64)
		r := rand.New(rand.NewPCG(7, 8))
		idx := make([]int64, 5000)
		for i := range idx {
			idx[i] = r.Int64N(2*n) - n
		}
		for _, c := range []struct {
			way     string
			picked  int
			streams bool
		}{{"", 5000, true}, {"", 20, false}, {"lines", 5000, false}, {"stream", 20, true}} {
			var opts []lazy.FileOption
			if c.way != "" {
				opts = append(opts, lazy.Access(c.way))
			}
			x, err := lazy.Open(path, opts...)
			require.NoError(t, err)
			y := lazy.Take(x, idx[:c.picked])
			how := "it is read by lines"
			if c.streams {
				how = "it is read from its beginning to its end"
			}
			assert.Contains(t, lazy.Explain(y).String(), how, "%q, %d", c.way, c.picked)
			assert.Equal(t, arrays.Take(eager, idx[:c.picked]).Bytes(), y.Array().Bytes())
			assert.Equal(t, c.streams, storageOf(t, x).Cache.Accesses == 0, "%q, %d", c.way, c.picked)
			rows := idx[:7]
			for i, k := range rows {
				rows[i] = k % (n / 8)
			}
			assert.Equal(t, arrays.Take(eager.Reshape(n/8, 8), rows, arrays.Axis(0)).Bytes(), lazy.Take(x.Reshape(n/8, 8), rows, lazy.Axis(0)).Array().Bytes())
			require.NoError(t, x.Close())
		}
		_, err := lazy.Open(path, lazy.Access("by air"))
		assert.ErrorContains(t, err, "there is no access")
	})
}

// TestWithout: what is left out of reading by lines changes counters and no elements: BaM's ablation.
func TestWithout(t *testing.T) {
	const m = 1 << 14
	path := saved(t)
	f := guarded(t, "sum", m, []string{"data", "out"}, func(b *kir.Builder, i *kir.Value, p []*kir.Value) {
		v := b.Load(kir.Global, kir.F64, b.Index(p[0], i, kir.F64))
		w := b.Load(kir.Global, kir.F64, b.Index(p[0], b.Op(kir.OpXor, i, b.Int(kir.I64, 1)), kir.F64))
		b.Store(kir.Global, b.Index(p[1], i, kir.F64), b.Op(kir.OpAdd, v, w))
	})
	onEach(t, small, func(t *testing.T, rt *offload.Runtime) {
		var probes, reads []int64
		for _, without := range [][]string{{}, {"reuse"}, {"coalescing", "reuse"}, {"cache", "coalescing"}} {
			x, err := lazy.Open(path, lazy.Without(without...), lazy.AsyncWriteback())
			require.NoError(t, err)
			out := lazy.Zeros(m)
			launch(f, m, []*lazy.Array{x, out}, 1)
			require.Equal(t, float64(2*5+1-2), out.Float64(4))
			s := storageOf(t, x).Cache
			assert.EqualValues(t, 2*m, s.Accesses)
			probes, reads = append(probes, s.Probes), append(reads, s.ReadIOs)
			require.NoError(t, x.Close())
		}
		assert.Equal(t, []int64{2 * m / 32, 2 * m, 2 * m}, probes[1:], "a probe for each warp and load; for each thread")
		assert.LessOrEqual(t, probes[0], probes[1])
		assert.Equal(t, []int64{m / 512, m / 512, m / 512}, reads[:3])
		assert.Greater(t, reads[3], int64(m), "without a cache nearly each access is a read")
	})
	_, err := lazy.Open(path, lazy.Without("everything"))
	assert.ErrorContains(t, err, "there are cache, coalescing and reuse")
}

// TestMasks: what a mask selects of a file is read in parts, and those without any element are not.
func TestMasks(t *testing.T) {
	testsize.InTurn(t, 2)
	budgeted(t, func(t *testing.T, rt *offload.Runtime) {
		path := saved(t)
		lazy.SetHostBudget(8 * n / 4)
		eager := arrays.Arange(n).AsType(arrays.Float64)
		x := open(t, path)
		for name, part := range map[string][2]any{
			"whole":   {eager, x},
			"strided": {eager.Reshape(n/64, 64).At(arrays.S(arrays.End, arrays.End, -1), arrays.S(3, 60, 7)), x.Reshape(n/64, 64).At(lazy.S(lazy.End, lazy.End, -1), lazy.S(3, 60, 7))},
		} {
			e, a := part[0].(*arrays.Array), part[1].(*lazy.Array)
			assert.Equal(t, e.At(e.AsType(arrays.Int64).Mod(11).Equal(3)).Bytes(), a.At(a.AsType(lazy.Int64).Mod(11).Equal(3)).Array().Bytes(), name)
		}
		mask := x.Greater(n - 100)
		lazy.Eval(mask)
		before := storageOf(t, x).BytesRead
		assert.Equal(t, 99, x.At(mask).Size())
		assert.Equal(t, float64(n-1), x.At(mask).Max().Float64())
		assert.Less(t, storageOf(t, x).BytesRead-before, int64(100_000))
	})
}

// TestCompressOfFiles: Compress and masks read of a file beyond the budget what they pick, rows and complex numbers
// too.
func TestCompressOfFiles(t *testing.T) {
	const m = n / 8
	onEach(t, small, func(t *testing.T, rt *offload.Runtime) {
		for _, d := range []arrays.DType{arrays.Int16, arrays.Complex128} {
			path, eager := filepath.Join(t.TempDir(), "x.npy"), arrays.Arange(m).AsType(d)
			require.NoError(t, arrays.Save(path, eager))
			lazy.SetHostBudget(int64(eager.NBytes() / 4))
			each, rows := arrays.Arange(m).Mod(11).Equal(3), arrays.Arange(m/64).Mod(5).Equal(1)
			x := open(t, path)
			assert.Equal(t, arrays.Compress(each, eager).Bytes(), lazy.Compress(each, x).Array().Bytes(), d)
			assert.Equal(t, arrays.Extract(each, eager).Bytes(), lazy.Extract(each, x.Reshape(m/64, 64)).Array().Bytes(), d)
			want, got := arrays.Compress(rows, eager.Reshape(m/64, 64), arrays.Axis(0)), lazy.Compress(rows, x.Reshape(m/64, 64), lazy.Axis(0))
			assert.Equal(t, want.Bytes(), got.Array().Bytes(), d)
			assert.Equal(t, want.Shape(), got.Shape(), d)
			assert.Equal(t, eager.At(each).Bytes(), x.At(each).Array().Bytes(), d)
			assert.Equal(t, want.Bytes(), x.Reshape(m/64, 64).At(rows, lazy.All).Array().Bytes(), d)
			assert.Equal(t, []int{0, 64}, x.Reshape(m/64, 64).At(rows.Less(false)).Array().Shape(), d)
		}
	})
}
