package viz

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// On a narrow page, too, names beside points lie on no other, where there is a side for that.
func TestNamesOnANarrowPage(t *testing.T) {
	s := Series{X: []float64{3200, 3.5, 0.0414, 0.124}, Y: []float64{3770, 2660, 0.819, 1.46},
		labels: []dotLabel{{text: "sin+multiply+sum, cos+multiply+sum"}, {text: "divide"}, {text: "multiply"}, {text: "subtract"}}}
	g := geometry{xs: span{min: 0.01, max: 10_000}, ys: span{min: 0.1, max: 100_000}, logX: true, logY: true, x0: 60, x1: width - 24, y1: 280}
	s.placeLabels(g)
	require.Equal(t, "left", s.labels[0].side, "there is no room to the right")
	for _, w := range []float64{width, narrowest} {
		g.x1 = w - 24
		r := newLabelRoom(&s, g, w)
		for i := range s.labels[1:] { // the first has one side alone, on which it meets the second's point
			r.take(0)
			require.True(t, r.free(i+1), "%s at %v", s.labels[i+1].text, w)
		}
	}
}

// The name of a point where the axes meet lies on neither.
func TestNamesOffTheAxes(t *testing.T) {
	s := Series{X: []float64{0, 3, 2.9, 3.7}, Y: []float64{1, 1.2, 1.25, 1.3}, labels: []dotLabel{{text: "baseline"}, {text: "SBI"}, {text: "SWI"}, {text: "SBI+SWI"}}}
	g := geometry{xs: span{min: 0, max: 4}, ys: span{min: 0.985, max: 1.315}, x0: 60, x1: width - 24, y1: 280}
	s.placeLabels(g)
	for i := range s.labels {
		require.NotEmpty(t, s.labels[i].text, "point %d", i)
		box := newLabelRoom(&s, g, width).box(i)
		require.GreaterOrEqual(t, box[0], g.x0, s.labels[i].text)
		require.LessOrEqual(t, box[3], g.y(1), s.labels[i].text)
	}
}
