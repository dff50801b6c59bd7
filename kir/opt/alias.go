package opt

import (
	"cmp"

	"github.com/arrayrepl/arrayrepl/kir"
)

// accesses tells which of a kernel's accesses to memory may change places.
type accesses struct {
	f     *kir.Func
	from  []int // see pointers
	apart func(p, q int) bool
}

// mustFollow reports whether the access, test or the like of later stays behind that of earlier, which does not compute
// an operand of it.
func (m accesses) mustFollow(earlier, later []*kir.Value) bool {
	a, b := roleOf(earlier[0]), roleOf(later[0])
	switch {
	case a == syncs || a == stays || b == syncs || b == stays:
		return true
	case a == reads && b == reads, a == checks && b == checks:
		return false
	case a == checks && b == reads: // the test of its own index
		return earlier[0].Pos == later[0].Pos
	case a == checks || a == changes && (b == changes || b == checks):
		return true
	case b == checks:
		return false
	}
	for _, v := range earlier {
		for _, w := range later {
			if m.mayMeet(v, w) {
				return true
			}
		}
	}
	return false
}

// mayMeet reports whether two accesses of a thread may be to the same memory.
func (m accesses) mayMeet(x, y *kir.Value) bool {
	if x.Space != y.Space || x.Access == kir.Steady || y.Access == kir.Steady {
		return false
	}
	a, b := place(x, kir.Void, nil), place(y, kir.Void, nil)
	if a.base == b.base {
		return a.off-b.off < uint64(kir.AccessBytes(y)) || b.off-a.off < uint64(kir.AccessBytes(x))
	}
	if m.apart != nil {
		if p, q := m.from[a.base.ID], m.from[b.base.ID]; p > 0 && q > 0 && p != q && m.apart(p-1, q-1) {
			return false
		}
	}
	p, q := arrayOf(a.base, addressDepth), arrayOf(b.base, addressDepth)
	if p == nil || q == nil || p.Op != q.Op {
		return true
	}
	// these share their place
	dynamic := func(v *kir.Value) bool { return v.Op == kir.OpShared && m.f.Shared[v.Imm].Len == 0 }
	return p.Imm == q.Imm || dynamic(p) && dynamic(q)
}

// arrayOf returns the address of the kernel's array that addr is in, or nil where that cannot be seen.
func arrayOf(addr *kir.Value, depth int) *kir.Value {
	switch {
	case addr.Op == kir.OpShared || addr.Op == kir.OpLocal:
		return addr
	case addr.Op == kir.OpAdd && depth > 0:
		return cmp.Or(arrayOf(addr.Args[0], depth-1), arrayOf(addr.Args[1], depth-1))
	}
	return nil
}

// severalPointers marks an address that is made of several parameters, or comes out of memory.
const severalPointers = -1

// pointers returns, by value ID, the number of the parameter whose pointer, with something added to it, a value is,
// plus one; 0 for what is made of none, and severalPointers. A pointer is a parameter of type U64: those to memory of
// other languages have it, too.
func pointers(f *kir.Func) []int {
	from := make([]int, f.NumValues())
	for changed := true; changed; {
		changed = false
		join := func(v *kir.Value, p int) {
			if was := from[v.ID]; p != 0 && was != p && was != severalPointers {
				if was != 0 {
					p = severalPointers
				}
				from[v.ID], changed = p, true
			}
		}
		for _, blk := range f.Blocks {
			for _, v := range blk.Values {
				switch {
				case v.Type != kir.U64 && v.Type != kir.I64:
				case v.Op == kir.OpParam && v.Type == kir.U64:
					n, _ := v.ParamRef()
					join(v, n+1)
				case !v.IsPure():
					join(v, severalPointers)
				default:
					for _, a := range v.Args {
						join(v, from[a.ID])
					}
				}
			}
			for _, e := range blk.Term.Edges() {
				for i, a := range e.Args {
					join(e.To.Params[i], from[a.ID])
				}
			}
		}
	}
	return from
}
