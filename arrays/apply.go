package arrays

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// Apply evaluates u on its inputs: arrays, Go numbers and Go slices. The result is a fresh contiguous array of the
// broadcast shape. It panics with *Error when the inputs do not broadcast or u refuses their dtypes.
func Apply(u Ufunc, args ...any) *Array {
	name := u.String()
	if len(args) != u.NIn() {
		check(name, &Error{Msg: fmt.Sprintf("%d operands are given; it takes %d", len(args), u.NIn())})
	}
	if out := u.applyAlike(args); out != nil {
		return out
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

// shared is the number of elements above which several processors share an operation, some ten microseconds of the cheapest, and
// share that of a piece: so few that the last one to be done is short beside all.
const (
	shared = 32 * blockLen
	share  = 8 * blockLen
)

// apply goes block by block, in pieces that processors share where there are many elements.
func (u Ufunc) apply(compute, dtype DType, shape []int, in []*Array) *Array {
	name := u.String()
	out := newUnset(dtype, shape)
	total := out.Size()
	j := elementwise{run: loopOf(u, compute, dtype), out: out, nin: len(in)}
	for i, a := range in {
		if !slices.Equal(a.layout.Shape, shape) {
			l, err := a.layout.BroadcastTo(shape)
			check(name, err)
			a = &Array{a.dtype, l, a.data}
		}
		j.in[i], j.casts[i] = a, compute
	}
	if u == OpWhere {
		j.casts[0] = Bool
	}
	if total <= shared {
		j.piece(0, total)
		return out
	}
	workers.Do((total+share-1)/share, func(i int) { j.piece(i*share, min((i+1)*share, total)) }, poll)
	return out
}

// elementwise is one evaluation of a ufunc.
type elementwise struct {
	run   loop
	out   *Array
	nin   int
	in    [3]*Array // in the shape of out
	casts [3]DType
}

// piece computes elements lo to hi: block by block where operands are converted or collected, else at once.
func (j *elementwise) piece(lo, hi int) {
	var streams [3]*stream
	most := hi - lo
	for i := range j.nin {
		if j.asIs(i) {
			continue
		}
		most = blockLen
		streams[i] = newStream(j.in[i], j.casts[i])
		if lo > 0 {
			streams[i].seek(streams[i].view.Offset, lo)
		}
	}
	size := j.out.dtype.Size()
	for lo < hi {
		n := min(most, hi-lo)
		var blocks [3][]byte
		for i, s := range streams[:j.nin] {
			if s == nil {
				at := (j.in[i].layout.Offset + lo) * j.in[i].dtype.Size()
				blocks[i] = j.in[i].data[at : at+n*j.in[i].dtype.Size()]
				continue
			}
			blocks[i] = s.next(n)
		}
		j.run(j.out.data[lo*size:(lo+n)*size], blocks[0], blocks[1], blocks[2])
		lo += n
	}
}

// asIs reports whether operand i can be read where it lies.
func (j *elementwise) asIs(i int) bool {
	return j.in[i].dtype == j.casts[i] && j.in[i].layout.IsContiguous()
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
