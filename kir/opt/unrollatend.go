package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// unrollAtEnd puts the loop of unrolled rounds before head, a loop of one block, which tests at the end of each round,
// as loops over ranges do. Four rounds follow each other without a test, so that their loads may overlap; what is
// tested before the first four, and at the end of each four, is whether there are four more.
func unrollAtEnd(f *kir.Func, head *kir.Block, c *counter) {
	begin := &kir.Block{ID: len(f.Blocks), Name: head.Name + " by four"}
	f.Blocks = append(f.Blocks, begin)
	for _, p := range head.Params {
		addParam(f, begin, p.Type, p.Note)
	}
	for _, blk := range f.Blocks {
		for i := range blk.Term.Edges() {
			if e := &blk.Term.To[i]; e.To == head && blk != head {
				e.To = begin
			}
		}
	}
	var rounds [unrolledRounds]*kir.Block
	var copied blockCopies
	p := c.counted
	if p.Op != kir.OpArg {
		p = p.Args[0]
	}
	for i := range rounds {
		copied = copyBlocks(f, []*kir.Block{head})
		b := copied.blocks[head]
		rounds[i] = b
		if i == 0 {
			continue
		}
		before := rounds[i-1]
		before.Term = kir.Term{Kind: kir.TermJump, To: [2]kir.Edge{{To: b, Args: before.Term.To[c.stay].Args}}, Pos: before.Term.Pos}
		if i > 1 && c.counted == head.Term.To[c.stay].Args[p.Imm] {
			// A test of the next round's number has seen the second, and those after it, which so do not wrap. The
			// first round has no test before it.
			widenFromFirst(f, b, []*kir.Block{head}, copied, rounds[1].Params[p.Imm], copied.values[p], int64(i-1)*c.step)
		}
	}
	first, last := rounds[0], rounds[unrolledRounds-1]

	counted := begin.Params[p.Imm]
	r := rewriter{f: f, blk: begin, at: head.Term.Cond}
	if c.counted != p {
		counted = r.op(kir.OpAdd, p.Type, counted, r.constant(p.Type, c.counted.Args[1].Imm))
	}
	begin.Values = r.out
	begin.Term = kir.Term{Kind: kir.TermBranch, Cond: head.Term.Cond, Pos: head.Term.Pos, To: [2]kir.Edge{
		{To: first, Args: slices.Clone(begin.Params)}, {To: head, Args: slices.Clone(begin.Params)}}}
	testFour(f, begin, counted, c, c.distance-c.step) // of three tests: a round goes before the first

	again := last.Term.To[c.stay].Args
	end := endOfRound(f, head, copied)
	testFour(f, last, copied.values[c.counted], c, c.distance)
	last.Term = kir.Term{Kind: kir.TermBranch, Cond: last.Term.Cond, Pos: last.Term.Pos, To: [2]kir.Edge{{To: first, Args: again}, {To: end}}}

	copies := make(map[*kir.Value][]*kir.Value) // two blocks lead out of the loop now
	for _, v := range slices.Concat(head.Params, head.Values) {
		copies[v] = []*kir.Value{copied.values[v]}
	}
	repair(f, copies, map[*kir.Block]bool{head: true, last: true})
}

// endOfRound returns a block that tests what head does after the copy of it, and goes where head goes.
func endOfRound(f *kir.Func, head *kir.Block, copied blockCopies) *kir.Block {
	b := &kir.Block{ID: len(f.Blocks), Name: head.Name + " last", Term: head.Term}
	f.Blocks = append(f.Blocks, b)
	test := *head.Term.Cond
	test.ID, test.Block, test.Args = f.NewID(), b, slices.Clone(test.Args)
	b.Values, b.Term.Cond = []*kir.Value{&test}, &test
	for i := range b.Term.To {
		b.Term.To[i].Args = slices.Clone(b.Term.To[i].Args)
	}
	b.EachUse(func(v **kir.Value) {
		if w := copied.values[*v]; w != nil {
			*v = w
		}
	})
	return b
}
