package brook

import (
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/kernel/display"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/viz"
)

// MIMEBundle computes the stream: its text is that of String.
func (s *Stream) MIMEBundle() display.Bundle { return display.Text(s.String()) }

// Image shows a stream as a picture, as if it were bound as a texture: a row of pixels for each row of the last axis,
// those of all planes below each other; a stream of one axis is laid out in rows of about as many elements as there
// are rows, the rest of the last one is black. Elements of one or two numbers show the first as grey, from the least
// to the greatest; others show their first three as red, green and blue: as they are where all lie from 0 to 1, else
// each from its least to its greatest.
func (s *Stream) Image() *viz.Chart {
	const op = "brook.Image"
	n := s.Len()
	if n == 0 {
		check(op, fmt.Errorf("a stream of shape %v has no element to show", s.Shape()))
	}
	s.Eval()
	shape := s.Shape()
	width := shape[max(len(shape)-1, 0)]
	if len(shape) == 1 {
		width = int(math.Ceil(math.Sqrt(float64(n))))
	}
	height := (n + width - 1) / width
	plane := func(c *np.Array) *np.Array {
		c = c.Reshape(-1).AsType(np.Float64)
		if height*width > n {
			c = np.Concat(np.Axis(0), c, np.Full(c.Min(), height*width-n))
		}
		return c.Reshape(height, width)
	}
	if len(s.columns) < 3 {
		return viz.Image(plane(s.columns[0]))
	}
	var planes []*np.Array
	are := true // colours
	for _, c := range s.columns[:3] {
		p := plane(c)
		planes = append(planes, p)
		are = are && p.Min().Float64() >= 0 && p.Max().Float64() <= 1
	}
	var colours []any
	for _, p := range planes {
		if !are {
			least := p.Min()
			p = p.Sub(least).Div(np.Maximum(p.Max().Sub(least), 1e-30))
		}
		colours = append(colours, p)
	}
	return viz.Image(np.Stack(np.Axis(2), colours...))
}
