package lazy

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload"
)

// blockSize is the number of threads of a block in generated kernels: eight warps fill an SM of every preset, and the tree
// of a block's reduction has the same shape on every device, so that all devices give the same bits.
const blockSize = 256

// input is what a kernel reads: the elements of a stored value or of an iota, through a layout over the domain, or a
// constant. Constants are parameters, so that a loop whose numbers change compiles one kernel.
type input struct {
	node   *node
	view   arrays.Layout // of the node
	layout arrays.Layout // the same stretched over the domain
	base   *kir.Value    // address of the first element; for an iota its number, for a constant itself
}

// emitter makes the kernel of one group.
type emitter struct {
	b      *kir.Builder
	g      *group
	in     map[*node]bool // the group's nodes
	inputs []*input
	byNode map[*node][]int // numbers of the inputs that read a node, in inputs
	args   []offload.Arg
	reads  []*offload.Value
}

func newEmitter(g *group) (*emitter, error) {
	e := &emitter{b: kir.NewBuilder(kernelName(g.name())), g: g, in: make(map[*node]bool, len(g.nodes)), byNode: make(map[*node][]int)}
	for _, n := range g.nodes {
		e.in[n] = true
	}
	for i := len(g.nodes) - 1; i >= 0; i-- { // in the order of execution, so that parameters stand as a reader expects
		args := g.nodes[i].args
		if g.nodes[i].kind == kindPatch { // what it begins with is no input
			args = args[1:]
		}
		for _, a := range args {
			if err := e.addInput(a); err != nil {
				return nil, err
			}
		}
	}
	return e, nil
}

// kernelName makes an identifier of a group's name.
func kernelName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, s)
}

// input returns the number of the input that a is, -1 if it is none yet.
func (e *emitter) input(a view) int {
	for _, i := range e.byNode[a.node] {
		if sameLayout(e.inputs[i].view, a.layout) {
			return i
		}
	}
	return -1
}

// addInput makes a parameter for a, unless it is computed in the kernel, constant, or there already.
func (e *emitter) addInput(a view) error {
	if e.in[a.node] {
		return nil
	}
	if e.input(a) >= 0 {
		return nil
	}
	l, err := a.layout.BroadcastTo(e.g.domain)
	if err != nil {
		return err
	}
	in := &input{node: a.node, view: a.layout, layout: l}
	name := fmt.Sprintf("x%d", len(e.inputs))
	switch {
	case a.node.kind == kindConst:
		in.base = e.param(name, kirTypes[a.node.dtype], offload.Bits(bitsOf(a.node.scalar)))
	case a.node.kind == kindIota:
		in.base = e.param(name, kir.I64, offload.Int(l.Offset))
	default:
		v := a.node.value
		in.base = e.param(name, kir.U64, offload.PointerAt(v, l.Offset*a.node.dtype.Size()))
		if !slices.Contains(e.reads, v) {
			e.reads = append(e.reads, v)
		}
	}
	e.byNode[a.node] = append(e.byNode[a.node], len(e.inputs))
	e.inputs = append(e.inputs, in)
	return nil
}

func (e *emitter) param(name string, t kir.Type, arg offload.Arg) *kir.Value {
	e.args = append(e.args, arg)
	return e.b.Param(name, t)
}

func (e *emitter) layouts() []arrays.Layout {
	out := make([]arrays.Layout, len(e.inputs))
	for i, in := range e.inputs {
		out[i] = in.layout
	}
	return out
}

// expr emits the elements of a at the given offset into each input. Shared parts are emitted once.
func (e *emitter) expr(a view, at []*kir.Value, memo map[*node]*kir.Value) *kir.Value {
	n := a.node
	switch {
	case !e.in[n]:
		return e.load(e.input(a), at)
	case memo[n] != nil:
		return memo[n]
	}
	args := make([]*kir.Value, len(n.args))
	for i, arg := range n.args {
		args[i] = e.expr(arg, at, memo)
	}
	v := e.emit(n, args)
	memo[n] = v
	return v
}

// load emits the element of input i; loads of one input at one place are merged when a device optimises the kernel.
func (e *emitter) load(i int, at []*kir.Value) *kir.Value {
	in, off := e.inputs[i], at[i]
	switch {
	case in.node.kind == kindConst, in.node.kind == kindIota && off == nil:
		return in.base
	case in.node.kind == kindIota:
		return e.b.Op(kir.OpAdd, in.base, off)
	}
	t := kirTypes[in.node.dtype]
	addr := in.base
	if off != nil {
		addr = e.b.Index(in.base, off, t)
	}
	v := e.b.Load(kir.Global, t, addr)
	v.Note = fmt.Sprintf("x%d[i]", i)
	return v
}

// emit computes n from its operands.
func (e *emitter) emit(n *node, args []*kir.Value) *kir.Value {
	switch n.kind {
	case kindCast:
		return e.cast(kirTypes[n.dtype], args[0])
	case kindMap:
		v, err := n.inline.Emit(e.b, args...)
		check(n.inline.Name, err) // it has been compiled before
		return v
	}
	t := computeType(kirTypes[n.compute])
	for i := range args {
		if n.ufunc == arrays.OpWhere && i == 0 {
			args[i] = e.b.Convert(kir.Bool, args[i])
			continue
		}
		args[i] = e.b.Convert(t, args[i])
	}
	k := kernelOps[n.ufunc]
	if k.expr != nil {
		v := k.expr(e.b, args)
		v.Note = n.ufunc.String()
		return e.b.Convert(kirTypes[n.dtype], v)
	}
	op := k.op
	if t == kir.Bool {
		op = k.boolOp
		if n.ufunc == arrays.OpAbs {
			return args[0]
		}
	}
	v := e.b.Op(op, args...)
	v.Note = n.ufunc.String()
	return e.b.Convert(kirTypes[n.dtype], v)
}

