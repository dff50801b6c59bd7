package kir

import "slices"

// A pass rewrites a kernel in place and reports whether it changed anything. It leaves the kernel's results as they were,
// bit for bit but for the payloads of NaNs.
type pass struct {
	name string
	run  func(*Func) bool
}

// passes is the order in which Optimize runs them. What they do is what a GPU's assembler would do to the kernel in any
// case: without it, timing models count instructions that no device executes.
var passes = []pass{
	{"fold", fold},
	{"arguments", dropArguments},
	{"control", simplifyControl},
	{"common", shareCommon},
	{"hoist", hoist},
	{"dead", dropDead},
}

// maxRounds bounds the repetition of the passes. Two or three rounds reach the end on kernels met so far.
const maxRounds = 10

// Optimize returns an equivalent of f with less to execute: constants folded, cheaper forms of index arithmetic, common
// values computed once, invariant ones before their loop, dead ones nowhere. f stays as it is. Values of the result have
// IDs of its own. A load whose result nobody uses is dropped, and with it the trap that it may have been.
func Optimize(f *Func) *Func {
	g := f.clone()
	for changed, round := true, 0; changed && round < maxRounds; round++ {
		changed = false
		for _, p := range passes {
			changed = p.run(g) || changed
		}
	}
	g.renumber()
	return g
}

// renumber makes the IDs of the values dense, in their order.
func (f *Func) renumber() {
	f.nextID = 0
	for _, blk := range f.Blocks {
		for _, vs := range [][]*Value{blk.Params, blk.Values} {
			for _, v := range vs {
				v.ID = f.nextID
				f.nextID++
			}
		}
	}
}

// replaceAll puts the values of by in the place of the uses of its keys, following chains of replacements.
func (f *Func) replaceAll(by map[*Value]*Value) {
	if len(by) == 0 {
		return
	}
	f.replaceUses(func(v *Value) *Value {
		for by[v] != nil {
			v = by[v]
		}
		return v
	})
}

// dropDead removes values and block parameters that nothing with an effect depends on.
func dropDead(f *Func) bool {
	live := make(map[*Value]bool)
	var work []*Value
	mark := func(v *Value) {
		if !live[v] {
			live[v] = true
			work = append(work, v)
		}
	}
	type incoming struct {
		blk  *Block
		edge int
	}
	into := make(map[*Block][]incoming)
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if v.Op.HasEffect() {
				mark(v)
			}
		}
		if blk.Term.Kind == TermBranch {
			mark(blk.Term.Cond)
		}
		for i, e := range blk.Term.Edges() {
			into[e.To] = append(into[e.To], incoming{blk, i})
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, a := range v.Args {
			mark(a)
		}
		if v.Op == OpArg {
			for _, in := range into[v.Block] {
				mark(in.blk.Term.To[in.edge].Args[v.Imm])
			}
		}
	}
	changed := false
	dead := func(v *Value) bool { return !live[v] }
	for _, blk := range f.Blocks {
		n := len(blk.Values)
		blk.Values = slices.DeleteFunc(blk.Values, dead)
		blk.splitVectors()
		changed = changed || len(blk.Values) != n
		if f.dropParams(blk, dead) {
			changed = true
		}
	}
	return changed
}

// dropParams removes the parameters of blk that drop tells, and what the edges bring for them.
func (f *Func) dropParams(blk *Block, drop func(*Value) bool) bool {
	if !slices.ContainsFunc(blk.Params, drop) {
		return false
	}
	for _, from := range f.Blocks {
		for i := range from.Term.Edges() {
			if e := &from.Term.To[i]; e.To == blk {
				var keep []*Value
				for j, a := range e.Args {
					if !drop(blk.Params[j]) {
						keep = append(keep, a)
					}
				}
				e.Args = keep
			}
		}
	}
	blk.Params = slices.DeleteFunc(blk.Params, drop)
	for i, p := range blk.Params {
		p.Imm = uint64(i)
	}
	return true
}

// dropArguments replaces a block's parameter for which every edge brings one value, or the parameter itself.
func dropArguments(f *Func) bool {
	only := make(map[*Value]*Value) // nil once a second value was seen
	for _, blk := range f.Blocks {
		for _, e := range blk.Term.Edges() {
			for i, a := range e.Args {
				p := e.To.Params[i]
				if a == p {
					continue
				}
				if old, seen := only[p]; !seen {
					only[p] = a
				} else if old != a {
					only[p] = nil
				}
			}
		}
	}
	by := make(map[*Value]*Value)
	for p, a := range only {
		if a != nil {
			by[p] = a
		}
	}
	for _, blk := range f.Blocks {
		f.dropParams(blk, func(p *Value) bool { return by[p] != nil })
	}
	f.replaceAll(by)
	return len(by) > 0
}
