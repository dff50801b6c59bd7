package gosrc

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Launches are what a kernel launches, and how it says so: see kir.LaunchCount.
type Launches struct {
	Calls  []LaunchCall // by their numbers
	Slices []int        // the leaves that are slices, as numbers of the kernel's parameters, in the order of a record
	First  int          // the kernel's parameters for the queue: counter, records, capacity and stride from there on
	Words  int          // of the longest record
}

// Params is how many parameters the queue has.
func (q *Launches) Params() int {
	if q == nil {
		return 0
	}
	return 4
}

// LaunchCall is a call of gpu.TailLaunch or gpu.FireAndForget in a kernel.
type LaunchCall struct {
	Kernel any // *Func, or a function of the program
	Tail   bool
	Place  string // "cell 3, line 8, column 2"
}

// fromKernel are the functions that launch kernels from kernels, and of them those at the end of the grid.
var fromKernel = map[string]bool{"gpu.TailLaunch": true, "gpu.FireAndForget": false}

// readsItself reports whether an intrinsic looks at what it is given before that has values.
func readsItself(name string) bool {
	_, launches := fromKernel[name]
	return launches || name == "gpu.Printf" || name == "gpu.Grid" || name == "gpu.Block"
}

// launching is what the lowerer knows of the launches of a kernel.
type launching struct {
	of     *Launches
	params [4]*kir.Value
	bases  []*kir.Value
	passed []passedSlice
}

// passedSlice is a slice that is handed on. Where it is from may be known later.
type passedSlice struct {
	org  *origin
	call *ssa.Call
	n    int // argument
	name string
}

// maxLaunchWords bounds the arguments of such a launch: CUDA has 4 KB for them.
const maxLaunchWords = 512

// queue returns the launches of the kernel, with the parameters of their queue, which are made for the first.
func (l *lowerer) queue() *launching {
	if l.launches != nil {
		return l.launches
	}
	here, pos := l.b.Block(), l.b.Pos
	l.b.SetBlock(l.entry)
	l.b.Pos = kir.Pos{}
	q := &launching{of: &Launches{First: len(l.b.Params())}}
	for i, name := range []string{kir.LaunchCount, kir.LaunchRecords, kir.LaunchCapacity, kir.LaunchStride} {
		q.params[i] = l.b.Param(name, kir.U64)
	}
	l.b.SetBlock(here)
	l.b.Pos = pos
	for _, s := range l.slices {
		q.of.Slices = append(q.of.Slices, s.first)
		q.bases = append(q.bases, s.base)
	}
	l.launches = q
	return q
}

