package lazy

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// straight is the domain of f as one axis, which it can be where every input, and what is assigned to, goes on with one
// stride.
type straight struct {
	size    int
	strides []int // of the inputs, and of into where there is one
}

func (f *fused) line() (straight, bool) {
	layouts := f.layouts()
	if f.into != nil {
		layouts = append(layouts, f.into)
	}
	dims := dimsOf(f.domain, layouts, everyAxis)
	if len(dims) == 0 { // one element
		return straight{1, make([]int, len(layouts))}, true
	}
	if len(dims) != 1 {
		return straight{}, false
	}
	return straight{dims[0].size, dims[0].strides}, true
}

// ways is in how many ways a domain can be tried to be cut: along each axis, and as one line.
func (f *fused) ways() int {
	if len(f.domain) == 1 {
		return 1
	}
	return len(f.domain) + 1
}

// cut says how the inputs are cut along axis number i of the domain, or of one line behind the last. It leaves it to
// others to say what becomes of the outputs.
func (f *fused) cut(i int) (*offload.Cut, error) {
	if elementsIn(f.domain) == 0 {
		return nil, errors.New("it has no elements")
	}
	c := &offload.Cut{Unit: unit(i, len(f.domain)), Domain: f.domain, Axis: i}
	views := make([]partition.View, len(f.inputs))
	if i == len(f.domain) {
		l, ok := f.line()
		if !ok {
			return nil, errors.New("what it reads does not lie in one line")
		}
		c.Domain, c.Axis = []int{l.size}, 0
		for k, in := range f.inputs {
			views[k] = partition.View{Offset: in.layout.Offset, Shape: c.Domain, Strides: l.strides[k : k+1]}
		}
	} else {
		for k, in := range f.inputs {
			views[k] = partition.View{Offset: in.layout.Offset, Shape: f.domain, Strides: in.layout.Strides}
		}
	}
	if c.Domain[c.Axis] < 2 && elementsIn(f.domain) > 1 { // one element of all is a piece, which may need little
		return nil, fmt.Errorf("there is one %s", c.Unit[:len(c.Unit)-1])
	}
	f.fields(c, views)
	return c, nil
}

// fields are what c is told of the inputs, which have those views over its domain.
func (f *fused) fields(c *offload.Cut, views []partition.View) {
	c.In = make([]offload.Field, len(f.reads))
	for k, in := range f.inputs {
		if in.read < 0 {
			continue
		}
		field := &c.In[in.read]
		field.Shape, field.Bytes = in.node.layout.Shape, in.node.dtype.Size()
		field.Views = append(field.Views, views[k])
	}
}

// unit names what a piece has several of.
func unit(axis, axes int) string {
	switch {
	case axis == axes:
		return "elements"
	case axis == 0:
		return "rows"
	case axis == 1 && axes == 2:
		return "columns"
	}
	return "planes"
}

// narrowed is f for a part of its domain, or of the line that it is.
func (f *fused) narrowed(part partition.Box, c *offload.Cut, at offload.PartView) *fused {
	p := &fused{g: f.g, domain: part.Shape(), inputs: slices.Clone(f.inputs), args: make([]offload.Arg, len(f.inputs), len(f.inputs)+6), reads: f.reads, from: f.from, part: true}
	views := make([]int, len(f.reads)) // how many of a value's views are behind
	for i := range p.inputs {
		in := &p.inputs[i]
		if in.node.kind == kindConst {
			in.layout = &arrays.Layout{Shape: p.domain, Strides: make([]int, len(p.domain))}
			p.args[i] = f.args[i]
			continue
		}
		var v partition.View
		if in.read < 0 { // an iota has no memory: its numbers stay what they are
			v = f.over(c, in.layout, i).Part(part)
			p.args[i] = offload.Int(v.Offset)
		} else {
			var value *offload.Value
			value, v = at(f.reads[in.read], c.In[in.read].Views[views[in.read]])
			views[in.read]++
			p.args[i] = offload.PointerAt(value, v.Offset*in.node.dtype.Size())
		}
		in.layout = &arrays.Layout{Offset: v.Offset, Shape: p.domain, Strides: v.Strides}
	}
	return p
}

// over is a layout over f's domain, that of input i or of into behind the last, as a view over the domain that is cut.
func (f *fused) over(c *offload.Cut, l *arrays.Layout, i int) partition.View {
	v := partition.View{Offset: l.Offset, Shape: c.Domain, Strides: l.Strides}
	if len(c.Domain) != len(f.domain) {
		line, _ := f.line()
		v.Strides = line.strides[i : i+1]
	}
	return v
}

// outField is the field of an output whose elements follow one another over the axes of a domain, but for those that
// reduced names.
func outField(n *node, domain []int, reduced func(axis int) bool) offload.Field {
	v := partition.View{Shape: domain, Strides: make([]int, len(domain))}
	step := 1
	for a := len(domain) - 1; a >= 0; a-- {
		if !reduced(a) {
			v.Strides[a] = step
			step *= domain[a]
		}
	}
	return offload.Field{Shape: n.layout.Shape, Bytes: n.dtype.Size(), Views: []partition.View{v}}
}

func noAxis(int) bool { return false }

// mapParts cuts elementwise kernels.
type mapParts struct{ f *fused }

func (p mapParts) Ways() int { return p.f.ways() }

func (p mapParts) Along(i int) (*offload.Cut, error) {
	f := p.f
	c, err := f.cut(i)
	if err != nil {
		return nil, err
	}
	for _, out := range f.g.outs {
		c.Out = append(c.Out, outField(out, c.Domain, noAxis))
	}
	c.Launches = func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
		_, launches, err := f.narrowed(part, c, at).mapLaunches()
		return launches, err
	}
	return c, nil
}

