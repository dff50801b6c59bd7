package multi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// TestExhaustiveIsNotSlower: by the times of the device model too, what the search finds is not behind any policy, on
// VEC, as array expressions and by the kernels of cells.
func TestExhaustiveIsNotSlower(t *testing.T) {
	testsize.InTurn(t, 1)
	use(t)
	for i, c := range []struct {
		name     string
		elements int
		part     func(x, y *lazy.Array) *lazy.Array
	}{
		{"expressions", 16_000, func(x, y *lazy.Array) *lazy.Array { return x.Mul(x).Sub(y.Mul(y)) }},
		{"expressions", 400_000, func(x, y *lazy.Array) *lazy.Array { return x.Mul(x).Sub(y.Mul(y)) }},
		{"kernels", 400_000, func(x, y *lazy.Array) *lazy.Array {
			n, k := x.Size(), sharedKernels()
			x1, y1, sum := lazy.Zeros(n).AsType(lazy.Float32), lazy.Zeros(n).AsType(lazy.Float32), lazy.Zeros(1).AsType(lazy.Float32)
			launch(k.square, n, x, x1)
			launch(k.square, n, y, y1)
			launchOf(k.difference, n, []*lazy.Array{x1, y1}, sum)
			return sum
		}},
	} {
		program := func() {
			var out []*lazy.Array
			for p := range 4 {
				i := arrays.Arange(float64(c.elements / 4)).AsType(arrays.Float32)
				out = append(out, c.part(lazy.FromArray(i.Add(float32(p))), lazy.FromArray(i.Mul(float32(p)))))
			}
			lazy.Eval(out...)
		}
		for j, machine := range [][]string{{"sim:v100x8#0", "sim:v100x8#1"}, {"sim:v100x8#0", "sim:v100x8#4"}, {"sim:a100x8#0", "sim:a100x8#1", "sim:a100x8#2"}} {
			if !testsize.Part(i+j, 3) {
				continue
			}
			lazy.Use(machine...)
			offload.MaxTiles(1)
			took := map[string]trace.Time{}
			for _, run := range offload.EachPolicy(program, offload.Policies()...) {
				took[run.Name] = run.Logs[0].Took()
			}
			offload.MaxTiles(0)
			t.Log(c.name, c.elements, machine, took)
			for name, other := range took {
				require.LessOrEqual(t, float64(took["exhaustive"]), 1.02*float64(other), "%s, %d elements on %v: %s", c.name, c.elements, machine, name)
			}
		}
	}
}
