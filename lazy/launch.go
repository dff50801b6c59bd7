package lazy

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// kernelCall and kernelArg are of launches of lazy arrays.
type (
	kernelCall = kernelcall.Call[Array]
	kernelArg  = kernelcall.Arg[Array]
)

// kernelRun is a launch, which runs when something that it writes is asked for.
type kernelRun struct {
	number int64 // in the order of calls
	call   kernelCall
	on     []device.Device // of which one runs it: those that were in use when it was asked for
	places []place
	outs   []*node // what it writes
	from   []view  // and what that was before; without a node for nothing
	reads  []*node // those that count it among what refers to them

	mu     sync.Mutex
	events []trace.Event
	failed error // why its kernel ended too early: it does not run again
}

// launches counts those that were asked for.
var launches atomic.Int64

// FailedLaunch is the error of an array whose elements a launch was to write that has failed before.
type FailedLaunch struct {
	Kernel string
	Err    error // of the launch: a *kir.Trap and others
}

func (e *FailedLaunch) Error() string {
	return fmt.Sprintf("the array has no elements, since the launch of %s that writes it has failed: assign it anew. The launch's error was: %v", e.Kernel, e.Err)
}

// Unwrap returns the launch's error.
func (e *FailedLaunch) Unwrap() error { return e.Err }

// place is the memory that an argument points to: byte off of what the launch writes number out, or a view that it
// reads.
type place struct {
	arg, out int
	file     bool // it is read in a file that the launch may write to
	in       view // with a node for one that is read
	off      int
}

// Launch adds a launch to what is to be computed: after all that was asked for before, and before all that
// follows. One that writes memory of the host, or nothing, runs at once. It panics with *Error when the kernel cannot
// write to an array as it is, or its devices do not exist, and as Eval does when it runs.
//
// It runs on the devices that the call names, or on those that are in use now, whatever is in use when it runs.
//
// One that runs at once and does not come to its end, as it is interrupted or has no room, has not happened: what it
// was to write is what it was before. (Of one whose kernel fails, arrays have no elements: see [FailedLaunch].)
func (Wiring) Launch(c kernelcall.Call[Array]) *kernelRun {
	r, _ := launch(c, false)
	return r
}

// Undoable is Launch, and returns what gives all arrays that the launch writes to what they were before, as long as
// nothing else has been assigned to them. Call it when a run has not come to its end, and somebody who was to learn
// what it has written, beside those who have the arrays, does not. It does nothing when the kernel has failed.
func (Wiring) Undoable(c kernelcall.Call[Array]) (r *kernelRun, undo func()) { return launch(c, true) }

func launch(c kernelcall.Call[Array], undoable bool) (r *kernelRun, undo func()) {
	done := false
	defer func() {
		if !done && undo != nil {
			undo()
		}
	}()
	r = &kernelRun{number: launches.Add(1), call: c, on: runtime().InUse()}
	switch {
	case c.Model != nil: // the CPU among them
		r.on = nil
		for _, name := range c.On {
			on, err := runtime().Named(name)
			check(c.Name, err)
			r.on = append(r.on, on...)
		}
	case c.On != nil:
		var err error
		r.on, err = runtime().Named(c.On...)
		check(c.Name, err)
	}
	now := true // it writes nothing, or only to files, which have no elements to come
	passed := make([]*Array, len(c.Args))
	for i, a := range c.Args {
		if passed[i] = a.Array; a.Array != nil && a.Writes {
			check(c.Name, writable(a.Array))
			now = now && a.Array.inFile() != nil
		}
	}
	changed := changes(c.Args)
	defer changed.over()
	back := passHostMemory(c.Args, passed)
	atOnce := now || back != nil || len(changed.files) > 0
	undo = r.connectParts(passed, undoable || atOnce || offload.Triggered() != nil)
	r.call.Args = slices.Clone(c.Args)
	for i := range r.call.Args { // nodes never hold arrays: nobody would be told that they are gone
		r.call.Args[i].Array = nil
	}
	switch {
	case back != nil: // with what the kernel has written brought back, so that all is one evaluation, with one log
		var written []*Array
		for i, a := range passed {
			if c.Args[i].Bytes != nil && c.Args[i].Writes {
				written = append(written, a)
			}
		}
		if _, err := eval(written, true); err != nil {
			panic(err)
		}
	case atOnce:
		r.Eval()
	}
	if offload.Triggered() != nil {
		for i, a := range passed {
			if a != nil && r.call.Args[i].Writes && a.Size() > 0 && a.inFile() == nil {
				a.bound(a.now())
			}
		}
	}
	if back != nil {
		back()
	}
	done = true
	return r, undo
}

