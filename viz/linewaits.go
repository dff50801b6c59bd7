package viz

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// LineWaits draws what the warps of a kernel do that reads a file line by line on a simulated GPU, the longest such
// kernel of the logs (by default: of the last evaluation): above, how many warps of an SM look a line up, wait for one
// that another brings, for a place in a queue of the SSD, or for a completion; below, what the schedulers' cycles went
// to. Where warps poll above and instructions issue below, other warps hide the wait. All of it is modelled.
//
// For example:
//
//	gpu.Launch(pick, gpu.Blocks(n, 256), 256, x, idx, out)
//	viz.LineWaits()
func LineWaits(logs ...*trace.Log) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	var k *trace.Event
	for _, l := range logs {
		for _, e := range l.Kernels() {
			if e.Stats.Lines != nil && (k == nil || e.Duration() > k.Duration()) {
				k = &e
			}
		}
	}
	if k == nil {
		return failed("LineWaits: no kernel of the log read a file line by line on a simulated GPU; np.Open and np.Use(\"sim:v100\") make one that does")
	}
	s := k.Stats
	panels := occupancyPanels(k)
	top := &panels[0]
	resident := top.Series[0]
	top.Y.Label, top.Height = "warps resident on an SM, by what they do", 190
	top.Y.Max, top.Y.Step = max(1, s.Theoretical*float64(s.WarpsPerSM)), 0
	sum := make([]float64, len(resident.X))
	var areas []Series
	for _, state := range []trace.LineState{trace.LineProbe, trace.LineBusy, trace.LineQueue, trace.LinePoll} {
		y, some := make([]float64, len(resident.X)), false
		for i := range s.Timeline {
			y[i] = s.Timeline[i].Lines[state]
			some = some || y[i] > 0
		}
		if n := len(s.Timeline); n > 0 && len(y) == n+1 {
			y[n] = y[n-1]
		}
		for i := range y {
			sum[i] += y[i]
		}
		if some {
			areas = append(areas, Series{Name: state.String(), Mark: MarkArea, Color: stallColors[state.Stall()], X: resident.X, Y: y})
		}
	}
	rest := make([]float64, len(sum))
	for i := range rest {
		rest[i] = max(0, resident.Y[i]-sum[i])
	}
	top.Series = append(areas, Series{Name: "not for lines", Mark: MarkArea, Color: restColor, X: resident.X, Y: rest})
	hidden, polled := 0.0, 0.0
	for i := range s.Timeline {
		sm := &s.Timeline[i]
		d := float64(sm.End - sm.Start)
		waits := sm.Stalls[trace.StallProbe] + sm.Stalls[trace.StallLine] + sm.Stalls[trace.StallSubmit] + sm.Stalls[trace.StallPoll]
		if n := sm.Lines[trace.LinePoll]; n > 0 {
			polled += d
			hidden += d * (1 - waits)
		}
	}
	if polled > 0 {
		hidden /= polled
	}
	return &Chart{
		kernel:   k.Name,
		Title:    "Warps that wait for lines of a file, in kernel " + k.Name,
		Subtitle: fmt.Sprintf("sim %s: %s lines of %s read, hit rate %.1f %%", s.Lines.Machine, count(int(s.Lines.ReadIOs)), byteSize(s.Lines.Line), 100*s.Lines.HitRate()),
		Panels:   panels,
		Notes: []string{fmt.Sprintf("While warps poll for completions (cq-poll), other warps keep the schedulers from waiting for lines in %.0f %% of the cycles.", 100*hidden),
			"Modelled (sim): times and counts are of SSDs that are not there; x.Storage() has what was read of the real file."},
		terms:  []string{"latency hiding", "warp", "occupancy"},
		linked: true,
		logs:   logs,
	}
}
