package ref

import (
	"math"
	"math/big"
	"slices"
	"sort"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
	"github.com/arrayrepl/arrayrepl/internal/sfu"
	"github.com/arrayrepl/arrayrepl/kir"
)

// number returns an operand as Go holds it: f for floats, i for everything else.
func number(t kir.Type, bits uint64) (i *big.Int, f float64) {
	switch {
	case t == kir.F16:
		return nil, half(uint16(bits))
	case t == kir.F32:
		return nil, float64(math.Float32frombits(uint32(bits)))
	case t == kir.F64:
		return nil, math.Float64frombits(bits)
	}
	i = new(big.Int).SetUint64(bits)
	if w := uint(8 * t.Bytes()); t.IsSigned() && bits>>(w-1)&1 == 1 {
		i.Sub(i, new(big.Int).Lsh(big.NewInt(1), w))
	}
	return i, 0
}

func toBits(t kir.Type, i *big.Int, f float64) uint64 {
	switch t {
	case kir.F16:
		return uint64(toHalf(f))
	case kir.F32:
		return uint64(math.Float32bits(float32(f)))
	case kir.F64:
		return math.Float64bits(f)
	}
	mod := new(big.Int).Lsh(big.NewInt(1), uint(8*t.Bytes()))
	return new(big.Int).Mod(i, mod).Uint64() // Mod is never negative
}

// Op returns the bits of v, an operation without memory, of operands with the bits args.
func Op(v *kir.Value, args []uint64) uint64 {
	t := v.Args[0].Type
	truth := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}
	if v.Op == kir.OpSelect {
		return args[2-args[0]]
	}
	if v.Op == kir.OpBitcast {
		return args[0]
	}
	if v.Op == kir.OpConvert {
		return convert(v.Type, t, args[0])
	}
	if v.Op == kir.OpShl || v.Op == kir.OpShr {
		x, _ := number(t, args[0])
		if v.Op == kir.OpShl {
			x.Lsh(x, uint(min(args[1], 64)))
		} else {
			x.Rsh(x, uint(min(args[1], 64))) // rounds down, as an arithmetic shift does
		}
		return toBits(t, x, 0)
	}
	if v.Op == kir.OpSharedOf {
		return args[0]&(1<<18-1) | args[1]<<18
	}
	if t.IsFloat() {
		var f [3]float64
		for i, a := range args {
			_, f[i] = number(t, a)
		}
		x, y := f[0], f[1]
		switch v.Op {
		case kir.OpEq:
			return truth(x == y)
		case kir.OpNe:
			return truth(x != y)
		case kir.OpLt:
			return truth(x < y)
		case kir.OpLe:
			return truth(x <= y)
		case kir.OpGt:
			return truth(x > y)
		case kir.OpGe:
			return truth(x >= y)
		}
		return toBits(t, nil, float(v.Op, t, f))
	}
	x, _ := number(t, args[0])
	y := new(big.Int)
	if len(args) > 1 {
		y, _ = number(t, args[1])
	}
	cmp := x.Cmp(y)
	switch v.Op {
	case kir.OpEq:
		return truth(cmp == 0)
	case kir.OpNe:
		return truth(cmp != 0)
	case kir.OpLt:
		return truth(cmp < 0)
	case kir.OpLe:
		return truth(cmp <= 0)
	case kir.OpGt:
		return truth(cmp > 0)
	case kir.OpGe:
		return truth(cmp >= 0)
	case kir.OpNot:
		if t == kir.Bool {
			return 1 - args[0]
		}
	}
	z := new(big.Int)
	switch v.Op {
	case kir.OpAdd:
		z.Add(x, y)
	case kir.OpSub:
		z.Sub(x, y)
	case kir.OpMul:
		z.Mul(x, y)
	case kir.OpDiv:
		if y.Sign() != 0 {
			z.Quo(x, y)
		}
	case kir.OpRem:
		if y.Sign() != 0 {
			z.Rem(x, y)
		}
	case kir.OpMin:
		z = x
		if cmp > 0 {
			z = y
		}
	case kir.OpMax:
		z = x
		if cmp < 0 {
			z = y
		}
	case kir.OpNeg:
		z.Neg(x)
	case kir.OpAbs:
		z.Abs(x)
	case kir.OpAnd:
		z.And(x, y)
	case kir.OpOr:
		z.Or(x, y)
	case kir.OpXor:
		z.Xor(x, y)
	case kir.OpNot:
		z.Not(x)
	case kir.OpMulHi:
		z.Rsh(z.Mul(x, y), uint(8*t.Bytes())) // rounds down
	case kir.OpPopc, kir.OpClz, kir.OpBrev:
		return wordOp(v.Op, args[0], 8*t.Bytes())
	default:
		panic("ref: " + v.Op.String())
	}
	return toBits(t, z, 0)
}

