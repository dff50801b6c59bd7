package lazy

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Explanation says what showing some arrays would do: its steps, in order. Its text is for people.
type Explanation struct {
	Device string // that runs kernels now
	Done   int    // arrays that need nothing
	Steps  []Step

	// Calls are the operations as the program has them, each after those whose results it takes, before they are
	// placed, rewritten and fused: the graph. One that has run, or whose place has been decided, is no longer among
	// them.
	Calls []string

	Placed []Placement // annotated functions, and where each runs: also those that are operations on the device now

	Rewritten []string           // names of the rules by which arrays are what was asked for already, or another step's
	TooLarge  []offload.Forecast // what does not fit in the device's memory, and what is done about it

	policy    string // that places steps
	threshold float64
}

// Choices are the steps that run whole on one of several devices, with what the placement policy chose among. It is for
// viz.Candidates.
func (e *Explanation) Choices() (out []trace.Choice) {
	for i, s := range e.Steps {
		if len(s.Costs) < 2 {
			continue
		}
		c := trace.Choice{Step: s.Name, Number: i + 1, Policy: e.policy, Threshold: e.threshold, Chosen: s.Where}
		for _, d := range s.Costs {
			c.Devices = append(c.Devices, trace.Candidate{
				Device: d.Device, Total: d.Total, Present: d.Present, Copied: d.Copied, Busy: d.Busy,
				Copies: trace.Time(d.Seconds * float64(trace.Second)),
			})
		}
		out = append(out, c)
	}
	return out
}

// Placement is where a call of an annotated function runs: on the CPU, or as what its annotation says for devices.
type Placement struct {
	Function string // of the annotation
	offload.Choice
}

// Step is one task of an evaluation: operations that were fused into one kernel, or a function on the CPU.
type Step struct {
	Name  string   // "multiply+sin+sum"
	Where string   // "sim:v100#0", or "the CPU"
	Why   string   // it is one step, and there
	Ops   []string // "v2 = sin(v1)"; inputs are x0, x1, …
	Runs  []string // its kernels and their launches, and calls of libraries

	Rewritten []string // names of the rules that made its operations what they are

	Reads  int64 // bytes
	Copied int64 // of those, what is copied to the device, or from it, first
	Pinned int64 // of that, what is copied from pinned memory
	Writes int64
	Kept   bool // what it writes stays, for a later evaluation

	Files []string // how it reads each of those inputs that are in files: "big.npy is read piece by piece"

	Tiles   offload.Tiling // where several devices share it: the parts of its work
	Between int64          // of Copied, what is copied between those
	Whole   string         // why it runs whole on one device, where several are in use
	Costs   []offload.Cost // of each device that could run such a step

	funcs []*kir.Func
}

// Explain says what showing the arrays would do now, and does none of it: which operations make one kernel, where each
// step runs and why, what it reads and writes. It collects garbage first, for what a variable refers to is kept. Only
// what an annotated function needs to choose a place is computed. It panics as [Eval] does.
//
// For example:
//
//	np.Explain((np.Sqrt(x) + 1).Sum()) // nothing runs
func Explain(xs ...*Array) *Explanation {
	e, err := explain(xs)
	if err != nil {
		panic(err)
	}
	return e
}

