package arrays

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDeletedIsWhatALoopLeaves: Delete of ints and slices, wherever they are, leaves what a loop over the elements
// leaves.
func TestDeletedIsWhatALoopLeaves(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 1))
	bound := func(n int) int {
		if r.IntN(4) == 0 {
			return End
		}
		return r.IntN(2*n+5) - n - 2
	}
	for range 300 {
		n := 1 + r.IntN(30)
		var index any
		gone := map[int]bool{}
		if r.IntN(2) == 0 {
			at := make([]int, 1+r.IntN(20))
			for i := range at {
				at[i] = r.IntN(2*n) - n
				gone[(at[i]+n)%n] = true
			}
			if index = at; len(at) == 1 {
				index = at[0]
			}
		} else {
			s := S(bound(n), bound(n), []int{1, 1, 2, -1}[r.IntN(4)])
			index = s
			for _, p := range Arange(n).At(s).Ints() {
				gone[p] = true
			}
		}
		want := []int{}
		for i := range n {
			if !gone[i] {
				want = append(want, i)
			}
		}
		require.True(t, slices.Equal(want, Delete(Arange(n), index).Ints()), "%d elements without %v", n, index)
		rows := Delete(Arange(3*n).Reshape(3, n), index, Axis(1))
		require.Equal(t, []int{3, len(want)}, rows.Shape(), "%d columns without %v", n, index)
		require.True(t, slices.Equal(want, rows.At(0).Ints()), "%d columns without %v", n, index)
	}
}
