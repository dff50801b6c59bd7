package kir

import (
	"crypto/sha256"
	"encoding/binary"
)

// Hash returns a number that two kernels have in common when they are the same but for names, notes, positions and the IDs
// of their values: the same parameters and shared arrays, and the same operations in the same order in the same blocks.
func (f *Func) Hash() [32]byte {
	var buf []byte
	put := func(xs ...int) {
		for _, x := range xs {
			buf = binary.AppendVarint(buf, int64(x))
		}
	}
	num := make(map[*Value]int)
	for _, blk := range f.Blocks {
		for _, vs := range [][]*Value{blk.Params, blk.Values} {
			for _, v := range vs {
				num[v] = len(num)
			}
		}
	}
	put(len(f.Params), len(f.Shared), len(f.Blocks))
	for _, p := range f.Params {
		put(int(p.Type), p.Offset)
	}
	for _, a := range f.Shared {
		put(int(a.Elem), a.Len, a.Offset)
	}
	list := func(vs []*Value) {
		put(len(vs))
		for _, v := range vs {
			put(num[v])
		}
	}
	for _, blk := range f.Blocks {
		put(len(blk.Params), len(blk.Values), int(blk.Term.Kind))
		for _, v := range blk.Params {
			put(int(v.Type))
		}
		for _, v := range blk.Values {
			put(int(v.Op), int(v.Type), int(v.Imm), int(v.Space))
			list(v.Args)
		}
		if blk.Term.Kind == TermBranch {
			put(num[blk.Term.Cond])
		}
		for _, e := range blk.Term.Edges() {
			put(e.To.ID)
			list(e.Args)
		}
	}
	return sha256.Sum256(buf)
}
