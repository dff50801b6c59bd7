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

// A stream that is gathered from and whose place the result takes is as it was for the whole call: results are streams
// of their own. Where blocks run in another order nothing else comes out.
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
		x, with := of, brook.With(brook.On(m))
		for range 3 {
			x = with.Map(look, x, x)
		}
		require.Equal(t, want, brook.Slice[float32](x), m)
	}
}
