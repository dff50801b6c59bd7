package arrays

import (
	"fmt"
	"slices"
)

// Apply evaluates u on its inputs: arrays, Go numbers and Go slices. The result is a fresh contiguous array of the
// broadcast shape. It panics with *Error when the inputs do not broadcast or u refuses their dtypes.
func Apply(u Ufunc, args ...any) *Array {
	name := u.String()
	if len(args) != u.NIn() {
		check(name, &Error{Msg: fmt.Sprintf("%d operands are given; it takes %d", len(args), u.NIn())})
	}
	var (
		in       [3]*Array
		operands [3]Operand
		shapes   [3][]int
	)
	nin := len(args)
	for i, arg := range args {
		a, weak, err := AsArray(arg)
		check(name, err)
		in[i], operands[i], shapes[i] = a, operandOf(a, weak), a.layout.Shape
	}
	compute, dtype, err := u.Resolve(operands[:nin]...)
	check(name, err)
	shape, err := BroadcastShapes(shapes[:nin]...)
	check(name, err)
	if u.mixesSigns(compute, in[:nin]) {
		return compareSigns(u, in[0], in[1])
	}
	return u.apply(compute, dtype, shape, in[:nin])
}

// ApplyAs evaluates u on arrays as [Ufunc.Resolve] decided it, for another evaluator, which knows which operands were Go numbers.
func ApplyAs(u Ufunc, compute, out DType, in ...*Array) *Array {
	shapes := make([][]int, len(in))
	for i, a := range in {
		shapes[i] = a.layout.Shape
	}
	shape, err := BroadcastShapes(shapes...)
	check(u.String(), err)
	if u.mixesSigns(compute, in) {
		return compareSigns(u, in[0], in[1])
	}
	return u.apply(compute, out, shape, in)
}

// apply goes block by block.
func (u Ufunc) apply(compute, dtype DType, shape []int, in []*Array) *Array {
	name, nin := u.String(), len(in)
	out := New(dtype, shape...)
	total := out.Size()
	var streams [3]*stream
	for i, a := range in {
		if !slices.Equal(a.layout.Shape, shape) {
			l, err := a.layout.BroadcastTo(shape)
			check(name, err)
			a = &Array{a.dtype, l, a.data}
		}
		cast := compute
		if u == OpWhere && i == 0 {
			cast = Bool
		}
		streams[i] = newStream(a, cast)
	}
	run := loopOf(u, compute, dtype)
	size := dtype.Size()
	var work poller
	for lo := 0; lo < total; lo += blockLen {
		n := min(blockLen, total-lo)
		work.did(n)
		var blocks [3][]byte
		for i, s := range streams[:nin] {
			blocks[i] = s.next(n)
		}
		run(out.data[lo*size:(lo+n)*size], blocks)
	}
	return out
}

// mixesSigns reports whether u compares uint64 with signed ints, whose common dtype, float64, does not tell all of them apart.
func (u Ufunc) mixesSigns(compute DType, in []*Array) bool {
	return u >= OpEqual && u <= OpGreaterEqual && compute == Float64 && MixesSigns(in[0].dtype, in[1].dtype)
}

// MixesSigns reports whether one dtype is Uint64 and the other is of ints with a sign. Comparisons of them are exact, as no common
// dtype is.
func MixesSigns(x, y DType) bool {
	if y == Uint64 {
		x, y = y, x
	}
	return x == Uint64 && y.IsInt() && !y.IsUnsigned()
}

// compareSigns compares as uint64 where both are 0 or more.
func compareSigns(u Ufunc, x, y *Array) *Array {
	signed, less := x, u == OpLess || u == OpLessEqual
	if x.dtype == Uint64 {
		signed, less = y, u == OpGreater || u == OpGreaterEqual
	}
	return Where(Less(signed, 0), less || u == OpNotEqual, Apply(u, x.AsType(Uint64), y.AsType(Uint64)))
}
