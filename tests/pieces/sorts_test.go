package pieces

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// TestSortsInPieces: sorts are cut into lines. One line, and elements that are picked from more than fits, stay on the
// CPU, and Explain says why.
func TestSortsInPieces(t *testing.T) {
	testsize.InTurn(t, 1)
	data := numbers(40*150, 5)
	v := arrays.FromSlice(data).AsType(arrays.Float32)
	x := v.Reshape(40, 150)
	for name, c := range map[string]struct {
		lazy func(x *lazy.Array) *lazy.Array
		want *arrays.Array
		why  string // it runs on the CPU
	}{
		"rows":              {func(x *lazy.Array) *lazy.Array { return lazy.Sort(x, 1) }, arrays.Sort(x, 1), ""},
		"places in columns": {func(x *lazy.Array) *lazy.Array { return lazy.ArgSort(x, 0) }, arrays.ArgSort(x, 0), ""},
		"one line": {func(x *lazy.Array) *lazy.Array { return lazy.Sort(x.Reshape(-1)) }, arrays.Sort(v),
			"it cannot be cut into pieces, as the elements of a line are sorted together: it will run on the CPU"},
		"picked": {func(x *lazy.Array) *lazy.Array { return lazy.Take(x.Reshape(-1), []int{5999, 0, 7}) }, arrays.Take(v, []int{5999, 0, 7}),
			"it cannot be cut into pieces that fit, as each needs all of what it looks things up in: it will run on the CPU"},
	} {
		t.Run(name, func(t *testing.T) {
			rt := paged(t, 1<<14)
			var said []string
			rt.Warn = func(m string) { said = append(said, m) }
			y := c.lazy(lazy.FromArray(x))
			foreseen := lazy.Explain(y).TooLarge
			require.Len(t, foreseen, 1)
			require.True(t, arrays.ArrayEqual(c.want, y.Array()))
			if c.why != "" {
				require.Contains(t, foreseen[0].String(), c.why)
				require.Len(t, said, 1)
				return
			}
			require.Empty(t, said)
			require.GreaterOrEqual(t, int(rt.Stats().Pieces), 2)
		})
	}
}
