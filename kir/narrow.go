package kir

import "slices"

// narrow computes in 32 bits what takes 64 and is known to fit: a device has registers and arithmetic of 32 bits, an addition
// of 64 takes two of them and a product four. Go's int makes most of the 64-bit arithmetic of kernels. It also makes constants
// of what can have one value only.
func narrow(f *Func) bool {
	n := narrowing{f: f, to: make([]Type, f.NumValues()), users: make([][]user, f.NumValues())}
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
	f          *Func
	to         []Type // by value ID: the type of 32 bits that the value, or a comparison's operands, get; Void for none
	users      [][]user
	candidates []*Value
	changed    bool
}

// user is one use of a value: by an operation, or by an edge that brings it to a block parameter.
type user struct {
	v     *Value // the operation or the parameter
	param bool
}

// narrowType returns the type of 32 bits for values of type t with all these ranges, or Void. It has no sign where they have
// none: then a device widens it for nothing.
func narrowType(t Type, ranges ...interval) Type {
	for _, h := range []Type{U32, I32} {
		if !slices.ContainsFunc(ranges, func(n interval) bool { return !n.known || n != n.within(h) }) && t.Bytes() == 8 && (h == U32 || t == I64) {
			return h
		}
	}
	return Void
}

// consider looks at a value with the ranges of its operands and its own.
func (n *narrowing) consider(v *Value, in [3]interval, out interval) {
	switch {
	case v.Op == OpArg:
		if v.Type == I64 || v.Type == U64 {
			n.candidate(v, narrowType(v.Type, out))
		}
		return
	case len(v.Args) == 0 || !v.pure():
		return
	case v.Op.IsCompare():
		t := v.Args[0].Type
		if !t.IsInteger() {
			return
		}
		if bit, known := compareRanges(v.Op, in[0], in[1]); known {
			v.Op, v.Imm, v.Args, n.changed = OpConst, bit, nil, true
			return
		}
		n.candidate(v, narrowType(t, in[0], in[1]))
		return
	case !v.Type.IsInteger():
		return
	case out.known && out.lo == out.hi:
		v.Op, v.Imm, v.Args, n.changed = OpConst, canonical(v.Type, uint64(out.lo)), nil, true
		return
	case v.Type.Bytes() != 8:
		return
	}
	switch v.Op {
	case OpAdd, OpSub, OpMul, OpAnd, OpOr, OpXor, OpNot, OpNeg, OpShl, OpSelect: // the low bits of the result follow from those of the operands
		n.candidate(v, narrowType(v.Type, out))
	case OpShr, OpAbs:
		n.candidate(v, narrowType(v.Type, out, in[0]))
	case OpMin, OpMax, OpDiv, OpRem:
		n.candidate(v, narrowType(v.Type, out, in[0], in[1]))
	}
}

func (n *narrowing) candidate(v *Value, t Type) {
	if t != Void {
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
var wideCosts = map[Op]int{OpMul: 4, OpDiv: 40, OpRem: 40, OpMin: 4, OpMax: 4, OpAbs: 4, OpShr: 3, OpShl: 3}

// prune drops the candidates that would cost more in 32 bits, for what must be widened again, and reports whether there were
// any.
func (n *narrowing) prune() bool {
	kept := n.candidates[:0]
	for _, v := range n.candidates {
		gain := 1
		if c := wideCosts[v.Op]; c > 0 {
			gain = c - 1
		}
		if v.scales() && n.onlyAdded(v) {
			gain = -1 // what adds it to an address does it
		}
		if !v.Op.IsCompare() && n.to[v.ID] == I32 && n.usedWide(v) {
			gain--
		}
		if gain > 0 || gain == 0 && n.fromNarrow(v) {
			kept = append(kept, v)
		} else {
			n.to[v.ID] = Void
		}
	}
	dropped := len(kept) < len(n.candidates)
	n.candidates = kept
	return dropped
}

// scales reports whether v is a product by a constant as addresses have it.
func (v *Value) scales() bool {
	return (v.Op == OpShl || v.Op == OpMul) && v.Args[1].Op == OpConst
}

// onlyAdded reports whether v is used in 64-bit additions alone, under whichever sign.
func (n *narrowing) onlyAdded(v *Value) bool {
	for _, u := range n.users[v.ID] {
		switch {
		case u.param:
			return false
		case u.v.Op == OpAdd && n.to[u.v.ID] == Void:
		case u.v.Op == OpConvert && u.v.Type.IsInteger() && u.v.Type.Bytes() == 8 && n.onlyAdded(u.v):
		default:
			return false
		}
	}
	return true
}

// usedWide reports whether something needs all 64 bits of v.
func (n *narrowing) usedWide(v *Value) bool {
	for _, u := range n.users[v.ID] {
		if n.to[u.v.ID] == Void && !(u.v.Op == OpConvert && u.v.Type.IsInteger() && u.v.Type.Bytes() <= 4 && !u.param) {
			return true
		}
	}
	return false
}

// fromNarrow reports whether all operands of v, or all that edges bring for it, have 32 bits already.
func (n *narrowing) fromNarrow(v *Value) bool {
	narrow := func(a *Value) bool {
		return a.Op == OpConst || a.Type.Bytes() <= 4 || n.to[a.ID] != Void ||
			a.Op == OpConvert && a.Args[0].Type.IsInteger() && a.Args[0].Type.Bytes() <= 4
	}
	if v.Op == OpArg {
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
	wide := make(map[*Value]*Value) // of each parameter, itself in 64 bits
	for _, blk := range f.Blocks {
		for _, p := range blk.Params {
			if n.to[p.ID] == Void {
				continue
			}
			w := &Value{ID: f.NewID(), Op: OpConvert, Type: p.Type, Block: blk, Pos: p.Pos, Note: p.Note}
			p.Type = n.to[p.ID]
			by[p.ID], wide[p] = w, w
		}
	}
	f.replaceAll(by)
	for _, blk := range f.Blocks {
		r := rewriter{f: f, blk: blk, out: make([]*Value, 0, 2*len(blk.Values))}
		for _, p := range blk.Params {
			if w := wide[p]; w != nil {
				w.Args = []*Value{p}
				r.out = append(r.out, w)
			}
		}
		for _, v := range blk.Values {
			if v.ID < len(n.to) && n.to[v.ID] != Void {
				r.at = v
				n.value(&r, v)
			}
			r.out = append(r.out, v)
		}
		r.at = &Value{Pos: blk.Term.Pos}
		for _, e := range blk.Term.Edges() {
			for i, p := range e.To.Params {
				if wide[p] != nil {
					e.Args[i] = r.narrowed(e.Args[i], p.Type)
				}
			}
		}
		blk.Values = r.out
		blk.splitVectors()
	}
	return true
}

// value puts the operation of v in 32 bits before it, and makes v what widens the result, or a comparison of narrow operands.
func (n *narrowing) value(r *rewriter, v *Value) {
	t := n.to[v.ID]
	var args []*Value
	for i, a := range v.Args {
		if v.Op == OpSelect && i == 0 || (v.Op == OpShl || v.Op == OpShr) && i == 1 {
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
	v.Op, v.Args = OpConvert, []*Value{w}
}

// narrowed returns the low bits of x as type t.
func (r *rewriter) narrowed(x *Value, t Type) *Value {
	switch {
	case x.Op == OpConst:
		return r.constant(t, x.Imm)
	case x.Op == OpConvert && x.Args[0].Type.IsInteger() && x.Args[0].Type.Bytes() == 4:
		return r.convert(t, x.Args[0])
	}
	return r.op(OpConvert, t, x)
}
