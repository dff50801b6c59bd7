package dp

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/kernel/display"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/viz"
)

// The colours of Okabe and Ito that package viz has for the same: work is green as kernels are, what rests is light.
const (
	workColor, restColor, linkColor, lossColor = "#009E73", "#E4E4E4", "#8C8C8C", "#D55E00"
)

// groupColors tell neighbouring segments, tokens and regions apart.
var groupColors = []string{"#56B4E9", "#E69F00", "#CC79A7", "#F0E442"}

// MIMEBundle shows the rounds as their chart, whose text is that of String.
func (r *Rounds) MIMEBundle() display.Bundle {
	b := r.Chart().MIMEBundle()
	b.Data[display.TypeText] = r.String()
	return b
}

// Chart draws a row of processors for each round, what each has in its cell, those that work green, and an arrow for
// each message, from where its sender stands before the round to where it arrives, or of questions for the answer:
// figures 1, 2, 5 and 6 of the paper.
func (r *Rounds) Chart() *viz.Chart { return r.Upto(len(r.Messages)) }

// Upto is the chart of the first rounds, for those that are shown one after the other.
func (r *Rounds) Upto(rounds int) *viz.Chart {
	shape := r.Values.Shape()
	if rounds < 0 || rounds >= shape[0] {
		check("dp.Rounds.Upto", fmt.Errorf("there are %d rounds; give a number from 0 to that, not %d", shape[0]-1, rounds))
	}
	values, work := r.Values.Float64s(), r.Work.Float64s()
	n := shape[1]
	const half = 0.24 // of a cell's height; the rest is for arrows
	at, idle, arrows := viz.Series{Name: "at work", Mark: viz.MarkBox, Color: workColor}, viz.Series{Name: "idle", Mark: viz.MarkBox, Color: restColor}, viz.Series{Name: "message", Mark: viz.MarkLine, Color: linkColor}
	for i := range rounds + 1 {
		for k := range n {
			s := &idle
			if work[i*n+k] != 0 {
				s = &at
			}
			label := shortest(values[i*n+k])
			s.Boxes = append(s.Boxes, viz.Box{X0: float64(k) - 0.45, X1: float64(k) + 0.45, Y0: float64(i) - half, Y1: float64(i) + half, Label: label,
				Tip: []string{fmt.Sprintf("round %d, processor %d: %s", i, k, label)}})
		}
		if i == 0 {
			continue
		}
		for _, m := range r.Messages[i-1] {
			if r.asks {
				m[0], m[1] = m[1], m[0]
			}
			arrow(&arrows, float64(m[0]), float64(i-1)+half, float64(m[1]), float64(i)-half)
		}
	}
	p := viz.Panel{Height: min(520, 46*shape[0]), X: viz.Axis{Label: "processor", Min: -0.5, Max: float64(n) - 0.5}, Y: viz.Axis{Label: "round", Down: true, Min: -0.4, Max: float64(shape[0]) - 0.6}}
	for _, s := range []viz.Series{arrows, at, idle} {
		if len(s.Boxes)+len(s.X) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	return &viz.Chart{Title: r.title, Panels: []viz.Panel{p}, Subtitle: fmt.Sprintf("%d of %d rounds", rounds, shape[0]-1)}
}

// shortest writes a number that a cell has.
func shortest(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// Chart draws how many processors work in each round, and beside it how many rest, who are there all the same.
func (r *Report) Chart() *viz.Chart {
	var names []string
	var active, rest []float64
	for _, s := range r.Steps {
		for _, k := range s.Active {
			names = append(names, strconv.Itoa(len(names)+1))
			active, rest = append(active, float64(k)), append(rest, float64(max(s.Size-k, 0)))
		}
	}
	if len(names) == 0 || len(names) > 400 {
		check("dp.Report.Chart", fmt.Errorf("%s has %d rounds; 1 to 400 are drawn", r.Verb, len(names)))
	}
	c := viz.Bar(names, active, viz.Name("at work"), viz.Title("Processors in each round of "+r.Verb), viz.XLabel("round"), viz.YLabel("processors")).Add(names, rest, "idle")
	if c.Err == nil {
		c.Panels[0].Series[0].Color, c.Panels[0].Series[1].Color = workColor, linkColor
	}
	return c
}

// Chart draws arrays of the segments' elements, a row for each, in a colour for each segment and the next: heads have
// an edge on their left. At most 64 elements are drawn.
//
// For example:
//
//	s := dp.Heads([]int{1, 0, 1, 0, 0})
//	s.Chart(x, dp.SegScan(dp.Sum, x, s))
func (s *Segments) Chart(rows ...any) *viz.Chart {
	const name = "dp.Segments.Chart"
	if len(rows) == 0 {
		check(name, fmt.Errorf("nothing is given to draw; give an array for each row"))
	}
	var heads []bool
	p := viz.Panel{X: viz.Axis{Label: "element"}, Y: viz.Axis{Label: "array", Down: true, Min: -0.5, Max: float64(len(rows)) - 0.5}, Height: 40 + 34*len(rows)}
	colors := make([]viz.Series, len(groupColors))
	edges := viz.Series{Name: "head", Mark: viz.MarkLine, Color: lossColor}
	for i, row := range rows {
		a := array(name, row)
		of := s.of(name, a)
		if a.Size() == 0 || a.Size() > mostShown {
			check(name, fmt.Errorf("there are %d elements; 1 to %d are drawn", a.Size(), mostShown))
		}
		if heads == nil {
			for _, b := range of.Array().Copy().Bytes() {
				heads = append(heads, b != 0)
			}
		}
		segment := 0
		for k, v := range a.AsType(np.Float64).Float64s() {
			if heads[k] || k == 0 {
				segment += min(k, 1)
				edges.X, edges.Y = append(edges.X, float64(k)-0.5, float64(k)-0.5, math.NaN()), append(edges.Y, float64(i)-0.42, float64(i)+0.42, math.NaN())
			}
			c := &colors[segment%len(colors)]
			c.Mark, c.Color = viz.MarkBox, groupColors[segment%len(colors)]
			c.Boxes = append(c.Boxes, viz.Box{X0: float64(k) - 0.5, X1: float64(k) + 0.5, Y0: float64(i) - 0.4, Y1: float64(i) + 0.4, Label: shortest(v),
				Tip: []string{fmt.Sprintf("element %d of segment %d: %s", k, segment, shortest(v))}})
		}
		p.X.Min, p.X.Max = -0.5, float64(a.Size())-0.5
	}
	for _, c := range colors {
		if len(c.Boxes) > 0 {
			p.Series = append(p.Series, c)
		}
	}
	p.Series = append(p.Series, edges)
	return &viz.Chart{Title: "Segments", Panels: []viz.Panel{p}}
}

// Chart draws the automaton on the text: a column for each character, which is the function that all characters up to
// it are together, with the state that each state becomes; the row of the first state is what is read, in a colour for
// each token. Texts of at most 64 characters are drawn.
func (x *Lexed) Chart() *viz.Chart {
	if len(x.composed) == 0 {
		check("dp.Lexed.Chart", fmt.Errorf("the text has %d characters; 1 to %d are drawn", len(x.Text), mostShown))
	}
	states := x.table.States
	rest := viz.Series{Name: "from other states", Mark: viz.MarkBox, Color: restColor}
	blank := viz.Series{Name: "between tokens", Mark: viz.MarkBox, Color: linkColor}
	tokens := make([]viz.Series, len(groupColors))
	token := -1
	for k, f := range x.composed {
		now := states[f&(maxStates-1)]
		if strings.IndexByte(x.table.Begin, now) >= 0 {
			token++
		}
		for s := range len(states) {
			b := viz.Box{X0: float64(k) - 0.5, X1: float64(k) + 0.5, Y0: float64(s) - 0.45, Y1: float64(s) + 0.45, Label: string(states[f>>(4*s)&(maxStates-1)])}
			b.Tip = []string{fmt.Sprintf("from %c, characters 0 to %d lead to %s", states[s], k, b.Label)}
			switch {
			case s > 0:
				rest.Boxes = append(rest.Boxes, b)
			case token < 0 || strings.IndexByte(x.table.Blank, now) >= 0:
				blank.Boxes = append(blank.Boxes, b)
			default:
				c := &tokens[token%len(tokens)]
				c.Mark, c.Color = viz.MarkBox, groupColors[token%len(tokens)]
				c.Boxes = append(c.Boxes, b)
			}
		}
	}
	p := viz.Panel{Height: 40 + 22*len(states), X: viz.Axis{Label: "character", Min: -0.5, Max: float64(len(x.composed)) - 0.5}, Y: viz.Axis{Label: "state before", Down: true, Min: -0.5, Max: float64(len(states)) - 0.5, Step: 1}}
	for k := range len(x.Text) {
		p.X.Names = append(p.X.Names, x.Text[k:k+1])
	}
	for s := range len(states) {
		p.Y.Names = append(p.Y.Names, states[s:s+1])
	}
	p.X.Step = 1
	for _, s := range append(tokens, blank, rest) {
		if len(s.Boxes) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	return &viz.Chart{Title: "What all characters up to each make of each state", Panels: []viz.Panel{p}}
}

// mostCracks is how large the pictures are that LabelChart draws.
const mostCracks = 1 << 14

// LabelChart draws labels that [Label] has returned, a colour for each region, with the cracks between pixels of
// different value, which are the rings that dp.Rings goes around. Pictures of at most 16,384 pixels are drawn.
func LabelChart(labels *np.Array) *viz.Chart {
	const name = "dp.LabelChart"
	a := array(name, labels)
	if a.NDim() != 2 || a.Size() == 0 || a.Size() > mostCracks {
		check(name, fmt.Errorf("the labels have shape %v; pictures of 1 to %d pixels are drawn", a.Shape(), mostCracks))
	}
	h, w := a.Shape()[0], a.Shape()[1]
	label := a.Reshape(-1).Ints()
	regions := slices.Compact(slices.Sorted(slices.Values(label)))
	shade := make([]float64, len(label)) // neighbours in order get colours that are apart
	for i, l := range label {
		k, _ := slices.BinarySearch(regions, l)
		shade[i] = math.Mod(float64(k)*0.618034, 1)
	}
	c := viz.HeatMap(np.FromSlice(shade).Reshape(h, w), viz.Title(fmt.Sprintf("%d regions and their cracks", len(regions))), viz.ScaleLabel("a colour for each region"))
	if c.Err != nil {
		return c
	}
	cracks := viz.Series{Name: "crack", Mark: viz.MarkLine, Color: lossColor}
	line := func(x0, y0, x1, y1 int) {
		cracks.X, cracks.Y = append(cracks.X, float64(x0)-0.5, float64(x1)-0.5, math.NaN()), append(cracks.Y, float64(y0)-0.5, float64(y1)-0.5, math.NaN())
	}
	for y := range h + 1 {
		for x := range w + 1 {
			if x < w && (y == 0 || y == h || label[y*w+x] != label[(y-1)*w+x]) {
				line(x, y, x+1, y)
			}
			if y < h && (x == 0 || x == w || label[y*w+x] != label[y*w+x-1]) {
				line(x, y, x, y+1)
			}
		}
	}
	p := &c.Panels[0]
	p.Series = append(p.Series, cracks)
	return c
}

// arrow adds a line with a head.
func arrow(s *viz.Series, x0, y0, x1, y1 float64) {
	const wing, back = 0.09, 0.09
	gap := math.NaN()
	s.X = append(s.X, x0, x1, gap, x1-wing, x1, x1+wing, gap)
	s.Y = append(s.Y, y0, y1, gap, y1-back, y1, y1-back, gap)
}
