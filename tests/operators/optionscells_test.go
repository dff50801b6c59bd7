package operators

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/interp/yaegi"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// TestOptionsInCells: options of types of their own go from cells to functions on both engines, and one that is for
// another function is refused before the cell runs.
func TestOptionsInCells(t *testing.T) {
	testsize.InTurn(t, 2)
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
			// lists, fields and variables of options, and functions that take them, as values
			{"m := np.Arange(6.0).Reshape(2, 3)\nopts := []np.ReduceOption{0, np.KeepDims()}\nm.Sum(opts...)", "[[3. 5. 7.]]"},
			{"f := m.Sum\nfmt.Sprint(f(0), f(), f(opts...))", "[3. 5. 7.] 15.0 [[3. 5. 7.]]"},
			{"g := (*np.Array).Max\nh := m.Reshape\nfmt.Sprint(g(m, 1), h(3, 2)[2])", "[2. 5.] [4. 5.]"},
			{"fs := map[string]func(any, ...np.ReduceOption) *np.Array{\"sum\": np.Sum, \"own\": func(x any, o ...np.ReduceOption) *np.Array { return np.Min(x, o...) }}\nfmt.Sprint(fs[\"sum\"](m, 0), fs[\"own\"](m, np.Axis(1)))", "[3. 5. 7.] [0. 3.]"},
			{"func use(f func(any, ...np.AxisOption) *np.Array) *np.Array { return f(np.Arange(6.0).Reshape(2, 3), 0) }\nfmt.Sprint(use(np.CumSum)[1], use(func(x any, a ...np.AxisOption) *np.Array { return np.Flip(x, a...) })[0])", "[3. 5. 7.] [3. 4. 5.]"},
			{"type how struct { axis np.AxisOption; opts []np.ReduceOption }\nw := how{1, nil}\nw.opts = append(w.opts, np.Axis(0), np.DDof(1))\nvar o np.ReduceOption = 1\nk, isInt := o.(int)\nfmt.Sprint(np.Sort(-m, w.axis)[0], m.Std(w.opts...)[0], m.Max(o), k, isInt, o == nil)", "[-2. -1. -0.] 2.1213203435596424 [2. 5.] 1 true false"},
			// an interface, met by an array and by a type of the cell that embeds one
			{"type summed interface { Sum(...np.ReduceOption) *np.Array }\ntype twice struct { *np.Array }\nfunc (t twice) Sum(o ...np.ReduceOption) *np.Array { return t.Array.Sum(o...) * 2 }\nvar r summed = m\na := r.Sum(1)\nr = twice{m}\nb := r.Sum\nfmt.Sprint(a, b(1))", "[ 3. 12.] [ 6. 24.]"},
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
