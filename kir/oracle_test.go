package kir

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
)

// The oracle runs a kernel one thread at a time from barrier to barrier, by the words of ops.go and with none of the
// engine's code. It is slow and simple on purpose.
type oracle struct {
	f           *Func
	grid, block Dim3
	params      []byte
	global      map[uint64][]byte // by base address
}

type oracleThread struct {
	val  map[*Value]uint64
	blk  *Block
	pc   int
	done bool
}

func (o *oracle) run() {
	for cta := range o.grid.Count() {
		shared := make([]byte, o.f.SharedBytes())
		for i := range shared {
			shared[i] = 0xff
		}
		threads := make([]*oracleThread, o.block.Count())
		for i := range threads {
			threads[i] = &oracleThread{val: map[*Value]uint64{}, blk: o.f.Blocks[0]}
		}
		for running := true; running; {
			running = false
			for i, th := range threads {
				if !th.done {
					o.toBarrier(th, cta, i, shared)
					running = running || !th.done
				}
			}
		}
	}
}

func (o *oracle) toBarrier(th *oracleThread, cta, tid int, shared []byte) {
	for {
		for th.pc < len(th.blk.Values) {
			v := th.blk.Values[th.pc]
			th.pc++
			if v.Op == OpBarrier {
				return
			}
			o.step(th, v, cta, tid, shared)
		}
		t := th.blk.Term
		e := t.To[0]
		switch t.Kind {
		case TermReturn:
			th.done = true
			return
		case TermBranch:
			if th.val[t.Cond] == 0 {
				e = t.To[1]
			}
		}
		var vals []uint64
		for _, a := range e.Args {
			vals = append(vals, th.val[a])
		}
		for i, p := range e.To.Params {
			th.val[p] = vals[i]
		}
		th.blk, th.pc = e.To, 0
	}
}

func (o *oracle) memory(space Space, addr uint64, n int, shared []byte) []byte {
	if space == Shared {
		return shared[addr : addr+uint64(n)]
	}
	for base, b := range o.global {
		if addr >= base && addr < base+uint64(len(b)) {
			return b[addr-base:][:n]
		}
	}
	panic(fmt.Sprintf("oracle: no memory at %#x", addr))
}

func (o *oracle) step(th *oracleThread, v *Value, cta, tid int, shared []byte) {
	var args []uint64
	for _, a := range v.Args {
		args = append(args, th.val[a])
	}
	var b [8]byte
	switch v.Op {
	case OpConst:
		th.val[v] = v.Imm
	case OpParam:
		p := o.f.Params[v.Imm]
		copy(b[:], o.params[p.Offset:p.Offset+p.Type.Bytes()])
		th.val[v] = binary.LittleEndian.Uint64(b[:])
	case OpShared:
		th.val[v] = uint64(o.f.Shared[v.Imm].Offset)
	case OpSpecial:
		bl, g := o.block, o.grid
		th.val[v] = uint64([]int{
			tid % bl.X, tid / bl.X % bl.Y, tid / bl.X / bl.Y, bl.X, bl.Y, bl.Z,
			cta % g.X, cta / g.X % g.Y, cta / g.X / g.Y, g.X, g.Y, g.Z,
		}[v.Imm])
	case OpLoad:
		copy(b[:], o.memory(v.Space, args[0], v.Type.Bytes(), shared))
		x := binary.LittleEndian.Uint64(b[:])
		if v.Type == Bool && x != 0 {
			x = 1
		}
		th.val[v] = x
	case OpStore:
		binary.LittleEndian.PutUint64(b[:], args[1])
		n := v.Args[1].Type.Bytes()
		copy(o.memory(v.Space, args[0], n, shared), b[:n])
	default:
		th.val[v] = oracleOp(v, args)
	}
}

// number is an operand as Go holds it: f for floats, i for everything else.
func oracleNumber(t Type, bits uint64) (i *big.Int, f float64) {
	switch {
	case t == F32:
		return nil, float64(math.Float32frombits(uint32(bits)))
	case t == F64:
		return nil, math.Float64frombits(bits)
	}
	i = new(big.Int).SetUint64(bits)
	if w := uint(8 * t.Bytes()); t.IsSigned() && bits>>(w-1)&1 == 1 {
		i.Sub(i, new(big.Int).Lsh(big.NewInt(1), w))
	}
	return i, 0
}

func oracleBits(t Type, i *big.Int, f float64) uint64 {
	switch t {
	case F32:
		return uint64(math.Float32bits(float32(f)))
	case F64:
		return math.Float64bits(f)
	}
	mod := new(big.Int).Lsh(big.NewInt(1), uint(8*t.Bytes()))
	return new(big.Int).Mod(i, mod).Uint64() // Mod is never negative
}

