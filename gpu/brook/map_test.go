package brook_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/brook"
	"github.com/arrayrepl/arrayrepl/gpu/brook/internal/streamed"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// A kernel of structs is what a loop over the compiled function makes, on all machines and by launches of its own.
func TestMapIsALoop(t *testing.T) {
	use(t)
	saxpy, split := kernel(t, "Saxpy", streamed.Saxpy), kernel(t, "Split", streamed.Split)
	for _, m := range machines {
		np.Use(m)
		n := 1 + rand.IntN(300)
		x, y, want := make([]brook.F4, n), make([]brook.F4, n), make([]brook.F4, n)
		for i := range x {
			x[i], y[i] = brook.F4{X: rand.Float32(), Y: rand.Float32(), Z: 3, W: float32(i)}, brook.F4{X: rand.Float32(), W: -1}
			want[i] = streamed.Saxpy(2, x[i], y[i])
		}
		for _, with := range []*brook.Settings{nil, brook.With(brook.On(m)), brook.With(brook.On("go"))} {
			require.Equal(t, want, brook.Slice[brook.F4](with.Map(saxpy, 2, x, brook.Of(y))), m)
		}
		hits, numbers := make([]streamed.Hit, n), make([]int64, n)
		var whole [][2]int16
		var odd []bool
		var rest []struct{ H streamed.Hit }
		for i := range hits {
			hits[i], numbers[i] = streamed.Hit{T: float32(i), U: rand.Float32(), V: rand.Float32(), Index: 1}, rand.Int64N(1000)
			w, o, r := streamed.Split(hits[i], numbers[i])
			whole, odd, rest = append(whole, w), append(odd, o), append(rest, r)
		}
		for _, with := range []*brook.Settings{nil, brook.With(brook.On(m)), brook.With(brook.On("go"))} {
			out := with.Maps(split, hits, numbers)
			require.Equal(t, whole, brook.Write(out[0]), m)
			require.Equal(t, odd, brook.Write(out[1]), m)
			require.Equal(t, rest, brook.Write(out[2]), m)
		}
	}
}

// 123 repeats as 111222333, and 123456789 is read as 13579.
func TestShorterRepeatsAndLongerStrides(t *testing.T) {
	use(t)
	second, mul := kernel(t, "Second", streamed.Second), kernel(t, "Mul", streamed.Mul)
	for _, with := range []*brook.Settings{nil, brook.With(brook.On("go")), brook.With(brook.On("host"))} {
		require.Equal(t, "[1. 1. 1. 2. 2. 2. 3. 3. 3.]", with.Map(second, make([]float32, 9), []float32{1, 2, 3}).String())
		require.Equal(t, "[1. 3. 5. 7. 9.]", with.Map(second, 0, []float32{1, 2, 3, 4, 5, 6, 7, 8, 9}, brook.Shape(5)).String())
		table := with.Map(mul, [][]float32{{1}, {2}}, [][]float32{{1, 2, 3, 4}})
		require.Equal(t, "[[1. 2. 3. 4.]\n [2. 4. 6. 8.]]", table.String())
		require.Equal(t, "[[1. 1. 2. 2.]\n [1. 1. 2. 2.]\n [3. 3. 4. 4.]\n [3. 3. 4. 4.]]", with.Map(second, 0, [][]float32{{1, 2}, {3, 4}}, brook.Shape(4, 4)).String())
		require.Equal(t, "[[1. 3.]\n [1. 3.]]", with.Map(second, 0, [][]float32{{1, 2, 3}}, brook.Shape(2, 2)).String())
	}
	require.Equal(t, "brook.Map: kernel Second: the stream of parameter x: shape [3] does not repeat into shape [4]: along axis 0 of the result 3 elements are to become 4, which is not a multiple",
		message(t, func() { brook.Map(second, make([]float32, 4), []float32{1, 2, 3}) }))
	require.Equal(t, "brook.Map: kernel Second: the stream of parameter x: shape [9] has no stride into shape [4]: along axis 0 of the result every 3. of 9 elements makes 3, not 4",
		message(t, func() { brook.Map(second, 0, make([]float32, 9), brook.Shape(4)) }))
	require.Equal(t, "brook.Map: kernel Second: the stream of parameter x: shape [2 3] has more axes than the result, [3]",
		message(t, func() { brook.Map(second, 0, [][]float32{{1, 2, 3}, {1, 2, 3}}, brook.Shape(3)) }))
	require.Equal(t, "[]", brook.Map(second, []float32{}, float32(3)).String(), "an empty stream")
}

