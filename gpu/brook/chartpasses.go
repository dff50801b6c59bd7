package brook

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/viz"
)

// Pyramid draws what the passes of a reduction read and write: a bar for each, on a scale of powers of ten.
func (p *Plan) Pyramid() *viz.Chart {
	if p == nil || len(p.Passes) == 0 {
		return &viz.Chart{Err: fmt.Errorf("Pyramid: there are no passes: there is an element for each result")}
	}
	panel := viz.Panel{X: viz.Axis{}, Y: viz.Axis{Label: "elements", Log: true}}
	reads := viz.Series{Name: "read", Mark: viz.MarkBar, Color: streamColor}
	writes := viz.Series{Name: "written", Mark: viz.MarkBar, Color: writtenColor}
	for i, pass := range p.Passes {
		name := fmt.Sprintf("pass %d: ÷%d", i+1, pass.Factor)
		if len(p.Passes) > 8 {
			name = fmt.Sprintf("%d: ÷%d", i+1, pass.Factor)
		}
		panel.X.Categories = append(panel.X.Categories, name)
		reads.Y, writes.Y = append(reads.Y, float64(pass.Reads)), append(writes.Y, float64(pass.Writes))
	}
	panel.Series = []viz.Series{reads, writes}
	first := float64(p.Passes[0].Reads)
	return &viz.Chart{
		Title: "The pyramid of a reduction", Subtitle: fmt.Sprintf("%s, by %s: %.3f reads for each element", count(len(p.Passes), "pass"), factors(p), float64(p.Reads())/first),
		Panels: []viz.Panel{panel},
	}
}

// PassBars draws the instructions of kernels for each element, pass by pass: what a pass does first, and what passes
// before it have done too. Give it what [Counts] returns for several numbers of outputs.
//
// For example:
//
//	brook.PassBars(brook.Counts(cloth, particles), brook.With(brook.MaxOutputs(1)).Counts(cloth, particles))
func PassBars(counts ...*Counted) *viz.Chart {
	if len(counts) == 0 {
		return &viz.Chart{Err: fmt.Errorf("PassBars: give it what brook.Counts returns")}
	}
	own := viz.Series{Name: "done first", Mark: viz.MarkBox, Color: kernelColor}
	again := viz.Series{Name: "done again, by a copy of the kernel", Mark: viz.MarkBox, Color: lossColor}
	p := viz.Panel{X: viz.Axis{Label: "loads and instructions for an element"}}
	for y, c := range counts {
		p.Y.Categories = append(p.Y.Categories, fmt.Sprintf("%s, %s", c.Kernel, count(len(c.Passes), "pass")))
		x := 0.0
		for i, pass := range c.Passes {
			all := pass.Loads + pass.Arithmetic
			tip := []string{fmt.Sprintf("pass %d: %s", i+1, strings.Join(pass.Outputs, ", ")), fmt.Sprintf("%d loads, %d instructions", pass.Loads, pass.Arithmetic)}
			box := func(s *viz.Series, n int, label string) {
				if n > 0 {
					s.Boxes = append(s.Boxes, viz.Box{X0: x, X1: x + float64(n) - 0.12, Y0: float64(y) - 0.35, Y1: float64(y) + 0.35, Label: label, Tip: tip})
					x += float64(n)
				}
			}
			box(&own, all-pass.Shared, fmt.Sprint(all-pass.Shared))
			box(&again, pass.Shared, fmt.Sprint(pass.Shared))
		}
		p.X.Max = max(p.X.Max, x)
	}
	p.Height = max(40*len(counts), 60)
	p.Series = []viz.Series{own}
	if len(again.Boxes) > 0 {
		p.Series = append(p.Series, again)
	}
	return &viz.Chart{Title: "Passes of outputs", Subtitle: "what is done for each element, counted as a vector machine does", Panels: []viz.Panel{p}}
}

// factors are those of a plan, in a line.
func factors(p *Plan) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(p.Factors()), " ", ", "), "[]")
}

