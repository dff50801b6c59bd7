package gpu

import (
	"errors"
	"fmt"
	"go/types"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu/emulate"
	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// Dim is the size of a grid in blocks, or of a block in threads. What is left out is 1.
type Dim struct{ X, Y, Z int }

// Grid returns the size of a grid of blocks: Grid(16), Grid(8, 8).
//
// For example:
//
//	gpu.Launch(brighten, gpu.Grid(w/16, h/16), gpu.Block(16, 16), in, out, w, h)
func Grid(sizes ...int) Dim { return dim(sizes) }

// Block returns the size of a block of threads: Block(256), Block(16, 16).
//
// For example:
//
//	gpu.Launch(brighten, gpu.Grid(w/16, h/16), gpu.Block(16, 16), in, out, w, h)
func Block(sizes ...int) Dim { return dim(sizes) }

func dim(sizes []int) Dim {
	d := Dim{1, 1, 1}
	for i, p := range []*int{&d.X, &d.Y, &d.Z} {
		if i < len(sizes) {
			*p = sizes[i]
		}
		if *p < 1 {
			panic(&Error{Err: fmt.Errorf("a grid or block of %v: every size must be at least 1", sizes)})
		}
	}
	return d
}

// Blocks returns how many blocks of a size cover n elements: n/size, rounded up.
func Blocks(n, size int) int { return (n + size - 1) / size }

// Option changes a launch; options stand among the arguments of [Launch].
type Option struct {
	shared    int
	unchecked bool
	fastMath  bool
	anyway    bool
	together  bool
	on        []string
	orders    int
	pending   int // launches from a grid
	bounds    kir.Bounds
	clusters  bool // bounds has their size
}

// DynamicShared adds so many bytes to the shared memory of each block: the kernel gets them by [SharedDynamic].
//
// For example:
//
//	gpu.Launch(sums, 80, 256, x, gpu.DynamicShared(4*256)) // for gpu.SharedDynamic
func DynamicShared(bytes int) Option { return Option{shared: bytes} }

// Unchecked leaves out the tests of indices, divisors and shift counts. A wrong one then does what the device does.
//
// For example:
//
//	gpu.Launch(saxpy, gpu.Blocks(n, 256), 256, 2, x, y, gpu.Unchecked())
func Unchecked() Option { return Option{unchecked: true} }

// Anyway launches a kernel on a simulated GPU that lacked what the kernel uses: float64 on an 8800, shuffles before
// Kepler. Results are exact, as ever; the time is one that no such machine had. Without it such a launch fails, with
// the line.
//
// For example:
//
//	np.Use("sim:g80")
//	gpu.Launch(votes, 1, 32, x, gpu.Anyway()) // that machine has no votes
func Anyway() Option { return Option{anyway: true} }

// Cooperative launches all blocks at a time, so that they can wait for each other, as [LaunchCooperative] does; it is
// for [Emulate] and [Check], too. The launch fails, with the figures, where they have no room on the device.
//
// For example:
//
//	gpu.Emulate(relax, 8, 256, x, next, 100, gpu.Cooperative()) // a kernel with gpu.SyncGrid
func Cooperative() Option { return Option{together: true} }

// On runs the launch on the named device, in the place of those that np.Use has chosen: On("sim:v100"). Of several
// names, and of the name of a machine of several GPUs, one device runs it, as the placement policy says. On a stream,
// whose device runs all that it gets, it is refused.
//
// For example:
//
//	gpu.Launch(saxpy, gpu.Blocks(n, 256), 256, 2, x, y, gpu.On("sim:a100"))
func On(names ...string) Option { return Option{on: append([]string{}, names...)} }

// MaxRegisters asks for a kernel that takes at most n registers of a thread, so that more threads fit on a
// multiprocessor: what does not fit is kept in local memory, which is slow. It is CUDA's __maxnreg__.
//
// For example:
//
//	gpu.Launch(heavy, 80, 256, x, gpu.MaxRegisters(32)) // more warps fit, more values spill
func MaxRegisters(n int) Option { return Option{bounds: kir.Bounds{MaxRegisters: n}} }

// FastMath computes with float32 as nvcc's --use_fast_math does, but for the flushing of denormals: what [Approx] has
// takes the place of division, square roots, exponentials, logarithms, powers, sines, cosines, tangents and hyperbolic
// tangents, and a product that is only added to something becomes an [FMA]. That holds for functions of package math
// between conversions, float32(math.Sqrt(float64(x))), too. Devices agree as they do on [Approx]; [Emulate], which runs
// the Go function, computes what that says.
//
// For example:
//
//	gpu.Launch(nbody, gpu.Blocks(n, 256), 256, bodies, forces, gpu.FastMath())
func FastMath() Option { return Option{fastMath: true} }

// Unscheduled leaves the instructions of the kernel in the order in which they are written, where a simulated GPU's
// compiler would move loads up, so that their latencies overlap: what the kernel takes without that. Results are the
// same. It is nothing to the CPU, and an NVIDIA card's driver schedules all the same.
//
// For example:
//
//	gpu.Launch(sum, 80, 256, x, gpu.Unscheduled()) // loads stay where the source has them
func Unscheduled() Option { return Option{bounds: kir.Bounds{Unscheduled: true}} }

// with returns f with what the option asks of its compiler.
func (o Option) with(f *kir.Func) *kir.Func {
	if o.fastMath {
		f = opt.FastMath(f)
	}
	if o.bounds == (kir.Bounds{}) && !o.together {
		return f
	}
	g := *f
	g.Bounds.Cooperative = g.Bounds.Cooperative || o.together
	if n := o.bounds.MaxRegisters; n > 0 {
		g.Bounds.MaxRegisters = n
	}
	g.Bounds.Cluster = o.bounds.Cluster
	g.Bounds.Unscheduled = g.Bounds.Unscheduled || o.bounds.Unscheduled
	return &g
}

// Error is why a launch cannot be made.
type Error struct {
	Kernel string
	Err    error
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// Launch runs kernel, a Go function or one of [CUDA] or [PTX], with so many blocks of so many threads: an int or a
// [Dim] each. The arguments after them are those of the kernel: numbers, lazy arrays and Go slices for its slices,
// structs; and options.
//
// A launch that writes lazy arrays only is lazy: it runs when one of them is asked for, or its report is shown, after
// all that came before it in the program. One that writes a Go slice runs at once. It runs on the device that np.Use
// had chosen when it was called, or that an [On] among the arguments names.
//
// It panics with *Error when the kernel cannot be compiled, or the arguments do not fit; a run that fails, with an
// index out of range say, panics where it is asked for.
//
// For example:
//
//	func double(x []float64) {
//		if i := gpu.GlobalID(); i < len(x) {
//			x[i] *= 2
//		}
//	}
//	x := np.Arange(1000).AsType(np.Float64)
//	gpu.Launch(double, gpu.Blocks(1000, 256), 256, x)
func Launch(kernel any, grid, block any, args ...any) *Report {
	l, err := newLaunch(kernel, grid, block, args)
	if err != nil {
		panic(err)
	}
	c, err := l.call()
	if err == nil {
		err = l.noBuffers("gpu.Launch")
	}
	if err == nil && l.option.orders > 0 {
		err = errors.New("gpu.Orders is for gpu.Check: a launch has one order")
	}
	if err != nil {
		panic(&Error{l.f.name(), err})
	}
	l.usesSlices(c.Args)
	rep := &Report{kernel: l.f.name(), function: l.f, grid: l.grid, block: l.block}
	rep.sums = floatSums(c.Func)
	if k := l.launching(); k != nil {
		t := &launchTree{root: rep}
		if err := t.run(l.inTree(k, c, rep)); err != nil {
			panic(&Error{l.f.name(), err})
		}
		return rep
	}
	l.withVariables(func() (undo func()) {
		if !l.writesVariables() { // nothing is undone then, and older versions of arrays need not be kept for that
			rep.run = lazy.Wiring{}.Launch(*c)
			return nil
		}
		rep.run, undo = lazy.Wiring{}.Undoable(*c)
		return undo
	})
	return rep
}

// LaunchCooperative is [Launch] with all blocks on the device at a time, so that [SyncGrid] lets them wait for each
// other. It fails, with the figures of the device's room, when they do not fit: a kernel that shall run on any device
// takes a small grid, in steps of [GlobalSize].
//
// For example:
//
//	gpu.LaunchCooperative(relax, 80, 256, x, next, 100)
func LaunchCooperative(kernel any, grid, block any, args ...any) *Report {
	return Launch(kernel, grid, block, append(args[:len(args):len(args)], Cooperative())...)
}

// Emulate calls kernel as the Go function that it is, a goroutine for each thread and block after block, with the
// arguments of [Launch]: slowly, but as plainly as can be. What the kernel prints and panics with comes from the
// function itself. Lazy arrays get what it writes.
//
// For example:
//
//	gpu.Emulate(double, gpu.Blocks(1000, 256), 256, x) // what it prints, and where it panics, are a Go function's
func Emulate(kernel any, grid, block any, args ...any) {
	l, err := newLaunch(kernel, grid, block, args)
	if err != nil {
		panic(err)
	}
	if err := l.emulateAll(); err != nil {
		panic(&Error{l.f.name(), err})
	}
}

// leastRegisters is what ptxas takes as a limit, and what every kernel of the corpus can be brought to.
const leastRegisters = 16

// launch is what Launch was given.
type launch struct {
	f           *Function
	grid, block kir.Dim3
	option      Option
	args        []any
	used        []usedVariable // of packages
	stream      *Stream        // that it is for, or nil
	shown       bool           // it is looked at, and not made: what variables are does not matter
}

func newLaunch(kernel, grid, block any, args []any) (*launch, error) {
	l := &launch{}
	var err error
	if l.f, err = functionOf(kernel); err != nil {
		return nil, &Error{Err: err}
	}
	fail := func(format string, args ...any) (*launch, error) {
		return nil, &Error{l.f.name(), fmt.Errorf("kernel %s: %s", l.f.name(), fmt.Sprintf(format, args...))}
	}
	for _, d := range []struct {
		what string
		of   any
		to   *kir.Dim3
	}{{"grid", grid, &l.grid}, {"block", block, &l.block}} {
		switch x := d.of.(type) {
		case int:
			*d.to = kir.D1(x)
		case Dim:
			*d.to = kir.Dim3{X: x.X, Y: max(x.Y, 1), Z: max(x.Z, 1)}
			if x.Y < 0 || x.Z < 0 {
				return fail("the %s is %v: every size must be at least 1", d.what, x)
			}
		default:
			return fail("the %s is a %T; give an int, or gpu.Grid and gpu.Block of up to three", d.what, d.of)
		}
		if d.to.X < 1 {
			return fail("the %s is %v: every size must be at least 1", d.what, *d.to)
		}
	}
	if n := l.block.Count(); n > kir.MaxThreadsPerBlock {
		return fail("a block of %v has %d threads; it may have %d", l.block, n, kir.MaxThreadsPerBlock)
	}
	const most = 1<<31 - 1
	for i, g := range []int{l.grid.X, l.grid.Y, l.grid.Z} {
		if b := []int{l.block.X, l.block.Y, l.block.Z}[i]; g > most/b {
			return fail("a grid of %v blocks of %v has more than %d threads along an axis; let each thread do more, in steps of gpu.GlobalSize", l.grid, l.block, most)
		}
	}
	for _, a := range args {
		if o, ok := a.(Option); ok {
			l.option.shared += o.shared
			l.option.unchecked = l.option.unchecked || o.unchecked
			l.option.anyway = l.option.anyway || o.anyway
			l.option.together = l.option.together || o.together
			if o.orders != 0 {
				if l.option.orders = o.orders; o.orders < 2 {
					return fail("gpu.Orders(%d): two orders at least are compared", o.orders)
				}
			}
			if o.pending != 0 {
				if l.option.pending = o.pending; o.pending < 1 || o.pending > maxPending {
					return fail("gpu.PendingLaunches(%d): there is room for 1 to %d launches", o.pending, maxPending)
				}
			}
			if o.on != nil {
				l.option.on = o.on
			}
			if n := o.bounds.MaxRegisters; n != 0 {
				if l.option.bounds.MaxRegisters = n; n < leastRegisters {
					return fail("gpu.MaxRegisters(%d): a kernel needs at least %d", n, leastRegisters)
				}
			}
			if o.clusters {
				l.option.bounds.Cluster = o.bounds.Cluster
				if err := clustered(o.bounds.Cluster, l.grid); err != nil {
					return fail("%v", err)
				}
			}
			l.option.fastMath = l.option.fastMath || o.fastMath
			l.option.bounds.Unscheduled = l.option.bounds.Unscheduled || o.bounds.Unscheduled
			continue
		}
		if b, ok := a.(interface{ Unboxed() any }); ok { // a cell's own type, on the second engine
			a = b.Unboxed()
		}
		if m, ok := a.(*ManagedBuffer); ok && m != nil {
			a = m.Buffer
		}
		l.args = append(l.args, a)
	}
	return l, nil
}

// call compiles the kernel and matches its arguments.
func (l *launch) call() (*kernelcall.Call[lazy.Array], error) {
	if l.f.raw != nil {
		return l.rawCall()
	}
	k, err := l.f.f.Kernel(gosrc.Options{Unchecked: l.option.unchecked})
	if err != nil {
		return nil, err
	}
	if l.option.shared > 0 && !k.Dynamic {
		return nil, fmt.Errorf("kernel %s does not use gpu.SharedDynamic, for which the launch has %d bytes", l.f.name(), l.option.shared)
	}
	if err := l.meetsAlone(k.Func); err != nil {
		return nil, err
	}
	bound, err := k.Bind(l.args, arraySlice)
	if err != nil {
		return nil, err
	}
	var args []kernelcall.Arg[lazy.Array]
	for _, b := range bound[:len(bound)-len(k.Variables)-k.Launches.Params()] {
		a := kernelcall.Arg[lazy.Array]{Bits: b.Bits}
		if b.Leaf != nil {
			a.Bytes, a.Writes = b.Bytes, b.Leaf.Writes
			a.Array, _ = b.Slice.(*lazy.Array)
			if buf, ok := b.Slice.(*Buffer); ok {
				a.Memory = buf
				a.Bits, err = buf.address()
			}
			if e, ok := b.Slice.(*arrays.Array); ok {
				if a.Writes {
					return nil, fmt.Errorf("kernel %s writes to %s, an eager array: give it a lazy one, np.FromArray, or a slice", l.f.name(), b.Leaf.Name)
				}
				a.Array = lazy.FromArray(e)
			}
			if err != nil {
				return nil, fmt.Errorf("kernel %s, parameter %s: %w", l.f.name(), b.Leaf.Name, err)
			}
		}
		args = append(args, a)
	}
	return l.callWith(k, args)
}

// callWith makes the call of a kernel with the arguments for its own parameters.
func (l *launch) callWith(k *gosrc.Kernel, args []kernelcall.Arg[lazy.Array]) (*kernelcall.Call[lazy.Array], error) {
	c := &kernelcall.Call[lazy.Array]{Name: l.f.name(), Func: k.Func, Grid: l.grid, Block: l.block, SharedBytes: l.option.shared, Anyway: l.option.anyway, On: l.option.on}
	c.Args = append(args, make([]kernelcall.Arg[lazy.Array], len(k.Func.Params)-len(args))...)
	if err := l.variables(k, c); err != nil {
		return nil, err
	}
	if err := l.queue(k, c); err != nil {
		return nil, err
	}
	c.Func = l.ranged(l.option.with(c.Func), c.Args)
	return c, nil
}

// meetsAlone refuses a kernel whose blocks wait for each other and are not all launched at a time.
func (l *launch) meetsAlone(f *kir.Func) error {
	if l.option.together {
		return nil
	}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == kir.OpGridBarrier {
				return fmt.Errorf("%v: kernel %s calls gpu.SyncGrid, for which all its blocks must be on the device at a time: launch it with gpu.LaunchCooperative", v.Pos, l.f.name())
			}
		}
	}
	return nil
}

