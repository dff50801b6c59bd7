package gpu

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

const whileCaptured = "the stream is captured into a graph: nothing of it runs before the graph is launched, so there is nothing to wait for"

// Graph is operations of streams, with what each begins after, that a device has taken as a whole: one call begins all
// of them, and a kernel that follows another needs no word of the host. [Capture] makes one.
type Graph struct {
	dev      device.Device
	g        device.Graph
	captured *capture
}

// capture is what streams are captured into.
type capture struct {
	origin *Stream
	joined []*Stream
	nodes  []captured
	last   map[*Stream]int   // the last node of each stream; -1: none yet
	after  map[*Stream][]int // of others, that its next node begins after
	used   []usedVariable
}

// captured is an operation in a graph.
type captured struct {
	device.Node
	of     []operand
	launch *launch // of a kernel
	place  string  // where it was asked for; "" where nobody knows
}

func (n captured) String() string {
	if n.place == "" {
		return n.Name
	}
	return n.Name + " (" + n.place + ")"
}

// nothingToWaitFor is the error of who waits for operation number n, -1 for none, while it is captured.
func (c *capture) nothingToWaitFor(what string, n int) error {
	last := ""
	if n >= 0 {
		last = fmt.Sprintf(": neither %v nor what comes before it", c.nodes[n])
	}
	return &Error{Err: fmt.Errorf("%s: %s%s", what, whileCaptured, last)}
}

// Capture calls f with a stream of the device that np.Use has chosen, and returns what the stream is given, as a graph:
// nothing of it runs yet. Other streams that Wait for an event of this one belong to the graph from then on, beside it;
// this one must wait for their last events before f returns. Kernels are compiled, and what CopyIn copies of memory
// that is not pinned is copied, by Capture. It is CUDA's cudaStreamBeginCapture.
//
// It panics with *Error when a captured stream is synchronised or waits for what is not captured, when streams have not
// been joined, and where a device has no graphs.
//
// For example:
//
//	g := gpu.Capture(func(s *gpu.Stream) {
//		for range 20 {
//			s.Launch(step, 64, 256, a, b)
//			s.Launch(step, 64, 256, b, a)
//		}
//	})
//	g.Launch(s)
//	s.Sync()
func Capture(f func(s *Stream)) *Graph {
	s := NewStream()
	c := &capture{origin: s, last: map[*Stream]int{s: -1}, after: map[*Stream][]int{}}
	s.captured = c
	defer func() {
		for _, o := range append(c.joined, s) {
			o.mu.Lock()
			o.captured = nil
			o.mu.Unlock()
		}
	}()
	f(s)
	if err := c.whole(); err != nil {
		panic(&Error{Err: err})
	}
	g := &Graph{dev: s.dev, captured: c}
	var nodes []device.Node
	for _, n := range c.nodes {
		nodes = append(nodes, n.Node)
	}
	var err error
	if g.g, err = device.NewGraph(s.dev, nodes); err != nil {
		panic(&Error{Err: err})
	}
	return g
}

// add makes an operation of s, whose lock the caller has, a node.
func (c *capture) add(s *Stream, n device.Node, of []operand) *Event {
	n.After, n.Priority = c.after[s], s.priority
	if last := c.last[s]; last >= 0 {
		n.After = append(n.After, last)
	}
	slices.Sort(n.After)
	n.After = slices.Compact(n.After)
	c.nodes = append(c.nodes, captured{Node: n, of: of, place: placeHere()})
	c.last[s], c.after[s] = len(c.nodes)-1, nil
	return &Event{graph: c, id: len(c.nodes) - 1}
}

// record returns the event of what s has been given so far.
func (c *capture) record(s *Stream) *Event { return &Event{graph: c, id: c.last[s]} }

