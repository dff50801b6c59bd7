package opt

import "github.com/arrayrepl/arrayrepl/kir"

// launchRanges notes what is known of the kernel's parameters, and of the places of its threads, from what its launches
// have in common: Param.Least and Most, Bounds.Blocks and Threads.
func launchRanges(f *kir.Func) {
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			switch v.Op {
			case kir.OpParam:
				if n, off := v.ParamRef(); off == 0 && v.Type.IsInteger() && v.Type == f.Params[n].Type {
					if p := f.Params[n]; p.Least != 0 || p.Most != 0 {
						v.Within = kir.Between(p.Least, p.Most)
					}
				}
			case kir.OpSpecial:
				for axis, most := range f.Bounds.Blocks {
					switch {
					case most == 0:
					case kir.Special(v.Imm) == kir.CtaidX+kir.Special(axis):
						v.Within = kir.Between(0, int64(most)-1)
					case kir.Special(v.Imm) == kir.NCtaidX+kir.Special(axis):
						v.Within = kir.Between(1, int64(most))
					}
				}
			case kir.OpAdd, kir.OpMul:
				for axis, most := range f.Bounds.Threads {
					switch {
					case most == 0:
					case v.Op == kir.OpAdd && (isThread(v.Args[0], v.Args[1], axis) || isThread(v.Args[1], v.Args[0], axis)):
						v.Within = kir.Between(0, int64(most)-1)
					case isProductOf(v, kir.CtaidX+kir.Special(axis), kir.NTidX+kir.Special(axis)):
						v.Within = kir.Between(0, int64(most)-1)
					case isProductOf(v, kir.NCtaidX+kir.Special(axis), kir.NTidX+kir.Special(axis)):
						v.Within = kir.Between(1, int64(most))
					}
				}
			}
		}
	}
}

// isThread reports whether x + y is a thread's place in the grid: that of its block's first and its own in the block.
func isThread(x, y *kir.Value, axis int) bool {
	return isProductOf(x, kir.CtaidX+kir.Special(axis), kir.NTidX+kir.Special(axis)) && isSpecial(y, kir.TidX+kir.Special(axis))
}

// isProductOf reports whether v is the product of two special values, at whatever width.
func isProductOf(v *kir.Value, a, b kir.Special) bool {
	v = unwidened(v)
	return v.Op == kir.OpMul && (isSpecial(v.Args[0], a) && isSpecial(v.Args[1], b) || isSpecial(v.Args[0], b) && isSpecial(v.Args[1], a))
}

func isSpecial(v *kir.Value, s kir.Special) bool {
	v = unwidened(v)
	return v.Op == kir.OpSpecial && kir.Special(v.Imm) == s
}

// unwidened is what v was before it was made wider.
func unwidened(v *kir.Value) *kir.Value {
	for v.Op == kir.OpConvert && v.Type.IsInteger() && v.Args[0].Type.IsInteger() && v.Type.Bytes() >= v.Args[0].Type.Bytes() && v.Args[0].Type.Bytes() >= 4 {
		v = v.Args[0]
	}
	return v
}

func forgetRanges(f *kir.Func) {
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			v.Within = kir.Range{}
		}
	}
}
