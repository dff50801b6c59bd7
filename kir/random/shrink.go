package random

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Shrink returns a kernel that is as small as it can make it and on which r still differs from the reference: branches
// go one way, stores and barriers go, values become constants, until nothing can go. It gives up after so many tries.
func Shrink(d *Difference, tries int) *Difference {
	s := shrinking{kernel: d.Kernel, best: d, left: tries}
	for s.round() {
	}
	return s.best
}

type shrinking struct {
	kernel *Kernel
	best   *Difference
	left   int
}

// round tries every change once and reports whether one was kept.
func (s *shrinking) round() bool {
	kept := false
	for _, change := range changes {
		for at := 0; s.left > 0; at++ {
			f := clone(s.best.Kernel.Func)
			if f == nil || !change(f, at) {
				break
			}
			if sweep(f); kir.Verify(f) != nil || size(f) >= size(s.best.Kernel.Func) {
				continue
			}
			s.left--
			if d := s.fails(f); d != nil {
				s.best, kept = d, true
				at-- // another stands here now
			}
		}
	}
	return kept && s.left > 0
}

// fails returns the difference that f still shows.
func (s *shrinking) fails(f *kir.Func) *Difference {
	k := *s.kernel
	k.Func = f
	want, err := Reference.Run(&k, f)
	if err != nil {
		return nil
	}
	// What the plain engine does otherwise is a race by now, unless that is the difference.
	if plain := Engine(1); s.best.Runner.Name != plain.Name && k.differs(plain, f, want) != nil {
		return nil
	}
	return k.differs(s.best.Runner, f, want)
}

// clone copies a kernel by way of its text.
func clone(f *kir.Func) *kir.Func {
	g, err := kir.Parse(f.String())
	if err != nil {
		return nil
	}
	return g
}

func size(f *kir.Func) int {
	n := 0
	for _, b := range f.Blocks {
		n += 4 + len(b.Params) + len(b.Values)
		for _, v := range b.Values {
			n += len(v.Args)
		}
		n += 2 * len(b.Term.Edges())
	}
	return n
}

// changes make a kernel smaller in its at-th place of a kind; they report false when there are no more places.
var changes = []func(f *kir.Func, at int) bool{
	func(f *kir.Func, at int) bool { // a branch goes one way
		for _, b := range f.Blocks {
			if b.Term.Kind != kir.TermBranch {
				continue
			}
			if at < 2 {
				b.Term = kir.Term{Kind: kir.TermJump, To: [2]kir.Edge{b.Term.To[at]}}
				return true
			}
			at -= 2
		}
		return false
	},
	func(f *kir.Func, at int) bool { // a block ends the thread
		if at >= len(f.Blocks) {
			return false
		}
		f.Blocks[at].Term = kir.Term{Kind: kir.TermReturn}
		return true
	},
	func(f *kir.Func, at int) bool { // an operation with an effect goes
		for _, b := range f.Blocks {
			for i, v := range b.Values {
				if v.Op.HasEffect() && v.Type == kir.Void {
					if at == 0 {
						b.Values = slices.Delete(b.Values, i, i+1)
						return true
					}
					at--
				}
			}
		}
		return false
	},
	func(f *kir.Func, at int) bool { // a value becomes 1, or its first operand of the same type
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				if v.Type == kir.Void || v.Op.IsFree() {
					continue
				}
				if at == 0 {
					v.Op, v.Args, v.Imm, v.Space, v.Vec, v.Access = kir.OpConst, nil, 1, 0, 0, 0
					return true
				}
				at--
				for _, a := range v.Args {
					if a.Type != v.Type {
						continue
					}
					if at == 0 {
						replace(f, v, a)
						return true
					}
					at--
				}
			}
		}
		return false
	},
	func(f *kir.Func, at int) bool { // a block loses a parameter that one edge brings
		for _, b := range f.Blocks {
			for j, p := range b.Params {
				if at > 0 {
					at--
					continue
				}
				one := &kir.Value{ID: p.ID, Op: kir.OpConst, Type: p.Type, Imm: 1, Block: b}
				replace(f, p, one)
				dropParam(f, b, j)
				b.Values = append([]*kir.Value{one}, b.Values...)
				return true
			}
		}
		return false
	},
}

func dropParam(f *kir.Func, b *kir.Block, j int) {
	for _, from := range f.Blocks {
		for i := range from.Term.Edges() {
			if e := &from.Term.To[i]; e.To == b {
				e.Args = slices.Delete(slices.Clone(e.Args), j, j+1)
			}
		}
	}
	b.Params = slices.Delete(b.Params, j, j+1)
	for i, p := range b.Params {
		p.Imm = uint64(i)
	}
}

// eachUse calls use with every place in f where a value is used.
func eachUse(f *kir.Func, use func(**kir.Value)) {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			for i := range v.Args {
				use(&v.Args[i])
			}
		}
		if b.Term.Kind == kir.TermBranch {
			use(&b.Term.Cond)
		}
		for _, e := range b.Term.Edges() {
			for i := range e.Args {
				use(&e.Args[i])
			}
		}
	}
}

func replace(f *kir.Func, v, by *kir.Value) {
	eachUse(f, func(u **kir.Value) {
		if *u == v {
			*u = by
		}
	})
}

// merge appends blocks without parameters to the only one that leads to them.
func merge(f *kir.Func) {
	into := map[*kir.Block]int{f.Blocks[0]: 1}
	for _, b := range f.Blocks {
		for _, e := range b.Term.Edges() {
			into[e.To]++
		}
	}
	gone := map[*kir.Block]bool{}
	for _, b := range f.Blocks {
		for !gone[b] && b.Term.Kind == kir.TermJump && into[b.Term.To[0].To] == 1 && len(b.Term.To[0].Args) == 0 {
			next := b.Term.To[0].To
			for _, v := range next.Values {
				v.Block = b
			}
			b.Values, b.Term, gone[next] = append(b.Values, next.Values...), next.Term, true
		}
	}
	f.Blocks = slices.DeleteFunc(f.Blocks, func(b *kir.Block) bool { return gone[b] })
	for i, b := range f.Blocks {
		b.ID = i
	}
}

// sweep takes out blocks that nothing leads to and values that nothing needs.
func sweep(f *kir.Func) {
	seen := map[*kir.Block]bool{}
	var visit func(b *kir.Block)
	visit = func(b *kir.Block) {
		if !seen[b] {
			seen[b] = true
			for _, e := range b.Term.Edges() {
				visit(e.To)
			}
		}
	}
	visit(f.Blocks[0])
	f.Blocks = slices.DeleteFunc(f.Blocks, func(b *kir.Block) bool { return !seen[b] })
	merge(f)
	for again := true; again; {
		again = false
		used := map[*kir.Value]bool{}
		eachUse(f, func(u **kir.Value) { used[*u] = true })
		for _, b := range f.Blocks {
			n := len(b.Values)
			b.Values = slices.DeleteFunc(b.Values, func(v *kir.Value) bool { return !used[v] && !v.Op.HasEffect() })
			again = again || len(b.Values) < n
			for j := len(b.Params) - 1; j >= 0; j-- {
				if !used[b.Params[j]] {
					dropParam(f, b, j)
					again = true
				}
			}
		}
	}
}
