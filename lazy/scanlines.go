package lazy

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/scan"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// ScanBy adds a scan, and returns its placeholder. Kernels do it on every device, the CPU too, in the order of the
// form. It panics with *Error on a bad axis, and on dtypes that kernels have not.
func (Wiring) ScanBy(c kernelcall.Scan[Array]) *Array {
	last := len(c.Xs) - 1 // the first array may be of packed flags, which are fewer
	shape := c.Xs[last].layout.Shape
	views := make([]view, len(c.Xs))
	for i, x := range c.Xs {
		if !inKernels(x.dtype) {
			check(c.Name, &Error{Msg: fmt.Sprintf("there are no kernels for elements of %v", x.dtype)})
		}
		if !slices.Equal(x.layout.Shape, shape) && !(i == 0 && c.Spec.Form.Packed) {
			check(c.Name, &Error{Shapes: [][]int{shape, x.layout.Shape}, Msg: fmt.Sprintf("array %d has shape %s, the first has %s", i+1, shapeString(x.layout.Shape), shapeString(shape))})
		}
		views[i] = x.view()
		c.Spec.In = append(c.Spec.In, kirTypes[x.dtype])
	}
	out := shape
	if len(c.Axis) == 0 {
		out = []int{elementsIn(shape)}
	} else if k := c.Axis[0]; k < -len(shape) || k >= len(shape) {
		check(c.Name, &Error{Shapes: [][]int{shape}, Msg: fmt.Sprintf("axis %d is outside of shape %s", k, shapeString(shape))})
	}
	if c.Ends != nil {
		out = c.Ends.layout.Shape
		views = append(views, c.Ends.view())
	}
	if elementsIn(shape) == 0 {
		return Zeros(out...).AsType(c.DType)
	}
	c.Spec.Name, c.Spec.Out = kernelName(c.Name), []kir.Type{kirTypes[c.DType]}
	s, key := c.Spec, c.Key
	variant := &routine{everywhere: true, plan: func(n *node, d device.Device, _ bool) onDevice {
		lines, length, inner := linesOf(n.args[last].layout.Shape, n.host.axis)
		p, how, err := planLines(s, key, d, lines, length, inner)
		check(n.host.ann.Name, err)
		n.why = []string{how}
		for i, a := range n.args {
			n.contiguous(i, a.node.dtype, a.layout.Shape)
		}
		if p.ends = c.Ends != nil; !p.ends {
			n.fuses(s, key, d, lines, length, inner)
		}
		return p.onDevice
	}}
	routinesCalled.Store(true)
	h := &hostOp{ann: &offload.Annotation{Name: c.Name, GPU: variant, Whole: true}, axis: c.Axis, whole: true}
	if run := inLoops(c); run != nil { // which the CPU does in their place
		h.ann.CPU, variant.everywhere = run, false
	}
	return newNode(kindHost, c.DType, contiguous(out), &rare{host: h}, views...).writtenHere().whole()
}

// scanPlan is how a device scans what a node's arguments have.
type scanPlan struct {
	scan.Plan
	again                func(lines, inner int) (scan.Plan, error) // for some of the lines, in the same order; or nil
	aligned              bool                                      // of whose elements several are loaded at once
	tiles                func() (scan.Parts, error)                // for parts of all lines; or nil
	shared               int                                       // of the scratch buffers, those that such parts use, too
	lines, length, inner int
	ends                 bool // the last argument says which elements are wanted
}

// planLines plans the scan of lines on d, and says how it is done.
func planLines(s scan.Spec, key any, d device.Device, lines, length, inner int) (p scanPlan, how string, err error) {
	named := s.Form != scan.Form{}
	if !named {
		s.Form = scan.Default
	}
	made := func(s scan.Spec, k scan.Kind) (scan.Kernel, error) { return scanKernel(s, k, key) }
	_, shares := d.(device.Sharer)
	if shares {
		s.Form.Exchange = false // which is for memory that lanes read together
	} else {
		s.Aligned = true
		of := d.Properties()
		young := shuffles(d)
		s.Form.Shuffles = s.Form.Shuffles && young
		if s.Form.Vectors == scan.ByMachine {
			s.Form.Vectors = scan.WordVectors
			if young {
				s.Form.Vectors = scan.WideVectors
			}
		}
		made = madeFor(of, key)
	}
	p.lines, p.length, p.inner = lines, length, inner
	plan := func(lines, inner int) (scan.Plan, error) { return s.Plan(lines, length, inner, made) }
	part := plan
	if length%4 != 0 { // a part of the lines may begin anywhere
		apart := s
		apart.Aligned = false
		part = func(lines, inner int) (scan.Plan, error) { return apart.Plan(lines, length, inner, made) }
	}
	serial := !named && s.Scatter == nil && serially(lines, length, inner)
	if serial {
		plan = func(lines, inner int) (scan.Plan, error) { return s.Serially(lines, length, inner, made) }
		part = plan
	}
	p.Plan, err = plan(lines, inner)
	if s.Scatter == nil && !s.Form.Packed {
		p.again = part
		p.aligned = s.Aligned && !serial
	}
	p.shared = len(p.Scratch)
	if shares && !named && !serial && lines == 1 && err == nil {
		p.Plan, err = s.Vectors(length, made)
	}
	if s.Scatter == nil && !serial && !s.Numbered && !s.Form.Packed {
		p.tiles = func() (scan.Parts, error) { return s.Parts(lines, length, inner, made) }
	}
	if serial {
		return p, fmt.Sprintf("a scan of %s, each by a thread", counted(lines, "line")), err
	}
	return p, tiled(p.Plan, s.Form, lines), err
}

