package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// narrow computes in 32 bits what takes 64 and is known to fit: a device has registers and arithmetic of 32 bits, an
// addition of 64 takes two of them and a product four. Go's int makes most of the 64-bit arithmetic of kernels. It also
// makes constants of what can have one value only.
func narrow(f *kir.Func) bool {
	n := narrowing{f: f, to: make([]kir.Type, f.NumValues()), users: make([][]user, f.NumValues())}
	walkRanges(f, n.consider)
	if n.candidates == nil {
		return n.changed
	}
	n.findUsers()
	for n.prune() {
	}
	return n.rewrite() || n.changed
}

type narrowing struct {
	f *kir.Func
	// by value ID: the type of 32 bits that the value, or a comparison's operands, get; Void for none
	to         []kir.Type
	users      [][]user
	candidates []*kir.Value
	changed    bool
}

// user is one use of a value: by an operation, or by an edge that brings it to a block parameter.
type user struct {
	v     *kir.Value // the operation or the parameter
	param bool
}

// narrowType returns the type of 32 bits for values of type t with all these ranges, or Void. It has no sign where they
// have none: then a device widens it for nothing.
func narrowType(t kir.Type, ranges ...kir.Range) kir.Type {
	for _, h := range []kir.Type{kir.U32, kir.I32} {
		if !slices.ContainsFunc(ranges, func(n kir.Range) bool { return !n.Known || n != within(n, h) }) && t.Bytes() == 8 && (h == kir.U32 || t == kir.I64) {
			return h
		}
	}
	return kir.Void
}

// consider looks at a value with the ranges of its operands and its own.
func (n *narrowing) consider(v *kir.Value, in [3]kir.Range, out kir.Range) {
	switch {
	case v.Op == kir.OpArg:
		if v.Type == kir.I64 || v.Type == kir.U64 {
			n.candidate(v, narrowType(v.Type, out))
		}
		return
	case len(v.Args) == 0 || !v.IsPure():
		return
	case v.Op.IsCompare():
		t := v.Args[0].Type
		if !t.IsInteger() {
			return
		}
		if bit, known := kir.CompareRanges(v.Op, in[0], in[1]); known {
			v.Op, v.Imm, v.Args, n.changed = kir.OpConst, bit, nil, true
			return
		}
		n.candidate(v, narrowType(t, in[0], in[1]))
		return
	case !v.Type.IsInteger():
		return
	case out.Known && out.Lo == out.Hi:
		v.Op, v.Imm, v.Args, n.changed = kir.OpConst, kir.Canonical(v.Type, uint64(out.Lo)), nil, true
		return
	case v.Type.Bytes() != 8:
		return
	}
	switch v.Op {
	case kir.OpAdd, kir.OpSub, kir.OpMul, kir.OpAnd, kir.OpOr, kir.OpXor, kir.OpNot, kir.OpNeg, kir.OpShl, kir.OpSelect: // the low bits of the result follow from those of the operands
		n.candidate(v, narrowType(v.Type, out))
	case kir.OpShr, kir.OpAbs:
		n.candidate(v, narrowType(v.Type, out, in[0]))
	case kir.OpMin, kir.OpMax, kir.OpDiv, kir.OpRem:
		n.candidate(v, narrowType(v.Type, out, in[0], in[1]))
	}
}

func (n *narrowing) candidate(v *kir.Value, t kir.Type) {
	if t != kir.Void {
		n.to[v.ID], n.candidates = t, append(n.candidates, v)
	}
}

func (n *narrowing) findUsers() {
	for _, blk := range n.f.Blocks {
		for _, v := range blk.Values {
			for _, a := range v.Args {
				n.users[a.ID] = append(n.users[a.ID], user{v: v})
			}
		}
		for _, e := range blk.Term.Edges() {
			for i, a := range e.Args {
				n.users[a.ID] = append(n.users[a.ID], user{e.To.Params[i], true})
			}
		}
	}
}

// wideCosts are the 32-bit instructions of an operation on 64 bits; of one on 32 bits it is one, more or less.
var wideCosts = map[kir.Op]int{kir.OpMul: 4, kir.OpDiv: 40, kir.OpRem: 40, kir.OpMin: 4, kir.OpMax: 4, kir.OpAbs: 4, kir.OpShr: 3, kir.OpShl: 3}

// prune drops the candidates that would cost more in 32 bits, for what must be widened again, and reports whether there
// were any.
func (n *narrowing) prune() bool {
	kept := n.candidates[:0]
	for _, v := range n.candidates {
		gain := 1
		if c := wideCosts[v.Op]; c > 0 {
			gain = c - 1
		}
		if scales(v) && n.onlyAdded(v) {
			gain = -1 // what adds it to an address does it
		}
		if !v.Op.IsCompare() && n.to[v.ID] == kir.I32 && n.usedWide(v) {
			gain--
		}
		if gain > 0 || gain == 0 && n.fromNarrow(v) {
			kept = append(kept, v)
		} else {
			n.to[v.ID] = kir.Void
		}
	}
	dropped := len(kept) < len(n.candidates)
	n.candidates = kept
	return dropped
}

