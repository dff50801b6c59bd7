package lazy

import (
	"fmt"
	"reflect"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
)

// Map applies a Go function of numbers or bools, with one result, to the elements of xs: arrays, Go numbers and slices,
// which broadcast. The function is compiled into the kernel that computes it, together with the operations before and
// after it, and runs on the device that Use has chosen. Arrays are converted to the types of f's parameters where that
// loses nothing; AsType converts in any case. The result has the dtype of f's result.
//
// It panics with *Error when the function cannot be compiled or the arguments do not fit it. An index out of range and
// a division by zero in the function panic when the result is computed.
func Map(f any, xs ...ArrayLike) *Array {
	in, inline := scalarFunc("map", f)
	if len(xs) != len(in.params) {
		check(inline.Name, &Error{Msg: fmt.Sprintf("the function takes %d arguments, not %d", len(in.params), len(xs))})
	}
	var views []view
	var shapes [][]int
	for i, x := range xs {
		a, weak, err := operand(x)
		check(inline.Name, err)
		if want := in.params[i]; !weak && arrays.Promote(a.DType(), want) != want {
			check(inline.Name, &Error{Msg: fmt.Sprintf("argument %d is an array of %v, the function takes %v: convert it with AsType", i+1, a.DType(), want)})
		}
		views, shapes = append(views, a.AsType(in.params[i]).view()), append(shapes, a.layout.Shape)
	}
	shape, err := arrays.BroadcastShapes(shapes...)
	check(inline.Name, err)
	return newNode(kindMap, in.result, contiguous(shape), &rare{inline: inline}, views...).whole()
}

// signature is what a function of scalars takes and returns.
type signature struct {
	params []arrays.DType
	result arrays.DType
}

// scalarFunc compiles a function of scalars.
func scalarFunc(op string, f any) (signature, *gosrc.Inline) {
	fn, err := gosrc.FuncOf(f)
	if _, named := f.(interface{ Func() *gosrc.Func }); err != nil && !named && (f == nil || reflect.TypeOf(f).Kind() != reflect.Func) {
		err = &Error{Msg: fmt.Sprintf("the function is %s; give a Go function of numbers", brief.Type(f))}
	}
	check(op, err)
	inline, err := fn.Inline()
	if err != nil {
		panic(err) // it says where
	}
	var s signature
	dtype := func(k kir.Type) arrays.DType {
		for d, t := range kirTypes {
			if t == k && k != kir.Void {
				return arrays.DType(d)
			}
		}
		check(fn.Name, &Error{Msg: fmt.Sprintf("no array has elements of type %v", k)})
		return 0
	}
	for _, k := range inline.Params {
		s.params = append(s.params, dtype(k))
	}
	s.result = dtype(inline.Result)
	return s, inline
}

// reduceFunc reduces x by a function of two numbers. Each thread combines neighbours, those of a block what
// neighbouring threads have, and a second launch what the blocks have: the elements keep their order, on every device
// the same.
func reduceFunc(f, x any, opts ...ReduceOption) *Array {
	s, inline := scalarFunc("reduce", f)
	if len(s.params) != 2 || s.params[0] != s.params[1] || s.params[0] != s.result {
		check(inline.Name, &Error{Msg: fmt.Sprintf("a function that combines elements is a func(a, b T) T; this one takes %v and returns %v", s.params, s.result)})
	}
	a := must(inline.Name, x)
	if arrays.Promote(a.DType(), s.result) != s.result {
		check(inline.Name, &Error{Msg: fmt.Sprintf("the array has elements of %v, the function takes %v: convert it with AsType", a.DType(), s.result)})
	}
	spec, err := arrays.ReduceMax.Resolve(s.result, a.layout.Shape, opts...)
	check(inline.Name, err)
	outputs := arrays.Contiguous(spec.OutShape...).Size()
	if outputs == 0 {
		return Zeros(spec.OutShape...).AsType(s.result)
	}
	rows := a.AsType(s.result)
	if a.NDim() > 0 {
		rows = rows.T(spec.LastAxes(a.NDim()))
	}
	length := rows.Size() / outputs
	for length > 1 {
		parts := (length + foldChunk - 1) / foldChunk
		out := Zeros(outputs, parts).AsType(s.result)
		Wiring{}.Launch(kernelCall{
			Name: inline.Name, Func: ofBlocks(foldKernel(inline), blockSize), Grid: kir.Dim3{X: parts, Y: outputs, Z: 1}, Block: kir.D1(blockSize),
			Args: []kernelArg{{Array: rows}, {Bits: uint64(length)}, {Array: out, Writes: true}},
		})
		rows, length = out, parts
	}
	return rows.Reshape(spec.OutShape...)
}

