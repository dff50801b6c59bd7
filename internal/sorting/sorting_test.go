package sorting

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

func none() {}

// both does f with the loops of the processor and without any.
func both(t *testing.T, f func(t *testing.T)) {
	t.Run("vectors", f)
	prepare()
	p := &processor
	p64, p32, k64, k32, places := p.parts64, p.parts32, p.keys64, p.keys32, p.places
	defer func() { p.parts64, p.parts32, p.keys64, p.keys32, p.places = p64, p32, k64, k32, places }()
	p.parts64, p.parts32, p.keys64, p.keys32, p.places = nil, nil, nil, nil, nil
	t.Run("portable", f)
}

// spreads are kinds of keys, of which there are n: key gives the i-th.
func spreads(r *rand.Rand, n int) map[string]func(i int) uint64 {
	return map[string]func(i int) uint64{
		"any":            func(int) uint64 { return r.Uint64() },
		"few":            func(int) uint64 { return r.Uint64N(10) << 40 },
		"low bits":       func(int) uint64 { return 1<<63*r.Uint64N(2) | r.Uint64N(1000) },
		"equal":          func(int) uint64 { return 5 },
		"largest":        func(int) uint64 { return math.MaxUint64 - r.Uint64N(2) },
		"rising":         func(i int) uint64 { return uint64(i) },
		"falling":        func(i int) uint64 { return uint64(n - i) },
		"organ pipe":     func(i int) uint64 { return uint64(min(i, n-i)) },
		"saw":            func(i int) uint64 { return uint64(i % 17) },
		"two far groups": func(i int) uint64 { return uint64(i&1)<<60 | uint64(n-i) },
		"squares":        func(int) uint64 { return 1 << r.Uint64N(64) },
		"of one place":   func(int) uint64 { return 1<<62 + r.Uint64N(1<<20) },
		"in the middle":  func(int) uint64 { return 1<<62 + r.Uint64N(1<<20)<<16 },
		"one far away":   func(i int) uint64 { return uint64(min(i, 1))<<63 | r.Uint64N(1<<12) },
	}
}

// lengths yields numbers of keys: the smallest ones always, of the others a short test takes a third, each turn
// another.
func lengths(yield func(int) bool) {
	for n := range 300 {
		if n < 40 || testsize.Part(n, 3) {
			if !yield(n) {
				return
			}
		}
	}
	for i, n := range []int{511, 70_000, 300_001, 512, 1000, 4097} {
		if testsize.Part(i, 3) && !yield(n) {
			return
		}
	}
}

func TestKeys(t *testing.T) {
	testsize.InTurn(t, 0)
	both(t, func(t *testing.T) {
		testKeys[uint64](t, 0)
		testKeys[uint32](t, 32)
	})
}

// testKeys: keys of every spread are sorted as slices sorts them.
func testKeys[K Key](t *testing.T, drop uint) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range lengths {
		for name, key := range spreads(r, n) {
			keys := make([]K, n)
			for i := range keys {
				keys[i] = K(key(i)>>drop) + K(key(i))
			}
			want := slices.Clone(keys)
			slices.Sort(want)
			for _, threads := range []int{1, 2, 5} {
				if threads > 1 && n < share {
					continue
				}
				workers.SetCount(threads)
				got := slices.Clone(keys)
				if Keys(got, none); !slices.Equal(got, want) {
					t.Errorf("%d keys of %T, %s, %d threads: not sorted", n, K(0), name, threads)
				}
				workers.SetCount(0)
			}
			radix(keys, none)
			if !slices.Equal(keys, want) {
				t.Errorf("%d keys of %T, %s: not sorted by digits", n, K(0), name)
			}
		}
	}
}

