package trace

import "slices"

// Program is what a program evaluated, under a name: the traces of its evaluations, in order.
type Program struct {
	Name string
	Logs []*Log
}

// Took returns how long devices were at the evaluations, one after the other: from the first copy or kernel of each to
// the end of the last. What the host did is not counted.
func (p Program) Took() (t Time) {
	for _, l := range p.Logs {
		start, end := Span(slices.DeleteFunc(l.Events(), func(e Event) bool {
			return e.Device == "host" || e.Kind != Kernel && e.Kind != CopyIn && e.Kind != CopyOut && e.Kind != CopyPeer
		}))
		t += end - start
	}
	return t
}

// Copied returns how many bytes were copied from the host, to it, and between devices.
func (p Program) Copied() (in, out, between int64) {
	for _, l := range p.Logs {
		for _, e := range l.Events() {
			switch {
			case e.Kind == CopyIn:
				in += e.Bytes
			case e.Kind == CopyOut:
				out += e.Bytes
			case e.Kind == CopyPeer && e.Peer != "" && e.Peer != e.Device:
				between += e.Bytes
			}
		}
	}
	return in, out, between
}

// Tiled is where the parts of an array are.
type Tiled struct {
	Shape []int
	Tiles []Tile
}

// Tile is a part of an array: along each axis, every Step-th index from From to before To.
type Tile struct {
	From, To, Step []int
	Device         string
	Turn           int // in which step the device made it, counted from 1; 0 where it made all that it has at once
}
