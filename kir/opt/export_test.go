package opt

import "github.com/arrayrepl/arrayrepl/kir"

// The generator of kernels, which imports this package; the external tests set it.
var randomFunc func(seed uint64) *kir.Func

// SetRandom brings package kir/random to the tests of this package.
func SetRandom(f func(seed uint64) *kir.Func) { randomFunc = f }

// Passes returns what each pass of the pipeline makes of a copy of a kernel, by its name, and whether it changed it.
func Passes() map[string]func(*kir.Func) (*kir.Func, bool) {
	m := make(map[string]func(*kir.Func) (*kir.Func, bool))
	for _, p := range pipeline {
		m[p.name] = func(f *kir.Func) (*kir.Func, bool) {
			g := f.Clone()
			if p.when != clean { // as in the pipeline
				cleanUp(g, nil)
			}
			changed := p.apply(g, nil)
			return g, changed
		}
	}
	return m
}

// CheckRanges returns a copy of f that checks each integer of which walkRanges knows more than its type, and how many
// they are.
func CheckRanges(f *kir.Func) (*kir.Func, int) {
	f = f.Clone()
	type bounds struct{ lo, hi uint64 }
	known := map[*kir.Value]bounds{}
	walkRanges(f, func(v *kir.Value, _ [3]kir.Range, out kir.Range) {
		if all, _ := typeRange(v.Type); out.Known && out != all && v.Type.IsInteger() && v.Op != kir.OpConst {
			known[v] = bounds{uint64(out.Lo), uint64(out.Hi)}
		}
	})
	for _, blk := range f.Blocks {
		r := rewriter{f: f, blk: blk, at: &kir.Value{}}
		guard := func(v *kir.Value) {
			if n, ok := known[v]; ok {
				in := r.op(kir.OpAnd, kir.Bool, r.op(kir.OpLe, kir.Bool, r.constant(v.Type, n.lo), v), r.op(kir.OpLe, kir.Bool, v, r.constant(v.Type, n.hi)))
				f.Strings = append(f.Strings, v.Text())
				c := r.op(kir.OpCheck, kir.Void, in, r.convert(kir.I64, v), r.constant(kir.I64, n.hi))
				c.Imm = uint64(kir.CheckPanic) | uint64(len(f.Strings))<<8
			}
		}
		for _, p := range blk.Params {
			guard(p)
		}
		for _, v := range blk.Values {
			r.out = append(r.out, v)
			guard(v)
		}
		blk.Values = r.out
		blk.SplitVectors()
	}
	return f, len(known)
}
