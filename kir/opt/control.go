package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// simplifyControl turns branches that are decided into jumps, leads edges past blocks that do nothing for them, and
// appends a block to the only one that leads to it.
func simplifyControl(f *kir.Func) bool {
	changed := false
	leaks := leaking(f)
	for _, blk := range f.Blocks {
		t := &blk.Term
		for i := range t.Edges() {
			for step := 0; step < len(f.Blocks) && skip(&t.To[i], leaks); step++ { // not for ever round an empty loop
				changed = true
			}
		}
		if t.Kind != kir.TermBranch {
			continue
		}
		same := t.To[0].To == t.To[1].To && slices.Equal(t.To[0].Args, t.To[1].Args)
		if !same && t.Cond.Op != kir.OpConst {
			continue
		}
		if !same && t.Cond.Imm == 0 {
			t.To[0] = t.To[1]
		}
		*t = kir.Term{Kind: kir.TermJump, To: [2]kir.Edge{t.To[0]}, Pos: t.Pos}
		changed = true
	}
	if changed {
		f.SortBlocks() // so that no edges of blocks that are cut off are counted
	}
	return mergeBlocks(f) || changed
}

// skip leads e past a block without values that jumps on, or that branches on what e brings it as a constant.
func skip(e *kir.Edge, leaks []bool) bool {
	blk := e.To
	if len(blk.Values) > 0 || blk.Term.Kind == kir.TermReturn {
		return false
	}
	way := 0
	if blk.Term.Kind == kir.TermBranch {
		c := blk.Term.Cond
		if c.Block == blk && c.Op == kir.OpArg {
			c = e.Args[c.Imm]
		}
		if c.Op != kir.OpConst {
			return false
		}
		way = 1 - int(c.Imm)
	}
	next := &blk.Term.To[way]
	if next.To == blk || leaks[blk.ID] {
		return false
	}
	args := make([]*kir.Value, len(next.Args))
	for i, a := range next.Args {
		if a.Block == blk { // one of its parameters
			a = e.Args[a.Imm]
		}
		args[i] = a
	}
	e.To, e.Args = next.To, args
	return true
}

// leaking tells, by the ID of a block, whether another block uses one of its parameters: then edges cannot go past it.
func leaking(f *kir.Func) []bool {
	out := make([]bool, len(f.Blocks))
	for _, blk := range f.Blocks {
		blk.EachUse(func(v **kir.Value) {
			if (*v).Op == kir.OpArg && (*v).Block != blk {
				out[(*v).Block.ID] = true
			}
		})
	}
	return out
}

// mergeBlocks appends blocks to the only one that leads to them.
func mergeBlocks(f *kir.Func) bool {
	into := incoming(f)
	by := make(replacements, f.NumValues())
	gone := make([]bool, len(f.Blocks))
	merged := false
	for _, blk := range f.Blocks {
		for !gone[blk.ID] && blk.Term.Kind == kir.TermJump {
			e := blk.Term.To[0]
			if e.To == blk || e.To.ID == 0 || len(into[e.To.ID]) != 1 {
				break
			}
			for i, p := range e.To.Params {
				by[p.ID] = e.Args[i]
			}
			for _, v := range e.To.Values {
				v.Block = blk
			}
			blk.Values = append(blk.Values, e.To.Values...)
			blk.Term = e.To.Term
			gone[e.To.ID], merged = true, true
		}
	}
	if merged {
		replaceAll(f, by)
		f.SortBlocks()
	}
	return merged
}
