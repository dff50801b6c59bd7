package viz

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Memory draws how much memory of each device was in use when each operation was queued, over the device's time; a dashed
// line is all of it where the picture would not be flat for it.
func Memory(logs ...*trace.Log) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	if len(logs) > 1 {
		return failed("Memory: draws one log at a time, not %d", len(logs))
	}
	byDevice := map[string][]trace.Event{}
	var devices []string
	for _, e := range logs[0].Events() {
		if e.Memory == 0 {
			continue
		}
		if byDevice[e.Device] == nil {
			devices = append(devices, e.Device)
		}
		byDevice[e.Device] = append(byDevice[e.Device], e)
	}
	if len(devices) == 0 {
		return failed("Memory: the evaluation used no device that tells how much of its memory is in use")
	}
	c := &Chart{Title: "Device memory in use", logs: logs}
	for i, d := range devices {
		events := byDevice[d]
		most, end := int64(0), events[0].End
		for _, e := range events {
			most, end = max(most, e.InUse), max(end, e.End)
		}
		size, unit := byteUnit(most)
		u := unitFor(end)
		s := Series{Name: "in use on " + d, Color: seriesColors[i%len(seriesColors)], Step: true}
		for _, e := range events {
			s.X, s.Y = append(s.X, u.in(e.Start)), append(s.Y, float64(e.InUse)/size)
		}
		s.X, s.Y = append(s.X, u.in(end)), append(s.Y, s.Y[len(s.Y)-1])
		s.X, s.Y = thinLine(s.X, s.Y, maxLine)
		x := Axis{Label: clockNames[clockOf(&events[0])].axis, Unit: u.name, Max: u.in(max(end, 1))}
		all := events[0].Memory
		top := float64(most) / size
		if float64(most) > 0.2*float64(all) {
			top = float64(all) / size
		}
		y := niceSpan(0, top, 4)
		p := Panel{X: x, Y: Axis{Label: "in use on " + d, Unit: unit, Max: y.max, Step: y.step}, Height: 150, Series: []Series{s}}
		if float64(most) > 0.2*float64(all) {
			p.Series = append(p.Series, Series{Name: "all of it", Color: limitColor, Dashed: true, X: []float64{0, x.Max}, Y: []float64{top, top}})
		}
		c.Panels = append(c.Panels, p)
		c.Notes = append(c.Notes, fmt.Sprintf("%s: at most %s of %s (%.2g %%).", d, byteSize(most), byteSize(all), 100*float64(most)/float64(all)))
	}
	c.Notes = append(c.Notes, "Taken as each operation was queued: the host runs ahead of the device, so memory may be held earlier than the picture says.")
	return c
}
