package arrays

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRadix: keys of every spread, in which few bits or only the lowest tell them apart, are sorted as slices sorts them, and equal
// ones keep their order.
func TestRadix(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 7, 256, 1000, 70_000} {
		for name, key := range map[string]func(i int) uint64{
			"any":            func(int) uint64 { return r.Uint64() },
			"few":            func(int) uint64 { return r.Uint64N(10) << 40 },
			"low bits":       func(int) uint64 { return 1<<63*r.Uint64N(2) | r.Uint64N(1000) },
			"equal":          func(int) uint64 { return 5 },
			"falling":        func(i int) uint64 { return uint64(n - i) },
			"two far groups": func(i int) uint64 { return uint64(i&1)<<60 | uint64(n-i) },
			"floats":         func(int) uint64 { return floatKey(r.NormFloat64()) },
			"of one place":   func(int) uint64 { return floatKey(1e300) + r.Uint64N(1<<20) },
		} {
			keys, places := make([]uint64, n), make([]uint32, n)
			for i := range keys {
				keys[i], places[i] = key(i), uint32(i)
			}
			want := slices.Clone(keys)
			slices.Sort(want)
			order := slices.Clone(places)
			slices.SortStableFunc(order, func(i, j uint32) int {
				switch {
				case keys[i] < keys[j]:
					return -1
				case keys[i] > keys[j]:
					return 1
				}
				return 0
			})
			if got, _ := radix(slices.Clone(keys), nil); !slices.Equal(got, want) {
				t.Errorf("%d keys, %s: not sorted", n, name)
			}
			if got, at := radix(slices.Clone(keys), places); !slices.Equal(got, want) || !slices.Equal(at, order) {
				t.Errorf("%d keys with places, %s: not sorted, or equal ones are out of order", n, name)
			}
		}
	}
}
