package gpu

import (
	"fmt"
	"html"
	"strings"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// bound is a resource of a device: how much of the time a kernel keeps it busy at least, of 1.
type bound struct {
	busy float64
	name string
}

// busyFrom is from where on a resource, and not the waiting for it, is what holds a kernel back.
const busyFrom = 0.6

// slowUnits is how many cycles schedulers wait for busy units, for one in which they issue, where it is what few
// instructions do that takes long, and not their number.
const slowUnits = 3

// Bottleneck is one sentence on what holds the kernel back most, and what it would be worth to remove that: the time
// below which the next limit would keep it. It is empty on devices that do not count cycles.
func (r *Report) Bottleneck() string {
	e := r.event()
	return bottleneck(e.Stats, e.Duration())
}

func bottleneck(s *trace.KernelStats, took trace.Time) string {
	if s == nil {
		return ""
	}
	all := float64(s.Cycles) * float64(s.SMs*s.Schedulers)
	if all <= 0 || took <= 0 {
		return ""
	}
	issued := int64(0)
	for _, n := range s.Issued {
		issued += n
	}
	share := func(n int64) float64 { return float64(n) / all }
	memory := bound{0, "memory bandwidth"}
	if s.ClockHz > 0 && s.PeakBandwidth > 0 {
		memory.busy = min(1, float64(s.DRAMBytes)/(float64(s.Cycles)/s.ClockHz)/s.PeakBandwidth)
	}
	// An SM passes over its shared memory once a cycle. While extra passes keep it busy, other accesses wait for a busy
	// unit: that is not for want of cheaper instructions.
	conflicts := min(1, float64(s.BankConflicts)/(float64(s.Cycles)*float64(s.SMs)))
	units := max(0, share(s.Stalls[trace.StallPipeline])-conflicts)
	issue := bound{min(1, share(issued)+units), "the rate of instructions"}
	least := func(b bound) string { // what is left of the time when something else is removed
		return fmt.Sprintf("%v, where %s would hold it back", trace.Time(float64(took)*b.busy), b.name)
	}
	percent := func(f float64) string { return fmt.Sprintf("%.0f %%", 100*f) }
	worst := trace.StallLong
	for _, k := range []trace.Stall{trace.StallShort, trace.StallEmpty, trace.StallProbe, trace.StallLine, trace.StallSubmit, trace.StallPoll} {
		if s.Stalls[k] > s.Stalls[worst] {
			worst = k
		}
	}
	wait := share(s.Stalls[worst])
	// Where nothing is busy for most of the time, what takes most of it holds the kernel back, be it a wait or not.
	from := busyFrom
	if most := max(conflicts, issue.busy); wait < most {
		from = min(from, most)
	}
	switch {
	case conflicts >= from && conflicts >= memory.busy && conflicts >= issue.busy:
		left := issue
		if memory.busy > left.busy {
			left = memory
		}
		return fmt.Sprintf("Bank conflicts hold it back: extra passes keep shared memory busy in %s of the cycles. Lanes that read different banks, as with rows of one element more, would save up to %s of the %v, down to %s.",
			percent(conflicts), percent(1-left.busy), took, least(left))
	case memory.busy >= busyFrom && memory.busy >= issue.busy:
		return fmt.Sprintf("Memory bandwidth holds it back: %s of the peak. Fewer bytes would save up to %s of the %v, down to %s.",
			percent(memory.busy), percent(1-issue.busy), took, least(issue))
	case issue.busy >= from && units > slowUnits*share(issued):
		left := bound{min(1, share(issued)), issue.name}
		if memory.busy > left.busy {
			left = memory
		}
		return fmt.Sprintf("Busy units hold it back: warps wait for one in %s of the cycles, and schedulers issue in %s. Scattered accesses, atomics on one element, divisions and float64 keep units busy longest; Lines() says at which line. Without that it would take up to %s less of the %v, down to %s.",
			percent(units), percent(share(issued)), percent(1-left.busy), took, least(left))
	case issue.busy >= from:
		return fmt.Sprintf("The rate of instructions holds it back: schedulers issue, or wait for a busy unit, in %s of their cycles%s. Fewer or cheaper ones would save up to %s of the %v, down to %s.",
			percent(issue.busy), fewLanes(s), percent(1-memory.busy), took, least(memory))
	}
	left := bound{1 - wait, "the rest of its cycles"}
	if memory.busy > left.busy {
		left = memory
	}
	if worst == trace.StallEmpty { // what there is may not take less, but more would not take longer
		more := "more than 100"
		if left.busy >= 0.01 {
			more = fmt.Sprintf("up to %.2g", 1/left.busy)
		}
		return fmt.Sprintf("There is too little to do: schedulers have no warp in %s of the cycles. With more blocks, or blocks of equal work, the device could do %s times as much in the same time.", percent(wait), more)
	}
	switch worst {
	case trace.StallProbe:
		return fmt.Sprintf("Lookups of lines hold it back: warps wait for them in %s of the cycles. Threads of a warp that read neighbours share one.", percent(wait))
	case trace.StallLine, trace.StallSubmit, trace.StallPoll:
		return fmt.Sprintf("The file's disks hold it back (modelled, %s): every warp waits for lines in %s of the cycles. More warps would hide more of a command's latency as long as the SSDs are not at their rate; then more SSDs, a larger cache or lines that are used more would help.",
			s.Lines.Machine, percent(share(s.Stalls[trace.StallLine]+s.Stalls[trace.StallSubmit]+s.Stalls[trace.StallPoll])))
	}
	how := map[trace.Stall]string{
		trace.StallLong:  "Latency holds it back: warps wait for memory or at a barrier in %s of the cycles, while memory moves at %s of its peak. More warps, or more loads of each, would save up to %s of the %v, down to %s.",
		trace.StallShort: "Dependent instructions hold it back: warps wait for an earlier result in %s of the cycles, and memory moves at %s of its peak. More warps, or more independent operations, would save up to %s of the %v, down to %s.",
	}[worst]
	return fmt.Sprintf(how, percent(wait), percent(memory.busy), percent(1-left.busy), took, least(left))
}

// fewLanes says so where divergence, or blocks that are no multiple of a warp, leave a quarter of the lanes idle.
func fewLanes(s *trace.KernelStats) string {
	if s.WarpInstructions == 0 || s.WarpSize == 0 {
		return ""
	}
	lanes := float64(s.ThreadInstructions) / float64(s.WarpInstructions) / float64(s.WarpSize)
	if lanes > 0.75 {
		return ""
	}
	return fmt.Sprintf(", and %.0f %% of the lanes take part", 100*lanes)
}

// cyclesBar is a bar of what the schedulers' cycles went to, in the colours of charts.
func cyclesBar(s *trace.KernelStats) string {
	all := float64(s.Cycles) * float64(s.SMs*s.Schedulers)
	if all <= 0 {
		return ""
	}
	issued := int64(0)
	for _, n := range s.Issued {
		issued += n
	}
	parts := []struct {
		name, color string
		n           int64
	}{
		{"issued", "#009E73", issued},
		{trace.StallPipeline.String(), "#E69F00", s.Stalls[trace.StallPipeline]},
		{trace.StallLong.String(), "#0072B2", s.Stalls[trace.StallLong]},
		{trace.StallShort.String(), "#CC79A7", s.Stalls[trace.StallShort]},
		{trace.StallSwap.String(), "#56B4E9", s.Stalls[trace.StallSwap]},
		{trace.StallHeap.String(), "#D55E00", s.Stalls[trace.StallHeap]},
		{trace.StallFetch.String(), "#F0E442", s.Stalls[trace.StallFetch]},
		{trace.StallProbe.String(), "#B8860B", s.Stalls[trace.StallProbe]},
		{trace.StallLine.String(), "#7A4FB5", s.Stalls[trace.StallLine]},
		{trace.StallSubmit.String(), "#C2185B", s.Stalls[trace.StallSubmit]},
		{trace.StallPoll.String(), "#5D4037", s.Stalls[trace.StallPoll]},
		{trace.StallEmpty.String(), "#8C8C8C", s.Stalls[trace.StallEmpty]},
	}
	var bar, keys strings.Builder
	for _, p := range parts {
		share := 100 * float64(p.n) / all
		if share < 0.05 {
			continue
		}
		label := html.EscapeString(fmt.Sprintf("%s %.1f %%", p.name, share))
		fmt.Fprintf(&bar, `<td title="%s" style="width:%.2f%%;background:%s;height:12px;padding:0;border:0"></td>`, label, share, p.color)
		fmt.Fprintf(&keys, `<span style="color:%s">■</span> %s &nbsp; `, p.color, label)
	}
	return `<table style="width:420px;max-width:100%;border-collapse:collapse;margin:0"><tr>` + bar.String() + `</tr></table>` + keys.String()
}