// Lacks is why one of the devices, of those in use where none is named, could not run f, were it built; nil where all
// could. It panics with *Error where there is no such device.
func (Wiring) Lacks(f *kir.Func, on ...string) error {
	devices := runtime().InUse()
	if on != nil {
		var err error
		devices, err = runtime().Named(on...)
		check(f.Name, err)
	}
	for _, d := range devices {
		k, err := d.Load(f)
		if err != nil {
			return err
		}
		if limited, ok := k.(device.Limited); ok && limited.Lacks() != nil {
			return limited.Lacks()
		}
	}
	return nil
}

// writable says why a kernel cannot write to a.
func writable(a *Array) error {
	if err := a.layout.Writable(); err != nil {
		return err
	}
	if !a.layout.IsContiguous() {
		return &Error{Shapes: [][]int{a.layout.Shape}, Msg: "a kernel writes to elements that lie side by side, which those of this view do not: give it a copy, and assign that to the view"}
	}
	return nil
}

// connect makes the nodes of what the launch writes, which take the place of what their storages hold. What it returns
// puts those back, see [Wiring.Undoable], where that may be asked for; the launch itself does not keep them.
//
// Of an array of which there is a portion it makes that alone, which is assigned to the array: launches on portions
// that do not meet do not wait for each other.
func (r *kernelRun) connect(passed []*Array, portions map[*ref]portion, undoable bool) (undo func()) {
	var refs []*ref // of what it writes
	at := map[*ref]int{}
	fresh := map[*ref]bool{}
	var storages []*storage
	for i, a := range passed {
		if a == nil || !r.call.Args[i].Writes || a.Size() == 0 || a.inFile() != nil {
			continue
		}
		if _, ok := at[a.ref]; !ok {
			a.now() // it has a node from now on
			at[a.ref] = len(refs)
			fresh[a.ref] = r.call.Args[i].Fresh && a.layout.IsContiguous() && a.Size() == a.ref.node.layout.Size()
			refs, storages = append(refs, a.ref), append(storages, a.storage)
		}
	}
	for i, a := range passed {
		if a == nil || a.Size() == 0 {
			continue
		}
		if k, ok := at[a.ref]; ok && a.layout.IsContiguous() { // it sees what the kernel writes
			r.places = append(r.places, place{arg: i, out: k, off: (a.layout.Offset - portions[a.ref].at) * a.dtype.Size()})
			continue
		}
		if !a.layout.IsContiguous() {
			a = a.Copy()
		}
		v := r.refer(i, a, portions != nil)
		r.places = append(r.places, place{arg: i, out: -1, file: r.call.Args[i].Writes, in: v, off: v.layout.Offset * a.dtype.Size()})
	}
	locked := slices.Clone(refs) // in one order for all launches
	slices.SortFunc(locked, func(a, b *ref) int {
		return cmp.Compare(uintptr(unsafe.Pointer(a)), uintptr(unsafe.Pointer(b)))
	})
	for _, f := range locked {
		f.mu.Lock()
		defer f.mu.Unlock()
	}
	before, written := make([]*node, len(refs)), make([]*node, len(refs))
	for i, f := range refs {
		if before[i] = f.node; undoable {
			f.node.see()
		}
		from, made := all(f.node), f.node.layout
		p, part := portions[f]
		if part {
			from, made = p.begins(f.node), contiguous(p.shape)
		}
		if fresh[f] {
			from = view{}
		}
		if r.from = append(r.from, from); from.node != nil {
			r.counts(from.node)
		}
		r.outs = append(r.outs, newNode(kindLaunch, storages[i].dtype, made, &rare{launch: r}))
	}
	if len(r.outs) == 0 { // it prints, or does nothing: something must be there to be asked for
		r.from = append(r.from, view{})
		r.outs = append(r.outs, newNode(kindLaunch, arrays.Bool, contiguous([]int{1}), &rare{launch: r}))
	}
	var args []view
	for _, v := range r.from {
		if v.node != nil {
			args = append(args, v)
		}
	}
	for _, p := range r.places {
		if p.out < 0 {
			args = append(args, p.in)
		}
	}
	for _, n := range r.outs {
		n.become(kindLaunch, args...)
	}
	for i, f := range refs { // what is made of them learns what they wait for
		written[i] = r.outs[i]
		if p, part := portions[f]; part {
			written[i] = p.assigned(f.node, written[i])
		}
		f.become(written[i])
	}
	return func() {
		if r.failure() != nil {
			return
		}
		for i, f := range refs {
			f.mu.Lock()
			if f.node == written[i] {
				f.become(before[i])
			}
			f.mu.Unlock()
		}
	}
}

