package operators

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/docs"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/interp/yaegi"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// notArrays are parameters of any value, or of one of several kinds of which an array is not the first: a function, an
// index, a mode, a number of bins, what may be nil.
var notArrays = map[string]bool{
	"Annotate args": true, "AnnotateObject args": true, "ApplyAlongAxis f": true, "Arange args": true, "Array.At idx": true, "Array.AddAt idx": true, "Array.Clip hi": true,
	"Array.Clip lo": true, "ArraySplit parts": true, "Array.DataLike like": true, "Array.Set idx": true, "Array.Update idx": true, "Average weights": true, "Block blocks": true, "Clip hi": true, "Clip lo": true,
	"Cond ord": true, "DSplit parts": true, "Delete index": true, "From2D rows": true, "FromFunction f": true, "FromSlice s": true, "Gradients h": true, "HSplit parts": true,
	"Histogram bins": true, "HistogramBinEdges bins": true, "Insert index": true, "Ix lists": true, "Left v": true, "Map f": true, "MatrixNorm ord": true, "Out.Clip hi": true,
	"Out.Clip lo": true, "Pad value": true, "PadRamp ends": true, "PadValues values": true, "ArgPartition k": true, "Partition k": true, "Piecewise values": true, "RecordsOf list": true, "Reduce r": true,
	"ResultType xs": true, "Right v": true, "Split parts": true, "TensorDot axes": true, "VSplit parts": true,
}

// argument is an argument of Go for a parameter of a type, as documentation writes it.
func argument(typ string) (text string, ok bool) {
	switch typ {
	case "int":
		return "1", true
	case "float64":
		return "1.5", true
	case "string":
		return `"a"`, true
	case "bool":
		return "true", true
	case "any", "np.ArrayLike":
		return "x", true
	case "*np.Array":
		return "x", true
	case "np.DType":
		return "np.Float64", true
	}
	if strings.HasPrefix(typ, "[]") {
		return typ + "{}", true
	}
	return "", false
}

// TestNeverArrays passes a struct of the cell's to each parameter of each function and method that takes an array, and
// each such cell is refused before it runs, at that argument. Parameters of any are ArrayLike or a known exception.
func TestNeverArrays(t *testing.T) {
	s := arraySession(t)
	np, err := docs.Load(symbols.Docs(), "github.com/arrayrepl/arrayrepl/lazy")
	require.NoError(t, err)
	_, err = run(s, 1, "type record struct{ n int }\nn, x := 0, np.Ones(2)")
	require.NoError(t, err)
	tried := 0
	for _, name := range np.Names() {
		e, ok := np.Lookup(name)
		require.True(t, ok)
		of, method, isMethod := strings.Cut(name, ".")
		call := "np." + name
		if isMethod {
			recv := map[string]string{"Array": "x.", "Out": "np.Into(x).", "RNG": "np.DefaultRNG(1)."}[of]
			if recv == "" {
				continue
			}
			call = recv + method
		} else {
			method = name
		}
		form, ok := e.Form(method, "np.")
		if !ok || method == "Wiring" {
			continue
		}
		var params, args []string
		usable := true
		for _, p := range form.Params {
			pname, typ, _ := strings.Cut(p, " ")
			several := strings.HasPrefix(typ, "...")
			typ = strings.TrimPrefix(typ, "...")
			if typ == "any" {
				assert.True(t, notArrays[name+" "+pname], "%s of %s: ArrayLike, or an exception here", pname, name)
			}
			if several && typ != "np.ArrayLike" {
				continue
			}
			a, ok := argument(typ)
			usable = usable && ok
			params, args = append(params, typ+" "+pname), append(args, a)
		}
		for i, p := range params {
			pname, is := strings.CutPrefix(p, "np.ArrayLike ")
			if !is || !usable {
				continue
			}
			these := append([]string{}, args...)
			these[i] = "record{1}"
			cell := fmt.Sprintf("n++\n%s(%s)", call, strings.Join(these, ", "))
			_, err := run(s, 2, cell)
			var e *interp.Error
			if assert.ErrorAs(t, err, &e, cell) {
				at := fmt.Sprintf("line 2, column %d: ", strings.Index(cell, "record{1}")-len("n++\n")+1)
				assert.Contains(t, e.Error(), at+call+" takes an array, a number or a slice of numbers as "+pname+", not a record", cell)
			}
			tried++
		}
	}
	assert.Greater(t, tried, 450)
	got, err := run(s, 3, "n")
	require.NoError(t, err)
	assert.Equal(t, "0", got, "cells that ran")
}

