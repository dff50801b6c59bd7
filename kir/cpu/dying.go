package cpu

// findDying marks the moves after which nobody wants what is in their sources, where these have a lane array alone.
func (p *Program) findDying(alone []bool) {
	live := p.liveIn()
	for i := range p.code {
		for k := range p.code[i].edges {
			e := &p.code[i].edges[k]
			moved := make(map[int]int)
			for _, m := range e.moves {
				moved[m.src]++
			}
			for _, v := range p.code[e.to].blk.Params { // one that keeps its value has no move
				moved[v.ID] += 2
			}
			for j := range e.moves {
				m := &e.moves[j]
				m.dies = !m.spare && m.src < len(alone) && alone[m.src] && moved[m.src] == 1 && !live[e.to].has(m.src)
			}
		}
	}
}

// values is a set of values.
type values []uint64

func (s values) has(v int) bool { return s[v/64]>>(v%64)&1 != 0 }
func (s values) add(v int)      { s[v/64] |= 1 << (v % 64) }

// liveIn is, by block, what is wanted in it or behind it of what comes from before, less its parameters.
func (p *Program) liveIn() []values {
	words := (p.f.NumValues() + 63) / 64
	in, made := make([]values, len(p.f.Blocks)), make([]values, len(p.f.Blocks))
	for _, blk := range p.f.Blocks {
		in[blk.ID], made[blk.ID] = make(values, words), make(values, words)
		for _, v := range blk.Params {
			made[blk.ID].add(v.ID)
		}
		for _, v := range blk.Values {
			for _, a := range v.Args {
				in[blk.ID].add(a.ID)
			}
			made[blk.ID].add(v.ID)
		}
		if c := blk.Term.Cond; c != nil {
			in[blk.ID].add(c.ID)
		}
		for _, e := range blk.Term.Edges() {
			for _, a := range e.Args {
				in[blk.ID].add(a.ID)
			}
		}
		for k, m := range made[blk.ID] {
			in[blk.ID][k] &^= m
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(p.f.Blocks) - 1; i >= 0; i-- {
			blk := p.f.Blocks[i]
			for _, e := range blk.Term.Edges() {
				for k, x := range in[e.To.ID] {
					if x &^= made[blk.ID][k] | in[blk.ID][k]; x != 0 {
						in[blk.ID][k] |= x
						changed = true
					}
				}
			}
		}
	}
	return in
}
