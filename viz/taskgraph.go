package viz

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Bounds of a drawn graph, and the sizes of its parts in pixels.
const (
	maxGraphTasks = 24
	maxGraphOps   = 12 // of one task
	taskWidth     = 168
	headerHeight  = 22
	opHeight      = 18
	valueHeight   = 20
)

// TaskGraph draws what an evaluation had to do: a box for each task in the colour of the device that ran it, with the
// operations that were fused into it, and lines from the tasks and arrays that it reads. Hovering over an operation
// tells its operands, over a task its time and the bytes that it read and made.
//
// For example:
//
//	np.Eval((np.Sqrt(x) + 1).Sum())
//	viz.TaskGraph()
func TaskGraph(logs ...*trace.Log) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	if len(logs) > 1 {
		return failed("TaskGraph: draws one log at a time, not %d", len(logs))
	}
	g := logs[0].Graph()
	if g == nil || len(g.Tasks) == 0 {
		return failed("TaskGraph: the log has no tasks: nothing was computed in it")
	}
	left := g.Dropped
	tasks := g.Tasks
	if len(tasks) > maxGraphTasks {
		left += len(tasks) - maxGraphTasks
		tasks = tasks[:maxGraphTasks]
	}
	busy := taskTimes(logs[0], len(tasks))

	d := newDiagram(g, tasks)
	routes, w, h := layered(d.nodes, d.edges, 26, 34)
	p := Panel{bare: true, X: Axis{Max: max(w, 660)}, Y: Axis{Max: h, Down: true}, Height: int(math.Ceil(h))}
	shift := (p.X.Max - w) / 2
	lines := Series{Mark: MarkLine, Color: grey}
	for _, r := range routes {
		for _, pt := range r {
			lines.X, lines.Y = append(lines.X, pt[0]+shift), append(lines.Y, pt[1])
		}
		lines.X, lines.Y = append(lines.X, math.NaN()), append(lines.Y, math.NaN())
	}
	p.Series = append(p.Series, lines)

	colors := deviceColors(g)
	heads, bodies := map[string]*Series{}, map[string]*Series{}
	var devices []string
	values := Series{Name: "array", Mark: MarkBox, Color: paleGrey}
	for i, n := range d.nodes {
		x0, x1 := n.x-n.w/2+shift, n.x+n.w/2+shift
		if d.task[i] < 0 {
			v := d.value[i]
			b := Box{X0: x0, X1: x1, Y0: n.y, Y1: n.y + n.h, Label: d.label[i], Tip: d.tips[i]}
			if v >= 0 {
				values.Boxes = append(values.Boxes, b)
			}
			continue
		}
		t := tasks[d.task[i]]
		if heads[t.Device] == nil {
			c := colors[t.Device]
			devices = append(devices, t.Device)
			heads[t.Device] = &Series{Name: t.Device, Mark: MarkBox, Color: c}
			bodies[t.Device] = &Series{Mark: MarkBox, Color: pale(c)}
		}
		head := t.Name
		if busy[d.task[i]] > 0 {
			head = busy[d.task[i]].String() + "  " + head
		}
		s := heads[t.Device]
		s.Boxes = append(s.Boxes, Box{key: t.Name, X0: x0, X1: x1, Y0: n.y, Y1: n.y + headerHeight, Label: head, Tip: taskTip(g, t, busy[d.task[i]])})
		ops := shownOps(t)
		for k, o := range ops {
			y := n.y + headerHeight + float64(opHeight*k)
			bodies[t.Device].Boxes = append(bodies[t.Device].Boxes, Box{key: t.Name, X0: x0, X1: x1, Y0: y, Y1: y + opHeight, Label: o.label, Tip: o.tip})
		}
	}
	for _, dev := range devices {
		p.Series = append(p.Series, *heads[dev])
		if len(bodies[dev].Boxes) > 0 {
			p.Series = append(p.Series, *bodies[dev])
		}
	}
	if len(values.Boxes) > 0 {
		p.Series = append(p.Series, values)
	}
	p.text = graphText(g, tasks, busy)
	ops := 0
	for _, t := range tasks {
		ops += len(t.Ops)
	}
	c := &Chart{
		terms:    []string{"fusion", "lazy evaluation"},
		Title:    "Tasks of the evaluation",
		Subtitle: fmt.Sprintf("%d operations in %d tasks", ops, len(tasks)),
		Panels:   []Panel{p},
		Notes:    []string{"A box is one task; the operations in it were fused into one kernel, and what is between them never went to memory."},
		logs:     logs,
	}
	if ops == 0 { // of a graph of streams
		c.terms, c.Subtitle = nil, fmt.Sprintf("%d tasks", len(tasks))
		c.Notes = []string{"A box is one operation of a stream; lines lead to those that wait for it."}
	}
	c.Notes = append(c.Notes, modelNote(logs)...)
	if left > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s later tasks are not drawn.", count(left)))
	}
	return c
}

// taskTimes is how long each task's kernels and CPU work took.
func taskTimes(l *trace.Log, n int) []trace.Time {
	out := make([]trace.Time, n)
	for _, e := range l.Events() {
		if e.Task > 0 && e.Task <= n && (e.Kind == trace.Kernel || e.Kind == trace.Host) {
			out[e.Task-1] += e.Duration()
		}
	}
	return out
}

