package lazy

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// lookupParts cuts kernels whose threads find each element of the result somewhere along one axis of what they read, as
// take and searchsorted do. The domain has that axis last, which no part divides; a part has of each operand what it
// needs, in its order.
type lookupParts struct {
	domain []int
	units  []string // what a part along each of the other axes has several of
	in     [2]lookup
	out    lookup
	all    []*offload.Value // the task's inputs: those of in, in some order, or one that is both
	launch func(part []int, in [2]offload.Arg) offload.Launch
}

// lookup is an operand, or the result, over the domain.
type lookup struct {
	value   *offload.Value
	size    int // bytes of an element
	strides []int
}

// lookupTask is what t runs, whole or in parts.
func lookupTask(t *offload.Task, p lookupParts) {
	p.all = t.In
	t.Launches = []offload.Launch{p.launch(p.domain, [2]offload.Arg{offload.Pointer(p.in[0].value), offload.Pointer(p.in[1].value)})}
	t.Parts = p
}

func (p lookupParts) Ways() int { return len(p.units) }

func (p lookupParts) Along(i int) (*offload.Cut, error) {
	if p.domain[i] < 2 {
		return nil, fmt.Errorf("any part of it may need all of what it reads along the axis that it looks things up on, and there is one %s", p.units[i][:len(p.units[i])-1])
	}
	field := func(l lookup) offload.Field {
		return offload.Field{Shape: []int{l.value.Bytes() / l.size}, Bytes: l.size, Views: []partition.View{{Shape: p.domain, Strides: l.strides}}}
	}
	cut := &offload.Cut{Unit: p.units[i], Domain: p.domain, Axis: i, Needs: "what it looks things up in", Dense: true, Out: []offload.Field{field(p.out)}}
	a, b := field(p.in[0]), field(p.in[1])
	for _, v := range p.all {
		f := a
		switch {
		case p.in[0].value == p.in[1].value:
			f.Views = slices.Concat(a.Views, b.Views)
		case v == p.in[1].value:
			f = b
		}
		cut.In = append(cut.In, f)
	}
	cut.Launches = func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
		var in [2]offload.Arg
		for k, f := range []offload.Field{a, b} {
			v, view := at(p.in[k].value, f.Views[0])
			in[k] = offload.PointerAt(v, view.Offset*p.in[k].size)
		}
		return []offload.Launch{p.launch(part.Shape(), in)}, nil
	}
	return cut, nil
}
