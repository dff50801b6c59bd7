package viz

import (
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Depths draws how many reads a second disks make, by how many are under way at once, both axes logarithmic: disks
// that were measured above, modelled ones below, as their clocks differ. A dashed line is each disk's knee, Little's
// T·L: the rate at the peak times the time that a read takes alone. Left of it a disk waits for reads, right of it
// they wait.
//
// For example:
//
//	disk, err := storage.Calibrate()
//	optane, err := storage.Depths("optane", 4096)
//	viz.Depths(disk.Depths(4096), optane)
func Depths(curves ...trace.DepthCurve) *Chart {
	c := &Chart{Title: "Reads a second by reads under way", terms: []string{"latency"}}
	for _, modelled := range []bool{false, true} {
		label := "reads a second, measured"
		if modelled {
			label = "reads a second (sim)"
		}
		p := Panel{Height: 170, X: Axis{Label: "reads under way", Log: true}, Y: Axis{Label: label, Log: true}}
		var knees []Series
		for i, d := range curves {
			if len(d.Depths) == 0 || len(d.Depths) != len(d.Rates) {
				return failed("Depths: curve %d has %d depths and %d rates; storage.Calibrate and storage.Depths make curves", i+1, len(d.Depths), len(d.Rates))
			}
			if d.Modelled != modelled {
				continue
			}
			s := Series{Name: fmt.Sprintf("%s, %s", d.Name, byteSize(int64(d.Line))), Color: seriesColors[i%len(seriesColors)], Dots: true}
			least, most := math.Inf(1), 0.0
			for k, q := range d.Depths {
				if r := d.Rates[k]; q < 1 || !finite(r) || r <= 0 {
					return failed("Depths: curve %d has %v reads a second with %d under way, which cannot stand on logarithmic axes", i+1, r, q)
				}
				s.X, s.Y = append(s.X, float64(q)), append(s.Y, d.Rates[k])
				least, most = min(least, d.Rates[k]), max(most, d.Rates[k])
			}
			p.Series = append(p.Series, s)
			if finite(d.Knee) && d.Knee >= 1 {
				knees = append(knees, Series{Name: fmt.Sprintf("T·L %.3g", d.Knee), Color: s.Color, Dashed: true, X: []float64{d.Knee, d.Knee}, Y: []float64{least, most}})
			}
			p.text = append(p.text, fmt.Sprintf("%s: %.4g reads a second at most, T·L %.3g", s.Name, most, d.Knee))
		}
		if p.Series = append(p.Series, knees...); len(p.Series) > 0 {
			c.Panels = append(c.Panels, p)
		}
	}
	if len(c.Panels) == 0 {
		return failed("Depths: there are no curves; storage.Calibrate and storage.Depths make them")
	}
	if len(c.Panels) == 2 {
		c.Notes = []string{"Measured above, modelled below: only the shapes can be compared."}
	}
	return c
}
