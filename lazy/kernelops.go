package lazy

import (
	"math"
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
)

// kirTypes are the element types in kernels, of the dtypes of numbers.
var kirTypes = [...]kir.Type{
	arrays.Bool: kir.Bool,
	arrays.Int8: kir.I8, arrays.Int16: kir.I16, arrays.Int32: kir.I32, arrays.Int64: kir.I64,
	arrays.Uint8: kir.U8, arrays.Uint16: kir.U16, arrays.Uint32: kir.U32, arrays.Uint64: kir.U64,
	arrays.Float16: kir.F16, arrays.Float32: kir.F32, arrays.Float64: kir.F64,
} // tables and no maps: planning looks into them several times for each operation

// computeType is the type in which operations on elements of type t are done: halves are for storage.
func computeType(t kir.Type) kir.Type {
	if t == kir.F16 {
		return kir.F32
	}
	return t
}

// inKernels reports whether kernels have elements of dtype d. Operations on others run on the CPU.
func inKernels(d arrays.DType) bool { return int(d) < len(kirTypes) && kirTypes[d] != kir.Void }

// kernelOp is how a ufunc is computed in a kernel: op on numbers, boolOp on booleans, or expr on operands of the kinds
// named in on. A node for whose dtype there is none runs on the CPU.
type kernelOp struct {
	op, boolOp kir.Op
	floatOnly  bool

	expr func(b *kir.Builder, x []*kir.Value) *kir.Value
	on   []arrays.Kind
}

// kernelOps are the operations that kernels have under the names that the table in package arrays gives, and those that
// are put together here.
var kernelOps = func() (ops [arrays.NumUfuncs]kernelOp) {
	for u := range arrays.Ufunc(arrays.NumUfuncs) {
		if composed[u].expr != nil {
			ops[u] = composed[u]
			continue
		}
		number, bools, floats := arrays.Wiring{}.Basic(u)
		op := kir.OpNamed(number)
		ops[u] = kernelOp{op: op, boolOp: kir.OpNamed(bools), floatOnly: floats || op == kir.OpDiv || op == kir.OpSqrt}
	}
	return ops
}()

var composed = [arrays.NumUfuncs]kernelOp{
	arrays.OpAbs:        {expr: absolute, on: anyKind},
	arrays.OpFloor:      {expr: whole(floor), on: anyKind},
	arrays.OpCeil:       {expr: whole(ceil), on: anyKind},
	arrays.OpTrunc:      {expr: whole(trunc), on: anyKind},
	arrays.OpRint:       {expr: whole(rint), on: floats},
	arrays.OpSign:       {expr: sign, on: numbers},
	arrays.OpSquare:     {expr: func(b *kir.Builder, x []*kir.Value) *kir.Value { return b.Op(kir.OpMul, x[0], x[0]) }, on: numbers},
	arrays.OpReciprocal: {expr: func(b *kir.Builder, x []*kir.Value) *kir.Value { return b.Op(kir.OpDiv, number(b, x[0], 1), x[0]) }, on: floats},
	arrays.OpFloorDiv:   {expr: floorDiv, on: ints},
	arrays.OpRemainder:  {expr: remainder, on: ints},
	arrays.OpDeg2Rad:    {expr: times(math.Pi / 180), on: floats},
	arrays.OpRad2Deg:    {expr: times(180 / math.Pi), on: floats},
	arrays.OpIsNaN:      {expr: isNaN, on: anyKind},
	arrays.OpIsInf:      {expr: isInf, on: anyKind},
	arrays.OpIsFinite:   {expr: isFinite, on: anyKind},
	arrays.OpLeftShift:  {expr: shift(kir.OpShl), on: ints},
	arrays.OpRightShift: {expr: shift(kir.OpShr), on: ints},
	arrays.OpBitCount:   {expr: bitCount, on: ints},
	arrays.OpFMax:       {expr: unlessNaN(kir.OpMax, kir.OpOr, kir.OpGe), on: anyKind},
	arrays.OpFMin:       {expr: unlessNaN(kir.OpMin, kir.OpAnd, kir.OpLe), on: anyKind},
	arrays.OpCopySign:   {expr: copySign, on: floats},
	arrays.OpSignBit:    {expr: signBit, on: anyKind},
	arrays.OpReal:       {expr: itself, on: anyKind}, // these four of real numbers
	arrays.OpConj:       {expr: itself, on: anyKind},
	arrays.OpImag:       {expr: func(b *kir.Builder, x []*kir.Value) *kir.Value { return b.Bits(x[0].Type, 0) }, on: anyKind},
	arrays.OpAngle:      {expr: angle, on: floats},
}

var (
	ints    = []arrays.Kind{arrays.KindInt}
	floats  = []arrays.Kind{arrays.KindFloat}
	numbers = []arrays.Kind{arrays.KindInt, arrays.KindFloat}
	anyKind = []arrays.Kind{arrays.KindBool, arrays.KindInt, arrays.KindFloat}
)

// supports reports whether the operation exists for operands of the given dtype.
func (k kernelOp) supports(compute arrays.DType) bool {
	switch {
	case k.expr != nil:
		return slices.Contains(k.on, compute.Kind())
	case compute.IsBool():
		return k.boolOp != kir.OpInvalid
	case k.floatOnly && !compute.IsFloat():
		return false
	}
	return k.op != kir.OpInvalid
}

// reduction is how a reduction runs in a kernel: elements become acc, are combined by op from its identity.
type reduction struct {
	acc      kir.Type
	op       kir.Op
	identity uint64 // bits of acc
	mean     bool
}

// newReduction chooses the accumulator for elements of type in. Sums of float32 are kept in float64: the loads, not the
// additions, take the time, and the result is then rounded once, as package arrays does it.
func newReduction(r arrays.Reduction, in kir.Type) reduction {
	acc := kir.I64
	switch {
	case in.IsFloat():
		acc = kir.F64
	case in.IsUnsigned():
		acc = kir.U64
	}
	switch r {
	case arrays.ReduceMean:
		return reduction{acc: kir.F64, op: kir.OpAdd, mean: true}
	case arrays.ReduceProd:
		one := uint64(1)
		if acc == kir.F64 {
			one = math.Float64bits(1)
		}
		return reduction{acc: acc, op: kir.OpMul, identity: one}
	case arrays.ReduceAll:
		return reduction{acc: kir.Bool, op: kir.OpAnd, identity: 1}
	case arrays.ReduceAny:
		return reduction{acc: kir.Bool, op: kir.OpOr}
	case arrays.ReduceMax, arrays.ReduceMin:
		if in.IsFloat() {
			acc = computeType(in)
		}
		if r == arrays.ReduceMin {
			return reduction{acc: acc, op: kir.OpMin, identity: largest[acc]}
		}
		return reduction{acc: acc, op: kir.OpMax, identity: smallest[acc]}
	}
	return reduction{acc: acc, op: kir.OpAdd}
}

// smallest and largest are the bits of the ends of the types in which maxima and minima are kept.
var (
	smallest = map[kir.Type]uint64{kir.I64: 1 << 63, kir.U64: 0, kir.F64: math.Float64bits(math.Inf(-1)), kir.F32: uint64(math.Float32bits(float32(math.Inf(-1))))}
	largest  = map[kir.Type]uint64{kir.I64: math.MaxInt64, kir.U64: math.MaxUint64, kir.F64: math.Float64bits(math.Inf(1)), kir.F32: uint64(math.Float32bits(float32(math.Inf(1))))}
)
