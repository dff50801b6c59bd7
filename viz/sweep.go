package viz

// Sweep draws how a time or a rate grows with a size, both axes logarithmic: a line with a dot at each measurement. It
// takes what [Line] takes; [VLine] marks where memory ends:
//
//	viz.Sweep(elements, seconds, viz.XLabel("elements"), viz.YLabel("time (s)"), viz.VLine(2e9, "out of memory"))
func Sweep(sizes, y any, opts ...Option) *Chart {
	c := plot(MarkLine, sizes, y, append([]Option{LogX(), LogY()}, opts...))
	if c.Err != nil {
		return c
	}
	if c.Title == markNames[MarkLine] {
		c.Title = "Sweep"
	}
	for i := range c.Panels[0].Series {
		s := &c.Panels[0].Series[i]
		s.Dots = !s.Dashed && len(s.Y) <= 100
	}
	return c
}
