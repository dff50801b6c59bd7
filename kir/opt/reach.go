package opt

import (
	"math"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Reach is what a launch does with the memory that one of its parameters is the address of. Read and Written are bytes
// from that address on, both ends included; they are not Known where they may be any.
type Reach struct {
	Reads, Writes bool
	Read, Written kir.Range
}

// Reaches says, for each parameter of f, what a launch of that grid and block does with the memory that it is the
// address of. given returns the bits that are passed for parameter number n, false where they are not known, as those
// of addresses may be.
//
// The indices of a kernel that are sums and multiples of its threads' numbers, of integers that it is given, and of
// counters of its loops, within the bounds that its branches and checks set, come out as the least interval. It is the
// interval analysis of [Optimize], and takes as long: linear in the kernel's operations, some rounds of them where it
// has loops. Where an address is made in another way, all memory may be reached by it.
func Reaches(f *kir.Func, grid, block kir.Dim3, given func(n int) (bits uint64, known bool)) []Reach {
	g := f.Clone()
	from := pointers(g)
	out := make([]Reach, len(g.Params))
	if !plainPointers(g, from) {
		return anywhere(g)
	}
	for _, a := range g.Const {
		if a.From > 0 { // the launch fills a table from there
			out[a.From-1] = Reach{Reads: true}
		}
	}
	pinned(g, grid, block, given)
	for _, blk := range g.Blocks {
		for _, v := range blk.Values {
			if n, off := v.ParamRef(); v.Op == kir.OpParam && off == 0 && addresses(g, from)[n] {
				v.Within = kir.Between(0, 0) // an address is then how far it is from there
			}
		}
	}
	walked := false
	walkRanges(g, func(v *kir.Value, in [3]kir.Range, _ kir.Range) {
		walked = true
		if !v.Op.IsMemory() || v.Space != kir.Global {
			return
		}
		n := from[v.Args[0].ID]
		if n <= 0 {
			out = nil
			return
		}
		if out == nil {
			return
		}
		out[n-1].access(v, in[0])
	})
	if !walked || out == nil {
		return anywhere(g)
	}
	return out
}

// access notes that v goes to an address in that range.
func (r *Reach) access(v *kir.Value, at kir.Range) {
	if at.Known {
		off := int64(v.Imm)
		at.Lo, at.Hi = at.Lo+off, at.Hi+off+int64(kir.AccessBytes(v))-1
		at.Known = at.Lo >= 0 && at.Hi < math.MaxInt64/2
	}
	note := func(does *bool, where *kir.Range) {
		switch {
		case !*does:
			*where = at
		case !where.Known || !at.Known:
			*where = kir.Range{}
		default:
			where.Lo, where.Hi = min(where.Lo, at.Lo), max(where.Hi, at.Hi)
		}
		*does = true
	}
	if v.Op != kir.OpStore {
		note(&r.Reads, &r.Read)
	}
	if v.Op != kir.OpLoad {
		note(&r.Writes, &r.Written)
	}
}

// anywhere is what is known of a kernel that does more with addresses than to add to them.
func anywhere(f *kir.Func) []Reach {
	out := make([]Reach, len(f.Params))
	for i := range out {
		out[i] = Reach{Reads: true, Writes: true}
	}
	return out
}

// addresses reports of which parameters memory is accessed.
func addresses(f *kir.Func, from []int) []bool {
	out := make([]bool, len(f.Params))
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if v.Op.IsMemory() && v.Space == kir.Global {
				if n := from[v.Args[0].ID]; n > 0 {
					out[n-1] = true
				}
			}
		}
	}
	return out
}

// plainPointers reports whether f does nothing with addresses of global memory but to add to them, and to access that.
func plainPointers(f *kir.Func, from []int) bool {
	is := addresses(f, from)
	address := func(v *kir.Value) bool { n := from[v.ID]; return n > 0 && is[n-1] }
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if v.Op.IsMemory() && v.Space == kir.Global && from[v.Args[0].ID] <= 0 {
				return false
			}
			for i, a := range v.Args {
				switch {
				case !address(a):
				case v.Op.IsMemory() && i == 0 && v.Space == kir.Global:
				case v.Op == kir.OpAdd && v.Type == kir.U64 && !address(v.Args[1-i]):
				default:
					return false
				}
			}
		}
		if t := blk.Term; t.Cond != nil && address(t.Cond) {
			return false
		}
	}
	return true
}

// pinned notes the values that a launch gives f's integer parameters, and the numbers of its threads and blocks.
func pinned(f *kir.Func, grid, block kir.Dim3, given func(n int) (uint64, bool)) {
	least := func(n int) int64 { return int64(max(n, 1)) }
	of := map[kir.Special]kir.Range{}
	for axis, n := range [3][2]int{{grid.X, block.X}, {grid.Y, block.Y}, {grid.Z, block.Z}} {
		blocks, threads, a := least(n[0]), least(n[1]), kir.Special(axis)
		of[kir.CtaidX+a], of[kir.NCtaidX+a] = kir.Between(0, blocks-1), kir.Between(blocks, blocks)
		of[kir.TidX+a], of[kir.NTidX+a] = kir.Between(0, threads-1), kir.Between(threads, threads)
	}
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			switch v.Op {
			case kir.OpSpecial:
				if n, known := of[kir.Special(v.Imm)]; known {
					v.Within = n
				}
			case kir.OpParam:
				n, off := v.ParamRef()
				if off != 0 || v.Type != f.Params[n].Type || !v.Type.IsInteger() {
					continue
				}
				x, known := given(n)
				if !known {
					continue
				}
				if v.Type.IsSigned() {
					k := kir.SignExtend(v.Type, x)
					v.Within = kir.Between(k, k)
				} else if all, ok := typeRange(v.Type); ok {
					v.Within = kir.Between(int64(x)&all.Hi, int64(x)&all.Hi)
				} else if x <= math.MaxInt64 {
					v.Within = kir.Between(int64(x), int64(x))
				}
			}
		}
	}
}
