package kir

import "slices"

// Clone returns a copy of f that shares nothing with it but strings and the data of its tables. Values keep their IDs.
func (f *Func) Clone() *Func {
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
	g.ReplaceUses(func(v *Value) *Value { return values[v] })
	return g
}

// EachUse calls use with a pointer to every place in blk where a value is used.
func (blk *Block) EachUse(use func(**Value)) {
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

// ReplaceUses puts by(v) in the place of every use of a value v.
func (f *Func) ReplaceUses(by func(*Value) *Value) {
	for _, blk := range f.Blocks {
		blk.EachUse(func(v **Value) { *v = by(*v) })
	}
}
