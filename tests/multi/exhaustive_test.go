package multi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// TestExhaustiveIsNotSlower: by the times of the device model too, what the search finds is not behind any policy, on
// the kernels of VEC: squares on vectors of the host, and a kernel that reads two of them.
func TestExhaustiveIsNotSlower(t *testing.T) {
	use(t)
	for _, n := range []int{16_000, 400_000} {
		program := func() {
			var out []*lazy.Array
			for p := range 4 {
				x := lazy.FromArray(arrays.Arange(float64(n / 4)).Add(p))
				y := lazy.FromArray(arrays.Arange(float64(n / 4)).Mul(p))
				out = append(out, x.Mul(x).Sub(y.Mul(y)))
			}
			lazy.Eval(out...)
		}
		for _, machine := range [][]string{{"sim:v100x8#0", "sim:v100x8#1"}, {"sim:v100x8#0", "sim:v100x8#4"}, {"sim:a100x8#0", "sim:a100x8#1", "sim:a100x8#2"}} {
			lazy.Use(machine...)
			offload.MaxTiles(1)
			took := map[string]trace.Time{}
			for _, run := range offload.EachPolicy(program, offload.Policies()...) {
				took[run.Name] = run.Logs[0].Took()
			}
			offload.MaxTiles(0)
			t.Log(n, machine, took)
			for name, other := range took {
				require.LessOrEqual(t, float64(took["exhaustive"]), 1.02*float64(other), "%d elements on %v: %s", n, machine, name)
			}
		}
	}
}
