package viz

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// live is the interactive form with what is needed to tell where echarts draws: a linear (or logarithmic) axis from Min
// to Max over each grid.
type live struct {
	Option struct {
		Grid         []struct{ Left, Right, Top, Width, Height string }
		XAxis, YAxis []struct {
			Type      string
			Min, Max  float64
			GridIndex int
			Inverse   bool
			Data      []string
		}
		Series []struct {
			Name, Type, Color, Stack, Step string
			XAxisIndex, YAxisIndex         int
			ItemStyle                      struct{ Color string }
			Data                           []json.RawMessage
		}
	}
	Panels []struct {
		Grid *struct {
			Cols, Rows int
			Box        [4]float64
			Z          []*float64
			RGB        []byte
			Down       bool
		}
		Scale *Scale
		Mesh  *mesh
	}
}

// place returns the pixels of a point in series s of the live chart, at the static picture's width.
func (l *live) place(s int, x, y float64) (px, py float64) {
	sr := l.Option.Series[s]
	g := l.Option.Grid[sr.XAxisIndex]
	n := func(s string) float64 { v, _ := strconv.ParseFloat(s, 64); return v }
	left, top, height := n(g.Left), n(g.Top), n(g.Height)
	w := width - left - n(g.Right)
	if g.Width != "" {
		w = n(g.Width)
	}
	share := func(kind string, lo, hi, v float64, cats int) float64 {
		switch kind {
		case "category":
			return (v + 0.5) / float64(cats)
		case "log":
			return math.Log(v/lo) / math.Log(hi/lo)
		}
		return (v - lo) / (hi - lo)
	}
	ax, ay := l.Option.XAxis[sr.XAxisIndex], l.Option.YAxis[sr.YAxisIndex]
	fx, fy := share(ax.Type, ax.Min, ax.Max, x, len(ax.Data)), share(ay.Type, ay.Min, ay.Max, y, len(ay.Data))
	if !ay.Inverse {
		fy = 1 - fy
	}
	return left + fx*w, top + fy*height
}

// drawn is what an SVG file draws: the points of all paths by colour, and the pictures with their places.
type drawn struct {
	points   map[string]map[[2]int]bool // in fifths of a pixel
	pictures []picture
}

type picture struct {
	x, y, w, h float64
	img        image.Image
}

var (
	pathRE  = regexp.MustCompile(`<path d="([^"]*)" style="([^"]*)"`)
	coordRE = regexp.MustCompile(`(-?[\d.]+),(-?[\d.]+)`)
	colorRE = regexp.MustCompile(`(?:fill|stroke):(#[0-9A-Fa-f]{6})`)
	imageRE = regexp.MustCompile(`<image x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)"[^>]*base64,([^"]*)"`)
)

