package sorting

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

func TestSelect(t *testing.T) {
	testsize.InTurn(t, 1)
	both(t, func(t *testing.T) {
		testSelect[uint64](t, 0)
		testSelect[uint32](t, 32)
	})
}

// testSelect: of every spread the keys at the places are those that sorting brings there, and lie between the others;
// none is lost.
func testSelect[K Key](t *testing.T, drop uint) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := range lengths {
		if n == 0 {
			continue
		}
		for name, key := range spreads(r, n) {
			keys := make([]K, n)
			for i := range keys {
				keys[i] = K(key(i)>>drop) + K(key(i))
			}
			want, all := slices.Clone(keys), fingerprint(keys)
			slices.Sort(want)
			for _, places := range [][]int{{}, {0}, {n - 1}, {n / 2}, {n * 9 / 10}, {(n - 1) / 2, n / 2}, {0, n / 4, n / 2, n * 3 / 4, n - 1}, several(r, n)} {
				places = slices.Compact(places)
				for _, threads := range []int{1, 5} {
					if threads > 1 && n < 4*share {
						continue
					}
					workers.SetCount(threads)
					got := slices.Clone(keys)
					Select(got, places, none)
					workers.SetCount(0)
					if why := unselected(got, want, all, places); why != "" {
						t.Errorf("%d keys of %T, %s, places %v, %d threads: %s", n, K(0), name, places, threads, why)
					}
				}
			}
		}
	}
}

// several are many places of n.
func several(r *rand.Rand, n int) []int {
	var places []int
	for i := range n {
		if r.IntN(5) == 0 {
			places = append(places, i)
		}
	}
	return places
}

// fingerprint is the same for the same keys in any order, and hardly ever for others: a sum of well mixed keys. It
// takes a fraction of the time of sorting them.
func fingerprint[K Key](keys []K) (sum uint64) {
	for _, k := range keys {
		x := uint64(k) + 0x9e3779b97f4a7c15 // the finalizer of splitmix64 (Steele, Lea, Flood 2014)
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		sum += x ^ x>>31
	}
	return sum
}

func TestFingerprint(t *testing.T) {
	keys := []uint64{3, 1, 1, 7, 0}
	want := fingerprint(keys)
	for range 10 {
		rand.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		require.Equal(t, want, fingerprint(keys))
	}
	for _, other := range [][]uint64{{3, 1, 7, 7, 0}, {3, 1, 1, 7}, {3, 1, 1, 7, 0, 0}, {2, 2, 1, 7, 0}} {
		require.NotEqual(t, want, fingerprint(other))
	}
}

// unselected says what is wrong with selected keys, of which all is the fingerprint.
func unselected[K Key](got, sorted []K, all uint64, places []int) string {
	from := 0
	for _, at := range places {
		if got[at] != sorted[at] {
			return fmt.Sprintf("%d at place %d, want %d", got[at], at, sorted[at])
		}
		if part := got[from:at]; len(part) > 0 && (slices.Max(part) > got[at] || from > 0 && slices.Min(part) < got[from-1]) {
			return fmt.Sprintf("keys before place %d are on its wrong side", at)
		}
		from = at + 1
	}
	if rest := got[from:]; from > 0 && len(rest) > 0 && slices.Min(rest) < got[from-1] {
		return "a key behind the last place is smaller"
	}
	if fingerprint(got) != all {
		return "the keys are not the same"
	}
	return ""
}

// TestSelectBadPivots: with none allowed it sorts.
func TestSelectBadPivots(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	x := make([]uint64, 5000)
	for i := range x {
		x[i] = r.Uint64()
	}
	want := slices.Sorted(slices.Values(x))
	newQuick(selecting[uint64](), none).choose(x, math.MaxUint64, 0, []int{77}, -1)
	if !slices.Equal(x, want) {
		t.Error("not sorted")
	}
}

func TestSplit(t *testing.T) {
	both(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(11, 12))
		for _, n := range []int{0, 1, 5, 200, 3000, 4*share + 3, longPartition + 5} {
			x := make([]uint64, n)
			for i := range x {
				x[i] = r.Uint64N(1000)
			}
			for _, pivot := range []uint64{0, 400, 999, math.MaxUint64} {
				count := 0
				for _, k := range x {
					if k <= pivot {
						count++
					}
				}
				got := slices.Clone(x)
				if at := Split(got, pivot, none); at != count || slices.ContainsFunc(got[:at], func(k uint64) bool { return k > pivot }) {
					t.Errorf("%d keys at %d: %d are said to be up to it, %d are", n, pivot, at, count)
				}
			}
		}
	})
}

func BenchmarkSelect(b *testing.B) {
	for _, n := range []int{8, 1000, 100_000, 10_000_000} {
		for _, part := range []float64{0.5, 0.9} {
			b.Run(fmt.Sprintf("%d at %v", n, part), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 2))
				x, y := make([]uint64, n), make([]uint64, n)
				for i := range x {
					x[i] = r.Uint64()
				}
				b.SetBytes(int64(8 * n))
				for b.Loop() {
					copy(y, x)
					Select(y, []int{int(part * float64(n-1))}, none)
				}
			})
		}
	}
}
