package viz

import (
	"fmt"
	"math"
	"sort"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// What is drawn of a launch: so many blocks of the grid, SMs, warps of a block.
const (
	mapBlocks = 32
	mapSMs    = 8
	mapWarps  = 8
	mapCell   = 22.0
)

// LaunchMap draws how the longest kernel of the logs (by default: of the last evaluation) was divided: the blocks of
// its grid, which SM ran each of the first ones, and the warps and lanes of one block. [LaunchMapOf] draws another
// kernel.
//
// For example:
//
//	viz.LaunchMap(gpu.Launch(saxpy, 4, 256, 2.5, x, y).Log())
func LaunchMap(logs ...*trace.Log) *Chart { return LaunchMapOf("", logs...) }

// LaunchMapOf is [LaunchMap] of the longest kernel whose name contains name.
func LaunchMapOf(name string, logs ...*trace.Log) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	k, others, err := pickDetail("LaunchMap", "LaunchMapOf", name, logs, func(d *trace.Detail) bool { return len(d.Blocks) > 0 })
	if err != nil {
		return &Chart{Err: err}
	}
	st, d := k.Stats, k.Stats.Detail
	ran := append([]trace.BlockRun{}, d.Blocks...)
	sort.Slice(ran, func(i, j int) bool { return ran[i].Block < ran[j].Block })
	ran = ran[:min(len(ran), mapBlocks)]
	m := launchMap{blocks: Series{Name: "block", Mark: MarkBox, Color: green}, sms: Series{Name: "SM", Mark: MarkBox, Color: paleGrey},
		warps: Series{Name: "warp", Mark: MarkBox, Color: blue}, lanes: Series{Name: "thread (a lane of its warp)", Mark: MarkBox, Color: skyBlue},
		names: Series{Mark: MarkBox, Color: restColor}, lines: Series{Mark: MarkLine, Color: grey}}
	m.grid(ran, st)
	m.machine(ran)
	m.block(st)
	p := Panel{bare: true, X: Axis{Max: 700}, Y: Axis{Max: m.y, Down: true}, Height: int(math.Ceil(m.y)),
		Series: []Series{m.lines, m.blocks, m.sms, m.warps, m.lanes, m.names}, text: launchMapText(ran, st)}
	c := &Chart{kernel: k.Name, Title: "How kernel " + k.Name + " is divided", Subtitle: launchOf(k), Panels: []Panel{p}, logs: logs, terms: []string{"grid", "block", "warp", "SM", "lane"},
		Notes: []string{fmt.Sprintf("A grid of %s of %d threads. A block runs on one SM from its beginning to its end; an SM holds %s of this kernel at a time, and splits a block into warps of %d threads.",
			blocksOf(st.TotalBlocks), threadsOf(st), blocksOf(st.ResidentBlocks), st.WarpSize), sampleNote(k, "Places")}}
	if len(ran) < st.TotalBlocks {
		c.Notes = append(c.Notes, fmt.Sprintf("Of the grid %s are drawn.", blocksOf(len(ran))))
	}
	if others != "" {
		c.Notes = append(c.Notes, others)
	}
	return c
}

func threadsOf(s *trace.KernelStats) int {
	return max(s.Block[0], 1) * max(s.Block[1], 1) * max(s.Block[2], 1)
}

// launchMap is the picture as it grows downwards.
type launchMap struct {
	y                                       float64
	blocks, sms, warps, lanes, names, lines Series
	top                                     map[int32]Box // of the grid's blocks
}

const mapLeft = 112.0

func (m *launchMap) name(s string) {
	m.names.Boxes = append(m.names.Boxes, Box{X0: 0, X1: mapLeft - 12, Y0: m.y, Y1: m.y + mapCell, Label: s, Tip: []string{s}})
}

func (m *launchMap) line(x0, y0, x1, y1 float64) {
	m.lines.X, m.lines.Y = append(m.lines.X, x0, x1, math.NaN()), append(m.lines.Y, y0, y1, math.NaN())
}

