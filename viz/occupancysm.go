package viz

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// OccupancyBySM draws how many warps of the longest kernel of the logs were resident on each SM over time: a row for
// each SM, brighter where more are. [OccupancyBySMOf] draws another kernel; [Occupancy] draws the mean of all SMs.
//
// For example:
//
//	np.Eval(np.Exp(x) * y)
//	viz.OccupancyBySM()
func OccupancyBySM(logs ...*trace.Log) *Chart { return OccupancyBySMOf("", logs...) }

// OccupancyBySMOf is [OccupancyBySM] of the longest kernel whose name contains name.
func OccupancyBySMOf(name string, logs ...*trace.Log) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	k, others, err := pickDetail("OccupancyBySM", "OccupancyBySMOf", name, logs, func(d *trace.Detail) bool { return endOf(d.Blocks) > 0 })
	if err != nil {
		return &Chart{Err: err}
	}
	const cols = 100
	s, d := k.Stats, k.Stats.Detail
	end := endOf(d.Blocks)
	u := unitFor(end)
	warps := float64((s.Block[0]*s.Block[1]*s.Block[2] + s.WarpSize - 1) / s.WarpSize)
	g := &Grid{Cols: cols, Rows: d.BlockSMs, X1: u.in(end), Y0: -0.5, Y1: float64(d.BlockSMs) - 0.5, Z: make([]float64, cols*d.BlockSMs)}
	slice := float64(end) / cols
	mean := make([]float64, cols)
	for _, b := range d.Blocks {
		for i := int(float64(b.Start) / slice); i < cols && float64(i)*slice < float64(b.End); i++ {
			share := (min(float64(b.End), float64(i+1)*slice) - max(float64(b.Start), float64(i)*slice)) / slice
			g.Z[int(b.SM)*cols+i] += warps * share
			mean[i] += warps * share / float64(d.BlockSMs)
		}
	}
	limit := s.Theoretical * float64(s.WarpsPerSM)
	x := Axis{Label: "time from the first block" + times(k), Unit: u.name, Max: u.in(end)}
	least := Series{Name: "on the emptiest SM", Color: skyBlue, Step: true}
	most := Series{Name: "on the fullest SM", Color: green, Step: true}
	for i := range cols + 1 {
		at := min(i, cols-1)
		lo, hi := g.Z[at], g.Z[at]
		for sm := range d.BlockSMs {
			lo, hi = min(lo, g.Z[sm*cols+at]), max(hi, g.Z[sm*cols+at])
		}
		for sr, v := range map[*Series]float64{&least: lo, &most: hi} {
			sr.X, sr.Y = append(sr.X, u.in(end)*float64(i)/cols), append(sr.Y, v)
		}
	}
	top := x
	top.Label, top.Unit = "", ""
	c := &Chart{
		kernel:   k.Name,
		terms:    []string{"occupancy", "SM", "load imbalance"},
		Title:    "Warps of kernel " + k.Name + " on each SM",
		Subtitle: launchOf(k),
		Panels: []Panel{
			{X: top, Height: 110, Y: Axis{Label: fmt.Sprintf("warps resident on an SM (it holds %d at most)", s.WarpsPerSM), Max: float64(s.WarpsPerSM), Step: float64(s.WarpsPerSM) / 4}, Series: []Series{
				most, least, {Name: "theoretical limit", Color: limitColor, X: []float64{0, x.Max}, Y: []float64{limit, limit}, Dashed: true},
			}},
			{X: x, Height: min(400, max(60, 10*d.BlockSMs)), Y: Axis{Label: "SM", Down: true}, Scale: &Scale{Label: "warps", Max: float64(s.WarpsPerSM), Colors: viridis},
				Series: []Series{{Mark: MarkGrid, Grid: g}}},
		},
		Notes: []string{fmt.Sprintf("%d blocks of %.0f warps fit on an SM, which is the theoretical limit of %.0f warps; limited by %s.", s.ResidentBlocks, warps, limit, or(s.LimitedBy, "nothing that is known")), sampleNote(k, "Times")},
		logs:  logs,
	}
	if d.BlockSMs < s.SMs {
		c.Notes = append(c.Notes, fmt.Sprintf("%d of the device's %d SMs are drawn.", d.BlockSMs, s.SMs))
	}
	if others != "" {
		c.Notes = append(c.Notes, others)
	}
	return c
}
