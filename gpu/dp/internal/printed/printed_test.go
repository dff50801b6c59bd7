package printed_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/dp"
	"github.com/arrayrepl/arrayrepl/gpu/dp/internal/printed"
	"github.com/arrayrepl/arrayrepl/gpu/dp/ski"
)

// Each form as it is printed differs from the corrected one.
func TestMistakesAreFound(t *testing.T) {
	x := make([]int, 16)
	for i := range x {
		x[i] = i
	}
	require.Equal(t, 92, printed.Scan(x)[15])
	require.Equal(t, 120, dp.Scan(dp.Sum, x).At(15).Int())

	next := []int{1, 2, 3, 4, -1, 6, 7, 8, 9, -1} // two lists of 5
	friend, rounds := printed.Match(next, 0, 5, 100)
	require.Equal(t, dp.ListMatch(next, 0, 5).Ints(), friend)
	require.Equal(t, 4, rounds, "n-1 rounds, where 3 are enough")
	next[6] = -1 // and of 2
	_, rounds = printed.Match(next, 0, 5, 100)
	require.Equal(t, 100, rounds, "it has no end")

	free, selected := flags("01101001"), flags("10010100")
	require.Equal(t, []int{1, -1, -1, 2, -1, 4, -1, -1}, dp.PoolOf(free).Cons(selected).Ints())
	require.Equal(t, []int{-1, -1, -1, -1, -1, -1, -1, -1}, printed.Cons(free, selected))

	require.Equal(t, printed.Pair{Left: "I", Right: "b"}, printed.K("a", "b"))
	require.Equal(t, "a", ski.Reduce("K a b").Text)
	require.Equal(t, printed.Pair{Left: printed.Pair{Left: "a", Right: "c"}, Right: "b"}, printed.S("a", "b", "c"))
	require.Equal(t, "a c (b c)", ski.Reduce("S a b c").Text)

	values, heads := []int{3, 1, 7, 0, 4, 1, 6, 3}, flags("10100101")
	require.Equal(t, []int{0, 3, 0, 7, 7, 0, 1, 0}, dp.SegScanEx(dp.Sum, values, dp.Heads(heads)).Ints())
	require.Equal(t, make([]int, 8), printed.Exclusive(values, heads))

	table := *dp.HillisSteeleTable // the row of letters with its E
	table.Rows = slices.Clone(table.Rows)
	table.Rows[0].Next = "AZZAAASSE"
	require.Equal(t, []string{`"ab"cd`}, dp.Lex(`"ab"cd`, &table).Tokens)
	require.Equal(t, []string{`"ab"`, "cd"}, dp.Lex(`"ab"cd`, dp.HillisSteeleTable).Tokens)
}

func flags(s string) []bool {
	out := make([]bool, len(s))
	for i := range s {
		out[i] = s[i] == '1'
	}
	return out
}
