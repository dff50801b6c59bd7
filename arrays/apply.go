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

	out := New(dtype, shape...)
	total := out.Size()
	var streams [3]*stream
	for i, a := range in[:nin] {
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
