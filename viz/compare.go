package viz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// maxCompared is how many logs stand side by side.
const maxCompared = 12

// Compare draws evaluations side by side, such as the same program on several devices or under several policies: the
// busy time of each kind of work, modelled and measured apart; and what the warp schedulers did. labels, as those of
// [Bar], are what they are called, one for each log; nil calls them a, b, c. Times are told as multiples of the
// first's.
//
//	viz.Compare([]string{"V100", "A100", "H200"}, v100, a100, h200)
func Compare(labels any, logs ...*trace.Log) *Chart {
	names, err := givenLabels(labels)
	if err != nil {
		return failed("Compare: %w", err)
	}
	if len(logs) < 2 || len(logs) > maxCompared {
		return failed("Compare: %d logs; want 2 to %d", len(logs), maxCompared)
	}
	if slices.Contains(logs, nil) {
		return failed("Compare: log %d is nil; keep one with trace.Last() after each evaluation", slices.Index(logs, nil)+1)
	}
	if names != nil && len(names) != len(logs) {
		return failed("Compare: %d names for %d logs", len(names), len(logs))
	}
	if names == nil {
		for i := range logs {
			names = append(names, string(rune('a'+i)))
		}
	}
	logs = allShown(logs)
	c := &Chart{Title: "Side by side: " + andList(names), logs: logs, terms: []string{"stream", "overlap"}}
	var lanes, said []string
	for _, n := range names {
		lanes = append(lanes, laneTitle(n))
	}
	for k := range numClocks {
		sums := make([][len(comparedKinds)]trace.Time, len(logs))
		total := make([]trace.Time, len(logs))
		for i, l := range logs {
			for _, e := range l.Events() {
				if clockOf(&e) == k {
					sums[i][e.Kind] += e.Duration()
					total[i] += e.Duration()
				}
			}
		}
		most := slices.Max(total)
		if most == 0 {
			continue
		}
		u := unitFor(most)
		label := strings.Replace(clockNames[k].axis, "time", "busy time", 1)
		c.Panels = append(c.Panels, sharesPanel(Axis{Label: label, Unit: u.name}, comparedKinds[:], lanes, func(i int) []share {
			var out []share
			for kind, t := range sums[i] {
				out = append(out, share{trace.Kind(kind).String(), kindColors[trace.Kind(kind)], u.in(t), []string{t.String()}})
			}
			return out
		}))
		said = append(said, clockNames[k].short+": "+andList(timesOf(total)))
	}
	if len(c.Panels) == 0 {
		return failed("Compare: nothing happened in any of the logs")
	}
	c.Subtitle = strings.Join(said, "   ·   ")
	slots, ran := make([]kernelSum, len(logs)), true
	for i, l := range logs {
		slots[i] = slotSum(l)
		ran = ran && slots[i].runs > 0
	}
	if ran {
		c.Panels = append(c.Panels, sharesPanel(Axis{Label: "scheduler cycles of all kernels", Unit: "%", Max: 100, Step: 25}, slotNames, lanes, func(i int) []share {
			return slots[i].slots()
		}))
	}
	c.Notes = append(c.Notes, modelNote(c.logs)...)
	return c
}

// timesOf writes times, from the second on with their ratio to the first: "212 µs (1.55×)".
func timesOf(total []trace.Time) (out []string) {
	for i, t := range total {
		s := t.String()
		if i > 0 && total[0] > 0 && t > 0 {
			s += fmt.Sprintf(" (%.3g×)", float64(t)/float64(total[0]))
		}
		out = append(out, s)
	}
	return out
}

// andList writes "a, b and c".
func andList(s []string) string {
	last := len(s) - 1
	return strings.Join(s[:last], ", ") + " and " + s[last]
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