// TestBadPivots: a sort that may have none of them ends by digits, one with all threads too.
func TestBadPivots(t *testing.T) {
	if sorts[uint64]() == nil {
		t.Skip("the processor has no such loops")
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, piece := range []int{0, 2000} {
		x := make([]uint64, 100_000)
		for i := range x {
			x[i] = r.Uint64N(1 << 50)
		}
		want := slices.Clone(x)
		slices.Sort(want)
		q := newQuick(sorts[uint64](), none)
		q.piece = piece
		q.sort(x, math.MaxUint64, -1)
		if len(q.pieces) > 0 || !slices.Equal(x, want) {
			t.Errorf("pieces of %d: not sorted by digits", piece)
		}
	}
}

// TestLongPartitions: of halves, which are joined.
func TestLongPartitions(t *testing.T) {
	if sorts[uint64]() == nil {
		t.Skip("the processor has no such loops")
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, high := range []uint64{0, 1, 50, 99, 100} { // percent
		x := make([]uint64, 2*longPartition+77)
		less := 0
		for i := range x {
			x[i] = r.Uint64N(1000)
			if r.Uint64N(100) < high {
				x[i] += 1000
			} else {
				less++
			}
		}
		n := newQuick(sorts[uint64](), none).partition(x, 999)
		if n != less || n > 0 && slices.Max(x[:n]) > 999 || n < len(x) && slices.Min(x[n:]) < 1000 {
			t.Errorf("%d %% above: a partition gives %d of %d", high, n, less)
		}
	}
}

// TestPlaces: keys of every spread, in which few bits or only the lowest tell them apart, get places that sort them,
// and those of equal ones ascend.
func TestPlaces(t *testing.T) {
	testsize.InTurn(t, 1)
	both(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for n := range lengths {
			for name, key := range spreads(r, n) {
				keys, want := make([]uint64, n), make([]int64, n)
				for i := range keys {
					keys[i], want[i] = key(i), int64(i)
				}
				slices.SortStableFunc(want, func(i, j int64) int {
					switch {
					case keys[i] < keys[j]:
						return -1
					case keys[i] > keys[j]:
						return 1
					}
					return 0
				})
				if n == 0 {
					continue
				}
				places := make([]int64, n)
				Places(places, n, func(dst []uint64, from int) { copy(dst, keys[from:]) }, none)
				if !slices.Equal(places, want) {
					t.Fatalf("%d keys, %s: not sorted, or equal ones are out of order: %v %v %v", n, name, keys, places, want)
				}
			}
		}
	})
}

// TestFloatKeys: keys of floats are in the order of these, and tell which they were.
func TestFloatKeys(t *testing.T) {
	both(t, func(t *testing.T) {
		down := []float64{math.Inf(-1), -math.MaxFloat64, -1e30, -2, -1, -1e-40, math.Copysign(0, -1)}
		list := slices.Clone(down)
		for _, v := range slices.Backward(down) {
			list = append(list, -v)
		}
		list = append(list, math.NaN())
		for _, equal := range []bool{false, true} {
			for n := range 40 {
				bits64, bits32 := make([]uint64, n), make([]uint32, n)
				values := make([]float64, n)
				for i := range n {
					values[i] = list[i*7%len(list)]
					if values[i] != values[i] && i%2 == 0 {
						values[i] = math.Float64frombits(0xfff8_0000_1234_5678) // another NaN
					}
					bits64[i], bits32[i] = math.Float64bits(values[i]), math.Float32bits(float32(values[i]))
				}
				k64, k32 := make([]uint64, n), make([]uint32, n)
				OfFloats(k64, bits64, equal, none)
				OfFloats(k32, bits32, equal, none)
				for i := range n {
					for j := range n {
						x, y := values[i], values[j]
						less := x < y || x == y && math.Signbit(x) && !math.Signbit(y) && !equal || x == x && y != y
						if less != (k64[i] < k64[j]) {
							t.Errorf("equal zeros %v: the keys of %v and %v are %x and %x", equal, x, y, k64[i], k64[j])
						}
						x, y = float64(float32(x)), float64(float32(y))
						less = x < y || x == y && math.Signbit(x) && !math.Signbit(y) && !equal || x == x && y != y
						if less != (k32[i] < k32[j]) {
							t.Errorf("equal zeros %v: the keys of float32 %v and %v are %x and %x", equal, x, y, k32[i], k32[j])
						}
					}
				}
				ToFloats(k64, k64, none)
				ToFloats(k32, k32, none)
				for i, v := range values {
					if v != v {
						v = math.NaN()
					}
					if equal && v == 0 {
						v = 0
					}
					if k64[i] != math.Float64bits(v) || k32[i] != math.Float32bits(float32(v)) {
						t.Errorf("%v comes back as %x and %x", v, k64[i], k32[i])
					}
				}
				FlipSigns(k64, bits64, none)
				FlipSigns(k32, bits32, none)
				for i := range n {
					if k64[i] != bits64[i]^1<<63 || k32[i] != bits32[i]^1<<31 {
						t.Errorf("signs of %x and %x are flipped to %x and %x", bits64[i], bits32[i], k64[i], k32[i])
					}
				}
			}
		}
	})
}

func TestCount(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{0, 1, 1000, 600_000} {
		x := make([]uint32, n)
		for i := range x {
			x[i] = r.Uint32N(1 << 10)
		}
		want := slices.Clone(x)
		slices.Sort(want)
		if Count(x, 10, none); !slices.Equal(x, want) {
			t.Errorf("%d keys: not sorted", n)
		}
	}
}

// TestPlacesOfRows: each row has places of its own.
func TestPlacesOfRows(t *testing.T) {
	both(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 10))
		for _, n := range []int{1, 2, 3, 8, 100, 257, 3000} {
			const rows = 37
			for name, key := range spreads(r, rows*n) {
				keys := make([]uint64, rows*n)
				for i := range keys {
					keys[i] = key(i)
				}
				got, want := make([]int64, len(keys)), make([]int64, len(keys))
				Places(got, n, func(dst []uint64, from int) { copy(dst, keys[from:]) }, none)
				for lo := 0; lo < len(keys); lo += n {
					Places(want[lo:lo+n], n, func(dst []uint64, from int) { copy(dst, keys[lo+from:lo+n]) }, none)
				}
				if !slices.Equal(got, want) {
					t.Errorf("rows of %d keys, %s: together they are sorted differently", n, name)
				}
			}
		}
	})
}
