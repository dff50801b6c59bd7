package tier

import "golang.org/x/tools/go/ssa"

// liveness of the values of a unit, for telling which may share a register.
type liveness struct {
	u     *unit
	index map[ssa.Value]int
	out   []bitset                // by block: the values that are live at its end
	order map[ssa.Instruction]int // within its block
	last  map[*ssa.BasicBlock]map[ssa.Value]int
}

// bitset is a set of small numbers.
type bitset []uint64

func (b *bitset) add(i int) {
	for len(*b) <= i/64 {
		*b = append(*b, 0)
	}
	(*b)[i/64] |= 1 << (i % 64)
}

func (b bitset) has(i int) bool { return b.word(i/64)>>(i%64)&1 != 0 }

// word is the numbers from 64*k on.
func (b bitset) word(k int) uint64 {
	if k >= len(b) {
		return 0
	}
	return b[k]
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
	use := make([]bitset, n)  // read before written
	def := make([]bitset, n)  // written
	edge := make([]bitset, n) // read by the moves at the end
	for _, b := range u.blocks {
		bi := b.Index
		last := map[ssa.Value]int{}
		l.last[b] = last
		for i, in := range b.Instrs {
			l.order[in] = i
			if v, ok := in.(ssa.Value); ok && u.owns(v) {
				def[bi].add(id(v))
			}
			if _, ok := in.(*ssa.Phi); ok {
				continue
			}
			for _, v := range u.uses(in) {
				last[v] = i
				if k := id(v); !def[bi].has(k) {
					use[bi].add(k)
				}
			}
		}
		for _, s := range u.succs(b) {
			if !u.in[s.Index] {
				for _, v := range u.liveAt(b, s) {
					edge[bi].add(id(v))
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
						edge[bi].add(id(v))
					}
				}
			}
		}
	}
	size := (len(l.index) + 63) / 64
	l.out = make([]bitset, n)
	in := make([]bitset, n)
	for _, b := range u.blocks {
		l.out[b.Index], in[b.Index] = make(bitset, size), make(bitset, size)
		copy(l.out[b.Index], edge[b.Index])
	}
	for changed := true; changed; {
		changed = false
		for i := len(u.blocks) - 1; i >= 0; i-- {
			b := u.blocks[i]
			out := l.out[b.Index]
			for _, s := range u.succs(b) {
				if u.in[s.Index] {
					for k, w := range in[s.Index] {
						out[k] |= w
					}
				}
			}
			for k := range size {
				w := out[k]&^def[b.Index].word(k) | use[b.Index].word(k)
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
	return ok && l.out[b.Index].has(i)
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