// Picture draws how a stream of n elements is wrapped over the rows of a texture, with those that a machine with the
// format finds, and those that it takes from another's place, and below it the elements around the first of these.
//
// For example:
//
//	brook.S16E7.Picture(140_000)
func (f AddressFormat) Picture(n int) *viz.Chart {
	edge := f.textureEdge()
	if n < 1 || n > edge*edge {
		return &viz.Chart{Err: fmt.Errorf("Picture: a texture of %d by %d holds 1 to %d elements, not %d", edge, edge, edge*edge, n)}
	}
	right := viz.Series{Name: "found", Mark: viz.MarkBox, Color: kernelColor}
	wrong := viz.Series{Name: "every second or more is at another's place", Mark: viz.MarkBox, Color: wrongColor}
	rows := (n + edge - 1) / edge
	p := viz.Panel{X: viz.Axis{Label: "column of the texture", Max: float64(edge)}, Y: viz.Axis{Label: "row", Down: true, Max: float64(rows)}, Height: 180}
	// A part of the stream as up to three rectangles.
	part := func(s *viz.Series, from, to int, text string) {
		box := func(r0, r1, c0, c1 int) {
			if r1 > r0 && c1 > c0 {
				s.Boxes = append(s.Boxes, viz.Box{X0: float64(c0), X1: float64(c1), Y0: float64(r0), Y1: float64(r1), Tip: []string{text, fmt.Sprintf("elements %d to %d", from, to-1)}})
			}
		}
		r0, c0, r1, c1 := from/edge, from%edge, to/edge, to%edge
		if c0 > 0 {
			last := edge
			if r0 == r1 {
				last = c1
			}
			box(r0, r0+1, c0, last)
			if r0++; r0 > r1 {
				return
			}
		}
		box(r0, r1, 0, edge)
		box(r1, r1+1, 0, c1)
	}
	first := f.FirstWrong(n)
	whole := n
	if first >= 0 {
		whole = first
	}
	part(&right, 0, whole, "found")
	if first >= 0 {
		part(&wrong, first, n, "some are taken from another's place")
	}
	c := &viz.Chart{Title: fmt.Sprintf("%d elements addressed by %v", n, f), Subtitle: fmt.Sprintf("a texture of %d elements a row; floats of %v count to %d", edge, f, 1<<f)}
	p.Series = []viz.Series{right}
	if first < 0 {
		c.Panels = []viz.Panel{p}
		return c
	}
	p.Series = append(p.Series, wrong)
	zoom := viz.Panel{X: viz.Axis{Label: "element"}, Y: viz.Axis{Categories: []string{"is taken from the place of"}}, Height: 40}
	near := [2]viz.Series{{Name: "", Mark: viz.MarkBox, Color: kernelColor}, {Name: "", Mark: viz.MarkBox, Color: wrongColor}}
	from, to := max(first-5, 0), min(first+6, n)
	zoom.X.Min, zoom.X.Max = float64(from)-0.5, float64(to)-0.5
	for i := from; i < to; i++ {
		x, y := f.Place(i, edge)
		at, k := y*edge+x, 0
		if at != i {
			k = 1
		}
		near[k].Boxes = append(near[k].Boxes, viz.Box{X0: float64(i) - 0.46, X1: float64(i) + 0.46, Y0: -0.4, Y1: 0.4, Label: fmt.Sprintf("…%03d", at%1000), Tip: []string{fmt.Sprintf("element %d is looked for in row %d, column %d: the place of %d", i, y, x, at)}})
	}
	for _, s := range near {
		if len(s.Boxes) > 0 {
			zoom.Series = append(zoom.Series, s)
		}
	}
	c.Panels = []viz.Panel{p, zoom}
	c.Notes = []string{fmt.Sprintf("Element %d is the first that is taken from another's place. Calls with brook.Address(%s) refuse streams that are as long.", first, strings.ToUpper(f.String()))}
	return c
}
