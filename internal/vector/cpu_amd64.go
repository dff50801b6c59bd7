//go:build !portable

package vector

import "slices"

var processorLoops = func() []Loop {
	switch {
	case hasAVX512:
		return append(withWide(loops), functionLoops(avx512Functions)...)
	case hasAVX2:
		return append(loops, functionLoops(avx2Functions)...)
	}
	return nil
}()

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

// Loops returns the loops that this processor can run.
func Loops() []Loop { return processorLoops }