// grid draws the blocks in the order of their numbers.
func (m *launchMap) grid(ran []trace.BlockRun, st *trace.KernelStats) {
	m.name("grid")
	m.top = map[int32]Box{}
	wide := min((700-mapLeft)/float64(len(ran)), 44)
	for i, b := range ran {
		x := mapLeft + float64(i)*wide
		box := Box{X0: x, X1: x + wide - 2, Y0: m.y, Y1: m.y + mapCell, Label: fmt.Sprint(b.Block), Tip: []string{fmt.Sprintf("block %d of %s", b.Block, blocksOf(st.TotalBlocks)), fmt.Sprintf("runs on SM %d", b.SM)}}
		m.top[b.Block] = box
		m.blocks.Boxes = append(m.blocks.Boxes, box)
	}
	m.y += mapCell + 56
}

// machine draws the SMs that ran them, with lines from the blocks.
func (m *launchMap) machine(ran []trace.BlockRun) {
	m.name("SMs")
	var order []int32
	of := map[int32][]trace.BlockRun{}
	for _, b := range ran {
		if of[b.SM] == nil {
			order = append(order, b.SM)
		}
		of[b.SM] = append(of[b.SM], b)
	}
	sort.Slice(order, func(i, j int) bool { return order[i] < order[j] })
	order = order[:min(len(order), mapSMs)]
	wide := min((700-mapLeft)/float64(len(order)), 150)
	for i, sm := range order {
		x := mapLeft + float64(i)*wide
		box := Box{X0: x, X1: x + wide - 8, Y0: m.y, Y1: m.y + mapCell, Label: fmt.Sprintf("SM %d", sm), Tip: []string{fmt.Sprintf("SM %d", sm), "runs " + blocksOf(len(of[sm])) + " of those drawn"}}
		m.sms.Boxes = append(m.sms.Boxes, box)
		for _, b := range of[sm] {
			top := m.top[b.Block]
			m.line((top.X0+top.X1)/2, top.Y1, (box.X0+box.X1)/2, box.Y0)
		}
	}
	m.y += mapCell + 24
}

// block draws the warps of one block, and the lanes of the first and of the last, which may not be whole.
func (m *launchMap) block(st *trace.KernelStats) {
	threads, size := threadsOf(st), max(st.WarpSize, 1)
	warps := (threads + size - 1) / size
	m.name("a block")
	shown := min(warps, mapWarps)
	wide := min((700-mapLeft)/float64(shown), 90)
	for w := range shown {
		x := mapLeft + float64(w)*wide
		first, last := w*size, min((w+1)*size, threads)-1
		m.warps.Boxes = append(m.warps.Boxes, Box{X0: x, X1: x + wide - 4, Y0: m.y, Y1: m.y + mapCell, Label: fmt.Sprintf("warp %d", w), Tip: []string{fmt.Sprintf("warp %d of %d", w, warps), fmt.Sprintf("threads %d to %d", first, last)}})
	}
	m.line(mapLeft+2, m.y+mapCell, mapLeft+2, m.y+mapCell+16)
	m.line(mapLeft+wide-6, m.y+mapCell, 698, m.y+mapCell+16)
	m.y += mapCell + 16
	m.name("warp 0")
	lane := (700 - mapLeft) / float64(size)
	for i := range min(size, threads) {
		x := mapLeft + float64(i)*lane
		m.lanes.Boxes = append(m.lanes.Boxes, Box{X0: x, X1: x + lane - 1.5, Y0: m.y, Y1: m.y + mapCell, Label: fmt.Sprint(i), Tip: []string{fmt.Sprintf("thread %d, lane %d of warp 0", i, i)}})
	}
	m.y += mapCell + 4
}

// launchMapText says the same in lines.
func launchMapText(ran []trace.BlockRun, st *trace.KernelStats) (lines []string) {
	of, order := map[int32][]int32{}, []int32{}
	for _, b := range ran {
		if of[b.SM] == nil {
			order = append(order, b.SM)
		}
		of[b.SM] = append(of[b.SM], b.Block)
	}
	sort.Slice(order, func(i, j int) bool { return order[i] < order[j] })
	for _, sm := range order {
		lines = append(lines, fmt.Sprintf("SM %d runs blocks %v", sm, of[sm]))
	}
	threads, size := threadsOf(st), max(st.WarpSize, 1)
	return append(lines, fmt.Sprintf("a block has %d threads in %d warps: threads 0 to %d are warp 0", threads, (threads+size-1)/size, min(size, threads)-1))
}