// patchParts cuts assignments: pieces have the elements that are assigned, and the host keeps the others.
type patchParts struct{ f *fused }

func (p patchParts) Ways() int { return p.f.ways() }

func (p patchParts) Along(i int) (*offload.Cut, error) {
	c, err := p.f.cut(i)
	if err == nil {
		p.assign(c)
	}
	return c, err
}

// Patch is the cut for any box of what is assigned, were it one element.
func (p patchParts) Patch() *offload.Cut {
	f := p.f
	c := &offload.Cut{Unit: "rows", Domain: f.domain}
	views := make([]partition.View, len(f.inputs))
	for k, in := range f.inputs {
		views[k] = partition.View{Offset: in.layout.Offset, Shape: f.domain, Strides: in.layout.Strides}
	}
	f.fields(c, views)
	p.assign(c)
	return c
}

func (p patchParts) assign(c *offload.Cut) {
	f, root := p.f, p.f.g.root
	to := f.over(c, f.into, len(f.inputs))
	c.Out = []offload.Field{{Shape: root.layout.Shape, Bytes: root.dtype.Size(), Views: []partition.View{to}}}
	c.Launches = func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
		n := f.narrowed(part, c, at)
		_, v := at(root.value, to)
		n.into = &arrays.Layout{Offset: v.Offset, Shape: n.domain, Strides: v.Strides}
		_, launches, err := n.patchLaunches()
		return launches, err
	}
}

// reduceParts cuts reductions: along axes that are kept, where each piece makes results of its own, and along the first
// that is reduced at the chunks that blocks reduce, whose parts are combined after the last piece. The order of the
// additions is that of the whole either way.
type reduceParts struct {
	f *fused
	s sharing
}

func (p reduceParts) Ways() int { return p.f.ways() }

func (p reduceParts) Along(i int) (*offload.Cut, error) {
	f := p.f
	c, err := f.cut(i)
	if err != nil {
		return nil, err
	}
	if i < len(f.domain) && !f.reduced(i) {
		c.Out = []offload.Field{outField(f.g.root, f.domain, f.reduced)}
		c.Launches = func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
			_, launches, _, err := f.narrowed(part, c, at).reduceLaunches(p.s)
			return launches, err
		}
		return c, nil
	}
	return c, p.alongReduced(c)
}

func (p reduceParts) alongReduced(c *offload.Cut) error {
	f, step := p.f, p.s.step
	if elementsIn(c.Domain) == 0 {
		return fmt.Errorf("there are no %s", c.Unit)
	}
	line := len(c.Domain) != len(f.domain)
	outputs := f.g.root.layout.Size()
	if line && outputs > 1 {
		return errors.New("it has several results")
	}
	reduced := func(axis int) bool { return line || f.reduced(axis) }
	length, row := 1, 1 // what is reduced to a result, and that of one of what is cut
	for axis, size := range c.Domain {
		if reduced(axis) {
			length *= size
			if axis > c.Axis {
				row *= size
			}
		}
	}
	if p.s.chunks < 2 && c.Axis == 0 && !line && outputs == 1 {
		// A block reduces all of it, which is one piece, but without what lies between its elements.
		c.Align, c.Out = c.Domain[c.Axis], []offload.Field{outField(f.g.root, c.Domain, everyAxis)}
		c.Launches = func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
			_, launches, _, err := f.narrowed(part, c, at).reduceLaunches(p.s)
			return launches, err
		}
		return nil
	}
	if p.s.chunks < 2 || row*c.Domain[c.Axis] != length {
		return fmt.Errorf("the %s of it are not reduced one after the other", c.Unit)
	}
	for c.Align = step; c.Align%row != 0; {
		if c.Align += step; c.Align/row > c.Domain[c.Axis] {
			return fmt.Errorf("the blocks that reduce it do not end with %s", c.Unit)
		}
	}
	c.Align /= row
	kept, red := f.axes()
	r := newReduction(f.g.root.reduce.Reduction, kirTypes[f.g.root.args[0].node.dtype])
	c.Out = []offload.Field{outField(f.g.root, c.Domain, reduced)}
	whole := *f
	whole.params, whole.args = nil, slices.Clone(f.args[:len(f.inputs)])
	_, launches, err := whole.rows(r, kept, red, p.s)
	if err != nil {
		return err
	}
	c.Last = launches[1:]
	section := func(part partition.Box) (at, blocks int) {
		return part[c.Axis].Start * row / step * outputs * r.acc.Bytes(), (part[c.Axis].Len()*row + step - 1) / step
	}
	c.Filled = func(part partition.Box) []offload.Section {
		at, blocks := section(part)
		return []offload.Section{{At: at, Bytes: blocks * outputs * r.acc.Bytes()}}
	}
	c.Launches = func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
		n := f.narrowed(part, c, at)
		kept, red := []dim(nil), []dim(nil)
		if line { // its axis is not one of the group's
			red = dimsOf(n.domain, n.layouts(), everyAxis)
		} else {
			kept, red = n.axes()
		}
		_, launches, err := n.rows(r, kept, red, p.s)
		if err != nil {
			return nil, err
		}
		piece := launches[0]
		begin, blocks := section(part)
		piece.Args[len(f.inputs)+2] = offload.ScratchAt(0, begin)
		piece.Grid = kir.Dim3{X: blocks, Y: outputs, Z: 1}
		return []offload.Launch{piece}, nil
	}
	return nil
}