// cast converts as package arrays does: a float that an int64 or int32 cannot hold becomes the smallest one, narrower ints are
// cut from an int32, and unsigned ones from an int64.
func (e *emitter) cast(t kir.Type, x *kir.Value) *kir.Value {
	b := e.b
	if x.Type == kir.F16 {
		x = b.Convert(kir.F32, x)
	}
	if !t.IsInteger() || !x.Type.IsFloat() {
		return b.Convert(t, x)
	}
	switch t {
	case kir.I64:
		fits := b.Op(kir.OpAnd, b.Op(kir.OpGe, x, b.Const(x.Type, -0x1p63)), b.Op(kir.OpLt, x, b.Const(x.Type, 0x1p63)))
		return b.Op(kir.OpSelect, fits, b.Convert(t, x), b.Int(t, math.MinInt64))
	case kir.I32: // float32 has no number between -2^31-1 and -2^31
		fits := b.Op(kir.OpAnd, b.Op(kir.OpGt, x, b.Const(x.Type, -0x1p31-1)), b.Op(kir.OpLt, x, b.Const(x.Type, 0x1p31)))
		return b.Op(kir.OpSelect, fits, b.Convert(t, x), b.Int(t, math.MinInt32))
	case kir.U32:
		return b.Convert(t, e.cast(kir.I64, x))
	case kir.U64:
		half := b.Const(x.Type, 0x1p63)
		above := b.Op(kir.OpXor, b.Convert(t, e.cast(kir.I64, b.Op(kir.OpSub, x, half))), b.Int(t, math.MinInt64))
		return b.Op(kir.OpSelect, b.Op(kir.OpGe, x, half), above, b.Convert(t, e.cast(kir.I64, x)))
	}
	return b.Convert(t, e.cast(kir.I32, x))
}

// kernelTask makes the task of a group that has a kernel.
func (g *group) kernelTask() (*offload.Task, error) {
	e, err := newEmitter(g)
	if err != nil {
		return nil, err
	}
	switch g.root.kind {
	case kindReduce:
		return e.reduceTask()
	case kindPatch:
		return e.patchTask()
	}
	return e.mapTask()
}

// mapTask: one thread computes one element of each of the outputs.
func (e *emitter) mapTask() (*offload.Task, error) {
	b := e.b
	n := arrays.Contiguous(e.g.domain...).Size()
	sizeAt := len(e.args)
	size := e.param("n", kir.I64, offload.Int(n))
	to := make([]*kir.Value, len(e.g.outs))
	for k, out := range e.g.outs {
		name := "out"
		if len(to) > 1 {
			name = fmt.Sprintf("out%d", k)
		}
		to[k] = e.param(name, kir.U64, offload.Pointer(out.value))
	}
	i := b.GlobalIDX()
	body, end := b.NewBlock("body"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, size), body, end)

	b.SetBlock(body)
	dims := dimsOf(e.g.domain, e.layouts(), func(int) bool { return true })
	at := offsets(b, dims, len(e.inputs), i, nil)
	memo := make(map[*node]*kir.Value, len(e.g.nodes))
	for k, out := range e.g.outs {
		b.Store(kir.Global, b.Index(to[k], i, kirTypes[out.dtype]), e.expr(view{node: out}, at, memo))
	}
	b.Jump(end)

	b.SetBlock(end)
	b.Return()
	task, err := e.task([]offload.Launch{e.launch(kir.D1((n + blockSize - 1) / blockSize))}, nil)
	if err == nil {
		task.Pieces = e.mapPieces(sizeAt, task.Launches[0])
	}
	return task, err
}

// patchTask: one thread computes one of the elements that are assigned, and stores it where they are in the result, which
// begins as what was there before.
func (e *emitter) patchTask() (*offload.Task, error) {
	root := e.g.root
	b, t := e.b, kirTypes[root.dtype]
	n := root.layout.Size()
	size := e.param("n", kir.I64, offload.Int(n))
	out := e.param("out", kir.U64, offload.PointerAt(root.value, root.layout.Offset*root.dtype.Size()))
	i := b.GlobalIDX()
	body, end := b.NewBlock("body"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, size), body, end)

	b.SetBlock(body)
	layouts := append(e.layouts(), root.layout)
	dims := dimsOf(e.g.domain, layouts, func(int) bool { return true })
	at := offsets(b, dims, len(layouts), i, nil)
	to := out
	if last := at[len(at)-1]; last != nil {
		to = b.Index(out, last, t)
	}
	b.Store(kir.Global, to, e.cast(t, e.expr(root.args[1], at, make(map[*node]*kir.Value))))
	b.Jump(end)

	b.SetBlock(end)
	b.Return()
	task, err := e.task([]offload.Launch{e.launch(kir.D1((n + blockSize - 1) / blockSize))}, nil)
	if err == nil {
		task.From = []*offload.Value{root.args[0].node.bytes()}
		task.Ops = e.g.ops(append(slices.Clip(task.In), task.From...))
	}
	return task, err
}

// launch is a launch of the kernel being made, which task completes.
func (e *emitter) launch(grid kir.Dim3) offload.Launch {
	return offload.Launch{Grid: grid, Block: kir.D1(blockSize), Args: e.args}
}

// task ends the kernel and makes it the first of the task's launches.
func (e *emitter) task(launches []offload.Launch, scratch []int) (*offload.Task, error) {
	f, err := e.b.Func()
	if err != nil {
		return nil, err
	}
	launches[0].Func = f
	return &offload.Task{Name: e.g.name(), Ops: e.g.ops(e.reads), In: e.reads, Out: e.g.values(), Launches: launches, Scratch: scratch}, nil
}
