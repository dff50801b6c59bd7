package viz

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Placed says where the parts of an array are, as lazy arrays do.
type Placed interface{ Tiled() trace.Tiled }

// mostTiles is how many tiles are drawn.
const mostTiles = 1024

// Places draws which device has which part of an array that several devices have in tiles: boxes over the last two of
// its axes of more than one element, the first downwards, in the colours of the devices; and of an array that did not
// fit in a device's memory the pieces that it made, with their steps. It computes nothing: evaluate the array first.
//
//	np.Eval(x)
//	viz.Places(x)
func Places(x Placed) *Chart {
	if x == nil {
		return failed("Places: there is no array")
	}
	t := x.Tiled()
	if len(t.Tiles) == 0 {
		return failed("Places: the array of shape %v is not in tiles: it is whole somewhere, or has not been evaluated", t.Shape)
	}
	var axes []int // that are drawn
	for a, n := range t.Shape {
		if n > 1 {
			axes = append(axes, a)
		}
	}
	hidden := max(len(axes)-2, 0)
	if axes = axes[hidden:]; len(axes) == 0 {
		return failed("Places: the array of shape %v has one element", t.Shape)
	}
	down, across := -1, axes[len(axes)-1]
	p := Panel{Height: 90, X: Axis{Label: fmt.Sprintf("axis %d", across), Max: float64(t.Shape[across])}, Y: Axis{Hidden: true, Max: 1, Down: true}}
	if len(axes) == 2 {
		down = axes[0]
		p.Y = Axis{Label: fmt.Sprintf("axis %d", down), Max: float64(t.Shape[down]), Down: true}
		p.Height = int(min(420, max(120, 560*float64(t.Shape[down])/float64(t.Shape[across]))))
	}
	var devices []string
	for _, tile := range t.Tiles {
		if !slices.Contains(devices, tile.Device) {
			devices = append(devices, tile.Device)
		}
	}
	slices.Sort(devices)
	series := make([]Series, len(devices))
	for i, d := range devices {
		series[i] = Series{Name: d, Mark: MarkBox, Color: deviceHues[i%len(deviceHues)]}
	}
	drawn, turns := min(len(t.Tiles), mostTiles), 0
	for _, tile := range t.Tiles[:drawn] {
		s := &series[slices.Index(devices, tile.Device)]
		b := Box{X0: float64(tile.From[across]), X1: float64(tile.To[across]), Y1: 1, Label: tile.Device}
		if down >= 0 {
			b.Y0, b.Y1 = float64(tile.From[down]), float64(tile.To[down])
		}
		said := indices(tile)
		on := "on " + tile.Device
		if tile.Turn > 0 {
			b.Label = fmt.Sprintf("step %d", tile.Turn)
			on += ", step " + count(tile.Turn)
			turns = max(turns, tile.Turn)
		}
		b.Tip = []string{said, on}
		p.text = append(p.text, said+" "+on)
		s.Boxes = append(s.Boxes, b)
	}
	p.Series = series
	c := &Chart{
		Title:    "Which device has which part",
		Subtitle: fmt.Sprintf("shape %v, %s on %s", t.Shape, numbered(len(t.Tiles), "tile"), numbered(len(devices), "device")),
		Panels:   []Panel{p},
	}
	if turns > 0 {
		c.Title = "Which device made which part, in which step"
		c.Subtitle = fmt.Sprintf("shape %v, %s on %s", t.Shape, numbered(turns, "step"), numbered(len(devices), "device"))
		c.Notes = append(c.Notes, "The array does not fit in the device's memory: it was made piece by piece, and the host has it.")
	}
	if hidden > 0 {
		c.Notes = append(c.Notes, "Tiles are drawn over the last two axes: those that differ along others lie on each other. The text lists all.")
	}
	if drawn < len(t.Tiles) {
		c.Notes = append(c.Notes, fmt.Sprintf("%s further tiles are not drawn.", count(len(t.Tiles)-drawn)))
	}
	return c
}

// indices writes a tile as an index is written.
func indices(t trace.Tile) string {
	s := "["
	for a := range t.From {
		if a > 0 {
			s += ", "
		}
		s += fmt.Sprintf("%d:%d", t.From[a], t.To[a])
		if t.Step[a] > 1 {
			s += fmt.Sprintf(":%d", t.Step[a])
		}
	}
	return s + "]"
}

// deviceHues are the colours of devices, which begin anew where there are more.
var deviceHues = []string{green, purple, skyBlue, yellow, blue, vermillion, paleGrey, grey}

// numbered writes "1 tile" and "2 tiles".
func numbered(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return count(n) + " " + what + "s"
}
