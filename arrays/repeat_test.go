package arrays

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// numpy.repeat with a number for each element.
func TestRepeatCounts(t *testing.T) {
	m := FromSlice([]int{1, 2, 3, 4}, 2, 2)
	assert.Equal(t, []int{1, 1, 3, 4, 4, 4}, Repeat(m, []int{2, 0, 1, 3}).Ints())
	assert.Equal(t, "[[1 2]\n [3 4]\n [3 4]]", Repeat(m, []int{1, 2}, 0).String())
	assert.Equal(t, "[[2 2]\n [4 4]]", Repeat(m, []int{0, 2}, Axis(1)).String())
	assert.Equal(t, "[[1 1 2 2]\n [3 3 4 4]]", Repeat(m, []int{2}, -1).String(), "one number is for all")
	assert.Equal(t, []int{2, 0}, Repeat(m, []int{0, 0}, 1).Shape())
	assert.PanicsWithError(t, "repeat: there are 3 numbers for the 2 elements of axis 0", func() { Repeat(m, []int{1, 2, 3}, 0) })
	assert.PanicsWithError(t, "repeat: -1 repetitions cannot be made; use 0 or more", func() { Repeat(m, []int{1, -1}, 0) })
	assert.PanicsWithError(t, "repeat: a float64 does not say how often; give an int, or []int or a 1-D array of ints with a number for each element", func() { Repeat(m, 1.5) })
}

// Numbers of repetitions for which there is no memory anywhere, or whose sum wraps around.
func TestRepeatTooOften(t *testing.T) {
	for _, n := range [][]int{{1 << 62, 1 << 62, 1}, {1 << 62, 0}} {
		for _, times := range []ArrayLike{n, FromSlice(n)} {
			var e *Error
			require.ErrorAs(t, Try(func() { Repeat(Arange(len(n)), times) }), &e, "%v", n)
		}
	}
}
