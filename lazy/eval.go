package lazy

import (
	"slices"
	"time"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// made says how the elements of a node came to be, for the display.
type made struct {
	device   string
	time     trace.Time // from the first to the last thing that the device did in that evaluation
	modelled bool
}

// Eval computes the given arrays in one evaluation, sharing what they have in common, and leaves them where they were made.
// Displaying does this by itself. It panics when a computation fails; an interrupt panics with the context's error.
func Eval(xs ...*Array) {
	if _, err := eval(xs, false); err != nil {
		panic(err)
	}
}

// Array computes a and returns it as an eager array, which shares memory with a: do not write to it. It panics as Eval does.
func (a *Array) Array() *arrays.Array {
	out, err := eval([]*Array{a}, true)
	if err != nil {
		panic(err)
	}
	return out[0]
}

// evaluating is held by the evaluation that is under way: it alone writes to nodes.
var evaluating = make(chan struct{}, 1)

// eval computes what the arrays view. If asked to, it brings them to the host and returns them.
func eval(xs []*Array, toHost bool) ([]*arrays.Array, error) {
	rt := runtime()
	ctx := rt.CellContext()
	select {
	case evaluating <- struct{}{}:
		defer func() { <-evaluating }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}

	p := offload.Program{Planned: time.Now()}
	var targets []*node
	xs = slices.Clone(xs)
	for i, a := range xs {
		if toHost && a.worthGathering() {
			a = a.Copy()
			xs[i] = a
		}
		if a.node.materialiseLeaf(rt); !a.node.done() {
			targets = append(targets, a.node)
		}
	}
	groups := cut(targets)
	for _, g := range groups {
		n := g.root
		n.value = rt.NewValue(sizeBytes(n))
		if n.value.Bytes() == 0 {
			n.value = rt.HostValue(nil)
			continue
		}
		t, err := g.task()
		if err != nil {
			return nil, err
		}
		p.Tasks = append(p.Tasks, t)
	}
	if toHost {
		for _, a := range xs {
			p.Want = append(p.Want, a.node.value)
		}
	}
	if len(p.Tasks) == 0 {
		p.Planned = time.Time{}
	}
	log, err := rt.Run(p)
	if err != nil {
		return nil, err
	}
	if len(groups) > 0 {
		m := summary(log, rt.Device().ID())
		for _, g := range groups {
			g.root.settle(m)
		}
	}
	if !toHost {
		return nil, nil
	}
	out := make([]*arrays.Array, len(xs))
	for i, a := range xs {
		out[i] = arrays.FromBytes(a.node.dtype, a.node.shape, a.node.value.Host()).View(a.layout)
	}
	return out, nil
}

// worthGathering reports whether a is so small a part of what it views, and that is so large and not on the host, that a
// kernel that gathers it costs less than copying all of it.
func (a *Array) worthGathering() bool {
	const large = 1 << 20
	n := a.node
	bytes := sizeBytes(n)
	onHost := n.value != nil && n.value.Host() != nil
	return !onHost && !n.leafless() && bytes > large && a.Size()*n.dtype.Size()*4 < bytes
}

// leafless reports whether n is made without any memory being read: such a node is cheaper made on the host.
func (n *node) leafless() bool { return n.kind == kindConst || n.kind == kindIota }

// settle makes n, which has been computed, a plain value: what it was computed from is no longer its concern.
func (n *node) settle(m made) { n.kind, n.args, n.made = kindValue, nil, m }

// summary returns what log says of the device: the span of its events.
func summary(log *trace.Log, device string) made {
	m := made{device: "host"}
	var start, end trace.Time
	for _, e := range log.Events() {
		if e.Device != device || e.Kind == trace.Overhead || e.Kind == trace.Host {
			continue
		}
		if m.device != device {
			m.device, m.modelled, start = device, e.Modelled, e.Start
		}
		end = max(end, e.End)
	}
	m.time = end - start
	return m
}

func sizeBytes(n *node) int { return arrays.Contiguous(n.shape...).Size() * n.dtype.Size() }

// materialise returns the elements of a constant or an iota.
func (n *node) materialise() *arrays.Array {
	if n.kind == kindIota {
		return arrays.Arange(n.shape[0])
	}
	l, err := n.scalar.Layout().BroadcastTo(n.shape)
	check("full", err)
	return n.scalar.View(l).Copy()
}

// materialiseLeaf gives a constant or an iota, when it is itself what is asked for, its elements on the host.
func (n *node) materialiseLeaf(rt *offload.Runtime) {
	if n.leafless() {
		n.value = rt.HostValue(n.materialise().Bytes())
		n.settle(made{device: "host"})
	}
}

// bitsOf returns the bits of a 0-d array's element.
func bitsOf(a *arrays.Array) uint64 {
	var bits uint64
	for i, b := range a.Bytes() {
		bits |= uint64(b) << (8 * i)
	}
	return bits
}
