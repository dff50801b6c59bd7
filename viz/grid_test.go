package viz

import (
	"encoding/json"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
)

func TestHeatMapCarriesTheArray(t *testing.T) {
	c := HeatMap(arrays.FromSlice([]float64{1, 2, 3, 4, math.NaN(), 6}, 2, 3), ScaleLabel("height (m)"))
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	var p struct {
		Panels []struct {
			Grid struct {
				Cols, Rows int
				Box        [4]float64
				Z          []*float64
				Down       bool
			}
			Scale struct {
				Label    string
				Min, Max float64
			}
		}
	}
	if err := json.Unmarshal(optionJSON(c), &p); err != nil {
		t.Fatal(err)
	}
	g := p.Panels[0].Grid
	if g.Cols != 3 || g.Rows != 2 || !g.Down || g.Box != [4]float64{-0.5, 2.5, -0.5, 1.5} {
		t.Errorf("grid %+v", g)
	}
	for i, want := range []float64{1, 2, 3, 4, -1, 6} {
		if i == 4 {
			if g.Z[i] != nil {
				t.Errorf("NaN became %v", *g.Z[i])
			}
		} else if g.Z[i] == nil || *g.Z[i] != want {
			t.Errorf("cell %d is %v, want %v", i, g.Z[i], want)
		}
	}
	if s := p.Panels[0].Scale; s.Label != "height (m)" || s.Min != 1 || s.Max != 6 {
		t.Errorf("scale %+v", s)
	}
	if !strings.Contains(strings.Join(c.Notes, " "), "1 of 6 values are NaN") {
		t.Errorf("notes %q", c.Notes)
	}
}

