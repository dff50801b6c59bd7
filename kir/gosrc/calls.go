package gosrc

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/kir"
)

// An intrinsic is a function that kernels may call and that becomes some operations. The call has been checked by
// go/types.
type intrinsic func(l *lowerer, c *intrinsicCall) value

// intrinsicCall is a call of an intrinsic.
type intrinsicCall struct {
	instr *ssa.Call
	args  []value
	fn    *ssa.Function
}

// arg returns the only register of argument i.
func (c *intrinsicCall) arg(i int) *kir.Value { return c.args[i].scalar() }

// typeArg returns type argument i.
func (c *intrinsicCall) typeArg(i int) types.Type { return c.fn.TypeArgs()[i] }

// intrinsics are the functions of gpu, math and math/bits by their full names.
var intrinsics = map[string]intrinsic{}

func init() {
	for _, table := range []map[string]intrinsic{gpuFuncs(), groupFuncs(), halfFuncs(), matrixFuncs(), mathFuncs(), bitsFuncs(), streamFuncs()} {
		for name, f := range table {
			intrinsics[name] = f
		}
	}
}

// GPU is the import path of the package whose functions are the intrinsics of kernels.
const GPU = "github.com/arrayrepl/arrayrepl/gpu"

// intrinsicName returns what the tables call a function without a body.
func intrinsicName(fn *ssa.Function) string {
	obj, _ := fn.Object().(*types.Func)
	if obj == nil || obj.Pkg() == nil {
		return fn.Name()
	}
	return nameOf(obj)
}

// nameOf is intrinsicName of a function of a package.
func nameOf(obj *types.Func) string {
	path := strings.TrimSuffix(obj.Pkg().Path(), "@patch")
	name := obj.Name()
	if recv := obj.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			recv, _, _ := strings.Cut(n.Obj().Name(), "[") // an engine names instances so
			name = recv + "." + name
		}
	}
	if path == GPU {
		return "gpu." + name
	}
	return path + "." + name
}

func (l *lowerer) callInstr(f *frame, in *ssa.Call) value {
	if b, ok := in.Call.Value.(*ssa.Builtin); ok {
		return l.builtin(f, in, b)
	}
	if in.Call.IsInvoke() {
		l.fail(in.Pos(), "call the method of a concrete type, or write the function with type parameters", "kernel code cannot call methods of interfaces")
	}
	c := l.function(f, in.Call.Value)
	if c == nil {
		l.fail(in.Pos(), "call a function by its name", "kernel code cannot call a function that is only known when it runs")
	}
	if c.emit != nil {
		l.at(in.Pos())
		c.emit(l.value(f, in.Call.Args[0]))
		return nil
	}
	name := intrinsicName(c.fn)
	do := intrinsics[name]
	if do == nil && len(c.fn.Blocks) == 0 {
		l.fail(in.Pos(), hintFor(name), "kernel code cannot call %s", shortName(name))
	}
	call := &intrinsicCall{instr: in, fn: c.fn}
	for _, a := range in.Call.Args {
		if do != nil && readsItself(name) {
			break
		}
		call.args = append(call.args, l.value(f, a))
	}
	if do == nil {
		return l.call(c.fn, call.args, c.free, in.Pos())
	}
	if tail, ok := fromKernel[name]; ok {
		l.launch(f, in, tail)
		return nil
	}
	switch name {
	case "gpu.Printf":
		return l.printf(f, in)
	case "gpu.Grid", "gpu.Block":
		return l.dimOf(f, in)
	}
	return do(l, call)
}

// shortName is a function's name as a cell writes it.
func shortName(name string) string {
	if i := strings.LastIndex(name, "/"); i >= 0 {
		return name[i+1:]
	}
	return name
}

// hintFor says what to do instead of calling a function.
func hintFor(name string) string {
	switch pkg, _, _ := strings.Cut(shortName(name), "."); pkg {
	case "fmt", "log":
		return "gpu.Printf prints from a kernel"
	case "np", "lazy", "arrays":
		return "kernels work on slices; call np outside and pass the arrays to gpu.Launch"
	case "gpu":
		return "it is for the host: call it outside of the kernel"
	case "math", "bits", "cmplx":
		return "docs/kernels.md lists the functions of math that kernels have"
	case "rand":
		return "draw the numbers outside, or compute them with an integer hash of the thread's number"
	case "time":
		return "gpu.Clock counts cycles"
	}
	return "only functions whose Go source a cell or a package of yours has, gpu, math and math/bits can be called"
}

