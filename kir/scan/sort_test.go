package scan

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
)

func must(k Kernel, err error) Kernel {
	if err != nil {
		panic(err)
	}
	return k
}

// sorted runs the kernels of s.
func sorted(t *testing.T, s Sort, kernel SortMaker, lines, length, inner int, in []byte) []byte {
	t.Helper()
	p, err := s.Plan(lines, length, inner, small, Make, kernel)
	require.NoError(t, err)
	out := Spec{Out: []kir.Type{s.Elem}}
	if s.Places {
		out.Out[0] = kir.I64
	}
	return execute(t, p, out, lines*length, in)[0]
}

// checkSort compares the kernels with the standard library's sort of each line.
func checkSort[T any](t *testing.T, elem kir.Type, compare func(x, y T) int, zeros func(x, y T) int, random func() T) {
	made := map[string]Kernel{}
	kernel := func(s Sort, k SortKernel) (Kernel, error) {
		key := fmt.Sprint(s, k)
		if _, ok := made[key]; !ok {
			made[key] = must(MakeSort(s, k))
		}
		return made[key], nil
	}
	for _, c := range [][3]int{{1, 1, 1}, {3, 37, 1}, {1, 256, 1}, {1, 700, 1}, {6, 300, 3}, {4, 20, 2}} {
		lines, length, inner := c[0], c[1], c[2]
		x := make([]T, lines*length)
		for i := range x {
			x[i] = random()
		}
		want, places := slices.Clone(x), make([]int64, len(x))
		for l := range lines {
			at := func(i int) int { return (l/inner*length+i)*inner + l%inner }
			line, from := make([]T, length), make([]int64, length)
			for i := range line {
				line[i], from[i] = x[at(i)], int64(i)
			}
			slices.SortStableFunc(from, func(i, j int64) int { return compare(line[i], line[j]) })
			slices.SortStableFunc(line, func(x, y T) int { return cmp.Or(compare(x, y), zeros(x, y)) })
			for i := range line {
				want[at(i)], places[at(i)] = line[i], from[i]
			}
		}
		s := Sort{Elem: elem, Threads: 64, Each: 4}
		require.Equal(t, bytesOf(want), sorted(t, s, kernel, lines, length, inner, bytesOf(x)), "%v", c)
		s.Places = true
		require.Equal(t, places, valuesOf[int64](sorted(t, s, kernel, lines, length, inner, bytesOf(x))), "%v", c)
	}
}

func TestSorts(t *testing.T) {
	testsize.InTurn(t, 2)
	same := func(x, y uint16) int { return 0 }
	for _, most := range []int64{3, 1 << 20, math.MaxInt64} {
		n := func() int64 { return rand.Int64N(most) - most/2 }
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			t.Run("int64", func(t *testing.T) {
				checkSort(t, kir.I64, cmp.Compare[int64], func(x, y int64) int { return 0 }, n)
			})
			t.Run("uint64", func(t *testing.T) {
				checkSort(t, kir.U64, cmp.Compare[uint64], func(x, y uint64) int { return 0 }, func() uint64 { return uint64(n()) })
			})
			t.Run("int32", func(t *testing.T) {
				checkSort(t, kir.I32, cmp.Compare[int32], func(x, y int32) int { return 0 }, func() int32 { return int32(n()) })
			})
		})
	}
	t.Run("uint16", func(t *testing.T) {
		checkSort(t, kir.U16, cmp.Compare[uint16], same, func() uint16 { return uint16(rand.Uint32()) })
	})
	t.Run("bool", func(t *testing.T) {
		checkSort(t, kir.Bool, cmp.Compare[uint8], func(x, y uint8) int { return 0 }, func() uint8 { return uint8(rand.IntN(2)) })
	})
}

// NaNs are last, -0 is before 0 among elements and beside it among places.
func TestSortsOfFloats(t *testing.T) {
	floats := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 1, -1, 5e-324, math.MaxFloat64}
	random := func() float64 {
		if rand.IntN(2) == 0 {
			return floats[rand.IntN(len(floats))]
		}
		return rand.NormFloat64()
	}
	nan := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	compare := func(x, y float64) int { // the standard library has NaN first
		return cmp.Or(cmp.Compare(nan(x != x), nan(y != y)), cmp.Compare(x, y))
	}
	zeros := func(x, y float64) int { return cmp.Compare(nan(math.Signbit(y)), nan(math.Signbit(x))) }
	checkSort(t, kir.F64, compare, func(x, y float64) int {
		if x != 0 || y != 0 {
			return 0
		}
		return zeros(x, y)
	}, random)
	single := func() float32 {
		if f := float32(random()); f == f {
			return f
		}
		return math.Float32frombits(0x7fc0_0000)
	}
	checkSort(t, kir.F32, func(x, y float32) int { return compare(float64(x), float64(y)) }, func(x, y float32) int {
		if x != 0 || y != 0 {
			return 0
		}
		return zeros(float64(x), float64(y))
	}, single)
}

func TestSortsThatDoNotFit(t *testing.T) {
	_, err := Sort{Elem: kir.I32, Threads: 33, Each: 4}.Plan(1, 10, 1, small, Make, MakeSort)
	require.ErrorContains(t, err, "a multiple of 32 threads")
	_, err = Sort{Elem: kir.I32, Threads: 64, Each: 4}.Plan(1<<20, 1<<20, 1, small, Make, MakeSort)
	require.ErrorContains(t, err, "blocks")
}
