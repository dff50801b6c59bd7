package lazy

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"slices"
	"time"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// made says how the elements of a node came to be, for the display.
type made struct {
	device   string
	time     trace.Time // from the first to the last thing that the device did in that evaluation
	modelled bool
}

// Eval computes the given arrays in one evaluation, sharing what they have in common, and leaves them where they were
// made. Displaying does this by itself. It panics when a computation fails; an interrupt panics with the context's
// error.
//
// For example:
//
//	y := np.Sqrt(x) * 2
//	np.Eval(y) // computed now, not when it is shown
func Eval(xs ...*Array) {
	if _, err := eval(xs, false); err != nil {
		panic(err)
	}
}

// TryEval is Eval for those who go on when it fails, as when something does not fit in the device's memory and paging
// is off: it returns the error. An interrupt panics all the same.
//
// For example:
//
//	if err := np.TryEval(x); err != nil {
//		fmt.Println(err)
//	}
func TryEval(xs ...*Array) error {
	_, err := eval(xs, false)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		panic(err)
	}
	return err
}

// Array computes a and returns it as an eager array, which shares memory with a: do not write to it. It panics as Eval
// does.
func (a *Array) Array() *arrays.Array {
	a.assigned()
	out, err := eval([]*Array{a}, true)
	if err != nil {
		panic(err)
	}
	return out[0]
}

// look computes a, and calls f with its elements, which f does not keep: they may be those of a mapped file, which is
// let go with a.
func look[T any](a *Array, f func(*arrays.Array) T) T {
	out, held, err := evaluate([]*Array{a}, toLook, 0)
	if err != nil {
		panic(err)
	}
	defer goruntime.KeepAlive(held)
	return f(out[0])
}

// purpose is what an evaluation is for.
type purpose uint8

const (
	toBeThere purpose = iota // wherever the arrays are made
	toKeep                   // on the host, for as long as somebody has the elements
	toLook                   // on the host, while somebody has what holds them
)

// eval computes what the arrays view. If asked to, it brings them to the host and returns them.
func eval(xs []*Array, toHost bool) ([]*arrays.Array, error) {
	why := toBeThere
	if toHost {
		why = toKeep
	}
	out, _, err := evaluate(xs, why, 0)
	return out, err
}

// evaluate is eval, but of one array that nobody has asked for, behind which more operations than most wait, if most is
// not 0.
func evaluate(xs []*Array, why purpose, most int32) (out []*arrays.Array, held []*offload.Value, err error) {
	for _, a := range xs {
		if a.missing() {
			return nil, nil, a.unassigned()
		}
	}
	toHost := why != toBeThere
	rt := runtime()
	ctx := rt.CellContext()
	err = choose(ctx, xs)
	if err == nil {
		err = sortsAcross(ctx, xs)
	}
	if err != nil {
		if out := there(xs); toHost && err == errWithin && out != nil {
			return out, nil, nil
		}
		return nil, nil, err
	}
	if err := lock(ctx); err != nil {
		if out := there(xs); toHost && err == errWithin && out != nil {
			return out, nil, nil
		}
		return nil, nil, err
	}
	defer unlock()
	if err := recompute(ctx, rt, xs); err != nil {
		return nil, nil, err
	}

	s, err := plan(rt, xs, toHost, most)
	if err == nil && len(rt.Forecast(s.program)) > 0 {
		offload.Collect() // what no variable holds any more need not be kept, nor brought to the host piece by piece
		s, err = plan(rt, xs, toHost, most)
	}
	if err != nil {
		return nil, nil, err
	}
	if err := s.run(rt); err != nil {
		return nil, nil, err
	}
	if !toHost {
		return nil, nil, nil
	}
	out = make([]*arrays.Array, len(xs))
	for i, w := range s.wanted {
		bytes := w.node.value.Lend
		if why == toKeep {
			bytes = w.node.value.Host
		}
		out[i] = w.node.elementsIn(w.node.value, bytes()).View(*w.layout)
		held = append(held, w.node.value)
	}
	return out, held, nil
}

