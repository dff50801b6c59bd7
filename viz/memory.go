package viz

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Memory draws how much memory of each device was in use when each operation was queued, over the device's time; a
// dashed line is all of it where the picture would not be flat for it, a grey one what the device's pool has set aside.
// The levels under the line are what the memory is for: values that the rest of the evaluation reads or makes, and
// values that are kept for later ones, which are moved out when room is short.
//
// For example:
//
//	np.Eval(np.Exp(x) * y)
//	viz.Memory()
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
	c := &Chart{Title: "Device memory in use", logs: logs, terms: []string{"device memory", "paging"}}
	for _, d := range devices {
		events := byDevice[d]
		most, reserved, high, end := int64(0), int64(0), int64(0), events[0].End
		for _, e := range events {
			most, end = max(most, e.InUse), max(end, e.End)
			reserved, high = max(reserved, e.Reserved), max(high, e.InUse, e.Reserved)
		}
		size, unit := byteUnit(high)
		u := unitFor(end)
		known := false
		in := memoryLevels(events)
		s := Series{Name: "in use on " + d, Color: blue, Step: true}
		needed := Series{Name: "needed by this evaluation", Mark: MarkArea, Color: skyBlue}
		kept := Series{Name: "kept for later ones", Mark: MarkArea, Color: paleGrey}
		pool := Series{Name: "set aside by the pool", Color: grey, Step: true}
		for _, e := range in {
			at := u.in(e.Start)
			s.X, s.Y = append(s.X, at), append(s.Y, float64(e.InUse)/size)
			needed.X, needed.Y = append(needed.X, at), append(needed.Y, float64(e.Needed)/size)
			kept.X, kept.Y = append(kept.X, at), append(kept.Y, float64(max(0, e.InUse-e.Needed))/size)
			pool.X, pool.Y = append(pool.X, at), append(pool.Y, float64(e.Reserved)/size)
			known = known || e.Needed > 0
		}
		for _, sr := range []*Series{&s, &needed, &kept, &pool} {
			sr.X, sr.Y = append(sr.X, u.in(end)), append(sr.Y, sr.Y[len(sr.Y)-1])
		}
		levels := []Series{s}
		if known {
			levels = []Series{needed, kept, s}
		}
		if reserved > most {
			levels = append(levels, pool)
		}
		x := Axis{Label: clockNames[clockOf(&events[0])].axis, Unit: u.name, Max: u.in(max(end, 1))}
		all := events[0].Memory
		top := float64(high) / size
		if float64(high) > 0.2*float64(all) {
			top = float64(all) / size
		}
		y := niceSpan(0, top, 4)
		p := Panel{X: x, Y: Axis{Label: "in use on " + d, Unit: unit, Max: y.max, Step: y.step}, Height: 150, Series: levels}
		if float64(high) > 0.2*float64(all) {
			p.Series = append(p.Series, Series{Name: "all of it", Color: limitColor, Dashed: true, X: []float64{0, x.Max}, Y: []float64{top, top}})
		}
		c.Panels = append(c.Panels, p)
		c.Notes = append(c.Notes, fmt.Sprintf("%s: at most %s of %s (%s).", d, byteSize(most), byteSize(all), percent(100*float64(most)/float64(all))))
		if reserved > 0 {
			c.Notes = append(c.Notes, fmt.Sprintf("Its pool set aside %s.", byteSize(reserved)))
		}
	}
	c.Notes = append(c.Notes, "Bytes are counted, at the time at which the host queued each operation. The host runs ahead of the device, which may use the memory later.")
	return c
}

// maxLevels is how many steps one device's line has at most.
const maxLevels = 600

// memoryLevels returns the events at which the line steps: the last of those that begin at one time, and of very many,
// the one of each stretch at which the most was in use.
func memoryLevels(events []trace.Event) []trace.Event {
	var out []trace.Event
	for i, e := range events {
		if i > 0 && e.Start == events[i-1].Start {
			out = out[:len(out)-1]
		}
		out = append(out, e)
	}
	if len(out) <= maxLevels {
		return out
	}
	var few []trace.Event
	for k := range maxLevels {
		part := out[k*len(out)/maxLevels : (k+1)*len(out)/maxLevels]
		most := part[0]
		for _, e := range part {
			if e.InUse > most.InUse {
				most.InUse, most.Needed = e.InUse, e.Needed
			}
			most.Reserved = max(most.Reserved, e.Reserved)
		}
		few = append(few, most)
	}
	return few
}

// percent has two digits, or as many as a whole number takes.
func percent(p float64) string {
	if p >= 10 {
		return fmt.Sprintf("%.0f %%", p)
	}
	return fmt.Sprintf("%.2g %%", p)
}
