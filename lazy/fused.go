package lazy

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload"
)

// input is what a kernel reads: the elements of a stored value or of an iota, through a layout over the domain, or a
// constant. Constants are parameters, so that a loop whose numbers change compiles one kernel.
type input struct {
	node   *node
	view   *arrays.Layout // of the node
	layout *arrays.Layout // the same stretched over the domain
	read   int            // its number among reads; -1 of constants and iotas
}

// fused is what the kernel of one group is called with. It is found anew at each evaluation, as it has the addresses;
// the kernel is made once for each structure (see groupPlan).
type fused struct {
	g      *group
	domain []int          // the group's, or the shape of a part of it
	into   *arrays.Layout // where an assignment goes to
	part   bool           // it is a part of another's
	inputs []input
	args   []offload.Arg // of input i is number i
	params []param       // those after the inputs
	reads  []*offload.Value
	from   int            // number among reads of what an assignment begins with; -1 if it is none of them
	flat   *arrays.Layout // of what is the same everywhere; nil until it is needed
}

// param is a parameter of a kernel.
type param struct {
	name string
	t    kir.Type
}

func newFused(g *group) (*fused, error) {
	operands := 0
	for _, n := range g.nodes {
		for _, a := range n.args {
			if !g.has(a.node) {
				operands++
			}
		}
	}
	f := &fused{
		g: g, domain: g.domain, into: g.root.into, inputs: make([]input, 0, operands), args: make([]offload.Arg, 0, operands+4),
	}
	for i := len(g.nodes) - 1; i >= 0; i-- { // in the order of execution, so that parameters stand as a reader expects
		args := g.nodes[i].args
		if g.nodes[i].kind == kindPatch { // what it begins with is not an input
			args = args[1:]
		}
		for _, a := range args {
			if err := f.addInput(a); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// input returns the number of the input that a is, -1 if it is none yet.
func (f *fused) input(a view) int {
	if a.node.kind == kindConst { // there are many of them, and they need no number but this
		if i := int(a.node.at); i < len(f.inputs) && f.inputs[i].node == a.node {
			return i
		}
		if f.part { // another group may have given the constant a number since
			return slices.IndexFunc(f.inputs, func(in input) bool { return in.node == a.node })
		}
		return -1
	}
	for i := range f.inputs {
		if in := &f.inputs[i]; in.node == a.node && sameLayout(in.view, a.layout) {
			return i
		}
	}
	return -1
}

// addInput makes a parameter for a, unless it is computed in the kernel, constant, or there already.
func (f *fused) addInput(a view) error {
	if f.g.has(a.node) || f.input(a) >= 0 {
		return nil
	}
	in := input{node: a.node, view: a.layout, read: -1}
	if a.node.kind == kindConst {
		if f.flat == nil {
			f.flat = &arrays.Layout{Shape: f.g.domain, Strides: make([]int, len(f.g.domain))}
		}
		in.layout = f.flat
		a.node.at = int32(len(f.inputs))
		f.inputs, f.args = append(f.inputs, in), append(f.args, offload.Bits(bitsOf(a.node.scalar)))
		return nil
	}
	if in.layout = a.layout; !slices.Equal(a.layout.Shape, f.g.domain) {
		l, err := a.layout.BroadcastTo(f.g.domain)
		if err != nil {
			return err
		}
		in.layout = &l
	}
	arg := offload.Int(in.layout.Offset)
	if a.node.kind != kindIota {
		in.read = f.reading(a.node.value)
		arg = offload.PointerAt(a.node.value, in.layout.Offset*a.node.dtype.Size())
	}
	f.inputs, f.args = append(f.inputs, in), append(f.args, arg)
	return nil
}

// parameter is the type in which in is passed: an address, an iota's first number, or a constant.
func (in *input) parameter() kir.Type {
	switch in.node.kind {
	case kindConst:
		return kirTypes[in.node.dtype]
	case kindIota:
		return kir.I64
	}
	return kir.U64
}

// reading returns v's number among reads, and puts it there.
func (f *fused) reading(v *offload.Value) int {
	for i, r := range f.reads {
		if r == v {
			return i
		}
	}
	f.reads = append(f.reads, v)
	return len(f.reads) - 1
}

// param adds a parameter after the inputs and returns its number.
func (f *fused) param(name string, t kir.Type, arg offload.Arg) int {
	f.params, f.args = append(f.params, param{name, t}), append(f.args, arg)
	return len(f.args) - 1
}

func (f *fused) layouts() []*arrays.Layout {
	out := make([]*arrays.Layout, len(f.inputs), len(f.inputs)+1)
	for i := range f.inputs {
		out[i] = f.inputs[i].layout
	}
	return out
}

// launch is a launch of kernel k of the plan.
func (f *fused) launch(r *groupPlan, k int, grid kir.Dim3) offload.Launch {
	return offload.Launch{Func: r.kernels[k].f, Hash: r.kernels[k].hash, Grid: grid, Block: kir.D1(blockSize), Args: f.args}
}

// task is the task with those launches.
func (f *fused) task(r *groupPlan, launches []offload.Launch, scratch []int) *offload.Task {
	return &offload.Task{Name: r.name, Ops: r.ops, In: f.reads, Out: f.g.values(), Launches: launches, Scratch: scratch}
}