// float computes in float64, which gives the right float32 after rounding for + - * / sqrt (53 >= 2*24+2 bits).
func float(op kir.Op, t kir.Type, f [3]float64) float64 {
	x, y := f[0], f[1]
	if (op == kir.OpMin || op == kir.OpMax) && (math.IsNaN(x) || math.IsNaN(y)) {
		return math.NaN() // math.Min lets an infinity win
	}
	if op.IsElementary() {
		i := slices.IndexFunc(elementary.Functions, func(f elementary.Function) bool { return f.Name == op.String() })
		switch f := elementary.Functions[i]; {
		case f.Arity() == 1 && t == kir.F32:
			return float64(f.Unary32(float32(x)))
		case f.Arity() == 1:
			return f.Unary(x)
		case t == kir.F32:
			return float64(f.Binary32(float32(x), float32(y)))
		default:
			return f.Binary(x, y)
		}
	}
	if op.IsApproximate() {
		i := slices.IndexFunc(sfu.Functions, func(f sfu.Function) bool { return "approx_"+f.Name == op.String() })
		return float64(sfu.Functions[i].Of(float32(x)))
	}
	switch op {
	case kir.OpAdd:
		return x + y
	case kir.OpSub:
		return x - y
	case kir.OpMul:
		return x * y
	case kir.OpDiv:
		return x / y
	case kir.OpMin:
		return math.Min(x, y)
	case kir.OpMax:
		return math.Max(x, y)
	case kir.OpNeg:
		return math.Copysign(x, -math.Copysign(1, x))
	case kir.OpAbs:
		return math.Abs(x)
	case kir.OpSqrt:
		return math.Sqrt(x)
	case kir.OpFloor:
		return math.Floor(x)
	case kir.OpCeil:
		return math.Ceil(x)
	case kir.OpTrunc:
		return math.Trunc(x)
	case kir.OpRint:
		return math.RoundToEven(x)
	case kir.OpFlush:
		if math.Abs(x) < 0x1p-126 {
			return math.Copysign(0, x)
		}
		return x
	case kir.OpFma:
		if t == kir.F64 {
			return math.FMA(x, y, f[2])
		}
		return Fma32(x, y, f[2])
	}
	panic("ref: " + op.String())
}

// wordOp goes through the bits one by one.
func wordOp(op kir.Op, x uint64, width int) (z uint64) {
	lead := true
	for i := width - 1; i >= 0; i-- {
		bit := x >> i & 1
		lead = lead && bit == 0
		switch {
		case op == kir.OpBrev:
			z |= bit << (width - 1 - i)
		case op == kir.OpPopc, lead:
			if op == kir.OpClz {
				z++
			} else {
				z += bit
			}
		}
	}
	return z
}

// half returns the value of the bits of an F16, by the words of IEEE 754.
func half(h uint16) float64 {
	sign, exp, frac := 1.0, int(h>>10&31), float64(h&0x3ff)
	if h>>15 == 1 {
		sign = -1
	}
	switch {
	case exp == 31 && frac != 0:
		return math.NaN()
	case exp == 31:
		return sign * math.Inf(1)
	case exp == 0:
		return math.Copysign(frac*0x1p-24, sign)
	}
	return sign * math.Ldexp(1+frac/1024, exp-15)
}

// toHalf finds the nearest F16 by search: positive ones are ordered as their bits are.
func toHalf(x float64) uint16 {
	var sign uint16
	if math.Signbit(x) {
		sign = 0x8000
	}
	a := math.Abs(x)
	if math.IsNaN(x) {
		return 0x7e00
	}
	if a >= 65520 {
		return sign | 0x7c00
	}
	// the greatest that is not above
	h := uint16(sort.Search(0x7c00, func(i int) bool { return half(uint16(i)) > a })) - 1
	above := 65536.0
	if h < 0x7bff {
		above = half(h + 1)
	}
	if d := (above - a) - (a - half(h)); d < 0 || d == 0 && h&1 == 1 {
		h++
	}
	return sign | h
}

// Fma32 rounds the exact x*y+z to float32 by math/big.
func Fma32(x, y, z float64) float64 {
	plain := x*y + z
	if math.IsNaN(plain) || math.IsInf(plain, 0) || x*y == 0 {
		return plain
	}
	exact := new(big.Rat).Mul(new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(y))
	exact.Add(exact, new(big.Rat).SetFloat64(z))
	if exact.Sign() == 0 {
		return plain
	}
	r, _ := exact.Float32()
	return float64(r)
}

func convert(to, from kir.Type, bits uint64) uint64 {
	i, f := number(from, bits)
	switch {
	case to == kir.Bool && from.IsFloat():
		if f != 0 {
			return 1
		}
		return 0
	case to == kir.Bool:
		return uint64(i.CmpAbs(new(big.Int)))
	case to.IsFloat() && from.IsFloat():
		return toBits(to, nil, f)
	case to == kir.F16: // what float64 rounds away is infinite as F16
		r, _ := new(big.Rat).SetInt(i).Float64()
		return toBits(to, nil, r)
	case to == kir.F32:
		r, _ := new(big.Rat).SetInt(i).Float32()
		return uint64(math.Float32bits(r))
	case to == kir.F64:
		r, _ := new(big.Rat).SetInt(i).Float64()
		return math.Float64bits(r)
	case from.IsFloat():
		lo, hi := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(8*to.Bytes()))
		if to.IsSigned() {
			hi.Rsh(hi, 1)
			lo.Neg(hi)
		}
		hi.Sub(hi, big.NewInt(1))
		switch {
		case math.IsNaN(f):
			return 0
		case math.IsInf(f, 0):
			i = lo
			if f > 0 {
				i = hi
			}
		default:
			i, _ = big.NewFloat(f).Int(nil)
			if i.Cmp(lo) < 0 {
				i = lo
			}
			if i.Cmp(hi) > 0 {
				i = hi
			}
		}
	}
	return toBits(to, i, 0)
}
