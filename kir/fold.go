package kir

import (
	"math/bits"
	"unsafe"
)

// evaluate computes v from constant operands by the engine's own function for it.
func evaluate(v *Value) uint64 {
	var x [4]uint64
	for i, a := range v.Args {
		x[i+1] = a.Imm
	}
	p := func(i int) unsafe.Pointer { return unsafe.Pointer(&x[i]) }
	vectorOf(v)(1, p(0), p(1), p(2), p(3))
	return x[0]
}

// fold computes what depends on constants alone and applies the identities of simplify.
func fold(f *Func) bool {
	changed := false
	by := make(map[*Value]*Value)
	for _, blk := range f.Blocks {
		var out []*Value
		constant := func(t Type, bits uint64) *Value {
			c := &Value{ID: f.nextID, Op: OpConst, Type: t, Imm: bits, Block: blk}
			f.nextID++
			out = append(out, c)
			return c
		}
		for _, v := range blk.Values {
			for i, a := range v.Args {
				for by[a] != nil {
					a = by[a]
				}
				v.Args[i] = a
			}
			switch {
			case len(v.Args) == 0 || !v.pure() || vectorOf(v) == nil:
			case allConst(v.Args):
				v.Op, v.Imm, v.Args, changed = OpConst, evaluate(v), nil, true
			default:
				if w := simplify(v, constant); w == v {
					changed = true
				} else if w != nil {
					by[v], changed = w, true
				}
			}
			out = append(out, v)
		}
		blk.Values = out
	}
	f.replaceAll(by)
	return changed
}

func allConst(vs []*Value) bool {
	for _, v := range vs {
		if v.Op != OpConst {
			return false
		}
	}
	return true
}

var commutative = [numOps]bool{
	OpAdd: true, OpMul: true, OpMin: true, OpMax: true, OpAnd: true, OpOr: true, OpXor: true, OpEq: true, OpNe: true,
}

// simplify returns a value that equals v, or v itself after changing it to a cheaper form, or nil when it knows neither.
// New constants come from constant. Floats have few identities: x+0 is not x when x is -0, x*0 not 0 when x is NaN.
func simplify(v *Value, constant func(Type, uint64) *Value) *Value {
	if commutative[v.Op] && v.Args[0].Op == OpConst {
		v.Args[0], v.Args[1] = v.Args[1], v.Args[0]
		return v
	}
	switch v.Op {
	case OpSelect:
		cond, yes, no := v.Args[0], v.Args[1], v.Args[2]
		switch {
		case yes == no, cond.Op == OpConst && cond.Imm != 0:
			return yes
		case cond.Op == OpConst:
			return no
		}
	case OpConvert:
		return convertOfConvert(v)
	}
	if len(v.Args) != 2 {
		return nil
	}
	x, c := v.Args[0], v.Args[1]
	if x == c {
		switch v.Op {
		case OpMin, OpMax, OpAnd, OpOr:
			return x
		case OpXor:
			return constant(v.Type, 0)
		case OpSub:
			if v.Type.IsInteger() {
				return constant(v.Type, 0)
			}
		}
	}
	if c.Op != OpConst {
		return nil
	}
	if v.Type.IsFloat() {
		one := v.Type == F64 && c.Imm == 0x3ff0000000000000 || v.Type == F32 && c.Imm == 0x3f800000
		if one && (v.Op == OpMul || v.Op == OpDiv) || c.Imm == 0 && v.Op == OpSub {
			return x
		}
		return nil
	}
	if v.Type.IsInteger() {
		return simplifyInteger(v, x, c.Imm, constant)
	}
	return nil
}

// simplifyInteger simplifies v, an operation on x and the constant k.
func simplifyInteger(v, x *Value, k uint64, constant func(Type, uint64) *Value) *Value {
	shift := uint64(bits.TrailingZeros64(k))
	power := bits.OnesCount64(k) == 1 // of two; of a signed type's least value too, which wraps as shifting does
	switch v.Op {
	case OpAdd, OpSub, OpOr, OpXor, OpShl, OpShr:
		if k == 0 {
			return x
		}
	case OpAnd:
		if k == 0 {
			return constant(v.Type, 0)
		}
		if k == canonical(v.Type, ^uint64(0)) {
			return x
		}
	case OpMul:
		switch {
		case k == 0:
			return constant(v.Type, 0)
		case k == 1:
			return x
		case power:
			v.Op, v.Args = OpShl, []*Value{x, constant(U32, shift)}
			return v
		}
	case OpDiv:
		switch {
		case k == 1:
			return x
		case power && v.Type.IsUnsigned():
			v.Op, v.Args = OpShr, []*Value{x, constant(U32, shift)}
			return v
		}
	case OpRem:
		if power && v.Type.IsUnsigned() {
			v.Op, v.Args = OpAnd, []*Value{x, constant(v.Type, k-1)}
			return v
		}
	}
	// (x + j) + k = x + (j + k), which neighbours in a row of an array come to.
	if v.Op == OpAdd && x.Op == OpAdd && x.Args[1].Op == OpConst {
		sum := canonical(v.Type, x.Args[1].Imm+k)
		v.Args = []*Value{x.Args[0], constant(v.Type, sum)}
		return v
	}
	return nil
}

// convertOfConvert takes integer conversions together: what is converted to a type that holds all of its values, and then
// on, is converted on from the start.
func convertOfConvert(v *Value) *Value {
	x := v.Args[0]
	if x.Op != OpConvert {
		return nil
	}
	from := x.Args[0]
	if !from.Type.IsInteger() || !x.Type.IsInteger() || !v.Type.IsInteger() || !holds(x.Type, from.Type) {
		return nil
	}
	if v.Type == from.Type {
		return from
	}
	v.Args = []*Value{from}
	return v
}

// holds reports whether integer type t holds every value of integer type s.
func holds(t, s Type) bool {
	if t.IsSigned() == s.IsSigned() {
		return t.Bytes() >= s.Bytes()
	}
	return t.IsSigned() && t.Bytes() > s.Bytes()
}
