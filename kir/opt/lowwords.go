package opt

import "github.com/arrayrepl/arrayrepl/kir"

// LowWords finds the integers of 64 bits of which nothing needs more than the low 32, by ID: a device computes them in
// 32 bits. Addresses of shared, local and constant memory are such, since their windows are small, and on a machine
// whose memory has 32-bit addresses (Bounds.Addresses32) those of global memory. What the kernel computes does not
// change: this is about what it costs.
func LowWords(f *kir.Func) []bool {
	low := make([]bool, f.NumValues())
	var work []*kir.Value
	for _, blk := range f.Blocks {
		for _, vs := range [][]*kir.Value{blk.Params, blk.Values} {
			for _, v := range vs {
				low[v.ID] = v.Type == kir.I64 || v.Type == kir.U64
			}
		}
	}
	whole := func(v *kir.Value) {
		if low[v.ID] {
			low[v.ID] = false
			work = append(work, v)
		}
	}
	into := incoming(f)
	visit := func(v *kir.Value) {
		for i, a := range v.Args {
			if low[a.ID] && needsHigh(f, v, i, low) {
				whole(a)
			}
		}
	}
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if low[v.ID] && !lowFollows[v.Op] {
				switch v.Op {
				case kir.OpConst, kir.OpParam, kir.OpShared, kir.OpLocal, kir.OpConstTable:
				default:
					whole(v)
				}
			}
		}
	}
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			visit(v)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v.Op == kir.OpArg {
			for _, e := range into[v.Block.ID] {
				whole(e.edge().Args[v.Imm])
			}
			continue
		}
		visit(v)
	}
	return low
}

// lowFollows are the operations whose low bits follow from those of their operands.
var lowFollows = [kir.NumOps]bool{
	kir.OpArg: true, kir.OpAdd: true, kir.OpSub: true, kir.OpMul: true, kir.OpAnd: true, kir.OpOr: true, kir.OpXor: true, kir.OpNot: true, kir.OpNeg: true, kir.OpShl: true, kir.OpSelect: true, kir.OpConvert: true,
}

// needsHigh reports whether operand i of v must have all its bits.
func needsHigh(f *kir.Func, v *kir.Value, i int, low []bool) bool {
	switch {
	case v.Op.IsMemory() && i == 0:
		return v.Space == kir.Global && !f.Bounds.Addresses32
	case v.Op == kir.OpConvert && v.Type.IsInteger() && v.Type.Bytes() <= 4:
		return false
	case v.Op == kir.OpShl && i == 1, v.Op == kir.OpSelect && i == 0:
		return true
	}
	return !(lowFollows[v.Op] && low[v.ID])
}

// LowFollows reports whether the low bits of a result of o follow from those of its operands.
func LowFollows(o kir.Op) bool { return lowFollows[o] }
