package multi_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// TestIterations: with the work of a GPU for each GPU, a chain of operations takes as long on eight as on one, in the
// times of the model, and copies nothing; a stencil copies a row over each edge of a tile in each direction, a step of
// Jacobi's method the parts of the vector that the others have made. Nothing goes to the host. The log has the
// efficiency: a stencil's and a sum's copies take some 10 µs whatever the size.
func TestIterations(t *testing.T) {
	rt := use(t)
	lazy.Fuse(true)
	offload.MinTile(256)
	lazy.SimulateProducts(1 << 30)
	defer lazy.SimulateProducts(1 << 20)
	defer offload.MinTile(0)
	rows, cols := 256, 2048 // of float64 on each GPU: 4 MB
	if testsize.Short() {
		rows, cols = 16, 512
	}
	const equations = 64 // for each GPU
	stencil := func(g *lazy.Array) {
		s := g.Shape()
		c := g.At(arrays.S(1, -1), arrays.S(1, -1))
		sum := c.Add(g.At(arrays.S(0, -2), arrays.S(1, -1))).Add(g.At(arrays.S(2, s[0]), arrays.S(1, -1))).
			Add(g.At(arrays.S(1, -1), arrays.S(0, -2))).Add(g.At(arrays.S(1, -1), arrays.S(2, s[1])))
		c.Set(sum.Mul(0.2))
		lazy.Eval(g)
	}
	for _, c := range []struct {
		name  string
		start func(gpus int) (step func())
		least float64              // efficiency
		bytes func(gpus int) int64 // between GPUs for an iteration
	}{
		{"chain", func(gpus int) func() {
			x := lazy.FromArray(arrays.Arange(float64(gpus * rows * cols)))
			return func() { x = x.Mul(0.5).Add(1).Sqrt(); lazy.Eval(x) }
		}, 0.9, func(int) int64 { return 0 }},
		{"stencil", func(gpus int) func() {
			g := lazy.FromArray(arrays.Arange(float64(gpus*rows*cols)).Reshape(gpus*rows, cols)).Copy()
			return func() { stencil(g) }
		}, 0, func(gpus int) int64 { return int64((gpus - 1) * 2 * cols * 8) }},
		{"sum", func(gpus int) func() {
			x := lazy.FromArray(arrays.Arange(float64(gpus * rows * cols)))
			return func() { lazy.Eval(x.Sum()) }
		}, 0, nil},
		{"jacobi", func(gpus int) func() {
			n := gpus * equations
			r := lazy.FromArray(arrays.Arange(float64(n*n)).Mod(11).Div(11*float64(n)).Reshape(n, n))
			b, d := lazy.FromArray(arrays.Ones(n)), lazy.FromArray(arrays.Ones(n).Mul(3))
			x := lazy.FromArray(arrays.Ones(n)).Mul(0.5)
			return func() { x = b.Sub(lazy.Dot(r, x)).Div(d); lazy.Eval(x) }
		}, 0, func(gpus int) int64 { return int64(gpus * (gpus - 1) * equations * 8) }},
	} {
		one := trace.Time(0)
		for _, gpus := range []int{1, 2, 8} {
			names := []string{}
			for i := range gpus {
				names = append(names, fmt.Sprintf("sim:v100x8#%d", i))
			}
			lazy.Use(names...)
			step := c.start(gpus)
			step()
			step()
			before := rt.Stats()
			step()
			after := rt.Stats()
			took := trace.Last().Took()
			if gpus == 1 {
				one = took
			}
			efficiency := float64(one) / float64(took)
			t.Logf("%s on %d: %v, efficiency %.2f, %d bytes between GPUs in %d copies",
				c.name, gpus, took, efficiency, after.BytesPeer-before.BytesPeer, after.CopiesPeer-before.CopiesPeer)
			require.GreaterOrEqual(t, efficiency, c.least, c.name)
			if c.bytes != nil {
				require.Equal(t, c.bytes(gpus), after.BytesPeer-before.BytesPeer, "%s on %d", c.name, gpus)
			}
			require.Equal(t, before.BytesIn, after.BytesIn, "nothing comes from the host again")
			require.Equal(t, before.BytesOut, after.BytesOut)
		}
	}
}