const (
	foldEach  = 16 // neighbours that a thread combines
	foldChunk = foldEach * blockSize
)

// foldKernel makes the kernel: block (p, o) combines elements p*foldChunk and on of row o.
func foldKernel(f *gosrc.Inline) *kir.Func {
	b, t := kir.NewBuilder(kernelName("fold_"+f.Name)), f.Result
	in, length, out := b.Param("in", kir.U64), b.Param("length", kir.I64), b.Param("out", kir.U64)
	wide := func(s kir.Special) *kir.Value { return b.Convert(kir.I64, b.Special(s)) }
	num := func(n int64) *kir.Value { return b.Int(kir.I64, n) }
	op := func(o kir.Op, x, y *kir.Value) *kir.Value { return b.Op(o, x, y) }
	combine := func(x, y *kir.Value) *kir.Value {
		v, err := f.Emit(b, x, y)
		check(f.Name, err)
		return v
	}
	shared := b.SharedArray("parts", t, blockSize)
	tid := wide(kir.TidX)
	row := op(kir.OpMul, wide(kir.CtaidY), length)
	first := op(kir.OpAdd, op(kir.OpMul, wide(kir.CtaidX), num(foldChunk)), op(kir.OpMul, tid, num(foldEach)))
	end := op(kir.OpMin, op(kir.OpAdd, first, num(foldEach)), length)
	element := func(i *kir.Value) *kir.Value { return b.Load(kir.Global, t, b.Index(in, op(kir.OpAdd, row, i), t)) }
	slot := func(i *kir.Value) *kir.Value { return b.Index(shared, i, t) }

	some, head, body, put, tree := b.NewBlock("some"), b.NewBlock("loop", kir.I64, t), b.NewBlock("body"), b.NewBlock("put"), b.NewBlock("tree")
	b.Branch(op(kir.OpLt, first, length), some, tree)
	b.SetBlock(some)
	b.Jump(head, op(kir.OpAdd, first, num(1)), element(first))
	b.SetBlock(head)
	i, acc := head.Params[0], head.Params[1]
	b.Branch(op(kir.OpLt, i, end), body, put)
	b.SetBlock(body)
	next := combine(acc, element(i))
	b.Jump(head, op(kir.OpAdd, i, num(1)), next)
	b.SetBlock(put)
	b.Store(kir.Shared, slot(tid), acc)
	b.Jump(tree)

	b.SetBlock(tree)
	b.Barrier()
	for s := int64(1); s < blockSize; s *= 2 { // thread t takes what thread t+s has, where that has any
		add, join := b.NewBlock("add"), b.NewBlock("join")
		here := op(kir.OpEq, op(kir.OpAnd, tid, num(2*s-1)), num(0))
		there := op(kir.OpLt, op(kir.OpAdd, first, num(s*foldEach)), length)
		b.Branch(op(kir.OpAnd, here, there), add, join)
		b.SetBlock(add)
		mine := b.Load(kir.Shared, t, slot(tid))
		sum := combine(mine, b.Load(kir.Shared, t, slot(op(kir.OpAdd, tid, num(s)))))
		b.Store(kir.Shared, slot(tid), sum)
		b.Jump(join)
		b.SetBlock(join)
		b.Barrier()
	}
	store, done := b.NewBlock("store"), b.NewBlock("done")
	b.Branch(op(kir.OpEq, tid, num(0)), store, done)
	b.SetBlock(store)
	o := op(kir.OpAdd, op(kir.OpMul, wide(kir.CtaidY), wide(kir.NCtaidX)), wide(kir.CtaidX))
	b.Store(kir.Global, b.Index(out, o, t), b.Load(kir.Shared, t, slot(num(0))))
	b.Jump(done)
	b.SetBlock(done)
	b.Return()
	fn, err := b.Func()
	check(f.Name, err)
	return fn
}
