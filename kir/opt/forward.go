package opt

import "github.com/arrayrepl/arrayrepl/kir"

// held is what a place in memory is known to hold: what was loaded from it or stored to it last, in this thread.
type held struct {
	space kir.Space
	base  *kir.Value // the address is base + off
	off   uint64
	typ   kir.Type
	value *kir.Value
}

// mostHeld bounds what forward remembers; the newest stay.
const mostHeld = 48

// forward uses a value that was loaded or stored before again, instead of loading it, where no store, barrier or atomic
// operation in between can have changed it. As in CUDA C, other threads' stores count from the next barrier on.
func forward(f *kir.Func) bool {
	into := incoming(f)
	end := make([][]held, len(f.Blocks)) // what is known at the end of each block
	by := make(replacements, f.NumValues())
	changed := false
	for _, blk := range f.Blocks { // the only block that leads to one stands before it
		var known []held
		if in := into[blk.ID]; len(in) == 1 && in[0].from.ID < blk.ID {
			known = end[in[0].from.ID]
			known = known[:len(known):len(known)] // appending copies
		}
		for _, v := range blk.Values {
			switch roleOf(v) {
			case computes, checks, stays:
			case reads:
				h := place(v, v.Type, by)
				if old := lookUp(known, h); old != nil {
					by[v.ID], changed = old, true
					continue
				}
				h.value = v
				known = remember(known, h)
			case writes:
				h := place(v, v.Args[1].Type, by)
				h.value = by.of(v.Args[1])
				known = remember(spared(known, h), h)
			case changes:
				known = spared(known, place(v, v.Type, by))
			default:
				known = nil
			}
		}
		end[blk.ID] = known
	}
	if changed {
		replaceAll(f, by) // dropDead takes the loads away
	}
	return changed
}

func place(v *kir.Value, t kir.Type, by replacements) held {
	h := held{space: v.Space, base: by.of(v.Args[0]), off: v.Imm, typ: t}
	if h.base.Op == kir.OpAdd && h.base.Args[1].Op == kir.OpConst {
		h.base, h.off = by.of(h.base.Args[0]), h.off+h.base.Args[1].Imm
	}
	return h
}

func lookUp(known []held, h held) *kir.Value {
	for _, k := range known {
		if k.space == h.space && k.base == h.base && k.off == h.off && k.typ == h.typ {
			return k.value
		}
	}
	return nil
}

func remember(known []held, h held) []held {
	if len(known) >= mostHeld {
		known = append([]held(nil), known[1:]...)
	}
	return append(known, h)
}

// spared returns what of known a store leaves as it is: other spaces, and other offsets from the same base.
func spared(known []held, store held) []held {
	var out []held
	n := uint64(store.typ.Bytes())
	for _, k := range known {
		apart := k.base == store.base && k.off-store.off >= n && store.off-k.off >= uint64(k.typ.Bytes())
		if k.space != store.space || apart {
			out = append(out, k)
		}
	}
	return out
}
