package viz

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// runOf is a log of an evaluation on a simulated device, on a machine that took so long.
func runOf(clock trace.Time) *trace.Log {
	l := &trace.Log{}
	l.Add(trace.Event{ID: 1, Name: "copy", Kind: trace.CopyIn, Device: "sim:tiny#0", End: 10 * trace.Microsecond, Modelled: true, Bytes: 1 << 20})
	l.Add(trace.Event{ID: 2, Name: "k", Kind: trace.Kernel, Device: "sim:tiny#0", Start: 10 * trace.Microsecond, End: 30 * trace.Microsecond, Modelled: true, After: []int{1, 3}})
	l.Add(trace.Event{ID: 3, Name: "plan", Kind: trace.Overhead, Device: "host", End: clock})
	return l
}

// TestReproducible: charts of two runs that took different times are the same text, picture and page.
func TestReproducible(t *testing.T) {
	charts := func(clock trace.Time) map[string]*Chart {
		a, b := runOf(clock), runOf(2*clock)
		return map[string]*Chart{
			"timeline": Timeline(a), "two": Timeline(a, b), "breakdown": Breakdown(a), "compare": Compare(nil, a, b), "sweep": Sweep([]int{1, 2}, []*trace.Log{a, b}),
			"transfers": Transfers(a),
		}
	}
	different := 0
	compare := func() {
		different = 0
		slow := charts(3 * trace.Millisecond)
		for name, c := range charts(5 * trace.Microsecond) {
			require.NoError(t, c.Err, name)
			if c.text(false) != slow[name].text(false) || c.SVG() != slow[name].SVG() || c.HTML() != slow[name].HTML() {
				different++
			}
		}
	}
	compare()
	assert.GreaterOrEqual(t, different, 4, "measured times are shown as a rule")
	Reproducible()
	defer Reproducible(false)
	compare()
	assert.Zero(t, different)
	measured := &trace.Log{}
	measured.Add(trace.Event{Name: "plan", Kind: trace.Overhead, Device: "host", End: 5})
	assert.NoError(t, Timeline(measured).Err, "there is nothing else to show")
}