// run does what s says, and makes what has been computed plain values.
func (s *schedule) run(rt *offload.Runtime) error {
	log, err := rt.Run(s.program)
	if err != nil {
		var failed *offload.TaskError
		if errors.As(err, &failed) {
			for l, task := range s.launched {
				if s.program.Tasks[task-1] == failed.Task {
					l.fail(err)
				}
			}
		}
		if s := new(device.Singular); errors.As(err, &s) {
			err = &Error{Op: "solve", Err: arrays.ErrSingular, Msg: fmt.Sprintf("the matrix is singular (pivot %d is 0): it has no inverse; LstSq and PInv take such matrices", s.Pivot)}
		}
		if failed != nil {
			if k := slices.Index(s.program.Tasks, failed.Task); k >= 0 {
				err = s.of[k].root.withPlace(outOfBounds(s.of[k].root, err))
			}
		}
		return err
	}
	m := summary(log)
	if len(s.launched) > 0 {
		ran := make(map[int][]trace.Event) // kernels, by the numbers of their tasks
		for _, e := range log.Events() {
			if e.Kind == trace.Kernel {
				ran[e.Task] = append(ran[e.Task], e)
			}
		}
		for l, task := range s.launched {
			l.settle(m, ran[task])
		}
	}
	for _, g := range s.groups {
		for _, n := range g.outs {
			if !n.done() { // a temporary one is made again, should anything need it
				continue
			}
			n.settle(m)
			for _, other := range s.others[n] {
				other.settle(m)
			}
		}
	}
	return nil
}

// schedule is what an evaluation does.
type schedule struct {
	program  offload.Program
	wanted   []view
	groups   []*group
	of       []*group           // the group of each task
	launched map[*kernelRun]int // the number of its task, from 1

	others    map[*node][]*node // those that have the elements of a node too, as it was found to compute the same
	rewritten []string          // rules that something else stands for a target by
}

// plan says how to compute what the arrays view, on the host if it is wanted there; see evaluate. Its caller holds the
// evaluation lock.
func plan(rt *offload.Runtime, xs []*Array, toHost bool, most int32) (s *schedule, err error) {
	s = &schedule{wanted: make([]view, len(xs))}
	p := &s.program
	p.Planned = time.Now()
	var targets []*node
	for i, a := range xs {
		w := a.view()
		if toHost {
			w = a.gather(w)
		}
		if toHost || w.node.leafless() {
			if err := checkMemory(w.node); err != nil {
				return nil, err
			}
		}
		if w.node.materialiseLeaf(rt); !w.node.done() && (toHost || !w.node.launched()) {
			targets = append(targets, w.node)
		}
		s.wanted[i] = w
	}
	if most > 0 && len(targets) > 0 {
		targets = together(targets[0], rt, most)
	}
	placeRoutines(targets, rt)
	r := rewrite(targets)
	targets, s.rewritten, err = r.targets(rt)
	if err != nil {
		return nil, err
	}
	order := r.order
	if order == nil {
		order = pending(targets)
	}
	waiting.Add(-int64(len(order)))
	s.groups = cut(targets, order)
	s.others = r.others(s.groups)
	refreshHandles(s.groups)
	read := referring(s.groups, targets)
	for i := 0; i < len(s.groups); i++ {
		g := s.groups[i]
		n := g.root
		if s.launched[n.launch] > 0 { // with another array that it writes
			continue
		}
		if n.launch != nil {
			if err := n.launch.failure(); err != nil {
				return nil, err
			}
			if n.launched() {
				return nil, n.lostError("a kernel wrote it that has run, and does not run again")
			}
		}
		for _, out := range g.outs {
			s.give(out, rt.NewValue(valueBytes(out)))
		}
		if n.value.Bytes() == 0 && n.kind != kindHost { // and so are the others, which have as many elements
			for _, out := range g.outs {
				s.give(out, rt.HostValue(nil))
			}
			continue
		}
		if !n.fusable() { // it is made on the host
			if err := checkMemory(n); err != nil {
				return nil, err
			}
		}
		if n.outOfCore != nil && n.outOfCore.puts && !(toHost && slices.Contains(targets, n)) {
			temporary(n.value, n.outOfCore.dir)
		}
		t, err := g.task()
		if err != nil {
			return nil, err
		}
		if from := g.apart(rt, t); from != nil { // it comes first, and then g again
			s.groups = slices.Insert(s.groups, i, from)
			i--
			continue
		}
		if n.launch != nil { // which makes the values of all that it writes: copies of those have them too
			for _, out := range n.launch.outs {
				s.give(out, out.value)
			}
		}
		outs := g.outs
		if n.launch != nil {
			outs = n.launch.outs
		}
		for _, out := range outs {
			// a model takes no device's memory, and long to fit
			kept := out.launch != nil && !out.over(read[out]) || out.host != nil && out.host.makes != nil
			if kept || s.others[out] != nil || slices.Contains(targets, out) {
				continue
			}
			if out.handles.Load() == 0 {
				t.Temporary = append(t.Temporary, out.value)
			}
			if out.spills != "" { // also where somebody may ask for it later
				temporary(out.value, out.spills)
			}
		}
		p.Tasks, s.of = append(p.Tasks, t), append(s.of, g)
		if n.launch != nil {
			if s.launched == nil {
				s.launched = make(map[*kernelRun]int)
			}
			s.launched[n.launch] = len(p.Tasks)
		}
	}
	if toHost {
		for _, w := range s.wanted {
			p.Want = append(p.Want, w.node.value)
		}
	}
	if len(p.Tasks) == 0 {
		p.Planned = time.Time{}
	}
	return s, nil
}

