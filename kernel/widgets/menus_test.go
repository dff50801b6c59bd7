package widgets

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// TestMenusOfAnyValues: ipywidgets makes a menu of any dictionary and any list; functions and slices, which Go does not
// compare, among them.
func TestMenusOfAnyValues(t *testing.T) {
	for _, tt := range []struct {
		name        string
		f, arg      any
		first, then string // before and after the second entry is chosen
	}{
		{"functions", func(f func(float64) float64) any { return f(0) }, map[string]func(float64) float64{"cos": math.Cos, "sin": math.Sin}, "f = cos\n1.0", "f = sin\n0.0"},
		{"slices", func(x []float64) any { return len(x) }, map[string][]float64{"a": {1}, "b": {1, 2}}, "f = a\n1", "f = b\n2"},
		{"ints", func(n int) any { return n }, []int{1, 2, 5}, "f = 1\n1", "f = 2\n2"},
		{"floats", func(x float64) any { return x }, []float64{0.5, 1.5}, "f = 0.5\n0.5", "f = 1.5\n1.5"},
		{"anything", func(x any) any { return fmt.Sprint(x) }, map[string]any{"a": nil, "b": "two"}, "f = a\n<nil>", "f = b\ntwo"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := connect(t)
			in := Interact(tt.f, Arg("f", tt.arg))
			assert.Equal(t, tt.first, in.MIMEBundle().Text())
			update(c, "DropdownModel", "index", 1.0)
			assert.Equal(t, tt.then, in.MIMEBundle().Text())
		})
	}
	day := time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)
	connect(t)
	assert.Equal(t, "day = "+day.String()+"\n4", Interact(func(d time.Time) any { return d.Day() }, Arg("day", day)).MIMEBundle().Text())
}

// TestFunctionsWithErrors: (v, err) is shown as a cell shows it.
func TestFunctionsWithErrors(t *testing.T) {
	connect(t)
	f := func(n int) (int, error) {
		if n < 0 {
			return 0, errors.New("below 0")
		}
		return n, nil
	}
	assert.Equal(t, "n = 3\n3", Interact(f, Arg("n", 3)).MIMEBundle().Text())
	assert.Equal(t, "n = -3\n0\nerror: below 0", Interact(f, Arg("n", -3)).MIMEBundle().Text())
}

func TestWhatMenusRefuse(t *testing.T) {
	for want, f := range map[string]func(){
		"control 1 gives string, and the function wants int":                       func() { Interact(func(n int) {}, map[string]any{"a": 1, "b": "x"}) },
		"control 1 gives nil, and the function wants int":                          func() { Interact(func(n int) {}, map[string]any{"a": 1, "b": nil}) },
		"there is no control for []int without elements":                           func() { Interact(func(n int) {}, []int{}) },
		"there is no control for struct{}":                                         func() { Interact(func(n int) {}, struct{}{}) },
		"the step 0 is not a number above 0":                                       func() { Interact(func(x float64) {}, [3]float64{0, 10, 0}) },
		"has to have a parameter for each argument after it, of which there are 0": func() { Interact(func(n any) {}) },
	} {
		assert.PanicsWithError(t, panicOf(t, f), f)
		assert.Contains(t, panicOf(t, f), want)
	}
}

func panicOf(t *testing.T, f func()) (text string) {
	defer func() {
		err, ok := recover().(error)
		require.True(t, ok, "no error")
		text = err.Error()
	}()
	f()
	return ""
}

// TestIDsOfReproducibleNotebooks: notebooks keep the ids of the widgets that they show, which nbdime compares.
func TestIDsOfReproducibleNotebooks(t *testing.T) {
	display.SetReproducible(true)
	defer display.SetReproducible(false)
	ids := func() (ids []any) {
		numbered.Store(0)
		connect(t)
		for _, b := range []display.Bundler{IntSlider("n", 0, 9, 3), Interact(func(n int) any { return n }, 3)} {
			ids = append(ids, b.MIMEBundle().Data[TypeView].(map[string]any)["model_id"])
		}
		return ids
	}
	first := ids()
	assert.Equal(t, first, ids())
	assert.NotEqual(t, first[0], first[1])
}
