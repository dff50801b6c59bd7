package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// maxCells is how many elements of one array become values: more would not stay in registers.
const maxCells = 64

// cell is an element of a local array whose accesses all have its offset and type.
type cell struct {
	array int
	off   uint64
}

// promote makes values of the elements of local arrays that are only accessed at constant offsets, as variables are:
// they are in registers then, and their loads and stores are gone. An access at an index beyond its own array, of which
// other arrays are not safe, counts as none of theirs.
func promote(f *kir.Func) bool {
	into := incoming(f)
	if len(f.Local) == 0 || len(into[0]) > 0 {
		return false
	}
	types := cells(f)
	if len(types) == 0 {
		return dropArrays(f, kir.OpLocal, &f.Local)
	}
	p := promotion{f: f, into: into, by: make(replacements, f.NumValues()), vars: make(map[cell]*reaching)}
	for c, t := range types {
		r := reachingOf(f, p.into, &variable{typ: t, name: f.Local[c.array].Name})
		r.undefined = func() *kir.Value { return p.constant(t, ^uint64(0)) }
		p.vars[c] = r
	}
	for _, blk := range f.Blocks {
		p.block(blk)
	}
	for _, l := range p.loads { // of what blocks before have stored
		p.by[l.Value.ID] = p.vars[l.cell].atStart(l.blk)
	}
	f.Blocks[0].Values = append(p.constants, f.Blocks[0].Values...)
	replaceAll(f, p.by)
	dropArrays(f, kir.OpLocal, &f.Local)
	return true
}

type promotion struct {
	f         *kir.Func
	into      [][]inEdge
	by        replacements
	vars      map[cell]*reaching
	constants []*kir.Value
	loads     []pendingLoad
}

type pendingLoad struct {
	*kir.Value
	cell cell
	blk  *kir.Block
}

func (p *promotion) constant(t kir.Type, bits uint64) *kir.Value {
	v := &kir.Value{ID: p.f.NewID(), Op: kir.OpConst, Type: t, Imm: kir.Canonical(t, bits), Block: p.f.Blocks[0]}
	p.constants = append(p.constants, v)
	return v
}

func (p *promotion) block(blk *kir.Block) {
	blk.Values = slices.DeleteFunc(blk.Values, func(v *kir.Value) bool {
		if v.Op != kir.OpLoad && v.Op != kir.OpStore || v.Space != kir.Local {
			return false
		}
		array, off, ok := localRef(v)
		if !ok {
			return false
		}
		c := cell{array, off}
		r := p.vars[c]
		if r == nil {
			return false
		}
		now := r.end[blk]
		switch {
		case v.Op == kir.OpStore:
			r.end[blk] = p.by.of(v.Args[1])
		case now != nil:
			p.by[v.ID] = now
		default: // until the block stores, the element is what it was before
			p.loads = append(p.loads, pendingLoad{v, c, blk})
		}
		return true
	})
	blk.SplitVectors()
}

// localRef returns the array that v accesses and the offset in it, where that is constant.
func localRef(v *kir.Value) (array int, off uint64, ok bool) {
	a, off := v.Args[0], v.Imm
	for a.Op == kir.OpAdd && a.Args[1].Op == kir.OpConst {
		a, off = a.Args[0], off+a.Args[1].Imm
	}
	return int(a.Imm), off, a.Op == kir.OpLocal
}

// cells returns the elements that promote makes values of, with their types: those of arrays whose address is used for
// nothing but loads and stores at constant offsets, each of one type at a place.
func cells(f *kir.Func) map[cell]kir.Type {
	bad := make([]bool, len(f.Local))
	types := make(map[cell]kir.Type)
	arrayOf := func(v *kir.Value) int {
		for v.Op == kir.OpAdd && v.Args[1].Op == kir.OpConst {
			v = v.Args[0]
		}
		if v.Op == kir.OpLocal {
			return int(v.Imm)
		}
		return -1
	}
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			for i, a := range v.Args {
				n := arrayOf(a)
				if n < 0 || v.Op == kir.OpAdd && i == 0 && v.Args[1].Op == kir.OpConst {
					continue
				}
				if i > 0 || v.Op != kir.OpLoad && v.Op != kir.OpStore || v.Space != kir.Local {
					bad[n] = true
					continue
				}
				_, off, _ := localRef(v)
				t := v.Type
				if v.Op == kir.OpStore {
					t = v.Args[1].Type
				}
				if old, known := types[cell{n, off}]; known && old != t {
					bad[n] = true
				}
				types[cell{n, off}] = t
			}
		}
		for _, e := range blk.Term.Edges() {
			for _, a := range e.Args {
				if n := arrayOf(a); n >= 0 {
					bad[n] = true
				}
			}
		}
	}
	count := make([]int, len(f.Local))
	for c := range types {
		if count[c.array]++; count[c.array] > maxCells {
			bad[c.array] = true
		}
	}
	for c, t := range types {
		if bad[c.array] {
			continue
		}
		size := uint64(t.Bytes())
		// it traps, or is not an element of this array
		if c.off%size != 0 || c.off >= uint64(f.Local[c.array].Bytes()) {
			bad[c.array] = true
		}
		for d, u := range types {
			if c.array == d.array && c.off < d.off && d.off < c.off+size || c.array == d.array && d.off < c.off && c.off < d.off+uint64(u.Bytes()) {
				bad[c.array] = true
			}
		}
	}
	for c := range types {
		if bad[c.array] {
			delete(types, c)
		}
	}
	return types
}
