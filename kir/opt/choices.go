package opt

import "github.com/arrayrepl/arrayrepl/kir"

// joinChoices makes one choice of two that lie in each other, as conditions one after the other leave them: where both
// have the same value for when it is not so, or for when it is, the conditions are joined, and the values of one
// condition all take the joined one. For a CPU, to which bools are an eighth or a quarter of what it chooses between.
// It is linear in the values: those of a block are listed anew beside the conditions that it adds.
func joinChoices(f *kir.Func) (changed bool) {
	uses := make([]int, f.NumValues())
	for _, blk := range f.Blocks {
		blk.EachUse(func(v **kir.Value) { uses[(*v).ID]++ })
	}
	for _, blk := range f.Blocks {
		type pair struct {
			op         kir.Op
			outer, own *kir.Value
		}
		joined := map[pair]*kir.Value{}
		var with []*kir.Value // the block's values and those added among them, up to the last that was added
		listed := 0           // how many of the block's are in it
		for i, v := range blk.Values {
			if v.Op != kir.OpSelect {
				continue
			}
			cond, yes, no := v.Args[0], v.Args[1], v.Args[2]
			inner := func(x *kir.Value) bool { return x.Op == kir.OpSelect && x.ID < len(uses) && uses[x.ID] == 1 }
			p, args := pair{outer: cond}, []*kir.Value(nil)
			switch {
			case inner(yes) && yes.Args[2] == no: // c ? (d ? x : no) : no
				p.op, p.own, args = kir.OpAnd, yes.Args[0], yes.Args[1:]
			case inner(no) && no.Args[1] == yes: // c ? yes : (d ? yes : x)
				p.op, p.own, args = kir.OpOr, no.Args[0], no.Args[1:]
			default:
				continue
			}
			both := joined[p]
			if both == nil {
				both = &kir.Value{ID: f.NewID(), Op: p.op, Type: kir.Bool, Args: []*kir.Value{p.outer, p.own}, Block: blk, Pos: v.Pos}
				joined[p] = both
				with = append(append(with, blk.Values[listed:i]...), both)
				listed = i
			}
			v.Args = append([]*kir.Value{both}, args...)
			changed = true
		}
		if with != nil {
			blk.Values = append(with, blk.Values[listed:]...)
		}
	}
	return changed
}
