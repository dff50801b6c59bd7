package tests

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/alone"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// TestRowsAloneOnDevices: a row of a matrix product has the bits of eager arrays on every device, whatever other rows
// there are: alone, with others, as a 1-d array, in a batch, with a single column, and where the device has no room for
// the matrices.
func TestRowsAloneOnDevices(t *testing.T) {
	if !alone.Here(t) { // a device without room asks the collector time and again
		return
	}
	rt := testdevices.Use(t)
	rt.Warn = func(s string) { t.Error(s) }
	rng := arrays.DefaultRNG(5)
	const rows = 7
	at := 0
	for _, on := range []struct {
		device string
		limit  int64
	}{{"host", 0}, {"sim:tiny", 0}, {"sim:tiny", 1 << 14}} {
		device := on.device
		lazy.Use(device)
		rt.SetMemLimit(on.limit)
		for _, s := range [][2]int{{5, 3}, {70, 33}, {300, 1}, {33, 100}} {
			for _, d := range []arrays.DType{arrays.Float32, arrays.Float64} {
				if at++; !testsize.Part(at, 3) {
					continue
				}
				x, w := rng.Normal(0, 1, rows, s[0]).AsType(d), rng.Normal(0, 1, s[0], s[1]).AsType(d)
				want := x.MatMul(w)
				lx, lw := lazy.FromArray(x), lazy.FromArray(w)
				for i := range rows {
					row := want.At(arrays.S(i, i+1))
					got := map[string]*lazy.Array{"alone": lx.At(arrays.S(i, i+1)).MatMul(lw), "by Dot": lazy.Dot(lx.At(arrays.S(i, i+1)), lw), "by @": lazy.Einsum("ij,jk->ik", lx.At(arrays.S(i, i+1)), lw),
						"with others": lx.At(arrays.S(i, i+3)).MatMul(lw).At(arrays.To(1)),
						"a line":      lazy.Reshape(lx.At(i).MatMul(lw), 1, -1), "in a batch": lx.At(arrays.All, arrays.NewAxis).MatMul(lw).At(i)}
					for name, g := range got {
						assert.True(t, arrays.ArrayEqual(g.Array(), row), "%s: %v of %v, row %d %s", device, s, d, i, name)
					}
				}
			}
		}
	}
	require.Positive(t, rt.Stats().Pieces)
}

// TestRandomRowsAlone: the same of products of random sizes, on both sides of all that decides how a product is
// computed: the lengths of lines, blocks and pieces of sums, the number of elements of a result, and what simulated
// GPUs leave to the CPU. Operands lie in any order of axes.
func TestRandomRowsAlone(t *testing.T) {
	if !alone.Here(t) {
		return
	}
	rt := testdevices.Use(t)
	defer lazy.SimulateProducts(lazy.SimulateProducts(1 << 20))
	machines := [][]string{{"host"}, {"sim:tiny"}, {"sim:v100x8#1", "sim:v100x8#6"}, {"sim:tiny", "sim:v100x8#2"}}
	terms := []int{3, 128, 2048, 16383, 16384, 16385, 16384 + 256, 18431, 20000, 65536, 65537, 70000}
	for seed := range testsize.Seeds("tests.TestRandomRowsAlone") {
		r := rand.New(rand.NewPCG(seed, 29))
		k := terms[r.IntN(len(terms))]
		if r.IntN(3) == 0 {
			k += r.IntN(k)
		}
		most := max(2<<20/k, 6) // so many results
		n := []int{1, 2, 3, 31, 70}[r.IntN(5)]
		n = min(n, most/2)
		m := max(2, min([]int{2, 5, 17, 50, 4100}[r.IntN(5)], most/n))
		d := []arrays.DType{arrays.Float32, arrays.Float64}[r.IntN(2)]
		lazy.Use(machines[r.IntN(len(machines))]...)
		lazy.SimulateProducts([]int{0, 1 << 18, 1 << 20, 1 << 30}[r.IntN(4)])
		rt.SetMemLimit([]int64{0, 0, 1 << 16, 1 << 19}[r.IntN(4)])
		rng := arrays.DefaultRNG(int(seed))
		view := func(a *arrays.Array) *lazy.Array {
			switch r.IntN(3) {
			case 0:
				return lazy.FromArray(a.T().Copy()).T()
			case 1:
				return lazy.FromArray(arrays.Stack(2, a, a)).At(arrays.All, arrays.All, 1)
			}
			return lazy.FromArray(a)
		}
		ax, aw := rng.Normal(0, 1, m, k).AsType(d), rng.Normal(0, 1, k, n).AsType(d)
		want := ax.MatMul(aw)
		x, w := view(ax), view(aw)
		i := r.IntN(m)
		lo := r.IntN(i + 1)
		hi := i + 1 + r.IntN(m-i)
		got := map[string]*lazy.Array{
			"among all":   x.MatMul(w).At(i),
			"alone":       x.At(arrays.S(i, i+1)).MatMul(w).At(0),
			"by Dot":      lazy.Dot(x.At(arrays.S(i, i+1)), w).At(0),
			"with others": x.At(arrays.S(lo, hi)).MatMul(w).At(i - lo),
			"a line":      lazy.Dot(x.At(i), w),
			"in a batch":  x.At(arrays.S(lo, hi), arrays.NewAxis).MatMul(w).At(i-lo, 0),
			"by Einsum":   lazy.Einsum("ij,jk->ik", x.At(arrays.S(lo, hi)), w).At(i - lo),
			"copied":      lazy.MatMul(x.At(arrays.S(i, i+1)).Copy(), w).At(0),
		}
		for name, g := range got {
			if !arrays.ArrayEqual(g.Array(), want.At(i)) {
				t.Errorf("seed %d: %v of %v, %dx%d times %dx%d, row %d of %d to %d %s: %v and not %v", seed, lazy.Device(), d, m, k, k, n, i, lo, hi, name, g, want.At(i))
			}
		}
	}
	require.Positive(t, rt.Stats().Pieces)
}
