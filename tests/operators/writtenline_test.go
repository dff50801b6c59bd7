package operators

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/interp/yaegi"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// placedSession is a session whose arrays know where they are written, as the command makes it.
func placedSession(t *testing.T, engine interp.Engine) *interp.Session {
	rt := testdevices.Use(t)
	symbols.Register()
	s, err := interp.New(interp.Options{Engine: engine, Packages: symbols.Packages(), Docs: symbols.Docs(), Arrays: symbols.Arrays()})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	rt.Context = s.Context
	rt.Here = func() any {
		if p := s.Here(); p != nil {
			return p
		}
		return nil
	}
	return s
}

// The first lines of errors that the elements cause are those that wrote the operation, however and wherever its result
// is asked for. The lines are counted in the cells below.
func TestErrorsOfDataNameTheLineThatWroteTheOperation(t *testing.T) {
	testsize.InTurn(t, 0)
	for name, engine := range map[string]func() interp.Engine{"ixgo": ixgo.New, "yaegi": yaegi.New} {
		t.Run(name, func(t *testing.T) {
			s := placedSession(t, engine())
			_, err := run(s, 1, "flat := np.FromSlice([]float64{1, 2, 2, 4}, 2, 2)\n"+
				"at := np.FromSlice([]int{0, 7})\n"+
				"\n"+
				"func invert(x *np.Array) *np.Array {\n"+
				"\ty := x.Add(0)\n"+
				"\treturn np.Inv(y)\n"+
				"}\n"+
				"\n"+
				"type Model struct{ W *np.Array }\n"+
				"\n"+
				"func (m *Model) Fit(x *np.Array) {\n"+
				"\tm.W = x\n"+
				"\tm.W = np.Solve(m.W, []float64{1, 2})\n"+
				"}\n"+
				"\n"+
				"func late(x []float64) []float64 {\n"+
				"\treturn x[len(x)+9:]\n"+
				"}\n"+
				"call := np.Annotate(offload.Annotation{Name: `late`, Args: offload.Types(np.Rows), Ret: np.Rows, CPU: late})\n"+
				"literal := func(x *np.Array) *np.Array {\n"+
				"\ty := invert(x)\n"+
				"\treturn np.Inv(y)\n"+
				"}\n"+
				"nested := func(x *np.Array) (out *np.Array) {\n"+
				"\tslices.SortFunc([]int{1, 2}, func(a, b int) int {\n"+
				"\t\tout = literal(x)\n"+
				"\t\treturn 0\n"+
				"\t})\n"+
				"\treturn out\n"+
				"}")
			require.NoError(t, err)
			for i, c := range []struct {
				name, write, ask string
				want             []string // the innermost lines
			}{
				{"in a cell", "\nz := np.Inv(flat)", "z", []string{"cell 2, line 2", "cell 3, line 1, which asks for the result"}},
				{"used further", "z := np.Inv(flat)\nz = z*2 + 1\nz = z.T()", "w := z[0]\n_ = w\nz.Sum()", []string{"cell 2, line 1", "cell 3, line 3, which asks for the result"}},
				{"by a number", "z := np.Inv(flat)", "k := 1.0\nk += z.Sum().Float64()", []string{"cell 2, line 1", "cell 3, line 2, which asks for the result"}},
				{"index array", "v := np.Arange(5)\nz := v[at]", "\n\nz", []string{"cell 2, line 2", "cell 3, line 3, which asks for the result"}},
				{"picked rows", "z := np.Take(np.Arange(5.0), at)", "z.Float64s()", []string{"cell 2, line 1", "cell 3, line 1, which asks for the result"}},
				{"function of an earlier cell", "\n\nz := invert(flat)", "z", []string{"cell 1, line 6, in invert", "cell 2, line 3", "cell 3, line 1, which asks for the result"}},
				{"method of an earlier cell", "m := &Model{}\nm.Fit(flat)", "m.W", []string{"cell 1, line 13, in (*Model).Fit", "cell 2, line 2", "cell 3, line 1, which asks for the result"}},
				{"literal of an earlier cell", "\n\nz := literal(flat)", "z", []string{"cell 1, line 6, in invert", "cell 1, line 21, in a function literal", "cell 2, line 3", "cell 3, line 1, which asks for the result"}},
				{"called by compiled code", "z := nested(flat)", "z", []string{"cell 1, line 6, in invert", "cell 1, line 21, in a function literal", "cell 1, line 26, in a function literal", "cell 1, line 25, in a function literal", "cell 2, line 1", "cell 3, line 1, which asks for the result"}},
				{"asked for in a function", "z := np.Inv(flat)\nfunc show(x *np.Array) {\n\tfmt.Println(x.Sum().Float64())\n}", "show(z)", []string{"cell 2, line 1", "cell 2, line 3, in show, which asks for the result", "cell 3, line 1"}},
				{"words for numbers", "z := np.FromSlice([]string{`1`, `two`}).AsType(np.Float64)", "z", []string{"cell 2, line 1", "cell 3, line 1, which asks for the result"}},
				{"lines of NaNs", "z := np.NanArgMax(np.Full(math.NaN(), 2, 2), np.Axis(1))", "z", []string{"cell 2, line 1", "cell 3, line 1, which asks for the result"}},
				{"in a loop", "z := flat\nfor i := range 3 {\n\tif i == 2 {\n\t\tz = np.Inv(z)\n\t}\n\tz = np.Sort(z)\n}", "z", []string{"cell 2, line 4", "cell 3, line 1, which asks for the result"}},
				{"where it is written", "1", "z := np.Inv(flat); z.Sum().Float64()", []string{"cell 3, line 1"}},
				{"annotated function", "z := call(np.Ones(3))", "z.Float64s()", []string{"cell 1, line 17, in late", "cell 2, line 1", "cell 3, line 1, which asks for the result"}},
				{"what only grows", "z := np.Inv(flat)", "for range 5000 {\n\tz = z.Add(1)\n}", []string{"cell 2, line 1", "cell 3, line 2, which asks for the result"}},
			} {
				if name == "yaegi" && c.name != "in a cell" && c.name != "index array" && c.name != "function of an earlier cell" && c.name != "in a loop" && c.name != "what only grows" {
					continue // it knows the innermost and the outermost line alone, and takes ten times as long
				}
				_, err := run(s, 2, c.write)
				require.NoError(t, err, c.name)
				_, err = run(s, 3, c.ask)
				var e *interp.Error
				require.True(t, errors.As(err, &e), "%d: %s: %v", i, c.name, err)
				var got []string
				for _, f := range e.Trace {
					got = append(got, f.String())
				}
				assert.Equal(t, c.want, got, "%s: %s", c.name, e.Message)
			}
		})
	}
}

// Errors keep their types, their texts and their causes.
func TestErrorsOfDataAreAsBefore(t *testing.T) {
	s := placedSession(t, ixgo.New())
	_, err := run(s, 1, "z := np.Inv(np.Zeros(2, 2))")
	require.NoError(t, err)
	_, err = run(s, 2, "z")
	var typed *arrays.Error
	require.True(t, errors.As(err, &typed))
	assert.Equal(t, "inv", typed.Op)
	require.ErrorIs(t, err, arrays.ErrSingular)
	want := ""
	func() {
		defer func() { want = fmt.Sprint(recover()) }()
		arrays.Inv(arrays.Zeros(2, 2))
	}()
	assert.Equal(t, want, typed.Error(), "the text is that of the eager array")
	got, err := run(s, 3, "func() (is string) {\n\tdefer func() {\n\t\t_, ok := recover().(*np.Error)\n\t\tis = fmt.Sprint(ok)\n\t}()\n\tnp.Eval(z)\n\treturn\n}()")
	require.NoError(t, err)
	assert.Equal(t, "true", got, "what a cell recovers")
}
