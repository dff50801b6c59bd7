package device

import (
	"context"
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Node is an operation of a stream: a launch, a copy, or a call of a function of the host.
type Node struct {
	Kind trace.Kind // Kernel, CopyIn, CopyOut, CopyPeer or Host
	Name string     // to people

	Kernel      Kernel
	Grid, Block kir.Dim3
	Shared      int
	Params      []byte

	Dst, Src Buffer // of copies, from their first bytes on
	Memory   []byte // of the host, of CopyIn and CopyOut
	Bytes    int    // of CopyPeer

	Migrate bool // of CopyIn and CopyOut: the pages of Dst go to the device, or those of Src to the host

	Call func() error // of Host: what is called

	// In a graph: the nodes before this one, by number, that it begins after, and what matters more, the lower, of
	// nodes that could begin.
	After    []int
	Priority int
}

// On queues the operation on a stream, without regard to After.
func (n *Node) On(s Stream) Event {
	if m, ok := s.(Migrator); ok && n.Migrate {
		if n.Kind == trace.CopyIn {
			return m.Migrate(n.Dst, true)
		}
		return m.Migrate(n.Src, false)
	}
	switch n.Kind {
	case trace.Kernel:
		return s.Launch(n.Kernel, n.Grid, n.Block, n.Shared, n.Params)
	case trace.CopyIn:
		return s.CopyIn(n.Dst, 0, n.Memory)
	case trace.CopyOut:
		return s.CopyOut(n.Memory, n.Src, 0)
	case trace.CopyPeer:
		return s.CopyPeer(n.Dst, 0, n.Src, 0, n.Bytes)
	}
	return call(s, n.Call)
}

// HostCaller is a stream that calls functions of the host itself, in their turn.
type HostCaller interface {
	CallHost(f func() error) Event
}

// call has f called when all is done that is queued on s, and lets s go on when it has returned. Of a stream that does
// not call functions it waits for the end of what is queued, whose error then is the event's.
func call(s Stream, f func() error) Event {
	if c, ok := s.(HostCaller); ok {
		return c.CallHost(f)
	}
	c := NewCompletion(trace.Event{Name: "host function", Kind: trace.Host, Device: "host"})
	err := s.Sync(context.Background())
	if err == nil {
		err = f()
	}
	c.Finish(err)
	return c
}

// Grapher is a device that takes operations as a whole, which it then begins by one call: a graph.
type Grapher interface {
	// NewGraph makes a graph of nodes, whose After has numbers of nodes before them alone.
	NewGraph(nodes []Node) (Graph, error)
}

// Graph is operations that a device has taken as a whole.
type Graph interface {
	// Launch queues the graph on a stream of the device and returns the events of its nodes, or one for all.
	Launch(s Stream) []Event
	// Update gives a launch other parameters and another grid; what runs already keeps those that it has.
	Update(number int, n Node) error
}

// NewGraph makes a graph on any device; where it has none, the operations are queued one by one.
func NewGraph(d Device, nodes []Node) (Graph, error) {
	for i, n := range nodes {
		for _, a := range n.After {
			if a < 0 || a >= i {
				return nil, fmt.Errorf("node %d of the graph begins after node %d", i, a)
			}
		}
	}
	if g, ok := d.(Grapher); ok {
		return g.NewGraph(nodes)
	}
	return &replayed{nodes}, nil
}

// replayed is a graph on a device without graphs: one operation after the other on the stream.
type replayed struct{ nodes []Node }

// Launch implements Graph.
func (g *replayed) Launch(s Stream) (events []Event) {
	for i := range g.nodes {
		events = append(events, g.nodes[i].On(s))
	}
	return events
}

// Update implements Graph.
func (g *replayed) Update(number int, n Node) error {
	g.nodes[number] = n
	return nil
}
