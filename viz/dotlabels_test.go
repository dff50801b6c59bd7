package viz

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// On a narrow page, too, names beside points lie on no other, where there is a side for that.
func TestNamesOnANarrowPage(t *testing.T) {
	s := Series{X: []float64{3200, 3.5, 0.0414, 0.124}, Y: []float64{3770, 2660, 0.819, 1.46},
		labels: []dotLabel{{text: "sin+multiply+sum, cos+multiply+sum"}, {text: "divide"}, {text: "multiply"}, {text: "subtract"}}}
	g := geometry{xs: span{min: 0.01, max: 10_000}, ys: span{min: 0.1, max: 100_000}, logX: true, logY: true, x0: 60, x1: width - 24, y1: 280}
	s.placeLabels(g)
	require.Contains(t, s.labels[0].side, "left", "there is no room to the right")
	for _, w := range []float64{width, narrowest} {
		g.x1 = w - 24
		r := newLabelRoom(&s, g, w)
		for i := range s.labels {
			require.True(t, r.free(i), "%s at %v", s.labels[i].text, w)
			r.take(i)
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

// A point that cannot be drawn takes no names from the others.
func TestNamesBesideAPointThatIsNotDrawn(t *testing.T) {
	for _, c := range []*Chart{
		Scatter([]float64{1, 2, 3}, []float64{1, math.NaN(), 3}, PointNames("a", "b", "c")),
		Scatter([]float64{1, 2, 3}, []float64{1, -1, 30}, PointNames("a", "b", "c"), LogY()),
	} {
		require.NoError(t, c.Err)
		var names []string
		for _, l := range c.Panels[0].Series[0].labels {
			names = append(names, l.text)
		}
		require.Equal(t, []string{"a", "", "c"}, names)
	}
}

// Points in the corners of a plot have their names beside them, in the picture.
func TestNamesOfPointsInCorners(t *testing.T) {
	x, y := []float64{0, 0, 1, 1}, []float64{0, 1, 0, 1}
	s := Series{X: x, Y: y, labels: []dotLabel{{text: "lower left"}, {text: "upper left"}, {text: "lower right"}, {text: "upper right"}}}
	g := geometry{xs: span{min: 0, max: 1}, ys: span{min: 0, max: 1}, x0: 60, x1: width - 24, y1: 280}
	s.placeLabels(g)
	for i, want := range []string{"upper right", "lower right", "upper left", "lower left"} {
		l := s.labels[i]
		require.Equal(t, want, l.side, "point %d", i)
		begin, middle, align, box := l.at(g.x(x[i]), g.y(y[i]))
		require.InDelta(t, begin+float64(align)*(box[1]-box[0]), box[0], 1e-9, "its text is in its box")
		require.InDelta(t, (box[2]+box[3])/2, middle, 1e-9)
		require.True(t, box[0] >= g.x0 && box[1] <= width-8 && box[2] >= 0 && box[3] <= g.y1, "%s: %v", l.text, box)
	}
}
