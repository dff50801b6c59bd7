package opt

import (
	"math/bits"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/flow"
)

// shareCommon uses a value again where it would be computed a second time from the same operands, in a block that the
// first dominates.
func shareCommon(f *kir.Func) bool {
	n := 0
	for _, blk := range f.Blocks {
		n += len(blk.Values)
	}
	children, known := flow.Children(dominators(f)), newValueTable(n)
	by := make(replacements, f.NumValues())
	changed := false
	var walk func(b int)
	walk = func(b int) {
		before := len(known.values)
		for _, v := range f.Blocks[b].Values {
			for i, a := range v.Args {
				v.Args[i] = by.of(a)
			}
			if !v.IsPure() {
				continue
			}
			if old := known.find(v); old != nil {
				by[v.ID], changed = old, true
			}
		}
		for _, c := range children[b] {
			walk(c)
		}
		known.forget(before)
	}
	walk(0)
	if !changed {
		return false
	}
	for _, blk := range f.Blocks {
		blk.Values = slices.DeleteFunc(blk.Values, func(v *kir.Value) bool { return by[v.ID] != nil })
	}
	replaceAll(f, by)
	return true
}

// valueTable finds values that compute the same. Go's map takes three times as long for this, most of the pass.
type valueTable struct {
	heads  []int32 // by hash: number of the newest value + 1
	next   []int32 // by value: the one before with the same hash + 1
	hashes []uint32
	values []*kir.Value
}

func newValueTable(most int) *valueTable {
	return &valueTable{heads: make([]int32, 1<<bits.Len(uint(most)))}
}

// find returns a value that computes the same as v, or enters v and returns nil.
func (t *valueTable) find(v *kir.Value) *kir.Value {
	const mix = 0x9e3779b97f4a7c15
	h := (uint64(v.Op)<<8 | uint64(v.Type) + v.Imm) * mix
	for i, a := range v.Args {
		if v.Op.Commutes() {
			h += uint64(a.ID+1) * mix
		} else {
			h = (h ^ uint64(a.ID+i)) * mix
		}
	}
	h *= mix
	slot := uint32(h>>32) & uint32(len(t.heads)-1)
	for i := t.heads[slot]; i != 0; i = t.next[i-1] {
		if w := t.values[i-1]; w.Op == v.Op && w.Type == v.Type && w.Imm == v.Imm &&
			(slices.Equal(w.Args, v.Args) || v.Op.Commutes() && w.Args[0] == v.Args[1] && w.Args[1] == v.Args[0]) {
			return w
		}
	}
	t.values, t.next, t.hashes = append(t.values, v), append(t.next, t.heads[slot]), append(t.hashes, slot)
	t.heads[slot] = int32(len(t.values))
	return nil
}

// forget takes out all but the first n values.
func (t *valueTable) forget(n int) {
	for i := len(t.values) - 1; i >= n; i-- {
		t.heads[t.hashes[i]] = t.next[i]
	}
	t.values, t.next, t.hashes = t.values[:n], t.next[:n], t.hashes[:n]
}