// arraySlice lets arrays stand for slices.
func arraySlice(leaf *gosrc.Leaf, v any) (n int, ok bool, err error) {
	var dtype arrays.DType
	switch a := v.(type) {
	case *lazy.Array:
		if a == nil {
			return 0, true, errors.New("the argument is a nil array; was it never assigned?")
		}
		dtype, n = a.DType(), a.Size()
	case *arrays.Array:
		if a == nil {
			return 0, true, errors.New("the argument is a nil array; was it never assigned?")
		}
		dtype, n = a.DType(), a.Size()
	case *Buffer:
		if a == nil {
			return 0, true, errors.New("the argument is a nil buffer; was it never assigned?")
		}
		dtype, n = a.dtype, a.n
	default:
		return 0, false, nil
	}
	if want := elementName(leaf.Elem); want != dtype.String() {
		hint := ""
		if _, ok := leaf.Elem.Underlying().(*types.Basic); ok {
			hint = fmt.Sprintf("; AsType(np.%s) converts it, or declare the parameter []%s", title(want), dtype)
		}
		return 0, true, fmt.Errorf("the argument is an array of %s%s", dtype, hint)
	}
	return n, true, nil
}

// elementName is the name of the dtype that the elements of a slice have; NumPy has one for Go's int too.
func elementName(t types.Type) string {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return t.String()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Name() == "Float16" && n.Obj().Pkg().Name() == "gpu" {
		return "float16"
	}
	switch b.Kind() {
	case types.Int:
		return "int64"
	case types.Uint:
		return "uint64"
	}
	return types.Typ[b.Kind()].Name()
}

func title(s string) string {
	if s == "" {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}

// emulate calls the kernel, whose requests for launches are by's, and returns what gives lazy arrays what it wrote.
func (l *launch) emulate(by *askedBy) (back func(), err error) {
	if l.f.f == nil {
		return nil, fmt.Errorf("kernel %s is not in Go: gpu.Check runs it on the CPU", l.f.name())
	}
	call, back, err := goCall(l.f.f, l.args)
	if err != nil {
		return nil, err
	}
	kernel := func() {
		emulate.Current("Emulate").Asked = by
		call()
	}
	size := func(d kir.Dim3) [3]int { return [3]int{d.X, d.Y, d.Z} }
	run := emulate.Run
	if l.option.together {
		run = emulate.RunTogether
	}
	if n := l.option.bounds.Cluster; n > 1 {
		run = func(grid, block [3]int, dynamic int, kernel func()) error {
			return emulate.RunClusters(n, grid, block, dynamic, kernel)
		}
	}
	if err := run(size(l.grid), size(l.block), l.option.shared, kernel); err != nil {
		return nil, fmt.Errorf("kernel %s, %w", l.f.name(), err)
	}
	return back, nil
}