// waitCaptured lets s, whose lock the caller has, wait for e, one of which is captured.
func (s *Stream) waitCaptured(e *Event) {
	switch {
	case e.graph == nil && e.ev != nil:
		panic(&Error{Err: errors.New("Wait: a stream that is captured into a graph waits for an event of before; let the stream that the graph is launched on wait for it")})
	case e.graph == nil:
		return
	case s.captured == nil && e.graph.origin.captured != e.graph:
		panic(&Error{Err: errors.New("Wait: the event is of a graph; wait for the event that its Launch returns")})
	case s.captured == nil && s.dev != e.graph.origin.dev:
		panic(&Error{Err: fmt.Errorf("Wait: the graph is of %s, the stream of %s", e.graph.origin.dev.ID(), s.dev.ID())})
	case s.captured == nil:
		s.captured = e.graph
		e.graph.joined = append(e.graph.joined, s)
		e.graph.last[s] = -1
	case s.captured != e.graph:
		panic(&Error{Err: errors.New("Wait: the event is of another graph")})
	}
	if e.id >= 0 {
		s.captured.after[s] = append(s.captured.after[s], e.id)
	}
}

// whole reports what is wrong with the graph when all has been captured.
func (c *capture) whole() error {
	reached := make([]bool, len(c.nodes))
	var walk func(n int)
	walk = func(n int) {
		if n < 0 || reached[n] {
			return
		}
		reached[n] = true
		for _, a := range c.nodes[n].After {
			walk(a)
		}
	}
	walk(c.last[c.origin])
	for _, a := range c.after[c.origin] {
		walk(a)
	}
	for i, ok := range reached {
		if !ok {
			return fmt.Errorf("node %d of the graph, %s, is of a stream that the captured one has not waited for: let it wait for the last event of each", i, c.nodes[i])
		}
	}
	if len(c.nodes) == 0 {
		return errors.New("the graph is empty: the stream was given nothing")
	}
	return nil
}

// Nodes returns the number of operations.
func (g *Graph) Nodes() int { return len(g.captured.nodes) }

// Update gives a launch in the graph, by its number among all operations, other arguments, as [Stream.Launch] takes
// them: what is launched from now on has them. Kernel, grid and block stay.
//
// For example:
//
//	g.Update(0, 0.5, x, y) // the first operation's: saxpy with another factor
func (g *Graph) Update(node int, args ...any) {
	if err := g.update(node, args); err != nil {
		panic(&Error{Err: err})
	}
}

func (g *Graph) update(node int, args []any) error {
	if node < 0 || node >= len(g.captured.nodes) {
		return fmt.Errorf("Update: the graph has operations 0 to %d, not %d", len(g.captured.nodes)-1, node)
	}
	n := &g.captured.nodes[node]
	if n.launch == nil {
		return fmt.Errorf("Update: operation %d of the graph, %s, is not a launch", node, n.Name)
	}
	l, err := newLaunch(n.launch.f, Dim(n.launch.grid), Dim(n.launch.block), args)
	if err != nil {
		return err
	}
	s := g.captured.origin
	s.captured = g.captured // variables are filled when it is launched
	defer func() { s.captured = nil }()
	d, of, err := s.prepare(l)
	if err != nil {
		return err
	}
	if d.Shared != n.Shared {
		return fmt.Errorf("Update: the launch has %d bytes of dynamic shared memory, not %d", n.Shared, d.Shared)
	}
	d.After, d.Priority = n.After, n.Priority
	if err := g.g.Update(node, d); err != nil {
		return err
	}
	n.Node, n.of, n.launch = d, of, l
	g.captured.used = append(g.captured.used, l.used...)
	return nil
}

// Launch queues the graph on a stream, as one operation, and returns its event. It may be launched again and again.
func (g *Graph) Launch(s *Stream) *Event {
	inCallback("Launch")
	if s.dev != g.dev {
		panic(&Error{Err: fmt.Errorf("the graph is of %s, the stream of %s", g.dev.ID(), s.dev.ID())})
	}
	if s.captured != nil {
		panic(&Error{Err: errors.New("a graph cannot be launched on a stream that is captured into another")})
	}
	for i := range g.captured.used {
		u := &g.captured.used[i]
		if err := u.take(true); err != nil {
			panic(&Error{u.kernel, err})
		}
		u.upload(s)
	}
	var of []operand
	for _, n := range g.captured.nodes {
		if _, err := live(n.of); err != nil {
			panic(&Error{Err: fmt.Errorf("%s: %w", n.Name, err)})
		}
		of = append(of, n.of...)
	}
	s.mu.Lock()
	e := &Event{ev: &together{g.g.Launch(s.q), g.captured}, moment: s.queued("the launch of a graph", of)}
	s.logged(e)
	s.mu.Unlock()
	s.uses(g.captured.used, "the launch of a graph", e)
	return e
}

