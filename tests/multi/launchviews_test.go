package multi_test

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// TestLaunchesOnDisjointViews: launches that write parts of one array do not wait for each other, run on several GPUs,
// and of the array each is given its own part.
func TestLaunchesOnDisjointViews(t *testing.T) {
	rt := use(t)
	const n, parts = 1 << 12, 8
	in, out := arrays.Arange(float64(n)).Mul(0.25), arrays.Arange(float64(n)).Mul(0.5)
	var want []float64
	for i := range n {
		first := i / (n / parts) * (n / parts)
		want = append(want, 0.25*float64(i)+0.25*float64(2*first+n/parts-1-i))
	}
	for _, policy := range []string{"round-robin", "earliest-finish", "min-max-transfer-time"} {
		lazy.Use("sim:v100x8")
		offload.Policy(policy)
		x, y := lazy.FromArray(in), lazy.FromArray(out.Copy())
		before := rt.Stats()
		var runs []any
		for p := range parts {
			part := arrays.S(p*n/parts, (p+1)*n/parts)
			runs = append(runs, launch(sharedKernels().mix, n/parts, x.At(part), y.At(part)))
		}
		lazy.Wiring{}.EvalLaunches(runs...)
		on := map[string]bool{}
		for _, e := range trace.Last().Events() {
			if e.Kind == trace.Kernel {
				on[e.Device] = true
			}
		}
		require.Len(t, on, parts, policy)
		after := rt.Stats()
		require.Equal(t, int64(2*8*n), after.BytesIn-before.BytesIn, "%s: each part once", policy)
		require.Zero(t, after.BytesPeer-before.BytesPeer, policy)

		// What reads one of the parts is given that, where it is.
		offload.Policy(func(c offload.Candidates) int { return c.Least(func(d int) float64 { return c.Bytes(d) }) })
		again := lazy.Zeros(n / parts)
		launch(sharedKernels().mix, n/parts, y.At(arrays.S(n/parts, 2*n/parts)), again)
		before = rt.Stats()
		lazy.Eval(again)
		require.Zero(t, rt.Stats().BytesPeer-before.BytesPeer, policy)
		require.Equal(t, want[n/parts], lazy.Data[float64](again)[n/parts-1], policy)
		before = rt.Stats()
		require.Equal(t, want, lazy.Data[float64](y), policy)
		require.Zero(t, rt.Stats().BytesIn-before.BytesIn, "%s: the parts are all of the array", policy)
	}
}

// TestLaunchesThatReadBesideTheirViews: a kernel with pointers that is given a view reads the array's elements beside
// it as they are when it is launched, whoever has made them.
func TestLaunchesThatReadBesideTheirViews(t *testing.T) {
	use(t)
	defer lazy.Use("host")
	for _, by := range []int64{-1, 1, 3} {
		beside := threads("beside", 2, kir.F64, func(b *kir.Builder, i, _ *kir.Value, p []element) { // out[i] = in[i+by]
			in := p[0]
			in.at = b.Op(kir.OpAdd, i, b.Int(kir.I64, by))
			p[1].store(in.load())
		})
		for _, view := range [][2]int{{20, 30}, {30, 40}, {15, 40}, {20, 40}} {
			lazy.Use("sim:v100x8#0", "sim:v100x8#5")
			x, want := lazy.Zeros(60), make([]float64, 60)
			for at := 0; at < 60; at += 20 {
				launch(sharedKernels().mix, 20, lazy.Full(float64(1+at), 20), x.At(arrays.S(at, at+20)))
				for i := range 20 {
					want[at+i] = float64(1 + at)
				}
			}
			n := view[1] - view[0]
			out := lazy.Zeros(n)
			launch(beside, n, x.At(arrays.S(view[0], view[1])), out)
			require.Equal(t, want[view[0]+int(by):view[1]+int(by)], lazy.Data[float64](out), "%d beside %v", by, view)
		}
	}
}

// TestPortionsThatNobodyReadsAnyMore: a loop that changes parts of an array, reads across them and never asks for all
// of it keeps no part that has been changed again.
func TestPortionsThatNobodyReadsAnyMore(t *testing.T) {
	testsize.InTurn(t, 0)
	rt := use(t)
	defer lazy.Use("host")
	lazy.Use("sim:v100x8#0", "sim:v100x8#5")
	const n = 3000
	x, y, ones := lazy.Arange(float64(n)).Mul(1), lazy.Zeros(n/3).Mul(1), lazy.Ones(n/3).Mul(1)
	lazy.Eval(x, y, ones)
	var first, last int64
	for k := range 12 {
		launch(sharedKernels().mix, n/3, ones, x.At(arrays.S(0, n/3)))
		launch(sharedKernels().mix, n/3, x.At(arrays.S(n/6, n/2)), y)
		launch(sharedKernels().mix, n/3, ones, x.At(arrays.S(n/3, 2*n/3)))
		lazy.Eval(y)
		for range 3 {
			offload.Collect()
			lazy.Eval(ones.Add(1)) // what is gone is freed when a run begins
		}
		last = 0
		for _, d := range rt.MemoryUse() {
			last += d.Pool.InUse
		}
		if k == 3 {
			first = last
		}
	}
	require.LessOrEqual(t, last, first+8*n/3)
}

