package lazy

import (
	"math"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/scan"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// Distinct elements and counts on devices: elements are sorted, marked where they differ from the one before, and
// picked by these marks. Only how many there are is brought to the host, and of ints that are counted the least and the
// largest.

// runs are the elements of an array, sorted, and where in it each begins that differs from those before.
type runs struct {
	sorted, order *Array // order is nil where it is not needed
	heads         *Array
}

// runsOnDevice returns the runs of x where a device in use sorts it; ok is false where package arrays does all.
func runsOnDevice(x any, axis []AxisOption, order bool) (r runs, a *Array, ok bool) {
	a, is := x.(*Array)
	if !is || a == nil || len(axis) > 0 || !inKernels(a.dtype) || a.Size() == 0 || a.onDisk() || inHostMemory() {
		return r, a, false
	}
	flat := a.Reshape(-1)
	if order || a.dtype.IsFloat() { // of equal elements that differ, as zeros do, the first stays
		r.order = ArgSort(flat)
		r.sorted = flat.At(r.order)
	} else {
		r.sorted = Sort(flat)
	}
	n := a.Size()
	h := &hostOp{ann: library("heads", func(out *arrays.Array, in []*arrays.Array) {
		x := in[0]
		differ := x.At(arrays.From(1)).NotEqual(x.At(arrays.To(-1)))
		if x.DType().IsFloat() {
			nan := arrays.IsNaN(x)
			differ = differ.LogicalAnd(nan.At(arrays.From(1)).LogicalAnd(nan.At(arrays.To(-1))).LogicalNot())
		}
		out.At(arrays.From(1)).Set(differ)
		out.At(arrays.To(1)).Set(true)
	})}
	h.ann.GPU = &marking
	routinesCalled.Store(true)
	r.heads = newNode(kindHost, Bool, contiguous([]int{n}), &rare{host: h}, r.sorted.view()).writtenHere().whole()
	return r, a, true
}

// marking is the variant of heads for devices.
var marking = routine{plan: func(n *node, _ device.Device, _ bool) onDevice {
	a := n.args[0]
	d := a.node.dtype
	n.contiguous(0, d, a.layout.Shape)
	n.why = []string{"each element and the one before it by a thread"}
	return func(n *node, t *offload.Task) {
		p := headParts{in: n.input(t, 0), out: n.value, elem: d, n: elementsIn(n.layout.Shape)}
		t.Launches = []offload.Launch{p.launch(0, p.n, offload.Pointer(p.in))}
		t.Parts = p
	}
}}

// headParts cuts the marking of heads anywhere: a part reads the element before it, too.
type headParts struct {
	in, out *offload.Value
	elem    arrays.DType
	n       int
}

// launch marks elements lo to hi-1; in has the one before them first, if there is one.
func (p headParts) launch(lo, hi int, in offload.Arg) offload.Launch {
	return elementwise(headsKernel(kirTypes[p.elem]), hi-lo, offload.Pointer(p.out), in, offload.Int(min(lo, 1)))
}

func (p headParts) Ways() int { return 1 }

func (p headParts) Along(int) (*offload.Cut, error) {
	read := func(part partition.Box) partition.View { return stretch(max(part[0].Start-1, 0), part[0].Stop) }
	return &offload.Cut{
		Unit: "elements", Domain: []int{p.n},
		In: []offload.Field{{Shape: []int{p.n}, Bytes: p.elem.Size(), Ranges: func(part partition.Box) []partition.View {
			return []partition.View{read(part)}
		}}},
		Out: []offload.Field{{Shape: []int{p.n}, Bytes: 1, Views: []partition.View{stretch(0, p.n)}}},
		Launches: func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
			v, got := at(p.in, read(part))
			return []offload.Launch{p.launch(part[0].Start, part[0].Stop, offload.PointerAt(v, got.Offset*p.elem.Size()))}, nil
		},
	}, nil
}

// headsKernel marks the first element and those that are not equal to the one before; NaNs are equal. x has skip
// elements before those that are marked.
func headsKernel(t kir.Type) *kir.Func {
	b := kir.NewBuilder("heads")
	out, x, skip := b.Param("out", kir.U64), b.Param("x", kir.U64), b.Param("skip", kir.I64)
	return eachElement(b, func(at *kir.Value) {
		i := b.Op(kir.OpAdd, at, skip)
		read := func(i *kir.Value) *kir.Value {
			v := b.Load(kir.Global, t, b.Index(x, i, t))
			switch {
			case t == kir.F16:
				return b.Convert(kir.F32, v)
			case t == kir.Bool || t.IsInteger() && t.Bytes() < 4:
				return b.Convert(kir.I32, v)
			}
			return v
		}
		zero := b.Int(kir.I64, 0)
		v, w := read(i), read(b.Op(kir.OpMax, b.Op(kir.OpSub, i, b.Int(kir.I64, 1)), zero))
		differ := b.Op(kir.OpNe, v, w)
		if v.Type.IsFloat() {
			differ = b.Op(kir.OpAnd, differ, b.Op(kir.OpOr, b.Op(kir.OpEq, v, v), b.Op(kir.OpEq, w, w)))
		}
		b.Store(kir.Global, b.Index(out, at, kir.Bool), b.Op(kir.OpOr, differ, b.Op(kir.OpEq, i, zero)))
	})
}

