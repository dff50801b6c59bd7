package lazy

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// routine is the variant for devices of a routine of package arrays, in its annotation's GPU: a library of the device's
// maker has it (device.Librarian), or kernels of ours do. What neither has stays on the CPU, as all of it does where
// the device is the CPU.
type routine struct {
	calls device.Routine // "" where no library has it
	along bool           // its options are an axis, hostOp.axis
	sorts bool           // each line by itself
	whole bool           // it is not cut into pieces: what is too large for memory is the CPU's
	// kernels of ours do it on the CPU too, and nothing else
	everywhere bool
	// plan says how n is done, with calls of the library, or without them. It has n's arguments made as they are needed
	// (node.contiguous), and returns nil where it cannot. It may say in n.why how kernels of ours do it.
	plan func(n *node, d device.Device, library bool) onDevice
}

// onDevice gives t, whose root is n, launches and scratch memory. Nodes that compute the same share it.
type onDevice func(n *node, t *offload.Task)

// routinesCalled is whether any routine with a variant has been called: nobody looks for them before.
var routinesCalled atomic.Bool

// placeRoutines decides of the routines that targets need where they run.
func placeRoutines(targets []*node, rt *offload.Runtime) {
	if !routinesCalled.Load() && !filesOpened.Load() {
		return
	}
	d := rt.Device()
	order := pending(targets)
	of := placeOutOfCore(order)
	for _, n := range order {
		if n.kind != kindHost {
			continue
		}
		r, ok := n.host.ann.GPU.(*routine)
		if !ok {
			continue
		}
		dir := ""
		for _, a := range n.args {
			dir = max(dir, of(a.node))
		}
		if dir != "" && r.whole {
			n.host.onDevice, n.why = nil, nil
			continue
		}
		r.place(n, d, rt, dir != "")
		if dir != "" { // what is in files goes through memory step by step
			n.host.scan = nil
		}
		for _, a := range n.args {
			if dir != "" && !a.node.leaf() {
				a.node.own().spills = dir
			}
		}
	}
}

var routines = map[string]*routine{
	"matmul": {calls: device.MatMul, plan: planProduct},
	"solve":  {calls: device.Solve, plan: planSolve},
	"fft":    {calls: device.FFT, plan: planTransform(device.FFT)},
	"ifft":   {calls: device.IFFT, plan: planTransform(device.IFFT)},
	"rfft":   {calls: device.RFFT, plan: planTransform(device.RFFT)},

	"cumsum":             {along: true, plan: planCumulation(arrays.ReduceSum)},
	"cumprod":            {along: true, plan: planCumulation(arrays.ReduceProd)},
	"maximum.accumulate": {along: true, plan: planCumulation(arrays.ReduceMax)},
	"minimum.accumulate": {along: true, plan: planCumulation(arrays.ReduceMin)},

	"concat": {along: true, whole: true, plan: planJoin},
	"stack":  {along: true, whole: true, plan: planJoin},

	"sort":         {along: true, sorts: true, plan: planSort(false)},
	"argsort":      {along: true, sorts: true, plan: planSort(true)},
	"searchsorted": {plan: planSearch(false)},
}

// place decides where n, a call of r, runs while d runs kernels. large is whether an argument is in a file, or made of
// one, that is too large for memory: then the CPU runs the kernels too, in pieces.
func (r *routine) place(n *node, d device.Device, rt *offload.Runtime, large bool) {
	n.host.onDevice, n.host.library, n.host.scan, n.host.planned, n.why = nil, "", nil, d, nil
	if n.outOfCore != nil {
		n.why = []string{"its elements are read block by block, as they are more than the budget for files"}
		return
	}
	if large && r.sorts {
		lines, _, _ := linesOf(n.args[0].layout.Shape, lastAxis(n.host.axis))
		large = lines > 1 // one is not cut
	}
	if _, shares := d.(device.Sharer); shares && !r.everywhere && !large {
		return
	}
	if slices.Contains(n.layout.Shape, 0) {
		n.why = []string{"it has no elements"}
		return
	}
	if why := tooSlow(n, d); why != "" {
		if n.why = []string{why}; !large {
			return
		}
		d = hostDevice(rt)
		n.host.planned = d
	}
	var name string
	var err error
	library := false
	if r.calls != "" {
		name, err = libraryOf(d, r.calls)
		library = err == nil && isFloat(n.dtype)
	}
	n.why = nil
	if n.host.onDevice = r.plan(n, d, library); n.host.onDevice == nil {
		if n.why == nil {
			n.why = []string{fmt.Sprintf("there is no kernel for %s of %v", n.host.ann.Name, n.dtype)}
		}
		if err != nil {
			n.why[0] = fmt.Sprintf("%v, and %s", err, n.why[0])
		}
		return
	}
	if !library && n.why == nil {
		n.why = []string{"in tiles by a kernel of ours"}
		if err != nil {
			n.why[0] += ": " + err.Error()
		}
	}
	if !library {
		return
	}
	n.host.library = name
	n.why = []string{name + " does it"}
}

