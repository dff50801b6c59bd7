package lazy

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/scan"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Sorted lines, and places in them, on devices; the bits are those of package arrays.

// planSort sorts lines by the kernels of package scan: elements, or where they came from.
func planSort(places bool) func(n *node, d device.Device, library bool) onDevice {
	return func(n *node, d device.Device, _ bool) onDevice {
		in, whole := n.args[0].node.dtype, n.args[0].layout.Shape // what is returned may outlive n and what it reads
		if !inKernels(in) {
			return nil
		}
		axis := n.host.axis
		if len(axis) == 0 {
			axis = []int{-1}
		}
		lines, length, inner := linesOf(whole, axis)
		s := sortOn(d, in, places)
		form := scan.Default
		form.Shuffles = shuffles(d)
		p, err := s.Plan(lines, length, inner, form, madeFor(d.Properties(), nil), sortKernel)
		if err != nil {
			return nil
		}
		if n.why = []string{fmt.Sprintf("a sort of %s, each by a block", counted(lines, "line"))}; length > s.Tile() {
			n.why[0] = fmt.Sprintf("a sort by digits in tiles of %d elements: their counts, the scan of those, and the moves", s.Tile())
		}
		together := n.together(runtime())
		n.contiguous(0, in, whole)
		return func(n *node, t *offload.Task) {
			t.Scratch = p.Scratch
			shape, along := alongAxis(whole, axis)
			parts := scanParts{
				shape: shape, axis: along, in: []*offload.Value{n.input(t, 0)}, bytes: []int{in.Size()}, out: n.value, written: n.dtype.Size(),
				together: together,
				plan: func(lines, inner int) (scan.Plan, error) {
					return s.Plan(lines, length, inner, form, madeFor(d.Properties(), nil), sortKernel)
				},
			}
			t.Launches = scanLaunches(p.Launches, []offload.Arg{offload.Pointer(parts.in[0])}, offload.Pointer(n.value))
			t.Parts = parts
		}
	}
}

// sortOn is a sort of elements, or of their places, by blocks for which d has room.
func sortOn(d device.Device, elem arrays.DType, places bool) scan.Sort {
	s := scan.Sort{Elem: kirTypes[elem], Places: places, Threads: 256, Each: 8}
	room := d.Properties().SharedPerBlock
	for room > 0 && s.SharedBytes() > room-sharedForParams && s.Threads > kir.WarpSize {
		s.Threads /= 2
	}
	return s
}

// sharedForParams is what the first cards keep of a block's shared memory for its launch.
const sharedForParams = 256

// sortKernels are those that were made. Evaluations use them, one at a time; they are few.
var sortKernels = map[sortKey]scan.Kernel{}

type sortKey struct {
	scan.Sort
	scan.SortKernel
}

func sortKernel(s scan.Sort, k scan.SortKernel) (scan.Kernel, error) {
	key := sortKey{s, k}
	made, ok := sortKernels[key]
	if !ok {
		var err error
		if made, err = scan.MakeSort(s, k); err != nil {
			return made, err
		}
		sortKernels[key] = made
	}
	return made, nil
}

// searchRight is the variant of SearchSortedRight.
var searchRight = routine{plan: planSearch(true)}

// planSearch halves a sorted list for each element that is searched for.
func planSearch(right bool) func(n *node, d device.Device, library bool) onDevice {
	return func(n *node, _ device.Device, _ bool) onDevice {
		list, v := n.args[0], n.args[1]
		in := arrays.Promote(list.node.dtype, v.node.dtype)
		if !inKernels(in) || in == arrays.Float16 || in == Bool {
			return nil
		}
		length := elementsIn(list.layout.Shape)
		n.contiguous(0, in, list.layout.Shape)
		n.contiguous(1, in, v.layout.Shape)
		n.why = []string{"a search by halves for each element"}
		return func(n *node, t *offload.Task) {
			f := searchKernel(kirTypes[in], right)
			lookupTask(t, lookupParts{
				domain: []int{elementsIn(n.layout.Shape), length}, units: []string{"elements"},
				in:  [2]lookup{{n.input(t, 0), in.Size(), []int{0, 1}}, {n.input(t, 1), in.Size(), []int{1, 0}}},
				out: lookup{n.value, arrays.Int64.Size(), []int{1, 0}},
				launch: func(part []int, from [2]offload.Arg) offload.Launch {
					return elementwise(f, part[0], offload.Pointer(n.value), from[0], from[1], offload.Int(length))
				},
			})
		}
	}
}

// searchKernel finds, for each element of v, how many of the list are before it, or with right not behind it. NaN is
// behind all numbers.
func searchKernel(t kir.Type, right bool) *kir.Func {
	b := kir.NewBuilder("searchsorted")
	out, list, v, length := b.Param("out", kir.U64), b.Param("list", kir.U64), b.Param("v", kir.U64), b.Param("length", kir.I64)
	before := func(x, y *kir.Value) *kir.Value {
		is := b.Op(kir.OpLt, x, y)
		if t.IsFloat() {
			is = b.Op(kir.OpOr, is, b.Op(kir.OpAnd, b.Op(kir.OpEq, x, x), b.Op(kir.OpNe, y, y)))
		}
		return is
	}
	one := b.Int(kir.I64, 1)
	return eachElement(b, func(i *kir.Value) {
		key := b.Load(kir.Global, t, b.Index(v, i, t))
		head, work, end := b.NewBlock("head", kir.I64, kir.I64), b.NewBlock("half"), b.NewBlock("found")
		b.Jump(head, b.Int(kir.I64, 0), length)
		b.SetBlock(head)
		lo, hi := head.Params[0], head.Params[1]
		b.Branch(b.Op(kir.OpLt, lo, hi), work, end)
		b.SetBlock(work)
		mid := b.Op(kir.OpShr, b.Op(kir.OpAdd, lo, hi), b.Int(kir.U32, 1))
		x := b.Load(kir.Global, t, b.Index(list, mid, t))
		var on *kir.Value // whether the place is behind mid
		if right {
			on = b.Op(kir.OpNot, before(key, x))
		} else {
			on = before(x, key)
		}
		b.Jump(head, b.Op(kir.OpSelect, on, b.Op(kir.OpAdd, mid, one), lo), b.Op(kir.OpSelect, on, hi, mid))
		b.SetBlock(end)
		b.Store(kir.Global, b.Index(out, i, kir.I64), lo)
	})
}
