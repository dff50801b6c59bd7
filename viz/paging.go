package viz

import (
	"fmt"
	"sort"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// maxPieces is how many pieces of a pass are drawn.
const maxPieces = 32

// Paging draws how arrays that are larger than a device's memory went through it: a lane for each piece of their
// rows, and when the piece was copied in, computed with and copied out. Steps from the left above to the right
// below are pieces that took each other's place. Logs are those of evaluations that were cut; without an argument
// it is the last one.
func Paging(logs ...*trace.Log) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	c := &Chart{Title: "Paging: which rows were on the device when", logs: logs, terms: []string{"paging", "overlap"}}
	for _, l := range logs {
		for _, p := range passesOf(l) {
			panel, note := p.panel()
			c.Panels, c.Notes = append(c.Panels, panel), append(c.Notes, note)
		}
	}
	if len(c.Panels) == 0 {
		return failed("Paging: the evaluation fitted in the device's memory, so nothing was cut into pieces; np.Explain says beforehand what will be")
	}
	c.Notes = append(append(c.Notes, transferNote(logs)), modelNote(logs)...)
	return c
}

// pass is the way of all pieces of an evaluation through a device.
type pass struct {
	number int
	device string
	pieces []piece
}

// piece is a part of the rows, and what was done for it, the first first.
type piece struct {
	trace.Piece
	events []trace.Event
}

func (p *piece) start() trace.Time { return p.events[0].Start }

func (p *piece) end() (at trace.Time) {
	for _, e := range p.events {
		at = max(at, e.End)
	}
	return at
}

// passesOf returns the passes of a log in their order.
func passesOf(l *trace.Log) (out []*pass) {
	type key struct {
		device       string
		pass, number int
	}
	at, passes := map[key]int{}, map[key]*pass{}
	for _, e := range l.Events() {
		if e.Piece.Number == 0 {
			continue
		}
		of := key{e.Device, e.Piece.Pass, 0}
		p := passes[of]
		if p == nil {
			p = &pass{number: e.Piece.Pass, device: e.Device}
			passes[of] = p
			out = append(out, p)
		}
		one := key{e.Device, e.Piece.Pass, e.Piece.Number}
		i, ok := at[one]
		if !ok {
			i = len(p.pieces)
			at[one] = i
			p.pieces = append(p.pieces, piece{Piece: e.Piece})
		}
		p.pieces[i].events = append(p.pieces[i].events, e)
	}
	for _, p := range out {
		sort.Slice(p.pieces, func(i, j int) bool { return p.pieces[i].Number < p.pieces[j].Number })
		for i := range p.pieces {
			events := p.pieces[i].events
			sort.SliceStable(events, func(i, j int) bool { return events[i].Start < events[j].Start })
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].number < out[j].number })
	return out
}

// drawnFirst are the kinds of events of pieces, in the order of the legend.
var drawnFirst = []trace.Kind{trace.CopyIn, trace.Kernel, trace.CopyOut}

// panel draws the first pieces of a pass, and says in words what all of them did.
func (p *pass) panel() (Panel, string) {
	drawn := p.pieces[:min(len(p.pieces), maxPieces)]
	from, to := drawn[0].start(), trace.Time(0)
	for i := range drawn {
		from, to = min(from, drawn[i].start()), max(to, drawn[i].end())
	}
	u := unitFor(to)
	out := Panel{X: Axis{Label: clockNames[clockOf(&drawn[0].events[0])].axis, Unit: u.name, Min: u.in(from), Max: u.in(to)}, Height: max(laneHeight, min(26, 640/len(drawn))*len(drawn))}
	series := map[trace.Kind]*Series{}
	for _, k := range drawnFirst {
		series[k] = &Series{Name: k.String(), Mark: MarkBox, Color: kindColors[k]}
	}
	waits := Series{Name: "waits on the device", Mark: MarkBox, Color: restColor}
	for lane := range drawn {
		d := &drawn[lane]
		box := func(s *Series, from, to trace.Time, what string) {
			s.Boxes = append(s.Boxes, Box{X0: u.in(from), X1: u.in(to), Y0: float64(lane) - laneThick/2, Y1: float64(lane) + laneThick/2,
				Tip: []string{d.rows(), what + ": " + (to - from).String() + ", from " + from.String() + " to " + to.String()}})
		}
		now := d.start()
		for i := 0; i < len(d.events); {
			e := d.events[i]
			end := e.End
			for i++; i < len(d.events) && d.events[i].Kind == e.Kind && d.events[i].Start <= end; i++ { // one box for what follows at once
				end = max(end, d.events[i].End)
			}
			if e.Start > now {
				box(&waits, now, e.Start, waits.Name)
			}
			if s := series[e.Kind]; s != nil && end > now {
				box(s, max(now, e.Start), end, s.Name)
			}
			now = max(now, end)
		}
		out.Y.Categories = append(out.Y.Categories, d.rows())
		out.lanes = append(out.lanes, fmt.Sprintf("in at %s, gone at %s", d.start(), d.end()))
	}
	for _, k := range drawnFirst {
		if len(series[k].Boxes) > 0 {
			out.Series = append(out.Series, *series[k])
		}
	}
	if len(waits.Boxes) > 0 {
		out.Series = append(out.Series, waits)
	}
	return out, p.note(len(drawn))
}

func (p *piece) rows() string { return fmt.Sprintf("rows %s to %s", count(p.From), count(p.To-1)) }

// note says how many pieces there were, how many at a time, and what was copied.
func (p *pass) note(drawn int) string {
	type change struct {
		at trace.Time
		by int
	}
	var changes []change
	in, out := int64(0), int64(0)
	for i := range p.pieces {
		d := &p.pieces[i]
		changes = append(changes, change{d.start(), 1}, change{d.end(), -1})
		for _, e := range d.events {
			switch e.Kind {
			case trace.CopyIn:
				in += e.Bytes
			case trace.CopyOut:
				out += e.Bytes
			}
		}
	}
	sort.Slice(changes, func(i, j int) bool { // what leaves at a time makes room for what comes at it
		return changes[i].at < changes[j].at || changes[i].at == changes[j].at && changes[i].by < changes[j].by
	})
	most, now := 0, 0
	for _, c := range changes {
		now += c.by
		most = max(most, now)
	}
	s := fmt.Sprintf("%s: %s pieces, at most %s at a time on the device; %s copied in, %s copied out.", p.device, count(len(p.pieces)), count(most), byteSize(in), byteSize(out))
	if p.number > 1 {
		s = fmt.Sprintf("Pass %d: ", p.number) + s
	}
	if drawn < len(p.pieces) {
		s += fmt.Sprintf(" The first %d are drawn.", drawn)
	}
	return s
}