// lengths are how long the runs are that begin at starts, of n elements.
func (r runs) lengths(starts *Array) *Array {
	m := starts.Size()
	i := Arange(m)
	next := starts.At(Minimum(i.Add(1), m-1))
	return Where(i.Eq(m-1), r.sorted.Size(), next).Sub(starts)
}

// numbers are for each element, in its place before the sort, which run it is in.
func (r runs) numbers(shape []int) *Array {
	n, counts := r.sorted.Size(), kir.I32
	if n > math.MaxInt32 {
		counts = kir.I64
	}
	s := scan.Spec{
		Op: scan.Binary(kir.OpAdd, counts), Lifted: 1,
		Lower: func(b *kir.Builder, state, _ []*kir.Value) []*kir.Value {
			return []*kir.Value{b.Op(kir.OpSub, b.Convert(kir.I64, state[0]), b.Int(kir.I64, 1))}
		},
		Scatter: func(b *kir.Builder, _, in []*kir.Value) (to, ok *kir.Value) { return in[1], b.Bits(kir.Bool, 1) },
	}
	return Wiring{}.ScanBy(kernelcall.Scan[Array]{Name: "run_numbers", Spec: s, Xs: []*Array{r.heads, r.order}, DType: Int64}).Reshape(shape...)
}

func uniqueOnDevice(x any, axis []AxisOption) (values *Array, ok bool) {
	if values, _, ok = uniqueInRuns(x, axis); ok {
		return values, true
	}
	r, _, ok := runsOnDevice(x, axis, false)
	if !ok {
		return nil, false
	}
	return r.sorted.pick(r.heads), true
}

func uniqueCountsOnDevice(x any, axis []AxisOption) (values, counts *Array, ok bool) {
	if values, counts, ok = uniqueInRuns(x, axis); ok {
		return values, counts, true
	}
	r, _, ok := runsOnDevice(x, axis, false)
	if !ok {
		return nil, nil, false
	}
	starts := r.heads.places()
	return r.sorted.At(starts), r.lengths(starts), true
}

func uniqueInverseOnDevice(x any, axis []AxisOption) (values, inverse *Array, ok bool) {
	if d, ok := distinctInRuns(x, axis); ok {
		return d.values, d.inverse, true
	}
	r, a, ok := runsOnDevice(x, axis, true)
	if !ok {
		return nil, nil, false
	}
	return r.sorted.pick(r.heads), r.numbers(a.Shape()), true
}

func uniqueAllOnDevice(x any, axis []AxisOption) (values, first, inverse, counts *Array, ok bool) {
	if d, ok := distinctInRuns(x, axis); ok {
		return d.values, d.first, d.inverse, d.counts, true
	}
	r, a, ok := runsOnDevice(x, axis, true)
	if !ok {
		return nil, nil, nil, nil, false
	}
	starts := r.heads.places()
	return r.sorted.At(starts), r.order.At(starts), r.numbers(a.Shape()), r.lengths(starts), true
}

// binCountOnDevice counts ints: how often each is there is how far it is, in the sorted elements, from where those
// begin that are not less to where those do that are larger.
func binCountOnDevice(x any, opts []BinCountOption) (counts *Array, ok bool) {
	a, is := x.(*Array)
	if is && a != nil {
		if counts, ok = binCountInBlocks(a, opts); ok {
			return counts, true
		}
	}
	if !is || a == nil || !a.dtype.IsInt() || a.Size() == 0 || a.onDisk() || inHostMemory() {
		return nil, false
	}
	least := 0
	for _, o := range opts {
		n, is := o.(arrays.MinLengthOption)
		if !is || n.Of < 0 {
			return nil, false // weights are added in the order of the elements; what is wrong package arrays says
		}
		least = max(least, n.Of)
	}
	a = a.Reshape(-1)
	lo, hi := a.Min().AsType(Int64), a.Max().AsType(Int64)
	Eval(a, lo, hi)
	if lo.Int() < 0 || uint64(hi.Int()) >= math.MaxInt32 { // uint64 wraps
		return nil, false
	}
	edges := SearchSorted(Sort(a), Arange(max(hi.Int()+1, least)+1))
	return edges.At(From(1)).Sub(edges.At(To(-1))), true
}
