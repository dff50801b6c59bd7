package viz

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// What is drawn of accesses as boxes and lines, and of more as points.
const (
	maxAccessBoxes = 40
	maxAccessLines = 160
	accessBox      = 22.0 // height of a box in pixels, and the least width
	maxAccessBox   = 34.0
	accessGap      = 78.0 // between rows, for the lines
)

// The colours of what threads read and write: reading is blue, as copies in are.
const (
	readColor  = blue
	writeColor = vermillion
)

// Accesses draws which thread of a launch reads and writes which element: gpu.Accesses(kernel, grid, block,
// arguments…) has seen them. Of a small launch it draws threads and elements as boxes, with a line for each access to
// global memory; of a larger one a point for each: the element across, the thread down.
//
// For example:
//
//	viz.Accesses(gpu.Accesses(saxpy, 1, 8, 2.5, x, y))
func Accesses(a *trace.Accesses) *Chart {
	if a == nil || len(a.List) == 0 {
		return failed("Accesses: no thread read or wrote anything")
	}
	c := &Chart{Title: "What the threads of " + a.Kernel + " read and write", Subtitle: fmt.Sprintf("grid %s, block %s", dims(a.Grid), dims(a.Block)),
		terms: []string{"thread", "global memory", "coalescing"}}
	if !c.boxes(a) {
		c.points(a)
	}
	shared := 0
	for _, x := range a.List {
		if a.Arrays[x.Array].Shared {
			shared++
		}
	}
	c.Notes = append(c.Notes, "Accesses are counted, in a run on the CPU.")
	if shared > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s accesses to shared memory are not drawn.", count(shared)))
	}
	if a.Cut {
		c.Notes = append(c.Notes, fmt.Sprintf("Only the first %s accesses were kept.", count(len(a.List))))
	}
	if a.Failed != "" {
		c.Notes = append(c.Notes, "The run ended early: "+a.Failed)
	}
	return c
}

// ThreadName says which thread made an access: "thread 3 of block 1", with two or three indices where the launch has
// them.
func ThreadName(a *trace.Accesses, x trace.Access) string {
	block, thread := a.Place(x)
	index := func(at, size [3]int) string {
		switch {
		case size[2] > 1:
			return fmt.Sprintf("(%d, %d, %d)", at[0], at[1], at[2])
		case size[1] > 1:
			return fmt.Sprintf("(%d, %d)", at[0], at[1])
		}
		return fmt.Sprint(at[0])
	}
	return "thread " + index(thread, a.Block) + " of block " + index(block, a.Grid)
}

// globalThread numbers threads block after block.
func globalThread(a *trace.Accesses, x trace.Access) int {
	return int(x.Block)*max(a.Block[0], 1)*max(a.Block[1], 1)*max(a.Block[2], 1) + int(x.Thread)
}

// accessRow is a row of boxes: elements of an array.
type accessRow struct {
	array int
	y     float64
	boxes []Box
}

