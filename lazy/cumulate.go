package lazy

import (
	"fmt"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/scan"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Running sums and their kin, the same bits on all devices: by the kernels of package scan, and in their order where
// the CPU computes.

// linesOf are the lines of shape along an axis, over all elements where none is named: how many, how long, and how many
// places apart their elements lie.
func linesOf(shape, axis []int) (lines, length, inner int) {
	if len(axis) == 0 {
		return 1, elementsIn(shape), 1
	}
	k := axis[0]
	if k < 0 {
		k += len(shape)
	}
	return elementsIn(shape[:k]) * elementsIn(shape[k+1:]), shape[k], elementsIn(shape[k+1:])
}

// alongAxis is shape and which of its axes lines lie along: all elements in one where none is named.
func alongAxis(shape, axis []int) ([]int, int) {
	switch {
	case len(axis) == 0:
		return []int{elementsIn(shape)}, 0
	case axis[0] < 0:
		return shape, axis[0] + len(shape)
	}
	return shape, axis[0]
}

// serially reports whether each line is scanned from one end to the other, as that of package arrays are: short ones,
// and many whose neighbours lie side by side.
func serially(lines, length, inner int) bool {
	return length <= shortAxis || inner > 1 && lines >= columnOutputs
}

// planCumulation scans lines by the kernels of package scan.
func planCumulation(r arrays.Reduction) func(n *node, d device.Device, library bool) onDevice {
	return func(n *node, d device.Device, _ bool) onDevice {
		a := n.args[0]
		in := a.node.dtype
		if !inKernels(in) || !inKernels(n.dtype) {
			return nil
		}
		red := newReduction(r, kirTypes[in])
		s := scan.Spec{
			Name: kernelName(n.host.ann.Name), Op: scan.Binary(red.op, red.acc),
			In: []kir.Type{kirTypes[in]}, Out: []kir.Type{kirTypes[n.dtype]},
		}
		lines, length, inner := linesOf(a.layout.Shape, n.host.axis)
		p, how, err := planLines(s, nil, d, lines, length, inner)
		if err != nil {
			return nil
		}
		n.why = []string{how}
		n.contiguous(0, in, a.layout.Shape)
		n.fuses(s, nil, d, lines, length, inner)
		return p.onDevice
	}
}

// inTiles computes what r does, on the CPU, in the order of the kernels; nil where package arrays does, as its order
// gives the same.
func inTiles(r arrays.Routine) func(out *arrays.Array, in []*arrays.Array) {
	if r.Name != "cumsum" && r.Name != "cumprod" {
		return nil
	}
	return func(out *arrays.Array, in []*arrays.Array) {
		a := in[0]
		lines, length, inner := linesOf(a.Shape(), r.Axis)
		if inner == 1 && cumulateInts(r.Name == "cumprod", out, a, length) {
			return
		}
		if !a.DType().IsFloat() || serially(lines, length, inner) {
			r.Run(out, in)
			return
		}
		f := scan.Floats{Product: r.Name == "cumprod", Do: onWorkers()}
		to := out
		if len(r.Axis) == 0 {
			a = a.Reshape(-1)
		} else {
			a, to = a.MoveAxis(r.Axis[0], -1), out.MoveAxis(r.Axis[0], -1)
		}
		if !a.Layout().IsContiguous() || inner > 1 || a.DType() == arrays.Float16 {
			a = a.AsType(arrays.Float64)
			floatLines[float64](f, a, a, length)
			to.Set(a.AsType(out.DType()))
		} else if a.DType() == arrays.Float32 {
			floatLines[float32](f, out, a, length)
		} else {
			floatLines[float64](f, out, a, length)
		}
	}
}

// cumulateInts computes running sums, or products, of lines of ints that lie one behind the other, which all processors
// share; it reports whether it has a loop for their dtypes.
func cumulateInts(product bool, out, a *arrays.Array, length int) bool {
	loop, ok := intCumulations[[2]DType{a.DType(), out.DType()}]
	if !ok || out.Size() == 0 || !out.Layout().IsContiguous() {
		return false
	}
	if a = a.Reshape(-1); !a.Layout().IsContiguous() {
		a = a.Copy()
	}
	l := loops{op: kir.OpAdd, length: length, do: onWorkers()}
	if product {
		l.op = kir.OpMul
	}
	loop(l, out, a)
	return true
}

// intCumulations are the loops by the dtypes of what is read and of what is written.
var intCumulations = map[[2]DType]func(l loops, out, a *arrays.Array){
	{Int8, Int64}: cumulateFrom[int64, int8], {Int16, Int64}: cumulateFrom[int64, int16], {Int32, Int64}: cumulateFrom[int64, int32],
	{Int64, Int64}: cumulateFrom[int64, int64], {Uint8, Uint64}: cumulateFrom[uint64, uint8], {Uint16, Uint64}: cumulateFrom[uint64, uint16],
	{Uint32, Uint64}: cumulateFrom[uint64, uint32], {Uint64, Uint64}: cumulateFrom[uint64, uint64],
}

func cumulateFrom[T, S anyInt](l loops, out, a *arrays.Array) {
	none := T(0)
	if l.op == kir.OpMul {
		none = 1
	}
	intLines[T, S](l, out, a, none)
}

// onWorkers has tasks run on all processors, until the cell is interrupted.
func onWorkers() func(tasks int, task func(i int)) {
	ctx := runtime().CellContext()
	return func(tasks int, task func(i int)) {
		if err := inParallel(ctx, tasks, func(i int) error { task(i); return nil }); err != nil {
			panic(err)
		}
	}
}

// floatLines scans lines that lie one behind the other.
func floatLines[T float32 | float64](f scan.Floats, to, from *arrays.Array, length int) {
	out, in := elementsOf[T](to), elementsOf[T](from)
	for ; len(in) > 0; out, in = out[length:], in[length:] {
		scan.FloatLine[float64](f, out[:length], in[:length])
	}
}

// elementsOf are those of a, which lie side by side.
func elementsOf[T any](a *arrays.Array) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(a.Bytes()))), a.Size())
}

// how a scan by tiles and one by lines are explained.
func tiled(p scan.Plan, f scan.Form, lines int) string {
	if len(p.Launches) == 1 {
		return fmt.Sprintf("a scan of %s, each by a block", counted(lines, "line"))
	}
	return fmt.Sprintf("a scan in tiles of %d elements: their totals, the scan of those, and the elements", f.Tile())
}
