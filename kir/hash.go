package kir

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
)

// Hash returns a number that two kernels have in common when they are Equal.
func (f *Func) Hash() [32]byte { return sha256.Sum256(f.encode()) }

// Equal reports whether f and g are the same but for names, notes, positions, the IDs of values and where free values
// stand (Op.IsFree): the same parameter buffers, arrays and tables, and the same instructions in the same order in the
// same blocks.
func Equal(f, g *Func) bool { return bytes.Equal(f.encode(), g.encode()) }

// encode writes what Equal compares.
func (f *Func) encode() []byte {
	var buf []byte
	put := func(xs ...int) {
		for _, x := range xs {
			buf = binary.AppendVarint(buf, int64(x))
		}
	}
	text := func(s string) {
		put(len(s))
		buf = append(buf, s...)
	}
	num := make(map[*Value]int)
	for _, blk := range f.Blocks {
		for _, v := range blk.Params {
			num[v] = len(num)
		}
		for _, v := range blk.Values {
			if !v.Op.IsFree() {
				num[v] = len(num)
			}
		}
	}
	put(len(f.Params), len(f.Blocks))
	text(f.Bounds.String())
	for _, p := range f.Params {
		put(p.Offset, p.Bytes(), int(p.Least), int(p.Most)) // its type is that of its uses
	}
	for _, list := range f.arrayLists() {
		put(len(*list.arrays))
		for _, a := range *list.arrays {
			put(a.Bytes(), a.Offset) // the type of its elements is that of its accesses
			if a.From > 0 {
				put(-1, a.From)
			}
			buf = append(buf, a.Data...)
		}
	}
	use := func(v *Value) {
		if n, ok := num[v]; ok {
			put(n)
		} else {
			put(-1, int(v.Op), int(v.Type), int(v.Imm))
		}
	}
	list := func(vs []*Value) {
		put(len(vs))
		for _, v := range vs {
			use(v)
		}
	}
	for _, blk := range f.Blocks {
		put(len(blk.Params), int(blk.Term.Kind))
		for _, v := range blk.Params {
			put(int(v.Type))
		}
		for _, v := range blk.Values {
			if v.Op.IsFree() {
				continue
			}
			put(int(v.Op), int(v.Type), int(v.Space), int(v.Vec), int(v.Access))
			switch v.Op {
			case OpCheck: // texts by what they say: their numbers depend on the order of their making
				kind, s := f.Check(v)
				put(int(kind))
				text(s)
			case OpPrintf:
				text(f.Strings[v.Imm])
			default:
				put(int(v.Imm))
			}
			list(v.Args)
		}
		put(-2)
		if blk.Term.Kind == TermBranch {
			use(blk.Term.Cond)
			if blk.Term.Any {
				put(-3)
			}
		}
		for _, e := range blk.Term.Edges() {
			put(e.To.ID)
			list(e.Args)
		}
	}
	return buf
}