// become makes n what f refers to. The caller holds mu.
func (f *ref) become(n *node) {
	n.handles.Add(1)
	f.node.handles.Add(-1)
	f.node = n
}

// refer returns a as it is now, which r is to read by its argument number i: a portion of it that launches have made,
// where that has all that the kernel reaches and portions are looked for.
func (r *kernelRun) refer(i int, a *Array, portions bool) view {
	a.ref.mu.Lock()
	defer a.ref.mu.Unlock()
	v := view{a.current(), a.layout}
	if portions {
		v = r.reached(i, v)
	}
	r.counts(v.node)
	return v
}

// counts notes that r refers to n. Its caller has the lock of a storage that n is in.
func (r *kernelRun) counts(n *node) {
	if !slices.Contains(r.reads, n) {
		r.reads = append(r.reads, n)
		n.refs.Add(1)
	}
}

// referring says of what the launches of these groups read how many of them do, and assignments of portions that are
// made for good: one of targets, or of what a cell may ask for, and one that nothing else refers to.
func referring(groups []*group, targets []*node) map[*node]int32 {
	var out map[*node]int32
	seen := map[*kernelRun]bool{}
	add := func(n *node) {
		if out == nil {
			out = make(map[*node]int32)
		}
		out[n]++
	}
	for _, g := range groups {
		r := g.root.launch
		if r == nil || seen[r] {
			continue
		}
		seen[r] = true
		for _, n := range r.reads {
			add(n)
		}
	}
	for _, g := range slices.Backward(groups) { // each after what reads it
		n := g.root
		if n.portion && (n.handles.Load() > 0 || n.over(out[n]) || slices.Contains(targets, n)) {
			for _, a := range n.args {
				add(a.node)
			}
		}
	}
	return out
}

// over reports whether nothing can ask for n, which a launch makes, once an evaluation is over in which so many
// launches read it: a launch does not run again. The storages that n was in have others by then, so nothing comes to
// refer to it.
func (n *node) over(read int32) bool { return n.handles.Load() == 0 && n.refs.Load() == read }

// task is what runs the launch. All that it writes gets a value.
func (r *kernelRun) task(g *group) *offload.Task {
	rt := runtime()
	t := &offload.Task{Name: r.call.Name, On: r.on}
	for i, n := range r.outs {
		n.value = rt.NewValue(sizeBytes(n))
		t.Out = append(t.Out, n.value)
		var from *offload.Value
		var part offload.Stretch
		if v := r.from[i]; v.node != nil {
			if from = v.node.bytes(); !v.isWhole() {
				part = offload.Stretch{Unit: n.dtype.Size(), Lo: v.layout.Offset, Hi: v.layout.Offset + n.layout.Size()}
			}
		}
		t.From, t.Begins = append(t.From, from), append(t.Begins, part)
	}
	args := make([]offload.Arg, len(r.call.Args))
	for i, a := range r.call.Args {
		if args[i] = offload.Bits(a.Bits); a.Raw != nil {
			args[i] = offload.Raw(a.Raw)
		}
	}
	for _, p := range r.places {
		if p.out >= 0 {
			args[p.arg] = offload.PointerAt(r.outs[p.out].value, p.off)
			continue
		}
		v := p.in.node.bytes()
		if !slices.Contains(t.In, v) {
			t.In = append(t.In, v)
		}
		args[p.arg] = offload.PointerAt(v, p.off)
		if s := v.Source(); s != nil && s.Memory() == nil {
			if t.OnDemand == nil {
				t.OnDemand = make(map[*offload.Value]bool)
			}
			t.OnDemand[v] = t.OnDemand[v] || p.file
		}
	}
	t.Launches = []offload.Launch{{Func: r.call.Func, Grid: r.call.Grid, Block: r.call.Block, SharedBytes: r.call.SharedBytes, Args: args, Strict: !r.call.Anyway}}
	if len(r.on) > 1 {
		t.Within = r.within()
	}
	t.Ops = g.ops(among(t.In))
	for _, s := range r.call.Setup {
		t.Calls = append(t.Calls, trace.Call(s))
	}
	if m := r.call.Model; m != nil {
		t.Choose = func(on []device.Device, has func(*offload.Value, device.Device) bool) (device.Device, offload.Choice) {
			return chooseBy(m, t, on, has)
		}
	}
	return t
}

