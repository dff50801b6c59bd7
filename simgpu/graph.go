package simgpu

import (
	"context"
	"fmt"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// graph is a device.Graph of a GPU.
type graph struct {
	gpu   *GPU
	nodes []device.Node
	order []int // in which nodes are queued
}

// NewGraph implements device.Grapher: one call begins the graph, a kernel that waits for another of it begins
// Preset.GraphGap later, and nodes that wait for none of each other run beside each other. Of nodes that could begin,
// that of the higher priority comes first.
func (g *GPU) NewGraph(nodes []device.Node) (device.Graph, error) {
	if c := g.preset.Capability; c != "" && older(c, "3.0") {
		return nil, fmt.Errorf("%s has no graphs: they came with CUDA 10, which needs compute capability 3.0, and it has %s", g.id, c)
	}
	for i := range nodes {
		if nodes[i].Kind == trace.CopyPeer && g.peerOf(nodes[i].Src) != g.peerOf(nodes[i].Dst) {
			return nil, fmt.Errorf("%s: a graph is of one device, and one of its copies goes to another", g.id)
		}
	}
	out := &graph{gpu: g, nodes: nodes}
	waits, next := make([]int, len(nodes)), make([][]int, len(nodes))
	var ready []int
	for i := range nodes {
		for _, a := range nodes[i].After {
			waits[i]++
			next[a] = append(next[a], i)
		}
		if waits[i] == 0 {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		best := 0
		for i, n := range ready {
			if a, b := nodes[n].Priority, nodes[ready[best]].Priority; a < b || a == b && n < ready[best] {
				best = i
			}
		}
		n := ready[best]
		ready = append(ready[:best], ready[best+1:]...)
		out.order = append(out.order, n)
		for _, m := range next[n] {
			if waits[m]--; waits[m] == 0 {
				ready = append(ready, m)
			}
		}
	}
	return out, nil
}

// Update implements device.Graph.
func (r *graph) Update(number int, n device.Node) error {
	n.After, n.Priority = r.nodes[number].After, r.nodes[number].Priority
	r.nodes[number] = n
	return nil
}

// graphRun is a graph on its way.
type graphRun struct {
	begun bool
	start trace.Time // when its stream was done with what came before
}

// graphNode is where an operation stands in a graph.
type graphNode struct {
	run   *graphRun
	after []*event
}

// Launch implements device.Graph.
func (r *graph) Launch(on device.Stream) []device.Event {
	s, ok := on.(*stream)
	if !ok || s.gpu != r.gpu {
		c := device.NewCompletion(trace.Event{Name: "graph", Kind: trace.Kernel, Device: r.gpu.id})
		c.Finish(fmt.Errorf("the graph was made on another device than %s", r.gpu.id))
		return []device.Event{c}
	}
	run := &graphRun{}
	events := make([]device.Event, len(r.nodes))
	own := make([]*event, len(r.nodes))
	s.launching = &launching{at: r.gpu.call()}
	for _, i := range r.order {
		node := &graphNode{run: run}
		for _, a := range r.nodes[i].After {
			node.after = append(node.after, own[a])
		}
		s.launching.node = node
		events[i] = r.nodes[i].On(s)
		own[i] = events[i].(*event)
	}
	s.launching = nil
	return events
}

// launching is a graph that a stream is given: all by one call of the host.
type launching struct {
	at   trace.Time
	node *graphNode
}

// moment returns what an operation of a graph cannot begin before. Graphs begin when all before them in the stream is
// done.
func (n *graphNode) moment(submitted, previous trace.Time) moment {
	if !n.run.begun {
		n.run.begun, n.run.start = true, previous
	}
	if n.after == nil {
		return moment{submitted: submitted, previous: n.run.start}
	}
	m := moment{submitted: submitted, inGraph: true}
	for _, e := range n.after {
		m.previous = max(m.previous, e.Record.End)
	}
	return m
}

// settle reports whether the times of launches must be known before the operation's moment is.
func (n *graphNode) settles(open bool) bool {
	for _, e := range n.after {
		open = open || e.open
	}
	return open && (!n.run.begun || n.after != nil)
}

// CallHost implements device.HostCaller: the function takes no time of the model.
func (s *stream) CallHost(f func() error) device.Event {
	return s.submit("host function", trace.Host, 0, func(_ context.Context, at moment, e *trace.Event) error {
		e.Start, e.End = at.latest(), at.latest()
		s.gpu.box.settle() // who waits for launches before may be who f waits for
		return f()
	}, nil)
}
