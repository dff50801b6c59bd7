package cpu

import (
	"errors"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// errRowEnds is no error: a row of an array ends among blocks that run side by side. The place in a row, a remainder of
// the thread's number, is then not affine for all of them, though it is for most blocks alone, and loads and stores go
// lane by lane. The blocks are to run one by one instead.
var errRowEnds = errors.New("a row ends among the blocks")

// leastRow is how many blocks a row has to be long at least, so that most of them have no end of one.
const leastRow = 2

// rowEnds reports whether in divides numbers that follow each other by the length of a row, and blocks side by side may
// run one by one instead. It is asked where the quotient is not the same for all of them. Where some threads went
// another way, those may have done there what cannot be done again.
func (w *worker) rowEnds(in *instr, a, b *reg) bool {
	if !w.oneByOne || !in.early || len(w.list) != w.n || in.op != kir.OpDiv && in.op != kir.OpRem || !b.uniform() || a.uniform() {
		return false
	}
	return b.base >= uint64(leastRow*w.per) && b.base <= 1<<32
}

// findEarly marks the instructions before which no thread has accessed memory, or done anything else that cannot be
// done again. It takes time with the blocks, times how deep their loops lie in each other.
func (p *Program) findEarly() {
	dirty := make([]bool, len(p.code)) // at the block's head
	for again := true; again; {
		again = false
		for i := range p.code {
			c := &p.code[i]
			if !dirty[i] && c.barrier == nil && c.meet == nil && !slices.ContainsFunc(c.instrs, func(in instr) bool { return in.do != nil }) {
				continue
			}
			for k := range c.blk.Term.Edges() {
				if to := c.edges[k].to; !dirty[to] {
					dirty[to], again = true, true
				}
			}
		}
	}
	for i := range p.code {
		c := &p.code[i]
		early := !dirty[i] && c.meet == nil
		for k := range c.instrs {
			c.instrs[k].early = early
			early = early && c.instrs[k].do == nil
		}
	}
}
