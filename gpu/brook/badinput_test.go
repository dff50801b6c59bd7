package brook_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/brook"
	"github.com/arrayrepl/arrayrepl/gpu/brook/internal/streamed"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// An element that is gathered outside is an error that names the kernel, the element's thread, the index and the limit,
// on all machines.
func TestGatherOutside(t *testing.T) {
	use(t)
	corner := kernel(t, "Corner", streamed.Corner)
	of := brook.New[[2]int32](2, 3, 4, 5)
	xs := make([]int, 300)
	xs[261] = 5
	const threads = "thread (5) of block (1), e: index 5 is out of range: the length is 5 (gather of)" // of 256
	for m, want := range map[string]string{"host": threads, "sim:v100": threads, "go": "kernel Corner, element 261: index out of range [5] with length 5"} {
		text := message(t, func() { brook.With(brook.On(m)).Maps(corner, 0, 0, 0, xs, of)[0].Eval() })
		require.Contains(t, text, want)
		require.Contains(t, text, "Corner")
	}
}

// A reduction by a function that is not associative says so, with a counterexample, and is computed.
func TestReductionsThatAreNotAssociative(t *testing.T) {
	use(t)
	s := brook.Reduce(kernel(t, "Minus", streamed.Minus), []int32{9, 3, 1, 1})
	const want = "warning: Minus is not associative: Minus(Minus(1, 1), 1) is -1, Minus(1, Minus(1, 1)) is 1"
	require.Contains(t, s.String(), "[4]\n"+want)
	require.Contains(t, s.Plan().String(), want)
	for name, f := range map[string]any{"Sum": streamed.Sum, "Product": streamed.Product, "Add4": streamed.Add4} {
		r := kernel(t, name, f)
		var of any = []float32{1}
		switch name {
		case "Product":
			of = []streamed.Matrix{{}}
		case "Add4":
			of = []brook.F4{{}}
		}
		require.Empty(t, brook.Reduce(r, of).Plan().Warning, name)
	}
}

// What emits more elements than one call may is an error that says how many, before any is written; as many as it may
// are a stream.
func TestMoreThanMayBeEmitted(t *testing.T) {
	use(t)
	times := kernel(t, "Times", streamed.Times)
	brook.SetMostEmitted(t, 12)
	for _, m := range append(slices.Clone(machines), "go") {
		with := brook.With(brook.On(m))
		require.Equal(t, 12, with.Flat(times, []int32{3, 0, 9}, 100).Len(), m)
		require.Equal(t, "brook.Flat: kernel Times: from streams of shape [3] it emits 13 elements; one call may emit 12: call it for a Region of the streams at a time",
			message(t, func() { with.Flat(times, []int32{3, 1, 9}, 100) }), m)
	}
}

// Streams that are not to be wrapped are textures as they are, or an error that names what does not fit.
func TestStreamsWithoutWrapping(t *testing.T) {
	use(t)
	inc := kernel(t, "Inc", streamed.Inc)
	with := brook.With(brook.Unwrapped())
	const wrap = "; without brook.Unwrapped it is wrapped over the rows of one"
	for _, q := range []struct {
		shape  []int
		format brook.AddressFormat
		want   string
	}{
		{[]int{4097}, brook.S23E8, "the stream of parameter x of shape [4097] has 4097 elements along axis 0, a texture has 4096"},
		{[]int{2, 2049}, brook.S16E7, "the stream of parameter x of shape [2 2049] has 2049 elements along axis 1, a texture has 2048"},
		{[]int{2, 3, 4}, brook.S23E8, "the stream of parameter x of shape [2 3 4] has 3 axes, a texture has 2"},
	} {
		require.Equal(t, "brook.Map: kernel Inc: "+q.want+wrap, message(t, func() { with.Map(inc, brook.New[float32](q.shape...), brook.Address(q.format)) }))
		require.Equal(t, q.shape, brook.Map(inc, brook.New[float32](q.shape...)).Shape())
	}
	require.Equal(t, "brook.Map: kernel Inc: the result of shape [4098] has 4098 elements along axis 0, a texture has 4096"+wrap,
		message(t, func() { with.Map(inc, brook.New[float32](2049), brook.Shape(4098)) }))
	require.EqualValues(t, []float32{1, 1}, brook.Slice[float32](with.Map(inc, brook.New[float32](4096, 2)))[8190:])
}

// Where the device has no room for the third of five passes, what the passes before have made and what the call would
// overwrite are as they were, and the same call runs elsewhere.
func TestNoRoomForAPass(t *testing.T) {
	use(t)
	fan := kernel(t, "Fan", streamed.Fan)
	const n = 1 << 18
	s := brook.Of(np.Arange(n).AsType(np.Float32))
	with := brook.With(brook.MaxOutputs(1), brook.On(small))
	out := with.Maps(fan, s)
	require.NoError(t, np.TryEval(out[0].Field(""), out[1].Field("")))
	err := np.TryEval(out[2].Field("X"))
	require.ErrorContains(t, err, "Fan 3/5: ")
	require.ErrorContains(t, err, "is out of memory")
	require.EqualValues(t, n, brook.Slice[float32](out[0])[n-1])
	require.EqualValues(t, n+1, brook.Slice[float32](out[1])[n-1])
	require.EqualValues(t, n-1, brook.Slice[float32](s)[n-1])
	s = brook.With(brook.MaxOutputs(1), brook.On("host")).Maps(fan, s)[3]
	require.EqualValues(t, n+3, brook.Slice[float32](s)[n-1])
}

// A stream that is gathered from, read element by element and replaced by the result is as it was for the whole call:
// results are streams of their own. Where blocks run in another order, where results are copied and where kernels run
// in passes nothing else comes out.
func TestStreamsThatAreGatheredAndWritten(t *testing.T) {
	use(t)
	look := kernel(t, "Look", streamed.Look)
	const n = 1000
	want := make([]float32, n)
	for i := range want {
		want[i] = float32(n - 1 - i) // the number of the place opposite
	}
	of := brook.Of(slices.Clone(want))
	for range 3 {
		before := slices.Clone(want)
		for i, x := range before {
			for k := range 8 {
				want[i] += before[(int(x)+8*k)%n]
			}
		}
	}
	for _, m := range append(slices.Clone(machines), shuffled, "go") {
		for _, options := range [][]brook.Option{nil, {brook.CopyOut()}, {brook.StreamsBypass()}, {brook.MaxOutputs(1)}} {
			x, with := of, brook.With(append(options, brook.On(m))...)
			for range 3 {
				x = with.Map(look, x, x)
			}
			require.Equal(t, want, brook.Slice[float32](x), m)
			require.EqualValues(t, n-1, brook.Slice[float32](of)[0], "the stream itself keeps its elements")
		}
	}
}
