package kir

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir/internal/flow"
)

// reduceStrength replaces products of a loop's counter and what the loop does not change by a sum that grows by the same
// each round: (i + c) * k = i*k + c*k, in arithmetic that wraps too. A product of 64 bits takes four instructions, a sum two. Where a round stands
// several times, unrolled, the product of the next is that of the one before and k.
func reduceStrength(f *Func) bool {
	var ranges []interval
	uses := f.useCounts()
	idom := dominators(f)
	into := f.incoming()
	changed := false
	for _, l := range loopsOf(f, idom) {
		if l.Head == 0 {
			continue
		}
		head := f.Blocks[l.Head]
		enter, again := l.edges(into[l.Head])
		if enter == nil || again == nil {
			continue
		}
		for _, blk := range f.Blocks {
			if !l.In[blk.ID] {
				continue
			}
			latest := map[[3]*Value]productOf{}
			plus := map[*Value]*Value{} // of a product that a sum alone uses: that sum
			for _, v := range blk.Values {
				if v.Op == OpAdd && v.Type.IsInteger() && v.ID < len(uses) && uses[v.ID] == 1 { // an index that nothing checks
					for n, a := range v.Args {
						if a.Op == OpMul && a.Block == blk && a.ID < len(uses) && uses[a.ID] == 1 && l.invariant(v.Args[1-n]) && v.Args[1-n].Op != OpConst {
							plus[a] = v
						}
					}
				}
			}
			for _, product := range slices.Clone(blk.Values) {
				v, rest := product, (*Value)(nil)
				if w := plus[product]; w != nil {
					v, rest = w, w.Args[0]
					if rest == product {
						rest = w.Args[1]
					}
				}
				i, k := l.product(product)
				if i == nil {
					if i, k, c := l.laterProduct(product); i != nil && i.Block == head {
						key := [3]*Value{i, k, rest}
						if before, ok := latest[key]; ok && c == before.c+1 {
							v.Op, v.Args, changed = OpAdd, []*Value{before.v, k}, true
							latest[key] = productOf{v, c}
						}
					}
					continue
				}
				if i.Block != head {
					continue
				}
				step := again.edge().Args[i.Imm]
				if step.Op != OpAdd || step.Args[0] != i || !l.invariant(step.Args[1]) || !flow.Dominates(idom, step.Block.ID, again.from.ID) {
					continue
				}
				if ranges == nil {
					ranges = f.rangesByID()
				}
				f.accumulate(v, i, k, rest, step.Args[1], enter, again, ranges)
				latest[[3]*Value{i, k, rest}] = productOf{v, 0}
				changed = true
			}
		}
	}
	return changed
}

// productOf is the value of (i + c) * k, or of that and what is added to it.
type productOf struct {
	v *Value
	c int64
}

// laterProduct returns i, k and c of v = (i + c) * k, as product does of i * k; c is a constant.
func (l *loop) laterProduct(v *Value) (i, k *Value, c int64) {
	if v.Op != OpMul || !v.Type.IsInteger() {
		return nil, nil, 0
	}
	for n, sum := range v.Args {
		if sum.Op == OpAdd && sum.Args[0].Op == OpArg && l.In[sum.Args[0].Block.ID] && sum.Args[1].Op == OpConst && l.invariant(v.Args[1-n]) && v.Args[1-n].Op != OpConst {
			return sum.Args[0], v.Args[1-n], int64(sum.Args[1].Imm)
		}
	}
	return nil, nil, 0
}

// rangesByID returns what is known of each value everywhere, by ID.
func (f *Func) rangesByID() []interval {
	ranges := make([]interval, f.NumValues())
	walkRanges(f, func(v *Value, in [3]interval, out interval) { ranges[v.ID] = out })
	return ranges
}

// edges returns the only edge into l and the only one back to its head; either is nil when there are several.
func (l *loop) edges(into []inEdge) (enter, again *inEdge) {
	for i := range into {
		e := &into[i]
		side := &enter
		if l.In[e.from.ID] {
			side = &again
		}
		if *side != nil {
			return nil, nil
		}
		*side = e
	}
	return enter, again
}

func (l *loop) invariant(v *Value) bool { return v.Op == OpConst || !l.In[v.Block.ID] }

// product returns the factors of v, a parameter of the loop's head and one that the loop does not change, or nil.
func (l *loop) product(v *Value) (i, k *Value) {
	if v.Op != OpMul || !v.Type.IsInteger() {
		return nil, nil
	}
	i, k = v.Args[0], v.Args[1]
	if i.Op != OpArg || !l.In[i.Block.ID] {
		i, k = k, i
	}
	if i.Op != OpArg || !l.invariant(k) {
		return nil, nil
	}
	return i, k
}

// accumulate makes v = i*k + rest, where i grows by c each round, a parameter of i's block; rest may be nil.
func (f *Func) accumulate(v, i, k, rest, c *Value, enter, again *inEdge, ranges []interval) {
	emit := func(blk *Block, op Op, args ...*Value) *Value {
		w := &Value{ID: f.NewID(), Op: op, Type: v.Type, Args: args, Block: blk, Pos: v.Pos, Note: v.Note}
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
	if rest != nil {
		start = emit(enter.from, OpAdd, start, rest)
	}
	by := emit(enter.from, OpMul, before(c), before(k))
	p := f.addParam(i.Block, v.Type, v.Note)
	if i.ID < len(ranges) && k.ID < len(ranges) && ranges[i.ID].known && ranges[k.ID].known { // it is i*k in each round
		n, ok := arithmeticRange(OpMul, ranges[i.ID], ranges[k.ID])
		if rest != nil && ok {
			if ok = rest.ID < len(ranges) && ranges[rest.ID].known; ok {
				n, ok = arithmeticRange(OpAdd, n, ranges[rest.ID])
			}
		}
		if ok && n == n.within(v.Type) {
			p.within = n
		}
	}
	add := func(e *inEdge, a *Value) {
		e.edge().Args = append(slices.Clip(e.edge().Args), a)
	}
	add(enter, start)
	add(again, emit(again.from, OpAdd, p, by))
	v.Op, v.Args = OpAdd, []*Value{p, before(&Value{Op: OpConst})}
}
