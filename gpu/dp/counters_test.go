package dp_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu/dp"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// kernels are what the machine counted of the kernels of an evaluation.
func kernels(x *np.Array) (out []*trace.KernelStats) {
	np.Eval(x)
	for _, e := range trace.Last().Events() {
		if e.Kind == trace.Kernel {
			out = append(out, e.Stats)
		}
	}
	return out
}

// Applications of the operator by a block with an element a thread: 129(B/32+1) + B - 32 of the warp-wise scan, and
// n·log2(n) - (n-1) of the simple one (calculated from the paper's listings; each is a float addition here).
func TestApplicationsOfTheOperator(t *testing.T) {
	use(t)
	for _, c := range []struct{ threads, warpWise, simple int }{{64, 419, 321}, {128, 741, 769}, {256, 1385, 1793}, {512, 2673, 4097}, {1024, 5249, 9217}} {
		for _, m := range []string{machines[1], "sim:v100"} {
			if c.threads > 512 && m != "sim:v100" {
				continue // the block's limit of 2008
			}
			np.Use(m)
			shuffled := c.warpWise
			if m == "sim:v100" { // which compiles a step to an addition by all lanes and a choice: 160 of a warp, not 129
				shuffled += 31 * (c.threads/32 + 1)
			}
			for method, want := range map[dp.Method]int{dp.WarpWise{}: shuffled, dp.WarpWise{Shared: true}: c.warpWise, dp.Simple{}: c.simple} {
				x := np.Ones(c.threads).AsType(np.Float32).Copy()
				np.Eval(x)
				ks := kernels(dp.Scan(dp.Sum, x, dp.Threads(c.threads), dp.PerThread(1), dp.Kernel(method)))
				require.Len(t, ks, 1)
				require.EqualValues(t, want, ks[0].Flops32, "%s, %T, %d threads", m, method, c.threads)
			}
		}
	}
}

// Extra passes over 16 banks: the tree without padding takes 553 for 133 accesses of half warps, and 1113 for 245; with
// padding 133, and 273 for 245. The warp-wise scan has none.
func TestBankConflicts(t *testing.T) {
	use(t)
	np.Use(machines[1])
	for _, c := range []struct{ threads, tree, padded int }{{256, 553 - 133, 0}, {512, 1113 - 245, 273 - 245}} {
		for method, want := range map[dp.Method]int{dp.Downsweep{}: c.tree, dp.Downsweep{Pad: true}: c.padded, dp.WarpWise{}: 0} {
			x := np.Ones(c.threads).AsType(np.Float32).Copy()
			np.Eval(x)
			ks := kernels(dp.Scan(dp.Sum, x, dp.Threads(c.threads), dp.PerThread(1), dp.Kernel(method)))
			require.EqualValues(t, want, ks[0].BankConflicts, "%+v, %d threads", method, c.threads)
		}
	}
}

// Launches of the global scan, and its traffic: the elements are read twice and written once.
func TestLaunchesAndTraffic(t *testing.T) {
	use(t)
	np.Use("sim:v100")
	x := np.Ones(1 << 20).AsType(np.Float32)
	for each, want := range map[int]int{1: 5, 8: 3} {
		steps := np.Explain(dp.Scan(dp.Sum, x, dp.PerThread(each))).Steps
		require.Len(t, steps[len(steps)-1].Runs, want, "%d elements a block", 256*each)
	}
	const n = 1 << 17
	x = np.Ones(n).AsType(np.Float32).Copy()
	np.Eval(x)
	var sectors int64
	for _, k := range kernels(dp.Scan(dp.Sum, x)) {
		sectors += k.Sectors
	}
	require.InDelta(t, 3.05, float64(32*sectors)/(4*n), 0.05)
}

