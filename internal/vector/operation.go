package vector

import "slices"

// Operation is one operation: the loops that there are for it. Each has a variable, which names its loops as data does,
// so that a program links the loops of those operations alone that it names; [Loops] names all.
type Operation struct {
	avx2, wide, more, half, past, pastWide *[]Loop // wide ones, of AVX-512, stand in for those of AVX2
}

// Loops returns the loops that this processor can run.
func (o *Operation) Loops() []Loop {
	switch {
	case hasAVX512:
		return slices.Concat(withWide(list(o.avx2), list(o.wide)), list(o.more), halves(o))
	case hasAVX2:
		return slices.Concat(list(o.avx2), list(o.more), halves(o))
	}
	return nil
}

// PastCaches returns loops of [Operation.Loops] whose results go to memory past the caches: for those that are larger
// than these, and are to begin at a multiple of 64 bytes. Memory need not be read before it is written then.
func (o *Operation) PastCaches() []Loop {
	switch {
	case hasAVX512:
		return slices.Concat(list(o.past), list(o.pastWide)) // the later ones stand in for the others
	case hasAVX2:
		return list(o.past)
	}
	return nil
}

// Loops returns the loops that this processor can run, but for those of [FunctionLoops].
func Loops() (all []Loop) {
	for _, o := range operations {
		all = append(all, o.Loops()...)
	}
	return all
}

// list is what l points to.
func list(l *[]Loop) []Loop {
	if l == nil {
		return nil
	}
	return *l
}

// halves are the loops of float16 where the processor has its conversions, as all have that have AVX2; a virtual one
// may not say so.
func halves(o *Operation) []Loop {
	if o.half != nil && hasF16C() {
		return *o.half
	}
	return nil
}

// withWide returns loops with those for AVX-512 in their places.
func withWide(loops, wide []Loop) []Loop {
	out := slices.Clone(loops)
	for _, w := range wide {
		for i, l := range out {
			if l.Op == w.Op && l.Type == w.Type && l.To == w.To {
				out[i].Forms = w.Forms
			}
		}
	}
	return out
}
