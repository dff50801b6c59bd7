package opt

import (
	"math/bits"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// dropDead removes values and block parameters that nothing with an effect depends on.
func dropDead(f *kir.Func) bool {
	live := make([]bool, f.NumValues())
	var work []*kir.Value
	mark := func(v *kir.Value) {
		if !live[v.ID] {
			live[v.ID] = true
			work = append(work, v)
		}
	}
	into := incoming(f)
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if (v.Op.HasEffect() || v.Access.IsVolatile() || v.Access == kir.Async) && !passed(v) {
				mark(v)
			}
		}
		if blk.Term.Kind == kir.TermBranch {
			mark(blk.Term.Cond)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, a := range v.Args {
			mark(a)
		}
		if v.Op == kir.OpArg {
			for _, in := range into[v.Block.ID] {
				mark(in.edge().Args[v.Imm])
			}
		}
	}
	changed := false
	dead := func(v *kir.Value) bool { return !live[v.ID] }
	for _, blk := range f.Blocks {
		n := len(blk.Values)
		blk.Values = slices.DeleteFunc(blk.Values, dead)
		blk.SplitVectors()
		changed = changed || len(blk.Values) != n
		if dropParams(blk, into[blk.ID], dead) {
			changed = true
		}
	}
	return changed
}

// passed reports whether v is a check of what is known to be true.
func passed(v *kir.Value) bool {
	return v.Op == kir.OpCheck && v.Args[0].Op == kir.OpConst && v.Args[0].Imm == 1
}

// dropParams removes the parameters of blk that drop tells, and what the edges that lead to it bring for them.
func dropParams(blk *kir.Block, into []inEdge, drop func(*kir.Value) bool) bool {
	if !slices.ContainsFunc(blk.Params, drop) {
		return false
	}
	for _, in := range into {
		e := in.edge()
		var keep []*kir.Value
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
func dropArguments(f *kir.Func) bool {
	into := incoming(f)
	by := make(replacements, f.NumValues())
	found := false
	for again := true; again; {
		again = false
		for _, blk := range f.Blocks {
			for _, p := range blk.Params {
				if by[p.ID] == nil {
					only, several := onlyArgument(into[blk.ID], p, by)
					if several { // equal constants of several blocks, none of which need stand before this one
						c := &kir.Value{ID: f.NewID(), Op: kir.OpConst, Type: p.Type, Imm: only.Imm, Block: blk}
						blk.Values = append([]*kir.Value{c}, blk.Values...)
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
		dropParams(blk, into[blk.ID], func(p *kir.Value) bool { return by[p.ID] != nil })
	}
	replaceAll(f, by)
	return true
}

// onlyArgument returns the value that every edge into p's block brings for p, not counting p itself, or nil. It may be
// one of several constants that are equal.
func onlyArgument(into []inEdge, p *kir.Value, by replacements) (only *kir.Value, several bool) {
	for _, in := range into {
		switch a := by.of(in.edge().Args[p.Imm]); {
		case a == p:
		case only == nil:
			only = a
		case only == a:
		case only.Op == kir.OpConst && a.Op == kir.OpConst && only.Imm == a.Imm:
			several = true
		default:
			return nil, false
		}
	}
	return only, several
}

// dropArrays removes the arrays, those that op is an address of, whose address nobody uses, and moves the others
// together. They keep their alignment.
func dropArrays(f *kir.Func, op kir.Op, arrays *[]kir.Array) bool {
	used := make([]bool, len(*arrays))
	for _, blk := range f.Blocks {
		blk.EachUse(func(v **kir.Value) {
			if (*v).Op == op {
				used[(*v).Imm] = true
			}
		})
	}
	if !slices.Contains(used, false) {
		return false
	}
	number := make([]int, len(used))
	var kept []kir.Array
	for i, a := range *arrays {
		if number[i] = len(kept); used[i] {
			const most = 4 // 16 bytes: no access asks for more
			a.Offset = kir.OffsetBehind(kept, 1<<min(bits.TrailingZeros(uint(a.Offset)), most))
			kept = append(kept, a)
		}
	}
	*arrays = kept
	for _, blk := range f.Blocks {
		blk.Values = slices.DeleteFunc(blk.Values, func(v *kir.Value) bool {
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
