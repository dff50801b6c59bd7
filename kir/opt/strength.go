package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/flow"
)

// reduceStrength replaces products of a loop's counter and what the loop does not change by a sum that grows by the
// same each round: (i + c) * k = i*k + c*k, in arithmetic that wraps too. A product of 64 bits takes four instructions,
// a sum two. Where a round stands several times, unrolled, the product of the next is that of the one before and k.
func reduceStrength(f *kir.Func) bool {
	var ranges []kir.Range
	uses := useCounts(f)
	idom := dominators(f)
	into := incoming(f)
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
			latest := map[[3]*kir.Value]productOf{}
			plus := map[*kir.Value]*kir.Value{} // of a product that a sum alone uses: that sum
			for _, v := range blk.Values {
				// an index that nothing checks
				if v.Op == kir.OpAdd && v.Type.IsInteger() && v.ID < len(uses) && uses[v.ID] == 1 {
					for n, a := range v.Args {
						if a.Op == kir.OpMul && a.Block == blk && a.ID < len(uses) && uses[a.ID] == 1 && l.invariant(v.Args[1-n]) && v.Args[1-n].Op != kir.OpConst {
							plus[a] = v
						}
					}
				}
			}
			for _, product := range slices.Clone(blk.Values) {
				v, rest := product, (*kir.Value)(nil)
				if w := plus[product]; w != nil {
					v, rest = w, w.Args[0]
					if rest == product {
						rest = w.Args[1]
					}
				}
				i, k := l.product(product)
				if i == nil {
					if i, k, c := l.laterProduct(product); i != nil && i.Block == head {
						key := [3]*kir.Value{i, k, rest}
						if before, ok := latest[key]; ok && c == before.c+1 {
							v.Op, v.Args, changed = kir.OpAdd, []*kir.Value{before.v, k}, true
							latest[key] = productOf{v, c}
						}
					}
					continue
				}
				if i.Block != head {
					continue
				}
				step := again.edge().Args[i.Imm]
				if step.Op != kir.OpAdd || step.Args[0] != i || !l.invariant(step.Args[1]) || !flow.Dominates(idom, step.Block.ID, again.from.ID) {
					continue
				}
				if ranges == nil {
					ranges = rangesByID(f)
				}
				accumulate(f, v, i, k, rest, step.Args[1], enter, again, ranges)
				latest[[3]*kir.Value{i, k, rest}] = productOf{v, 0}
				changed = true
			}
		}
	}
	return changed
}

// productOf is the value of (i + c) * k, or of that and what is added to it.
type productOf struct {
	v *kir.Value
	c int64
}

// laterProduct returns i, k and c of v = (i + c) * k, as product does of i * k; c is a constant.
func (l *loop) laterProduct(v *kir.Value) (i, k *kir.Value, c int64) {
	if v.Op != kir.OpMul || !v.Type.IsInteger() {
		return nil, nil, 0
	}
	for n, sum := range v.Args {
		if sum.Op == kir.OpAdd && sum.Args[0].Op == kir.OpArg && l.In[sum.Args[0].Block.ID] && sum.Args[1].Op == kir.OpConst && l.invariant(v.Args[1-n]) && v.Args[1-n].Op != kir.OpConst {
			return sum.Args[0], v.Args[1-n], int64(sum.Args[1].Imm)
		}
	}
	return nil, nil, 0
}

// rangesByID returns what is known of each value everywhere, by ID.
func rangesByID(f *kir.Func) []kir.Range {
	ranges := make([]kir.Range, f.NumValues())
	walkRanges(f, func(v *kir.Value, in [3]kir.Range, out kir.Range) { ranges[v.ID] = out })
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

func (l *loop) invariant(v *kir.Value) bool { return v.Op == kir.OpConst || !l.In[v.Block.ID] }

// product returns the factors of v, a parameter of the loop's head and one that the loop does not change, or nil.
func (l *loop) product(v *kir.Value) (i, k *kir.Value) {
	if v.Op != kir.OpMul || !v.Type.IsInteger() {
		return nil, nil
	}
	i, k = v.Args[0], v.Args[1]
	if i.Op != kir.OpArg || !l.In[i.Block.ID] {
		i, k = k, i
	}
	if i.Op != kir.OpArg || !l.invariant(k) {
		return nil, nil
	}
	return i, k
}

// accumulate makes v = i*k + rest, where i grows by c each round, a parameter of i's block; rest may be nil.
func accumulate(f *kir.Func, v, i, k, rest, c *kir.Value, enter, again *inEdge, ranges []kir.Range) {
	emit := func(blk *kir.Block, op kir.Op, args ...*kir.Value) *kir.Value {
		w := &kir.Value{ID: f.NewID(), Op: op, Type: v.Type, Args: args, Block: blk, Pos: v.Pos, Note: v.Note}
		blk.Values = append(blk.Values, w)
		return w
	}
	// Constants may stand in the loop: what comes before it has its own.
	before := func(x *kir.Value) *kir.Value {
		if x.Op != kir.OpConst {
			return x
		}
		w := emit(enter.from, kir.OpConst)
		w.Imm = x.Imm
		return w
	}
	start := emit(enter.from, kir.OpMul, before(enter.edge().Args[i.Imm]), before(k))
	if rest != nil {
		start = emit(enter.from, kir.OpAdd, start, rest)
	}
	by := emit(enter.from, kir.OpMul, before(c), before(k))
	p := addParam(f, i.Block, v.Type, v.Note)
	if i.ID < len(ranges) && k.ID < len(ranges) && ranges[i.ID].Known && ranges[k.ID].Known { // it is i*k in each round
		n, ok := arithmeticRange(kir.OpMul, ranges[i.ID], ranges[k.ID])
		if rest != nil && ok {
			if ok = rest.ID < len(ranges) && ranges[rest.ID].Known; ok {
				n, ok = arithmeticRange(kir.OpAdd, n, ranges[rest.ID])
			}
		}
		if ok && n == within(n, v.Type) {
			p.Within = n
		}
	}
	add := func(e *inEdge, a *kir.Value) {
		e.edge().Args = append(slices.Clip(e.edge().Args), a)
	}
	add(enter, start)
	add(again, emit(again.from, kir.OpAdd, p, by))
	v.Op, v.Args = kir.OpAdd, []*kir.Value{p, before(&kir.Value{Op: kir.OpConst})}
}
