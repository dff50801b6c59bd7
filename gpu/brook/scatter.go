package brook

import (
	"fmt"
	"reflect"

	"github.com/arrayrepl/arrayrepl/gpu/dp"
	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Operator is what [ScatterOp] combines elements by: [Add], [Mul], or, in their place, a Go function func(a, b T) T of
// numbers, which must be associative.
type Operator struct {
	name string
	by   *dp.Operator
	of   func(x, y any) *np.Array
}

// The operators of the paper.
var (
	Add = &Operator{"add", dp.Sum, np.Add}
	Mul = &Operator{"mul", dp.Prod, np.Mul}
)

// String returns the operator's name.
func (o *Operator) String() string { return o.name }

// ScatterOp returns dst after dst[idx[i]] = op(dst[idx[i]], src[i]) for all i: src and dst are streams of numbers of
// one type, idx one of ints from 0 to the last place of dst in the order of its memory. Sums of ints are made by
// atomics on devices that have them, which gives the same whatever comes first; those of floats with [AnyOrder].
// All else is sorted by where it goes and combined in the order of i before dst gets it, on all devices alike: sums of
// floats may differ from those of a loop in their last bits. It panics with *Error where an index lies outside.
func ScatterOp(src, idx, dst, op any, options ...Option) *Stream {
	return (*Settings)(nil).ScatterOp(src, idx, dst, op, options...)
}

// ScatterOp is the function [ScatterOp] with the settings.
func (s *Settings) ScatterOp(src, idx, dst, op any, options ...Option) *Stream {
	const name = "brook.ScatterOp"
	s = s.plus(options)
	from, to := numbersOf(name, src), numbersOf(name, dst)
	at := numbersOf(name, idx)
	if from.of != to.of {
		check(name, fmt.Errorf("the stream has elements of %v, what it is scattered into of %v", from.of, to.of))
	}
	if at.Len() != from.Len() || !at.dtypes[0].IsInt() && at.Len() > 0 {
		check(name, fmt.Errorf("%d elements have %d places of %v; give an int for each", from.Len(), at.Len(), at.of))
	}
	o, ok := op.(*Operator)
	if !ok {
		o = &Operator{by: dp.Op(op), of: func(x, y any) *np.Array { return np.Map(op, x, y) }}
	}
	if from.Len() == 0 {
		return to
	}
	into, places := to.columns[0].Reshape(-1), at.columns[0].Reshape(-1).AsType(np.Int64)
	inside(name, places, to)
	if o == Add && (to.dtypes[0].IsInt() || s.anyOrder) {
		if _, out := s.atomicAdd("ScatterOp", places, into, from.columns[0].Reshape(-1)); out != nil {
			return withColumns(name, to.form, []*np.Array{out.Reshape(to.Shape()...)})
		}
	}
	sums := dp.Send(from.columns[0].Reshape(-1), places, o.by, into)
	sent := dp.Send(np.Ones(from.Len()).AsType(np.Bool), places, dp.Any, np.New(np.Bool, to.Len()))
	out := np.Where(sent, o.of(into, sums), into).AsType(to.dtypes[0])
	return withColumns(name, to.form, []*np.Array{out.Reshape(to.Shape()...)})
}

// numbersOf is v as a stream of numbers.
func numbersOf(op string, v any) *Stream {
	s, ok := streamOf(op, v)
	if !ok || s.records != nil {
		check(op, fmt.Errorf("a %T is not a stream of numbers", v))
	}
	return s
}

// Increment is the operator of [GatherOp] that hands out numbers: each caller of a place gets one of its own.
var Increment = &Operator{name: "increment"}

// GatherOp reads arr[idx[i]] for all i and after each changes that element by op: old has what each has read, after
// what arr is then. op is [Increment], or a Go function func(x T) T, which is called for one i after the other.
// Increment hands out numbers in the order of i, on all devices; with the option [AnyOrder] by atomics, to whoever
// comes first. It panics with *Error where an index lies outside.
func GatherOp(idx, arr, op any, options ...Option) (old, after *Stream) {
	return (*Settings)(nil).GatherOp(idx, arr, op, options...)
}

// GatherOp is the function [GatherOp] with the settings.
func (s *Settings) GatherOp(idx, arr, op any, options ...Option) (old, after *Stream) {
	const name = "brook.GatherOp"
	s = s.plus(options)
	at, from := numbersOf(name, idx), numbersOf(name, arr)
	if !at.dtypes[0].IsInt() && at.Len() > 0 {
		check(name, fmt.Errorf("the places are of %v; give ints", at.of))
	}
	if at.Len() == 0 {
		return Zeros(from.of, 0), from
	}
	places, shape := at.columns[0].Reshape(-1).AsType(np.Int64), at.Shape()
	inside(name, places, from)
	if op == Increment && s.anyOrder {
		if read, out := s.atomicAdd("GatherOp", places, from.columns[0].Reshape(-1), nil); out != nil {
			return withColumns(name, from.form, []*np.Array{read.Reshape(shape...)}), withColumns(name, from.form, []*np.Array{out.Reshape(from.Shape()...)})
		}
	}
	if op == Increment {
		d := from.dtypes[0]
		values := from.columns[0].Reshape(-1)
		order := places.ArgSort()
		sorted := places.At(order)
		n := at.Len()
		heads := sorted.NotEqual(sorted.At(np.Maximum(np.Arange(n).Sub(1), 0))).LogicalOr(np.Arange(n).Equal(0))
		numbers := dp.SegScanEx(dp.Sum, np.Ones(n).AsType(np.Int64), dp.Heads(heads)) // of those that read the same
		rank := dp.Permute(numbers, order)
		read := values.At(places).Add(rank.AsType(d)).AsType(d)
		counts := np.BinCount(places, np.MinLength(from.Len()))
		return withColumns(name, from.form, []*np.Array{read.Reshape(shape...)}),
			withColumns(name, from.form, []*np.Array{values.Add(counts.AsType(d)).AsType(d).Reshape(from.Shape()...)})
	}
	f, code := function(name, op)
	fn := reflect.ValueOf(f.Value)
	if t := fn.Type(); t.NumIn() != 1 || t.NumOut() != 1 || t.In(0) != t.Out(0) || t.In(0) != from.of {
		check(name, fmt.Errorf("%s is a %v; an operator on this stream is a func(x %v) %v", code.Name, t, from.of, from.of))
	}
	list := reflect.ValueOf(Write(from))
	read := reflect.MakeSlice(list.Type(), at.Len(), at.Len())
	for i, p := range places.DataLike(int64(0)).([]int64) {
		read.Index(i).Set(list.Index(int(p)))
		list.Index(int(p)).Set(fn.Call([]reflect.Value{read.Index(i)})[0])
	}
	o, _ := streamOf(name, read.Interface())
	a, _ := streamOf(name, list.Interface())
	return o.Reshape(shape...), a.Reshape(from.Shape()...)
}

// inside refuses places outside of a stream.
func inside(op string, places *np.Array, s *Stream) {
	if least, most := places.Min().Int(), places.Max().Int(); least < 0 || most >= s.Len() {
		check(op, fmt.Errorf("the places go from %d to %d; the stream has 0 to %d", least, most, s.Len()-1))
	}
}

// plus are the settings with further options.
func (s *Settings) plus(options []Option) *Settings {
	args := make([]any, len(options))
	for i, o := range options {
		args[i] = o
	}
	s, _ = s.with(args)
	return s
}

// atomicTypes are those of numbers that atomics add.
var atomicTypes = map[np.DType]kir.Type{
	np.Int32: kir.I32, np.Uint32: kir.U32, np.Int64: kir.I64, np.Uint64: kir.U64, np.Float32: kir.F32, np.Float64: kir.F64,
}

// atomicAdd adds src[i], or 1 where it is nil, to the element of into at places[i], by atomics. old has what was there
// before each, where src is nil. It returns nil where the type or a device has none.
func (s *Settings) atomicAdd(name string, places, into, src *np.Array) (old, after *np.Array) {
	t, ok := atomicTypes[into.DType()]
	if !ok || s.on == automatic || s.on == reference {
		return nil, nil
	}
	b := kir.NewBuilder(name)
	n, at, to := b.Param("n", kir.I64), b.Param("idx", kir.U64), b.Param("arr", kir.U64)
	other := "src"
	if src == nil {
		other = "old"
	}
	column := b.Param(other, kir.U64)
	body, end := b.NewBlock("body"), b.NewBlock("end")
	i := b.GlobalIDX()
	b.Branch(b.Op(kir.OpLt, i, n), body, end)
	b.SetBlock(body)
	place := b.Index(to, s.element(b, at, i, kir.I64), t)
	if src != nil {
		b.Atomic(kir.OpAtomicAdd, kir.Global, place, s.element(b, column, i, t))
	} else {
		b.Store(kir.Global, b.Index(column, i, t), b.Atomic(kir.OpAtomicAdd, kir.Global, place, b.Convert(t, b.Int(kir.I64, 1))))
	}
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	f, err := b.Func()
	check("brook."+name, err)
	f.Bounds.MaxThreads = blockSize
	if (np.Wiring{}).Lacks(f, s.devices()...) != nil {
		return nil, nil
	}
	after = into.Copy()
	size := places.Size()
	call := kernelcall.Call[np.Array]{
		Name: name, Func: f, Grid: kir.D1((size + blockSize - 1) / blockSize), Block: kir.D1(blockSize), On: s.devices(),
		Args:  []kernelcall.Arg[np.Array]{{Bits: uint64(size)}, {Array: places}, {Array: after, Writes: true}},
		Setup: []kernelcall.Setup{{Name: getKernel, Of: name}, {Name: pushStream, Of: "idx", Bytes: bytesOf([]*np.Array{places})}},
	}
	if src != nil {
		call.Args = append(call.Args, kernelcall.Arg[np.Array]{Array: src})
		call.Setup = append(call.Setup, kernelcall.Setup{Name: pushStream, Of: "src", Bytes: bytesOf([]*np.Array{src})})
	} else {
		old = np.New(into.DType(), size)
		call.Args = append(call.Args, kernelcall.Arg[np.Array]{Array: old, Writes: true, Fresh: true})
		call.Setup = append(call.Setup, kernelcall.Setup{Name: pushOutput, Of: "old", Bytes: bytesOf([]*np.Array{old})})
	}
	call.Setup = append(call.Setup, kernelcall.Setup{Name: pushOutput, Of: "arr", Bytes: bytesOf([]*np.Array{after})}, kernelcall.Setup{Name: mapKernel})
	np.Wiring{}.Launch(call)
	return old, after
}
