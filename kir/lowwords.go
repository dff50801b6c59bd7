package kir

// LowWords finds the integers of 64 bits of which nothing needs more than the low 32, by ID: a device computes them in 32 bits. Addresses of
// shared, local and constant memory are such, since their windows are small, and on a machine whose memory has 32-bit addresses (Bounds.Addresses32)
// those of global memory. What the kernel computes does not change: this is about what it costs.
func LowWords(f *Func) []bool {
	low := make([]bool, f.NumValues())
	var work []*Value
	for _, blk := range f.Blocks {
		for _, vs := range [][]*Value{blk.Params, blk.Values} {
			for _, v := range vs {
				low[v.ID] = v.Type == I64 || v.Type == U64
			}
		}
	}
	whole := func(v *Value) {
		if low[v.ID] {
			low[v.ID] = false
			work = append(work, v)
		}
	}
	into := f.incoming()
	visit := func(v *Value) {
		for i, a := range v.Args {
			if low[a.ID] && f.needsHigh(v, i, low) {
				whole(a)
			}
		}
	}
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if low[v.ID] && !lowFollows[v.Op] {
				switch v.Op {
				case OpConst, OpParam, OpShared, OpLocal, OpConstTable:
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
		if v.Op == OpArg {
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
var lowFollows = [numOps]bool{
	OpArg: true, OpAdd: true, OpSub: true, OpMul: true, OpAnd: true, OpOr: true, OpXor: true, OpNot: true, OpNeg: true, OpShl: true, OpSelect: true, OpConvert: true,
}

// needsHigh reports whether operand i of v must have all its bits.
func (f *Func) needsHigh(v *Value, i int, low []bool) bool {
	switch {
	case v.Op.IsMemory() && i == 0:
		return v.Space == Global && !f.Bounds.Addresses32
	case v.Op == OpConvert && v.Type.IsInteger() && v.Type.Bytes() <= 4:
		return false
	case v.Op == OpShl && i == 1, v.Op == OpSelect && i == 0:
		return true
	}
	return !(lowFollows[v.Op] && low[v.ID])
}

// LowFollows reports whether the low bits of a result of o follow from those of its operands.
func LowFollows(o Op) bool { return lowFollows[o] }
