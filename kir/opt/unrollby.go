package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// By how much loops are unrolled whose number of rounds is not known, and what they may have for that. NVRTC 12.9 makes
// four rounds one, and a loop of those that are left over, of loops that count by a constant up to what they do not
// change, of one way out, and without barriers; others stay. (Its manual promises loops of known counts alone.)
const (
	unrolledRounds = 4
	maxRoundSize   = 40
	maxRoundBlocks = 8
)

// unrollByFour puts a loop before each innermost one that counts, which does four of its rounds in each of its own, as
// long as there are four. Kernels that another compiler made have it behind them.
func unrollByFour(f *kir.Func) bool {
	if f.Bounds.Compiled {
		return false
	}
	var heads []*kir.Block
	loops := loopsOf(f, dominators(f))
	for _, l := range loops {
		inner := !slices.ContainsFunc(loops, func(m *loop) bool { return m != l && l.In[m.Head] })
		if inner && countsUp(f, l) != nil {
			heads = append(heads, f.Blocks[l.Head])
		}
	}
	for _, head := range heads { // the number of a block changes with each
		for _, l := range loopsOf(f, dominators(f)) {
			if f.Blocks[l.Head] == head {
				if c := countsUp(f, l); f.Blocks[l.Latches[0]] == head {
					unrollAtEnd(f, head, c)
				} else {
					unrollBy(f, l, c)
				}
				f.SortBlocks()
				break
			}
		}
	}
	return len(heads) > 0
}

// counter is the test of a loop that counts: its head stays in the loop while what is counted compares so with bound.
type counter struct {
	op       kir.Op // OpLt, OpLe, OpGt or OpGe
	counted  *kir.Value
	bound    *kir.Value
	step     int64
	stay     int // the way of the head's branch that stays
	distance int64
}

// countsUp returns how l counts, or nil when it may not be unrolled by so many rounds.
func countsUp(f *kir.Func, l *loop) *counter {
	head := f.Blocks[l.Head]
	if l.Head == 0 || len(l.Latches) != 1 || l.size() > maxRoundBlocks || head.Term.Kind != kir.TermBranch {
		return nil
	}
	size := 0
	for _, blk := range f.Blocks {
		if !l.In[blk.ID] {
			continue
		}
		size += blk.Instructions()
		if slices.ContainsFunc(blk.Values, func(v *kir.Value) bool {
			return v.Op.IsBarrier() || v.Op.IsWarp() || v.Op == kir.OpPrintf || roleOf(v) == stays
		}) {
			return nil
		}
		for _, e := range blk.Term.Edges() {
			if blk != head && !l.In[e.To.ID] {
				return nil
			}
		}
		if blk.Term.Kind == kir.TermReturn {
			return nil
		}
	}
	cond := head.Term.Cond
	if size > maxRoundSize || cond.Block != head || !cond.Op.IsCompare() || !cond.Args[0].Type.IsInteger() {
		return nil
	}
	// The branch that does not stay does what the head computes a second time.
	if slices.ContainsFunc(head.Values, func(v *kir.Value) bool { return roleOf(v) != computes && roleOf(v) != reads && roleOf(v) != checks }) {
		return nil
	}
	c := &counter{op: cond.Op, counted: cond.Args[0], bound: cond.Args[1]}
	inside := func(v *kir.Value) bool { return v.Op != kir.OpConst && l.In[v.Block.ID] }
	if inside(c.bound) {
		c.counted, c.bound, c.op = c.bound, c.counted, swapped[c.op]
	}
	if inside(c.bound) || !inside(c.counted) {
		return nil
	}
	if c.stay = 0; !l.In[head.Term.To[0].To.ID] {
		c.stay, c.op = 1, inverse[c.op]
	}
	if l.In[head.Term.To[1-c.stay].To.ID] {
		return nil
	}
	// What is counted is a parameter of the head, or one and a constant.
	p := c.counted
	if p.Op == kir.OpAdd && p.Block == head && p.Args[1].Op == kir.OpConst {
		p = p.Args[0]
	}
	if p.Op != kir.OpArg || p.Block != head {
		return nil
	}
	latch := f.Blocks[l.Latches[0]]
	for _, e := range latch.Term.Edges() {
		if e.To != head {
			continue
		}
		next := e.Args[p.Imm]
		if next.Op != kir.OpAdd && next.Op != kir.OpSub || next.Args[0] != p || next.Args[1].Op != kir.OpConst {
			return nil
		}
		c.step = kir.SignExtend(next.Type, next.Args[1].Imm) // unsigned numbers go down by adding, too
		if next.Op == kir.OpSub {
			c.step = -c.step
		}
	}
	const far = 1 << 20
	c.distance = (unrolledRounds - 1) * c.step
	switch c.op {
	case kir.OpLt, kir.OpLe:
		if c.step <= 0 || c.step > far {
			return nil
		}
	case kir.OpGt, kir.OpGe:
		if c.step >= 0 || c.step < -far {
			return nil
		}
	default:
		return nil
	}
	if c.counted.Type.Bytes() < 4 {
		return nil
	}
	return c
}

