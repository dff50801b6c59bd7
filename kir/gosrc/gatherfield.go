package gosrc

import "golang.org/x/tools/go/ssa"

// gatherField says that a kernel reads a field of a gather, or writes to what it holds: a stream from which a kernel
// gathers is written by none of its threads, or what others read of it would depend on who comes first.
func gatherField(field, gather ssa.Value) (msg, hint string) {
	if !written(field) {
		return "look into a gather", "its method At reads an element"
	}
	msg = "write to a stream that it gathers from"
	if name := gatherOf(gather); name != "" {
		msg = "write to the stream that its parameter " + name + " gathers from"
	}
	return msg, "a gather is read only; a kernel writes by its results, which are streams of their own"
}

// copies is through how many variables a gather is followed to its parameter.
const copies = 8

// gatherOf is the name of the parameter that a gather, or the only one at an address, is; "" where that is not known.
func gatherOf(gather ssa.Value) (name string) {
	for range copies {
		switch v := gather.(type) {
		case *ssa.Parameter:
			return v.Name()
		case *ssa.UnOp: // what is at the address
			gather = v.X
		case *ssa.Alloc:
			gather = nil
			for _, use := range *v.Referrers() {
				s, ok := use.(*ssa.Store)
				switch {
				case !ok || s.Addr != v:
				case gather != nil: // another one
					return ""
				default:
					gather = s.Val
				}
			}
		default:
			return ""
		}
	}
	return ""
}

// written reports whether something is stored through a value: at its address, or in what it refers to.
func written(v ssa.Value) bool {
	for _, use := range *v.Referrers() {
		switch use := use.(type) {
		case *ssa.Store:
			if use.Addr == v {
				return true
			}
		case *ssa.IndexAddr:
			if use.X == v && written(use) {
				return true
			}
		case *ssa.FieldAddr:
			if written(use) {
				return true
			}
		case *ssa.UnOp: // what is at the address
			if written(use) {
				return true
			}
		}
	}
	return false
}
