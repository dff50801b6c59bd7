package ptx

import "github.com/arrayrepl/arrayrepl/kir"

// distantOf returns the values that may be addresses in the shared memory of other blocks of the cluster: what follows
// from an OpSharedOf. Addresses in a block's own are in that window, too (PTX ISA, "Shared State Space").
func distantOf(f *kir.Func) map[*kir.Value]bool {
	on := map[*kir.Value]bool{}
	for changed := true; changed; {
		changed = false
		set := func(v, from *kir.Value) {
			if on[from] && !on[v] && v.Type == kir.U64 {
				on[v], changed = true, true
			}
		}
		for _, blk := range f.Blocks {
			for _, v := range blk.Values {
				if v.Op == kir.OpSharedOf && !on[v] {
					on[v], changed = true, true
				}
				if v.Op.IsMemory() {
					continue
				}
				for _, a := range v.Args {
					set(v, a)
				}
			}
			for _, e := range blk.Term.Edges() {
				for i, a := range e.Args {
					set(e.To.Params[i], a)
				}
			}
		}
	}
	return on
}

// isDistant reports whether an access may be to the shared memory of another block.
func (p *printer) isDistant(v *kir.Value) bool { return v.Space == kir.Shared && p.distant[v.Args[0]] }

// mapa lowers the instruction of that name.
func mapa(l *lowerer, in *inst) {
	in.arity(3)
	addr := l.pointer(l.refOf(in.args[1]))
	l.set(in.args[0], l.b.Op(kir.OpSharedOf, addr, l.value(in.args[2], kir.U32)))
}