// The picture of a grid: the first row at the top or at the bottom, the ends of the scale in its end colours.
func TestGridPicture(t *testing.T) {
	s := &Scale{Min: 0, Max: 3, Colors: viridis}
	g := &Grid{Cols: 2, Rows: 2, Z: []float64{0, math.NaN(), 1.5, 3}}
	down, up := g.image(s, true), g.image(s, false)
	for _, c := range []struct {
		name      string
		got, want color.NRGBA
	}{
		{"first cell, first row at the top", down.NRGBAAt(0, 0), rgb(viridis[0])},
		{"first cell, first row at the bottom", up.NRGBAAt(0, 1), rgb(viridis[0])},
		{"last cell", down.NRGBAAt(1, 1), rgb(viridis[8])},
		{"middle of the scale", down.NRGBAAt(0, 1), rgb(viridis[4])},
		{"NaN", down.NRGBAAt(1, 0), color.NRGBA{}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestScalesGetLighterAndPartAtZero(t *testing.T) {
	luma := func(hex string) int { c := rgb(hex); return 299*int(c.R) + 587*int(c.G) + 114*int(c.B) }
	for i := 1; i < len(viridis); i++ {
		if luma(viridis[i]) <= luma(viridis[i-1]) {
			t.Errorf("viridis gets darker at %d", i)
		}
	}
	p := HeatMap(arrays.FromSlice([]float64{-1, 0, 0, 3}, 2, 2)).Panels[0]
	if p.Scale.Min != -3 || p.Scale.Max != 3 || p.Scale.Colors[4] != "#f7f7f7" {
		t.Errorf("values from -1 to 3 have the scale %+v", p.Scale)
	}
}

// The mean of the means of equal blocks is the mean of all; a block of ones in a corner stays one.
func TestLargeArraysAreBinnedByMeans(t *testing.T) {
	const rows, cols = 1000, 800
	z := make([]float64, rows*cols)
	sum := 0.0
	for i := range z {
		z[i] = float64(i % 7)
		if i/cols < 100 && i%cols < 100 {
			z[i] = 1
		}
		sum += z[i]
	}
	c := HeatMap(arrays.FromSlice(z, rows, cols))
	g := c.Panels[0].Series[0].Grid
	if g.Cols*g.Rows > maxCells || g.Cols*g.Rows < maxCells/3 {
		t.Errorf("%d × %d cells", g.Rows, g.Cols)
	}
	if g.Z[0] != 1 {
		t.Errorf("the first cell is %v, want the mean of ones", g.Z[0])
	}
	if rows%g.Rows != 0 || cols%g.Cols != 0 {
		t.Fatalf("%d × %d cells do not divide the array", g.Rows, g.Cols)
	}
	mean := 0.0
	for _, v := range g.Z {
		mean += v / float64(len(g.Z))
	}
	if math.Abs(mean-sum/rows/cols) > 1e-9 {
		t.Errorf("the mean of all cells is %v, want %v", mean, sum/rows/cols)
	}
	if !strings.Contains(strings.Join(c.Notes, " "), "an array of 1,000 × 800") {
		t.Errorf("notes %q", c.Notes)
	}
	if n := len(c.HTML()); n > 1_000_000 {
		t.Errorf("the page takes %d bytes", n)
	}
}

func TestImageOfColours(t *testing.T) {
	for name, a := range map[string]*arrays.Array{
		"floats":   arrays.FromSlice([]float64{1, 0, 0, 0, 1, 0.2}, 1, 2, 3),
		"integers": arrays.FromSlice([]int64{255, 0, 0, 0, 255, 51}, 1, 2, 3),
	} {
		c := Image(a)
		if c.Err != nil {
			t.Fatal(c.Err)
		}
		if g := c.Panels[0].Series[0].Grid; string(g.RGB) != "\xff\x00\x00\x00\xff\x33" {
			t.Errorf("%s: %v", name, g.RGB)
		}
	}
	if p := Image(arrays.Zeros(50, 100)).Panels[0]; p.Width != 2*p.Height {
		t.Errorf("50 × 100 cells are drawn %d by %d", p.Width, p.Height)
	}
}

// Points in two corners and one on the upper edge: numpy.histogram2d counts the last bin with its upper end.
func TestDensityCountsPoints(t *testing.T) {
	c := Density([]float64{0, 0, 10, math.NaN()}, []float64{0, 0, 5, 1})
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	g := c.Panels[0].Series[0].Grid
	if g.Z[0] != 2 || g.Z[len(g.Z)-1] != 1 || g.X1 != 10 || g.Y1 != 5 {
		t.Errorf("corners %v and %v, to %v, %v", g.Z[0], g.Z[len(g.Z)-1], g.X1, g.Y1)
	}
	if want := "1 of 4 points are NaN or infinite and are not counted."; c.Notes[0] != want {
		t.Errorf("notes %q", c.Notes)
	}
}

// On a cone the lines of equal height are circles.
func TestContoursOfAConeAreCircles(t *testing.T) {
	const n = 81
	g := &Grid{Cols: n, Rows: n, X0: -4 - 0.05, X1: 4 + 0.05, Y0: -4 - 0.05, Y1: 4 + 0.05, Z: make([]float64, n*n)}
	for i := range g.Z {
		g.Z[i] = math.Hypot(float64(i%n)/10-4, float64(i/n)/10-4)
	}
	for _, radius := range []float64{1, 2.5, 4.5} { // the last meets the edges: four arcs
		x, y := contourLines(g, radius)
		gaps := 0
		for i := range x {
			if math.IsNaN(x[i]) {
				gaps++
			} else if r := math.Hypot(x[i], y[i]); math.Abs(r-radius) > 0.01 {
				t.Fatalf("radius %v: a point at %v", radius, r)
			}
		}
		want := 1
		if radius > 4 {
			want = 4
		} else if x[0] != x[len(x)-2] || y[0] != y[len(y)-2] {
			t.Errorf("radius %v: the circle is not closed", radius)
		}
		if gaps != want {
			t.Errorf("radius %v: %d lines, want %d", radius, gaps, want)
		}
	}
}

func TestContourLevelsAreRoundAndInside(t *testing.T) {
	z := make([]float64, 20*30)
	for i := range z {
		z[i] = float64(i % 30)
	}
	c := Contour(arrays.FromSlice(z, 20, 30), Extent(0, 30, 0, 20))
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	var at []float64
	for _, s := range c.Panels[0].Series[1:] {
		at = append(at, s.X[0]-0.5) // cells' centres are half a cell on
	}
	want := []float64{5, 10, 15, 20, 25}
	if len(at) != len(want) {
		t.Fatalf("levels %v, want %v", at, want)
	}
	for i := range want {
		if !near(at[i], want[i]) {
			t.Errorf("levels %v, want %v", at, want)
		}
	}
}

func TestGridsOfBadDataSayWhy(t *testing.T) {
	for name, c := range map[string]struct {
		chart *Chart
		want  string
	}{
		"one axis":   {HeatMap([]float64{1, 2}), "HeatMap: the array has shape [2]; want two axes"},
		"empty":      {HeatMap(arrays.Zeros(0, 3)), "HeatMap: the array is empty"},
		"all NaN":    {HeatMap(arrays.FromSlice([]float64{nan, inf}, 1, 2)), "has no finite value"},
		"log":        {HeatMap(arrays.Zeros(2, 2), LogX()), "axes cannot be logarithmic"},
		"extent":     {HeatMap(arrays.Zeros(2, 2), Extent(1, 0, 0, 1)), "want both to grow"},
		"thin":       {Contour(arrays.Zeros(1, 5)), "want at least 2 of each"},
		"contour":    {Contour(3), "the array is int"},
		"lengths":    {Density([]int{1}, []int{1, 2}), "x has 1 values and y has 2"},
		"no points":  {Density([]float64{nan}, []float64{1}), "no point has finite x and y"},
		"image":      {Image([]int{1}), "want two axes"},
		"image of 0": {Image(arrays.Zeros(0, 2, 3)), "is empty"},
	} {
		if c.chart.Err == nil || !strings.Contains(c.chart.String(), c.want) {
			t.Errorf("%s: %q, want %q", name, c.chart, c.want)
		}
	}
	if c := HeatMap(arrays.Zeros(3, 3)); c.Err != nil || !strings.Contains(c.SVG(), "<image") {
		t.Errorf("a constant array has no picture: %v", c.Err)
	}
}

func TestGridInATerminal(t *testing.T) {
	got := HeatMap(arrays.FromSlice([]float64{0, 4, 8, 8, 4, 0}, 2, 3), Title("Hill")).String()
	want := `Hill
row
0 │    ▒▒▒▒████│
1 │████▒▒▒▒    │
  └──┬───┬───┬─
     0   1   2
      column
0 (blank) to 8 (█)`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
