package sparse_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/sparse"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// The rates of the segmented product spread less than those of a row per thread, and it wins where rows are uneven
// (Sengupta, Harris and Garland: variances of 0.55 and 1.39 GFLOP/s, medians of 2.59 and 2.06, on a GTX 280); on a mesh
// the cached product is faster than the plain one (Nickolls and others: by about a fifth).
func TestOrderOfRates(t *testing.T) {
	use(t)
	rates := map[string]map[string]float64{}
	for kind, of := range kinds {
		m := of(2048)
		np.Use("host")
		a := m.sparse()
		x := np.Ones(m.cols).AsType(np.Float32).Copy()
		np.Eval(a.Values(), a.Columns(), a.Offsets(), x)
		np.Use("sim:gtx280")
		rates[kind] = map[string]float64{}
		for _, how := range []sparse.Method{sparse.RowPerThread, sparse.SegScan, sparse.Cached} {
			if how.String() == sparse.Cached.String() && kind != "mesh" {
				continue
			}
			np.Eval(sparse.Mul(a, x, how))
			var took trace.Time
			for _, e := range trace.Last().Events() {
				if e.Kind == trace.Kernel {
					took += e.Duration()
				}
			}
			rates[kind][how.String()] = 2 * float64(a.NNZ()) / took.Seconds() / 1e9
		}
	}
	t.Log(rates)
	variance := func(how sparse.Method) float64 {
		var sum, squares float64
		for _, r := range rates {
			sum += r[how.String()]
			squares += r[how.String()] * r[how.String()]
		}
		n := float64(len(rates))
		return squares/n - sum/n*sum/n
	}
	rows, scan := sparse.RowPerThread.String(), sparse.SegScan.String()
	require.Less(t, variance(sparse.SegScan), variance(sparse.RowPerThread)/2)
	for _, kind := range []string{"power law", "one long row"} {
		require.Greater(t, rates[kind][scan], rates[kind][rows], kind)
	}
	require.Greater(t, rates["uniform"][rows], rates["uniform"][scan])
	require.Greater(t, rates["mesh"][sparse.Cached.String()], rates["mesh"][rows])
}