// builtin makes the code of Go's own functions.
func (l *lowerer) builtin(f *frame, in *ssa.Call, b *ssa.Builtin) value {
	args := func(i int) value { return l.value(f, in.Call.Args[i]) }
	switch b.Name() {
	case "len", "cap":
		switch t := in.Call.Args[0].Type().Underlying().(type) {
		case *types.Slice:
			if b.Name() == "cap" {
				return plain(args(0)[2].v)
			}
			return plain(args(0)[1].v)
		case *types.Array:
			return plain(l.b.Int(kir.I64, t.Len()))
		case *types.Pointer:
			if a, ok := t.Elem().Underlying().(*types.Array); ok {
				return plain(l.b.Int(kir.I64, a.Len()))
			}
		case *types.Basic:
			if s := args(0)[0].text; b.Name() == "len" {
				return plain(l.b.Int(kir.I64, int64(len(s))))
			}
		}
	case "min", "max":
		op := kir.OpMin
		if b.Name() == "max" {
			op = kir.OpMax
		}
		x := args(0).scalar()
		for i := 1; i < len(in.Call.Args); i++ {
			x = l.b.Op(op, x, args(i).scalar())
		}
		return plain(x)
	case "real":
		return args(0)[:1]
	case "imag":
		return args(0)[1:2]
	case "complex":
		return value{args(0)[0], args(1)[0]}
	case "ssa:wrapnilchk":
		return args(0)
	case "copy":
		return l.copy(in, args(0), args(1))
	case "clear":
		if s, ok := in.Call.Args[0].Type().Underlying().(*types.Slice); ok {
			x := args(0)
			zero := l.zero(s.Elem(), in.Pos())
			l.times(x[1].v, func(i *kir.Value) {
				l.store(l.element(x[0], i, s.Elem(), in.Pos()), s.Elem(), zero, in.Pos())
			})
			return nil
		}
	}
	msg, hint := forbiddenBuiltin(b.Name())
	l.fail(in.Pos(), hint, "kernel code cannot %s", msg)
	return nil
}

// times makes a loop over 0 up to n.
func (l *lowerer) times(n *kir.Value, body func(i *kir.Value)) {
	head := l.newBlock("each", kir.I64)
	head.loop = true
	inside, done := l.newBlock("each.body"), l.newBlock("each.end")
	l.jump(head, l.b.Int(kir.I64, 0))
	l.setBlock(head)
	i := head.kb.Params[0]
	l.branch(l.b.Op(kir.OpLt, i, n), inside, nil, done, nil)
	l.setBlock(inside)
	body(i)
	l.jump(head, l.b.Op(kir.OpAdd, i, l.b.Int(kir.I64, 1)))
	l.setBlock(done)
}

const (
	formatWanted = "kernel code cannot print with a format that is only known when it runs"
	formatHint   = "write the format as a constant"
)

// printf takes the arguments from the slice that Go makes of them.
func (l *lowerer) printf(f *frame, in *ssa.Call) value {
	format, ok := in.Call.Args[0].(*ssa.Const)
	if !ok || format.Value == nil {
		l.fail(in.Pos(), formatHint, formatWanted)
	}
	var args []*kir.Value
	for _, x := range printedArgs(in.Call.Args[1]) {
		v := l.value(f, x)
		if len(v) != 1 || v[0].v == nil || v[0].org != nil {
			l.fail(in.Pos(), "print the numbers in it one by one", "kernel code cannot print a value of type %s", typeName(x.Type()))
		}
		args = append(args, v[0].v)
	}
	l.b.Printf(constant.StringVal(format.Value), args...)
	l.prints = true
	return nil
}

// printedArgs returns what a call with ...any was given.
func printedArgs(v ssa.Value) []ssa.Value {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	a, ok := s.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	out := make([]ssa.Value, a.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array).Len())
	for _, use := range *a.Referrers() {
		addr, ok := use.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		i, _ := constant.Int64Val(addr.Index.(*ssa.Const).Value)
		for _, u := range *addr.Referrers() {
			if st, ok := u.(*ssa.Store); ok {
				out[i] = st.Val
				if mi, ok := st.Val.(*ssa.MakeInterface); ok {
					out[i] = mi.X
				}
			}
		}
	}
	return out
}

// printed reports whether a variable is the array that Go makes for the arguments of a Printf, a launch, gpu.Grid or
// gpu.Block.
func printed(a *ssa.Alloc) bool {
	arr, ok := a.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
	return ok && (types.IsInterface(arr.Elem()) || a.Comment == "varargs" && sizesOnly(a))
}

// sizesOnly reports whether an array is what gpu.Grid or gpu.Block is given.
func sizesOnly(a *ssa.Alloc) bool {
	for _, use := range *a.Referrers() {
		s, ok := use.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, u := range *s.Referrers() {
			call, ok := u.(*ssa.Call)
			if !ok || call.Call.StaticCallee() == nil {
				return false
			}
			if name := intrinsicName(call.Call.StaticCallee()); name != "gpu.Grid" && name != "gpu.Block" {
				return false
			}
		}
	}
	return true
}
