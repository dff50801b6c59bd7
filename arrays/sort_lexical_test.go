package arrays

import (
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"testing"
)

// patterns are orders in which lines come.
var patterns = map[string]func(i, n int) int{
	"equal":      func(i, n int) int { return 7 },
	"few":        func(i, n int) int { return i * 7919 % 6 },
	"sorted":     func(i, n int) int { return i },
	"reversed":   func(i, n int) int { return n - i },
	"organ pipe": func(i, n int) int { return min(i, n-i) },
	"scattered":  func(i, n int) int { return i * 7919 % (n + 1) },
}

// TestLexicalOrders: text and complex numbers of any pattern are sorted as a stable sort by comparison does, in all
// that sorts.
func TestLexicalOrders(t *testing.T) {
	nan := math.NaN()
	odd := []complex128{complex(nan, 1), complex(1, nan), complex(nan, nan), complex(math.Copysign(0, -1), 0), 0, complex(math.Inf(-1), 2), complex(2, math.Inf(1)), complex(-1, -2)}
	for name, pattern := range patterns {
		for _, n := range []int{0, 1, 2, 19, 21, 100, 3000} {
			words, long, numbers := make([]string, n), make([]string, n), make([]complex128, n)
			for i := range n {
				k := pattern(i, n)
				words[i] = fmt.Sprint(k) + []string{"", "é", "é\U0001F600"}[k%3]
				long[i] = fmt.Sprintf("the same beginning %0*d", 1+k%5, k/3)
				numbers[i] = complex(float64(k/10), float64(-(k % 10)))
				if k%17 == 3 {
					numbers[i] = odd[k%len(odd)]
				}
			}
			empty := make([]string, n)
			t.Run(fmt.Sprint(name, n), func(t *testing.T) {
				checkLexical(t, FromSlice(words), textKeys(FromSlice(words).DType().chars()))
				checkLexical(t, FromSlice(empty), textKeys(FromSlice(empty).DType().chars()))
				checkLexical(t, FromSlice(long), textKeys(FromSlice(long).DType().chars()))
				checkLexical(t, FromSlice(numbers), complexKeys[complex128]())
				checkLexical(t, FromSlice(numbers).AsType(Complex64), complexKeys[complex64]())
			})
		}
	}
}

func checkLexical[T any](t *testing.T, a *Array, keys lexical[T]) {
	t.Helper()
	n := a.Len()
	compare := func(i, j int64) int { return keys.compare(keys.at(a.data, int(i)), keys.at(a.data, int(j))) }
	want := make([]int64, n)
	for i := range want {
		want[i] = int64(i)
	}
	slices.SortStableFunc(want, compare)
	places := ArgSort(a)
	if got := places.Int64s(); !slices.Equal(got, want) {
		t.Fatalf("%v: places %v, want %v", a.DType(), got, want)
	}
	sorted := Sort(a)
	if !slices.Equal(sorted.data, a.At(places).data) {
		t.Errorf("%v: sorted %v is not what ArgSort orders", a.DType(), sorted)
	}
	isNaN := func(i int64) bool { return keys.isNaN != nil && keys.isNaN(keys.at(a.data, int(i))) }
	values, first, inverse, counts := UniqueAll(a)
	k := -1
	for at, place := range want {
		if at == 0 || compare(want[at-1], place) != 0 && !isNaN(want[at-1]) {
			k++
			if got := first.At(k).Int(); got != int(place) {
				t.Fatalf("%v: value %d is first at %d, want %d", a.DType(), k, got, place)
			}
		}
		if got := inverse.At(int(place)).Int(); got != k {
			t.Fatalf("%v: element %d has value %d, want %d", a.DType(), place, got, k)
		}
	}
	if values.Len() != k+1 || Sum(counts).Int() != n {
		t.Errorf("%v: %d values, counted %v, want %d of %d elements", a.DType(), values.Len(), counts, k+1, n)
	}
	left, right := SearchSorted(sorted, a).Int64s(), SearchSortedRight(sorted, a).Int64s()
	for i := range n {
		if l, r := left[i], right[i]; l >= r || compare(want[l], int64(i)) != 0 || compare(want[r-1], int64(i)) != 0 ||
			l > 0 && compare(want[l-1], int64(i)) >= 0 || r < int64(n) && compare(want[r], int64(i)) <= 0 {
			t.Fatalf("%v: element %d goes between %d and %d", a.DType(), i, l, r)
		}
	}
}

// TestLexicalWork: however the elements come, their keys are looked at some times each, and few are compared.
func TestLexicalWork(t *testing.T) {
	const n, width = 20_000, 12
	for name, pattern := range patterns {
		words := make([]string, n)
		for i := range words {
			words[i] = fmt.Sprintf("%0*d", width, pattern(i, n))
		}
		a := FromSlice(words)
		keys, looked, compared := textKeys(width), 0, 0
		at, compare := keys.at, keys.compare
		keys.at = func(line []byte, i int) []uint32 { looked++; return at(line, i) }
		keys.compare = func(x, y []uint32) int { compared++; return compare(x, y) }
		ArgSort(a)
		places := make([]int64, n)
		keys.placing(n).fill(places, a.data)
		// each key is made once, and of few elements each pair may be compared
		if most := n * (width/2 + fewPlaces); looked > most || compared > n*bits.Len(n) {
			t.Errorf("%s: %d elements were looked at %d times (at most %d) and compared %d times", name, n, looked, most, compared)
		}
		if starts := keys.order().starts(Sort(a).data); len(starts) == 0 || looked > n*(width/2+fewPlaces+2) {
			t.Errorf("%s: %d elements were looked at %d times until the %d distinct ones were known", name, n, looked, len(starts))
		}
	}
}

// TestUniqueRoom: what the distinct elements of text take is some bytes for each element.
func TestUniqueRoom(t *testing.T) {
	const n, each = 4000, 2000
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprint("city ", i*7919%6)
	}
	a := FromSlice(words)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	UniqueInverse(a)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > n*each {
		t.Errorf("%d bytes were allocated for %d elements, want %d for each at most", took, n, each)
	}
}

func BenchmarkSortText(b *testing.B) {
	for name, pattern := range patterns {
		words := make([]string, 40_000)
		for i := range words {
			words[i] = fmt.Sprint("city ", pattern(i, len(words)))
		}
		a := FromSlice(words)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				UniqueInverse(a)
			}
		})
	}
}