func oracleOp(v *Value, args []uint64) uint64 {
	t := v.Args[0].Type
	truth := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}
	if v.Op == OpSelect {
		return args[2-args[0]]
	}
	if v.Op == OpConvert {
		return oracleConvert(v.Type, t, args[0])
	}
	if v.Op == OpShl || v.Op == OpShr {
		x, _ := oracleNumber(t, args[0])
		if v.Op == OpShl {
			x.Lsh(x, uint(min(args[1], 64)))
		} else {
			x.Rsh(x, uint(min(args[1], 64))) // rounds down, as an arithmetic shift does
		}
		return oracleBits(t, x, 0)
	}
	if t.IsFloat() {
		var f [3]float64
		for i, a := range args {
			_, f[i] = oracleNumber(t, a)
		}
		x, y := f[0], f[1]
		switch v.Op {
		case OpEq:
			return truth(x == y)
		case OpNe:
			return truth(x != y)
		case OpLt:
			return truth(x < y)
		case OpLe:
			return truth(x <= y)
		case OpGt:
			return truth(x > y)
		case OpGe:
			return truth(x >= y)
		}
		return oracleBits(t, nil, oracleFloat(v.Op, t, f))
	}
	x, _ := oracleNumber(t, args[0])
	y := new(big.Int)
	if len(args) > 1 {
		y, _ = oracleNumber(t, args[1])
	}
	cmp := x.Cmp(y)
	switch v.Op {
	case OpEq:
		return truth(cmp == 0)
	case OpNe:
		return truth(cmp != 0)
	case OpLt:
		return truth(cmp < 0)
	case OpLe:
		return truth(cmp <= 0)
	case OpGt:
		return truth(cmp > 0)
	case OpGe:
		return truth(cmp >= 0)
	case OpNot:
		if t == Bool {
			return 1 - args[0]
		}
	}
	z := new(big.Int)
	switch v.Op {
	case OpAdd:
		z.Add(x, y)
	case OpSub:
		z.Sub(x, y)
	case OpMul:
		z.Mul(x, y)
	case OpDiv:
		if y.Sign() != 0 {
			z.Quo(x, y)
		}
	case OpRem:
		if y.Sign() != 0 {
			z.Rem(x, y)
		}
	case OpMin:
		z = x
		if cmp > 0 {
			z = y
		}
	case OpMax:
		z = x
		if cmp < 0 {
			z = y
		}
	case OpNeg:
		z.Neg(x)
	case OpAbs:
		z.Abs(x)
	case OpAnd:
		z.And(x, y)
	case OpOr:
		z.Or(x, y)
	case OpXor:
		z.Xor(x, y)
	case OpNot:
		z.Not(x)
	default:
		panic("oracle: " + v.Op.String())
	}
	return oracleBits(t, z, 0)
}

// oracleFloat computes in float64, which gives the right float32 after rounding for + - * / sqrt (53 >= 2*24+2 bits).
func oracleFloat(op Op, t Type, f [3]float64) float64 {
	x, y := f[0], f[1]
	if (op == OpMin || op == OpMax) && (math.IsNaN(x) || math.IsNaN(y)) {
		return math.NaN() // math.Min lets an infinity win
	}
	if op.IsElementary() {
		i := slices.IndexFunc(elementary.Functions, func(f elementary.Function) bool { return f.Name == op.String() })
		switch f := elementary.Functions[i]; {
		case f.Arity() == 1 && t == F32:
			return float64(f.Unary32(float32(x)))
		case f.Arity() == 1:
			return f.Unary(x)
		case t == F32:
			return float64(f.Binary32(float32(x), float32(y)))
		default:
			return f.Binary(x, y)
		}
	}
	switch op {
	case OpAdd:
		return x + y
	case OpSub:
		return x - y
	case OpMul:
		return x * y
	case OpDiv:
		return x / y
	case OpMin:
		return math.Min(x, y)
	case OpMax:
		return math.Max(x, y)
	case OpNeg:
		return math.Copysign(x, -math.Copysign(1, x))
	case OpAbs:
		return math.Abs(x)
	case OpSqrt:
		return math.Sqrt(x)
	case OpFma:
		if t == F64 {
			return math.FMA(x, y, f[2])
		}
		return oracleFma32(x, y, f[2])
	}
	panic("oracle: " + op.String())
}

// oracleFma32 rounds the exact x*y+z to float32 by math/big.
func oracleFma32(x, y, z float64) float64 {
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

func oracleConvert(to, from Type, bits uint64) uint64 {
	i, f := oracleNumber(from, bits)
	switch {
	case to == Bool && from.IsFloat():
		if f != 0 {
			return 1
		}
		return 0
	case to == Bool:
		return uint64(i.CmpAbs(new(big.Int)))
	case to.IsFloat() && from.IsFloat():
		return oracleBits(to, nil, f)
	case to == F32:
		r, _ := new(big.Rat).SetInt(i).Float32()
		return uint64(math.Float32bits(r))
	case to == F64:
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
	return oracleBits(to, i, 0)
}
