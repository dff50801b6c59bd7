package viz

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Each state is a column and a step of the slider, with all its rows as a table, in the live chart and in the terminal.
func TestStatesAreThoseOfTheWindow(t *testing.T) {
	log := sampleInside()
	c := States(log)
	require.NoError(t, c.Err)
	states := 6
	require.Len(t, c.player.Tables, states)
	require.Len(t, boxes(t, c), 2*states)
	assert.Equal(t, []string{
		"stack:",
		"  1, top  ############################....   28 threads  b1  v10 f32 = sqrt v9",
		"  0       ################################   32 threads  b2  store global v13, v10  (until b3)",
	}, strings.Split(c.player.Tables[1], "\n"))
	assert.Equal(t, "cycle 107, warp 2 of block 103", c.player.Lines[c.player.Steps[1].Line])
	assert.Contains(t, c.String(), c.player.Tables[0])
	none := changed(log, func(s *trace.KernelStats) {
		if s.Detail != nil {
			d, w := *s.Detail, *s.Detail.Window
			w.States, d.Window = nil, &w
			s.Detail = &d
		}
	})
	assert.ErrorContains(t, States(none).Err, "no lanes of a warp part")
	formed := trace.Row{Lanes: 0b1011, Threads: []int32{0, 5, -1, 43}}
	assert.Equal(t, "01.a", rowLanes(formed, 4))
}

// Names of points stand beside them, and with their values in the notes, which every form has.
func TestPointNames(t *testing.T) {
	c := Scatter([]float64{0, 3}, []float64{1, 1.4}, PointNames("base", "SBI"))
	require.NoError(t, c.Err)
	assert.Contains(t, c.SVG(), ">SBI<")
	assert.Contains(t, c.String(), "base (0, 1); SBI (3, 1.4).")
	assert.ErrorContains(t, Scatter([]float64{0, 3}, []float64{1, 2}, PointNames("one")).Err, "1 names for 2 points")
	assert.ErrorContains(t, Line([]float64{0, 3}, []float64{1, 2}, PointNames("a", "b")).Err, "2 points")
}
