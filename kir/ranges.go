package kir

import (
	"math"
	"math/bits"
)

// typeRange returns the values of an integer type; those of U64 do not fit an interval.
func typeRange(t Type) (interval, bool) {
	switch {
	case t == Bool:
		return between(0, 1), true
	case t == U64 || !t.IsInteger():
		return interval{}, false
	case t == I64:
		return between(math.MinInt64, math.MaxInt64), true
	case t.IsSigned():
		return between(-1<<(8*t.Bytes()-1), 1<<(8*t.Bytes()-1)-1), true
	}
	return between(0, 1<<(8*t.Bytes())-1), true
}

// specialRanges are CUDA's limits: 1024 threads in a block, 2^31-1 blocks in a row of the grid.
var specialRanges = [NumSpecials]interval{
	TidX: between(0, MaxThreadsPerBlock-1), TidY: between(0, MaxThreadsPerBlock-1), TidZ: between(0, MaxThreadsPerBlock-1),
	NTidX: between(1, MaxThreadsPerBlock), NTidY: between(1, MaxThreadsPerBlock), NTidZ: between(1, MaxThreadsPerBlock),
	CtaidX: between(0, math.MaxInt32-1), CtaidY: between(0, math.MaxInt32-1), CtaidZ: between(0, math.MaxInt32-1),
	LaneID: between(0, WarpSize-1), WarpID: between(0, MaxThreadsPerBlock/WarpSize-1),
	NCtaidX: between(1, math.MaxInt32), NCtaidY: between(1, math.MaxInt32), NCtaidZ: between(1, math.MaxInt32),
}

// within returns n as the range of a value of type t: all values of t, where what n is of may have wrapped around.
func (n interval) within(t Type) interval {
	all, ok := typeRange(t)
	switch {
	case !ok && t != U64:
		return interval{}
	case !n.known, t == U64 && n.lo < 0, all.known && (n.lo < all.lo || n.hi > all.hi):
		return all
	}
	return n
}

// rangeOf returns what v's operands tell of its value, looking a few operations back.
func rangeOf(v *Value) interval { return rangeTo(v, 6) }

func rangeTo(v *Value, depth int) interval {
	var in [3]interval
	if len(v.Args) > 0 && (depth == 0 || !v.pure() || v.Op.IsCompare()) {
		if v.within.known {
			return v.within
		}
		return in[0].within(v.Type)
	}
	for i, a := range v.Args[:min(len(v.Args), len(in))] {
		in[i] = rangeTo(a, depth-1)
	}
	return transfer(v, in)
}

// transfer returns the range of v, whose first three operands have the ranges of in.
func transfer(v *Value, in [3]interval) interval {
	n, ok := rangeFrom(v, in)
	n.known = n.known && ok
	n = n.within(v.Type)
	if w := v.within; w.known {
		if !n.known {
			return w
		}
		n.lo, n.hi = max(n.lo, w.lo), min(n.hi, w.hi)
	}
	return n
}

func rangeFrom(v *Value, in [3]interval) (interval, bool) {
	x, y, z := in[0], in[1], in[2]
	switch v.Op {
	case OpConst:
		if v.Type == U64 && v.Imm > math.MaxInt64 {
			return interval{}, false
		}
		k := int64(v.Imm)
		if v.Type.IsSigned() {
			k = signExtend(v.Type, v.Imm)
		}
		return between(k, k), true
	case OpSpecial:
		return specialRanges[v.Imm], true
	case OpConvert:
		return x, v.Args[0].Type.IsInteger() || v.Args[0].Type == Bool
	case OpPopc, OpClz:
		return between(0, int64(8*v.Args[0].Type.Bytes())), true
	case OpSelect:
		return between(min(y.lo, z.lo), max(y.hi, z.hi)), y.known && z.known
	case OpNeg:
		return between(-x.hi, -x.lo), x.known && x.lo > math.MinInt64
	case OpAbs:
		return between(max(0, x.lo, -x.hi), max(-x.lo, x.hi)), x.known && x.lo > math.MinInt64
	case OpAnd: // an operand without a sign bounds the result, whatever the other is
		switch {
		case x.known && x.lo >= 0 && y.known && y.lo >= 0:
			return between(0, min(x.hi, y.hi)), true
		case x.known && x.lo >= 0:
			return between(0, x.hi), true
		case y.known && y.lo >= 0:
			return between(0, y.hi), true
		}
		return interval{}, false
	}
	if len(v.Args) != 2 || !v.pure() || !x.known || !y.known {
		return interval{}, false
	}
	return arithmeticRange(v.Op, x, y)
}

func arithmeticRange(op Op, x, y interval) (interval, bool) {
	const far = 1 << 62 // sums of two numbers below it do not overflow
	small := min(x.lo, y.lo) > -far && max(x.hi, y.hi) < far
	switch op {
	case OpAdd:
		return between(x.lo+y.lo, x.hi+y.hi), small
	case OpSub:
		return between(x.lo-y.hi, x.hi-y.lo), small
	case OpMul:
		if x.lo < 0 || y.lo < 0 {
			const near = 1 << 31
			if min(x.lo, y.lo) < -near || max(x.hi, y.hi) > near {
				return interval{}, false
			}
			a, b, c, d := x.lo*y.lo, x.lo*y.hi, x.hi*y.lo, x.hi*y.hi
			return between(min(a, b, c, d), max(a, b, c, d)), true
		}
		over, top := bits.Mul64(uint64(x.hi), uint64(y.hi))
		return between(x.lo*y.lo, int64(top)), over == 0 && top <= math.MaxInt64
	case OpMin:
		return between(min(x.lo, y.lo), min(x.hi, y.hi)), true
	case OpMax:
		return between(max(x.lo, y.lo), max(x.hi, y.hi)), true
	case OpOr, OpXor:
		if x.lo < 0 || y.lo < 0 {
			return interval{}, false
		}
		return between(0, 1<<bits.Len64(uint64(x.hi|y.hi))-1), x.hi|y.hi < far
	case OpShl:
		if x.lo < 0 || y.hi >= 63 || bits.Len64(uint64(x.hi))+int(y.hi) > 62 {
			return interval{}, false
		}
		return between(x.lo<<y.lo, x.hi<<y.hi), true
	case OpShr:
		least, most := min(y.lo, 63), min(y.hi, 63)
		return between(min(x.lo>>least, x.lo>>most), max(x.hi>>least, x.hi>>most)), true
	case OpDiv:
		if y.lo < 1 {
			return interval{}, false
		}
		return between(min(x.lo/y.lo, x.lo/y.hi), max(x.hi/y.lo, x.hi/y.hi)), true
	case OpRem: // its sign is the dividend's
		if y.lo < 1 {
			return interval{}, false
		}
		return between(max(min(x.lo, 0), 1-y.hi), min(max(x.hi, 0), y.hi-1)), true
	}
	return interval{}, false
}
