package brook_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/brook"
	"github.com/arrayrepl/arrayrepl/gpu/brook/internal/streamed"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// ran are the names of the kernels that a stream's evaluation runs.
func ran(s *brook.Stream) (names []string) {
	for _, k := range s.Report().Kernels {
		names = append(names, k.Name)
	}
	return names
}

// The first pass of a reduction computes what a map makes that nobody has asked for, with the same bits as of elements
// in memory: by random shapes, inputs that repeat along axes, and plans, on all machines.
func TestReductionsComputeMaps(t *testing.T) {
	use(t)
	mul, sum := kernel(t, "Mul", streamed.Mul), kernel(t, "Sum", streamed.Sum)
	fused := 0
	for seed := range testsize.Seeds("gpu/brook.TestReductionsComputeMaps") {
		rand, round := rand.New(rand.NewPCG(seed, 2)), int(seed)
		np.Use(machines[round%len(machines)])
		shape, to := []int{}, []int{}
		for range 1 + rand.IntN(4) {
			k, r := 1+rand.IntN(6), 1+rand.IntN(12)
			shape, to = append(shape, k*r), append(to, k)
		}
		if round%4 == 0 {
			shape, to = []int{3, 700}, []int{3, 1}
		}
		random := func() *brook.Stream {
			own := slices.Clone(shape)
			for d := range own {
				if rand.IntN(3) == 0 {
					own[d] = 1
				}
			}
			return brook.Of(np.DefaultRNG(rand.IntN(1 << 30)).Random(own...).AsType(np.Float32))
		}
		x, y := random(), random()
		options := []any{mul, x, y, brook.Shape(shape...)}
		apart := brook.Map(options[0], options[1:]...).Eval()
		with := brook.With(brook.Passes(2 + rand.IntN(7)))
		if round%5 == 0 {
			with = brook.With(brook.SinglePass())
		}
		want := with.Reduce(sum, apart, brook.Shape(to...))
		got := with.Reduce(sum, brook.Map(options[0], options[1:]...), brook.Shape(to...))
		if !slices.Equal(shape, to) && !slices.ContainsFunc(ran(got), func(name string) bool { return name == "Mul" }) {
			fused++
		}
		require.Equal(t, brook.Slice[float32](want), brook.Slice[float32](got), "%v of %v and %v to %v", shape, x.Shape(), y.Shape(), to)
	}
	require.Positive(t, fused)
}

// What is assigned to an input between the map and the reduction does not count, as it does not for the map.
func TestReductionsOfMapsKeepTheirInputs(t *testing.T) {
	use(t)
	mul, sum := kernel(t, "Mul", streamed.Mul), kernel(t, "Sum", streamed.Sum)
	x := np.Arange(64).AsType(np.Float32)
	m := brook.Map(mul, x, x)
	x.Set(1, np.S(0, 64))
	require.Equal(t, []float32{85344}, brook.Slice[float32](brook.Reduce(sum, m)))
	x = np.Arange(64).AsType(np.Float32)
	m = brook.Map(mul, x, x)
	m.Field("").Set(0, 63)
	require.Equal(t, []float32{85344 - 63*63}, brook.Slice[float32](brook.Reduce(sum, m)))
	x = np.Arange(64).AsType(np.Float32)
	m = brook.Map(mul, x, x)
	r := brook.Reduce(sum, m)
	require.Equal(t, []float32{85344}, brook.Slice[float32](r))
	require.Equal(t, float32(9), brook.Slice[float32](m)[3], "the map can be had, too")
}

// Functions that come and go leave a bounded number of kernels.
func TestFusedKernelsAreBounded(t *testing.T) {
	use(t)
	sum, x := kernel(t, "Sum", streamed.Sum), np.Arange(8).AsType(np.Float32)
	for range brook.MostFused + 3 {
		got := brook.Reduce(sum, brook.Map(kernel(t, "Mul", streamed.Mul), x, x), brook.Passes(8))
		require.Equal(t, []float32{140}, brook.Slice[float32](got))
	}
	require.Positive(t, brook.Fused(sum))
	require.LessOrEqual(t, brook.Fused(sum), brook.MostFused)
}
