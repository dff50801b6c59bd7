package lazy

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/scan"
)

// Scans by one operation as loops of the CPU, with the bits of the kernels: of ints, for which all orders give the
// same, and sums and products of floats, in the kernels' order.

// inLoops computes a scan on the CPU; nil where only the kernels do.
func inLoops(c kernelcall.Scan[Array]) func(out *arrays.Array, in []*arrays.Array) {
	if c.Plain == nil || c.Spec.Form != (scan.Form{}) {
		return nil
	}
	op, d := c.Plain.Op, c.DType
	switch d {
	case Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64:
	case Float32, Float64:
		if c.Spec.Exclusive || op != kir.OpAdd && op != kir.OpMul {
			return nil
		}
	default:
		return nil
	}
	exclusive := c.Spec.Exclusive
	var none uint64
	if c.Spec.Op.Identity != nil {
		none = c.Spec.Op.Identity[len(c.Spec.Op.Identity)-1]
	}
	if c.Ends != nil {
		return func(out *arrays.Array, in []*arrays.Array) { endsInLoops(op, d, none, out, in) }
	}
	return func(out *arrays.Array, in []*arrays.Array) {
		a, to := in[len(in)-1], out
		var heads *arrays.Array
		if c.Plain.Heads {
			heads = in[0].Reshape(-1).Copy()
		}
		lines, length, inner := linesOf(a.Shape(), c.Axis)
		serial := serially(lines, length, inner)
		if len(c.Axis) == 0 {
			a = a.Reshape(-1)
		} else {
			a, to = a.MoveAxis(c.Axis[0], -1), out.MoveAxis(c.Axis[0], -1)
		}
		apart := inner > 1 // the elements of a line
		if apart || !a.Layout().IsContiguous() {
			a = a.Copy()
		}
		into := out
		if apart {
			into = a
		}
		l := loops{op: op, exclusive: exclusive, length: length, serial: serial, do: onWorkers()}
		if heads != nil {
			l.heads = elementsOf[bool](heads)
		}
		switch d {
		case Int8:
			intLines[int8, int8](l, into, a, int8(none))
		case Int16:
			intLines[int16, int16](l, into, a, int16(none))
		case Int32:
			intLines[int32, int32](l, into, a, int32(none))
		case Int64:
			intLines[int64, int64](l, into, a, int64(none))
		case Uint8:
			intLines[uint8, uint8](l, into, a, uint8(none))
		case Uint16:
			intLines[uint16, uint16](l, into, a, uint16(none))
		case Uint32:
			intLines[uint32, uint32](l, into, a, uint32(none))
		case Uint64:
			intLines[uint64, uint64](l, into, a, none)
		case Float32:
			floatLoops[float32](l, into, a)
		case Float64:
			floatLoops[float64](l, into, a)
		}
		if apart {
			to.Set(a)
		}
	}
}

// endsInLoops combines whole segments, of in's second array, whose last elements are at the places of its third.
func endsInLoops(op kir.Op, d DType, none uint64, out *arrays.Array, in []*arrays.Array) {
	a, ends := in[1].Reshape(-1), in[2]
	if !a.Layout().IsContiguous() {
		a = a.Copy()
	}
	if !ends.Layout().IsContiguous() {
		ends = ends.Copy()
	}
	s := segmentEnds{op: op, ends: elementsOf[int64](ends), none: none, do: onWorkers()}
	switch d {
	case Int8:
		intEnds[int8](s, out, a)
	case Int16:
		intEnds[int16](s, out, a)
	case Int32:
		intEnds[int32](s, out, a)
	case Int64:
		intEnds[int64](s, out, a)
	case Uint8:
		intEnds[uint8](s, out, a)
	case Uint16:
		intEnds[uint16](s, out, a)
	case Uint32:
		intEnds[uint32](s, out, a)
	case Uint64:
		intEnds[uint64](s, out, a)
	case Float32:
		floatEnds[float32](s, out, a)
	case Float64:
		floatEnds[float64](s, out, a)
	}
}

// segmentEnds are segments that are combined whole: where each ends, and what changes nothing.
type segmentEnds struct {
	op   kir.Op
	ends []int64
	none uint64
	do   func(tasks int, task func(i int))
}

func floatEnds[T float32 | float64](s segmentEnds, to, from *arrays.Array) {
	in, product := elementsOf[T](from), s.op == kir.OpMul
	if !serially(1, len(in), 1) {
		scan.SegmentEnds(scan.Floats{Product: product, Do: s.do}, elementsOf[T](to), in, s.ends)
		return
	}
	out, lo := elementsOf[T](to), 0
	for k, end := range s.ends {
		acc := in[lo]
		for _, x := range in[lo+1 : end+1] {
			if product {
				acc *= x
			} else {
				acc += x
			}
		}
		out[k], lo = acc, int(end)+1
	}
}

func intEnds[T anyInt](s segmentEnds, to, from *arrays.Array) {
	out, in, f := elementsOf[T](to), elementsOf[T](from), intOp[T](s.op)
	s.do((len(in)+piece-1)/piece, func(i int) { // those that end in a piece
		k, _ := slices.BinarySearch(s.ends, int64(i)*piece)
		lo := 0
		if k > 0 {
			lo = int(s.ends[k-1]) + 1
		}
		for ; k < len(s.ends) && s.ends[k] < int64(i+1)*piece; k++ {
			hi := int(s.ends[k]) + 1
			acc := T(s.none)
			if s.op == kir.OpAdd {
				acc = intSum[T](in[lo:hi])
			} else {
				for _, x := range in[lo:hi] {
					acc = f(acc, x)
				}
			}
			out[k], lo = acc, hi
		}
	})
}

