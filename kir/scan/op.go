package scan

import (
	"math"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Op is an associative operator on states, each of which is one number or several, such as the members of a struct.
type Op struct {
	Name  string
	State []kir.Type
	// Combine emits x op y, of which x stands on the left. It may emit blocks of its own. It is given combinations of
	// the elements alone, but some that are not asked for.
	Combine func(b *kir.Builder, x, y []*kir.Value) []*kir.Value
	// Identity has the bits of what changes nothing, a word for each number of a state; nil where there is none.
	Identity []uint64

	of *Op // of one by segments, what it combines within them
}

// Binary returns the operator that is an operation of kernels on numbers of t: sums, products, maxima, minima (of
// which NaN is one where an operand is) and bits. Of bools the sum and the maximum are or, the product and the minimum
// are and.
func Binary(op kir.Op, t kir.Type) Op {
	if t == kir.Bool {
		switch op {
		case kir.OpAdd, kir.OpMax:
			op = kir.OpOr
		case kir.OpMul, kir.OpMin:
			op = kir.OpAnd
		}
	}
	return Op{
		Name: op.String(), State: []kir.Type{t}, Identity: []uint64{identity(op, t)},
		Combine: func(b *kir.Builder, x, y []*kir.Value) []*kir.Value { return []*kir.Value{b.Op(op, x[0], y[0])} },
	}
}

// identity returns the bits of what op leaves as it is.
func identity(op kir.Op, t kir.Type) uint64 {
	width := 8 * t.Bytes()
	ones := uint64(math.MaxUint64) >> (64 - width)
	switch op {
	case kir.OpMul:
		return one(t)
	case kir.OpAnd:
		if t == kir.Bool {
			return 1
		}
		return ones
	case kir.OpMax, kir.OpMin:
		sign := uint64(1) << (width - 1)
		switch {
		case t == kir.F32:
			return uint64(math.Float32bits(float32(math.Inf(order(op)))))
		case t == kir.F64:
			return math.Float64bits(math.Inf(order(op)))
		case t.IsUnsigned() && op == kir.OpMax:
			return 0
		case t.IsUnsigned():
			return ones
		case op == kir.OpMax:
			return sign
		}
		return ones &^ sign
	}
	return 0
}

// order is the sign of the identity of a maximum or a minimum.
func order(op kir.Op) int {
	if op == kir.OpMax {
		return -1
	}
	return 1
}

func one(t kir.Type) uint64 {
	switch t {
	case kir.F32:
		return uint64(math.Float32bits(1))
	case kir.F64:
		return math.Float64bits(1)
	}
	return 1
}

// Segmented returns op on pairs of a bool, whether a segment begins there, and a state: what stands left of a beginning
// has no part in what stands right of it. It is associative where op is.
func Segmented(op Op) Op {
	s := Op{Name: "segmented_" + op.Name, State: append([]kir.Type{kir.Bool}, op.State...), of: &op}
	if op.Identity != nil {
		s.Identity = append([]uint64{0}, op.Identity...)
	}
	s.Combine = func(b *kir.Builder, x, y []*kir.Value) []*kir.Value {
		joined := op.Combine(b, x[1:], y[1:])
		out := []*kir.Value{b.Op(kir.OpOr, x[0], y[0])}
		for i, v := range joined {
			out = append(out, b.Op(kir.OpSelect, y[0], y[1+i], v))
		}
		return out
	}
	return s
}
