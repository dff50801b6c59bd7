package gpu

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// launchTree is a launch whose kernel launches others, with all of these.
type launchTree struct {
	root      *Report
	functions []*Function                                // what has been launched
	before    func(c *kernelcall.Call[lazy.Array]) error // sees each grid that a kernel has launched; nil for nobody
	private   map[*lazy.Array]*lazy.Array                // the copies of variables that are used in their place, where nothing is to change
}

// treeGrid is a grid of a tree.
type treeGrid struct {
	l              *launch
	k              *gosrc.Kernel
	c              *kernelcall.Call[lazy.Array]
	count, records *lazy.Array // its queue; nil where it launches nothing
	report         *Report
}

// queue adds to a call the queue of what the kernel launches.
func (l *launch) queue(k *gosrc.Kernel, c *kernelcall.Call[lazy.Array]) error {
	q := k.Launches
	if q == nil {
		return nil
	}
	if l.stream != nil {
		return fmt.Errorf("kernel %s launches others (%s), which the host does for the device when the kernel has ended: launch it with gpu.Launch, not on a stream or in a graph",
			l.f.name(), q.Calls[0].Place)
	}
	on := lazy.Runtime().InUse()
	if c.On != nil {
		var err error
		if on, err = lazy.Runtime().Named(c.On...); err != nil {
			return err
		}
	}
	if len(on) > 1 {
		return fmt.Errorf("kernel %s launches others (%s), on its own device, and %d devices are in use: gpu.On(%q) among the arguments of gpu.Launch names one",
			l.f.name(), q.Calls[0].Place, len(on), on[0].ID())
	}
	n := l.option.capacity()
	count, records := lazy.New(arrays.Uint32, 1), lazy.New(arrays.Uint64, n*q.Words)
	copy(c.Args[q.First:], []kernelcall.Arg[lazy.Array]{{Array: count, Writes: true}, {Array: records, Writes: true}, {Bits: uint64(n)}, {Bits: uint64(8 * q.Words)}})
	return nil
}

// launching returns the launch's kernel when that launches others, or nil.
func (l *launch) launching() *gosrc.Kernel {
	if l.f.f == nil {
		return nil
	}
	if k, err := l.f.f.Kernel(gosrc.Options{Unchecked: l.option.unchecked}); err == nil && k.Launches != nil {
		return k
	}
	return nil
}

// inTree returns a call as one of a tree.
func (l *launch) inTree(k *gosrc.Kernel, c *kernelcall.Call[lazy.Array], report *Report) *treeGrid {
	g := &treeGrid{l: l, k: k, c: c, report: report}
	if q := k.Launches; q != nil {
		g.count, g.records = c.Args[q.First].Array, c.Args[q.First+1].Array
	}
	return g
}

// run runs the tree that begins with g.
func (t *launchTree) run(g *treeGrid) error {
	t.functions = append(t.functions, g.l.f)
	return drain([]*treeGrid{g}, 0, t.level)
}

// level runs grids that wait for none of each other.
func (t *launchTree) level(grids []*treeGrid, depth int) (out []requests[*treeGrid], err error) {
	var runs []any
	var more []*Report
	for i, g := range grids {
		if depth > MaxNesting {
			return nil, tooDeep(g.l.f.name())
		}
		if g.report != t.root {
			how := kir.NestedBeside
			if i == 0 {
				how = kir.NestedAfter
			}
			g.c.Func = nested(g.c.Func, how)
			if t.before != nil {
				if err := t.before(g.c); err != nil {
					return nil, err
				}
			}
		}
		launch := func() func() {
			r, undo := lazy.Wiring{}.Undoable(*g.c)
			runs, g.report.run = append(runs, r), r
			return undo
		}
		if t.private != nil {
			launch()
		} else {
			g.l.withVariables(launch)
		}
		g.report.depth = depth
		if g.report == t.root {
			continue
		}
		if len(t.root.launched) < keptLaunches {
			t.root.launched = append(t.root.launched, g.report)
		} else {
			more = append(more, g.report)
		}
	}
	lazy.Wiring{}.EvalLaunches(runs...)
	for _, r := range more {
		t.root.more.add(t.root, r)
	}
	for _, g := range grids {
		r, err := t.asked(g)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
		if e, done := g.report.run.Event(); done {
			g.report.run = ended{e}
		}
	}
	return out, nil
}

// ended is a launch of which nothing is left but how it went: the other has its arrays, of which the queue is large.
type ended struct{ e trace.Event }

// Eval does nothing.
func (ended) Eval() {}

// Event returns how the launch went.
func (x ended) Event() (trace.Event, bool) { return x.e, true }

