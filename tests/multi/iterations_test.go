package multi_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// TestIterations is weak scaling in the times of the model: with the work of a GPU for each GPU, steps of programs that
// are evaluated together take about as long on eight as on one, whose arrays have 256 or 512 MB; the machine is a part
// of V100s, and the arrays are the same part. A stencil copies a row over each edge of a tile in each direction, a step
// of Jacobi's method the vector, and results of tiles to one GPU. Nothing goes to the host.
func TestIterations(t *testing.T) {
	testsize.InTurn(t, 1)
	rt := use(t)
	lazy.Fuse(true)
	defer lazy.SimulateProducts(lazy.SimulateProducts(1 << 30))
	steps, size, counts := 5, 800_000, []int{1, 2, 4, 8} // elements of float64 for each GPU
	if testsize.Short() {
		steps, size, counts = 2, 100_000, []int{1, 8}
	}
	for _, c := range []struct {
		name  string
		bytes int // of the arrays of each GPU that they stand for
		start func(gpus int) (step func() *lazy.Array)
		least float64              // efficiency
		peers func(gpus int) int64 // bytes between GPUs for a step
	}{
		{"chain", 256 << 20, func(gpus int) func() *lazy.Array {
			x := lazy.Arange(float64(gpus * size))
			return func() *lazy.Array { x = x.Mul(0.5).Add(1).Sqrt(); return x }
		}, 0.97, func(int) int64 { return 0 }},
		{"stencil", 256 << 20, func(gpus int) func() *lazy.Array {
			cols := root(size / 2)
			g := lazy.Arange(float64(gpus*(size/cols)*cols)).Reshape(gpus*(size/cols), cols).Copy()
			return func() *lazy.Array {
				s := g.Shape()
				c := g.At(arrays.S(1, -1), arrays.S(1, -1))
				sum := c.Add(g.At(arrays.S(0, -2), arrays.S(1, -1))).Add(g.At(arrays.S(2, s[0]), arrays.S(1, -1))).
					Add(g.At(arrays.S(1, -1), arrays.S(0, -2))).Add(g.At(arrays.S(1, -1), arrays.S(2, s[1])))
				c.Set(sum.Mul(0.2))
				return g
			}
		}, 0.95, func(gpus int) int64 { return int64((gpus - 1) * 2 * root(size/2) * 8) }},
		{"sum", 256 << 20, func(gpus int) func() *lazy.Array { // which the next one needs: it stays on the GPUs
			x, s := lazy.Arange(float64(gpus*size)), lazy.Zeros()
			return func() *lazy.Array { s = x.Mul(s).Sum(); return s }
		}, 0.85, nil},
		{"jacobi", 512 << 20, func(gpus int) func() *lazy.Array {
			n := root(gpus*size) / 8 * 8
			r := lazy.Arange(float64(n*n)).Mod(11).Div(11*float64(n)).Reshape(n, n)
			b, d, x := lazy.Ones(n), lazy.Ones(n).Mul(3), lazy.Ones(n).Mul(0.5)
			return func() *lazy.Array { x = b.Sub(lazy.Dot(r, x)).Div(d); return x }
		}, 0.85, func(gpus int) int64 { return int64((gpus - 1) * (root(gpus*size)/8*8 + root(gpus*size)/8*8/gpus) * 8) }},
	} {
		one, machine := trace.Time(0), testdevices.Fraction("v100x8", c.bytes/8/size)
		for _, gpus := range counts {
			names := []string{}
			for i := range gpus {
				names = append(names, fmt.Sprintf("%s#%d", machine, i))
			}
			lazy.Use(names...)
			step := c.start(gpus)
			lazy.Eval(step())
			before := rt.Stats()
			for range steps - 1 {
				step()
			}
			lazy.Eval(step())
			after := rt.Stats()
			took := trace.Last().Took() / trace.Time(steps)
			if gpus == 1 {
				one = took
			}
			efficiency, bytes := float64(one)/float64(took), (after.BytesPeer-before.BytesPeer)/int64(steps)
			t.Logf("%s on %d: %v, efficiency %.3f, %d bytes between GPUs in %d copies", c.name, gpus, took, efficiency, bytes,
				(after.CopiesPeer-before.CopiesPeer)/int64(steps))
			require.GreaterOrEqual(t, efficiency, c.least, "%s on %d", c.name, gpus)
			if c.peers != nil {
				require.Equal(t, c.peers(gpus), bytes, "%s on %d", c.name, gpus)
			}
			require.Equal(t, before.BytesIn, after.BytesIn, "nothing comes from the host again")
			require.Equal(t, before.BytesOut, after.BytesOut)
		}
	}
}

// root is the largest number whose square is no more than n.
func root(n int) int {
	i := 0
	for (i+1)*(i+1) <= n {
		i++
	}
	return i
}
