package viz

import (
	"fmt"
	"slices"
)

// Linked is the rates of copies between devices and the host, in GB/s, as what offload.Probe and offload.ReadLinks
// return: devices have numbers from 0, the host is -1.
type Linked interface {
	Devices() int
	Rate(from, to int) float64
	Name(number int) string
}

// Links draws how fast copies are from where to where, in GB/s: a row for each device that they come from, a column for
// each that they go to, the host first. What a device copies within itself is left out: it would hide the others.
// nominal, where it is given, is rates to compare with, as those of a file: pointing at a link tells both.
//
//	links, _ := offload.Probe()
//	viz.Links(links)
func Links(measured Linked, nominal ...Linked) *Chart {
	switch {
	case measured == nil:
		return failed("Links: there are no links; offload.Probe() measures them")
	case len(nominal) > 1:
		return failed("Links: links are compared with one other set, not with %d", len(nominal))
	case len(nominal) == 1 && nominal[0].Devices() != measured.Devices():
		return failed("Links: links of %d devices, compared with those of %d", measured.Devices(), nominal[0].Devices())
	case measured.Devices() > maxLinked:
		return failed("Links: draws links of up to %d devices, not of %d", maxLinked, measured.Devices())
	}
	var places []string
	most := 0.0
	for i := -1; i < measured.Devices(); i++ {
		name := "host"
		if i >= 0 {
			if name = measured.Name(i); name == "" || slices.Contains(places, name) {
				name = fmt.Sprint(i)
			}
		}
		places = append(places, name)
		for j := -1; j < measured.Devices(); j++ {
			if i != j && finite(measured.Rate(i, j)) {
				most = max(most, measured.Rate(i, j))
			}
		}
	}
	p := newNamedCells(places, &Scale{Label: "rate (GB/s)", Max: max(most, 1e-9), Colors: viridis})
	least := most
	for i, from := range places {
		for j, to := range places {
			rate := measured.Rate(i-1, j-1)
			if i == j || !finite(rate) {
				continue
			}
			least = min(least, rate)
			line := fmt.Sprintf("%.4g GB/s", rate)
			if len(nominal) > 0 {
				if n := nominal[0].Rate(i-1, j-1); n > 0 {
					line += fmt.Sprintf(" of %.4g nominal, %.0f %%", n, 100*rate/n)
				}
			}
			p.add(from, to, rate, fmt.Sprintf("%.3g", rate), line)
		}
	}
	return &Chart{
		terms:    []string{"bandwidth"},
		Title:    "Links between devices",
		Subtitle: fmt.Sprintf("%s, %.3g to %.3g GB/s one way", numbered(measured.Devices(), "device"), least, most),
		Panels:   []Panel{p.Panel},
		Notes:    []string{"Each pair alone, one after the other: several copies at once share links, switches and the way to the host."},
	}
}

// maxLinked is of how many devices links are drawn.
const maxLinked = 32