// live reports whether the buffers of an operation have not been freed.
func live(of []operand) (bool, error) {
	for _, o := range of {
		if o.buf == nil {
			continue
		}
		if _, err := o.buf.live(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// together is the event of several operations.
type together struct {
	all   []device.Event
	graph *capture
}

// graphTasks collects the graphs that a log has launches of.
type graphTasks struct {
	graph trace.Graph
	first map[*capture]int // the number of the first task of each
}

// parts returns the records of the operations of a graph that was launched.
func (t *together) parts(x *logged, tasks *graphTasks) (out []trace.Event) {
	first, known := tasks.first[t.graph]
	if !known {
		first = len(tasks.graph.Tasks)
		tasks.first[t.graph] = first
		own := t.graph.tasks(t.graph.origin.dev.ID())
		for _, k := range own.Tasks {
			for _, list := range []*[]int{&k.In, &k.Out} {
				*list = slices.Clone(*list)
				for i := range *list {
					(*list)[i] += first
				}
			}
			tasks.graph.Tasks = append(tasks.graph.Tasks, k)
		}
		tasks.graph.Values = append(tasks.graph.Values, own.Values...)
	}
	begin := x.e.id - len(t.all) + 1
	for i, e := range t.all {
		r := e.Trace()
		r.ID, r.After, r.Task = begin+i, x.after, first+i+1
		if before := t.graph.nodes[i].After; len(before) > 0 {
			r.After = nil
			for _, a := range before {
				r.After = append(r.After, begin+a)
			}
		}
		out = append(out, r)
	}
	return out
}

// Wait waits for all and returns the first error.
func (t *together) Wait(ctx context.Context) error {
	var first error
	for _, e := range t.all {
		if err := e.Wait(ctx); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Done reports whether all are done.
func (t *together) Done() bool {
	return !slices.ContainsFunc(t.all, func(e device.Event) bool { return !e.Done() })
}

// Trace returns a record of all together.
func (t *together) Trace() trace.Event {
	out := t.all[0].Trace()
	for _, e := range t.all[1:] {
		x := e.Trace()
		out.Start, out.End = min(out.Start, x.Start), max(out.End, x.End)
	}
	out.Name, out.Kind, out.Stats, out.Bytes = "graph", trace.Kernel, nil, 0
	return out
}

// Log returns the graph as tasks and what they use, for viz.TaskGraph; it has no times.
//
// For example:
//
//	viz.TaskGraph(g.Log())
func (g *Graph) Log() *trace.Log {
	log := &trace.Log{}
	log.SetGraph(g.captured.tasks(g.dev.ID()))
	return log
}

// tasks returns the operations as tasks: each makes a value, which those read that begin after it.
func (c *capture) tasks(dev string) *trace.Graph {
	out := &trace.Graph{}
	for i, n := range c.nodes {
		t := trace.Task{Name: strings.TrimPrefix(n.Name, "the launch of "), Device: dev, Out: []int{i}, In: n.After}
		bytes := 0
		if n.Kind == trace.CopyOut {
			bytes = len(n.Memory)
		}
		for _, o := range n.of {
			if o.writes && o.buf != nil {
				bytes += o.buf.n * o.buf.dtype.Size()
			}
		}
		out.Tasks = append(out.Tasks, t)
		out.Values = append(out.Values, trace.Value{Bytes: int64(bytes), Wanted: n.Kind == trace.CopyOut})
	}
	return out
}

// String says what the graph is: "graph of 40 operations on sim:v100#0: 40 launches".
func (g *Graph) String() string {
	count := map[string]int{}
	for _, n := range g.captured.nodes {
		what := "launches"
		switch n.Kind {
		case trace.CopyIn, trace.CopyOut, trace.CopyPeer:
			what = "copies"
		case trace.Host:
			what = "calls of the host"
		}
		count[what]++
	}
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(count)) {
		parts = append(parts, fmt.Sprintf("%d %s", count[what], what))
	}
	return fmt.Sprintf("graph of %d operations on %s: %s", len(g.captured.nodes), g.dev.ID(), strings.Join(parts, ", "))
}

// MIMEBundle is what a cell shows of the graph.
func (g *Graph) MIMEBundle() display.Bundle { return display.Text(g.String()) }
