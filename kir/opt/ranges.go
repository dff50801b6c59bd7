package opt

import (
	"math"
	"math/bits"

	"github.com/arrayrepl/arrayrepl/kir"
)

// typeRange returns the values of an integer type; those of U64 do not fit an interval.
func typeRange(t kir.Type) (kir.Range, bool) {
	switch {
	case t == kir.Bool:
		return kir.Between(0, 1), true
	case t == kir.U64 || !t.IsInteger():
		return kir.Range{}, false
	case t == kir.I64:
		return kir.Between(math.MinInt64, math.MaxInt64), true
	case t.IsSigned():
		return kir.Between(-1<<(8*t.Bytes()-1), 1<<(8*t.Bytes()-1)-1), true
	}
	return kir.Between(0, 1<<(8*t.Bytes())-1), true
}

// specialRanges are CUDA's limits: 1024 threads in a block, 2^31-1 blocks in a row of the grid.
var specialRanges = [kir.NumSpecials]kir.Range{
	kir.TidX: kir.Between(0, kir.MaxThreadsPerBlock-1), kir.TidY: kir.Between(0, kir.MaxThreadsPerBlock-1), kir.TidZ: kir.Between(0, kir.MaxThreadsPerBlock-1),
	kir.NTidX: kir.Between(1, kir.MaxThreadsPerBlock), kir.NTidY: kir.Between(1, kir.MaxThreadsPerBlock), kir.NTidZ: kir.Between(1, kir.MaxThreadsPerBlock),
	kir.CtaidX: kir.Between(0, math.MaxInt32-1), kir.CtaidY: kir.Between(0, math.MaxInt32-1), kir.CtaidZ: kir.Between(0, math.MaxInt32-1),
	kir.LaneID: kir.Between(0, kir.WarpSize-1), kir.WarpID: kir.Between(0, kir.MaxThreadsPerBlock/kir.WarpSize-1),
	kir.NCtaidX: kir.Between(1, math.MaxInt32), kir.NCtaidY: kir.Between(1, math.MaxInt32), kir.NCtaidZ: kir.Between(1, math.MaxInt32),
}

// within returns n as the range of a value of type t: all values of t, where what n is of may have wrapped around.
func within(n kir.Range, t kir.Type) kir.Range {
	all, ok := typeRange(t)
	switch {
	case !ok && t != kir.U64:
		return kir.Range{}
	case !n.Known, t == kir.U64 && n.Lo < 0, all.Known && (n.Lo < all.Lo || n.Hi > all.Hi):
		return all
	}
	return n
}

// rangeOf returns what v's operands tell of its value, looking a few operations back.
func rangeOf(v *kir.Value) kir.Range { return rangeTo(v, 6) }

func rangeTo(v *kir.Value, depth int) kir.Range {
	var in [3]kir.Range
	if len(v.Args) > 0 && (depth == 0 || !v.IsPure() || v.Op.IsCompare()) {
		if v.Within.Known {
			return v.Within
		}
		return within(in[0], v.Type)
	}
	for i, a := range v.Args[:min(len(v.Args), len(in))] {
		in[i] = rangeTo(a, depth-1)
	}
	return transfer(v, in)
}

// transfer returns the range of v, whose first three operands have the ranges of in.
func transfer(v *kir.Value, in [3]kir.Range) kir.Range {
	n, ok := rangeFrom(v, in)
	n.Known = n.Known && ok
	n = within(n, v.Type)
	if w := v.Within; w.Known {
		if !n.Known {
			return w
		}
		n.Lo, n.Hi = max(n.Lo, w.Lo), min(n.Hi, w.Hi)
	}
	return n
}

