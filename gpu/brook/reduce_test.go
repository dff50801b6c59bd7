package brook_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/brook"
	"github.com/arrayrepl/arrayrepl/gpu/brook/internal/streamed"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// The plans of the paper's section on reductions.
func TestPlans(t *testing.T) {
	use(t)
	sum := kernel(t, "Sum", streamed.Sum)
	p := brook.Reduce(sum, brook.New[float32](1<<20)).Plan()
	require.Equal(t, []int{8, 8, 8, 8, 8, 8, 4}, p.Factors())
	require.InDelta(t, 1.143, float64(p.Reads())/(1<<20), 0.0005)
	require.Len(t, brook.Reduce(sum, brook.New[float32](1024, 1024)).Plan().Passes, 8)
	y := brook.Reduce(sum, brook.New[float32](50, 50), brook.Shape(50, 1))
	require.Equal(t, []int{5, 5, 2}, y.Plan().Factors())
	require.Equal(t, []int{50, 1}, y.Shape())
	require.True(t, strings.HasPrefix(y.Plan().String(), "3 passes by 5, 5, 2, 3100 elements of 4 bytes read\n  pass 1 along axis 1: 50 to 10, 5 neighbours each; reads 2500, writes 500\n"), y.Plan())
	require.Equal(t, []int{2, 8, 2}, brook.Reduce(sum, brook.New[float32](22)).Plan().Factors(), "11 has no factor")
	require.Equal(t, []int{2, 2, 2, 2}, brook.Reduce(sum, brook.New[float32](16), brook.Passes(2)).Plan().Factors())
	require.Equal(t, []int{1000}, brook.Reduce(sum, brook.New[float32](1000), brook.SinglePass()).Plan().Factors())
	require.Nil(t, brook.New[float32](3).Plan())
}

// A matrix times a vector by repetition and a partial reduction.
func TestMatrixTimesVector(t *testing.T) {
	use(t)
	mul, sum := kernel(t, "Mul", streamed.Mul), kernel(t, "Sum", streamed.Sum)
	a := np.Remainder(np.Arange(2500), 7).AsType(np.Float32).Reshape(50, 50)
	x := np.Arange(50).AsType(np.Float32).Reshape(1, 50)
	want := np.MatMul(a, x.Reshape(50, 1)).String()
	for _, m := range append(machines, "go") {
		with := brook.With(brook.On(m))
		require.Equal(t, want, with.Reduce(sum, with.Map(mul, a, x), brook.Shape(50, 1)).String(), m)
	}
}

// Blocks of neighbours are folded in the order of rows, by random shapes and functions that do not commute, on all
// machines and by all plans.
func TestReductionsAreFolds(t *testing.T) {
	use(t)
	product := kernel(t, "Product", streamed.Product)
	for i, m := range machines {
		var shape, to []int
		n := 1
		for range 1 + rand.IntN(4) {
			k, r := 1+rand.IntN(3), 1+rand.IntN(12)
			shape, to, n = append(shape, k*r), append(to, k), n*k*r
		}
		if i == 0 {
			shape, to, n = []int{1009}, []int{1}, 1009
		}
		ms := make([]streamed.Matrix, n)
		for k := range ms {
			ms[k] = streamed.Matrix{A: rand.Int32(), B: rand.Int32(), C: rand.Int32(), D: rand.Int32()}
		}
		s := brook.Of(ms).Reshape(shape...)
		want := brook.With(brook.On("go")).Reduce(product, s, brook.Shape(to...))
		all := ms[0]
		for _, x := range ms[1:] {
			all = streamed.Product(all, x)
		}
		if len(shape) == 1 && to[0] == 1 {
			require.Equal(t, []streamed.Matrix{all}, brook.Write(want))
		}
		for _, how := range []brook.Option{brook.Passes(8), brook.Passes(3), brook.SinglePass()} {
			got := brook.Reduce(product, s, how, brook.Shape(to...), brook.On(m))
			require.Equal(t, brook.Write(want), brook.Write(got), "%s: %v to %v, %v", m, shape, to, got.Plan())
		}
	}
}

