package partition

import (
	"slices"
	"sync"
)

// Partition is boxes of a root by colour. A colour is an index in C order into a space of colours, which has axes of
// its own. Boxes may meet, and need not be all of the root.
type Partition struct {
	Root    []int // its shape
	Colours []int // the shape of the colours' space
	box     func(colour []int) Box
	index   *boxesAt
}

// Of is the partition of those boxes, one for each colour in C order.
func Of(root, colours []int, boxes []Box) *Partition {
	return &Partition{Root: root, Colours: colours, index: new(boxesAt), box: func(c []int) Box { return boxes[number(colours, c)] }}
}

// Blocks cuts a root into tiles of a shape; the last along an axis may be smaller. It is disjoint and complete, and
// takes no memory for its boxes.
func Blocks(root, tile []int) *Partition {
	colours := make([]int, len(root))
	for a, n := range root {
		colours[a] = (n + tile[a] - 1) / tile[a]
	}
	return &Partition{Root: root, Colours: colours, index: new(boxesAt), box: func(c []int) Box {
		b := make(Box, len(root))
		for a, n := range root {
			b[a] = Span(c[a]*tile[a], min((c[a]+1)*tile[a], n))
		}
		return b
	}}
}

// Len is the number of colours.
func (p *Partition) Len() int { return sizeOf(p.Colours) }

// Box returns the elements of a colour.
func (p *Partition) Box(colour []int) Box { return p.box(colour) }

// Colour returns the index of colour number i.
func (p *Partition) Colour(i int) []int {
	c := make([]int, len(p.Colours))
	for a := len(c) - 1; a >= 0; a-- {
		c[a] = i % p.Colours[a]
		i /= p.Colours[a]
	}
	return c
}

// Image is the dependent partition of a root of that shape, whose boxes contain what the elements of p's need under m,
// and how its colours follow from those of p: an axis of colours along which nothing changes is dropped, so that what
// all of them need is one box. Only an axis of a partition with as many axes of colours as of its root can be dropped.
func (p *Partition) Image(m Map, root []int) (*Partition, Projection) {
	var keep Projection
	var colours []int
	for a, n := range p.Colours {
		if len(p.Colours) != len(p.Root) || m.Depends(a) {
			keep, colours = append(keep, a), append(colours, n)
		}
	}
	return &Partition{Root: root, Colours: colours, index: new(boxesAt), box: func(c []int) Box {
		from := make([]int, len(p.Colours))
		for k, a := range keep {
			from[a] = c[k]
		}
		box, _ := m.Image(p.box(from))
		return box
	}}, keep
}

// Meeting returns the numbers of the colours whose boxes have elements in common with b, in order. The first call makes
// an [Index] of the boxes.
func (p *Partition) Meeting(b Box) []int {
	var out []int
	p.tree().meeting(b, func(i int) bool {
		out = append(out, i)
		return true
	})
	slices.Sort(out)
	return out
}

// Disjoint reports whether no element has two colours. It takes as long as a call of Meeting for each of them.
func (p *Partition) Disjoint() bool {
	x := p.tree()
	for i := range x.Len() {
		b, _ := x.At(i)
		alone := true
		x.meeting(b, func(k int) bool {
			alone = k == i
			return alone
		})
		if !alone {
			return false
		}
	}
	return true
}

// Complete reports whether each element of the root has a colour. It takes as long as Disjoint, and where boxes meet
// also what taking from each the ones before that meet it takes.
func (p *Partition) Complete() bool {
	x := p.tree()
	n := 0
	for i := range x.Len() {
		b, _ := x.At(i)
		rest := []Box{b}
		x.meeting(b, func(k int) bool {
			if k < i {
				var left []Box
				for _, r := range rest {
					left = append(left, r.Without(x.items[k].box)...)
				}
				rest = left
			}
			return len(rest) > 0
		})
		for _, r := range rest {
			n += r.Len()
		}
	}
	return n == sizeOf(p.Root)
}

// boxesAt is the boxes of a partition, sorted when they are looked for first.
type boxesAt struct {
	once sync.Once
	Index[struct{}]
}

func (p *Partition) tree() *boxesAt {
	x := p.index
	x.once.Do(func() {
		for i := range p.Len() {
			x.Add(p.box(p.Colour(i)), struct{}{})
		}
		x.settle()
	})
	return x
}

// Projection makes a colour of another: its axis k is axis p[k] of that, or has the one colour 0 where p[k] is
// negative. It drops the axes that it does not name, adds some, and permutes the rest.
type Projection []int

// Of returns the projected colour.
func (p Projection) Of(colour []int) []int {
	out := make([]int, len(p))
	for k, a := range p {
		if a >= 0 {
			out[k] = colour[a]
		}
	}
	return out
}

// Schedule says where and when colours are worked on: dealt out to so many devices, one after the other, a step for
// each round. With one device there are as many steps as colours; with as many devices, one step.
type Schedule struct{ Devices int }

// At returns the device and the step of colour number i.
func (s Schedule) At(i int) (device, step int) { return i % s.Devices, i / s.Devices }

// Steps is how many steps so many colours take.
func (s Schedule) Steps(colours int) int { return (colours + s.Devices - 1) / s.Devices }

func sizeOf(shape []int) int {
	n := 1
	for _, k := range shape {
		n *= k
	}
	return n
}

func number(shape, index []int) int {
	n := 0
	for a, i := range index {
		n = n*shape[a] + i
	}
	return n
}
