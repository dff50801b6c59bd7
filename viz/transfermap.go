package viz

import (
	"fmt"
	"slices"
	"sort"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// TransferMap draws how many bytes went from where to where: a row for each place that bytes came from, a column for
// each that they went to. What a device copied within itself stands on the diagonal. Hovering tells the number of
// copies and their rate.
//
// For example:
//
//	np.Use("sim:v100x8")
//	np.Eval(np.Exp(x) * y)
//	viz.TransferMap()
func TransferMap(logs ...*trace.Log) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	type way struct{ from, to string }
	type sum struct {
		bytes int64
		n     int
		busy  trace.Time
	}
	sums := map[way]*sum{}
	places := []string{}
	for _, l := range logs {
		for _, e := range l.Events() {
			w := way{"host", e.Device}
			switch e.Kind {
			case trace.CopyIn:
			case trace.CopyOut:
				w = way{e.Device, "host"}
			case trace.CopyPeer:
				w = way{or(e.Peer, e.Device), or(e.To, e.Device)} // without a peer it stayed on the device
			default:
				continue
			}
			if sums[w] == nil {
				sums[w] = &sum{}
			}
			s := sums[w]
			s.bytes, s.n, s.busy = s.bytes+e.Bytes, s.n+1, s.busy+e.Duration()
			for _, p := range []string{w.from, w.to} {
				if p != "host" && !slices.Contains(places, p) {
					places = append(places, p)
				}
			}
		}
	}
	if len(sums) == 0 {
		return failed("TransferMap: the evaluation copied nothing to or from a device")
	}
	sort.Strings(places)
	places = append([]string{"host"}, places...)
	most := int64(0)
	for _, s := range sums {
		most = max(most, s.bytes)
	}
	size, unit := byteUnit(most)
	scale := &Scale{Label: "copied (" + unit + ")", Max: float64(max(most, 1)) / size, Colors: viridis}
	p, total := newNamedCells(places, scale), int64(0)
	for _, from := range places {
		for _, to := range places {
			s := sums[way{from, to}]
			if s == nil {
				continue
			}
			total += s.bytes
			rate := ""
			if s.busy > 0 {
				rate = fmt.Sprintf(", %.3g GB/s on average", float64(s.bytes)/s.busy.Seconds()/1e9)
			}
			p.add(from, to, float64(s.bytes)/size, byteSize(s.bytes), byteSize(s.bytes)+" in "+copies(s.n)+rate)
		}
	}
	return &Chart{
		terms:    []string{"paging", "pinned memory"},
		Title:    "Bytes copied from where to where",
		Subtitle: byteSize(total) + " in all",
		Panels:   []Panel{p.Panel},
		Notes:    []string{"Empty: nothing went that way. " + transferNote(logs)},
		logs:     logs,
	}
}