// chooseBy takes the device on which the task takes least by the model: an element's time for each element, at least
// the time of issuing on a device that is not the CPU, and the copies of what is not there; results come back.
func chooseBy(m *kernelcall.Model, t *offload.Task, on []device.Device, has func(*offload.Value, device.Device) bool) (device.Device, offload.Choice) {
	var c offload.Choice
	best, least := on[0], math.Inf(1)
	var texts []string
	for _, d := range on {
		_, cpu := d.(device.Sharer)
		one := offload.Candidate{GPU: !cpu, Compute: m.CPU * float64(m.Elements)}
		if !cpu {
			one.Compute = max(m.Issue, m.Device*float64(m.Elements))
		}
		bytes := 0
		for _, v := range t.In {
			if !has(v, d) {
				bytes += v.Bytes()
			}
		}
		if !cpu {
			for _, v := range t.Out {
				bytes += v.Bytes()
			}
		}
		one.Transfer = m.Byte * float64(bytes)
		c.Candidates = append(c.Candidates, one)
		if sum := one.Compute + one.Transfer; sum < least {
			best, least, c.GPU = d, sum, one.GPU
		}
		in := func(s float64) trace.Time { return trace.Time(s * float64(trace.Second)) }
		texts = append(texts, fmt.Sprintf("%v + %v to copy on %s", in(one.Compute), in(one.Transfer), d.ID()))
	}
	c.Why = fmt.Sprintf("%d elements take %s, by the cost model of streams", m.Elements, strings.Join(texts, ", "))
	return best, c
}

// fail remembers an error of the kernel itself: what it was to write cannot be had.
func (r *kernelRun) fail(err error) {
	var trap *kir.Trap
	var barrier *kir.BarrierError
	var warp *kir.WarpError
	if errors.As(err, &trap) || errors.As(err, &barrier) || errors.As(err, &warp) {
		r.mu.Lock()
		r.failed = err
		r.mu.Unlock()
	}
}

// failure returns what earlier evaluations have failed with.
func (r *kernelRun) failure() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed == nil {
		return nil
	}
	return &FailedLaunch{r.call.Name, r.failed}
}

// settle ends what the launch has to do with what it was computed from, and keeps what the device said of it: its
// events.
func (r *kernelRun) settle(m *made, events []trace.Event) {
	for _, n := range r.outs {
		if n.done() {
			n.settle(m)
		} else { // nobody asks for it any more, and it keeps nothing alive
			n.become(kindLaunch)
			n.value = nil
		}
	}
	for _, n := range r.reads {
		n.refs.Add(-1)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.places, r.from, r.reads = nil, nil, nil
	r.events = append(r.events, events...)
}

// Eval runs the launch, with all that it needs, unless it has run. It panics as the function Eval does.
func (r *kernelRun) Eval() {
	if r.ended() {
		return
	}
	Eval(r.outs[0].whole())
}

// EvalLaunches runs what [Wiring.Launch] has returned, and all that it needs, together.
func (Wiring) EvalLaunches(of ...any) {
	var outs []*Array
	for _, x := range of {
		if r := x.(*kernelRun); !r.ended() {
			outs = append(outs, r.outs[0].whole())
		}
	}
	if len(outs) > 0 {
		Eval(outs...)
	}
}

// launched reports whether n is of a launch that has run.
func (n *node) launched() bool { return n.launch != nil && n.launch.ended() }

// ended reports whether the launch has run.
func (r *kernelRun) ended() bool {
	_, done := r.Event()
	return done
}

// Event returns what the device said of the run, and whether it has run.
func (r *kernelRun) Event() (e trace.Event, done bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.events) == 0 {
		return e, r.places == nil && r.from == nil
	}
	return r.events[0], true
}
