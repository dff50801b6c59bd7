package simgpu

// pcs numbers the instructions of a kernel; of those that one operation takes, each.
type pcs struct {
	of    [][]int32 // by block and instruction: the first
	at    []pcPlace // by number
	joins []bool    // by block: a branch has it as immediate postdominator
}

type pcPlace struct{ block, pc int32 }

func newPCs(c *code) *pcs {
	p := &pcs{joins: make([]bool, len(c.blocks))}
	for i := range c.blocks {
		b := &c.blocks[i]
		var of []int32
		for k := range b.instrs {
			of = append(of, int32(len(p.at)))
			for range b.instrs[k].count {
				p.at = append(p.at, pcPlace{int32(i), int32(k)})
			}
		}
		p.of = append(p.of, of)
		if j := c.join[i]; j >= 0 && b.forks {
			p.joins[j] = true
		}
	}
	return p
}

// place returns the block and the instruction of a PC, and which of those that the operation takes it is.
func (p *pcs) place(pc int) (block, instr, done int) {
	at := p.at[pc]
	return int(at.block), int(at.pc), pc - int(p.of[at.block][at.pc])
}
