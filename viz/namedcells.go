package viz

// namedCells draws values between places as coloured boxes with their labels: a row for each place from which, a
// column for each to which.
type namedCells struct {
	Panel
	at map[string]int
}

func newNamedCells(places []string, scale *Scale) *namedCells {
	p := &namedCells{Panel: Panel{X: Axis{Label: "to", Names: places}, Y: Axis{Label: "from", Names: places, Down: true}, Scale: scale}}
	n := len(places)
	p.Height, p.Width = max(60, min(80, 400/n)*n), min(600, 130*n)
	p.at = make(map[string]int, n)
	for i, name := range places {
		p.at[name] = i
	}
	return p
}

// add draws a value, as it is on the scale, and says more of it in the text and where one points at it.
func (p *namedCells) add(from, to string, value float64, label, line string) {
	r, c := float64(p.at[from]), float64(p.at[to])
	way := from + " → " + to
	p.text = append(p.text, way+": "+line)
	p.Series = append(p.Series, Series{Mark: MarkBox, Color: hexOf(p.Scale.colour(value)), Boxes: []Box{{
		X0: c - 0.5, X1: c + 0.5, Y0: r - 0.5, Y1: r + 0.5, Label: label, Tip: []string{way, line}}}})
}