// unrollBy puts the loop of unrolled rounds before l.
func unrollBy(f *kir.Func, l *loop, c *counter) {
	head := f.Blocks[l.Head]
	var blocks []*kir.Block
	for _, blk := range f.Blocks {
		if l.In[blk.ID] {
			blocks = append(blocks, blk)
		}
	}
	var entries []*kir.Edge
	for _, from := range f.Blocks {
		for i := range from.Term.Edges() {
			if e := &from.Term.To[i]; e.To == head && !l.In[from.ID] {
				entries = append(entries, e)
			}
		}
	}
	var first *kir.Block
	last := entries // the edges that go on to the next copy
	for round := range unrolledRounds {
		copied := copyBlocks(f, blocks)
		b := copied.blocks[head]
		var again []*kir.Edge
		for _, blk := range blocks {
			to := copied.blocks[blk]
			for i := range to.Term.Edges() {
				if e := &to.Term.To[i]; e.To == b {
					again = append(again, e)
				}
			}
		}
		if first == nil {
			first = b
			testFour(f, b, copied.values[c.counted], c, c.distance)
			b.Term = kir.Term{Kind: kir.TermBranch, Cond: b.Term.Cond, To: [2]kir.Edge{b.Term.To[c.stay], {To: head, Args: slices.Clone(b.Params)}}, Pos: b.Term.Pos}
		} else {
			b.Term = kir.Term{Kind: kir.TermJump, To: [2]kir.Edge{b.Term.To[c.stay]}, Pos: b.Term.Pos}
			if p := c.counted; p.Op == kir.OpArg {
				widenFromFirst(f, b, blocks, copied, first.Params[p.Imm], copied.values[p], int64(round)*c.step)
			}
		}
		for _, e := range last {
			e.To = b
		}
		last = again
	}
	for _, e := range last {
		e.To = first
	}
}

// widenFromFirst converts what a round counts to 64 bits by way of what the first counts that a test has seen, plus the
// steps between them: neither wraps, as testFour has seen, and an address so has the steps as its offset.
func widenFromFirst(f *kir.Func, head *kir.Block, round []*kir.Block, copied blockCopies, first, counted *kir.Value, steps int64) {
	made := map[kir.Type]*kir.Value{}
	r := rewriter{f: f, blk: head, at: counted}
	for _, blk := range round {
		for _, v := range copied.blocks[blk].Values {
			if v.Op != kir.OpConvert || v.Args[0] != counted || !v.Type.IsInteger() || v.Type.Bytes() <= counted.Type.Bytes() {
				continue
			}
			if made[v.Type] == nil {
				made[v.Type] = r.op(kir.OpConvert, v.Type, first)
			}
			v.Op, v.Args = kir.OpAdd, []*kir.Value{made[v.Type], r.constant(v.Type, uint64(steps))}
		}
	}
	head.Values = append(r.out, head.Values...)
}

// testFour makes the branch of b, a copy of the head of a loop, depend on whether that stays in the loop for as many
// rounds as are unrolled: counted and the distance, the steps between the first test and the last, compare with the
// bound as c says. That is what counted compared with the bound less the distance does, where the bound is so far from
// the end of its type.
func testFour(f *kir.Func, b *kir.Block, counted *kir.Value, c *counter, distance int64) {
	r := rewriter{f: f, blk: b, out: b.Values, at: b.Term.Cond}
	t := c.bound.Type
	limit := r.op(kir.OpSub, t, c.bound, r.constant(t, uint64(distance)))
	cond := r.op(c.op, kir.Bool, counted, limit)
	ends, _ := typeRange(t)
	far := kir.OpGe
	end := uint64(ends.Lo) + uint64(distance)
	if distance < 0 {
		far = kir.OpLe
		end = uint64(ends.Hi) + uint64(distance)
		if t == kir.U64 {
			end = ^uint64(0) + uint64(distance)
		}
	}
	n := rangeOf(c.bound)
	known := n.Known && (distance > 0 && t.IsSigned() && n.Lo >= int64(end) || distance < 0 && t != kir.U64 && n.Hi <= int64(end))
	if !known {
		cond = r.op(kir.OpAnd, kir.Bool, r.op(far, kir.Bool, c.bound, r.constant(t, end)), cond)
	}
	b.Values = r.out
	b.Term.Cond = cond
}
