package kir

import "slices"

// reduceStrength replaces products of a loop's counter and what the loop does not change by a sum that grows by the same
// each round: (i + c) * k = i*k + c*k, in arithmetic that wraps too. A product of 64 bits takes four instructions, a sum two.
func reduceStrength(f *Func) bool {
	idom := f.dominators()
	into := f.incoming()
	changed := false
	for _, l := range f.loops(idom) {
		if l.head == 0 {
			continue
		}
		head := f.Blocks[l.head]
		enter, again := l.edges(into[l.head])
		if enter == nil || again == nil {
			continue
		}
		for _, blk := range f.Blocks {
			if !l.in[blk.ID] {
				continue
			}
			for _, v := range slices.Clone(blk.Values) {
				i, k := l.product(v)
				if i == nil || i.Block != head {
					continue
				}
				step := again.edge().Args[i.Imm]
				if step.Op != OpAdd || step.Args[0] != i || !l.invariant(step.Args[1]) || !dominates(idom, step.Block.ID, again.from.ID) {
					continue
				}
				f.accumulate(v, i, k, step.Args[1], enter, again)
				changed = true
			}
		}
	}
	return changed
}

// edges returns the only edge into l and the only one back to its head; either is nil when there are several.
func (l *loop) edges(into []inEdge) (enter, again *inEdge) {
	for i := range into {
		e := &into[i]
		side := &enter
		if l.in[e.from.ID] {
			side = &again
		}
		if *side != nil {
			return nil, nil
		}
		*side = e
	}
	return enter, again
}

func (l *loop) invariant(v *Value) bool { return v.Op == OpConst || !l.in[v.Block.ID] }

// product returns the factors of v, a parameter of the loop's head and one that the loop does not change, or nil.
func (l *loop) product(v *Value) (i, k *Value) {
	if v.Op != OpMul || !v.Type.IsInteger() {
		return nil, nil
	}
	i, k = v.Args[0], v.Args[1]
	if i.Op != OpArg || !l.in[i.Block.ID] {
		i, k = k, i
	}
	if i.Op != OpArg || !l.invariant(k) {
		return nil, nil
	}
	return i, k
}

// accumulate makes v = i*k, where i grows by c each round, a parameter of i's block.
func (f *Func) accumulate(v, i, k, c *Value, enter, again *inEdge) {
	emit := func(blk *Block, op Op, args ...*Value) *Value {
		w := &Value{ID: f.nextID, Op: op, Type: v.Type, Args: args, Block: blk, Pos: v.Pos, Note: v.Note}
		f.nextID++
		blk.Values = append(blk.Values, w)
		return w
	}
	// Constants may stand in the loop: what comes before it has its own.
	before := func(x *Value) *Value {
		if x.Op != OpConst {
			return x
		}
		w := emit(enter.from, OpConst)
		w.Imm = x.Imm
		return w
	}
	start := emit(enter.from, OpMul, before(enter.edge().Args[i.Imm]), before(k))
	by := emit(enter.from, OpMul, before(c), before(k))
	p := f.addParam(i.Block, v.Type, v.Note)
	add := func(e *inEdge, a *Value) {
		e.edge().Args = append(slices.Clip(e.edge().Args), a)
	}
	add(enter, start)
	add(again, emit(again.from, OpAdd, p, by))
	v.Op, v.Args = OpAdd, []*Value{p, before(&Value{Op: OpConst})}
}
