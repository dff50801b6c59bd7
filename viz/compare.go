package viz

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Compare draws two evaluations side by side, such as the same program on two devices or under two policies: the busy time
// of each kind of work, modelled and measured apart; the bytes copied; and what the warp schedulers did. Names are what
// the two are called, by default a and b.
func Compare(a, b *trace.Log, names ...string) *Chart {
	if a == nil || b == nil {
		return failed("Compare: one of the two logs is nil; keep one with trace.Last() after each evaluation")
	}
	if len(names) != 0 && len(names) != 2 {
		return failed("Compare: %d names for two logs", len(names))
	}
	if len(names) == 0 {
		names = []string{"a", "b"}
	}
	c := &Chart{Title: fmt.Sprintf("%s and %s", names[0], names[1]), logs: []*trace.Log{a, b}}
	lanes := []string{laneTitle(names[0]), laneTitle(names[1])}
	var said []string
	for k := range numClocks {
		var sums [2][len(comparedKinds)]trace.Time
		var total [2]trace.Time
		for i, l := range c.logs {
			for _, e := range l.Events() {
				if clockOf(&e) == k {
					sums[i][e.Kind] += e.Duration()
					total[i] += e.Duration()
				}
			}
		}
		if total[0]+total[1] == 0 {
			continue
		}
		u := unitFor(max(total[0], total[1]))
		label := strings.Replace(clockNames[k].axis, "time", "busy time", 1)
		c.Panels = append(c.Panels, sharesPanel(Axis{Label: label, Unit: u.name}, comparedKinds[:], lanes, func(i int) []share {
			var out []share
			for kind, t := range sums[i] {
				out = append(out, share{trace.Kind(kind).String(), kindColors[trace.Kind(kind)], u.in(t), []string{t.String()}})
			}
			return out
		}))
		s := fmt.Sprintf("%s: %s and %s", clockNames[k].short, total[0], total[1])
		if total[0] > 0 && total[1] > 0 {
			s += fmt.Sprintf(" (%.3g times)", float64(total[1])/float64(total[0]))
		}
		said = append(said, s)
	}
	if len(c.Panels) == 0 {
		return failed("Compare: nothing happened in either log")
	}
	c.Subtitle = strings.Join(said, "   ·   ")
	if k := [2]kernelSum{slotSum(a), slotSum(b)}; k[0].runs > 0 && k[1].runs > 0 {
		c.Panels = append(c.Panels, sharesPanel(Axis{Label: "scheduler cycles of all kernels", Unit: "%", Max: 100, Step: 25}, slotNames, lanes, func(i int) []share {
			return k[i].slots()
		}))
	}
	c.Notes = append(c.Notes, modelNote(c.logs)...)
	return c
}

// comparedKinds are the names of all kinds of events, in their order.
var comparedKinds = func() (names [trace.Overhead + 1]string) {
	for k := range names {
		names[k] = trace.Kind(k).String()
	}
	return names
}()

// slotSum adds up all kernels of l.
func slotSum(l *trace.Log) (all kernelSum) {
	for _, e := range l.Kernels() {
		all.add(e.Stats)
		all.runs++
	}
	return all
}