func explain(xs []*Array) (*Explanation, error) {
	rt := runtime()
	ctx := rt.CellContext()
	calls, err := written(ctx, xs)
	if err != nil {
		return nil, err
	}
	if err := choose(ctx, xs); err != nil {
		return nil, err
	}
	if err := lock(ctx); err != nil {
		return nil, err
	}
	defer unlock()
	if mayBeLetGo(xs) {
		offload.Collect() // what no variable holds any more is not kept
	}
	s, err := plan(rt, xs, false, 0)
	if err != nil {
		return nil, err
	}
	on, err := rt.Assign(s.program)
	if err != nil {
		return nil, err
	}
	e := &Explanation{Calls: calls, Device: Device(), TooLarge: rt.Forecast(s.program), Rewritten: s.rewritten, policy: rt.Placement().Name(), threshold: rt.Threshold()}
	for _, w := range s.wanted {
		if w.node.done() {
			e.Done++
		}
	}
	// Which devices have what steps before make or read; nil is the host.
	there := map[*offload.Value]map[device.Device]bool{}
	has := func(v *offload.Value, d device.Device) bool {
		at, known := there[v]
		switch {
		case !known && d == nil:
			return !v.OnDevice()
		case !known || !at[d] && d != nil:
			return v.On(d)
		}
		return at[d]
	}
	for i, t := range s.program.Tasks {
		step := Step{Name: t.Name, Where: "the CPU", Why: s.of[i].reason(), Kept: len(t.Temporary) < len(t.Out)}
		d := on[i].Device
		if d != nil {
			step.Where = d.ID()
		}
		if step.Tiles = on[i].Tiles; step.Tiles.Tiles != nil {
			step.Where = counted(len(step.devices()), "device")
		}
		step.Whole, step.Costs = on[i].Why, on[i].Costs
		for _, v := range slices.Concat(t.In, t.From) {
			if v == nil {
				continue
			}
			step.Reads += int64(v.Bytes())
			if step.Tiles.Tiles != nil {
				continue
			}
			if e.Device != host.ID && !has(v, d) {
				step.Copied += int64(v.Bytes())
				if d != nil && rt.Pinned(v, d) {
					step.Pinned += int64(v.Bytes())
				}
			}
			if there[v] == nil {
				there[v] = map[device.Device]bool{nil: has(v, nil)}
			}
			there[v][d] = true
		}
		step.Files = append(files(t), s.of[i].chosen()...)
		if step.Tiles.Tiles != nil {
			step.Copied, step.Between = on[i].FromHost+on[i].FromOthers, on[i].FromOthers
		}
		for _, v := range t.Out {
			there[v] = map[device.Device]bool{d: true}
			step.Writes += int64(v.Bytes())
		}
		for _, n := range slices.Backward(s.of[i].nodes) {
			for _, name := range n.rewritten {
				if !slices.Contains(step.Rewritten, name) {
					step.Rewritten = append(step.Rewritten, name)
				}
			}
		}
		for _, n := range s.of[i].nodes {
			e.Placed = append(e.Placed, n.placed...)
		}
		if t.Chosen != nil {
			e.Placed = append(e.Placed, Placement{t.Name, *t.Chosen})
		}
		for k, op := range t.Ops {
			n := s.of[i].nodes[len(t.Ops)-1-k]
			step.Ops = append(step.Ops, fmt.Sprintf("v%d = %s(%s)", k, op.Name, operands(n, op.Args)))
		}
		for _, l := range t.Launches {
			if l.Call != nil {
				step.Runs = append(step.Runs, fmt.Sprintf("%s of %s", l.Call.Routine, s.of[i].root.host.library))
				continue
			}
			step.Runs = append(step.Runs, fmt.Sprintf("kernel %s, grid %v, block %v", l.Func.Name, l.Grid, l.Block))
			step.funcs = append(step.funcs, l.Func)
		}
		e.Steps = append(e.Steps, step)
	}
	return e, nil
}

// files says how t reads what is in files.
func files(t *offload.Task) (out []string) {
	for _, v := range t.In {
		s := v.Source()
		if s == nil || s.Memory() != nil || v.OnHost() {
			continue
		}
		name, how := brief.Path(s.Path()), "as a whole: "+device.Bytes(s.Bytes())
		if _, ok := t.OnDemand[v]; ok && t.Launches != nil {
			how = "where kernels touch it, by lines"
		} else if ok {
			how = "where elements of it are needed"
		} else if t.Parts != nil {
			how = "piece by piece, the next while the device works on one"
		}
		out = append(out, name+" is read "+how)
	}
	return out
}

