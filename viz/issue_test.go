package viz

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// changed returns a copy of a log whose kernels have been changed.
func changed(l *trace.Log, change func(s *trace.KernelStats)) *trace.Log {
	var out trace.Log
	for _, e := range l.Events() {
		if e.Stats != nil {
			s := *e.Stats
			change(&s)
			e.Stats = &s
		}
		out.Add(e)
	}
	return &out
}

// issued returns a log whose kernels tell of instructions: two warps that take turns, by hand, and one of another block
// beside them.
func issued(l *trace.Log) *trace.Log {
	return changed(l, func(s *trace.KernelStats) {
		if s.Detail == nil {
			return
		}
		d := *s.Detail
		d.LaneClock = 2
		d.Window = &trace.Window{To: 80}
		for i := range int32(20) {
			d.Window.Slots = append(d.Window.Slots, trace.Slot{Cycle: int64(4 * i), Issue: trace.Issue{Warp: i % 2, Lanes: 1, Busy: 2, Unit: trace.IssueLanes}},
				trace.Slot{Cycle: int64(4*i + 1), Issue: trace.Issue{Line: -1, Busy: 1}}, // for no lane
				trace.Slot{Cycle: int64(4*i + 2), Issue: trace.Issue{Lanes: 1, Busy: 1, Unit: trace.IssueControl}, Beside: trace.Issue{Block: 1, Lanes: 2, Busy: 8, Unit: trace.IssueSpecial}})
		}
		s.Detail = &d
	})
}

// faulted returns a log whose kernels have waited for pages: 30 came and 10 left.
func faulted(l *trace.Log) *trace.Log {
	return changed(l, func(s *trace.KernelStats) {
		s.PageBytes = 65536
		s.Faults = []trace.FaultBatch{{At: 0, Took: 100, Pages: 20}, {At: 500, Took: 60, Pages: 10, Evicted: 10}}
	})
}

// onLines returns a log whose kernels have read a file: half of the warps look for completions.
func onLines(l *trace.Log) *trace.Log {
	return changed(l, func(s *trace.KernelStats) {
		s.Lines = &trace.LineStats{Machine: "optane", Line: 4096, Accesses: 1000, Hits: 500, Misses: 500, ReadIOs: 20}
		s.Timeline = slices.Clone(s.Timeline)
		for i := range s.Timeline {
			sm := &s.Timeline[i]
			sm.Lines = [trace.NumLineStates]float64{trace.LinePoll: sm.Warps / 2, trace.LineBusy: sm.Warps / 4}
			sm.Stalls[trace.StallPoll], sm.Stalls[trace.StallLong] = sm.Stalls[trace.StallLong], 0
		}
	})
}

// LineWaits has the warps of each state, and those that wait for no line, up to all that are resident.
func TestLineWaitsAddUp(t *testing.T) {
	log := onLines(sampleInside())
	c := LineWaits(log)
	require.NoError(t, c.Err)
	var names []string
	sum := make([]float64, len(c.Panels[0].Series[0].Y))
	for _, s := range c.Panels[0].Series {
		names = append(names, s.Name)
		for i, y := range s.Y {
			sum[i] += y
		}
	}
	require.Equal(t, []string{"line-busy", "cq-poll", "not for lines"}, names)
	for _, k := range log.Kernels() {
		for i, sm := range k.Stats.Timeline {
			if k.Name == c.kernel {
				require.InDelta(t, sm.Warps, sum[i], 1e-9)
			}
		}
	}
	require.Contains(t, c.Subtitle, "sim optane: 20 lines of 4")
	require.ErrorContains(t, LineWaits(sampleInside()).Err, "no kernel of the log read a file")
}

// Each instruction of the window is a box in its warp's row, in clocks of the lanes, and nothing else is.
func TestIssueHasTheInstructionsOfTheWindow(t *testing.T) {
	log := issued(sampleInside())
	c := Issue(log)
	require.NoError(t, c.Err)
	require.Equal(t, []string{"block 0, warp 0", "block 0, warp 1", "block 1, warp 0"}, c.Panels[0].Y.Categories)
	got := boxes(t, c)
	require.Len(t, got, 60)
	units := map[string]int{}
	for _, b := range got {
		units[b.Series]++
		width := map[string]float64{"lanes": 4, "SFU": 16, "control": 2}[b.Series]
		require.Equal(t, width, b.Value[1]-b.Value[0])
	}
	require.Equal(t, map[string]int{"lanes": 20, "SFU": 20, "control": 20}, units)
	require.Len(t, boxes(t, IssueOf("", 40, 44, log)), 1+1+3, "what begins before the window is cut")
	require.ErrorContains(t, IssueOf("", 5, 5, log).Err, "cycles 5 to 5")
	require.ErrorContains(t, IssueOf("", 5000, 5100, log).Err, "are of cycles 0 to 78, not of 5000 to 5099")
	require.ErrorContains(t, IssueOf("nobody", 40, 44, log).Err, `IssueOf("nobody"): no machine has kept a window`)
	require.ErrorContains(t, Issue(changed(log, func(s *trace.KernelStats) { s.Detail = nil })).Err, "simgpu.Window(first, cycles)")
	formed := changed(log, func(s *trace.KernelStats) {
		if s.Detail != nil {
			d := *s.Detail
			d.Window = &trace.Window{To: 80, Slots: []trace.Slot{{Issue: trace.Issue{Block: -1, Warp: -1, Lanes: 3, Busy: 4}}}}
			s.Detail = &d
		}
	})
	require.ErrorContains(t, Issue(formed).Err, "viz.Slots")
}

// Each batch of faults is a box of its pages, and the line ends at their sum.
func TestFaultsAreThoseOfTheTrace(t *testing.T) {
	log := faulted(sampleInside())
	c := Faults(log)
	require.NoError(t, c.Err)
	kernels := len(log.Kernels())
	sum := c.Panels[0].Series[0]
	require.EqualValues(t, 30*kernels, sum.Y[len(sum.Y)-1])
	require.Len(t, boxes(t, c), 3*kernels)
	require.ErrorContains(t, Faults(sampleInside()).Err, "no kernel of the log waited for pages")
}
