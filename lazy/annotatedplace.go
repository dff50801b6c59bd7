package lazy

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/offload"
)

// deviceVariants is whether any annotated function has a variant for devices: nobody looks for them before.
var deviceVariants atomic.Bool

// choose decides of the annotated calls that xs need where they run, and makes of those for the device what their
// functions say in operations of this package, which are then fused with what is around them. The functions may
// evaluate arrays themselves, so they run while nobody evaluates.
func choose(ctx context.Context, xs []*Array) error {
	for deviceVariants.Load() {
		chosen, held, err := decide(ctx, xs)
		if err != nil {
			return err
		}
		if len(chosen) == 0 {
			if len(held) > 0 {
				_, err = eval(held, true)
			}
			return err
		}
		for _, n := range chosen {
			if err := n.expand(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// decide returns the calls that have been decided to run on the device, each after those that it takes something of;
// when there are none, the arrays that Go values hold which functions on the CPU take. Nobody evaluates meanwhile.
func decide(ctx context.Context, xs []*Array) (chosen []*node, held []*Array, err error) {
	if err := lock(ctx); err != nil {
		return nil, nil, err
	}
	defer unlock() // also where an argument is not an array and panics
	var targets []*node
	for _, a := range xs {
		if n := a.view().node; !n.leaf() {
			targets = append(targets, n)
		}
	}
	order := pending(targets)
	if !slices.ContainsFunc(order, func(n *node) bool { return n.kind == kindHost && n.host.fn != nil && !n.host.decided }) {
		return nil, heldBy(order), nil
	}
	first := make(map[*node]*node) // the first user of an allocation
	for _, n := range order {
		for _, a := range n.args {
			if first[a.node] == nil {
				first[a.node] = n
			}
		}
	}
	gpu := func(n *node) bool { return n.fusable() || n.kind == kindLaunch || slices.Contains(chosen, n) }
	for _, alloc := range []bool{false, true} { // an allocation runs where its first user does
		for _, n := range order {
			if n.kind != kindHost || n.host.fn == nil || n.host.decided || n.host.ann.Alloc != alloc {
				continue
			}
			n.host.decided = true
			h := n.host
			var choice offload.Choice
			switch user := first[n]; {
			case alloc && user != nil && h.ann.GPU != nil && h.ann.CPU != nil:
				choice = offload.Choice{GPU: gpu(user), Why: "what it makes is used there first"}
			case h.ann.CPU != nil && n.takesMadeOnCPU(chosen):
				choice = offload.Choice{Why: "the CPU makes what it takes"}
			default:
				choice = h.ann.Choose(h.bind.Elements, n.moved(gpu))
			}
			n.why = append(n.why, fmt.Sprintf("%s: %s", h.ann.Name, choice.Why))
			n.placed = append(n.placed, Placement{h.ann.Name, choice})
			if choice.GPU {
				chosen = append(chosen, n)
			}
		}
	}
	if len(chosen) == 0 {
		return nil, heldBy(order), nil
	}
	slices.SortFunc(chosen, func(a, b *node) int { return int(a.at - b.at) })
	return chosen, nil, nil
}

// moved says where n's arguments are, or will be made.
func (n *node) moved(gpu func(*node) bool) []offload.Moved {
	var out []offload.Moved
	for k, s := range n.host.slots {
		if !s.array {
			continue
		}
		a := n.args[s.arg].node
		t := n.host.bind.Args[k]
		m := offload.Moved{Type: t, Elements: n.host.bind.Elements, Scalar: a.leafless() || t == offload.Broadcast}
		switch {
		case a.done():
			m.OnDevice = a.value.OnDevice()
		case a.kind == kindHost && a.host.ann.Alloc:
			m.Scalar = true
		default:
			m.OnDevice = gpu(a)
		}
		out = append(out, m)
	}
	return out
}

// expand makes n what its function for devices returns.
func (n *node) expand(ctx context.Context) error {
	v := n.host.device(n.args)
	if err := lock(ctx); err != nil {
		return err
	}
	defer unlock()
	if n.kind != kindHost { // another evaluation was first
		return nil
	}
	if n.host.makes != nil {
		n.host.object = v
		n.value = runtime().HostValue([]byte{1})
		n.settle(&made{device: "host"})
		return nil
	}
	a := v.(*Array)
	if a == nil {
		return &Error{Op: n.host.ann.Name, Msg: "the GPU function returned a nil *np.Array"}
	}
	made := a.view()
	if !slices.Equal(made.layout.Shape, n.layout.Shape) {
		return &Error{Op: n.host.ann.Name, Shapes: [][]int{made.layout.Shape, n.layout.Shape}, Msg: fmt.Sprintf(
			"the GPU function returned shape %s; its annotation promises %s", shapeString(made.layout.Shape), shapeString(n.layout.Shape))}
	}
	from := made.node
	own := !slices.ContainsFunc(n.args, func(a view) bool { return a.node == from })
	// n is that operation
	if made.isWhole() && from.dtype == n.dtype && own && !from.leaf() && from.kind != kindLaunch {
		n.become(from.kind, from.args...)
		n.ufunc, n.compute = from.ufunc, from.compute
		n.host, n.reduce, n.into, n.inline, n.result = from.host, from.reduce, from.into, from.inline, from.result
		return nil
	}
	n.become(kindCast, made)
	n.part, n.host = true, nil
	return nil
}