// give lets v hold the elements of n and of those that have the same.
func (s *schedule) give(n *node, v *offload.Value) {
	n.value = v
	for _, other := range s.others[n] {
		other.value = v
	}
}

// gather returns what to bring to the host for a: all of its node, or, where a is a small part of something large that
// is not on the host, a node of its own that a kernel gathers; that is remembered.
func (a *Array) gather(w view) view {
	const large = 1 << 20
	n := w.node
	if a.gathered == nil || a.gathered.of != n {
		onHost := n.value != nil && n.value.OnHost() && n.value.Source() == nil
		if onHost || sizeBytes(n) <= large || a.Size()*n.dtype.Size()*4 >= sizeBytes(n) {
			return w
		}
		a.gathered = &gathered{newNode(kindCast, n.dtype, contiguous(a.layout.Shape), &ordinary, w), n}
	}
	return all(a.gathered.node)
}

// checkMemory refuses to make what the host has no memory for.
func checkMemory(n *node) error {
	if need, have := int64(sizeBytes(n)), host.Limit(); need > have {
		return &Error{Op: "evaluate", Shapes: [][]int{n.layout.Shape}, Msg: fmt.Sprintf(
			"shape %s of %v takes %s; this machine has %s for arrays. Reduce it, or pick a part with At, before showing it",
			shapeString(n.layout.Shape), n.dtype, device.Bytes(need), device.Bytes(have))}
	}
	return nil
}

// refreshHandles collects garbage when the values between are large: only a collection tells which of them cells have
// let go of, and those can be freed as soon as they have been read.
func refreshHandles(groups []*group) {
	large := min(64<<20, int(runtime().Room()/4))
	bytes := 0
	for _, g := range groups {
		for _, n := range g.outs {
			bytes += sizeBytes(n)
		}
	}
	if bytes < large || len(groups) < 3 {
		return
	}
	offload.Collect()
}

// settle makes n, which has been computed, a plain value: what it was computed from is no longer its concern.
func (n *node) settle(m *made) {
	if p := n.remember(); p != nil {
		n.own().past = p
	}
	if n.launch != nil {
		n.launch = nil
	}
	n.become(kindValue)
	n.made = m
}

// summary returns what log says of the device that ran kernels: the span of its events.
func summary(log *trace.Log) *made {
	m := &made{device: "host"}
	if e, ok := log.LastOf(trace.Kernel); ok {
		m.device, m.modelled = e.Device, e.Modelled
	}
	m.time = log.Took()
	return m
}

// howMade says how a's elements came to be; the zero made when they are not there.
func (a *Array) howMade() made {
	if lock(context.Background()) != nil {
		return made{}
	}
	defer unlock()
	n := a.view().node
	if g := a.gathered; g != nil && g.of == n && n.made == nil {
		n = g.node
	}
	if n.made == nil {
		return made{}
	}
	return *n.made
}

func sizeBytes(n *node) int { return n.layout.Size() * n.dtype.Size() }

// materialise returns the elements of a constant or an iota.
func (n *node) materialise() *arrays.Array {
	runtime().Reuse(sizeBytes(n))
	return n.elements()
}

func (n *node) elements() *arrays.Array {
	if n.kind == kindIota {
		return arrays.Arange(n.layout.Shape[0])
	}
	l, err := n.scalar.Layout().BroadcastTo(n.layout.Shape)
	check("full", err)
	return n.scalar.View(l).Copy()
}

// leafless reports whether n is made without any memory being read.
func (n *node) leafless() bool { return n.kind == kindConst || n.kind == kindIota }

// materialiseLeaf gives a constant or an iota, when it is itself what is asked for, its elements on the host.
func (n *node) materialiseLeaf(rt *offload.Runtime) {
	if n.leafless() {
		n.value = hostValue(n.materialise())
		n.settle(&made{device: "host"})
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
