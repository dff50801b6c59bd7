package operators

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/interp/yaegi"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// TestOptionsInCells: options of types of their own go from cells to functions on both engines, and one that is for
// another function is refused before the cell runs.
func TestOptionsInCells(t *testing.T) {
	testdevices.Use(t)
	symbols.Register()
	for name, engine := range map[string]func() interp.Engine{"ixgo": ixgo.New, "yaegi": yaegi.New} {
		s, err := interp.New(interp.Options{Engine: engine(), Packages: symbols.Packages(), Docs: symbols.Docs(), Arrays: symbols.Arrays()})
		require.NoError(t, err)
		t.Cleanup(s.Close)
		for _, c := range []struct{ src, want string }{
			{"n := 0\nx := np.FromSlice([]float64{1, 2, 2, 5})\nnp.Histogram(x, 2, np.Limits(0, 4), np.Weights([]int{1, 2, 3, 4}))", "[1 5] [0. 2. 4.]"},
			{"opts := []np.HistogramOption{np.Limits(0, 4)}\nnp.HistogramBinEdges(x, 2, opts...)", "[0. 2. 4.]"},
			{"np.BinCount([]int{2, 2}, np.MinLength(4))", "[0 0 2 0]"},
			{"np.Interp([]float64{-1, 2}, []int{0, 1}, []int{2, 4}, np.Left(0), np.Right(9))", "[0. 9.]"},
			{"np.SearchSorted([]int{3, 1, 2}, 2.5, np.Sorter([]int{1, 2, 0})), np.Digitize(x, []int{1, 2}, np.Right(true))", "2 [0 1 1 2]"},
			{"np.Median(x, 0), np.Quantile(x, 0.5, np.Axis(0), np.QuantileLower), np.Gradient(x, 1, 0, np.EdgeOrder(1))[0], np.RFFT(x, np.Length(2), 0).Real()", "2.0 2.0 1.0 [ 3. -1.]"},
		} {
			got, err := run(s, 1, c.src)
			if assert.NoError(t, err, "%s: %s", name, c.src) {
				assert.Equal(t, c.want, got, "%s: %s", name, c.src)
			}
		}
		for _, src := range []string{
			"np.Interp(1, x, x, np.Density())", "np.Interp(1, x, x, 0)", "np.Histogram(x, 2, 0, 4)", "np.Histogram(x, 2, np.Left(0))", "np.BinCount(x, 3)",
			"np.BinCount(x, np.Density())", "np.Digitize(x, x, true)", "np.SearchSorted(x, x, np.Right(true))",
		} {
			_, err := run(s, 1, "n++\n"+src)
			var e *interp.Error
			if assert.ErrorAs(t, err, &e, "%s: %s", name, src) {
				assert.Contains(t, e.Error(), "cannot use", "%s: %s", name, src)
			}
		}
		got, err := run(s, 1, "n")
		assert.NoError(t, err)
		assert.Equal(t, "0", got, "cells that ran")
	}
}