// Accesses of 4 to 16 bytes move what single ones do: of every dtype, in lines that begin anywhere, by segments and
// whole. They take fewer instructions, and where bytes are moved on a machine of 2006, fewer sectors.
func TestVectorsMoveTheSame(t *testing.T) {
	use(t)
	np.Use("host")
	long := np.FromArray(arrays.DefaultRNG(rand.Int()).Random(3 * 2300).Mul(100))
	for i, m := range []string{machines[1], "sim:v100"} {
		for k, d := range []np.DType{np.Bool, np.Uint8, np.Int16, np.Float32, np.Float64} {
			for l, shape := range [][]int{{3, 2300 - rand.IntN(4)}, {2048 + 4*rand.IntN(50)}, {1 + rand.IntN(6000)}} {
				if !testsize.Part(i+k+l, 3) { // compiling the kernels of all takes seconds
					continue
				}
				np.Use(m)
				x := long.At(np.To(elements(shape))).AsType(d).Reshape(shape...)
				axis := dp.Axis(len(shape) - 1)
				want := dp.Scan(dp.Max, x, axis, dp.Vectors(0)).Array().Bytes()
				for _, bytes := range []int{4, 8, 16} {
					require.Equal(t, want, dp.Scan(dp.Max, x, axis, dp.Vectors(bytes)).Array().Bytes(), "%s: %d bytes, %v of shape %v", m, bytes, d, shape)
				}
				if len(shape) > 1 {
					continue
				}
				heads := dp.Heads(long.At(np.To(shape[0])).Less(5))
				want = dp.SegScanEx(dp.Max, x, heads, dp.Vectors(0)).Array().Bytes()
				for _, bytes := range []int{4, 16} {
					require.Equal(t, want, dp.SegScanEx(dp.Max, x, heads, dp.Vectors(bytes)).Array().Bytes(), "%s: %d bytes, segments of %v", m, bytes, d)
				}
			}
		}
	}
	np.Use(machines[1])
	x := np.Ones(1 << 14).AsType(np.Uint8).Copy()
	np.Eval(x)
	count := func(opts ...dp.Option) (instructions, sectors int64) {
		for _, k := range kernels(dp.Scan(dp.Max, x, opts...)) {
			instructions, sectors = instructions+k.WarpInstructions, sectors+k.Sectors
		}
		return instructions, sectors
	}
	single, apart := count(dp.Vectors(0))
	vectors, together := count()
	require.Less(t, vectors, single)
	require.Less(t, 4*together, 3*apart)
	require.Contains(t, message(func() { dp.Scan(dp.Sum, x, dp.Vectors(3)) }), "accesses of 3 bytes: a thread moves 4, 8 or 16 at once")
}

// Flags that are packed eight in a byte give the segments that bools do, whatever a thread has of them, and are an
// eighth of what is read of those.
func TestPackedFlags(t *testing.T) {
	use(t)
	for i, m := range []string{"host", machines[1], "sim:v100"} {
		np.Use(m)
		for k, n := range []int{1, 7, 31, 33, 2049, 2040 + rand.IntN(5000)} {
			for l, density := range []float64{0, 0.01, 0.5, 1} {
				if !testsize.Part(i+k+l, 3) {
					continue
				}
				heads := dp.Heads(np.FromArray(arrays.DefaultRNG(rand.Int()).Random(n)).Less(density))
				x := np.Arange(n).AsType(np.Int32)
				want, before := dp.SegScan(dp.Sum, x, heads).Array().Bytes(), dp.SegScanEx(dp.Sum, x, heads).Array().Bytes()
				for _, each := range []int{1, 3, 4, 8, 16}[rand.IntN(3):] {
					o := []dp.Option{dp.PackedFlags(), dp.PerThread(each), dp.Threads(64)}
					require.Equal(t, want, dp.SegScan(dp.Sum, x, heads, o...).Array().Bytes(), "%s: %d elements of %g, %d a thread", m, n, density, each)
					require.Equal(t, before, dp.SegScanEx(dp.Sum, x, heads, o...).Array().Bytes(), "%s: %d elements of %g, %d a thread", m, n, density, each)
				}
			}
		}
	}
	const n = 1 << 16
	x, bools := np.Ones(n).AsType(np.Float32).Copy(), np.Zeros(n).AsType(np.Bool).Copy()
	np.Eval(x, bools)
	heads := dp.Heads(bools)
	sectors := func(opts ...dp.Option) (all int64) {
		np.Eval(dp.SegScan(dp.Sum, x, heads, opts...))
		for _, e := range trace.Last().Events() {
			if e.Kind == trace.Kernel && strings.HasPrefix(e.Name, "segscan") {
				all += e.Stats.Sectors
			}
		}
		return all
	}
	require.InDelta(t, (12+2./8)/(12+2), float64(sectors(dp.PackedFlags()))/float64(sectors(dp.PerThread(8))), 0.02)
	require.Contains(t, message(func() { dp.Scan(dp.Sum, x, dp.PackedFlags()) }), "dp.PackedFlags is about the flags of segments")
}

func elements(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}
