package viz

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg/draw"
)

// dotLabel is a name beside a point.
type dotLabel struct {
	text string
	side string // "right", "left", "top", "bottom": as echarts calls it; "upper right" and the like: at a corner
	tip  []string
	key  string // as that of a Box
}

// at returns where the label of a point at (x, y) in pixels begins, is centred or ends, and its box.
func (l dotLabel) at(x, y float64) (tx, ty float64, align draw.XAlignment, box [4]float64) {
	w := textLength(l.text, textSize-1)
	switch l.side {
	case "left":
		return x - 8, y, -1, [4]float64{x - 8 - w, x - 8, y - 7, y + 7}
	case "top":
		return x, y - 13, -0.5, [4]float64{x - w/2, x + w/2, y - 20, y - 6}
	case "bottom":
		return x, y + 13, -0.5, [4]float64{x - w/2, x + w/2, y + 6, y + 20}
	case "upper right", "upper left", "lower right", "lower left": // of a point in a corner of the plot
		d, begin, align := cornerRise, x+8, draw.XAlignment(0)
		if strings.HasPrefix(l.side, "upper") {
			d = -d
		}
		box := [4]float64{begin, begin + w, y + d - 7, y + d + 7}
		if strings.HasSuffix(l.side, "left") {
			begin, align, box[0], box[1] = x-8, -1, x-8-w, x-8
		}
		return begin, y + d, align, box
	}
	return x + 8, y, 0, [4]float64{x + 8, x + 8 + w, y - 7, y + 7}
}

// labelSides are where a name may be, the best first.
var labelSides = []string{"right", "left", "top", "bottom", "upper right", "upper left", "lower left", "lower right"}

// cornerRise is how far above or below a point the name at its corner is, in pixels; runtime.js has about the same.
const cornerRise = 10.0

// narrowest is the width of a live chart on a page of 400 pixels.
const narrowest = 355

// placeLabels gives each label of a series the first side on which it lies on no other label and no point, and inside
// of the picture, also on a narrow page; else the first on which that holds for the static picture. Where there is none
// it is left out, and the notes have the name.
func (s *Series) placeLabels(g geometry) {
	narrow := g
	narrow.x1 = narrowest - 24
	wide, slim := newLabelRoom(s, g, width), newLabelRoom(s, narrow, narrowest)
	for i := range s.labels {
		l, at := &s.labels[i], ""
		for _, l.side = range labelSides {
			if !wide.free(i) {
				continue
			}
			if at == "" {
				at = l.side
			}
			if slim.free(i) {
				at = l.side
				break
			}
		}
		if l.side = at; at == "" {
			l.side, l.text = "right", ""
			continue
		}
		wide.take(i)
		slim.take(i)
	}
}

// labelRoom is where labels of a series are in a picture of some width: boxes of points, and behind them of labels.
type labelRoom struct {
	s     *Series
	g     geometry
	width float64
	floor float64 // where an axis may be: one of numbers may begin at the least value, a logarithmic one is below
	taken [][4]float64
}

func newLabelRoom(s *Series, g geometry, width float64) *labelRoom {
	r := &labelRoom{s: s, g: g, width: width, floor: g.y0}
	if g.logY {
		r.floor = g.y1
	}
	for i := range s.labels {
		x, y := g.x(s.X[i]), g.y(s.Y[i])
		if finite(y) { // else the point is not drawn
			r.floor = max(r.floor, y)
		}
		r.taken = append(r.taken, [4]float64{x - 4, x + 4, y - 4, y + 4})
	}
	return r
}

func (r *labelRoom) box(i int) [4]float64 {
	_, _, _, box := r.s.labels[i].at(r.g.x(r.s.X[i]), r.g.y(r.s.Y[i]))
	return box
}

// free reports whether label i lies on nothing but its own point, and in the plot, not on its axes.
func (r *labelRoom) free(i int) bool {
	a := r.box(i)
	for k, b := range r.taken {
		if k != i && a[0] < b[1] && b[0] < a[1] && a[2] < b[3] && b[2] < a[3] {
			return false
		}
	}
	return a[0] >= r.g.x0 && a[1] <= r.width-8 && a[2] >= r.g.y0 && a[3] <= min(r.floor, r.g.y1)
}

func (r *labelRoom) take(i int) { r.taken = append(r.taken, r.box(i)) }

// namePoints gives the points of the first series the names of PointNames.
func (c *Chart) namePoints(m Mark) error {
	if c.dotNames == nil {
		return nil
	}
	p := &c.Panels[0]
	s := &p.Series[0]
	if m != MarkPoint || len(c.dotNames) != len(s.X) || len(c.dotNames) > maxNamedPoints {
		return fmt.Errorf("PointNames has %d names for %d points; it is for charts of at most %d points, a name for each", len(c.dotNames), len(s.X), maxNamedPoints)
	}
	var all []string
	for i, name := range c.dotNames {
		said := fmt.Sprintf("%s, %s", number(s.X[i]), number(s.Y[i]))
		all = append(all, fmt.Sprintf("%s (%s)", name, said))
		s.labels = append(s.labels, dotLabel{text: laneTitle(name), tip: []string{name, said}})
	}
	px, py := ranged(p)
	s = &p.Series[0]
	s.placeLabels(geometry{xs: px, ys: py, logX: p.X.Log, logY: p.Y.Log, x0: 60, x1: width - 24, y1: float64(max(p.Height, plotHeight))})
	c.Notes = append(c.Notes, strings.Join(all, "; ")+".")
	return nil
}

const maxNamedPoints = 40

// dotLabels writes the names beside points.
func (p painter) dotLabels(s Series, g geometry) {
	for i, l := range s.labels {
		x, y, align, _ := l.at(g.x(s.X[i]), g.y(s.Y[i]))
		p.text(l.text, x, y, textSize-1, p.ink, align, false)
	}
}

// dotItem is one datum of a scatter with names.
type dotItem struct {
	Name  string   `json:"name"`
	Key   string   `json:"key,omitempty"`
	Value [2]num   `json:"value"`
	Tip   []string `json:"tip,omitempty"`
	Side  string   `json:"side"`
}

func dotItems(s Series) []dotItem {
	out := make([]dotItem, len(s.labels))
	for i, l := range s.labels {
		out[i] = dotItem{l.text, l.key, [2]num{num(s.X[i]), num(s.Y[i])}, l.tip, l.side}
	}
	return out
}

// covers reports whether two values lie so close on a logarithmic axis of so many decades that dots would cover each
// other.
func covers(a, b, decades float64) bool { return math.Abs(math.Log10(a/b)) < 0.012*decades }
