package brook_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu/brook"
	"github.com/arrayrepl/arrayrepl/gpu/brook/internal/streamed"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// A call that is left to the cost model runs where that says, of the same figures as Advise; Explain says so before.
func TestPlacedByTheCostModel(t *testing.T) {
	use(t)
	saxpy, sum := kernel(t, "Saxpy", streamed.Saxpy), kernel(t, "Sum", streamed.Sum)
	np.Use("sim:v100")
	n := 1 << 14
	x := brook.New[brook.F4](n)
	advice := brook.Advise(saxpy, 2, x, x)
	auto := brook.With(brook.On("auto"))
	y := auto.Map(saxpy, 2, x, x)
	e := np.Explain(y.Field("X"))
	require.Len(t, e.Placed, 1)
	c := e.Placed[0].Candidates
	require.Len(t, c, 2)
	require.InEpsilon(t, advice.CPU*float64(n), c[0].Compute, 1e-9)
	require.InEpsilon(t, max(advice.Issue, advice.GPU*float64(n)), c[1].Compute, 1e-9)
	require.Equal(t, c[1].Compute+c[1].Transfer < c[0].Compute+c[0].Transfer, e.Placed[0].GPU)
	require.Contains(t, e.String(), "16384 elements take ")
	require.Contains(t, e.String(), " by the cost model of streams")
	y.Eval()
	where := "host"
	if e.Placed[0].GPU {
		where = "sim:v100#0"
	}
	require.Equal(t, where, y.Report().Kernels[0].Device)
	require.Equal(t, brook.Write(brook.Map(saxpy, 2, x, x)), brook.Write(y))
	xs := np.Arange(1000).AsType(np.Float32)
	require.Equal(t, "[499500.]", auto.Reduce(sum, xs).String())
	require.Error(t, arrays.Try(func() { auto.Flat(kernel(t, "Keep", streamed.Keep), xs) }))
}
