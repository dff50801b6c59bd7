package viz

import (
	"fmt"
	"sort"
	"strings"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Transfers draws how many bytes were copied to, from and between devices, and on hover in how many copies and how
// fast.
//
// For example:
//
//	np.Eval(np.Exp(x) * y)
//	viz.Transfers()
func Transfers(logs ...*trace.Log) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	type lane struct {
		device string
		kind   trace.Kind
	}
	type sum struct {
		bytes int64
		n     int
		busy  trace.Time
		how   string
	}
	sums := map[lane]*sum{}
	var lanes []lane
	most := int64(0)
	for _, l := range logs {
		for _, e := range l.Events() {
			if e.Kind != trace.CopyIn && e.Kind != trace.CopyOut && e.Kind != trace.CopyPeer {
				continue
			}
			at := lane{e.Device, e.Kind}
			if sums[at] == nil {
				sums[at] = &sum{how: "measured"}
				lanes = append(lanes, at)
			}
			s := sums[at]
			s.bytes, s.n, s.busy = s.bytes+e.Bytes, s.n+1, s.busy+e.Duration()
			if e.Modelled {
				s.how = "modelled"
			}
			most = max(most, s.bytes)
		}
	}
	if len(lanes) == 0 {
		return failed("Transfers: the evaluation copied nothing to or from a device")
	}
	sort.Slice(lanes, func(i, j int) bool {
		if lanes[i].device != lanes[j].device {
			return lanes[i].device < lanes[j].device
		}
		return lanes[i].kind < lanes[j].kind
	})
	size, unit := byteUnit(most)
	var names, said []string
	for _, l := range lanes {
		s := sums[l]
		names = append(names, l.device+" "+l.kind.String())
		said = append(said, fmt.Sprintf("%s %s in %d", l.kind, byteSize(s.bytes), s.n))
	}
	kinds := []string{trace.CopyIn.String(), trace.CopyOut.String(), trace.CopyPeer.String()}
	return &Chart{
		terms:    []string{"bandwidth", "paging"},
		Title:    "Bytes copied",
		Subtitle: strings.Join(said, "   ·   "),
		Panels: []Panel{sharesPanel(Axis{Label: "copied", Unit: unit}, kinds, names, func(i int) []share {
			s := sums[lanes[i]]
			rate := "no time"
			if s.busy > 0 {
				rate = fmt.Sprintf("%s, %.3g GB/s on average (%s)", s.busy, float64(s.bytes)/s.busy.Seconds()/1e9, s.how)
			}
			return []share{{lanes[i].kind.String(), kindColors[lanes[i].kind], float64(s.bytes) / size,
				[]string{byteSize(s.bytes) + " in " + copies(s.n), rate}}}
		})},
		Notes: []string{transferNote(logs)},
		logs:  logs,
	}
}

// copies is "1 copy" or "7 copies".
func copies(n int) string {
	if n == 1 {
		return "1 copy"
	}
	return count(n) + " copies"
}

// transferNote says which figures of copies are counted and which come from a clock.
func transferNote(logs []*trace.Log) string {
	clocks := [2]bool{}
	for _, l := range logs {
		for _, e := range l.Events() {
			switch e.Kind {
			case trace.CopyIn, trace.CopyOut, trace.CopyPeer:
				clocks[one(e.Modelled)] = true
			}
		}
	}
	switch clocks {
	case [2]bool{false, true}:
		return "The bytes of all copies are counted; rates are modelled, from the simulated machine's links."
	case [2]bool{true, true}:
		return "The bytes of all copies are counted; rates of simulated machines are modelled, others measured."
	}
	return "The bytes of all copies are counted; rates are measured."
}
