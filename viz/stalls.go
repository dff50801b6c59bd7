package viz

import (
	"fmt"
	"sort"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Stalls draws, for each kernel of the logs (by default: of the last evaluation), what the cycles of the warp
// schedulers went to: instructions, or waiting and for what. Runs of one kernel are added up; the longest twelve are
// drawn.
//
// For example:
//
//	np.Eval(np.Exp(x) * y)
//	viz.Stalls()
func Stalls(logs ...*trace.Log) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	kernels := kernelsByName(logs)
	if len(kernels) == 0 {
		return failed("Stalls: %w", noKernels(logs))
	}
	c := &Chart{Title: "What the warp schedulers did", Subtitle: fmt.Sprintf("%d kernels, the longest first", len(kernels)), logs: logs, terms: []string{"latency hiding", "occupancy", "warp"}}
	if len(kernels) == 1 {
		c.Subtitle = fmt.Sprintf("kernel %s, %s", kernels[0].name, kernels[0].time)
	}
	if len(kernels) > maxKernels {
		c.Notes = append(c.Notes, fmt.Sprintf("%d shorter kernels are not drawn.", len(kernels)-maxKernels))
		kernels = kernels[:maxKernels]
	}
	var lanes []string
	for _, k := range kernels {
		lanes = append(lanes, laneTitle(k.name))
	}
	c.Panels = []Panel{sharesPanel(Axis{Label: "scheduler cycles", Unit: "%", Max: 100, Step: 25}, slotNames, lanes, func(lane int) []share {
		return kernels[lane].slots()
	})}
	for _, s := range c.Panels[0].Series {
		for i := range s.Boxes {
			s.Boxes[i].key = kernels[int(s.Boxes[i].Y1)].name // Y1 lies above the middle, which is the lane's number
		}
	}
	c.Notes = append(c.Notes, modelNote(logs)...)
	return c
}

const maxKernels = 12

var errNoKernels = fmt.Errorf("the evaluation ran no kernel on a device that keeps statistics: it may have run on the CPU; see Timeline")

// noKernels says why kernelsByName found none.
func noKernels(logs []*trace.Log) error {
	for _, l := range logs {
		for _, k := range l.Kernels() {
			return fmt.Errorf("%s does not tell what happens inside kernel %s; simulated GPUs do", k.Device, k.Name)
		}
	}
	return errNoKernels
}

// kernelSum is all runs of one kernel.
type kernelSum struct {
	name   string
	device string // of the first run
	runs   int
	time   trace.Time
	stats  trace.KernelStats // Issued, Stalls, Flops, DRAMBytes added up; the rest of the first run
}

// kernelsByName adds up the runs of each kernel whose device tells what it did, the longest first.
func kernelsByName(logs []*trace.Log) []kernelSum {
	var out []kernelSum
	at := map[string]int{}
	for _, l := range logs {
		for _, e := range l.Kernels() {
			if e.Stats.Cycles == 0 {
				continue
			}
			i, ok := at[e.Name]
			if !ok {
				i = len(out)
				at[e.Name] = i
				out = append(out, kernelSum{name: e.Name, device: e.Device, stats: *e.Stats})
			} else {
				out[i].add(e.Stats)
			}
			out[i].runs++
			out[i].time += e.Duration()
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].time > out[j].time })
	return out
}

func (k *kernelSum) add(s *trace.KernelStats) {
	for i, n := range s.Issued {
		k.stats.Issued[i] += n
	}
	for i, n := range s.Stalls {
		k.stats.Stalls[i] += n
	}
	k.stats.Flops32 += s.Flops32
	k.stats.Flops64 += s.Flops64
	k.stats.DRAMBytes += s.DRAMBytes
}

// slotNames is the order in which the uses of a scheduler's cycles stand.
var slotNames = func() []string {
	names := []string{"issued, all lanes active", "issued, some lanes idle"}
	for _, st := range stallStack {
		names = append(names, "stall: "+st.String())
	}
	return names
}()

// slots are the shares of k's scheduler cycles, in percent.
func (k *kernelSum) slots() []share {
	s := &k.stats
	full, part := s.Issued[trace.IssueBins-1], int64(0)
	for _, n := range s.Issued[:trace.IssueBins-1] {
		part += n
	}
	counts := []int64{full, part}
	colors := []string{issueColors[trace.IssueBins-1], issueColors[2]}
	for _, st := range stallStack {
		counts, colors = append(counts, s.Stalls[st]), append(colors, stallColors[st])
	}
	var total int64
	for _, n := range counts {
		total += n
	}
	var out []share
	for i, n := range counts {
		if total > 0 {
			pc := 100 * float64(n) / float64(total)
			out = append(out, share{slotNames[i], colors[i], pc, []string{fmt.Sprintf("%.3g %%: %s of %s cycles", pc, count(int(n)), count(int(total)))}})
		}
	}
	return out
}

// modelNote says how sure the figures of modelled kernels are.
func modelNote(logs []*trace.Log) []string {
	sampled, worst, some := 0, 0.0, false
	for _, l := range logs {
		for _, e := range l.Kernels() {
			some = some || e.Modelled
			if e.Stats.SampledBlocks < e.Stats.TotalBlocks {
				sampled, worst = sampled+1, max(worst, e.Stats.ErrorEstimate)
			}
		}
	}
	switch {
	case !some:
		return nil
	case sampled == 0:
		return []string{"Modelled; every block of every kernel was timed."}
	}
	runs := "1 kernel run was timed from a part of its blocks"
	if sampled > 1 {
		runs = fmt.Sprintf("%d kernel runs were timed from a part of their blocks", sampled)
	}
	return []string{fmt.Sprintf("Modelled; %s, ± %.0f %% at worst.", runs, 100*worst)}
}
