package kir

// launchRanges notes what is known of the kernel's parameters, and of the places of its threads, from what its launches have in common: Param.Least
// and Most, Bounds.Blocks and Threads.
func launchRanges(f *Func) {
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			switch v.Op {
			case OpParam:
				if n, off := v.ParamRef(); off == 0 && v.Type.IsInteger() && v.Type == f.Params[n].Type {
					if p := f.Params[n]; p.Least != 0 || p.Most != 0 {
						v.within = between(p.Least, p.Most)
					}
				}
			case OpSpecial:
				for axis, most := range f.Bounds.Blocks {
					switch {
					case most == 0:
					case Special(v.Imm) == CtaidX+Special(axis):
						v.within = between(0, int64(most)-1)
					case Special(v.Imm) == NCtaidX+Special(axis):
						v.within = between(1, int64(most))
					}
				}
			case OpAdd, OpMul:
				for axis, most := range f.Bounds.Threads {
					switch {
					case most == 0:
					case v.Op == OpAdd && (isThread(v.Args[0], v.Args[1], axis) || isThread(v.Args[1], v.Args[0], axis)):
						v.within = between(0, int64(most)-1)
					case isProductOf(v, CtaidX+Special(axis), NTidX+Special(axis)):
						v.within = between(0, int64(most)-1)
					case isProductOf(v, NCtaidX+Special(axis), NTidX+Special(axis)):
						v.within = between(1, int64(most))
					}
				}
			}
		}
	}
}

// isThread reports whether x + y is a thread's place in the grid: that of its block's first and its own in the block.
func isThread(x, y *Value, axis int) bool {
	return isProductOf(x, CtaidX+Special(axis), NTidX+Special(axis)) && isSpecial(y, TidX+Special(axis))
}

// isProductOf reports whether v is the product of two special values, at whatever width.
func isProductOf(v *Value, a, b Special) bool {
	v = unwidened(v)
	return v.Op == OpMul && (isSpecial(v.Args[0], a) && isSpecial(v.Args[1], b) || isSpecial(v.Args[0], b) && isSpecial(v.Args[1], a))
}

func isSpecial(v *Value, s Special) bool {
	v = unwidened(v)
	return v.Op == OpSpecial && Special(v.Imm) == s
}

// unwidened is what v was before it was made wider.
func unwidened(v *Value) *Value {
	for v.Op == OpConvert && v.Type.IsInteger() && v.Args[0].Type.IsInteger() && v.Type.Bytes() >= v.Args[0].Type.Bytes() && v.Args[0].Type.Bytes() >= 4 {
		v = v.Args[0]
	}
	return v
}

func forgetRanges(f *Func) {
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			v.within = interval{}
		}
	}
}