// boxes draws a small launch: what is read above the threads, what is written below.
func (c *Chart) boxes(a *trace.Accesses) bool {
	perBlock := max(a.Block[0], 1) * max(a.Block[1], 1) * max(a.Block[2], 1)
	threads := perBlock * max(a.Grid[0], 1) * max(a.Grid[1], 1) * max(a.Grid[2], 1)
	read, written, lines := map[int]bool{}, map[int]bool{}, map[[4]int]bool{}
	for _, x := range a.List {
		k := int(x.Array)
		if a.Arrays[k].Shared {
			continue
		}
		if a.Arrays[k].Len > maxAccessBoxes {
			return false
		}
		read[k], written[k] = read[k] || x.Reads, written[k] || x.Writes
		for kind, is := range []bool{x.Reads, x.Writes} {
			if is {
				lines[[4]int{kind, globalThread(a, x), k, int(x.Index)}] = true
			}
		}
	}
	if threads > maxAccessBoxes || len(lines) > maxAccessLines || len(lines) == 0 {
		return false
	}
	name := 0.0
	for _, k := range a.Arrays {
		name = max(name, textLength(k.Name, textSize)+14)
	}
	name = max(name, textLength("threads", textSize))
	name = max(name, min(3*name, 240)) + 14 // on a narrow page boxes shrink, and texts do not
	widest := float64(threads) + float64(threads/perBlock-1)*0.5
	for k := range a.Arrays {
		if read[k] || written[k] {
			widest = max(widest, float64(a.Arrays[k].Len))
		}
	}
	wide := min(max((650-name)/widest, accessBox), maxAccessBox)
	total := max(660, name+widest*wide+10)
	names := Series{Mark: MarkBox, Color: restColor}
	y := 0.0
	label := func(s string) {
		names.Boxes = append(names.Boxes, Box{X0: 0, X1: name - 4, Y0: y, Y1: y + accessBox, Label: s, Tip: []string{s}})
	}
	center := func(n float64) float64 { return name + (total-name-n*wide)/2 }
	row := func(k int, what string) accessRow {
		r := accessRow{array: k, y: y}
		label(a.Arrays[k].Name)
		from := center(float64(a.Arrays[k].Len))
		for i := range a.Arrays[k].Len {
			r.boxes = append(r.boxes, Box{X0: from + float64(i)*wide, X1: from + float64(i+1)*wide - 2, Y0: y, Y1: y + accessBox, Label: fmt.Sprint(i),
				Tip: []string{fmt.Sprintf("%s[%d]", a.Arrays[k].Name, i), what}})
		}
		return r
	}
	var above, below []accessRow
	for k := range a.Arrays {
		if read[k] {
			above = append(above, row(k, "read"))
			y += accessBox + 10
		}
	}
	y += accessGap - 10
	middle := y
	label("threads")
	ofThreads := []*Series{{Name: "threads of a block", Mark: MarkBox, Color: green}, {Name: "of the next", Mark: MarkBox, Color: pale(green)}}
	at := make([]Box, threads)
	from := center(widestThreads(threads, perBlock))
	for t := range threads {
		block := t / perBlock
		x0 := from + (float64(t)+0.5*float64(block))*wide
		at[t] = Box{X0: x0, X1: x0 + wide - 2, Y0: y, Y1: y + accessBox, Label: fmt.Sprint(t % perBlock),
			Tip: []string{ThreadName(a, trace.Access{Block: int32(block), Thread: int32(t % perBlock)})}}
		s := ofThreads[block%2]
		s.Boxes = append(s.Boxes, at[t])
	}
	y += accessBox + accessGap
	for k := range a.Arrays {
		if written[k] {
			below = append(below, row(k, "written"))
			y += accessBox + 10
		}
	}
	elements := Series{Name: "elements", Mark: MarkBox, Color: paleGrey}
	reads, writes := Series{Name: "reads", Mark: MarkLine, Color: readColor}, Series{Name: "writes", Mark: MarkLine, Color: writeColor}
	for _, rows := range [][]accessRow{above, below} {
		for _, r := range rows {
			elements.Boxes = append(elements.Boxes, r.boxes...)
		}
	}
	mid := func(b Box) float64 { return (b.X0 + b.X1) / 2 }
	join := func(s *Series, x0, y0, x1, y1 float64) {
		s.X, s.Y = append(s.X, x0, x1, math.NaN()), append(s.Y, y0, y1, math.NaN())
	}
	seen := map[[4]int]bool{}
	for _, x := range a.List { // in their order, so that pictures are the same each time
		t := globalThread(a, x)
		for kind, rows := range [][]accessRow{above, below} {
			key := [4]int{kind, t, int(x.Array), int(x.Index)}
			if !lines[key] || seen[key] || kind == 0 && !x.Reads || kind == 1 && !x.Writes {
				continue
			}
			seen[key] = true
			for _, r := range rows {
				if r.array != int(x.Array) {
					continue
				}
				if kind == 0 {
					join(&reads, mid(r.boxes[x.Index]), r.y+accessBox, mid(at[t]), middle)
				} else {
					join(&writes, mid(at[t]), middle+accessBox, mid(r.boxes[x.Index]), r.y)
				}
			}
		}
	}
	p := Panel{bare: true, X: Axis{Max: total}, Y: Axis{Max: y, Down: true}, Height: int(math.Ceil(y)), text: accessText(a)}
	for _, s := range []Series{reads, writes} {
		if len(s.X) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	p.Series = append(p.Series, *ofThreads[0])
	if len(ofThreads[1].Boxes) > 0 {
		p.Series = append(p.Series, *ofThreads[1])
	}
	p.Series = append(p.Series, elements, names)
	c.Panels = []Panel{p}
	return true
}

func widestThreads(threads, perBlock int) float64 {
	return float64(threads) + 0.5*float64(threads/perBlock-1)
}

// accessText says what each thread does.
func accessText(a *trace.Accesses) (lines []string) {
	type doing struct{ reads, writes []string }
	of, order := map[int]*doing{}, []int{}
	for _, x := range a.List {
		if a.Arrays[x.Array].Shared {
			continue
		}
		t := globalThread(a, x)
		if of[t] == nil {
			of[t] = &doing{}
			order = append(order, t)
			lines = append(lines, ThreadName(a, x))
		}
		what := fmt.Sprintf("%s[%d]", a.Arrays[x.Array].Name, x.Index)
		if x.Reads && !slices.Contains(of[t].reads, what) {
			of[t].reads = append(of[t].reads, what)
		}
		if x.Writes && !slices.Contains(of[t].writes, what) {
			of[t].writes = append(of[t].writes, what)
		}
	}
	for i, t := range order {
		var parts []string
		if r := of[t].reads; len(r) > 0 {
			parts = append(parts, "reads "+strings.Join(r, ", "))
		}
		if w := of[t].writes; len(w) > 0 {
			parts = append(parts, "writes "+strings.Join(w, ", "))
		}
		lines[i] += " " + strings.Join(parts, "; ")
	}
	return lines
}

// points draws a larger launch: a panel for each array, the element across and the thread down.
func (c *Chart) points(a *trace.Accesses) {
	for k, array := range a.Arrays {
		if array.Shared {
			continue
		}
		reads, writes := Series{Name: "read", Mark: MarkPoint, Color: readColor}, Series{Name: "written", Mark: MarkPoint, Color: writeColor}
		seen := map[[3]int]bool{}
		for _, x := range a.List {
			if int(x.Array) != k {
				continue
			}
			for kind, s := range []*Series{&reads, &writes} {
				key := [3]int{kind, globalThread(a, x), int(x.Index)}
				if kind == 0 && !x.Reads || kind == 1 && !x.Writes || seen[key] {
					continue
				}
				seen[key] = true
				s.X, s.Y = append(s.X, float64(key[2])), append(s.Y, float64(key[1]))
			}
		}
		p := Panel{X: Axis{Label: "element of " + array.Name}, Y: Axis{Label: "thread", Down: true}, Height: 160}
		for _, s := range []Series{reads, writes} {
			if len(s.X) > 0 {
				step := (len(s.X) + maxScatter - 1) / maxScatter
				few := s
				few.X, few.Y = nil, nil
				for i := 0; i < len(s.X); i += step {
					few.X, few.Y = append(few.X, s.X[i]), append(few.Y, s.Y[i])
				}
				if step > 1 {
					c.Notes = append(c.Notes, fmt.Sprintf("Of %s accesses to %s one in %d is drawn (%s).", count(len(s.X)), array.Name, step, s.Name))
				}
				p.Series = append(p.Series, few)
			}
		}
		if len(p.Series) == 1 { // the legend says all the same what its colour means
			p.keys = []Series{p.Series[0]}
			p.keys[0].X, p.keys[0].Y = nil, nil
		}
		if len(p.Series) > 0 {
			c.Panels = append(c.Panels, p)
		}
	}
}