// launch asks for a launch: it takes a place in the queue and fills a record.
func (l *lowerer) launch(f *frame, in *ssa.Call, tail bool) {
	word := "gpu.FireAndForget"
	if tail {
		word = "gpu.TailLaunch"
	}
	if !l.kernel {
		l.fail(in.Pos(), "launch from a kernel that gpu.Launch is given", "kernel code cannot call %s here", word)
	}
	args := in.Call.Args
	kernel, ok := args[0].(*ssa.MakeInterface)
	var c *closure
	if ok {
		c = l.function(f, kernel.X)
	}
	if c == nil || c.fn == nil {
		l.fail(in.Pos(), "name a function: "+word+"(step, 1, 32, x)", "kernel %s: what %s launches is not known when the kernel is compiled", l.p.fn.Name(), word)
	}
	obj, _ := c.fn.Object().(*types.Func)
	if obj == nil || len(c.free) > 0 {
		l.fail(in.Pos(), "name a function: "+word+"(step, 1, 32, x)", "kernel %s: %s cannot launch a function literal", l.p.fn.Name(), word)
	}
	sig := c.fn.Signature
	if sig.Results().Len() > 0 {
		l.fail(in.Pos(), "write it to an element of a slice", "kernel %s: a kernel has no result, %s has %d", l.p.fn.Name(), obj.Name(), sig.Results().Len())
	}
	q := l.queue()
	at := l.p.src.Fset.Position(in.Pos())
	number := len(q.of.Calls)
	q.of.Calls = append(q.of.Calls, LaunchCall{Kernel: NewFunc(l.p.src, obj, c.fn.TypeArgs(), nil), Tail: tail,
		Place: kir.Pos{File: at.Filename, Line: at.Line, Col: at.Column}.String()})

	l.at(in.Pos())
	size := append(l.dims(f, in, args[1], "grid"), l.dims(f, in, args[2], "block")...)
	given := printedArgs(args[3])
	if len(given) != sig.Params().Len() {
		l.fail(in.Pos(), "", "kernel %s: kernel %s takes %s, not %d", l.p.fn.Name(), obj.Name(), count(sig.Params().Len(), "argument"), len(given))
	}
	var words []*kir.Value
	for i, x := range given {
		words = append(words, l.passed(f, in, i, x, sig.Params().At(i))...)
	}
	if len(words) > maxLaunchWords {
		l.fail(in.Pos(), "pass a slice", "kernel %s: the arguments of %s take %d words, of which a launch from a kernel has %d", l.p.fn.Name(), obj.Name(), len(words), maxLaunchWords)
	}

	slot := l.b.Convert(kir.U64, l.b.Atomic(kir.OpAtomicAdd, kir.Global, q.params[0], l.b.Int(kir.U32, 1)))
	fill, done := l.newBlock("launch"), l.newBlock("launch.end")
	l.branch(l.b.Op(kir.OpLt, slot, q.params[2]), fill, nil, done, nil)
	l.setBlock(fill)
	rec := l.b.Op(kir.OpAdd, q.params[1], l.b.Op(kir.OpMul, slot, q.params[3]))
	all := append([]*kir.Value{l.b.Int(kir.U64, int64(number))}, size...)
	all = append(all, l.threadNumber())
	all = append(append(all, q.bases...), words...)
	for i, w := range all {
		if w.Type == kir.Bool {
			w = l.b.Convert(kir.U32, w)
		}
		l.b.Store(kir.Global, l.offset(rec, int64(8*i)), w)
	}
	q.of.Words = max(q.of.Words, len(all))
	l.jump(done)
	l.setBlock(done)
}

// threadNumber is the number of the thread among all of the grid, block after block.
func (l *lowerer) threadNumber() *kir.Value {
	s := func(x kir.Special) *kir.Value { return l.b.Convert(kir.U64, l.b.Special(x)) }
	n := s(kir.CtaidZ)
	for _, x := range [][2]kir.Special{{kir.NCtaidY, kir.CtaidY}, {kir.NCtaidX, kir.CtaidX}, {kir.NTidZ, kir.TidZ}, {kir.NTidY, kir.TidY}, {kir.NTidX, kir.TidX}} {
		n = l.b.Op(kir.OpAdd, l.b.Op(kir.OpMul, n, s(x[0])), s(x[1]))
	}
	return n
}

// dims are the sizes of a grid or block: an int, a gpu.Dim, or what gpu.Grid and gpu.Block make.
func (l *lowerer) dims(f *frame, in *ssa.Call, x ssa.Value, what string) []*kir.Value {
	if mi, ok := x.(*ssa.MakeInterface); ok {
		x = mi.X
	}
	v := l.value(f, x)
	one := l.b.Int(kir.U64, 1)
	n, named := types.Unalias(x.Type()).(*types.Named)
	switch {
	case named && n.Obj().Name() == "Dim" && len(v) == 3:
		out := []*kir.Value{l.b.Convert(kir.U64, v[0].v)}
		for _, p := range v[1:] { // what is left out is 1
			n := l.b.Convert(kir.U64, p.v)
			out = append(out, l.b.Op(kir.OpSelect, l.b.Op(kir.OpEq, n, l.b.Int(kir.U64, 0)), one, n))
		}
		return out
	case types.Identical(x.Type(), types.Typ[types.Int]):
		return []*kir.Value{l.b.Convert(kir.U64, v.scalar()), one, one}
	}
	l.fail(in.Pos(), "give an int, or gpu.Grid and gpu.Block of up to three", "kernel %s: the %s is of type %s", l.p.fn.Name(), what, typeName(x.Type()))
	return nil
}

// dimOf is gpu.Grid and gpu.Block in a kernel.
func (l *lowerer) dimOf(f *frame, in *ssa.Call) value {
	sizes := printedArgs(in.Call.Args[0])
	if len(sizes) == 0 || len(sizes) > 3 {
		l.fail(in.Pos(), "", "kernel %s: a grid or block has 1 to 3 sizes, not %d", l.p.fn.Name(), len(sizes))
	}
	out := plain(l.b.Int(kir.I64, 1), l.b.Int(kir.I64, 1), l.b.Int(kir.I64, 1))
	for i, x := range sizes {
		out[i].v = l.value(f, x).scalar()
	}
	return out
}

