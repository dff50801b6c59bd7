package kir

import "slices"

// Paste puts the code of f into the current block, with args in the place of its parameters but the last, and returns
// what f stores to memory at that last one: f is a function of scalars as a kernel.
func (b *Builder) Paste(f *Func, args ...*Value) (result *Value) {
	return b.PasteAll(f, args, Pasting{Results: 1})[0]
}

// Pasting is what [Builder.PasteAll] is told beside the arguments, and what it tells.
type Pasting struct {
	// Results are the parameters after the arguments: addresses at each of which the function stores once, in the block
	// that returns.
	Results int
	// Emitted is called in the place of stores to the parameters after those, as many times as the function has stores
	// to the last of them: it emits code without branches for the values that are stored.
	Emitted func(values []*Value)
	// Made, where it is not nil, gets what each value of the function has become.
	Made map[*Value]*Value
}

// PasteAll puts the code of f into the current block, with args in the place of its first parameters, and returns what
// it stores at those for results. f must return in one block; what follows in b stands behind that block, which is
// current afterwards.
func (b *Builder) PasteAll(f *Func, args []*Value, how Pasting) (results []*Value) {
	blocks, values := make(map[*Block]*Block), how.Made
	if values == nil {
		values = make(map[*Value]*Value)
	}
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
	stored, emitted := make([]*Value, how.Results), make([]*Value, len(f.Params)-len(args)-how.Results)
	var last *Block // which returns
	for _, blk := range f.Blocks {
		b.SetBlock(blocks[blk])
		for _, v := range blk.Values {
			if v.Op == OpParam {
				if n, _ := v.ParamRef(); n < len(args) {
					values[v] = args[n]
					continue
				}
				continue // the address of a result
			}
			if v.Op == OpStore && v.Args[0].Op == OpParam {
				n, _ := v.Args[0].ParamRef()
				if n -= len(args); n < len(stored) {
					stored[n] = v.Args[1]
					continue
				}
				n -= len(stored)
				if emitted[n] = v.Args[1]; values[emitted[n]] != nil {
					emitted[n] = values[emitted[n]]
				}
				if n == len(emitted)-1 {
					how.Emitted(slices.Clone(emitted))
				}
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
		if t.Kind == TermReturn {
			last = b.cur
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
	for _, v := range stored {
		results = append(results, values[v])
	}
	return results
}
