package brook

import (
	"fmt"
	"reflect"

	"github.com/arrayrepl/arrayrepl/gpu/dp"
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

// ScatterOp returns dst after dst[idx[i]] = op(dst[idx[i]], src[i]) for all i, in their order: src and dst are
// streams of numbers of one type, idx one of ints from 0 to the last place of dst in the order of its memory. Values
// that meet are sorted by where they go and combined before dst gets them, on all devices in one order: sums of
// floats may differ from those of a loop in their last bits, ints do not. It panics with *Error where an index lies
// outside.
func ScatterOp(src, idx, dst, op any) *Stream {
	const name = "brook.ScatterOp"
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
	into, places := to.columns[0].Reshape(-1), at.columns[0].Reshape(-1)
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

// GatherOp reads arr[idx[i]] for all i, in their order, and after each changes that element by op: old has what each
// has read, after what arr is then. op is [Increment], which runs on the device, or a Go function func(x T) T, which
// is called for one i after the other. It panics with *Error where an index lies outside.
func GatherOp(idx, arr, op any) (old, after *Stream) {
	const name = "brook.GatherOp"
	at, from := numbersOf(name, idx), numbersOf(name, arr)
	if !at.dtypes[0].IsInt() && at.Len() > 0 {
		check(name, fmt.Errorf("the places are of %v; give ints", at.of))
	}
	if at.Len() == 0 {
		return Zeros(from.of, 0), from
	}
	places, shape := at.columns[0].Reshape(-1).AsType(np.Int64), at.Shape()
	if least, most := places.Min().Int(), places.Max().Int(); least < 0 || most >= from.Len() {
		check(name, fmt.Errorf("the places go from %d to %d; the stream has 0 to %d", least, most, from.Len()-1))
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
	f, s := function(name, op)
	fn := reflect.ValueOf(f.Value)
	if t := fn.Type(); t.NumIn() != 1 || t.NumOut() != 1 || t.In(0) != t.Out(0) || t.In(0) != from.of {
		check(name, fmt.Errorf("%s is a %v; an operator on this stream is a func(x %v) %v", s.Name, t, from.of, from.of))
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
