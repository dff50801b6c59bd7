package viz

import (
	"math"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// The corners of the base, turned by 35°, seen from 30° above: by hand.
func TestSurfaceProjection(t *testing.T) {
	v := newView(geometry{x0: 0, x1: 2 * math.Sqrt2 * 100 * meshRoom, y0: 0, y1: 1e6})
	for _, c := range []struct{ x, y, z, px, py float64 }{
		{0, 0, 0, 0, 0},
		{1, 0, 0, math.Cos(35 * math.Pi / 180), -math.Sin(35*math.Pi/180) / 2}, // depth × sin 30°
		{0, 0, 1, 0, -meshUp * math.Sqrt(3) / 2},
		{-1, -1, 0, -math.Cos(35*math.Pi/180) + math.Sin(35*math.Pi/180), (math.Sin(35*math.Pi/180) + math.Cos(35*math.Pi/180)) / 2},
	} {
		px, py, _ := v.at(c.x, c.y, c.z)
		if math.Abs(px-v.midX-100*c.px) > 1e-9 || math.Abs(py-v.midY-100*c.py) > 1e-9 {
			t.Errorf("%+v is drawn %v right and %v below the middle", c, px-v.midX, py-v.midY)
		}
	}
}

func TestSurfaceLeavesOutWhatIsNotThere(t *testing.T) {
	fills := func(z []float64) int {
		c := Surface(arrays.FromSlice(z, 3, 3))
		if c.Err != nil {
			t.Fatal(c.Err)
		}
		// The page, the frame's lines and labels, the colour bar are there both times.
		return strings.Count(c.SVG(), "<path")
	}
	whole := fills([]float64{0, 1, 2, 1, 5, 3, 2, 3, 4})
	// one of four cells, its fill and its edge
	if holed := fills([]float64{math.NaN(), 1, 2, 1, 5, 3, 2, 3, 4}); whole-holed != 2 {
		t.Errorf("%d and %d shapes; a corner that is NaN takes one cell away", whole, holed)
	}
	for name, c := range map[string]*Chart{
		"one row":   Surface(arrays.Zeros(1, 5)),
		"no values": Surface(arrays.Zeros(0, 5)),
		"a vector":  Surface(arrays.Zeros(5)),
	} {
		if c.Err == nil {
			t.Errorf("%s makes a chart", name)
		}
	}
}
