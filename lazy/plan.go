package lazy

import (
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// visits counts the walks over graphs that pending has made. Evaluations make them, one at a time.
var visits uint32

// way is memory for the next walk: the stack of one over a long chain is as long as the chain. expected is how long its
// order may be.
var (
	way      []visit
	expected int
)

// mostKept is the most nodes for which memory is kept from one walk to the next.
const mostKept = 1 << 16

// visit is a node on the way of a walk.
type visit struct {
	n    *node
	next int // argument to go to
}

// pending returns the nodes that must be computed for the targets, each after its arguments, and notes in each its
// number.
func pending(targets []*node) []*node {
	visits++
	order, stack, longest := make([]*node, 0, expected), way, 0
	for _, t := range targets {
		stack = append(stack[:0], visit{n: t})
		longest = max(longest, 1)
		for len(stack) > 0 {
			v := &stack[len(stack)-1]
			if v.next == 0 {
				if v.n.visited == visits || v.n.done() {
					stack = stack[:len(stack)-1]
					continue
				}
				v.n.visited = visits
			}
			if v.next < len(v.n.args) {
				arg := v.n.args[v.next].node
				v.next++
				if arg.visited != visits && !arg.leaf() {
					stack = append(stack, visit{n: arg})
					longest = max(longest, len(stack))
				}
				continue
			}
			v.n.at = int32(len(order))
			order = append(order, v.n)
			stack = stack[:len(stack)-1]
		}
	}
	clear(stack[:longest]) // or it would keep nodes alive
	if way = stack[:0]; cap(way) > mostKept {
		way = nil
	}
	expected = min(len(order), mostKept)
	return order
}

// done reports whether n's elements are stored somewhere.
func (n *node) done() bool { return n.value != nil && n.value.Done() }

// leaf reports whether an expression can read n without computing it.
func (n *node) leaf() bool { return n.leafless() || n.done() }

// fusable reports whether n can be part of a kernel.
func (n *node) fusable() bool {
	if !inKernels(n.dtype) || slices.ContainsFunc(n.args, func(a view) bool { return !inKernels(a.node.dtype) }) {
		return false
	}
	switch n.kind {
	case kindUfunc:
		if n.compute == arrays.Float64 && len(n.args) == 2 && (arrays.Rules{}).MixesSigns(n.args[0].node.dtype, n.args[1].node.dtype) && n.dtype.IsBool() {
			return false // compared exactly, not as floats
		}
		return inKernels(n.compute) && kernelOps[n.ufunc].supports(n.compute)
	case kindReduce:
		return !n.reduce.Reduction.IsIndex()
	case kindHost, kindLaunch:
		return false
	}
	return true
}

// chains reports whether argument i of n can stay cut into pieces from the call that makes it: both are annotated
// calls, their split types are one after unification, and they are cut into as many elements.
func (n *node) chains(i int) bool {
	a := n.args[i]
	if n.kind != kindHost || a.node.kind != kindHost || !a.isWhole() || n.host.from {
		return false
	}
	by, h := n.host.bind, a.node.host
	if !by.Split || !h.bind.Split || by.Elements != h.bind.Elements || h.from || h.mutable >= 0 {
		return false
	}
	for k, s := range n.host.slots {
		if s.array && s.arg == i && by.Args[k].Name() != h.bind.Ret.Name() {
			return false
		}
	}
	return !offload.IsCombined(h.bind.Ret)
}

// task returns what computes g's root.
func (g *group) task() (*offload.Task, error) {
	switch {
	case g.root.kind == kindLaunch:
		return g.root.launch.task(g), nil
	case g.root.outOfCore != nil:
		return g.outOfCoreTask(), nil
	case g.scan != nil && len(g.nodes) > 1:
		return g.scanTask()
	case !g.root.fusable():
		if t := g.fileTask(); t != nil {
			return t, nil
		}
		t := g.cpuTask()
		if h := g.root.host; h != nil && h.onDevice != nil {
			t.For = h.planned
			h.onDevice(g.root, t) // the CPU's function is for where the device's memory is too small
		}
		return t, nil
	}
	return g.kernelTask()
}

// cpuTask computes a root for which there is no kernel with package arrays or an annotated function, on the host. The
// nodes of a pipeline are calls that the same pieces go through.
func (g *group) cpuTask() *offload.Task {
	n := g.root
	t := &offload.Task{Name: g.name(), Out: []*offload.Value{n.value}, Whole: n.writesAll()}
	args := make([][]func(in [][]byte) *arrays.Array, len(g.nodes)) // of each node
	for k, m := range slices.Backward(g.nodes) {
		args[k] = make([]func(in [][]byte) *arrays.Array, len(m.args))
		for i, a := range m.args {
			args[k][i] = g.hostArg(t, m, i, a)
		}
	}
	t.Ops = g.ops(among(append(slices.Clip(t.In), t.From...)))
	ctx := runtime().CellContext()
	value := n.value
	compute := func(out, in [][]byte) error {
		vals := make([][]*arrays.Array, len(args)) // of each node
		for k, fs := range args {
			vals[k] = make([]*arrays.Array, len(fs))
			for i, f := range fs {
				if f != nil {
					vals[k][i] = f(in)
				}
			}
		}
		own := vals[0] // of the root
		to := n.beginning(out[0])
		if hasTexts(n.dtype) {
			value.Keep(to)
		}
		switch n.kind {
		case kindHost:
			if n.host.fn != nil {
				return g.runPieces(ctx, to, vals)
			}
			n.host.ann.CPU.(func(out *arrays.Array, in []*arrays.Array))(to, own)
		case kindReduce:
			to.Set(n.reduce.Apply(own[0]))
		case kindCast:
			to.Set(own[0].AsType(n.dtype)) // Set refuses what AsType converts, as complex numbers to ints
		case kindPatch:
			to.View(*n.into).Set(own[1])
		default:
			to.Set(n.ufunc.ApplyAs(n.compute, n.dtype, own...))
		}
		return nil
	}
	t.CPU = func(out, in [][]byte) error { return n.placing(func() error { return compute(out, in) }) }
	return t
}

// writesAll reports whether computing n on the host writes every byte of its result: then it may hold anything before.
func (n *node) writesAll() bool {
	switch {
	case hasTexts(n.dtype) || n.kind == kindPatch:
		return false
	case n.kind == kindHost:
		return n.host.whole
	}
	return true
}

// hostArg lets t have argument i of m and returns how to find it among t's inputs; nil for what the task makes itself
// or begins with.
func (g *group) hostArg(t *offload.Task, m *node, i int, a view) func(in [][]byte) *arrays.Array {
	if g.has(a.node) {
		return nil
	}
	if i == 0 && (m.kind == kindPatch || m.kind == kindHost && m.host.from) {
		t.From = []*offload.Value{a.node.bytes()}
		return nil
	}
	if a.node.value == nil { // a constant or iota has no bytes to pass
		host := a.node.materialise()
		return func([][]byte) *arrays.Array { return host.View(*a.layout) }
	}
	value := a.node.value
	k := slices.Index(t.In, value)
	if k < 0 {
		k = len(t.In)
		t.In = append(t.In, value)
	}
	return func(in [][]byte) *arrays.Array {
		all := a.node.elementsIn(value, in[k])
		if a.layout == a.node.layout {
			return all
		}
		return all.View(*a.layout)
	}
}

// ops are the group's operations in the order of their execution, for the trace; input says what argument i of n is
// where the group does not make it, as [trace.Op] has it.
func (g *group) ops(input func(n *node, i int) int) []trace.Op {
	out := make([]trace.Op, len(g.nodes))
	for i, n := range slices.Backward(g.nodes) {
		op := trace.Op{Name: n.operation(), Args: make([]int, len(n.args))}
		for k, a := range n.args {
			if op.Args[k] = g.number(a.node); op.Args[k] < 0 {
				op.Args[k] = input(n, k)
			}
		}
		out[len(g.nodes)-1-i] = op
	}
	return out
}

// among says of values which of them an argument is; of constants, that they are none.
func among(values []*offload.Value) func(n *node, i int) int {
	return func(n *node, i int) int {
		if v := n.args[i].node.value; v != nil {
			if at := slices.Index(values, v); at >= 0 {
				return ^at
			}
		}
		return trace.Constant
	}
}

// bytes returns n's value; a constant or an iota, which has none, gets one on the host.
func (n *node) bytes() *offload.Value {
	if n.value == nil {
		return hostValue(n.materialise())
	}
	return n.value
}

// name describes the group to a person: its operations in the order of their execution, "multiply+sin+sum".
func (g *group) name() string {
	const most = 6
	var names []string
	for i := len(g.nodes) - 1; i >= 0; i-- {
		if s := g.nodes[i].String(); s != "" {
			names = append(names, s)
		}
	}
	switch {
	case len(names) == 0:
		return "copy"
	case len(names) > most:
		rest := len(names) - most
		names = append(names[:most-1], "…"+strconv.Itoa(rest)+" more", names[len(names)-1])
	}
	return strings.Join(names, "+")
}

// operation names what n alone does, also where String leaves it to the call that n is a part of.
func (n *node) operation() string {
	switch n.kind {
	case kindUfunc:
		return n.ufunc.String()
	case kindReduce:
		return n.reduce.Reduction.String()
	case kindCast:
		return "as " + n.dtype.String()
	}
	return n.String()
}

// String names the operation.
func (n *node) String() string {
	switch {
	case n.label != "":
		return n.label
	case n.part:
		return ""
	}
	switch n.kind {
	case kindUfunc:
		return n.ufunc.String()
	case kindReduce:
		return n.reduce.Reduction.String()
	case kindPatch:
		return "set"
	case kindHost:
		return n.host.ann.Name
	case kindLaunch:
		return n.launch.call.Name
	case kindMap:
		return n.inline.Name
	}
	return ""
}