// asked reads the queue of a grid that has ended.
func (t *launchTree) asked(g *treeGrid) (out requests[*treeGrid], err error) {
	if g.count == nil {
		return out, nil
	}
	n := int(lazyWords[uint32](g.count)[0])
	if room := g.l.option.capacity(); n > room {
		return out, fmt.Errorf("%s: %w", g.k.Launches.Calls[0].Place, tooMany(g.l.f.name(), n, room))
	}
	if n == 0 {
		return out, nil
	}
	words := g.k.Launches.Words
	all := lazyWords[uint64](g.records.At(arrays.S(0, n*words)))
	order := make([][]uint64, n)
	for i := range order {
		order[i] = all[i*words:][:words]
	}
	slices.SortStableFunc(order, func(a, b []uint64) int { return cmp.Compare(a[7], b[7]) }) // of one thread they are in its order
	for _, rec := range order {
		call := g.k.Launches.Calls[rec[0]]
		child, err := t.child(g, call, rec)
		if err != nil {
			return out, fmt.Errorf("%s: kernel %s launches: %w", call.Place, g.l.f.name(), err)
		}
		if call.Tail {
			out.tail = append(out.tail, child)
		} else {
			out.now = append(out.now, child)
		}
	}
	return out, nil
}

func lazyWords[T uint32 | uint64](a *lazy.Array) []T { return arrays.Data[T](a.Array()) }

// function returns the kernel of a launch, the same one for each launch of it: compiling it once is enough.
func (t *launchTree) function(kernel any) (*Function, error) {
	f, err := functionOf(kernel)
	if err != nil || f.f == nil {
		return f, err
	}
	for _, known := range t.functions {
		if known.f != nil && known.f.Same(f.f) {
			return known, nil
		}
	}
	t.functions = append(t.functions, f)
	return f, nil
}

// child makes the grid that a record asks for.
func (t *launchTree) child(g *treeGrid, call gosrc.LaunchCall, rec []uint64) (*treeGrid, error) {
	f, err := t.function(call.Kernel)
	if err != nil {
		return nil, err
	}
	size := func(at int) (d Dim, err error) {
		for i, p := range []*int{&d.X, &d.Y, &d.Z} {
			if *p = int(int64(rec[at+i])); *p < 0 {
				return d, fmt.Errorf("the size %d of a grid or block along %c", *p, "xyz"[i])
			}
		}
		return d, nil
	}
	grid, err := size(1)
	if err != nil {
		return nil, err
	}
	block, err := size(4)
	if err != nil {
		return nil, err
	}
	l, err := newLaunch(f, grid, block, nil)
	if err != nil {
		return nil, err
	}
	l.option = g.l.option.forLaunched()
	k, err := f.f.Kernel(gosrc.Options{Unchecked: l.option.unchecked})
	if err != nil {
		return nil, err
	}
	if k.Dynamic {
		return nil, fmt.Errorf("kernel %s uses gpu.SharedDynamic, and launches from kernels have no dynamic shared memory: use gpu.Shared", f.name())
	}
	bases, words := rec[kir.LaunchHead:][:len(g.k.Launches.Slices)], rec[kir.LaunchHead+len(g.k.Launches.Slices):]
	var args []kernelcall.Arg[lazy.Array]
	for i := range k.Params {
		for _, leaf := range k.Params[i].Leaves {
			if !leaf.IsSlice() {
				parts := 1
				if leaf.IsComplex() {
					parts = 2
				}
				for _, bits := range words[:parts] {
					args = append(args, kernelcall.Arg[lazy.Array]{Bits: bits})
				}
				words = words[parts:]
				continue
			}
			a, err := part(g, bases, words[0], int(words[1])*leaf.ElemBytes)
			if err != nil {
				return nil, fmt.Errorf("kernel %s, parameter %s: %w", f.name(), leaf.Name, err)
			}
			a.Writes = leaf.Writes
			args = append(args, a, kernelcall.Arg[lazy.Array]{Bits: words[1]})
			words = words[2:]
		}
	}
	if err := l.meetsAlone(k.Func); err != nil {
		return nil, err
	}
	c, err := l.callWith(k, args)
	if err != nil {
		return nil, err
	}
	for _, x := range k.Variables {
		if a := &c.Args[x.First]; t.private != nil && a.Array != nil {
			if t.private[a.Array] == nil {
				t.private[a.Array] = a.Array.Copy()
			}
			a.Array = t.private[a.Array]
		}
	}
	return l.inTree(k, c, &Report{kernel: f.name(), function: f, grid: l.grid, block: l.block, sums: floatSums(c.Func), tail: call.Tail}), nil
}

