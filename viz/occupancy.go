package viz

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Occupancy draws how well the longest kernel of the logs (by default: of the last evaluation) kept the device busy:
// the warps resident on each SM over time, with the most that its limits allow, and below what the warp schedulers did
// with their cycles: issued an instruction for so many active lanes, or waited. The notes hold the launch, what limits
// it, and how the timing was found. [OccupancyOf] draws another kernel.
func Occupancy(logs ...*trace.Log) *Chart { return OccupancyOf("", logs...) }

// OccupancyOf is [Occupancy] of the longest kernel whose name contains name.
//
// For example:
//
//	viz.OccupancyOf("saxpy") // of the last evaluation
func OccupancyOf(name string, logs ...*trace.Log) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	k, others, err := pickKernel("Occupancy", "OccupancyOf", name, logs)
	if err != nil {
		return &Chart{Err: err}
	}
	if k.Stats.Cycles == 0 {
		return &Chart{Err: fmt.Errorf("viz: Occupancy: %s does not tell what its schedulers did in kernel %s; simulated GPUs do. By its limits %d blocks, %.3g %% of all warps, fit on an SM",
			k.Device, k.Name, k.Stats.ResidentBlocks, 100*k.Stats.Theoretical)}
	}
	c := &Chart{
		kernel:   k.Name,
		terms:    []string{"occupancy", "warp", "active lanes", "latency hiding"},
		Title:    "Warp occupancy of kernel " + k.Name,
		Subtitle: launchOf(k),
		Panels:   occupancyPanels(k),
		Notes:    occupancyNotes(k),
		linked:   true,
		logs:     logs,
	}
	if others != "" {
		c.Notes = append(c.Notes, others)
	}
	return c
}

// occupancyPanels makes the two plots. A sample holds from its start to its end; the last point only closes it.
func occupancyPanels(k *trace.Event) []Panel {
	s := k.Stats
	samples := s.Timeline
	if len(samples) == 0 {
		samples = []trace.Sample{wholeRun(k)}
	}
	n := len(samples)
	end := samples[n-1].End
	u := unitFor(max(end, k.Duration()))
	x := Axis{Label: "time from the kernel's start" + times(k), Unit: u.name, Max: u.in(max(end, 1))}
	at := make([]float64, n+1)
	for i, sm := range samples {
		at[i] = u.in(sm.Start)
	}
	at[n] = u.in(end)
	column := func(of func(*trace.Sample) float64) []float64 {
		y := make([]float64, n+1)
		for i := range samples {
			y[i] = of(&samples[i])
		}
		y[n] = y[n-1]
		return y
	}

	limit := s.Theoretical * float64(s.WarpsPerSM)
	top := Panel{X: x, Height: 130, Y: Axis{Label: fmt.Sprintf("warps resident on an SM (it holds %d at most)", s.WarpsPerSM), Max: float64(s.WarpsPerSM), Step: float64(s.WarpsPerSM) / 4}, Series: []Series{
		{Name: "resident warps", Color: green, X: at, Y: column(func(sm *trace.Sample) float64 { return sm.Warps }), Step: true},
		{Name: "theoretical limit", Color: limitColor, X: []float64{0, at[n]}, Y: []float64{limit, limit}, Dashed: true},
	}}
	top.X.Label, top.X.Unit = "", ""
	bottom := Panel{X: x, Height: 190, Y: Axis{Label: "what the warp schedulers' cycles went to", Unit: "%", Max: 100, Step: 25}}
	area := func(name, color string, of func(*trace.Sample) float64) {
		y := column(func(sm *trace.Sample) float64 { return 100 * of(sm) })
		for _, v := range y {
			if v > 0 { // classes that never occur stay out of the legend
				bottom.Series = append(bottom.Series, Series{Name: name, Mark: MarkArea, Color: color, X: at, Y: y})
				return
			}
		}
	}
	for b := trace.IssueBins - 1; b >= 0; b-- { // full warps at the bottom
		area(issueName(b), issueColors[b], func(sm *trace.Sample) float64 { return sm.Issued[b] })
	}
	for _, st := range stallStack {
		area("stall: "+st.String(), stallColors[st], func(sm *trace.Sample) float64 { return sm.Stalls[st] })
	}
	return []Panel{top, bottom}
}

// stallStack is the order of the stalls above the issued slots.
var stallStack = []trace.Stall{trace.StallPipeline, trace.StallFetch, trace.StallShort, trace.StallLong, trace.StallProbe, trace.StallLine, trace.StallSubmit, trace.StallPoll, trace.StallSwap, trace.StallHeap, trace.StallEmpty}

// issueName is "W29–32": an instruction issued with 29 to 32 active lanes.
func issueName(bin int) string {
	const lanes = 32 / trace.IssueBins
	return fmt.Sprintf("issued W%d–%d", bin*lanes+1, (bin+1)*lanes)
}

// wholeRun is the one sample of a kernel that has only totals.
func wholeRun(k *trace.Event) trace.Sample {
	s := k.Stats
	sm := trace.Sample{End: k.Duration(), Warps: s.Achieved * float64(s.WarpsPerSM)}
	total := 0.0
	for _, v := range s.Issued {
		total += float64(v)
	}
	for _, v := range s.Stalls {
		total += float64(v)
	}
	if total > 0 {
		for i, v := range s.Issued {
			sm.Issued[i] = float64(v) / total
		}
		for i, v := range s.Stalls {
			sm.Stalls[i] = float64(v) / total
		}
	}
	return sm
}

func times(k *trace.Event) string {
	if k.Modelled {
		return ", modelled"
	}
	return ", measured"
}

func occupancyNotes(k *trace.Event) []string {
	s := k.Stats
	shared := "no shared memory"
	if s.SharedBytes > 0 {
		shared = byteSize(int64(s.SharedBytes)) + " of shared memory"
	}
	resident := ""
	if s.ResidentBlocks > 0 {
		resident = fmt.Sprintf(" %d blocks fit on an SM", s.ResidentBlocks)
		if s.LimitedBy != "" {
			resident += "; limited by " + s.LimitedBy
		}
		resident += "."
	}
	notes := []string{
		fmt.Sprintf("Occupancy %.0f %% achieved of %.0f %% theoretical.%s A block: %s threads, %d registers a thread, %s.",
			100*s.Achieved, 100*s.Theoretical, resident, dims(s.Block), s.Registers, shared),
		"Wn–m: the instruction issued had n to m active lanes of 32; lanes are idle where a warp diverges or its block is not full.",
	}
	if s.TotalBlocks > 0 && s.SampledBlocks < s.TotalBlocks {
		notes = append(notes, fmt.Sprintf("Timing from %s of %s blocks, ± %.0f %%.", count(s.SampledBlocks), count(s.TotalBlocks), 100*s.ErrorEstimate))
	} else if s.TotalBlocks > 0 && k.Modelled {
		notes = append(notes, fmt.Sprintf("Timing from all %s blocks.", count(s.TotalBlocks)))
	}
	if len(s.Timeline) == 0 {
		notes = append(notes, "The device gave no samples over time: the picture shows means over the whole kernel.")
	}
	return notes
}