// loops are how lines of length elements are scanned that lie one behind the other.
type loops struct {
	op                kir.Op
	exclusive, serial bool
	length            int
	heads             []bool // nil for none
	do                func(tasks int, task func(i int))
}

func floatLoops[T float32 | float64](l loops, to, from *arrays.Array) {
	out, in := elementsOf[T](to), elementsOf[T](from)
	f := scan.Floats{Product: l.op == kir.OpMul, Do: l.do}
	heads := l.heads
	for ; len(in) > 0; out, in = out[l.length:], in[l.length:] {
		var begins []bool
		if heads != nil {
			begins, heads = heads[:l.length], heads[l.length:]
		}
		switch {
		case l.serial:
			floatLoop(f.Product, out[:l.length], in[:l.length], begins)
		case begins != nil:
			scan.FloatSegments[T](f, out[:l.length], in[:l.length], begins)
		default:
			scan.FloatLine[T](f, out[:l.length], in[:l.length])
		}
	}
}

// floatLoop scans a line from its beginning to its end.
func floatLoop[T float32 | float64](product bool, out, in []T, begins []bool) {
	acc := in[0]
	out[0] = acc
	for i, x := range in[1:] {
		switch {
		case begins != nil && begins[i+1]:
			acc = x
		case product:
			acc *= x
		default:
			acc += x
		}
		out[i+1] = acc
	}
}

type anyInt interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// piece is how many elements of a line a task scans.
const piece = 1 << 16

// intLines scans ints: the pieces of a line are combined first, on all processors, then each is scanned from what
// stands before it.
func intLines[T, S anyInt](l loops, to, from *arrays.Array, none T) {
	out, in := elementsOf[T](to), elementsOf[S](from)
	f := intOp[T](l.op)
	heads := l.heads
	if l.length <= piece { // lines are the tasks
		lines := len(in) / l.length
		each := max(piece/l.length, 1)
		l.do((lines+each-1)/each, func(i int) {
			for k := i * each; k < min((i+1)*each, lines); k++ {
				at := k * l.length
				var h []bool
				if heads != nil {
					h = heads[at : at+l.length]
				}
				intPiece(l, f, out[at:at+l.length], in[at:at+l.length], h, none, none)
			}
		})
		return
	}
	for ; len(in) > 0; out, in = out[l.length:], in[l.length:] {
		src, dst := in[:l.length], out[:l.length]
		n := (l.length + piece - 1) / piece
		before, begins := make([]T, n), make([]bool, n)
		part := func(i int) (lo, hi int) { return i * piece, min((i+1)*piece, l.length) }
		l.do(n-1, func(i int) {
			lo, hi := part(i)
			x := none
			switch {
			case heads != nil:
				for k := lo; k < hi; k++ {
					if heads[k] {
						x, begins[i+1] = T(src[k]), true
						continue
					}
					x = f(x, T(src[k]))
				}
			case l.op == kir.OpAdd:
				x = intSum[T](src[lo:hi])
			default:
				for _, y := range src[lo:hi] {
					x = f(x, T(y))
				}
			}
			before[i+1] = x
		})
		before[0] = none
		for i := range n - 1 {
			if !begins[i+1] {
				before[i+1] = f(before[i], before[i+1])
			}
		}
		l.do(n, func(i int) {
			lo, hi := part(i)
			var h []bool
			if heads != nil {
				h = heads[lo:hi]
			}
			intPiece(l, f, dst[lo:hi], src[lo:hi], h, before[i], none)
		})
		if heads != nil {
			heads = heads[l.length:]
		}
	}
}

// intSum adds ints in four sums, none of which waits for the others.
func intSum[T, S anyInt](xs []S) T {
	var a, b, c, d T
	for ; len(xs) >= 8; xs = xs[8:] {
		a += T(xs[0]) + T(xs[4])
		b += T(xs[1]) + T(xs[5])
		c += T(xs[2]) + T(xs[6])
		d += T(xs[3]) + T(xs[7])
	}
	for _, x := range xs {
		a += T(x)
	}
	return a + b + c + d
}

// intPiece scans a piece of a line, before which stands x.
func intPiece[T, S anyInt](l loops, f func(x, y T) T, dst []T, src []S, heads []bool, x, none T) {
	dst = dst[:len(src)]
	switch {
	case heads != nil && l.exclusive:
		for i, y := range src {
			if heads[i] {
				dst[i], x = none, T(y)
				continue
			}
			dst[i], x = x, f(x, T(y))
		}
	case heads != nil:
		for i, y := range src {
			if heads[i] {
				x = T(y)
			} else {
				x = f(x, T(y))
			}
			dst[i] = x
		}
	case l.exclusive:
		for i, y := range src {
			dst[i], x = x, f(x, T(y))
		}
	case l.op == kir.OpAdd:
		for i, y := range src {
			x += T(y)
			dst[i] = x
		}
	default:
		for i, y := range src {
			x = f(x, T(y))
			dst[i] = x
		}
	}
}

func intOp[T anyInt](op kir.Op) func(x, y T) T {
	switch op {
	case kir.OpAdd:
		return func(x, y T) T { return x + y }
	case kir.OpMul:
		return func(x, y T) T { return x * y }
	case kir.OpMax:
		return func(x, y T) T { return max(x, y) }
	case kir.OpMin:
		return func(x, y T) T { return min(x, y) }
	case kir.OpAnd:
		return func(x, y T) T { return x & y }
	case kir.OpOr:
		return func(x, y T) T { return x | y }
	}
	return func(x, y T) T { return x ^ y }
}