// part is so many bytes from an address on of what g has been given.
func part(g *treeGrid, bases []uint64, addr uint64, bytes int) (a kernelcall.Arg[lazy.Array], err error) {
	if bytes == 0 {
		return a, nil
	}
	for i, base := range bases {
		from := g.c.Args[g.k.Launches.Slices[i]]
		off := int(addr - base)
		switch {
		case addr < base:
		case from.Array != nil && off+bytes <= from.Array.Size()*from.Array.DType().Size():
			elem := from.Array.DType().Size()
			a.Array = from.Array
			if off > 0 || bytes < from.Array.Size()*elem {
				a.Array = from.Array.Ravel().At(arrays.S(off/elem, (off+bytes)/elem))
			}
			return a, nil
		case from.Array == nil && off+bytes <= len(from.Bytes):
			a.Bytes = from.Bytes[off:][:bytes]
			return a, nil
		}
	}
	return a, errors.New("the slice is not a part of what the kernel that launches was given")
}

// forLaunched is what of a launch's options holds for those that its kernel makes.
func (o Option) forLaunched() Option {
	return Option{unchecked: o.unchecked, fastMath: o.fastMath, anyway: o.anyway, on: o.on, pending: o.pending}
}

// checkTree checks all that a launch launches, on copies of its arguments.
func (l *launch) checkTree(check func(c *kernelcall.Call[lazy.Array]) error) error {
	copied := *l
	copied.args = make([]any, len(l.args))
	for i, a := range l.args {
		copied.args[i] = copyOfArgument(a)
	}
	copied.option.on = []string{"host"}
	c, err := copied.call()
	if err != nil {
		return err
	}
	k, err := l.f.f.Kernel(gosrc.Options{Unchecked: l.option.unchecked})
	if err != nil {
		return err
	}
	t := &launchTree{root: &Report{}, before: check, private: map[*lazy.Array]*lazy.Array{}}
	for _, x := range k.Variables {
		if a := &c.Args[x.First]; a.Array != nil {
			t.private[a.Array] = a.Array.Copy()
			a.Array = t.private[a.Array]
		}
	}
	return t.run(copied.inTree(k, c, t.root))
}

// keptLaunches is how many reports of launches from kernels a report keeps: a loop of tail launches has no end of its
// own, and its memory has.
var keptLaunches = 1 << 12

// launchTotals is what is known of launches from kernels whose reports are not kept.
type launchTotals struct {
	launches, deepest, tails int
	last                     trace.Time // when the last of them ended, by the clock of the launch
	of                       map[string]int
}

// add adds a launch that was made from root.
func (m *launchTotals) add(root, r *Report) {
	if m.of == nil {
		m.of = map[string]int{}
	}
	m.launches++
	m.of[r.kernel]++
	m.deepest = max(m.deepest, r.depth)
	if r.tail {
		m.tails++
	}
	e := r.event()
	m.last = max(m.last, e.End+e.Zero-root.event().Zero)
}

// Launched returns the launches that the kernel made, and those that these made, in the order in which they ran: the
// first 4096 of them, while String counts all.
//
// For example:
//
//	rep := gpu.Launch(quick, 1, 32, x, 0, len(x))
//	len(rep.Launched()) // how many grids it took
func (r *Report) Launched() []*Report {
	r.run.Eval()
	return r.launched
}

// tree returns the events of the launch and of all that were launched from it, by one clock.
func (r *Report) tree() []trace.Event {
	out := []trace.Event{r.event()}
	for _, x := range r.launched {
		e := x.event()
		e.Start += e.Zero - out[0].Zero
		e.End += e.Zero - out[0].Zero
		out = append(out, e)
	}
	return out
}

// treeText says what was launched from the kernel.
func (r *Report) treeText() string {
	if len(r.launched) == 0 {
		return ""
	}
	deepest, tails := r.more.deepest, r.more.tails
	events := r.tree()
	first, last := events[0].Start, max(events[0].End, r.more.last)
	count := map[string]int{}
	var names []string
	for i, x := range r.launched {
		first, last = min(first, events[i+1].Start), max(last, events[i+1].End)
		deepest = max(deepest, x.depth)
		if x.tail {
			tails++
		}
		if count[x.kernel]++; count[x.kernel] == 1 {
			names = append(names, x.kernel)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(r.more.of)) {
		if count[n] == 0 {
			names = append(names, n)
		}
		count[n] += r.more.of[n]
	}
	for i, n := range names {
		names[i] = fmt.Sprintf("%d of %s", count[n], n)
	}
	grids := "grids"
	all := len(r.launched) + r.more.launches
	if all == 1 {
		grids = "grid"
	}
	return fmt.Sprintf(treeWord+" %d %s (%s), up to %d deep, %d of them at the end of another: %v from the first to the last", all, grids, strings.Join(names, ", "), deepest, tails, last-first)
}

const treeWord = "launched from kernels:"