func readSVG(t *testing.T, svg string) *drawn {
	t.Helper()
	d := &drawn{points: map[string]map[[2]int]bool{}}
	// y counts from the foot
	h, err := strconv.ParseFloat(regexp.MustCompile(`height="(\d+)"`).FindStringSubmatch(svg)[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range pathRE.FindAllStringSubmatch(svg, -1) {
		for _, c := range colorRE.FindAllStringSubmatch(m[2], -1) {
			color := strings.ToUpper(c[1])
			if d.points[color] == nil {
				d.points[color] = map[[2]int]bool{}
			}
			for _, p := range coordRE.FindAllStringSubmatch(m[1], -1) {
				x, _ := strconv.ParseFloat(p[1], 64)
				y, _ := strconv.ParseFloat(p[2], 64)
				d.points[color][[2]int{int(math.Round(5 * x)), int(math.Round(5 * (h - y)))}] = true
			}
		}
	}
	for _, m := range imageRE.FindAllStringSubmatch(svg, -1) {
		var v [4]float64
		for i := range v {
			v[i], _ = strconv.ParseFloat(m[1+i], 64)
		}
		b, err := base64.StdEncoding.DecodeString(m[5])
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		d.pictures = append(d.pictures, picture{v[0], h + v[1], v[2], v[3], img})
	}
	return d
}

// has reports whether a path of the colour goes through the point, within off pixels.
func (d *drawn) has(color string, x, y, off float64) bool {
	n, want := int(math.Ceil(5*off)), rgb(color)
	for name, pts := range d.points {
		c := rgb(name)
		if c.R-want.R+1 > 2 || c.G-want.G+1 > 2 || c.B-want.B+1 > 2 { // gonum rounds colours that are not opaque
			continue
		}
		for i := -n; i <= n; i++ {
			for j := -n; j <= n; j++ {
				if pts[[2]int{int(math.Round(5*x)) + i, int(math.Round(5*y)) + j}] {
					return true
				}
			}
		}
	}
	return false
}

// TestStaticPictureHasTheNumbersOfTheLiveChart: every point, bar, rectangle and cell of the live chart's data is in the
// SVG picture where echarts would draw it, for every kind of chart.
func TestStaticPictureHasTheNumbersOfTheLiveChart(t *testing.T) {
	for i, c := range gallery() {
		t.Run(fmt.Sprint(i, " ", c.Title), func(t *testing.T) {
			var l live
			if err := json.Unmarshal(optionJSON(c), &l); err != nil {
				t.Fatal(err)
			}
			d := readSVG(t, c.SVG())
			checked, bad := 0, 0
			want := func(s int, x, y, off float64) {
				color := l.Option.Series[s].Color
				checked++
				if !d.has(color, x, y, off) {
					if bad++; bad <= 5 {
						t.Errorf("series %q (%s): nothing at %.1f, %.1f", l.Option.Series[s].Name, color, x, y)
					}
				}
			}
			bars, at := map[int]int{}, map[int]int{}
			for _, sr := range l.Option.Series {
				if sr.Type == "bar" {
					bars[sr.XAxisIndex]++
				}
			}
			for s, sr := range l.Option.Series {
				if g := l.Panels[sr.XAxisIndex].Grid; g != nil && sr.Type == "custom" && len(sr.Data) > 0 {
					if l.Panels[sr.XAxisIndex].Mesh == nil {
						checked += wantCells(t, &l, s, d)
					} else {
						checked++ // TestSurfaceProjection
					}
					continue
				}
				for k, raw := range sr.Data {
					switch sr.Type {
					case "line", "scatter":
						var p [2]*float64
						if named := (struct{ Value *[2]*float64 }{&p}); raw[0] == '{' { // a point with a label
							require.NoError(t, json.Unmarshal(raw, &named))
						} else if err := json.Unmarshal(raw, &p); err != nil {
							t.Fatal(err)
						}
						if p[0] != nil && p[1] != nil {
							x, y := l.place(s, *p[0], *p[1])
							want(s, x, y, 0.2)
						}
					case "bar":
						var v *float64
						if err := json.Unmarshal(raw, &v); err != nil {
							t.Fatal(err)
						}
						w := 0.8 / float64(bars[sr.XAxisIndex])
						x, y := l.place(s, float64(k)-0.4+w*float64(at[sr.XAxisIndex]), *v)
						want(s, x, y, 0.2)
					case "custom":
						var b struct{ Value [4]float64 }
						if err := json.Unmarshal(raw, &b); err != nil {
							t.Fatal(err)
						}
						if sr.Stack != "" && b.Value[2] == b.Value[3] {
							continue // a layer of nothing
						}
						off := 0.2
						if sr.Stack != "" {
							off = 0.6 // whole pixels
						}
						x, y := l.place(s, b.Value[0], b.Value[3])
						want(s, x, y, off)
						x1, y := l.place(s, b.Value[1], b.Value[2])
						want(s, max(x1, x+1), y, off) // at least a pixel wide
					}
				}
				if sr.Type == "bar" {
					at[sr.XAxisIndex]++
				}
			}
			if checked == 0 {
				t.Error("nothing was compared")
			}
		})
	}
}

// wantCells compares the middle of each cell of a grid with the picture there.
func wantCells(t *testing.T, l *live, s int, d *drawn) (n int) {
	p := l.Panels[l.Option.Series[s].XAxisIndex]
	g := p.Grid
	bad := 0
	for i := range g.Cols * g.Rows {
		cx := g.Box[0] + (float64(i%g.Cols)+0.5)/float64(g.Cols)*(g.Box[1]-g.Box[0])
		cy := g.Box[2] + (float64(i/g.Cols)+0.5)/float64(g.Rows)*(g.Box[3]-g.Box[2])
		px, py := l.place(s, cx, cy)
		for _, pic := range d.pictures {
			if px < pic.x || px >= pic.x+pic.w || py < pic.y || py >= pic.y+pic.h {
				continue
			}
			b := pic.img.Bounds()
			r, gr, bl, a := pic.img.At(int((px-pic.x)/pic.w*float64(b.Dx())), int((py-pic.y)/pic.h*float64(b.Dy()))).RGBA()
			n++
			if g.RGB == nil && g.Z[i] == nil {
				if a != 0 && bad < 3 {
					bad++
					t.Errorf("cell %d is not empty", i)
				}
				continue
			}
			var want [3]uint8
			if g.RGB != nil {
				copy(want[:], g.RGB[3*i:])
			} else {
				c := p.Scale.colour(*g.Z[i])
				want = [3]uint8{c.R, c.G, c.B}
			}
			for k, v := range []uint32{r, gr, bl} {
				if off := int(v>>8) - int(want[k]); (off > 2 || off < -2) && bad < 3 { // the page has four digits
					bad++
					t.Errorf("cell %d: colour %d is %d, want %d", i, k, v>>8, want[k])
				}
			}
		}
	}
	if n < g.Cols*g.Rows {
		t.Errorf("%d of %d cells lie in a picture", n, g.Cols*g.Rows)
	}
	return n
}
