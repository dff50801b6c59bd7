package lazy

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Elements that an array of ints picks along one axis, on devices.

// takesAlong reports whether p selects from a by one array of ints along one axis, and that axis.
func (p *picker) takesAlong(a *Array) (axis int, ok bool) {
	if len(p.args) != 1 || p.args[0].node.dtype == Uint64 || a.onDisk() {
		return 0, false
	}
	for i, x := range p.idx {
		if i != p.at[0] && x != any(All) {
			return 0, false
		}
	}
	return p.at[0], true
}

// taking is the variant of take for devices.
var taking = routine{plan: func(n *node, _ device.Device, _ bool) onDevice {
	from, idx := n.args[0], n.args[1]
	d := from.node.dtype
	if !inKernels(d) {
		return nil
	}
	shape, k := from.layout.Shape, n.host.axis[0]
	size, inner, picks, outer := shape[k], elementsIn(shape[k+1:]), elementsIn(idx.layout.Shape), elementsIn(shape[:k])
	n.contiguous(0, d, shape)
	n.contiguous(1, Int64, idx.layout.Shape)
	n.why = []string{"each element by a thread"}
	return func(n *node, t *offload.Task) {
		f := takeKernel(d, outer > 1, inner > 1)
		lookupTask(t, lookupParts{
			domain: []int{outer, picks, inner, size}, units: []string{"rows", "elements", "columns"},
			in:  [2]lookup{{n.input(t, 0), d.Size(), []int{size * inner, 0, 1, inner}}, {n.input(t, 1), arrays.Int64.Size(), []int{0, 1, 0, 0}}},
			out: lookup{n.value, d.Size(), []int{picks * inner, inner, 1, 0}},
			launch: func(part []int, in [2]offload.Arg) offload.Launch {
				return elementwise(f, elementsIn(part[:3]), offload.Pointer(n.value), in[0], in[1], offload.Int(size), offload.Int(part[1]), offload.Int(part[2]))
			},
		})
	}
}}

// takeKernel picks elements of lines of size places, inner elements apart. outer and inner say whether there are others
// before and behind the axis.
func takeKernel(d arrays.DType, outer, inner bool) *kir.Func {
	b := kir.NewBuilder("take")
	out, x, at := b.Param("out", kir.U64), b.Param("x", kir.U64), b.Param("at", kir.U64)
	size, picks, apart := b.Param("size", kir.I64), b.Param("picks", kir.I64), b.Param("inner", kir.I64)
	t := sameSize[d.Size()]
	return eachElement(b, func(i *kir.Value) {
		j, before, behind := i, b.Int(kir.I64, 0), b.Int(kir.I64, 0)
		if inner {
			j = b.Op(kir.OpDiv, i, apart)
			behind = b.Op(kir.OpSub, i, b.Op(kir.OpMul, j, apart))
		}
		if outer {
			before = b.Op(kir.OpDiv, j, picks)
			j = b.Op(kir.OpSub, j, b.Op(kir.OpMul, before, picks))
		}
		given := b.Load(kir.Global, kir.I64, b.Index(at, j, kir.I64))
		k := b.Op(kir.OpSelect, b.Op(kir.OpLt, given, b.Int(kir.I64, 0)), b.Op(kir.OpAdd, given, size), given)
		b.Check(kir.CheckIndex, b.Op(kir.OpLt, b.Convert(kir.U64, k), b.Convert(kir.U64, size)), given, size, "")
		from := b.Op(kir.OpAdd, b.Op(kir.OpMul, before, size), k)
		if inner {
			from = b.Op(kir.OpAdd, b.Op(kir.OpMul, from, apart), behind)
		}
		b.Store(kir.Global, b.Index(out, i, t), b.Load(kir.Global, t, b.Index(x, from, t)))
	})
}

// sameSize are types whose elements are copied in the place of others of that size.
var sameSize = map[int]kir.Type{1: kir.U8, 2: kir.U16, 4: kir.U32, 8: kir.U64}

// outOfBounds is the error of package arrays where a device found an index of n, which takes, out of bounds.
func outOfBounds(n *node, err error) error {
	var trap *kir.Trap
	if n.kind != kindHost || n.host.ann.GPU != any(&taking) || !errors.As(err, &trap) {
		return err
	}
	k := n.host.axis[0]
	return &Error{Op: "index", Shapes: [][]int{slices.Clone(n.args[1].layout.Shape)}, Msg: fmt.Sprintf("index %d is out of bounds for axis %d with size %d", trap.Figures[0], k, trap.Figures[1])}
}
