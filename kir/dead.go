package kir

import (
	"math/bits"
	"slices"
)

// dropDead removes values and block parameters that nothing with an effect depends on.
func dropDead(f *Func) bool {
	live := make([]bool, f.NumValues())
	var work []*Value
	mark := func(v *Value) {
		if !live[v.ID] {
			live[v.ID] = true
			work = append(work, v)
		}
	}
	into := f.incoming()
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if (v.Op.HasEffect() || v.Access == Volatile) && !v.passed() {
				mark(v)
			}
		}
		if blk.Term.Kind == TermBranch {
			mark(blk.Term.Cond)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, a := range v.Args {
			mark(a)
		}
		if v.Op == OpArg {
			for _, in := range into[v.Block.ID] {
				mark(in.edge().Args[v.Imm])
			}
		}
	}
	changed := false
	dead := func(v *Value) bool { return !live[v.ID] }
	for _, blk := range f.Blocks {
		n := len(blk.Values)
		blk.Values = slices.DeleteFunc(blk.Values, dead)
		blk.splitVectors()
		changed = changed || len(blk.Values) != n
		if blk.dropParams(into[blk.ID], dead) {
			changed = true
		}
	}
	return changed
}

// passed reports whether v is a check of what is known to be true.
func (v *Value) passed() bool {
	return v.Op == OpCheck && v.Args[0].Op == OpConst && v.Args[0].Imm == 1
}

// dropParams removes the parameters of blk that drop tells, and what the edges that lead to it bring for them.
func (blk *Block) dropParams(into []inEdge, drop func(*Value) bool) bool {
	if !slices.ContainsFunc(blk.Params, drop) {
		return false
	}
	for _, in := range into {
		e := in.edge()
		var keep []*Value
		for j, a := range e.Args {
			if !drop(blk.Params[j]) {
				keep = append(keep, a)
			}
		}
		e.Args = keep
	}
	blk.Params = slices.DeleteFunc(blk.Params, drop)
	for i, p := range blk.Params {
		p.Imm = uint64(i)
	}
	return true
}

// dropArguments replaces a block's parameter for which every edge brings one value, or the parameter itself.
func dropArguments(f *Func) bool {
	into := f.incoming()
	by := make(replacements, f.NumValues())
	found := false
	for again := true; again; {
		again = false
		for _, blk := range f.Blocks {
			for _, p := range blk.Params {
				if by[p.ID] == nil {
					only, several := onlyArgument(into[blk.ID], p, by)
					if several { // equal constants of several blocks, none of which need stand before this one
						c := &Value{ID: f.NewID(), Op: OpConst, Type: p.Type, Imm: only.Imm, Block: blk}
						blk.Values = append([]*Value{c}, blk.Values...)
						only = c
					}
					if only != nil {
						by[p.ID], found, again = only, true, true
					}
				}
			}
		}
	}
	if !found {
		return false
	}
	for _, blk := range f.Blocks {
		blk.dropParams(into[blk.ID], func(p *Value) bool { return by[p.ID] != nil })
	}
	f.replaceAll(by)
	return true
}

// onlyArgument returns the value that every edge into p's block brings for p, not counting p itself, or nil. It may be one of
// several constants that are equal.
func onlyArgument(into []inEdge, p *Value, by replacements) (only *Value, several bool) {
	for _, in := range into {
		switch a := by.of(in.edge().Args[p.Imm]); {
		case a == p:
		case only == nil:
			only = a
		case only == a:
		case only.Op == OpConst && a.Op == OpConst && only.Imm == a.Imm:
			several = true
		default:
			return nil, false
		}
	}
	return only, several
}

// dropArrays removes the arrays, those that op is an address of, whose address nobody uses, and moves the others together.
// They keep their alignment.
func (f *Func) dropArrays(op Op, arrays *[]Array) bool {
	used := make([]bool, len(*arrays))
	for _, blk := range f.Blocks {
		blk.eachUse(func(v **Value) {
			if (*v).Op == op {
				used[(*v).Imm] = true
			}
		})
	}
	if !slices.Contains(used, false) {
		return false
	}
	number := make([]int, len(used))
	var kept []Array
	for i, a := range *arrays {
		if number[i] = len(kept); used[i] {
			const most = 4 // 16 bytes: no access asks for more
			a.Offset = OffsetBehind(kept, 1<<min(bits.TrailingZeros(uint(a.Offset)), most))
			kept = append(kept, a)
		}
	}
	*arrays = kept
	for _, blk := range f.Blocks {
		blk.Values = slices.DeleteFunc(blk.Values, func(v *Value) bool {
			if v.Op != op {
				return false
			}
			if !used[v.Imm] {
				return true
			}
			v.Imm = uint64(number[v.Imm])
			return false
		})
	}
	return true
}