// mostSimulated is how many multiply-adds of a product a simulated GPU does; see SimulateProducts.
var mostSimulated atomic.Int64

// usuallySimulated takes some 30 ms, what a person does not notice in a cell: the engine needs about 30 ns for a
// multiply-add with what belongs to it.
const usuallySimulated = 1 << 20

func init() { mostSimulated.Store(usuallySimulated) }

// SimulateProducts says how large the matrix products and the sorts are that simulated GPUs compute: of so many
// multiply-adds at most, or moves of an element by one digit, 1,048,576 at the start; (m, k)·(k, n) has m·k·n
// multiply-adds, and n numbers of b bits move n·b/4 times. Larger ones run on the CPU, since simulating 10⁹
// multiply-adds takes about 30 s on one core, and 10⁶ moves more than a second; their elements are the same. It returns
// the limit before, and panics with an *Error where most is negative.
func SimulateProducts(most int) int {
	if most < 0 {
		check("SimulateProducts", &Error{Msg: fmt.Sprintf("the limit is %d, it must be 0 or more", most)})
	}
	return int(mostSimulated.Swap(int64(most)))
}

// tooSlow says why d, a simulated GPU, does not compute n, a product or a sort; "" where it does.
func tooSlow(n *node, d device.Device) string {
	if !d.Properties().Modelled {
		return ""
	}
	x, work, what := n.args[0].layout.Shape, float64(elementsIn(n.layout.Shape)), "multiply-adds"
	switch r := n.host.ann.GPU.(*routine); {
	case r.calls == device.MatMul:
		work *= float64(x[len(x)-1])
	case r.sorts:
		work, what = work*float64(2*n.args[0].node.dtype.Size()), "moves by a digit"
	default:
		return ""
	}
	most := mostSimulated.Load()
	if work <= float64(most) {
		return ""
	}
	return fmt.Sprintf("it has %.3g %s, of which %s simulates %d at most (np.SimulateProducts)", work, what, d.ID(), most)
}

// libraryOf names the library that d has for r, or says why there is none.
func libraryOf(d device.Device, r device.Routine) (name string, err error) {
	if l, ok := d.(device.Librarian); ok {
		return l.Library(r)
	}
	if d.Properties().Modelled {
		return "", errors.New("simulated GPUs have no libraries")
	}
	return "", fmt.Errorf("%s has no libraries", d.ID())
}

// isFloat reports whether d is a type that libraries compute with.
func isFloat(d arrays.DType) bool {
	return d == arrays.Float32 || d == arrays.Float64 || d == arrays.Complex64 || d == arrays.Complex128
}

// inProducts reports whether our kernels multiply matrices of d.
func inProducts(d arrays.DType) bool {
	switch d {
	case arrays.Float32, arrays.Float64, arrays.Int32, arrays.Int64, arrays.Uint32, arrays.Uint64:
		return true
	}
	return false
}

func isWide(d arrays.DType) bool { return d == arrays.Float64 || d == arrays.Complex128 }

// contiguous makes argument i elements of dtype d that lie in C order, broadcast to a shape.
func (n *node) contiguous(i int, d arrays.DType, shape []int) {
	a := n.args[i]
	if !slices.Equal(a.layout.Shape, shape) {
		l, err := a.layout.BroadcastTo(shape)
		check(n.host.ann.Name, err)
		a.layout = &l
	}
	if a.node.leafless() || a.node.dtype != d || a.layout.Offset != 0 || !a.layout.IsContiguous() || elementsIn(a.layout.Shape) != elementsIn(a.node.layout.Shape) {
		a = all(newNode(kindCast, d, contiguous(shape), &ordinary, a))
		a.node.part = true
	}
	n.args[i] = a
}

// pointer is the address of argument i.
func (n *node) pointer(t *offload.Task, i int) offload.Arg { return offload.Pointer(n.input(t, i)) }

// input is the value of argument i, of which a rule may have made a constant.
func (n *node) input(t *offload.Task, i int) *offload.Value {
	v := n.args[i].node.value
	if v == nil {
		v = n.args[i].node.bytes()
		t.In = append(t.In, v)
	}
	return v
}

func elementsIn(shape []int) int {
	n := 1
	for _, k := range shape {
		n *= k
	}
	return n
}