// diagram is a graph as boxes and lines. Of each box, task and value are numbers or -1.
type diagram struct {
	nodes       []layeredNode
	edges       [][2]int
	task, value []int
	label       []string
	tips        [][]string
}

func (d *diagram) add(h float64, task, value int, label string, tip []string) int {
	d.nodes = append(d.nodes, layeredNode{w: taskWidth, h: h})
	d.task, d.value = append(d.task, task), append(d.value, value)
	d.label, d.tips = append(d.label, label), append(d.tips, tip)
	return len(d.nodes) - 1
}

// newDiagram has a box for each array that was there before, for each task, and for each array that was shown.
func newDiagram(g *trace.Graph, tasks []trace.Task) *diagram {
	d := &diagram{}
	from := map[int]int{} // value to box
	for _, t := range tasks {
		for _, v := range t.In {
			if _, ok := from[v]; !ok && g.Values[v].From != "" {
				b := g.Values[v]
				from[v] = d.add(valueHeight, -1, v, byteSize(b.Bytes)+" on "+b.From, []string{"an array of " + byteSize(b.Bytes), "on " + b.From + " before"})
			}
		}
	}
	for i, t := range tasks {
		n := d.add(headerHeight+opHeight*float64(len(shownOps(t))), i, -1, "", nil)
		for _, v := range t.In {
			if b, ok := from[v]; ok && !slices.Contains(d.edges, [2]int{b, n}) {
				d.edges = append(d.edges, [2]int{b, n})
			}
		}
		for _, v := range t.Out {
			from[v] = n
		}
	}
	for v, b := range g.Values {
		if n, ok := from[v]; ok && b.Wanted && b.From == "" {
			d.edges = append(d.edges, [2]int{n, d.add(valueHeight, -1, v, byteSize(b.Bytes)+" to the host", []string{"an array of " + byteSize(b.Bytes), "brought to the host"})})
		}
	}
	return d
}

type shownOp struct {
	label string
	tip   []string
}

// shownOps are the operations of a task's box; of one operation the header says enough.
func shownOps(t trace.Task) (out []shownOp) {
	if len(t.Ops) < 2 {
		return nil
	}
	for i, o := range t.Ops {
		if i == maxGraphOps-1 && len(t.Ops) > maxGraphOps {
			return append(out, shownOp{fmt.Sprintf("… %d more", len(t.Ops)-i), []string{"and more operations"}})
		}
		var args []string
		for _, a := range o.Args {
			switch {
			case a == trace.Constant:
				args = append(args, "a number")
			case a < 0:
				args = append(args, fmt.Sprintf("array %d", ^a))
			default:
				args = append(args, fmt.Sprintf("%s (%d)", t.Ops[a].Name, a+1))
			}
		}
		out = append(out, shownOp{fmt.Sprintf("%d  %s", i+1, o.Name), []string{fmt.Sprintf("operation %d: %s", i+1, o.Name), "of " + strings.Join(args, ", ")}})
	}
	return out
}

func taskTip(g *trace.Graph, t trace.Task, busy trace.Time) []string {
	var in, out int64
	for _, v := range t.In {
		in += g.Values[v].Bytes
	}
	for _, v := range t.Out {
		out += g.Values[v].Bytes
	}
	tip := []string{t.Name, "on " + t.Device, fmt.Sprintf("reads %s, makes %s", byteSize(in), byteSize(out))}
	if busy > 0 {
		tip = append(tip, "runs for "+busy.String())
	}
	if n := len(t.Ops); n > 1 {
		tip = append(tip, fmt.Sprintf("%d operations in one kernel", n))
	}
	return tip
}

func graphText(g *trace.Graph, tasks []trace.Task, busy []trace.Time) []string {
	made := map[int]int{}
	var out []string
	for i, t := range tasks {
		var reads []string
		for _, v := range t.In {
			if by, ok := made[v]; ok {
				reads = append(reads, fmt.Sprintf("task %d", by))
			} else {
				reads = append(reads, fmt.Sprintf("%s on %s", byteSize(g.Values[v].Bytes), or(g.Values[v].From, "host")))
			}
		}
		line := fmt.Sprintf("%d. %s on %s", i+1, t.Name, t.Device)
		if busy[i] > 0 {
			line += ", " + busy[i].String()
		}
		if len(reads) > 0 {
			line += ", reads " + strings.Join(reads, ", ")
		}
		for _, v := range t.Out {
			made[v] = i + 1
			line += ", makes " + byteSize(g.Values[v].Bytes)
			if g.Values[v].Wanted {
				line += " for the host"
			}
		}
		out = append(out, line)
	}
	return out
}

// deviceColors gives each device of the graph its colour: the CPU's work is orange and the first device's kernels are
// green, as in every chart.
func deviceColors(g *trace.Graph) map[string]string {
	out := map[string]string{"host": kindColors[trace.Host]}
	for _, t := range g.Tasks {
		if _, ok := out[t.Device]; !ok {
			out[t.Device] = deviceHues[(len(out)-1)%len(deviceHues)]
		}
	}
	return out
}

// pale is a colour three quarters on its way to white.
func pale(hex string) string {
	c := rgb(hex)
	mix := func(v uint8) uint8 { return uint8(255 - (255-int(v))/4) }
	return hexOf(color.NRGBA{mix(c.R), mix(c.G), mix(c.B), 255})
}
