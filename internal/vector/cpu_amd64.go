//go:build !portable

package vector

import "slices"

var processorLoops = func() []Loop {
	switch {
	case hasAVX512:
		return slices.Concat(withWide(loops), moreLoops, halfLoopsHere(), functionLoops(avx512Functions))
	case hasAVX2:
		return slices.Concat(loops, moreLoops, halfLoopsHere(), functionLoops(avx2Functions))
	}
	return nil
}()

// halfLoopsHere are the loops of float16 where the processor has its conversions, as all have that have AVX2; a virtual
// one may not say so.
func halfLoopsHere() []Loop {
	if f16c() {
		return halfLoops
	}
	return nil
}

// withWide returns loops with those for AVX-512 in their places.
func withWide(loops []Loop) []Loop {
	wide := map[[3]string][8]Func{}
	for _, l := range loops512 {
		wide[[3]string{l.Op, l.Type, l.To}] = l.Forms
	}
	list := slices.Clone(loops)
	for i, l := range list {
		if forms, found := wide[[3]string{l.Op, l.Type, l.To}]; found {
			list[i].Forms = forms
		}
	}
	return list
}

// PastCaches returns loops of [Loops] whose results go to memory past the caches: for those that are larger than these,
// and are to begin at a multiple of 64 bytes. Memory need not be read before it is written then.
func PastCaches() []Loop {
	switch {
	case hasAVX512:
		return append(slices.Clone(pastLoops), pastLoops512...) // the later ones stand in for the others
	case hasAVX2:
		return pastLoops
	}
	return nil
}

// Loops returns the loops that this processor can run.
func Loops() []Loop { return processorLoops }
