package operators

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/alone"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// large are cells on a matrix x of 140 by 500 whole numbers, and its elements v, that are larger than the device. The
// last line is what is computed. Whole numbers have one sum in whatever order.
var large = []string{
	"x[::-2, ::-3] * 2",
	"x - x[:, :1]",
	"x[:100].T()[::-1] - x[40:].T()",
	"v[:300][:, np.NewAxis] * v[300:600]",
	"np.Where(x > 0, x, -x)[5:-5, 1:]",
	"acc := x * 0\nfor k := range 4 { acc[:, k:] += x[:, :500-k] }\nacc",
	"z := v * 1\nz[::2] -= v[1::2]\nz[:-1] += z[1:]\nz",
	"z := x.Copy()\nz[:, 3] = v[:140]\nz[10] += 1\nz[z > 4] = 0\nz",
	"z := x[::2] + 0\ny := z[:, ::-1]\ny[1:, 1:] *= 2\ny[z < 0] -= 3\nz",
	"np.Diff(np.Diff(x, 0), 1)",
	"np.Roll(v, 12345)",
	"np.Roll(x, 7, np.Axis(1))",
	"np.Concat(0, x, x[::-1])",
	"np.Stack(1, x, -x)",
	"np.Concat(1, x[:, 250:], x[:, :250]) + x",
	"x.Max(0) - x.Min(np.Axis(0))",
	"x.Sum(1, np.KeepDims()) + x",
	"v.Reshape(10, 14, 500).Sum(0, 2)",
	"v.Reshape(10, 14, 500).Max(1)[::-1]",
	"(x > 0).Any(0)",
	"(x > 3).All(1)",
	"(x > 0).Sum(1)",
	"(x > 0) & (x < 3) | (x == -4)",
	"np.Clip(x, -1, 1).AsType(np.Float32)",
	"(x * 10).AsType(np.Int32) % 7 << 2",
	"np.Repeat(x, 2, 1)",
	"np.Repeat(v, 2)[::5]",
	"np.CumSum(x, 1)",
	"np.CumSum(x[:, ::2], 0)[::-1]",
	"np.Flip(x) + x",
	"np.Tile(v, 3)[1::2]",
	"x.ArgMax(1)",
	"np.CountNonZero(x > 1)",
	"x.Mean(1)*500 - x.Sum(1)",
	"v[v > 3]",
	"x[[]int{3, 1, 139, 3}, :] * 2",
	"np.Take(v, x.AsType(np.Int64).Abs().Reshape(-1))",
	"np.Outer(v[:280], v[:280]).Sum(0)",
	"np.Dot(x, np.Ones(500, 3)) - 1",
	"f := func(a *np.Array, by int) *np.Array { b := a[by:] - a[:-by]; b[0] = 0; return b }\nf(f(v, 1), 3)",
	"type pair struct{ a, b *np.Array }\np := pair{x + 1, x * 2}\np.a[::3] = p.b[::3]\np.b = p.a - p.b\np.b[:, 1:] + p.a[:, :-1]",
}

// TestCellsLargerThanTheDevice: cells on arrays that a device has no room for have the elements of eager arrays.
func TestCellsLargerThanTheDevice(t *testing.T) {
	if !alone.Here(t) { // a device without room asks the collector time and again
		return
	}
	rt := testdevices.Use(t)
	lazy.Use("sim:tiny")
	symbols.Register()
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Arrays: symbols.Arrays()})
	require.NoError(t, err)
	defer s.Close()
	n := 0
	for k, cell := range large {
		if !testsize.Part(k, 3) {
			continue
		}
		rt.SetMemLimit(1 << (16 + k/3%3)) // of 560,000 bytes
		var got [2]string
		for i, pkg := range []string{"np", "arrays"} {
			lines := strings.Split(cell, "\n")
			last := len(lines) - 1
			src := "v := (np.Arange(70000) * 7919 % 13 - 6).AsType(np.Float64)\nx := v.Reshape(140, 500)\n" + strings.Join(lines[:last], "\n") +
				"\nresult := " + lines[last] + "\nfmt.Sprintf(\"%v %v %x\", result.DType(), result.Shape(), sha256.Sum256(WHOLE.Bytes()))"
			src = strings.NewReplacer("np.", pkg+".", "WHOLE", map[string]string{"np": "result.Array()", "arrays": "result.Copy()"}[pkg]).Replace(src)
			n++
			got[i], err = run(s, n, "import \"crypto/sha256\"\n"+src)
			require.NoError(t, err, src)
		}
		assert.Equal(t, got[1], got[0], cell)
	}
	assert.Greater(t, int(rt.Stats().Pieces), n, "a cell has several pieces")
}
