package dp

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Any and Error are for [Send]: of the values that meet, Any delivers the one with the lowest index, and Error none: it
// is an error that says which meet. In scans both give the first element again: in those by segments, what each segment
// begins with.
var (
	Any   = &Operator{name: "any", first: true}
	Error = &Operator{name: "error", first: true}
)

// Send delivers values[i] to the place to[i] of a copy of into, for all i at once, and returns it: values that meet are
// combined by an operator, in the order of their indices ([Any] and [Error] combine none); places that nothing is sent
// to stay as they are. values has one axis, and to an int for each, from 0 to the last place of into, which has one
// axis too; without into there are as many places as values, with 0 in each. Where they lie is looked at now. Send
// panics with *np.Error where one lies outside.
//
// The values are sorted by where they go, and combined by segments: sums of floats do not depend on the device.
func Send(values, to any, combine *Operator, into ...any) *np.Array {
	const name = "dp.Send"
	v, at := array(name, values), pointers(name, to, -1)
	var dst *np.Array
	switch len(into) {
	case 0:
		_, d := combine.on(name, v.DType())
		dst = np.Zeros(v.Size()).AsType(d)
	case 1:
		dst = array(name, into[0])
	default:
		check(name, fmt.Errorf("there are %d arrays to send into; give one, or none", len(into)))
	}
	if v.NDim() != 1 || dst.NDim() != 1 || v.Size() != at.Size() {
		check(name, fmt.Errorf("values have shape %v, their places %v, what they are sent into %v; each has one axis, and each value a place", v.Shape(), at.Shape(), dst.Shape()))
	}
	_, d := combine.on(name, v.DType())
	out := dst.AsType(d).Copy()
	l := steps(name, max(v.Size(), dst.Size()), 2*sizeBits(d)+pointerBits)
	l.send(combine.name, l.size(v, dst), sizeBits(d), v.Size())
	l.of(out)
	if v.Size() == 0 {
		return out
	}
	inside(name, at, dst.Size())
	order := at.ArgSort()
	sorted := at.At(order)
	heads := sorted.NotEqual(sorted.At(np.Maximum(np.Arange(v.Size()).Sub(1), 0))).LogicalOr(np.Arange(v.Size()).Equal(0))
	starts := np.NonZero(heads)[0]
	if combine == Error && starts.Size() < v.Size() {
		meet := np.NonZero(np.LogicalNot(heads))[0].At(0).Int()
		check(name, fmt.Errorf("values %d and %d are both sent to place %d: give an operator that combines them, or dp.Any", order.At(meet-1).Int(), order.At(meet).Int(), sorted.At(meet).Int()))
	}
	deliver(out, sorted.At(starts), SegReduce(combine, v.At(order), Heads(heads)))
	return out
}

// Permute returns x with element i at place to[i]: [Send] of all to places of their own. It panics with *np.Error where
// two meet.
func Permute(x, to any) *np.Array {
	a := array("dp.Permute", x)
	return Send(a, to, Error, a)
}

// Get returns for each i the element from[i] of x, which has one axis: the opposite of [Send], where any number may ask
// for one element. It panics with *np.Error, when it is computed, where one lies outside.
func Get(x, from any) *np.Array {
	a, at := array("dp.Get", x), pointers("dp.Get", from, 0)
	l := steps("dp.Get", max(a.Size(), at.Size()), 2*sizeBits(a.DType())+pointerBits)
	l.send("ask, and answer", l.size(a, at), sizeBits(a.DType()), at.Size())
	return l.of(np.Take(a, at, 0))
}

// size is how many processors both of two arrays have.
func (ledger) size(x, y *np.Array) int { return max(x.Size(), y.Size()) }

// pointers are places as int64.
func pointers(op string, to any, axes int) *np.Array {
	a := array(op, to)
	if !a.DType().IsInt() && a.Size() > 0 || axes < 0 && a.NDim() != 1 {
		check(op, fmt.Errorf("the places are %v of shape %v; give ints", a.DType(), a.Shape()))
	}
	return a.AsType(np.Int64)
}

// inside refuses places that are not 0 to n-1.
func inside(op string, at *np.Array, n int) {
	out := at.Less(0).LogicalOr(at.GreaterEqual(n))
	if !out.AnyTrue().Item().(bool) {
		return
	}
	i := out.ArgMax().Int()
	check(op, fmt.Errorf("value %d is sent to place %d; places go from 0 to %d: Pack those that have one first", i, at.At(i).Int(), n-1))
}

// deliver writes values to places of out, all different.
func deliver(out, at, values *np.Array) {
	n := values.Size()
	t := kirTypes[out.DType()]
	b := kir.NewBuilder("deliver")
	to, places, from, count := b.Param("out", kir.U64), b.Param("at", kir.U64), b.Param("values", kir.U64), b.Param("n", kir.I64)
	i := b.GlobalIDX()
	work, end := b.NewBlock("work"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, count), work, end)
	b.SetBlock(work)
	place := b.Load(kir.Global, kir.I64, b.Index(places, i, kir.I64))
	b.Store(kir.Global, b.Index(to, place, t), b.Load(kir.Global, t, b.Index(from, i, t)))
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	f, err := b.Func()
	check("dp.Send", err)
	np.Wiring{}.Launch(kernelcall.Call[np.Array]{
		Name: "deliver", Func: f, Grid: kir.D1((n + 255) / 256), Block: kir.D1(256),
		Args: []kernelcall.Arg[np.Array]{{Array: out, Writes: true}, {Array: at}, {Array: values}, {Bits: uint64(n)}},
	})
}
