package viz

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// maxBinned is how many runs are drawn beside each other.
const maxBinned = 24

// IssueBins draws what the scheduler cycles of each kernel of the logs went to, a bar for each run in the order of the
// logs: instructions by the lanes that they had active, and each class of cycles without one. With the log of a
// comparison the bars are the policies'.
//
// For example:
//
//	viz.IssueBins(gpu.Compare(rec, machines...).Log())
func IssueBins(logs ...*trace.Log) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	var runs []trace.Event
	for _, l := range logs {
		for _, e := range l.Kernels() {
			if e.Stats != nil && e.Stats.Cycles > 0 {
				runs = append(runs, e)
			}
		}
	}
	if len(runs) == 0 {
		return failed("IssueBins: %w", noKernels(logs))
	}
	c := &Chart{Title: "What the scheduler cycles went to, run by run", Subtitle: fmt.Sprintf("%d runs", len(runs)), logs: logs, terms: []string{"active lanes", "latency hiding", "warp"}}
	if len(runs) > maxBinned {
		c.Notes = append(c.Notes, fmt.Sprintf("The first %d of %d runs are drawn.", maxBinned, len(runs)))
		runs = runs[:maxBinned]
	}
	var names, lanes []string
	for b := trace.IssueBins - 1; b >= 0; b-- {
		names = append(names, issueName(b))
	}
	for _, st := range stallStack {
		names = append(names, "stall: "+st.String())
	}
	for _, e := range runs {
		lanes = append(lanes, laneTitle(e.Name))
	}
	c.Panels = []Panel{sharesPanel(Axis{Label: "scheduler cycles", Unit: "%", Max: 100, Step: 25}, names, lanes, func(lane int) []share {
		s := runs[lane].Stats
		counts, colors := []int64{}, []string{}
		for b := trace.IssueBins - 1; b >= 0; b-- {
			counts, colors = append(counts, s.Issued[b]), append(colors, issueColors[b])
		}
		for _, st := range stallStack {
			counts, colors = append(counts, s.Stalls[st]), append(colors, stallColors[st])
		}
		total := int64(0)
		for _, n := range counts {
			total += n
		}
		var out []share
		for i, n := range counts {
			pc := 100 * float64(n) / float64(max(total, 1))
			out = append(out, share{names[i], colors[i], pc, []string{fmt.Sprintf("%.3g %%: %s of %s cycles", pc, count(int(n)), count(int(total)))}})
		}
		return out
	})}
	c.Notes = append(c.Notes, modelNote(logs)...)
	return c
}
