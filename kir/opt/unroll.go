package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/internal/flow"
)

// What a loop may have to be unrolled in full: so many rounds, and so many instructions and blocks when all are written
// out. nvcc has limits of this kind (LLVM's, which it is built on: a loop of at most 128 rounds is written out in full
// unless it grows too large); these let a 32-wide tile of a matrix product through and keep compiling within its bar.
const (
	maxUnrolledRounds = 128
	maxUnrolledSize   = 640
	maxUnrolledBlocks = 64 // loops with many branches grow beyond what it gains: one of 30 lines took 11 ms to compile
)

// unroll writes out the rounds of one loop whose number is known, an innermost one first. It reports whether there was
// one.
func unroll(f *kir.Func) bool {
	loops := loopsOf(f, dominators(f))
	slices.SortStableFunc(loops, func(a, b *loop) int { return a.size() - b.size() })
	for _, l := range loops {
		if l.irregular(f) {
			continue
		}
		if test, rounds := rounds(f, l); test != nil {
			unrollLoop(f, l, test, rounds)
			f.SortBlocks()
			return true
		}
	}
	return false
}

func (l *loop) size() int {
	n := 0
	for _, in := range l.In {
		if in {
			n++
		}
	}
	return n
}

// irregular reports whether l has a barrier that not every round comes to. Threads may then be at it in different
// rounds, which one barrier for each round would take for divergent barriers.
func (l *loop) irregular(f *kir.Func) bool {
	idom := dominators(f)
	for _, blk := range f.Blocks {
		if !l.In[blk.ID] || !slices.ContainsFunc(blk.Values, func(v *kir.Value) bool { return v.Op.IsBarrier() || v.Op.IsWarp() }) {
			continue
		}
		for _, latch := range l.Latches {
			if !flow.Dominates(idom, blk.ID, latch) {
				return true
			}
		}
	}
	return false
}

// rounds returns the block whose branch ends l after a number of rounds that is known, and how often that branch stays
// in the loop before. The block is nil when there is none, or when the loop is too large to be written out.
func rounds(f *kir.Func, l *loop) (test *kir.Block, stays int) {
	size := 1
	for _, blk := range f.Blocks {
		if l.In[blk.ID] {
			size += blk.Instructions()
		}
	}
	most := min(maxUnrolledRounds, maxUnrolledSize/size, maxUnrolledBlocks/l.size())
	idom := dominators(f)
	for _, blk := range f.Blocks {
		if !l.In[blk.ID] || blk.Term.Kind != kir.TermBranch || l.In[blk.Term.To[0].To.ID] == l.In[blk.Term.To[1].To.ID] {
			continue
		}
		everyRound := !slices.ContainsFunc(l.Latches, func(b int) bool { return !flow.Dominates(idom, blk.ID, b) })
		if !everyRound {
			continue
		}
		if n, ok := simulate(f, l, blk, most); ok {
			return blk, n
		}
	}
	return nil, 0
}

// simulate counts how often the branch of blk stays in l, when that follows from constants: its condition is computed
// round by round from the head's parameters. ok is false when it stays more than most times or when the condition
// depends on more.
func simulate(f *kir.Func, l *loop, blk *kir.Block, most int) (stays int, ok bool) {
	head := f.Blocks[l.Head]
	var enter, again *kir.Edge
	for _, from := range f.Blocks {
		for i := range from.Term.Edges() {
			e := &from.Term.To[i]
			switch {
			case e.To != head:
			case !l.In[from.ID] && enter == nil:
				enter = e
			case l.In[from.ID] && again == nil:
				again = e
			default:
				return 0, false // several entries or latches: what they bring may differ
			}
		}
	}
	if enter == nil || again == nil {
		return 0, false
	}
	// The head's parameters that the condition is made of, their own next values included.
	const maxSlice = 24
	var vary []*kir.Value
	count := 0
	seen := make(map[*kir.Value]bool)
	var slice func(v *kir.Value) bool
	slice = func(v *kir.Value) bool {
		if v.Op == kir.OpConst || seen[v] {
			return true
		}
		if seen[v] = true; v.Op == kir.OpArg {
			if v.Block != head || enter.Args[v.Imm].Op != kir.OpConst {
				return false
			}
			vary = append(vary, v)
			return slice(again.Args[v.Imm])
		}
		if count++; count > maxSlice || !v.IsPure() || len(v.Args) == 0 || !cpu.CanEvaluate(v) || v.Op.IsElementary() {
			return false
		}
		return !slices.ContainsFunc(v.Args, func(a *kir.Value) bool { return !slice(a) })
	}
	if !slice(blk.Term.Cond) {
		return 0, false
	}
	now := make(map[*kir.Value]uint64)
	for _, p := range vary {
		now[p] = enter.Args[p.Imm].Imm
	}
	stay := uint64(1)
	if !l.In[blk.Term.To[0].To.ID] {
		stay = 0
	}
	var compute func(v *kir.Value) uint64
	compute = func(v *kir.Value) uint64 {
		if v.Op == kir.OpConst {
			return v.Imm
		}
		if x, known := now[v]; known {
			return x
		}
		var args [3]uint64
		for i, a := range v.Args {
			args[i] = compute(a)
		}
		now[v] = cpu.Evaluate(v, args)
		return now[v]
	}
	for ; stays <= most; stays++ {
		if compute(blk.Term.Cond) != stay {
			return stays, true
		}
		next := make(map[*kir.Value]uint64, len(now))
		for _, p := range vary {
			next[p] = compute(again.Args[p.Imm])
		}
		now = next
	}
	return 0, false
}

