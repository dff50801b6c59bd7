package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

func TestSorts(t *testing.T) {
	testsize.InTurn(t, 0)
	if !hasAVX2 {
		t.Skip("the processor has no such loops")
	}
	testSorts(t, SortsUint64(), math.MaxUint64)
	testSorts(t, SortsUint32(), math.MaxUint32)
	if hasAVX512 { // those are its loops
		testSorts(t, &narrowSorts64, math.MaxUint64)
		testSorts(t, &narrowSorts32, math.MaxUint32)
	}
}

// testSorts: networks of every length sort, and partitions divide, keys of every spread; both leave what is around
// alone.
func testSorts[K uint32 | uint64](t *testing.T, s *Sorts[K], most K) {
	r := rand.New(rand.NewPCG(1, 2))
	const guard = 12345
	for name, key := range map[string]func() K{
		"any":     func() K { return K(r.Uint64()) },
		"bits":    func() K { return K(r.Uint64N(2)) },
		"few":     func() K { return K(r.Uint64N(10)) },
		"largest": func() K { return most - K(r.Uint64N(2)) },
	} {
		for n := range 5 * s.Small {
			for range 3 {
				all := make([]K, n+40)
				for i := range all {
					all[i] = guard
				}
				x := all[20 : 20+n]
				for i := range x {
					x[i] = key()
				}
				given := slices.Clone(x)
				if n <= s.Small {
					s.Network(x)
					slices.Sort(given)
					if !slices.Equal(x, given) {
						t.Fatalf("%T, %d keys (%s): %v", key(), n, name, x)
					}
				} else {
					pivot := given[r.IntN(n)]
					got := s.Partition(x, pivot)
					for i, k := range x {
						if i < got != (k <= pivot) {
							t.Fatalf("%T, %d keys (%s): a partition at %d gives %v and %v", k, n, name, pivot, x[:got], x[got:])
						}
					}
					slices.Sort(given)
					if slices.Sort(x); !slices.Equal(x, given) {
						t.Fatalf("%d keys (%s): a partition changes keys", n, name)
					}
				}
				for i, k := range all {
					if k != guard && (i < 20 || i >= 20+n) {
						t.Fatalf("%T, %d keys: what is around is written to", key(), n)
					}
				}
			}
		}
	}
}

func BenchmarkNetwork(b *testing.B) {
	benchmarkNetwork(b, SortsUint64())
	benchmarkNetwork(b, SortsUint32())
}

func benchmarkNetwork[K uint32 | uint64](b *testing.B, s *Sorts[K]) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{8, 16, 32, 64, 128, 256} {
		x := make([]K, n)
		if n > s.Small {
			continue
		}
		b.Run("", func(b *testing.B) {
			for i := range x {
				x[i] = K(r.Uint64())
			}
			for range b.N {
				s.Network(x)
			}
		})
	}
	x, y := make([]K, 4096), make([]K, 4096)
	for i := range x {
		x[i] = K(r.Uint64())
	}
	b.Run("copy4096", func(b *testing.B) {
		for range b.N {
			copy(y, x)
		}
	})
	b.Run("partition4096", func(b *testing.B) {
		for range b.N {
			copy(y, x)
			s.Partition(y, ^K(0)/2)
		}
	})
}
