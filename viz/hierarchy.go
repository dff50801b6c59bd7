package viz

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Hierarchy draws the memories of a machine, the nearest to a thread first: how large each is, and how many cycles a
// load takes that finds its value there. Both axes are logarithmic. A simulated machine tells its own:
//
//	v100, _ := simgpu.PresetByName("v100")
//	viz.Hierarchy("V100", v100.MemoryLevels())
func Hierarchy(machine string, levels []trace.MemoryLevel) *Chart {
	if len(levels) == 0 {
		return failed("Hierarchy: there are no levels")
	}
	var names []string
	bytes, cycles := Series{Name: "size of one", Mark: MarkBox, Color: skyBlue}, Series{Name: "latency", Mark: MarkBox, Color: blue}
	for i, l := range levels {
		names = append(names, l.Name)
		y0, y1 := float64(i)-laneThick/2, float64(i)+laneThick/2
		if l.Bytes > 0 {
			label := byteSize(l.Bytes)
			if l.Copies > 1 {
				label = fmt.Sprintf("%s ×%d", label, l.Copies)
			}
			tip := []string{l.Name, byteSize(l.Bytes)}
			if l.Per != "" {
				tip[1] += " of each " + l.Per
				tip = append(tip, byteSize(l.Bytes*int64(l.Copies))+" in all")
			}
			bytes.Boxes = append(bytes.Boxes, Box{X0: 100, X1: max(float64(l.Bytes), 110), Y0: y0, Y1: y1, Label: label, Tip: tip})
		}
		if l.Cycles > 0 {
			cycles.Boxes = append(cycles.Boxes, Box{X0: 1, X1: max(l.Cycles, 1.1), Y0: y0, Y1: y1, Label: shortNumber(l.Cycles) + " cycles", Tip: []string{l.Name, shortNumber(l.Cycles) + " cycles"}})
		}
	}
	height := laneHeight * len(levels)
	size := Panel{Height: height, X: Axis{Label: "size", Unit: "B", Log: true}, Y: Axis{Categories: names}, Series: []Series{bytes}}
	far := Panel{Height: height, Beside: true, X: Axis{Label: "latency of a load", Unit: "cycles", Log: true}, Y: Axis{Categories: names, Hidden: true}, Series: []Series{cycles}}
	size.X.Min, size.X.Max = 100, 1e12
	far.X.Min, far.X.Max = 1, 1e5
	for _, l := range levels {
		s := l.Name + ": "
		if l.Bytes > 0 {
			s += byteSize(l.Bytes)
			if l.Per != "" {
				s += " of each of " + fmt.Sprint(l.Copies, " ", l.Per, "s")
			}
			s += ", "
		}
		if l.Cycles > 0 {
			s += shortNumber(l.Cycles) + " cycles"
		} else {
			s += "at once"
		}
		size.text = append(size.text, s)
	}
	far.text = []string{}
	return &Chart{Title: "Memories of " + machine, Panels: []Panel{size, far}, terms: []string{"latency", "shared memory", "global memory", "register"},
		Notes: []string{"Figures of the model. Both axes are logarithmic: each step to the right is ten times the size, or ten times the latency."}}
}
