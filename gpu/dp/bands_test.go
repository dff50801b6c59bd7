package dp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/dp"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Orderings and bands of Sengupta, Harris and Garland's figures 11 on the model of a GTX 280, with ten points more or
// less: warp-wise scans take 5 to 20 % less than reduce and downsweep, also where the length is no power of two; by
// segments conditional indexing takes up to 29 % less than downsweep, and the transformed operator another 6 to 10 %.
func TestBandsOfTheGTX280(t *testing.T) {
	testsize.InTurn(t, 0)
	use(t)
	np.Use("sim:gtx280")
	took := func(x *np.Array) (sum trace.Time) {
		np.Eval(x)
		for _, e := range trace.Last().Events() {
			if e.Kind == trace.Kernel {
				sum += e.Duration()
			}
		}
		return sum
	}
	ones := func(n int) *np.Array {
		x := np.Ones(n).AsType(np.Float32).Copy()
		np.Eval(x)
		return x
	}
	band := func(less, than trace.Time, from, to float64, what string) {
		t.Helper()
		percent := 100 * (1 - less.Seconds()/than.Seconds())
		t.Logf("%s: %v and %v, %.0f %% less", what, less, than, percent)
		require.Greater(t, percent, max(from-10, 0), what)
		require.Less(t, percent, to+10, what)
	}
	for _, n := range []int{1 << 16, 50_000} {
		x := ones(n)
		band(took(dp.Scan(dp.Sum, x)), took(dp.Scan(dp.Sum, x, dp.Kernel(dp.Downsweep{}))), 5, 20, "warp-wise and downsweep")
	}
	x := ones(1 << 14)
	flags := np.Arange(1 << 14).Mod(7).Equal(0).Copy()
	np.Eval(flags)
	by := func(m dp.Method) trace.Time {
		return took(dp.SegScan(dp.Sum, x, dp.Heads(flags), dp.PerThread(1), dp.Kernel(m)))
	}
	transformed, conditional, downsweep := by(dp.Transformed{}), by(dp.Conditional{}), by(dp.Downsweep{Pad: true})
	band(conditional, downsweep, 0, 29, "conditional and downsweep")
	band(transformed, conditional, 6, 10, "transformed and conditional")
	x = ones(1 << 16)
	require.Less(t, took(dp.Scan(dp.Sum, x, dp.PerThread(8))), took(dp.Scan(dp.Sum, x, dp.PerThread(1))), "eight elements a thread and one")
}
