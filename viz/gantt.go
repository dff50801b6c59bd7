package viz

import (
	"fmt"
	"sort"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Gantt draws when each thread block of the longest kernel of the logs (by default: of the last evaluation) ran on
// which SM. Blocks that an SM holds at a time lie one below the other in its lane. A ragged right edge is the tail: SMs
// that wait for the last blocks. [GanttOf] draws another kernel.
//
// For example:
//
//	viz.Gantt(gpu.Launch(saxpy, 11, 96, 2.5, x, y).Log())
func Gantt(logs ...*trace.Log) *Chart { return GanttOf("", logs...) }

// GanttOf is [Gantt] of the longest kernel whose name contains name.
func GanttOf(name string, logs ...*trace.Log) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	k, others, err := pickDetail("Gantt", "GanttOf", name, logs, func(d *trace.Detail) bool { return endOf(d.Blocks) > 0 })
	if err != nil {
		return &Chart{Err: err}
	}
	d := k.Stats.Detail
	end := endOf(d.Blocks)
	u := unitFor(end)
	lanes := lanesOf(d)
	p := Panel{X: Axis{Label: "time from the first block" + times(k), Unit: u.name, Max: u.in(end)}, Height: ganttHeight(lanes)}
	first := Series{Name: "blocks of the first wave", Mark: MarkBox, Color: issueColors[4]}
	later := Series{Name: "later blocks", Mark: MarkBox, Color: green}
	for lane, l := range lanes {
		p.Y.Categories = append(p.Y.Categories, fmt.Sprintf("SM %d", l.sm))
		busy := trace.Time(0)
		for i, b := range l.blocks {
			h := laneThick / float64(l.slots)
			y := float64(lane) - laneThick/2 + h*float64(l.slot[i])
			s := &later
			if b.Start == 0 {
				s = &first
			}
			s.Boxes = append(s.Boxes, Box{X0: u.in(b.Start), X1: u.in(b.End), Y0: y, Y1: y + 0.94*h, Label: label(fmt.Sprint(b.Block), l.slots == 1),
				Tip: []string{fmt.Sprintf("block %d on SM %d", b.Block, b.SM), fmt.Sprintf("%s, from %s to %s", b.End-b.Start, b.Start, b.End)}})
			busy = max(busy, b.End)
		}
		p.lanes = append(p.lanes, blocksOf(len(l.blocks))+lastEnds(busy))
	}
	for _, s := range []Series{first, later} {
		if len(s.Boxes) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	c := &Chart{
		kernel:   k.Name,
		terms:    []string{"block", "SM", "load imbalance", "wave quantisation"},
		Title:    "Blocks of kernel " + k.Name + " on the SMs",
		Subtitle: launchOf(k),
		Panels:   []Panel{p},
		Notes:    []string{fmt.Sprintf("An SM holds %s of this kernel at a time. After its last block an SM waits for the others for %.0f %% of the time, on average.", blocksOf(k.Stats.ResidentBlocks), 100*tailOf(d, end))},
		logs:     logs,
	}
	if k.Stats.SampledBlocks < k.Stats.TotalBlocks {
		c.Notes = append(c.Notes, fmt.Sprintf("A sample: the model ran %s of %s blocks on %d SMs, and scaled down what SMs share (L2, memory) in proportion. The blocks in between are left out, so the time is shorter than the kernel's.",
			count(len(d.Blocks)), count(k.Stats.TotalBlocks), d.SMs))
	}
	if len(lanes) < d.SMs {
		c.Notes = append(c.Notes, fmt.Sprintf("%d of %d SMs are drawn.", len(lanes), d.SMs))
	}
	if others != "" {
		c.Notes = append(c.Notes, others)
	}
	return c
}

func blocksOf(n int) string {
	if n == 1 {
		return "1 block"
	}
	return fmt.Sprintf("%d blocks", n)
}

func lastEnds(at trace.Time) string {
	if at == 0 {
		return ""
	}
	return ", the last ends at " + at.String()
}

func label(s string, fits bool) string {
	if fits {
		return s
	}
	return ""
}

// endOf is when the last of the blocks ended.
func endOf(blocks []trace.BlockRun) (end trace.Time) {
	for _, b := range blocks {
		end = max(end, b.End)
	}
	return end
}

// tailOf is the share of the time of the SMs that lies after each one's last block.
func tailOf(d *trace.Detail, end trace.Time) float64 {
	last := map[int32]trace.Time{}
	for _, b := range d.Blocks {
		last[b.SM] = max(last[b.SM], b.End)
	}
	idle := trace.Time(0)
	for _, t := range last {
		idle += end - t
	}
	return idle.Seconds() / (end.Seconds() * float64(len(last)))
}

// smLane is the blocks of one SM, each in a slot of its own among those that run at the same time.
type smLane struct {
	sm     int32
	blocks []trace.BlockRun
	slot   []int
	slots  int
}

// ganttHeight gives each block at a time three pixels where there is room.
func ganttHeight(lanes []smLane) int {
	each := min(max(13, 3*lanes[0].slots+4), max(13, 520/len(lanes)))
	return max(laneHeight, each*len(lanes))
}

// maxSMs is how many SMs are drawn; of more, every so many.
const maxSMs = 40

func lanesOf(d *trace.Detail) []smLane {
	every := int32((d.BlockSMs + maxSMs - 1) / maxSMs)
	lanes := make([]smLane, (d.BlockSMs+int(every)-1)/int(every))
	most := 1
	for i := range lanes {
		lanes[i].sm = int32(i) * every
	}
	for _, b := range d.Blocks {
		if b.SM%every == 0 && int(b.SM) < d.BlockSMs {
			l := &lanes[b.SM/every]
			l.blocks = append(l.blocks, b)
		}
	}
	for i := range lanes {
		l := &lanes[i]
		sort.SliceStable(l.blocks, func(i, j int) bool { return l.blocks[i].Start < l.blocks[j].Start })
		var free []trace.Time // when each slot is
		for _, b := range l.blocks {
			slot := 0
			for slot < len(free) && free[slot] > b.Start+1000 { // a block may follow in the cycle in which another ends
				slot++
			}
			if slot == len(free) {
				free = append(free, 0)
			}
			free[slot] = b.End
			l.slot = append(l.slot, slot)
		}
		most = max(most, len(free))
	}
	for i := range lanes {
		lanes[i].slots = most
	}
	return lanes
}
