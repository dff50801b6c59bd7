package ski

import (
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/viz"
)

// mostDrawn is how many pairs a graph has that is kept to be drawn, and mostKept after how many passes.
const mostDrawn, mostKept = 64, 64

// graph is the pairs that the root leads to after a pass: what each applies to what, atoms as numbers from 0, pair k as
// base+k.
type graph struct {
	left, right []int
	root, base  int
}

// keep adds the graph as it is now, if it is small.
func (r *Result) keep(m *machine) {
	if len(r.graphs) == r.Passes && r.Passes <= mostKept && m.n-m.pool.Free() <= mostDrawn {
		r.graphs = append(r.graphs, graph{m.left.Ints(), m.right.Ints(), m.root, m.base})
	}
}

// Graph draws the pairs after so many passes, 0 for the expression as it is given: a box for each application, with a
// line to the function on its left and to the argument on its right. What is used in several places is drawn once. It
// panics with *Error for passes after which there were more than 64 pairs, or more passes than 64.
func (r *Result) Graph(pass int) *viz.Chart {
	if pass < 0 || pass >= len(r.graphs) {
		panic(&Error{Op: "ski.Result.Graph", Msg: fmt.Sprintf("there is no graph after %d passes: %d are kept, from 0 on, of up to %d pairs", pass, len(r.graphs), mostDrawn)})
	}
	g := r.graphs[pass]
	top := g.base + g.root
	if g.left[g.root] == atomI {
		top = g.right[g.root]
	}
	// Each pair lies below all that use it.
	depth, state := map[int]int{}, map[int]int{}
	var order []int
	var walk func(v int)
	walk = func(v int) {
		if v < g.base || state[v] > 0 {
			return
		}
		state[v] = 1
		walk(g.left[v-g.base])
		walk(g.right[v-g.base])
		order = append(order, v)
	}
	walk(top)
	deepest := 0
	for i := len(order) - 1; i >= 0; i-- {
		v := order[i]
		for _, c := range []int{g.left[v-g.base], g.right[v-g.base]} {
			depth[c] = max(depth[c], depth[v]+1)
			deepest = max(deepest, depth[c])
		}
	}
	atoms := map[string]*viz.Series{}
	for name, color := range map[string]string{"S": "#D55E00", "K": "#0072B2", "I": "#CC79A7", "": "#C4C4C4"} {
		atoms[name] = &viz.Series{Name: name, Mark: viz.MarkBox, Color: color}
	}
	atoms[""].Name = "name"
	pairs, lines := viz.Series{Name: "application", Mark: viz.MarkBox, Color: "#009E73"}, viz.Series{Mark: viz.MarkLine, Color: "#8C8C8C"}
	const half = 0.3
	next, placed := 0.0, map[int]float64{}
	link := func(x0, y0, x1, y1 float64) {
		lines.X, lines.Y = append(lines.X, x0, x1, math.NaN()), append(lines.Y, y0+half, y1-half, math.NaN())
	}
	var place func(v, level int) (x float64, y int)
	place = func(v, level int) (float64, int) {
		if v < g.base { // an atom is drawn where it is used
			x := next
			next++
			name := r.names[v]
			s := atoms[name]
			if s == nil {
				s = atoms[""]
			}
			s.Boxes = append(s.Boxes, viz.Box{X0: x - 0.4, X1: x + 0.4, Y0: float64(level) - half, Y1: float64(level) + half, Label: name, Tip: []string{name}})
			return x, level
		}
		if x, is := placed[v]; is {
			return x, depth[v]
		}
		y := depth[v]
		a, ya := place(g.left[v-g.base], y+1)
		b, yb := place(g.right[v-g.base], y+1)
		x := (a + b) / 2
		placed[v] = x
		pairs.Boxes = append(pairs.Boxes, viz.Box{X0: x - 0.3, X1: x + 0.3, Y0: float64(y) - half, Y1: float64(y) + half, Label: "·", Tip: []string{fmt.Sprintf("pair %d", v-g.base)}})
		link(x, float64(y), a, float64(ya))
		link(x, float64(y), b, float64(yb))
		return x, y
	}
	place(top, 0)
	p := viz.Panel{Height: 60 + 34*(deepest+1), X: viz.Axis{Hidden: true, Min: -0.6, Max: max(next, 1) - 0.4}, Y: viz.Axis{Label: "depth", Down: true, Min: -0.5, Max: float64(deepest) + 0.5}}
	for _, s := range []viz.Series{lines, pairs, *atoms["S"], *atoms["K"], *atoms["I"], *atoms[""]} {
		if len(s.Boxes)+len(s.X) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	title := "The expression"
	if pass > 0 {
		title = fmt.Sprintf("After pass %d", pass)
	}
	return &viz.Chart{Title: title, Subtitle: fmt.Sprintf("%d applications", len(order)), Panels: []viz.Panel{p}}
}
