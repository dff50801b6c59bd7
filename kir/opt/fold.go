package opt

import (
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// evaluate computes v from constant operands.
func evaluate(v *kir.Value) uint64 {
	var args [3]uint64
	for i, a := range v.Args {
		args[i] = a.Imm
	}
	return cpu.Evaluate(v, args)
}

// fold computes what depends on constants alone and applies the rules.
func fold(f *kir.Func, note func(rule string)) bool {
	changed := false
	by := make(replacements, f.NumValues())
	r := rewriter{f: f, note: note}
	for _, blk := range f.Blocks {
		r.blk, r.out = blk, make([]*kir.Value, 0, len(blk.Values)+8)
		for _, v := range blk.Values {
			for i, a := range v.Args {
				v.Args[i] = by.of(a)
			}
			r.at = v
			switch {
			case len(v.Args) == 0 || !v.IsPure() || !cpu.CanEvaluate(v):
			case allConst(v.Args):
				v.Op, v.Imm, v.Args, changed = kir.OpConst, evaluate(v), nil, true
				r.says("constants")
			default:
				if w := r.simplify(v); w == v {
					changed = true
				} else if w != nil {
					by[v.ID], changed = w, true
				}
			}
			r.out = append(r.out, v)
		}
		blk.Values = r.out
		if t := &blk.Term; t.Kind == kir.TermBranch {
			if c := by.of(t.Cond); c.Op == kir.OpNot {
				t.Cond, changed = c.Args[0], true
				t.To[0], t.To[1] = t.To[1], t.To[0]
			}
		}
	}
	replaceAll(f, by)
	return changed
}

func allConst(vs []*kir.Value) bool {
	for _, v := range vs {
		if v.Op != kir.OpConst {
			return false
		}
	}
	return true
}

// rewriter makes the new values of a block that is being rewritten. They take over the position in the source of the
// value in whose place they come.
type rewriter struct {
	f    *kir.Func
	blk  *kir.Block
	out  []*kir.Value
	at   *kir.Value
	note func(rule string) // hears of each rule that is used; may be nil
}

// says tells whoever listens that a rule was used.
func (r *rewriter) says(rule string) {
	if r.note != nil {
		r.note(rule)
	}
}

func (r *rewriter) op(op kir.Op, t kir.Type, args ...*kir.Value) *kir.Value {
	v := &kir.Value{ID: r.f.NewID(), Op: op, Type: t, Args: args, Block: r.blk, Pos: r.at.Pos, Note: r.at.Note}
	r.out = append(r.out, v)
	return v
}

// constant returns a constant with the given bits, of which only those of the type's width count.
func (r *rewriter) constant(t kir.Type, bits uint64) *kir.Value {
	v := r.op(kir.OpConst, t)
	v.Imm, v.Note = kir.Canonical(t, bits), ""
	return v
}

// convert returns x as type t.
func (r *rewriter) convert(t kir.Type, x *kir.Value) *kir.Value {
	if x.Type == t {
		return x
	}
	return r.op(kir.OpConvert, t, x)
}
