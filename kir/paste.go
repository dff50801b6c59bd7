package kir

import "slices"

// Paste puts the code of f into the current block, with args in the place of its parameters but the last, and returns
// what f stores to memory at that last one: f is a function of scalars as a kernel. It must store once, in a block that
// returns; what follows in b stands behind that block, which is current afterwards.
func (b *Builder) Paste(f *Func, args ...*Value) (result *Value) {
	blocks, values := make(map[*Block]*Block), make(map[*Value]*Value)
	for _, blk := range f.Blocks {
		c := b.NewBlock(blk.Name)
		blocks[blk] = c
		for _, p := range blk.Params {
			values[p] = b.BlockParam(c, p.Type)
		}
	}
	arrays := map[Op][]uint64{} // their numbers in b
	for _, list := range []struct {
		op Op
		of []Array
	}{{OpLocal, f.Local}, {OpConstTable, f.Const}} {
		for _, a := range list.of {
			arrays[list.op] = append(arrays[list.op], b.AlignedArray(list.op, a, 16).Imm)
		}
	}
	b.Jump(blocks[f.Blocks[0]])
	var stored *Value
	var last *Block // in which it is stored
	for _, blk := range f.Blocks {
		b.SetBlock(blocks[blk])
		for _, v := range blk.Values {
			if v.Op == OpParam {
				if n, _ := v.ParamRef(); n < len(args) {
					values[v] = args[n]
					continue
				}
				continue // the address of the result
			}
			if v.Op == OpStore && v.Args[0].Op == OpParam {
				stored, last = v.Args[1], blocks[blk]
				continue
			}
			w := b.emit(v.Op, v.Type, slices.Clone(v.Args)...)
			w.Imm, w.Space, w.Vec, w.Access, w.Note, w.Pos = v.Imm, v.Space, v.Vec, v.Access, v.Note, v.Pos
			switch v.Op {
			case OpLocal, OpConstTable:
				w.Imm = arrays[v.Op][v.Imm]
			case OpPrintf:
				w.Imm = b.text(f.Strings[v.Imm])
			case OpCheck:
				kind, text := f.Check(v)
				if w.Imm = uint64(kind); text != "" {
					w.Imm |= (b.text(text) + 1) << 8
				}
			}
			values[v] = w
		}
		t := blk.Term
		if b.cur == last && t.Kind == TermReturn {
			continue
		}
		for i := range t.Edges() {
			t.To[i].To = blocks[t.To[i].To]
			t.To[i].Args = slices.Clone(t.To[i].Args)
		}
		blocks[blk].Term = t
	}
	for _, blk := range blocks {
		blk.EachUse(func(v **Value) {
			if w := values[*v]; w != nil {
				*v = w
			}
		})
	}
	b.SetBlock(last)
	return values[stored]
}
