package lazy

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/scan"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// picksAlike reports whether idx is one mask of a's shape, by which a device picks, or what reads a file.
func (a *Array) picksAlike(idx []any) (mask *Array, ok bool) {
	if len(idx) != 1 || !inKernels(a.dtype) {
		return nil, false
	}
	mask, ok = idx[0].(*Array)
	ok = ok && mask != nil && mask.dtype == Bool && mask.NDim() > 0 && slices.Equal(mask.layout.Shape, a.layout.Shape)
	return mask, ok && (a.onDisk() || !inHostMemory())
}

// inHostMemory reports whether kernels run in the host's memory now, so that nothing is gained by leaving elements
// where they are; and says so to a function that is called by an evaluation, which cannot have another.
func inHostMemory() bool {
	if lock(runtime().CellContext()) != nil {
		return true
	}
	defer unlock()
	_, shares := runtime().Device().(device.Sharer)
	return shares
}

// pick selects the elements for which mask is true, in C order. Only their number is brought to the host.
func (a *Array) pick(mask *Array) *Array {
	if picks, ok := pickedInBlocks(a, mask); ok {
		return picks
	}
	return picked(a.dtype, mask, a, "compress", func(out *arrays.Array, in []*arrays.Array) { out.Set(in[1].At(in[0])) })
}

// places are the numbers, in C order, of the elements for which mask is true.
func (mask *Array) places() *Array {
	return picked(Int64, mask, nil, "nonzero", func(out *arrays.Array, in []*arrays.Array) {
		out.Set(arrays.NonZero(in[0].Reshape(-1))[0])
	})
}

// picked adds a node with an element of dtype d for each that is true in mask. run makes it on the CPU, of mask and
// what is picked, if that is an array.
func picked(d DType, mask, of *Array, name string, run func(out *arrays.Array, in []*arrays.Array)) *Array {
	seen := mask.view() // what others assign meanwhile is not counted, and not read
	mask = newArray(seen.node, seen.layout)
	args := []view{seen}
	if of != nil {
		args = append(args, of.view())
	}
	h := &hostOp{ann: library(name, run), masked: of != nil}
	count := 0
	if n := mask.Size(); n > 0 && !inHostMemory() && (int64(n)*int64(1+2*d.Size()) > runtime().Room()/2 || runtime().TilesOf(n*d.Size()) > 1) {
		h.before = tallied(mask)
		count = h.before.places[len(h.before.places)-1]
	} else {
		sum := mask.Sum()
		Eval(mask, sum)
		count = sum.Int()
	}
	h.ann.GPU = &packing
	routinesCalled.Store(true)
	return newNode(kindHost, d, contiguous([]int{count}), &rare{host: h}, args...).writtenHere().whole()
}

// packing is the variant for devices: the place of an element is the number of those before it that are picked.
var packing = routine{plan: func(n *node, d device.Device, _ bool) onDevice {
	shape, t, places := n.args[0].layout.Shape, kirTypes[n.dtype], kir.I32
	if elementsIn(shape) >= 1<<31 {
		places = kir.I64
	}
	made := scan.Spec{
		Name: n.host.ann.Name, Op: scan.Binary(kir.OpAdd, places), In: []kir.Type{kir.Bool}, Out: []kir.Type{t}, Lifted: 1, Exclusive: true,
		Lower: func(_ *kir.Builder, _, in []*kir.Value) []*kir.Value { return in[1:] },
		Scatter: func(b *kir.Builder, state, in []*kir.Value) (to, ok *kir.Value) {
			return b.Convert(kir.I64, state[0]), in[0]
		},
	}
	if made.Numbered = len(n.args) == 1; made.Numbered {
		made.Lower = func(b *kir.Builder, _, in []*kir.Value) []*kir.Value {
			return []*kir.Value{b.Op(kir.OpAdd, in[1], in[2])}
		}
	} else {
		made.In = append(made.In, t)
	}
	plan := func(from, elements int) (p scanPlan, how string, err error) {
		s := made
		if s.Numbered {
			s.Given = []int{from}
		}
		return planLines(s, nil, d, 1, elements, 1)
	}
	p, how, err := plan(0, elementsIn(shape))
	if err != nil {
		return nil
	}
	n.why = []string{how}
	for i, a := range n.args {
		n.contiguous(i, a.node.dtype, shape)
	}
	return func(n *node, t *offload.Task) {
		in := p.launch(n, t)
		if n.host.before != nil {
			t.Parts = pickParts{n, t, in, func(from, elements int) (scan.Plan, error) {
				p, _, err := plan(from, elements)
				return p.Plan, err
			}}
		}
	}
}}