// unrollLoop puts n copies of l before it, of which each goes on to the next where l goes round again, and lets the
// branch of test go out of l itself: what was the loop is the last round.
func unrollLoop(f *kir.Func, l *loop, test *kir.Block, n int) {
	head := f.Blocks[l.Head]
	var blocks []*kir.Block
	inside := make(map[*kir.Block]bool)
	for _, blk := range f.Blocks {
		if l.In[blk.ID] {
			blocks = append(blocks, blk)
			inside[blk] = true
		}
	}
	var entries []*kir.Edge
	for _, from := range f.Blocks {
		for i := range from.Term.Edges() {
			if e := &from.Term.To[i]; e.To == head && !inside[from] {
				entries = append(entries, e)
			}
		}
	}
	copies := make(map[*kir.Value][]*kir.Value)
	var last []*kir.Edge // the edges of the copy before that go round
	out := 0             // which way of test's branch leaves the loop
	if inside[test.Term.To[0].To] {
		out = 1
	}
	for k := range n {
		c := copyBlocks(f, blocks)
		first := c.blocks[head]
		var again []*kir.Edge
		for _, blk := range blocks {
			b := c.blocks[blk]
			inside[b] = true
			if blk == test {
				b.Term = kir.Term{Kind: kir.TermJump, To: [2]kir.Edge{b.Term.To[1-out]}, Pos: b.Term.Pos}
			}
			for i := range b.Term.Edges() {
				if e := &b.Term.To[i]; e.To == first {
					again = append(again, e)
				}
			}
		}
		for v, w := range c.values {
			copies[v] = append(copies[v], w)
		}
		into := last
		if k == 0 {
			into = entries
		}
		for _, e := range into {
			e.To = first
		}
		last = again
	}
	for _, e := range last {
		e.To = head
	}
	test.Term = kir.Term{Kind: kir.TermJump, To: [2]kir.Edge{test.Term.To[out]}, Pos: test.Term.Pos}
	f.SortBlocks() // what only the way round led to goes
	repair(f, copies, inside)
}

// blockCopies tells what copyBlocks made of blocks and their values.
type blockCopies struct {
	blocks map[*kir.Block]*kir.Block
	values map[*kir.Value]*kir.Value
}

// copyBlocks adds copies of blocks to f. They use each other's values and lead to each other where the blocks do.
func copyBlocks(f *kir.Func, blocks []*kir.Block) blockCopies {
	c := blockCopies{make(map[*kir.Block]*kir.Block, len(blocks)), make(map[*kir.Value]*kir.Value)}
	for _, blk := range blocks {
		b := &kir.Block{ID: len(f.Blocks), Name: blk.Name, Term: blk.Term}
		f.Blocks = append(f.Blocks, b)
		c.blocks[blk] = b
		copyOf := func(vs []*kir.Value) []*kir.Value {
			out := make([]*kir.Value, len(vs))
			for i, v := range vs {
				w := *v
				w.ID, w.Block, w.Args = f.NewID(), b, slices.Clone(v.Args)
				out[i], c.values[v] = &w, &w
			}
			return out
		}
		b.Params, b.Values = copyOf(blk.Params), copyOf(blk.Values)
	}
	for _, b := range c.blocks {
		for i := range b.Term.Edges() {
			e := &b.Term.To[i]
			e.Args = slices.Clone(e.Args)
			if to := c.blocks[e.To]; to != nil {
				e.To = to
			}
		}
		b.EachUse(func(v **kir.Value) {
			if w := c.values[*v]; w != nil {
				*v = w
			}
		})
	}
	return c
}