// planProduct multiplies matrices. Those of further axes that an operand has not are the same for all.
func planProduct(n *node, d device.Device, library bool) onDevice {
	c := device.Call{Routine: device.MatMul, Wide: isWide(n.dtype), Complex: n.dtype.IsComplex()}
	shapes, lead := [2][]int{}, n.layout.Shape
	for i := range shapes {
		s := n.args[i].layout.Shape
		if len(s) == 1 { // a row on the left, a column on the right: they have no axis in the result
			shapes[i] = s
			continue
		}
		lead = lead[:len(lead)-1]
		shapes[i] = s[len(s)-2:]
	}
	x, y := shapes[0], shapes[1]
	c.M, c.K, c.N, c.Batch = 1, x[len(x)-1], 1, elementsIn(lead)
	if len(x) == 2 {
		c.M = x[0]
	}
	if len(y) == 2 {
		c.N = y[1]
	}
	const tiles, most = 65535, 1 << 31 // blocks of a grid in y and z; numbers of a library
	if c.K == 0 || c.M >= most || c.N >= most || c.K >= most || c.Batch >= most {
		return nil
	}
	if !library && (!inProducts(n.dtype) || c.N > 1 && c.M > tiles*tile || c.Batch > tiles || c.N == 1 && chainPieces(c.K) > tiles) {
		return nil
	}
	for i, stride := range []*int{&c.StrideA, &c.StrideB} {
		if s := n.args[i].layout.Shape; len(s) > 2 && elementsIn(s[:len(s)-2]) > 1 {
			shapes[i] = append(slices.Clone(lead), shapes[i]...)
			*stride = []int{c.M * c.K, c.K * c.N}[i]
		}
		if s := n.args[i].layout.Shape; len(s) > len(shapes[i]) { // axes of one
			shapes[i] = s
		}
		n.contiguous(i, n.dtype, shapes[i])
	}
	return func(n *node, t *offload.Task) {
		p := productParts{c: c, t: n.dtype, library: library, in: [2]*offload.Value{n.input(t, 0), n.input(t, 1)}, out: n.value}
		p.all = t.In
		left, right := offload.Pointer(p.in[0]), offload.Pointer(p.in[1])
		if l := (longParts{p}); !library && inBlocks(c) {
			l.task(t, left, right)
			t.Parts = l
			return
		}
		p.task(t, left, right)
	}
}

// planSolve solves one system, of any number of right sides. The library takes matrices by columns, and overwrites
// them.
func planSolve(n *node, _ device.Device, library bool) onDevice {
	sides := n.args[1].layout.Shape
	if !library || len(n.args[0].layout.Shape) != 2 || len(sides) > 2 || len(n.layout.Shape) != len(sides) {
		return nil
	}
	c := device.Call{Routine: device.Solve, Wide: isWide(n.dtype), Complex: n.dtype.IsComplex(), N: sides[0], K: 1, Batch: 1}
	if len(sides) == 2 {
		c.K = sides[1]
	}
	n.contiguous(0, n.dtype, n.args[0].layout.Shape)
	n.contiguous(1, n.dtype, sides)
	words := n.dtype.Size() / 4
	return func(n *node, t *offload.Task) {
		t.Scratch = []int{c.N * c.N * 4 * words, c.N * c.K * 4 * words}
		a, b := offload.Scratch(0), offload.Scratch(1)
		t.Launches = []offload.Launch{
			transpose(a, n.pointer(t, 0), c.N, c.N, words),
			transpose(b, n.pointer(t, 1), c.N, c.K, words),
			{Call: &c, Args: []offload.Arg{a, b, b}},
			transpose(offload.Pointer(n.value), b, c.K, c.N, words),
		}
	}
}

// planTransform transforms along the last axis.
func planTransform(r device.Routine) func(n *node, d device.Device, library bool) onDevice {
	return func(n *node, _ device.Device, library bool) onDevice {
		shape := n.args[0].layout.Shape
		points := shape[len(shape)-1]
		c := device.Call{Routine: r, Wide: isWide(n.dtype), Complex: true, N: points, Batch: elementsIn(shape) / points}
		if !library || c.Batch >= 1<<31 || c.N >= 1<<31 {
			return nil
		}
		from, part := n.dtype, arrays.Float32
		if c.Wide {
			part = arrays.Float64
		}
		real := !n.args[0].node.dtype.IsComplex()
		if real {
			from = part
		}
		n.contiguous(0, from, shape)
		return func(n *node, t *offload.Task) {
			in, out, f := n.pointer(t, 0), offload.Pointer(n.value), kirTypes[part]
			if real && r != device.RFFT { // in place, of complex numbers
				t.Launches = append(t.Launches, elementwise(widenKernel(f), elementsIn(shape), out, in))
				in = out
			}
			t.Launches = append(t.Launches, offload.Launch{Call: &c, Args: []offload.Arg{in, in, out}})
			if r == device.IFFT {
				t.Launches = append(t.Launches, elementwise(divideKernel(f), 2*elementsIn(shape), out, offload.Int(points)))
			}
		}
	}
}