// scales reports whether v is a product by a constant as addresses have it.
func scales(v *kir.Value) bool {
	return (v.Op == kir.OpShl || v.Op == kir.OpMul) && v.Args[1].Op == kir.OpConst
}

// onlyAdded reports whether v is used in 64-bit additions alone, under whichever sign.
func (n *narrowing) onlyAdded(v *kir.Value) bool {
	for _, u := range n.users[v.ID] {
		switch {
		case u.param:
			return false
		case u.v.Op == kir.OpAdd && n.to[u.v.ID] == kir.Void:
		case u.v.Op == kir.OpConvert && u.v.Type.IsInteger() && u.v.Type.Bytes() == 8 && n.onlyAdded(u.v):
		default:
			return false
		}
	}
	return true
}

// usedWide reports whether something needs all 64 bits of v.
func (n *narrowing) usedWide(v *kir.Value) bool {
	for _, u := range n.users[v.ID] {
		if n.to[u.v.ID] == kir.Void && !(u.v.Op == kir.OpConvert && u.v.Type.IsInteger() && u.v.Type.Bytes() <= 4 && !u.param) {
			return true
		}
	}
	return false
}

// fromNarrow reports whether all operands of v, or all that edges bring for it, have 32 bits already.
func (n *narrowing) fromNarrow(v *kir.Value) bool {
	narrow := func(a *kir.Value) bool {
		return a.Op == kir.OpConst || a.Type.Bytes() <= 4 || n.to[a.ID] != kir.Void ||
			a.Op == kir.OpConvert && a.Args[0].Type.IsInteger() && a.Args[0].Type.Bytes() <= 4
	}
	if v.Op == kir.OpArg {
		return true // it is its users that gain
	}
	for _, a := range v.Args {
		if !narrow(a) {
			return false
		}
	}
	return true
}

// rewrite gives the candidates that are left their types.
func (n *narrowing) rewrite() bool {
	if len(n.candidates) == 0 {
		return false
	}
	f := n.f
	by := make(replacements, f.NumValues())
	wide := make(map[*kir.Value]*kir.Value) // of each parameter, itself in 64 bits
	for _, blk := range f.Blocks {
		for _, p := range blk.Params {
			if n.to[p.ID] == kir.Void {
				continue
			}
			w := &kir.Value{ID: f.NewID(), Op: kir.OpConvert, Type: p.Type, Block: blk, Pos: p.Pos, Note: p.Note}
			p.Type = n.to[p.ID]
			by[p.ID], wide[p] = w, w
		}
	}
	replaceAll(f, by)
	for _, blk := range f.Blocks {
		r := rewriter{f: f, blk: blk, out: make([]*kir.Value, 0, 2*len(blk.Values))}
		for _, p := range blk.Params {
			if w := wide[p]; w != nil {
				w.Args = []*kir.Value{p}
				r.out = append(r.out, w)
			}
		}
		for _, v := range blk.Values {
			if v.ID < len(n.to) && n.to[v.ID] != kir.Void {
				r.at = v
				n.value(&r, v)
			}
			r.out = append(r.out, v)
		}
		r.at = &kir.Value{Pos: blk.Term.Pos}
		for _, e := range blk.Term.Edges() {
			for i, p := range e.To.Params {
				if wide[p] != nil {
					e.Args[i] = r.narrowed(e.Args[i], p.Type)
				}
			}
		}
		blk.Values = r.out
		blk.SplitVectors()
	}
	return true
}

// value puts the operation of v in 32 bits before it, and makes v what widens the result, or a comparison of narrow
// operands.
func (n *narrowing) value(r *rewriter, v *kir.Value) {
	t := n.to[v.ID]
	var args []*kir.Value
	for i, a := range v.Args {
		if v.Op == kir.OpSelect && i == 0 || (v.Op == kir.OpShl || v.Op == kir.OpShr) && i == 1 {
			args = append(args, a)
			continue
		}
		args = append(args, r.narrowed(a, t))
	}
	if v.Op.IsCompare() {
		v.Args = args
		return
	}
	w := r.op(v.Op, t, args...)
	v.Op, v.Args = kir.OpConvert, []*kir.Value{w}
}

// narrowed returns the low bits of x as type t.
func (r *rewriter) narrowed(x *kir.Value, t kir.Type) *kir.Value {
	switch {
	case x.Op == kir.OpConst:
		return r.constant(t, x.Imm)
	case x.Op == kir.OpConvert && x.Args[0].Type.IsInteger() && x.Args[0].Type.Bytes() == 4:
		return r.convert(t, x.Args[0])
	}
	return r.op(kir.OpConvert, t, x)
}