// chosen says of elements that are picked from a file by their places how they are read.
func (g *group) chosen() []string {
	n := g.root
	if n.kind != kindHost || n.host.taken == nil || len(n.host.taken.args) != 1 {
		return nil
	}
	from := n.args[0]
	v := from.node.value
	if v == nil || v.OnHost() || v.Source() == nil || v.Source().File() == nil || !from.layout.IsContiguous() || len(from.layout.Shape) == 0 {
		return nil
	}
	row := n.dtype.Size() * elementsIn(from.layout.Shape[1:])
	picked := elementsIn(n.host.taken.args[0].layout.Shape)
	return []string{"it is read " + v.Source().Choose(int64(picked), int64(row)).String()}
}

// writeCosts lists what each device would have to be given, where that is not the same for all.
func (s *Step) writeCosts(b *strings.Builder) {
	same := func(c offload.Cost) bool { return c.Copied == s.Costs[0].Copied && c.Seconds == s.Costs[0].Seconds }
	if !slices.ContainsFunc(s.Costs, func(c offload.Cost) bool { return !same(c) }) {
		return
	}
	for i, c := range s.Costs {
		if i == mostCosts {
			fmt.Fprintf(b, "     … %d more\n", len(s.Costs)-i)
			break
		}
		fmt.Fprintf(b, "     %s lacks %s", c.Device, device.Bytes(c.Copied))
		if c.Copied > 0 {
			fmt.Fprintf(b, ", %v at worst", trace.Time(c.Seconds*float64(trace.Second)))
		}
		b.WriteString("\n")
	}
}

// mostCosts is of how many devices a text lists the costs.
const mostCosts = 16

// devices are those that share the step.
func (s *Step) devices() (names []string) {
	for _, t := range s.Tiles.Tiles {
		if !slices.Contains(names, t.Device) {
			names = append(names, t.Device)
		}
	}
	return names
}

// written are the operations that the arrays need, by their names in the program.
func written(ctx context.Context, xs []*Array) (calls []string, err error) {
	if err := lock(ctx); err != nil {
		return nil, err
	}
	defer unlock()
	var targets []*node
	for _, a := range xs {
		if n := a.view().node; !n.leaf() {
			targets = append(targets, n)
		}
	}
	for _, n := range pending(targets) {
		if !n.part || n.label != "" {
			calls = append(calls, n.operation())
		}
	}
	return calls, nil
}

// operands writes what n works on, which args refers to as trace.Op does.
func operands(n *node, args []int) string {
	var out []string
	for i, a := range args {
		from := n.args[i].node
		switch {
		case a != trace.Constant && a < 0:
			out = append(out, fmt.Sprintf("x%d", ^a))
		case a != trace.Constant:
			out = append(out, fmt.Sprintf("v%d", a))
		case from.kind == kindConst && from.scalar != nil:
			out = append(out, fmt.Sprint(from.scalar.Item()))
		default:
			out = append(out, "arange")
		}
	}
	return strings.Join(out, ", ")
}

// reason says why g is one step, and where.
func (g *group) reason() string {
	n := g.root
	switch {
	case n.kind == kindLaunch:
		return "a kernel of yours"
	case len(n.why) > 0:
		return strings.Join(n.why, "; ")
	case n.kind == kindHost && len(g.nodes) > 1:
		return fmt.Sprintf("%d calls that the same pieces go through", len(g.nodes))
	case !n.fusable():
		return fmt.Sprintf("there is no kernel for %s of %v", n.operation(), g.dtypes())
	}
	s := fmt.Sprintf("%d operations over shape %s in one kernel", len(g.nodes), shapeTuple(g.domain))
	if len(g.outs) > 1 {
		s += fmt.Sprintf(", which stores %d results", len(g.outs))
	}
	if len(g.nodes) == 1 {
		s = fmt.Sprintf("one operation over shape %s", shapeTuple(g.domain))
	}
	switch n.kind {
	case kindReduce:
		s += ", which its reduction ends"
	case kindPatch:
		s += ", which the assignment ends"
	}
	return s
}

