package arrays

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBitCount: the ones of absolute values are those that math/bits counts, at the edges of each dtype and at random,
// in an array of its own and in one that exists; bools are their own count, other dtypes are refused.
func TestBitCount(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values := []int64{0, 1, -1, 127, -128, 255, math.MaxInt64, math.MinInt64, math.MinInt32, math.MinInt16}
	for range 100 {
		values = append(values, int64(r.Uint64()))
	}
	wide := FromSlice(values)
	for _, d := range []DType{Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64} {
		x := wide.AsType(d)
		got := BitCount(x)
		require.Equal(t, Uint8, got.DType())
		want := make([]uint8, x.Size())
		for i := range want {
			v := x.AsType(Uint64).Uint64s()[i]
			if signed := x.AsType(Int64).Int64s()[i]; !d.IsUnsigned() && signed < 0 {
				v = -v
			}
			want[i] = uint8(bits.OnesCount64(v))
		}
		require.Equal(t, want, got.Uint8s(), d)
		out := New(Int16, x.Size())
		require.Same(t, out, Into(out).BitCount(x))
		require.True(t, out.Eq(got).All().Bool(), d)
	}
	require.Equal(t, []uint8{1, 0}, BitCount([]bool{true, false}).Uint8s())
	require.PanicsWithError(t, "bitwise_count: float64 are not ints; convert them with AsType(Int64)", func() { BitCount(1.5) })
}

// TestRowsOfOperations: what a row names is there: the function of package elementary, and a loop for each dtype that
// its rule lets through.
func TestRowsOfOperations(t *testing.T) {
	names := map[string]bool{}
	for u := range Ufunc(NumUfuncs) {
		require.False(t, names[u.String()], "two operations are named %v", u)
		names[u.String()] = true
		if f := ufuncs[u].function; f != "" {
			require.Equal(t, u.NIn(), function(f).Arity(), f)
			require.NotNil(t, allOperations[u].loops()[Float64], "%v", u)
		}
	}
	ours, ok := FromNumPy("np.bitwise_count")
	require.True(t, ok)
	require.Equal(t, "BitCount", ours)
}
