package lazy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// TestCutsOfSortedTiles: the first elements of the tiles, up to the cuts, are as many as were asked for and, of the
// standard library's stable sort of all, the first; also where many are equal, and where samples are far apart.
func TestCutsOfSortedTiles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 60 {
		s := sortedTiles{n: 2 + r.IntN(9000)}
		s.each = max((s.n+7)/8, 1+r.IntN(s.n))
		values := 1 + r.IntN([]int{2, 50, 1 << 30}[r.IntN(3)])
		all := make([]uint64, s.n)
		for i := range all {
			all[i] = uint64(r.IntN(values))
		}
		var order []sample
		for i := range s.tiles() {
			lo, hi := s.extent(i)
			slices.Sort(all[lo:hi])
			for k := lo; k < hi; k++ {
				order = append(order, sample{all[k], i, k - lo})
			}
		}
		slices.SortStableFunc(order, func(x, y sample) int { return int(int64(x.key) - int64(y.key)) })
		ranks := []int{0, r.IntN(s.n + 1), r.IntN(s.n + 1), s.n}
		slices.Sort(ranks)
		got := s.cuts(ranks, func(ranges []span) (out [][]uint64) {
			a := arrays.FromSlice(all)
			for _, x := range ranges {
				keys := sortKeys(a.At(arrays.S(x.lo, x.hi, x.step)), false)
				out = append(out, keys)
			}
			return out
		})
		for k, rank := range ranks {
			want := make([]int, s.tiles())
			for _, x := range order[:rank] {
				want[x.tile]++
			}
			require.Equal(t, want, got[k], "%+v, %d values, rank %d", s, values, rank)
		}
	}
}

// TestSortKeys: keys are in the order of package arrays' sort.
func TestSortKeys(t *testing.T) {
	x := arrays.FromSlice([]float64{math.NaN(), 0, math.Copysign(0, -1), 3, -2, math.Inf(1), math.Inf(-1)})
	for _, d := range []arrays.DType{arrays.Float64, arrays.Float32, arrays.Float16} {
		sorted := sortKeys(x.AsType(d).Sort(), false)
		require.True(t, slices.IsSorted(sorted))
		require.Len(t, slices.Compact(sorted), 7)
	}
	places := sortKeys(x, true)
	require.Equal(t, places[1], places[2])
	for _, d := range []arrays.DType{arrays.Int8, arrays.Int64, arrays.Uint64, arrays.Bool} {
		y := arrays.FromSlice([]float64{0, 5, 1, 100}).AsType(d)
		require.True(t, slices.IsSorted(sortKeys(y.Sort(), false)), d)
	}
	require.True(t, slices.IsSorted(sortKeys(arrays.FromSlice([]int64{math.MinInt64, -3, 0, math.MaxInt64}), false)))
}