// onDevice gives t the launches.
func (p scanPlan) onDevice(n *node, t *offload.Task) { p.launch(n, t) }

// launch is onDevice, and returns the values of n's arguments.
func (p scanPlan) launch(n *node, t *offload.Task) []*offload.Value {
	if t.Scratch = p.Scratch; n.host.ann.CPU == nil {
		t.CPU = nil // the kernels run on the CPU too
	}
	in := make([]*offload.Value, len(n.args))
	args := make([]offload.Arg, len(n.args))
	for i := range in {
		in[i] = n.input(t, i)
		args[i] = offload.Pointer(in[i])
	}
	if p.ends {
		places := args[len(args)-1]
		t.Scratch = append(slices.Clip(p.Scratch), p.length*n.dtype.Size())
		all := offload.ScratchAt(len(p.Scratch), 0)
		t.Launches = scanLaunches(p.Launches, args[:len(args)-1], all)
		wanted := elementsIn(n.layout.Shape)
		t.Launches = append(t.Launches, elementwise(takeKernel(n.dtype, false, false), wanted, offload.Pointer(n.value), all, places, offload.Int(p.length), offload.Int(wanted), offload.Int(1)))
		return in
	}
	bytes := make([]int, len(in))
	for i, a := range n.args {
		bytes[i] = a.node.dtype.Size()
	}
	p.task(t, in, bytes, n.value, n.dtype.Size(), n.args[len(n.args)-1].layout.Shape, n.host.axis)
	return in
}

// task gives t the launches that read in and write out.
//
// bytes are those of an element of each, and shape and axis say how they lie: along one line where no axis is named.
func (p scanPlan) task(t *offload.Task, in []*offload.Value, bytes []int, out *offload.Value, written int, shape, axis []int) {
	t.Scratch = p.Scratch
	args := make([]offload.Arg, len(in))
	for i, v := range in {
		args[i] = offload.Pointer(v)
	}
	t.Launches = scanLaunches(p.Launches, args, offload.Pointer(out))
	if p.again != nil {
		shape, along := alongAxis(shape, axis)
		t.Parts = scanParts{
			plan: p.again, tiles: p.tiles, shared: p.shared, aligned: p.aligned, shape: shape, axis: along,
			in: in, bytes: bytes, out: out, written: written,
		}
	}
}

// scanKernels are those that were made, by what tells them apart. Evaluations use them, one at a time.
var scanKernels = map[scanKey]scan.Kernel{}

type scanKey struct {
	of   any // see kernelcall.Scan; kept, so that nothing else gets its address
	spec string
}

// mostStatic is how many bytes the shared arrays of a kernel may have that say their size, where blocks may have more.
const mostStatic = 48 << 10

// madeFor makes kernels for d, or has them: without the exchange through shared memory where d has too little of it.
func madeFor(d device.Properties, key any) func(s scan.Spec, k scan.Kind) (scan.Kernel, error) {
	room := d.SharedPerBlock
	if room > 0 {
		room = min(room, mostStatic)
	}
	return func(s scan.Spec, k scan.Kind) (scan.Kernel, error) {
		made, err := scanKernel(s, k, key)
		if err == nil && s.Form.Exchange && room > 0 && made.Func.SharedBytes() > room {
			s.Form.Exchange = false
			made, err = scanKernel(s, k, key)
		}
		return made, err
	}
}

func scanKernel(s scan.Spec, k scan.Kind, of any) (scan.Kernel, error) {
	key := scanKey{of, fmt.Sprint(s.Name, s.Op.Name, s.Op.State, s.Form, s.In, s.Out, s.Exclusive, s.Strided, s.Aligned, s.Single, s.Alone, s.Later, s.Numbered, len(s.Given), k)}
	if made, ok := scanKernels[key]; ok {
		return made, nil
	}
	made, err := scan.Make(s, k)
	if err != nil {
		return made, err
	}
	if len(scanKernels) >= maxPlans {
		clear(scanKernels)
	}
	scanKernels[key] = made
	return made, nil
}

// shuffling is whether a device has been found to have shuffles. Evaluations use it, one at a time.
var shuffling = map[string]bool{}

// shuffles reports whether d, were it built, could exchange numbers between the lanes of a warp.
func shuffles(d device.Device) bool {
	if !d.Properties().Modelled {
		return true
	}
	is, known := shuffling[d.ID()]
	if !known {
		b := kir.NewBuilder("shuffles")
		out := b.Param("out", kir.U64)
		lane := b.Special(kir.LaneID)
		b.Store(kir.Global, out, b.Shuffle(kir.NewShuffle(kir.ShuffleXor, kir.WarpSize), lane, b.Int(kir.U32, 1), b.FullMask()))
		b.Return()
		k, err := d.Load(built(b))
		limited, old := k.(device.Limited)
		is = err == nil && (!old || limited.Lacks() == nil)
		shuffling[d.ID()] = is
	}
	return is
}
