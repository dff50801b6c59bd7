package lazy

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// groupPlan is all of a group's task that follows from the structure of the group: its kernels, its name, what the
// trace says of it. It is made once: a loop whose numbers and arrays change, and a cell that is run again, neither
// build a kernel nor hash one.
type groupPlan struct {
	name    string
	ops     []trace.Op
	kernels []hashed
	inlines []*gosrc.Inline // in the key by their addresses, which others must not get
}

// hashed is a kernel with its hash.
type hashed struct {
	f    *kir.Func
	hash [32]byte
}

// add adds what a maker of kernels returned.
func (r *groupPlan) add(f *kir.Func, err error) error {
	if err == nil {
		r.kernels = append(r.kernels, hashed{f, f.Hash()})
	}
	return err
}

// form is which kernels a group gets.
type form byte

const (
	formMap form = iota
	formPatch
	formColumns
	formWarps
	formRows
	formShortRows
	formChunks
	formScan
)

// maxPlans bounds the plan cache; a full one is emptied.
const maxPlans = 2048

// planCache has the plans that were made, by their keys. Evaluations use it, one at a time.
var planCache = map[string]*groupPlan{}

// planned returns the plan of f's group in that form, and lets fill give it its kernels where it is new. dims and more
// are the axes of the domain, in two parts where it is a reduction's.
func (f *fused) planned(kind form, dims, more []dim, fill func(r *groupPlan) error) (*groupPlan, error) {
	key := f.key(kind, dims, more)
	if r := planCache[string(key)]; r != nil {
		return r, nil
	}
	r := &groupPlan{name: f.g.name()}
	r.ops = f.ops()
	for _, n := range f.g.nodes {
		if n.inline != nil {
			r.inlines = append(r.inlines, n.inline)
		}
	}
	if err := fill(r); err != nil {
		return nil, err
	}
	if len(planCache) >= maxPlans {
		clear(planCache)
	}
	planCache[string(key)] = r
	return r, nil
}

// key writes what the kernels of a group, and what is said of it, depend on: the operations with their dtypes and which
// of them or of the inputs they work on, what the inputs are and which of them are of one array, what is stored, and
// those sizes and strides that are numbers of the kernel. The size of the first axis is a parameter.
func (f *fused) key(kind form, dims, more []dim) []byte {
	g := f.g
	buf := make([]byte, 0, 64+12*len(g.nodes)+8*len(f.inputs))
	put := func(x int) { buf = binary.AppendVarint(buf, int64(x)) }
	buf = append(buf, byte(kind))
	put(len(g.nodes))
	for _, n := range slices.Backward(g.nodes) {
		flags := byte(0)
		if n.part {
			flags |= 1
		}
		if n.label != "" {
			flags |= 2
		}
		buf = append(buf, byte(n.kind), flags, byte(n.ufunc))
		if n.kind == kindReduce {
			buf = append(buf, byte(n.reduce.Reduction))
		}
		buf = binary.LittleEndian.AppendUint64(buf, uint64(n.dtype)|uint64(n.compute)<<32)
		if n.label != "" {
			put(len(n.label))
			buf = append(buf, n.label...)
		}
		if n.kind == kindHost { // the scan of the group
			put(len(n.host.ann.Name))
			buf = append(buf, n.host.ann.Name...)
		}
		if n.kind == kindMap {
			buf = binary.LittleEndian.AppendUint64(buf, uint64(uintptr(unsafe.Pointer(n.inline))))
			put(n.result)
		}
		put(len(n.args))
		for i, a := range n.args {
			switch {
			case g.has(a.node):
				put(2 * g.number(a.node))
			case n.kind == kindPatch && i == 0:
				put(2*f.from + 1)
			default:
				put(2*f.input(a) + 1)
			}
		}
	}
	put(len(g.outs))
	for _, n := range g.outs {
		put(g.number(n))
	}
	put(len(f.inputs))
	for i := range f.inputs {
		n := f.inputs[i].node
		buf = append(buf, byte(n.kind), byte(n.dtype))
		put(f.inputs[i].read)
	}
	for _, ds := range [][]dim{dims, more} {
		put(len(ds))
		if len(ds) > 1 && sizeOf(ds) < 1<<31 { // see offsets
			put(1)
		}
		for k, d := range ds {
			if k > 0 {
				put(d.size)
			}
			for _, s := range d.strides {
				put(s)
			}
		}
	}
	return buf
}

// ops are the group's operations in the order of their execution, for the trace.
func (f *fused) ops() []trace.Op {
	return f.g.ops(func(n *node, i int) int {
		a := n.args[i]
		if n.kind == kindPatch && i == 0 {
			if f.from < 0 {
				return ^len(f.reads)
			}
			return ^f.from
		}
		if in := f.inputs[f.input(a)]; in.read >= 0 {
			return ^in.read
		}
		return trace.Constant
	})
}
