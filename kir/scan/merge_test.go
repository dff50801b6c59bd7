package scan

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
)

// TestMerge: runs of any lengths and number become what the standard library's stable sort makes of all elements; equal
// ones are in the order of the runs, -0 before 0 and NaN last.
func TestMerge(t *testing.T) {
	made := map[string]Kernel{}
	kernel := func(s Sort, k SortKernel) (Kernel, error) {
		key := fmt.Sprint(s, k)
		if _, ok := made[key]; !ok {
			made[key] = must(MakeSort(s, k))
		}
		return made[key], nil
	}
	odd := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 1, 1, 2}
	nan := func(x float64) int {
		if x != x {
			return 1
		}
		return 0
	}
	order := func(x, y float64) int { return cmp.Or(cmp.Compare(nan(x), nan(y)), cmp.Compare(x, y)) }
	signed := func(x, y float64) int {
		return cmp.Or(order(x, y), cmp.Compare(math.Copysign(1, x), math.Copysign(1, y)))
	}
	for _, runs := range []int{1, 2, 3, 5, 8, 11, 22} {
		for _, places := range []bool{false, true} {
			s := Sort{Elem: kir.F64, Places: places, Threads: 64, Each: 4}
			by := signed
			if places {
				by = order
			}
			var all []float64
			var in, placesIn [][]byte
			var of []Run
			var from []int64
			for range runs {
				n := 1 + rand.IntN(150)
				x := make([]float64, n)
				for i := range x {
					if x[i] = odd[rand.IntN(len(odd))]; rand.IntN(2) == 0 {
						x[i] = float64(rand.IntN(40))
					}
				}
				at := make([]int64, n)
				for i := range at {
					at[i] = int64(i)
				}
				slices.SortStableFunc(at, func(i, j int64) int { return by(x[i], x[j]) })
				sorted := make([]float64, n)
				for i, k := range at {
					sorted[i] = x[k]
					from = append(from, k+int64(len(all)))
				}
				of = append(of, Run{n, len(all)})
				all, in, placesIn = append(all, sorted...), append(in, bytesOf(sorted)), append(placesIn, bytesOf(at))
			}
			p, err := s.Merge(of, kernel)
			require.NoError(t, err)
			want := make([]int64, len(all))
			for i := range want {
				want[i] = int64(i)
			}
			slices.SortStableFunc(want, func(i, j int64) int { return by(all[i], all[j]) })
			if !places {
				got := execute(t, p, Spec{Out: []kir.Type{kir.F64}}, len(all), in...)[0]
				elements := make([]float64, len(all))
				for i, k := range want {
					elements[i] = all[k]
				}
				require.Equal(t, bytesOf(elements), got, "%d runs", runs)
				continue
			}
			got := valuesOf[int64](execute(t, p, Spec{Out: []kir.Type{kir.I64}}, len(all), append(in, placesIn...)...)[0])
			for i, k := range want {
				require.Equal(t, from[k], got[i], "%d runs, place %d", runs, i)
			}
		}
	}
}
