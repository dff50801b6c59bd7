package viz

import (
	"fmt"
	"math/bits"
	"sort"
	"strings"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Bounds of what is drawn of a window.
const (
	maxDrawnSlots  = 160
	maxDrawnBlocks = 48
)

// windowed returns the longest kernel of the logs whose name contains name and whose machine kept a window of it.
func windowed(what, name string, logs []*trace.Log) (*trace.Event, []*trace.Log, error) {
	logs, err := logsOrLast(logs)
	if err != nil {
		return nil, nil, err
	}
	var best *trace.Event
	for _, l := range logs {
		for _, e := range l.Kernels() {
			if e.Stats != nil && e.Stats.Detail != nil && e.Stats.Detail.Window != nil && strings.Contains(e.Name, name) && (best == nil || e.Duration() > best.Duration()) {
				best = &e
			}
		}
	}
	if best == nil && name != "" {
		what += fmt.Sprintf("(%q)", name)
	}
	if best == nil {
		return nil, nil, fmt.Errorf("viz: %s: no machine has kept a window of a kernel: launch it on one with simgpu.Window(first, cycles) among "+
			"the options of simgpu.Custom, and simgpu.Full() where launches are large", what)
	}
	return best, logs, nil
}

// Slots draws which lanes the first SM used in each of its issue slots, of the longest kernel of the logs of which a
// window was kept ([github.com/arrayrepl/arrayrepl/simgpu.Window]): a row for each slot, a column for each lane of the
// hardware, green where the instruction that was chosen first uses the lane, blue where one that issued beside it does.
//
// For example:
//
//	np.Use(simgpu.Custom("fermisbi-64", simgpu.WithDivergence(simgpu.SBI{}), simgpu.Window(0, 200)))
//	viz.Slots(gpu.Launch(ways, 8, 64, x, 4).Log())
func Slots(logs ...*trace.Log) *Chart {
	k, logs, err := windowed("Slots", "", logs)
	if err != nil {
		return &Chart{Err: err}
	}
	w, lanes := k.Stats.Detail.Window, max(k.Stats.WarpSize, 1)
	slots := w.Slots[:min(len(w.Slots), maxDrawnSlots)]
	if len(slots) == 0 {
		return failed("Slots: in cycles %d to %d the first SM issued nothing", w.From, w.To-1)
	}
	first := Series{Name: "chosen first", Mark: MarkBox, Color: green}
	second := Series{Name: "beside it", Mark: MarkBox, Color: blue}
	idle := Series{Name: "idle", Mark: MarkBox, Color: restColor}
	used := 0
	var text []string
	for i, s := range slots {
		y0, y1 := float64(i)-0.5, float64(i)+0.5
		used += bits.OnesCount64(s.Lanes | s.Beside.Lanes)
		tip := []string{fmt.Sprintf("slot %d, cycle %d, scheduler %d", i, s.Cycle, s.Scheduler)}
		add := func(to *Series, lanes uint64, what string) {
			for rest := lanes; rest != 0; {
				from := bits.TrailingZeros64(rest)
				n := bits.TrailingZeros64(^(rest >> from))
				to.Boxes = append(to.Boxes, Box{X0: float64(from) - 0.5, X1: float64(from+n) - 0.5, Y0: y0, Y1: y1, Tip: append(tip, what)})
				if from+n >= 64 {
					break
				}
				rest &^= (1<<n - 1) << from
			}
		}
		add(&first, s.Lanes, instructionOf(k.Stats.Detail, s.Issue))
		add(&second, s.Beside.Lanes, instructionOf(k.Stats.Detail, s.Beside))
		all := ^uint64(0) >> (64 - min(lanes, 64))
		add(&idle, all&^(s.Lanes|s.Beside.Lanes), "idle")
		row := make([]byte, lanes)
		for l := range row {
			row[l] = ".#o"[s.Lanes>>l&1+2*(s.Beside.Lanes>>l&1&^(s.Lanes>>l&1))]
		}
		text = append(text, fmt.Sprintf("%6d  %s", s.Cycle, row))
	}
	p := Panel{Height: min(560, max(80, 7*len(slots))), X: Axis{Label: "lane", Min: -0.5, Max: float64(lanes) - 0.5},
		Y: Axis{Label: "slot", Down: true, Min: -0.5, Max: float64(len(slots)) - 0.5}, Series: []Series{first, second, idle},
		text: append([]string{"cycle   lanes: # chosen first, o beside it, . idle"}, text...)}
	if len(second.Boxes) == 0 {
		p.Series = []Series{first, idle}
	}
	c := &Chart{kernel: k.Name, Title: "Issue slots of kernel " + k.Name, logs: logs, terms: []string{"lane", "warp"}, Panels: []Panel{p},
		Subtitle: fmt.Sprintf("%s, the first SM: %s of %s lanes in %d slots, %.0f %%", k.Device, count(used), count(lanes*len(slots)), len(slots),
			100*float64(used)/float64(lanes*len(slots)))}
	if n := len(w.Slots); n > len(slots) {
		c.Notes = append(c.Notes, fmt.Sprintf("Of the window's %d slots the first %d are drawn; simgpu.Window names other cycles.", n, len(slots)))
	}
	c.Notes = append(c.Notes, modelNote(logs)...)
	return c
}

func instructionOf(d *trace.Detail, x trace.Issue) string {
	who := "threads of several warps"
	if x.Warp >= 0 {
		who = fmt.Sprintf("warp %d of block %d", x.Warp, x.Block)
	}
	if x.Line >= 0 && int(x.Line) < len(d.Lines) {
		return who + ": " + d.Lines[x.Line].Text
	}
	return who
}

// ctaColors are those of the states of blocks.
var ctaColors = [trace.NumCTAStates]string{trace.CTAIssuing: green, trace.CTAStalled: blue, trace.CTASwapping: vermillion, trace.CTAPending: grey, trace.CTAReady: yellow}

// CTAs draws what the blocks (CTAs) on the first SM did over time, of the longest kernel of the logs of which a window
// was kept ([github.com/arrayrepl/arrayrepl/simgpu.Window]): a row for each block, and below how many are resident and
// how many have slots, with the limits of both as dashed lines.
//
// For example:
//
//	np.Use(simgpu.Custom("fermivt", simgpu.WithCTAs(simgpu.VT{}), simgpu.Window(0, 20_000)))
//	viz.CTAs(gpu.Launch(reduce, 512, 256, x, sums).Log())
func CTAs(logs ...*trace.Log) *Chart {
	k, logs, err := windowed("CTAs", "", logs)
	if err != nil {
		return &Chart{Err: err}
	}
	w := k.Stats.Detail.Window
	if len(w.Blocks) == 0 {
		return failed("CTAs: in cycles %d to %d the first SM had no block", w.From, w.To-1)
	}
	var rows []int32
	row := map[int32]int{}
	for _, b := range w.Blocks {
		if _, ok := row[b.Block]; !ok {
			row[b.Block] = len(rows)
			rows = append(rows, b.Block)
		}
	}
	drawn := min(len(rows), maxDrawnBlocks)
	top := Panel{Height: max(90, 12*drawn), X: Axis{Min: float64(w.From), Max: float64(w.To), Hidden: true}}
	for _, b := range rows[:drawn] {
		top.Y.Categories = append(top.Y.Categories, fmt.Sprint("block ", b))
		top.lanes = append(top.lanes, fmt.Sprint("block ", b))
	}
	for state := range trace.NumCTAStates {
		s := Series{Name: state.String(), Mark: MarkBox, Color: ctaColors[state]}
		for _, b := range w.Blocks {
			if y := row[b.Block]; b.State == state && y < drawn && b.To > b.From {
				s.Boxes = append(s.Boxes, Box{X0: float64(b.From), X1: float64(b.To), Y0: float64(y) - laneThick/2, Y1: float64(y) + laneThick/2,
					Tip: []string{fmt.Sprintf("block %d: %v", b.Block, state), fmt.Sprintf("cycles %d to %d", b.From, b.To-1)}})
			}
		}
		if len(s.Boxes) > 0 {
			top.Series = append(top.Series, s)
		}
	}
	c := &Chart{kernel: k.Name, Title: "Blocks on the first SM, kernel " + k.Name, Subtitle: launchOf(k), logs: logs, terms: []string{"block", "SM", "latency hiding"},
		Panels: []Panel{top, residence(w)}}
	if len(rows) > drawn {
		c.Notes = append(c.Notes, fmt.Sprintf("Of %d blocks the first %d are drawn; the curves count all.", len(rows), drawn))
	}
	if w.Cut {
		c.Notes = append(c.Notes, "The window had more than is kept: name fewer cycles in simgpu.Window.")
	}
	c.Notes = append(c.Notes, modelNote(logs)...)
	return c
}

// residence draws how many blocks are resident and active over time.
func residence(w *trace.Window) Panel {
	type change struct {
		at               int64
		resident, active int
	}
	var changes []change
	for _, b := range w.Blocks {
		n := change{b.From, 1, 0}
		if b.State < trace.CTAPending {
			n.active = 1
		}
		changes = append(changes, n, change{b.To, -n.resident, -n.active})
	}
	sort.SliceStable(changes, func(i, j int) bool { return changes[i].at < changes[j].at })
	resident := Series{Name: "resident", Color: blue, Step: true}
	active := Series{Name: "with slots", Color: green, Step: true}
	most, sum := w.Resident, change{}
	for i, x := range changes {
		sum.resident, sum.active = sum.resident+x.resident, sum.active+x.active
		if i+1 < len(changes) && changes[i+1].at == x.at {
			continue
		}
		resident.X, resident.Y = append(resident.X, float64(x.at)), append(resident.Y, float64(sum.resident))
		active.X, active.Y = append(active.X, float64(x.at)), append(active.Y, float64(sum.active))
		most = max(most, sum.resident)
	}
	ends := []float64{float64(w.From), float64(w.To)}
	limit := func(name, color string, n int) Series {
		return Series{Name: name, Color: color, X: ends, Y: []float64{float64(n), float64(n)}, Dashed: true}
	}
	return Panel{Height: 110, X: Axis{Label: "time", Unit: "cycles", Min: ends[0], Max: ends[1]}, Y: Axis{Label: "blocks on the SM", Max: float64(most + 1)},
		Series: []Series{resident, active, limit("room for", limitColor, w.Resident), limit("slots for", orange, w.Active)}}
}

// Progress draws how many instructions the threads of the first SM have executed that have not returned, the least and
// the most of them over time, of the longest kernel of the logs of which a window was kept
// ([github.com/arrayrepl/arrayrepl/simgpu.Window]). Where the two part, the policy starves some threads.
//
// For example:
//
//	np.Use(simgpu.Custom("tesla2009", simgpu.WithDivergence(simgpu.DWF{}), simgpu.Window(0, 20_000)))
//	viz.Progress(gpu.Launch(ways, 8, 64, x, 4).Log())
func Progress(logs ...*trace.Log) *Chart {
	k, logs, err := windowed("Progress", "", logs)
	if err != nil {
		return &Chart{Err: err}
	}
	w := k.Stats.Detail.Window
	if len(w.Progress) == 0 {
		return failed("Progress: in cycles %d to %d the first SM had no threads", w.From, w.To-1)
	}
	least, most := Series{Name: "least", Color: vermillion, Step: true}, Series{Name: "most", Color: green, Step: true}
	threads := Series{Name: "threads that live", Color: grey, Step: true}
	gap, at, limit := int64(0), int64(0), 0
	for _, x := range w.Progress {
		least.X, least.Y = append(least.X, float64(x.Cycle)), append(least.Y, float64(x.Least))
		most.X, most.Y = append(most.X, float64(x.Cycle)), append(most.Y, float64(x.Most))
		threads.X, threads.Y = append(threads.X, float64(x.Cycle)), append(threads.Y, float64(x.Threads))
		if x.Most-x.Least > gap {
			gap, at = x.Most-x.Least, x.Cycle
		}
		limit = max(limit, x.Threads)
	}
	x := Axis{Label: "time", Unit: "cycles", Min: float64(w.From), Max: float64(w.To)}
	above := x
	above.Label, above.Unit, above.Hidden = "", "", true
	return &Chart{kernel: k.Name, Title: "Progress of threads, kernel " + k.Name, logs: logs, terms: []string{"warp", "block"},
		Subtitle: fmt.Sprintf("%s, the first SM; the largest gap is %s instructions, in cycle %d", k.Device, count(int(gap)), at),
		Panels: []Panel{{Height: 190, X: above, Y: Axis{Label: "instructions that a thread has executed"}, Series: []Series{least, most}},
			{Height: 80, X: x, Y: Axis{Label: "threads that live", Max: float64(limit + 1)}, Series: []Series{threads}, keys: []Series{threads}}},
		Notes: append([]string{"A thread that starts late, with its block, is behind those of earlier blocks."}, modelNote(logs)...)}
}