// TestWhatMayBeAnArray: what stands for an array is let through on both engines, and what never does is refused.
func TestWhatMayBeAnArray(t *testing.T) {
	testdevices.Use(t)
	symbols.Register()
	for name, engine := range map[string]func() interp.Engine{"ixgo": ixgo.New, "yaegi": yaegi.New} {
		s, err := interp.New(interp.Options{Engine: engine(), Packages: symbols.Packages(), Docs: symbols.Docs(), Arrays: symbols.Arrays()})
		require.NoError(t, err)
		t.Cleanup(s.Close)
		_, err = run(s, 1, `type meters float64
type both struct{ a *np.Array }
func (b both) Array() *np.Array { return b.a }
func sum[T any](v T) *np.Array { return np.Sum(v) }
x := np.Arange(3.)
n := 0`)
		require.NoError(t, err)
		for _, c := range []struct{ src, want string }{
			{"sum([]int8{1, 2})", "3"},
			{"np.Sum(any(x)), np.Sum(arrays.Ones(3))", "3.0 3.0"},
			{"np.Stack(0, []*np.Array{x, x}).Shape(), np.Concat(0, x, 5.0+x[:1], []float64{1})", "[2 3] [0. 1. 2. 5. 1.]"},
			{"np.Max([]time.Duration{time.Second, time.Hour}), np.Equal([]string{\"a\", \"b\"}, \"b\")", "3600000000000 nanoseconds [False  True]"},
			{"np.Full(time.Unix(0, 0).UTC(), 1)", "['1970-01-01T00:00:00.000000000']"},
			{"np.Clip(x, nil, 1), np.Average(x, nil)", "[0. 1. 1.] 1.0"},
		} {
			got, err := run(s, 2, c.src)
			if assert.NoError(t, err, "%s: %s", name, c.src) {
				assert.Equal(t, c.want, got, "%s: %s", name, c.src)
			}
		}
		if name == "ixgo" { // the second engine keeps values of types of cells in boxes
			got, err := run(s, 2, "np.Sum(both{x}), both{x}.Array() + np.Add(both{x}, 1), np.Sum([2][]meters{{1, 2}, {3, 4}})")
			if assert.NoError(t, err) {
				assert.Equal(t, "3.0 [1. 3. 5.] 10.0", got)
			}
		}
		for arg, what := range map[string]string{
			"nil": "nil", "func() {}": "a func()", "map[string]int{}": "a map[string]int", "make(chan int)": "a chan int", "&n": "a *int", "[]func(){}": "a []func()",
			"struct{ x int }{1}": "a struct{x int}", "errors.New": "a func(string) error", "&x": "a **np.Array", "reflect.ValueOf(x)": "a reflect.Value",
		} {
			for _, call := range []string{"np.Sqrt(%s)", "x.Add(%s)", "np.Into(x).Mul(x, %s)", "np.VStack(x, %s)", "1 + np.Sum(%s, 0, np.KeepDims())"} {
				src := "n++\n" + fmt.Sprintf(call, arg)
				_, err := run(s, 3, src)
				var e *interp.Error
				if assert.ErrorAs(t, err, &e, "%s: %s", name, src) {
					assert.Contains(t, e.Error(), ", not "+what, "%s: %s", name, src)
				}
			}
		}
		got, err := run(s, 4, "n")
		require.NoError(t, err)
		assert.Equal(t, "0", got, "cells that ran")
	}
}
