package arrays

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// Apply evaluates u on its inputs: arrays, Go numbers and Go slices. The result is a fresh contiguous array of the
// broadcast shape. It panics with *Error when the inputs do not broadcast or u refuses their dtypes.
func Apply(u Ufunc, args ...ArrayLike) *Array { return apply(allOperations[u], args...) }

// apply is Apply of one operation.
func apply(op *operation, args ...ArrayLike) *Array {
	if out := op.applyAlike(args, nil); out != nil {
		return out
	}
	p := op.prepare(args)
	return p.fresh()
}

// ApplyAs evaluates u on arrays as [Ufunc.Resolve] decided it, for another evaluator, which knows which operands were
// Go numbers.
func (u Ufunc) ApplyAs(compute, out DType, in ...*Array) *Array {
	shapes := make([][]int, len(in))
	for i, a := range in {
		shapes[i] = a.layout.Shape
	}
	shape, err := BroadcastShapes(shapes...)
	check(u.String(), err)
	p := prepared{op: allOperations[u], compute: compute, dtype: out, shape: shape, nin: len(in)}
	copy(p.in[:], in)
	return p.fresh()
}

// prepared is an operation on operands, with everything decided that does not need the elements.
type prepared struct {
	op             *operation
	compute, dtype DType
	shape          []int // of the result
	nin            int
	in             [3]*Array
}

// prepare decides op on its inputs. It panics with *Error when they do not broadcast or op refuses their dtypes.
func (op *operation) prepare(args []any) prepared {
	name := op.String()
	if len(args) != op.NIn() {
		check(name, &Error{Msg: fmt.Sprintf("%d operands are given; it takes %d", len(args), op.NIn())})
	}
	var (
		operands [3]Operand
		shapes   [3][]int
	)
	p := prepared{op: op, nin: len(args)}
	for i, arg := range args {
		a, weak, err := AsArray(arg)
		check(name, err)
		p.in[i], operands[i], shapes[i] = a, operandOf(a, weak), a.layout.Shape
	}
	var err error
	p.compute, p.dtype, err = op.dtypes(operands[:p.nin])
	check(name, err)
	p.shape, err = BroadcastShapes(shapes[:p.nin]...)
	check(name, err)
	return p
}

// fresh returns the result as a new array.
func (p *prepared) fresh() *Array {
	if p.mixesSigns() {
		return compareSigns(p.op, p.in[0], p.in[1])
	}
	out := newUnset(p.dtype, p.shape)
	p.run(out)
	return out
}

// shared is the number of elements above which several processors share an operation, some ten microseconds of the
// cheapest, and share that of a piece: so few that the last one to be done is short beside all.
const (
	shared = 32 * blockLen
	share  = 8 * blockLen
)

// run writes the result to out, to whose shape the operands broadcast, in pieces that processors share where there are
// many elements.
func (p *prepared) run(out *Array) {
	compute, run := p.compute, p.loopFor(out)
	if d := p.in[0].dtype; p.in[p.nin-1].dtype == d {
		if direct := p.op.logicalLoop(d); direct != nil {
			compute, run = d, direct
		}
	}
	j := elementwise{run: run, gives: p.dtype, out: out, nin: p.nin}
	for i, a := range p.in[:p.nin] {
		if !slices.Equal(a.layout.Shape, out.layout.Shape) {
			l, err := a.layout.BroadcastTo(out.layout.Shape)
			check(p.op.String(), err)
			a = &Array{a.dtype, l, a.data}
		}
		j.in[i], j.casts[i] = a, compute
	}
	if p.op.Ufunc == OpWhere {
		j.casts[0] = Bool
	}
	total, each := out.Size(), p.perPiece()
	if total <= shared/share*each {
		j.piece(0, total)
		return
	}
	j.share(total, each)
}

// share lets processors compute the elements, whose number is total, in pieces of each.
func (j elementwise) share(total, each int) { // a copy, as what others read is in memory of its own
	workers.Do((total+each-1)/each, func(i int) { j.piece(i*each, min((i+1)*each, total)) }, poll)
}

// perPiece is the number of elements of a piece: of small ones that the cheapest operations take as they are it is as
// many as fill it up to the bytes of float64.
func (p *prepared) perPiece() int {
	size := p.dtype.Size()
	for _, a := range p.in[:p.nin] {
		if a.dtype != p.compute {
			return share
		}
		size = max(size, a.dtype.Size())
	}
	if !p.op.isCheap() || p.compute == Float16 || size >= 8 || size == 0 {
		return share
	}
	return share * 8 / size
}

// elementwise is one evaluation of a ufunc.
type elementwise struct {
	run   loop
	gives DType // what run writes, which is converted where out has another dtype
	out   *Array
	nin   int
	in    [3]*Array // in the shape of out
	casts [3]DType
}

// piece computes elements lo to hi: block by block where operands are converted or collected or results are, else at
// once.
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
	var to *sink
	if j.out.dtype != j.gives || !j.out.layout.IsContiguous() {
		most, to = min(most, blockLen), newSink(j.out, j.gives, lo)
	}
	size := j.gives.Size()
	for lo < hi {
		n := min(most, hi-lo)
		var dst []byte
		if to == nil {
			at := (j.out.layout.Offset + lo) * size
			dst = j.out.data[at : at+n*size]
		} else {
			dst = to.next(n)
			n = len(dst) / size
		}
		var blocks [3][]byte
		for i, s := range streams[:j.nin] {
			if s == nil {
				at := (j.in[i].layout.Offset + lo) * j.in[i].dtype.Size()
				blocks[i] = j.in[i].data[at : at+n*j.in[i].dtype.Size()]
				continue
			}
			blocks[i] = s.next(n)
		}
		j.run(dst, blocks[0], blocks[1], blocks[2])
		if to != nil {
			to.wrote(n)
		}
		lo += n
	}
}

// asIs reports whether operand i can be read where it lies.
func (j *elementwise) asIs(i int) bool {
	return j.in[i].dtype == j.casts[i] && j.in[i].layout.IsContiguous()
}

// mixesSigns reports whether p compares uint64 with signed ints, whose common dtype, float64, does not tell all of them
// apart.
func (p *prepared) mixesSigns() bool {
	return p.op.Ufunc >= OpEqual && p.op.Ufunc <= OpGreaterEqual && p.compute == Float64 && Rules{}.MixesSigns(p.in[0].dtype, p.in[1].dtype)
}

// MixesSigns reports whether one dtype is Uint64 and the other is of ints with a sign. Comparisons of them are exact,
// as no common dtype is.
func (Rules) MixesSigns(x, y DType) bool {
	if y == Uint64 {
		x, y = y, x
	}
	return x == Uint64 && y.IsInt() && !y.IsUnsigned()
}

// compareSigns compares as uint64 where both are 0 or more.
func compareSigns(op *operation, x, y *Array) *Array {
	u := op.Ufunc
	signed, less := x, u == OpLess || u == OpLessEqual
	if x.dtype == Uint64 {
		signed, less = y, u == OpGreater || u == OpGreaterEqual
	}
	return Where(Less(signed, 0), less || u == OpNotEqual, apply(op, x.AsType(Uint64), y.AsType(Uint64)))
}
