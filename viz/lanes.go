package viz

import (
	"fmt"
)

// laneThick is how much of its lane a box takes.
const laneThick = 0.72

// share is one part of a lane.
type share struct {
	name, color string
	value       float64
	tip         []string
}

// sharesPanel stands the parts of each lane one after the other, the same name in the same colour in all lanes. Parts
// of nothing are left out; the legend has the order of names.
func sharesPanel(x Axis, names, lanes []string, parts func(lane int) []share) Panel {
	p := Panel{X: x, shares: true}
	p.Y.Categories = lanes
	series := make([]Series, len(names))
	at := map[string]int{}
	for i, n := range names {
		at[n] = i
		series[i] = Series{Name: n, Mark: MarkBox}
	}
	for lane := range lanes {
		from := 0.0
		for _, sh := range parts(lane) {
			if sh.value <= 0 {
				continue
			}
			s := &series[at[sh.name]]
			s.Color = sh.color
			label := shortNumber(sh.value)
			if x.Unit == "%" {
				label = fmt.Sprintf("%.0f %%", sh.value)
			}
			s.Boxes = append(s.Boxes, Box{X0: from, X1: from + sh.value, Y0: float64(lane) - laneThick/2, Y1: float64(lane) + laneThick/2,
				Label: label, Tip: append([]string{sh.name, lanes[lane]}, sh.tip...)})
			from += sh.value
		}
	}
	for _, s := range series {
		if len(s.Boxes) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	return p
}

// laneTitle shortens the name of a lane, which would push the plot aside.
func laneTitle(s string) string {
	if r := []rune(s); len(r) > 28 {
		return string(r[:27]) + "…"
	}
	return s
}
