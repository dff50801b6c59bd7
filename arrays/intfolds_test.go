package arrays

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestFoldsOfInts: what ints and bools are folded to without an order is what one loop over all of them finds, for
// every length about that of blocks and pieces, alone, by strides and by columns; a short test has long ones of a third
// of the dtypes, each turn of another.
func TestFoldsOfInts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	lengths := []int{1, 2, 15, 16, 17, 31, 32, 33, 47, 48, 49, 100, 1000, blockLen, blockLen + 1, 2*blockLen + 333, 9*share + 5, 40*share + 77}
	for i, d := range []DType{Bool, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64, Float32, Float64} {
		for _, n := range lengths {
			if n > share && !testsize.Part(i, 3) {
				continue
			}
			for _, most := range []int{1, 3, 1 << 20} {
				v := make([]float64, n)
				for i := range v {
					v[i] = float64(r.IntN(most) - most/2*int(1-bit(d.IsUnsigned())))
				}
				x := FromSlice(v).AsType(d)
				v = x.AsType(Float64).Float64s()
				largest, smallest := slices.Max(v), slices.Min(v)
				sum, set := 0.0, 0
				var places []int64
				for i, v := range v {
					sum += v
					if v != 0 {
						set++
						places = append(places, int64(i))
					}
				}
				all, any, count := 0.0, 0.0, float64(set)
				if set == n {
					all = 1
				}
				if set > 0 {
					any = 1
				}
				spread := Stack(1, x, x.Flip(0))
				for name, f := range map[string]struct {
					f    func(x *Array, opts ...ReduceOption) *Array
					want float64
				}{
					"max": {(*Array).Max, largest}, "min": {(*Array).Min, smallest}, "sum": {(*Array).Sum, sum}, "all": {(*Array).All, all}, "any": {(*Array).Any, any},
					"argmax": {(*Array).ArgMax, float64(slices.Index(v, largest))}, "argmin": {(*Array).ArgMin, float64(slices.Index(v, smallest))},
					"count": {func(x *Array, opts ...ReduceOption) *Array { return CountNonZero(x, opts...) }, count},
				} {
					if name == "sum" && d.IsFloat() {
						continue
					}
					got := []*Array{f.f(x), f.f(spread.At(All, 0)), f.f(spread, Axis(0)).At(0), f.f(spread.T().Copy(), Axis(1)).At(0)}
					for i, g := range got {
						if g := g.AsType(Float64).Float64s()[0]; g != f.want {
							t.Fatalf("%s of %d %v below %d, form %d: %v, not %v", name, n, d, most, i, g, f.want)
						}
					}
				}
				if got := NonZero(x)[0].Int64s(); !slices.Equal(got, places) {
					t.Fatalf("nonzero of %d %v below %d", n, d, most)
				}
			}
		}
	}
}
