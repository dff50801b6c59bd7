package tier

import "golang.org/x/tools/go/ssa"

// liveness of the values of a unit, for telling which may share a register.
type liveness struct {
	u     *unit
	index map[ssa.Value]int
	out   [][]uint64              // by block: bits of the values that are live at its end
	order map[ssa.Instruction]int // within its block
	last  map[*ssa.BasicBlock]map[ssa.Value]int
}

// lives computes which values are live at the end of each block.
func (u *unit) lives() *liveness {
	l := &liveness{u: u, index: map[ssa.Value]int{}, order: map[ssa.Instruction]int{}, last: map[*ssa.BasicBlock]map[ssa.Value]int{}}
	id := func(v ssa.Value) int {
		i, ok := l.index[v]
		if !ok {
			i = len(l.index)
			l.index[v] = i
		}
		return i
	}
	n := len(u.fn.Blocks)
	use := make([]map[int]bool, n)  // read before written
	def := make([]map[int]bool, n)  // written
	edge := make([]map[int]bool, n) // read by the moves at the end
	for _, b := range u.blocks {
		bi := b.Index
		use[bi], def[bi], edge[bi] = map[int]bool{}, map[int]bool{}, map[int]bool{}
		last := map[ssa.Value]int{}
		l.last[b] = last
		for i, in := range b.Instrs {
			l.order[in] = i
			if v, ok := in.(ssa.Value); ok && u.owns(v) {
				def[bi][id(v)] = true
			}
			if _, ok := in.(*ssa.Phi); ok {
				continue
			}
			for _, v := range u.uses(in) {
				last[v] = i
				if k := id(v); !def[bi][k] {
					use[bi][k] = true
				}
			}
		}
		for _, s := range u.succs(b) {
			if !u.in[s.Index] {
				for _, v := range u.liveAt(b, s) {
					edge[bi][id(v)] = true
				}
				continue
			}
			for k, p := range s.Preds {
				if p != b {
					continue
				}
				for _, in := range s.Instrs {
					phi, ok := in.(*ssa.Phi)
					if !ok {
						break
					}
					if v := u.root(phi.Edges[k]); v != nil {
						edge[bi][id(v)] = true
					}
				}
			}
		}
	}
	size := (len(l.index) + 63) / 64
	l.out = make([][]uint64, n)
	in := make([][]uint64, n)
	for _, b := range u.blocks {
		l.out[b.Index], in[b.Index] = make([]uint64, size), make([]uint64, size)
	}
	for changed := true; changed; {
		changed = false
		for i := len(u.blocks) - 1; i >= 0; i-- {
			b := u.blocks[i]
			out := l.out[b.Index]
			for k := range edge[b.Index] {
				out[k/64] |= 1 << (k % 64)
			}
			for _, s := range u.succs(b) {
				if u.in[s.Index] {
					for k, w := range in[s.Index] {
						out[k] |= w
					}
				}
			}
			for k := range size {
				w := out[k]
				for j := range 64 {
					if w>>j&1 != 0 && def[b.Index][k*64+j] {
						w &^= 1 << j
					}
				}
				for j := range 64 {
					if use[b.Index][k*64+j] {
						w |= 1 << j
					}
				}
				if w != in[b.Index][k] {
					in[b.Index][k], changed = w, true
				}
			}
		}
	}
	return l
}

func (l *liveness) liveOut(b *ssa.BasicBlock, v ssa.Value) bool {
	i, ok := l.index[v]
	return ok && l.out[b.Index][i/64]>>(i%64)&1 != 0
}

// position is where v is defined: before the first block for inputs.
func (l *liveness) position(v ssa.Value) (b *ssa.BasicBlock, i int) {
	in, ok := v.(ssa.Instruction)
	if !ok || !l.u.in[in.Block().Index] {
		return l.u.head, -2
	}
	if _, ok := in.(*ssa.Phi); ok {
		return in.Block(), -1
	}
	return in.Block(), l.order[in]
}

// interfere reports whether x and y are ever wanted at the same time.
func (l *liveness) interfere(x, y ssa.Value) bool {
	if x == y {
		return false
	}
	bx, ix := l.position(x)
	by, iy := l.position(y)
	if bx == by && ix == iy {
		return true // phis of one block, or inputs
	}
	if by != bx && by.Dominates(bx) || by == bx && iy < ix {
		x, bx, ix, y, by, iy = y, by, iy, x, bx, ix
	} else if bx != by && !bx.Dominates(by) {
		return false
	}
	// x is there when y is made: is it wanted after?
	if l.liveOut(by, x) {
		return true
	}
	last, ok := l.last[by][x]
	return ok && last > iy
}