// TestFilesThatLaunchesOnViewsRead: what a launch that writes a part of an array reads of a file is what was there when
// it was launched, and what it makes is there still when something else has been written to a file piece by piece.
func TestFilesThatLaunchesOnViewsRead(t *testing.T) {
	use(t)
	defer lazy.Use("host")
	defer lazy.SetHostBudget(0)
	lazy.Use("sim:v100x8#0", "sim:v100x8#5")
	const n = 512
	dir := t.TempDir()
	f, err := lazy.Create(filepath.Join(dir, "changed.npy"), lazy.Float64, n)
	require.NoError(t, err)
	f.Set(1)
	x := lazy.Zeros(2 * n)
	launch(sharedKernels().mix, n, f, x.At(arrays.S(0, n)))
	f.Set(7)
	require.Equal(t, append(slices.Repeat([]float64{1}, n), make([]float64, n)...), lazy.Data[float64](x))
	require.NoError(t, f.Close())

	require.NoError(t, arrays.Save(filepath.Join(dir, "large.npy"), arrays.Ones(64*n)))
	lazy.SetHostBudget(64 * n)
	f, err = lazy.Open(filepath.Join(dir, "large.npy"))
	require.NoError(t, err)
	x = lazy.Ones(2 * n)
	for at := 0; at < 2*n; at += n {
		launch(sharedKernels().mix, n, lazy.Ones(n), x.At(arrays.S(at, at+n)))
	}
	require.NoError(t, lazy.Save(filepath.Join(dir, "sums.npy"), f.Reshape(-1, 2*n).Add(x)))
	require.Equal(t, slices.Repeat([]float64{1.5}, 2*n), lazy.Data[float64](x))
	require.NoError(t, f.Close())
}

// TestRandomLaunchesOnViews: random programs of kernels that read and change views of a few arrays, which may meet,
// with assignments, array code and older versions between, have the values of the same programs in Go.
func TestRandomLaunchesOnViews(t *testing.T) {
	use(t)
	lazy.Fuse(true)
	defer lazy.Use("host")
	for seed := range testsize.Seeds("tests/multi.TestRandomLaunchesOnViews") {
		r := rand.New(rand.NewPCG(seed, 33))
		how := setting(r)
		rows, row := 1+r.IntN(40), []int{1, 3, 64}[r.IntN(3)]
		n := rows * row
		xs := make([]plain, 3)
		for k := range xs {
			a := arrays.Arange(float64(n)).Mul(0.37 + float64(k)).Sin()
			xs[k] = plain{lazy.FromArray(a.Reshape(rows, row)), slices.Clone(a.Float64s())}
			if r.IntN(3) == 0 {
				xs[k] = plain{lazy.Full(0.5, rows, row), slices.Repeat([]float64{0.5}, n)}
			}
		}
		var held []plain // of older versions
		part := func(k, size int) (*lazy.Array, []float64) {
			if r.IntN(2) == 0 && size%row == 0 { // of rows
				at := r.IntN(rows-size/row+1) * row
				return xs[k].lazy.At(arrays.S(at/row, (at+size)/row)), xs[k].want[at : at+size]
			}
			at := r.IntN(n - size + 1)
			return xs[k].lazy.Reshape(-1).At(arrays.S(at, at+size)), xs[k].want[at : at+size]
		}
		for range 4 + r.IntN(12) {
			size := 1 + r.IntN(n)
			if r.IntN(2) == 0 {
				size = (1 + r.IntN(rows)) * row
			}
			from, to, other := r.IntN(3), r.IntN(3), r.IntN(3)
			switch r.IntN(9) {
			case 0, 1, 2:
				in, inWant := part(from, size)
				out, outWant := part(to, size)
				if from == to { // what it reads may be written meanwhile, unless it is apart
					in, inWant = in.Copy(), slices.Clone(inWant)
				}
				launch(sharedKernels().mix, size, in, out)
				for i, x := range inWant {
					outWant[size-1-i] = outWant[size-1-i]/2 + x
				}
			case 3:
				in, inWant := part(from, size)
				x, xWant := part(to, size)
				y, yWant := part(other, size)
				if from == to || from == other || to == other {
					continue
				}
				launch(sharedKernels().both, size, in, x, y)
				for i, v := range inWant {
					xWant[i], yWant[i] = yWant[i]/2+v, xWant[i]-v
				}
			case 8: // over parts that are all of an array together, some of them twice
				ones, x := lazy.Ones(n), &xs[to]
				for at := 0; at < n; {
					m := min(1+r.IntN(n), n-at)
					for range 1 + r.IntN(2) {
						launch(sharedKernels().mix, m, ones.At(arrays.S(0, m)), x.lazy.Reshape(-1).At(arrays.S(at, at+m)))
						for i := at; i < at+m; i++ {
							x.want[i] = x.want[i]/2 + 1
						}
					}
					at += m
				}
			case 4:
				x, want := part(to, size)
				x.Set(float64(size))
				for i := range want {
					want[i] = float64(size)
				}
			case 5:
				held = append(held, plain{xs[to].lazy.Copy(), slices.Clone(xs[to].want)})
			case 6:
				x := &xs[to]
				x.lazy, x.want = x.lazy.Mul(0.5), slices.Clone(x.want)
				for i := range x.want {
					x.want[i] *= 0.5
				}
			default:
				x, want := part(to, size)
				plain{x, slices.Clone(want)}.check(t, "seed %d (%s): a part", seed, how)
			}
		}
		for _, p := range append(held, xs...) {
			p.check(t, "seed %d (%s)", seed, how)
		}
	}
}