// dtypes are those of what g's root reads.
func (g *group) dtypes() string {
	var out []string
	for _, a := range g.root.args {
		if d := a.node.dtype.String(); !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	if out == nil {
		out = []string{g.root.dtype.String()}
	}
	return strings.Join(out, " and ")
}

// Source returns the kernels of step i, counted from 1, as they are made, before a device's compiler changes them;
// empty for one on the CPU.
func (e *Explanation) Source(i int) string {
	if i < 1 || i > len(e.Steps) {
		panic(fmt.Errorf("Source: there are steps 1 to %d, not %d", len(e.Steps), i))
	}
	var s strings.Builder
	for _, f := range e.Steps[i-1].funcs {
		s.WriteString(f.String())
	}
	return s.String()
}

// String is the explanation as text, a paragraph for each step.
func (e *Explanation) String() string {
	if len(e.Steps) == 0 {
		return "Nothing is left to compute."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s; kernels run on %s. Nothing has been computed.\n", counted(len(e.Steps), "step"), e.Device)
	if e.Rewritten != nil {
		fmt.Fprintf(&b, "What is shown was rewritten by: %s.\n", strings.Join(e.Rewritten, ", "))
	}
	for _, p := range e.Placed {
		where := "the CPU"
		if p.GPU {
			where = "the device"
		}
		fmt.Fprintf(&b, "%s runs on %s: %s.\n", p.Function, where, p.Why)
	}
	for i, s := range e.Steps {
		fmt.Fprintf(&b, "\n%d. %s on %s: %s\n", i+1, s.Name, s.Where, s.Why)
		const most = 40
		for k, op := range s.Ops {
			if k == most {
				fmt.Fprintf(&b, "     … %d more\n", len(s.Ops)-most)
				break
			}
			fmt.Fprintf(&b, "     %s\n", op)
		}
		if s.Rewritten != nil {
			fmt.Fprintf(&b, "   rewritten by: %s\n", strings.Join(s.Rewritten, ", "))
		}
		for _, r := range s.Runs {
			fmt.Fprintf(&b, "   %s\n", r)
		}
		for _, f := range s.Files {
			fmt.Fprintf(&b, "   %s\n", f)
		}
		if s.Tiles.Tiles != nil {
			fmt.Fprintf(&b, "   %s\n", strings.ReplaceAll(s.Tiles.String(), "\n", "\n   "))
		} else if s.Whole != "" {
			fmt.Fprintf(&b, "   whole on one device: %s\n", s.Whole)
		}
		s.writeCosts(&b)
		fmt.Fprintf(&b, "   reads %s", device.Bytes(s.Reads))
		if s.Copied > 0 {
			direction := "to the device"
			if s.Tiles.Tiles != nil {
				direction = "to the devices"
			}
			if s.Runs == nil {
				direction = "to the host"
			}
			fmt.Fprintf(&b, ", of which %s are copied %s first", device.Bytes(s.Copied), direction)
			if s.Between > 0 {
				fmt.Fprintf(&b, " (%s of it between devices)", device.Bytes(s.Between))
			}
			if s.Pinned > 0 {
				fmt.Fprintf(&b, " (%s of it from pinned memory)", device.Bytes(s.Pinned))
			}
		}
		fmt.Fprintf(&b, "; writes %s", device.Bytes(s.Writes))
		if !s.Kept {
			b.WriteString(", which go when the last step has read them")
		}
		b.WriteString("\n")
		for _, f := range e.TooLarge {
			switch {
			case f.First != i:
			case f.Tasks > 1:
				fmt.Fprintf(&b, "   with the next %s it %v\n", counted(f.Tasks-1, "step"), f)
			default:
				fmt.Fprintf(&b, "   %v\n", f)
			}
		}
	}
	return display.Wrapped(b.String())
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// mayBeLetGo reports whether something on the way to xs is kept if a variable holds it, and whether one does is known
// after a collection alone. A collection takes time that grows with all of the session's memory, so a picture of a
// short expression does not pay for it. The caller has the lock.
func mayBeLetGo(xs []*Array) bool {
	targets, asked := make([]*node, len(xs)), make(map[*node]bool, len(xs))
	for i, x := range xs {
		targets[i] = x.view().node
		asked[targets[i]] = true
	}
	return slices.ContainsFunc(pending(targets), func(n *node) bool {
		return n.handles.Load() > 0 && sizeBytes(n) > smallBytes && !asked[n]
	})
}