// Gathers of several axes, and the places of elements.
func TestGathersOfAxes(t *testing.T) {
	use(t)
	blur, corner := kernel(t, "Blur", streamed.Blur), kernel(t, "Corner", streamed.Corner)
	picture := np.Arange(35).AsType(np.Float32).Reshape(5, 7).Mul(np.Arange(7).AsType(np.Float32))
	want := brook.With(brook.On("go")).Map(blur, brook.Indices(picture), picture, 5, 7).String()
	of := make([][2]int32, 2*3*4*5)
	for i := range of {
		of[i] = [2]int32{int32(i), int32(-i)}
	}
	four := brook.Of(of).Reshape(2, 3, 4, 5)
	for _, m := range machines {
		np.Use(m)
		require.Equal(t, want, brook.Map(blur, brook.Indices(picture), picture, 5, 7).String(), m)
		out := brook.Maps(corner, []int{0, 1}, 2, []int{3, 1}, []int{4, 0}, four)
		require.Equal(t, "[ 59 105]", out[0].String(), m)
		require.Equal(t, "[-59 -45]", out[1].String(), m)
		require.Contains(t, message(t, func() { brook.Maps(corner, 0, 0, 0, 5, four, brook.Shape(1))[0].Eval() }), "index 5 is out of range: the length is 5")
	}
}

// Kernels and the operations around them are one kernel, and of structs only what is needed is computed.
func TestOneKernel(t *testing.T) {
	use(t)
	saxpy := kernel(t, "Saxpy", streamed.Saxpy)
	n := 300
	x := brook.Of(make([]brook.F4, n))
	y := brook.Map(saxpy, 2, x, brook.Map(saxpy, 3, x, x))
	sum := y.Field("X").Add(y.Field("Y")).Mul(2)
	np.Eval(sum, y.Field("X"), y.Field("Y"), y.Field("Z"), y.Field("W"))
	require.Equal(t, []string{"Saxpy+Saxpy+add+multiply"}, kernels())
}

// kernels are the names of those that ran in the last evaluation.
func kernels() (names []string) {
	for _, e := range trace.Last().Events() {
		if e.Kind == trace.Kernel {
			names = append(names, e.Name)
		}
	}
	return names
}

// busy is how long kernels of the last evaluation ran, in seconds.
func busy(on string) (seconds float64) {
	for _, e := range trace.Last().Events() {
		if e.Kind == trace.Kernel && e.Device == on {
			seconds += e.Duration().Seconds()
		}
	}
	return seconds
}

func TestArgumentsThatDoNotFit(t *testing.T) {
	use(t)
	saxpy, mul, split, blur := kernel(t, "Saxpy", streamed.Saxpy), kernel(t, "Mul", streamed.Mul), kernel(t, "Split", streamed.Split), kernel(t, "Blur", streamed.Blur)
	for want, run := range map[string]func(){
		"kernel Saxpy: it takes 3 streams and constants (a float32, x brook.F4, y brook.F4), not 1":                                                                                            func() { brook.Map(saxpy, 2) },
		"kernel Saxpy: parameter x is brook.F4, its stream has elements of type float32":                                                                                                       func() { brook.Map(saxpy, 2, []float32{1}, []brook.F4{{}}) },
		"kernel Saxpy: parameter x is brook.F4, and is given a value of type int: give one of brook.F4, or a stream, an array or a slice of them":                                              func() { brook.Map(saxpy, 2, 3, []brook.F4{{}}) },
		"kernel Mul: parameter a is float32, its stream has elements of float64: convert the array by AsType(np.Float32) (of a stream s, s.Field(\"\") is the array), or declare a as float64": func() { brook.Map(mul, []float64{1}, 2) },
		"kernel Mul: parameter a float32: the argument is a string":                                                                                                                            func() { brook.Map(mul, "x", []float32{2}) },
		"kernel Split: it has 3 results: brook.Maps returns a stream for each":                                                                                                                 func() { brook.Map(split, []streamed.Hit{{}}, 1) },
		"kernel Blur: parameter picture reads any element of a stream of float32, and is given a value of type int: give a stream, an array or a slice":                                        func() { brook.Map(blur, brook.Indices([]int{1}), 3, 1, 1) },
		"no argument is a stream that says how many elements there are: give one, or brook.Shape among the arguments":                                                                          func() { brook.Map(mul, 1, 2) },
	} {
		require.Equal(t, "brook.Map: "+want, message(t, run))
	}
	require.Contains(t, message(t, func() { brook.Map(func(x float32) float32 { return x }, []float32{1}) }), "the source of")
	require.Contains(t, message(t, func() { brook.Map(mul, []float32{1}, 2, brook.On("nowhere")).Eval() }), "nowhere")
}
