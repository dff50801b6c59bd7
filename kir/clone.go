package kir

import "slices"

// clone returns a copy of f that shares nothing with it but strings and the data of its tables. Values keep their IDs.
func (f *Func) clone() *Func {
	g := &Func{Name: f.Name, Params: slices.Clone(f.Params), nextID: f.nextID,
		Shared: slices.Clone(f.Shared), Local: slices.Clone(f.Local), Const: slices.Clone(f.Const), Strings: slices.Clone(f.Strings), Bounds: f.Bounds, Source: f.Source}
	blocks, values := make(map[*Block]*Block), make(map[*Value]*Value)
	for _, blk := range f.Blocks {
		c := &Block{ID: blk.ID, Name: blk.Name, Term: blk.Term}
		g.Blocks, blocks[blk] = append(g.Blocks, c), c
		copyOf := func(vs []*Value) (out []*Value) {
			for _, v := range vs {
				w := *v
				w.Block, values[v] = c, &w
				out = append(out, &w)
			}
			return out
		}
		c.Params, c.Values = copyOf(blk.Params), copyOf(blk.Values)
	}
	for _, blk := range g.Blocks {
		for i := range blk.Term.Edges() {
			blk.Term.To[i].To = blocks[blk.Term.To[i].To]
			blk.Term.To[i].Args = slices.Clone(blk.Term.To[i].Args)
		}
		for _, v := range blk.Values {
			v.Args = slices.Clone(v.Args)
		}
	}
	g.replaceUses(func(v *Value) *Value { return values[v] })
	return g
}

// eachUse calls use with a pointer to every place in blk where a value is used.
func (blk *Block) eachUse(use func(**Value)) {
	for _, v := range blk.Values {
		for i := range v.Args {
			use(&v.Args[i])
		}
	}
	if blk.Term.Kind == TermBranch {
		use(&blk.Term.Cond)
	}
	for _, e := range blk.Term.Edges() {
		for i := range e.Args {
			use(&e.Args[i])
		}
	}
}

// replaceUses puts by(v) in the place of every use of a value v.
func (f *Func) replaceUses(by func(*Value) *Value) {
	for _, blk := range f.Blocks {
		blk.eachUse(func(v **Value) { *v = by(*v) })
	}
}

// splitAtBarriers cuts blocks so that a barrier is the last value of its block, which then jumps on without arguments: no
// value computed before a barrier is in flight at it.
func (f *Func) splitAtBarriers() {
	f.split(func(blk *Block) int {
		i := slices.IndexFunc(blk.Values, func(v *Value) bool { return v.Op.IsBarrier() })
		atEnd := i == len(blk.Values)-1 && blk.Term.Kind == TermJump && len(blk.Term.To[0].Args) == 0
		if i < 0 || atEnd {
			return -1
		}
		return i + 1
	})
}

// splitAtWarps cuts blocks so that an operation in which lanes of a warp meet comes first in its block, or after another one
// with the same mask: lanes that have to wait do so before a block.
func (f *Func) splitAtWarps() {
	f.split(func(blk *Block) int {
		var met *Value
		first := true
		for i, v := range blk.Values {
			m := maskOf(v)
			if m != nil && !first && !sameMask(m, met) {
				return i
			}
			if m != nil {
				met = m
			}
			first = first && fixed(v)
		}
		return -1
	})
}

// split cuts blocks before the value with the number that at tells, again and again until that is negative.
func (f *Func) split(at func(*Block) int) {
	var out []*Block
	for _, blk := range f.Blocks {
		out = append(out, blk)
		for i := at(blk); i >= 0; i = at(blk) {
			rest := &Block{Name: blk.Name + "'", Values: blk.Values[i:], Term: blk.Term}
			blk.Values = slices.Clip(blk.Values[:i])
			blk.Term = Term{Kind: TermJump, To: [2]Edge{{To: rest}}, Pos: blk.Values[i-1].Pos}
			for _, v := range rest.Values {
				v.Block = rest
			}
			out = append(out, rest)
			blk = rest
		}
	}
	f.Blocks = out
	for i, blk := range out {
		blk.ID = i
	}
}
