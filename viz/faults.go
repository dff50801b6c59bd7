package viz

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Faults draws when the kernels of the logs waited for pages of managed memory: below, how many came with each batch of
// faults and how many left the device for them; above, how many have come in all. A page that comes again and again,
// because others have taken its room, is thrashing.
//
// For example:
//
//	s.Launch(double, 4096, 256, managed)
//	s.Sync()
//	viz.Faults()
func Faults(logs ...*trace.Log) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	var end trace.Time
	var bytes, in, out int
	var waited trace.Time
	type batch struct {
		at     trace.Time
		kernel string
		trace.FaultBatch
	}
	var all []batch
	for _, l := range logs {
		for _, e := range l.Events() {
			if e.Kind != trace.Kernel || e.Stats == nil {
				continue
			}
			end = max(end, e.End)
			for _, f := range e.Stats.Faults {
				all = append(all, batch{e.Start + f.At, e.Name, f})
				bytes, in, out, waited = e.Stats.PageBytes, in+f.Pages, out+f.Evicted, waited+f.Took
			}
		}
	}
	if all == nil {
		return failed("Faults: no kernel of the log waited for pages of managed memory; gpu.Managed makes such memory")
	}
	u := unitFor(end)
	x := Axis{Label: "time, modelled", Unit: u.name, Max: u.in(end)}
	sum := Series{Name: "came, in all", Mark: MarkLine, Color: blue, X: []float64{0}, Y: []float64{0}}
	came := Series{Name: "came", Mark: MarkBox, Color: blue}
	left := Series{Name: "left", Mark: MarkBox, Color: vermillion}
	total := 0
	for _, b := range all {
		x0, x1 := u.in(b.at), u.in(b.at+b.Took)
		sum.X, sum.Y = append(sum.X, x0, x1), append(sum.Y, float64(total), float64(total+b.Pages))
		total += b.Pages
		tip := []string{b.kernel, fmt.Sprintf("%d pages came and %d left, in %s from %s on", b.Pages, b.Evicted, b.Took, b.at)}
		came.Boxes = append(came.Boxes, Box{X0: x0, X1: x1, Y0: 0, Y1: float64(b.Pages), Tip: tip})
		if b.Evicted > 0 {
			left.Boxes = append(left.Boxes, Box{X0: x0, X1: x1, Y0: -float64(b.Evicted), Y1: 0, Tip: tip})
		}
	}
	sum.X, sum.Y = append(sum.X, u.in(end)), append(sum.Y, float64(total))
	batches := Panel{X: x, Y: Axis{Label: "of a batch", Unit: "pages"}, Series: []Series{came}, Height: 140}
	if left.Boxes != nil {
		batches.Series = append(batches.Series, left)
	}
	c := &Chart{
		Title:    "Page faults over time",
		Subtitle: fmt.Sprintf("%d pages of %d KB came to the device and %d left it, in %d batches of faults", in, bytes>>10, out, len(all)),
		Panels:   []Panel{{X: x, Y: Axis{Label: "in all", Unit: "pages"}, Series: []Series{sum}, Height: 120}, batches},
		Notes:    []string{fmt.Sprintf("Kernels waited for pages for %s of %s. Which pages come is exact but for the order within a wave of blocks; the times are modelled.", waited, end)},
		logs:     logs, linked: true,
	}
	return c
}