func TestReductionsThatCannotBe(t *testing.T) {
	use(t)
	sum, minus, saxpy := kernel(t, "Sum", streamed.Sum), kernel(t, "Minus", streamed.Minus), kernel(t, "Saxpy", streamed.Saxpy)
	for want, run := range map[string]func(){
		"kernel Sum: the stream has shape [6], its reduction [4]: along axis 0 6 elements are not as many for each of 4 results": func() { brook.Reduce(sum, make([]float32, 6), brook.Shape(4)) },
		"kernel Sum: the stream has shape [6], its reduction [3 2]: give a size for each axis":                                   func() { brook.Reduce(sum, make([]float32, 6), brook.Shape(3, 2)) },
		"kernel Sum: the stream has shape [0], its reduction [1]: along axis 0 there is no element that a result could be":       func() { brook.Reduce(sum, []float32{}) },
		"a function that combines elements is a func(a, b T) T; Saxpy is a func(float32, brook.F4, brook.F4) brook.F4":           func() { brook.Reduce(saxpy, []float32{}) },
		"parameter a is float32, its stream has elements of type brook.F2":                                                       func() { brook.Reduce(sum, []brook.F2{{}}) },
	} {
		require.Contains(t, message(t, run), want)
	}
	require.Contains(t, message(t, func() { brook.Reduce(kernel(t, "Left", streamed.Left), []float32{1, 2}) }), "Left asks for places")
	require.Equal(t, "brook.Passes: passes that merge 9 elements; they merge 2 to 8", message(t, func() { brook.Passes(9) }))
	require.EqualError(t, brook.Associative(minus, []int32{1, 2, 3}), "brook.Associative: Minus is not associative: Minus(Minus(1, 1), 1) is -1, Minus(1, Minus(1, 1)) is 1; a reduction needs a function for which they are the same")
	require.NoError(t, brook.Associative(sum, []float32{1e-3, 2, 3e8}))
}

// On the CPU a kernel does two passes, with the bits of two: sums of floats of random shapes, by all factors.
func TestPassesAreJoined(t *testing.T) {
	testsize.InTurn(t, 0)
	use(t)
	sum, product := kernel(t, "Sum", streamed.Sum), kernel(t, "Product", streamed.Product)
	joined := 0
	for range 10 {
		var shape, to []int
		for range 1 + rand.IntN(3) {
			k, r := 1+rand.IntN(3), 1+rand.IntN(30)
			shape, to = append(shape, k*r), append(to, k)
		}
		shape, to = append(shape, 17), append(to, 17)
		s := brook.Of(np.DefaultRNG(rand.IntN(1 << 30)).Random(shape...).AsType(np.Float32))
		how := brook.Passes(2 + rand.IntN(7))
		got := brook.Reduce(sum, s, how, brook.Shape(to...))
		if slices.ContainsFunc(ran(got), func(name string) bool { return strings.HasPrefix(name, "Sum passes 1-2/") }) {
			joined++
		}
		require.Equal(t, brook.Write(brook.Reduce(sum, s, how, brook.Shape(to...), brook.On("sim:v100"))), brook.Write(got), "%v to %v, %v", shape, to, got.Plan())
		ms := make([]streamed.Matrix, s.Len()) // whose order counts
		for k := range ms {
			ms[k] = streamed.Matrix{A: rand.Int32(), B: rand.Int32(), C: rand.Int32(), D: rand.Int32()}
		}
		m := brook.Of(ms).Reshape(shape...)
		require.Equal(t, brook.Write(brook.Reduce(product, m, brook.Shape(to...), brook.On("go"))), brook.Write(brook.Reduce(product, m, how, brook.Shape(to...))), "%v to %v", shape, to)
	}
	require.Positive(t, joined)
}