func rangeFrom(v *kir.Value, in [3]kir.Range) (kir.Range, bool) {
	x, y, z := in[0], in[1], in[2]
	switch v.Op {
	case kir.OpConst:
		if v.Type == kir.U64 && v.Imm > math.MaxInt64 {
			return kir.Range{}, false
		}
		k := int64(v.Imm)
		if v.Type.IsSigned() {
			k = kir.SignExtend(v.Type, v.Imm)
		}
		return kir.Between(k, k), true
	case kir.OpSpecial:
		return specialRanges[v.Imm], true
	case kir.OpConvert:
		return x, v.Args[0].Type.IsInteger() || v.Args[0].Type == kir.Bool
	case kir.OpPopc, kir.OpClz:
		return kir.Between(0, int64(8*v.Args[0].Type.Bytes())), true
	case kir.OpSelect:
		return kir.Between(min(y.Lo, z.Lo), max(y.Hi, z.Hi)), y.Known && z.Known
	case kir.OpNeg:
		return kir.Between(-x.Hi, -x.Lo), x.Known && x.Lo > math.MinInt64
	case kir.OpAbs:
		return kir.Between(max(0, x.Lo, -x.Hi), max(-x.Lo, x.Hi)), x.Known && x.Lo > math.MinInt64
	case kir.OpAnd: // an operand without a sign bounds the result, whatever the other is
		switch {
		case x.Known && x.Lo >= 0 && y.Known && y.Lo >= 0:
			return kir.Between(0, min(x.Hi, y.Hi)), true
		case x.Known && x.Lo >= 0:
			return kir.Between(0, x.Hi), true
		case y.Known && y.Lo >= 0:
			return kir.Between(0, y.Hi), true
		}
		return kir.Range{}, false
	}
	if len(v.Args) != 2 || !v.IsPure() || !x.Known || !y.Known {
		return kir.Range{}, false
	}
	return arithmeticRange(v.Op, x, y)
}

func arithmeticRange(op kir.Op, x, y kir.Range) (kir.Range, bool) {
	const far = 1 << 62 // sums of two numbers below it do not overflow
	small := min(x.Lo, y.Lo) > -far && max(x.Hi, y.Hi) < far
	switch op {
	case kir.OpAdd:
		return kir.Between(x.Lo+y.Lo, x.Hi+y.Hi), small
	case kir.OpSub:
		return kir.Between(x.Lo-y.Hi, x.Hi-y.Lo), small
	case kir.OpMul:
		if x.Lo < 0 || y.Lo < 0 {
			const near = 1 << 31
			if min(x.Lo, y.Lo) < -near || max(x.Hi, y.Hi) > near {
				return kir.Range{}, false
			}
			a, b, c, d := x.Lo*y.Lo, x.Lo*y.Hi, x.Hi*y.Lo, x.Hi*y.Hi
			return kir.Between(min(a, b, c, d), max(a, b, c, d)), true
		}
		over, top := bits.Mul64(uint64(x.Hi), uint64(y.Hi))
		return kir.Between(x.Lo*y.Lo, int64(top)), over == 0 && top <= math.MaxInt64
	case kir.OpMin:
		return kir.Between(min(x.Lo, y.Lo), min(x.Hi, y.Hi)), true
	case kir.OpMax:
		return kir.Between(max(x.Lo, y.Lo), max(x.Hi, y.Hi)), true
	case kir.OpOr, kir.OpXor:
		if x.Lo < 0 || y.Lo < 0 {
			return kir.Range{}, false
		}
		return kir.Between(0, 1<<bits.Len64(uint64(x.Hi|y.Hi))-1), x.Hi|y.Hi < far
	case kir.OpShl:
		if x.Lo < 0 || y.Hi >= 63 || bits.Len64(uint64(x.Hi))+int(y.Hi) > 62 {
			return kir.Range{}, false
		}
		return kir.Between(x.Lo<<y.Lo, x.Hi<<y.Hi), true
	case kir.OpShr:
		least, most := min(y.Lo, 63), min(y.Hi, 63)
		return kir.Between(min(x.Lo>>least, x.Lo>>most), max(x.Hi>>least, x.Hi>>most)), true
	case kir.OpDiv:
		if y.Lo < 1 {
			return kir.Range{}, false
		}
		return kir.Between(min(x.Lo/y.Lo, x.Lo/y.Hi), max(x.Hi/y.Lo, x.Hi/y.Hi)), true
	case kir.OpRem: // its sign is the dividend's
		if y.Lo < 1 {
			return kir.Range{}, false
		}
		return kir.Between(max(min(x.Lo, 0), 1-y.Hi), min(max(x.Hi, 0), y.Hi-1)), true
	}
	return kir.Range{}, false
}
