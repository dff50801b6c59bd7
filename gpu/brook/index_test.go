package brook_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu/brook"
	"github.com/arrayrepl/arrayrepl/gpu/brook/internal/streamed"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// The place of an element is that in its own stream: of one that repeats or is read in strides, too.
func TestPlacesInKernels(t *testing.T) {
	use(t)
	places, ramp, at := kernel(t, "Places", streamed.Places), kernel(t, "Ramp", streamed.Ramp), kernel(t, "At", streamed.At)
	x, y := brook.New[float32](2, 3), brook.New[float32](8) // in a result of 4 by 3 by 4
	for _, m := range machines {
		for _, with := range []*brook.Settings{brook.With(brook.Shape(4, 3, 4)), brook.With(brook.Shape(4, 3, 4), brook.On(m)), brook.With(brook.Shape(4, 3, 4), brook.On(m), brook.MaxOutputs(1))} {
			np.Use(m)
			out := with.Maps(places, brook.New[float32](2, 3, 1), y, 5)
			got := brook.Slice[[3]brook.Index](out[0])
			for i, is := range got {
				z, yy, xx := int32(i/12), int32(i/4%3), int32(i%4)
				require.Equal(t, [3]brook.Index{{Y: yy, Z: z / 2}, {X: 2 * xx}, {X: xx, Y: yy, Z: z}}, is, m)
			}
			require.Equal(t, make([]brook.Index, 48), brook.Write(out[1]), "a constant")
		}
		require.Equal(t, "[[0. 1. 2.]\n [0. 1. 2.]]", brook.Map(ramp, brook.New[float32](2, 3)).String())
		require.Equal(t, []brook.Index{{X: 1}, {Y: 1}}, brook.Write(brook.With(brook.On(m)).Flat(at, [][]float32{{0, 1}, {1, 0}})), m)
	}
	require.Equal(t, "[[0. 1. 2.]\n [0. 1. 2.]]", brook.With(brook.On("go")).Map(ramp, brook.New[float32](2, 3)).String())
	require.Equal(t, []brook.Index{{X: 1}, {Y: 1}}, brook.Write(brook.With(brook.On("go")).Flat(at, [][]float32{{0, 1}, {1, 0}})))
	require.ErrorContains(t, arrays.Try(func() { brook.With(brook.On("go")).Maps(places, x, y, 5, brook.Shape(4, 3, 4)) }), "does not repeat")
	require.ErrorContains(t, arrays.Try(func() {
		brook.With(brook.On("go")).Maps(places, brook.New[float32](2, 3, 1), y, 5, brook.Shape(4, 3, 4))
	}), "in different ways, which On(\"go\") cannot tell apart")
	require.ErrorContains(t, arrays.Try(func() { brook.IndexOf(3) }), "it is called in kernels")
}
