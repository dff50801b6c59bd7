package opt

import "github.com/arrayrepl/arrayrepl/kir"

// maxOffset is how far an address may lie from its base: loads and stores have room for 24 bits with a sign.
const maxOffset = 1 << 23

// foldAddresses takes the constants out of the addresses of loads, stores and atomics, into the offset that each of
// them has: neighbours in a row then share their address.
func foldAddresses(f *kir.Func) bool {
	changed := false
	for _, blk := range f.Blocks {
		r := rewriter{f: f, blk: blk, out: make([]*kir.Value, 0, len(blk.Values))}
		bases := make(map[*kir.Value]*kir.Value) // parts of a vector access keep one address
		for _, v := range blk.Values {
			if v.Op.IsMemory() {
				addr := v.Args[0]
				off := constantIn(addr, addressDepth)
				if to := int64(v.Imm + off); off != 0 && addr.Op != kir.OpConst && to > -maxOffset && to < maxOffset {
					r.at = v
					if bases[addr] == nil {
						bases[addr] = r.without(addr, addressDepth)
					}
					v.Args[0], v.Imm, changed = bases[addr], uint64(to), true
				}
			}
			r.out = append(r.out, v)
		}
		blk.Values = r.out
		blk.SplitVectors() // one whose parts are not all within reach
	}
	return changed
}

// addressDepth is how many operations constantIn looks back.
const addressDepth = 8

// constantIn returns the constant that v, taken as a sum, contains. It sees through operations in which the constant
// comes out unchanged or multiplied; all wrap around as sums of addresses do.
func constantIn(v *kir.Value, depth int) uint64 {
	if v.Op == kir.OpConst {
		return v.Imm
	}
	if depth == 0 {
		return 0
	}
	switch kind, k := linear(v); kind {
	case sum:
		return constantIn(v.Args[0], depth-1) + constantIn(v.Args[1], depth-1)
	case difference:
		return constantIn(v.Args[0], depth-1) - constantIn(v.Args[1], depth-1)
	case scaled:
		return constantIn(v.Args[0], depth-1) * k
	case widened:
		from := v.Args[0].Type
		c := constantIn(v.Args[0], depth-1)
		if from.Bytes() == 8 {
			return c
		}
		// The operand is itself less c, exactly, where that fits its type for all values that it can have.
		by := kir.SignExtend(from, c)
		n := rangeOf(v.Args[0])
		if lim, ok := typeRange(from); ok && n.Known && lim.Lo <= n.Lo-by && n.Hi-by <= lim.Hi {
			return uint64(by)
		}
	}
	return 0
}

type linearity uint8

const (
	other linearity = iota
	sum
	difference
	scaled  // the first operand times a constant
	widened // a conversion that keeps the value
)

// linear classifies v, and returns the factor of a scaled one.
func linear(v *kir.Value) (linearity, uint64) {
	kind, k := other, uint64(0)
	switch v.Op {
	case kir.OpAdd:
		kind = sum
	case kir.OpSub:
		kind = difference
	case kir.OpMul:
		if c := v.Args[1]; c.Op == kir.OpConst {
			kind, k = scaled, c.Imm
			if v.Type.IsSigned() {
				k = uint64(kir.SignExtend(v.Type, c.Imm))
			}
		}
	case kir.OpShl:
		if c := v.Args[1]; c.Op == kir.OpConst && c.Imm < 64 {
			kind, k = scaled, 1<<c.Imm
		}
	case kir.OpConvert:
		if from := v.Args[0].Type; from.IsInteger() && v.Type.Bytes() == 8 && from.Bytes() >= 4 {
			kind = widened
		}
	}
	if !v.Type.IsInteger() || kind == other {
		return other, 0
	}
	return kind, k
}

// without returns v less the constant that constantIn finds in it.
func (r *rewriter) without(v *kir.Value, depth int) *kir.Value {
	if constantIn(v, depth) == 0 {
		return v
	}
	if v.Op == kir.OpConst {
		return r.constant(v.Type, 0)
	}
	switch kind, _ := linear(v); kind {
	case sum, difference:
		return r.op(v.Op, v.Type, r.without(v.Args[0], depth-1), r.without(v.Args[1], depth-1))
	default:
		return r.op(v.Op, v.Type, append([]*kir.Value{r.without(v.Args[0], depth-1)}, v.Args[1:]...)...)
	}
}