// passed returns the words that pass argument n of a launch as a parameter.
func (l *lowerer) passed(f *frame, in *ssa.Call, n int, x ssa.Value, p *types.Var) []*kir.Value {
	t := p.Type()
	if c, ok := x.(*ssa.Const); ok && c.Value != nil && !types.Identical(x.Type(), t) {
		if b, ok := t.Underlying().(*types.Basic); ok && constantFits(c.Value, b) {
			return []*kir.Value{l.constant(ssa.NewConst(c.Value, t)).scalar()}
		}
	}
	if !types.Identical(x.Type(), t) {
		l.fail(in.Pos(), "convert it", "kernel %s: argument %d of the launch is of type %s, and the parameter %s of type %s", l.p.fn.Name(), n+1, typeName(x.Type()), p.Name(), typeName(t))
	}
	v := l.value(f, x)
	var words []*kir.Value
	var walk func(t types.Type)
	walk = func(t types.Type) {
		switch u := t.Underlying().(type) {
		case *types.Slice:
			l.queue().passed = append(l.queue().passed, passedSlice{v[0].org, in, n + 1, p.Name()})
			if v[0].org != nil {
				org := v[0].org.root()
				org.read, org.written = true, true
			}
			words = append(words, v[0].v, v[1].v)
			v = v[3:]
		case *types.Struct:
			for i := range u.NumFields() {
				walk(u.Field(i).Type())
			}
		case *types.Array:
			for range u.Len() {
				walk(u.Elem())
			}
		case *types.Basic:
			k := 1
			if u.Info()&types.IsComplex != 0 {
				k = 2
			}
			for _, part := range v[:k] {
				if part.v == nil || part.org != nil {
					l.fail(in.Pos(), "", "kernel %s: argument %d of the launch cannot be passed: its type is %s", l.p.fn.Name(), n+1, typeName(t))
				}
				words = append(words, part.v)
			}
			v = v[k:]
		default:
			l.fail(in.Pos(), "pass a slice", "kernel %s: argument %d of the launch, %s, is of type %s: a pointer is not passed to a kernel", l.p.fn.Name(), n+1, p.Name(), typeName(t))
		}
	}
	walk(t)
	return words
}

// constantFits reports whether a constant without a type of its own is a value of a basic type.
func constantFits(c constant.Value, t *types.Basic) bool {
	if t.Info()&types.IsNumeric == 0 || c.Kind() != constant.Int && c.Kind() != constant.Float || t.Info()&types.IsComplex != 0 {
		return false
	}
	return t.Info()&types.IsFloat != 0 || types.AssignableTo(types.Typ[types.UntypedInt], t) && representable(c, t)
}

func representable(c constant.Value, t *types.Basic) bool {
	c = constant.ToInt(c)
	if c.Kind() != constant.Int {
		return false
	}
	bits := uint(8 * sizes.Sizeof(t))
	lo, hi := constant.MakeInt64(0), constant.Shift(constant.MakeInt64(1), token.SHL, bits)
	if t.Info()&types.IsUnsigned == 0 {
		hi = constant.Shift(constant.MakeInt64(1), token.SHL, bits-1)
		lo = constant.UnaryOp(token.SUB, hi, 0)
	}
	return constant.Compare(lo, token.LEQ, c) && constant.Compare(c, token.LSS, hi)
}

// handedOn refuses slices that are handed on of memory that ends with a block or a thread, or that is not a parameter.
func (l *lowerer) handedOn() {
	if l.launches == nil {
		return
	}
	for _, s := range l.launches.passed {
		org := s.org
		if org == nil {
			continue
		}
		org = org.root()
		if org.known && org.space != kir.Global {
			l.fail(s.call.Pos(), "copy it to a slice that is a parameter, and pass that", "kernel %s: argument %d of the launch, %s, is %v memory, which is gone when the launched kernel runs", l.p.fn.Name(), s.n, s.name, org.space)
		}
		for v, p := range l.globals {
			if p.org.root() == org {
				l.fail(s.call.Pos(), "let the launched kernel use the variable by its name", "kernel %s: argument %d of the launch, %s, is the variable %s, which is not passed to kernels", l.p.fn.Name(), s.n, s.name, v.Name())
			}
		}
	}
}
