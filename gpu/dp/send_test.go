package dp_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu/dp"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// What is sent is what a loop in the order of indices makes, for every operator.
func TestSendIsALoop(t *testing.T) {
	testsize.InTurn(t, 1)
	use(t)
	for k, m := range []string{"host", machines[1], machines[3]} {
		np.Use(m)
		const n, places = 700, 90
		values, to, into := make([]int64, n), make([]int, n), make([]int64, places)
		for i := range values {
			values[i], to[i] = int64(rand.Uint64()), rand.IntN(places)
		}
		for i := range into {
			into[i] = int64(i)
		}
		o := operators[(k*3+1)%len(operators)]
		want, first, seen := slices.Clone(into), slices.Clone(into), map[int]bool{}
		for i, p := range to {
			if seen[p] {
				want[p] = o.apply(want[p], values[i])
				continue
			}
			want[p], first[p], seen[p] = values[i], values[i], true
		}
		require.Equal(t, arrays.FromSlice(want).Bytes(), dp.Send(values, to, o.op, into).Array().Bytes(), "%s, %v", m, o.op)
		require.Equal(t, arrays.FromSlice(first).Bytes(), dp.Send(values, to, dp.Any, into).Array().Bytes(), m)
		order := rand.Perm(n)
		back := dp.Get(dp.Permute(values, order), order)
		require.Equal(t, arrays.FromSlice(values).Bytes(), back.Array().Bytes(), m)
	}
	require.Equal(t, "[5 0 9]", dp.Send([]int{5, 7, 2}, []int{0, 2, 2}, dp.Sum).String())
	require.Equal(t, "[0 0]", dp.Send([]int{}, []int{}, dp.Sum, []int{0, 0}).String())
	for want, call := range map[string]func(){
		"values 1 and 3 are both sent to place 2": func() { dp.Send([]int{1, 2, 3, 4}, []int{1, 2, 0, 2}, dp.Error, []int{0, 0, 0}) },
		"value 1 is sent to place 3":              func() { dp.Send([]int{1, 2}, []int{0, 3}, dp.Sum, []int{0, 0, 0}) },
		"give ints":                               func() { dp.Permute([]int{1}, []float64{0}) },
		"each value a place":                      func() { dp.Send([]int{1, 2}, []int{0}, dp.Sum, []int{0}) },
	} {
		require.Contains(t, message(call), want)
	}
}

func message(f func()) (s string) {
	defer func() {
		if err, ok := recover().(error); ok {
			s = err.Error()
		}
	}()
	f()
	return ""
}

// All ways to sort give what the standard library's gives.
func TestWaysToSort(t *testing.T) {
	testsize.InTurn(t, 2)
	use(t)
	for k, m := range machines[:3] {
		np.Use(m)
		for i, by := range []dp.SortMethod{dp.Radix, dp.Bitonic, dp.Quicksort} {
			if k > 0 && (i+k)%2 == 0 && testsize.Short() {
				continue
			}
			x := make([]int32, []int{1, 2, 77, 130}[(i+k)%4])
			for i := range x {
				x[i] = int32(rand.IntN(60) - 30)
			}
			want := slices.Clone(x)
			slices.Sort(want)
			require.Equal(t, arrays.FromSlice(want).Bytes(), dp.Sort(x, by).Array().Bytes(), "%s, %d", m, i)
		}
	}
	require.Equal(t, "[-0.  1. nan]", dp.Sort([]float64{nan(), 1, negativeZero()}).String())
	require.Contains(t, message(func() { dp.Sort([]float64{1}, dp.Radix) }), "by radix ints of one axis are sorted: leave the method out")
}

func negativeZero() float64 { z := 0.0; return -1 / (1 / z) * 0 }

func TestCounts(t *testing.T) {
	use(t)
	for _, m := range []string{"host", machines[3]} {
		np.Use(m)
		keys, counts := make([]int, 3000), map[int]int{}
		for i := range keys {
			keys[i] = rand.IntN(97)
			counts[keys[i]]++
		}
		h := dp.Histogram(keys, 100)
		require.Equal(t, 100, h.Size())
		for k, n := range h.Ints() {
			require.Equal(t, counts[k], n, m)
		}
		v, n := dp.RunLength([]int{4, 4, 4, 1, 4, 4, 0})
		require.Equal(t, "[4 1 4 0] [3 1 2 1]", v.String()+" "+n.String())
		require.Equal(t, "[[ 1  3  6]\n [ 5 12 21]]", dp.SummedArea([][]int{{1, 2, 3}, {4, 5, 6}}).String())
	}
	require.Contains(t, message(func() { dp.Histogram([]int{1, 5}, 5) }), "value 1 is sent to place 5; places go from 0 to 4")
}

// What a launch is to write can be assigned to a whole array before it has run.
func TestLaunchedIsAssigned(t *testing.T) {
	use(t)
	for _, m := range []string{"host", machines[3]} {
		np.Use(m)
		sent := dp.Send([]int64{1, 2}, []int64{0, 2}, dp.Sum, np.Zeros(3).AsType(np.Int64))
		into := np.Zeros(3).AsType(np.Int64).Copy()
		into.Set(sent)
		require.Equal(t, "[1 0 2]", into.String(), m)
		sent = dp.Send([]int64{1, 2}, []int64{0, 2}, dp.Sum, into)
		copied := sent.Copy()
		require.Equal(t, "[1 0 2] [1 0 2]", copied.String()+" "+sent.String(), m)
	}
}
