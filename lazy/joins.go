package lazy

import (
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// mostJoined is how many arrays a device joins: each takes a launch.
const mostJoined = 256

// planJoin joins arrays along an axis that they have, or a new one, by a launch for each. All of them and the result
// must have room on the device together.
func planJoin(n *node, _ device.Device, _ bool) onDevice {
	shape, k := n.layout.Shape, n.host.axis[0]
	if k < 0 {
		k += len(shape)
	}
	if !inKernels(n.dtype) || len(n.args) > mostJoined {
		return nil
	}
	for _, a := range n.args {
		if !inKernels(a.node.dtype) {
			return nil
		}
	}
	outer := elementsIn(shape[:k])
	if outer == 0 {
		return nil
	}
	if 2*int64(n.layout.Size())*int64(n.dtype.Size()) > runtime().RoomHeld() {
		n.why = []string{"the arrays and what they make have no room on the device together"}
		return nil
	}
	for i, a := range n.args {
		n.contiguous(i, n.dtype, a.layout.Shape)
	}
	n.why = []string{"each array is copied to its place"}
	return func(n *node, t *offload.Task) {
		f, row, at := joinKernel(sameSize[n.dtype.Size()]), elementsIn(shape[k:]), 0
		for i, a := range n.args {
			size := elementsIn(a.layout.Shape)
			if size == 0 {
				continue
			}
			t.Launches = append(t.Launches, elementwise(f, size, offload.Pointer(n.value), n.pointer(t, i), offload.Int(size/outer), offload.Int(row), offload.Int(at)))
			at += size / outer
		}
	}
}

// joinKernel copies rows of so many elements to place at of longer ones.
func joinKernel(t kir.Type) *kir.Func {
	b := kir.NewBuilder("join")
	out, in := b.Param("out", kir.U64), b.Param("in", kir.U64)
	row, longer, at := b.Param("row", kir.I64), b.Param("longer", kir.I64), b.Param("at", kir.I64)
	return eachElement(b, func(i *kir.Value) {
		k := b.Op(kir.OpDiv, i, row)
		to := b.Op(kir.OpAdd, b.Op(kir.OpAdd, b.Op(kir.OpMul, k, b.Op(kir.OpSub, longer, row)), i), at)
		b.Store(kir.Global, b.Index(out, to, t), b.Load(kir.Global, t, b.Index(in, i, t)))
	})
}
