package lazy

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// addsInAnyOrder are the dtypes that devices add to with atomics, and with the same bits whatever the order.
var addsInAnyOrder = map[DType]bool{Int32: true, Int64: true, Uint32: true, Uint64: true}

// adding is the variant of AddAt for devices, with one array of ints for the first axis. Where the order of additions
// is seen, as in floats, or several devices are to take parts, it is that of the index.
var adding = routine{whole: true, plan: func(n *node, _ device.Device, _ bool) onDevice {
	to, idx := n.host.to, n.args[2]
	picks, inner := elementsIn(idx.layout.Shape), elementsIn(to.Shape[1:])
	size, at := to.Shape[0], to.Offset
	if picks*inner == 0 {
		n.why = []string{"it adds nothing"}
		return nil
	}
	if atomics := addsInAnyOrder[n.dtype]; !atomics || len(runtime().InUse()) > 1 {
		orderPlaces(n, size)
		if n.host.sums.longest <= mostInOrder {
			return planInOrder(n, picks, inner, addInOrder)
		}
		if !atomics {
			n.why = []string{fmt.Sprintf("%d numbers are added to one element, one after the other; devices do that up to %d", n.host.sums.longest, mostInOrder)}
			return nil
		}
	}
	n.contiguous(1, n.dtype, append(append([]int{}, idx.layout.Shape...), to.Shape[1:]...))
	n.contiguous(2, Int64, idx.layout.Shape)
	n.why = []string{"each number by a thread, with atomics"}
	return func(n *node, t *offload.Task) {
		f := addKernel(n.dtype)
		t.Launches = []offload.Launch{elementwise(f, picks*inner, offload.PointerAt(n.value, at*n.dtype.Size()), n.pointer(t, 1), n.pointer(t, 2),
			offload.Int(size), offload.Int(inner))}
	}
}}

// addKernel adds numbers to rows of so many elements.
func addKernel(d arrays.DType) *kir.Func {
	b := kir.NewBuilder("add_at")
	out, x, at := b.Param("out", kir.U64), b.Param("x", kir.U64), b.Param("at", kir.U64)
	size, inner := b.Param("size", kir.I64), b.Param("inner", kir.I64)
	t := kirTypes[d]
	return eachElement(b, func(i *kir.Value) {
		j := b.Op(kir.OpDiv, i, inner)
		given := b.Load(kir.Global, kir.I64, b.Index(at, j, kir.I64))
		k := b.Op(kir.OpSelect, b.Op(kir.OpLt, given, b.Int(kir.I64, 0)), b.Op(kir.OpAdd, given, size), given)
		b.Check(kir.CheckIndex, b.Op(kir.OpLt, b.Convert(kir.U64, k), b.Convert(kir.U64, size)), given, size, "")
		to := b.Op(kir.OpAdd, b.Op(kir.OpMul, k, inner), b.Op(kir.OpSub, i, b.Op(kir.OpMul, j, inner)))
		b.Atomic(kir.OpAtomicAdd, kir.Global, b.Index(out, to, t), b.Load(kir.Global, t, b.Index(x, i, t)))
	})
}
