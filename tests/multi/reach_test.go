package multi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// TestLaunchesAreGivenWhatTheyReach: kernels on views of one array, at the places that their index can have, copy to
// each GPU its own part of the array, and not all of it to all.
func TestLaunchesAreGivenWhatTheyReach(t *testing.T) {
	rt := use(t)
	const n, parts = 1 << 12, 8
	program := func() *lazy.Array {
		a := lazy.FromArray(arrays.Arange(float64(n)).Mul(0.25))
		out := make([]*lazy.Array, parts)
		for p := range parts {
			out[p] = lazy.Zeros(n / parts)
			launch(sharedKernels().mix, n/parts, a.At(arrays.S(p*n/parts, (p+1)*n/parts)), out[p])
		}
		lazy.Eval(out...)
		return out[parts-1]
	}
	lazy.Use("host")
	want := lazy.Data[float64](program())
	require.Equal(t, 0.25*(n-1), want[0])
	for _, policy := range offload.Policies() {
		lazy.Use("sim:v100x8")
		offload.Policy(policy)
		before := rt.Stats()
		got := program()
		after := rt.Stats()
		require.Equal(t, int64(2*8*n), after.BytesIn-before.BytesIn, "%s: the array and what the results begin as, once", policy)
		require.Zero(t, after.BytesPeer-before.BytesPeer, policy)
		require.Equal(t, want, lazy.Data[float64](got), policy)
	}

	// The part is copied from a GPU that has it, and what is there is not copied again.
	offload.MinTile(1000)
	defer offload.MinTile(0)
	offload.Policy(func(c offload.Candidates) int { return c.Devices[len(c.Devices)-1] })
	a := lazy.Arange(float64(n)).Mul(0.5)
	lazy.Eval(a)
	offload.Policy(func(offload.Candidates) int { return 5 })
	a = a.Add(0)
	lazy.Eval(a)
	out := lazy.Zeros(100)
	launch(sharedKernels().mix, 100, a.At(arrays.S(50, 150)), out)
	require.Contains(t, strings.Join(a.Places(), " "), "sim:v100x8#5")
	offload.Policy(func(offload.Candidates) int { return 3 })
	before := rt.Stats()
	lazy.Eval(out)
	require.Equal(t, int64(800), rt.Stats().BytesPeer-before.BytesPeer)
	require.Equal(t, 0.5*149, lazy.Data[float64](out)[0])
	again := lazy.Zeros(50)
	launch(sharedKernels().mix, 50, a.At(arrays.S(70, 120)), again)
	before = rt.Stats()
	lazy.Eval(again)
	require.Zero(t, rt.Stats().BytesPeer-before.BytesPeer)
	require.Equal(t, 0.5*119, lazy.Data[float64](again)[0])
}
