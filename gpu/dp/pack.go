package dp

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Count returns how many elements of m, bools or numbers, are true or not 0: a 0-d array.
func Count(m any) *np.Array { return flags("dp.Count", m).Sum() }

// Enumerate returns for each element of m how many of those before it are true: what those that are true are numbered
// by, from 0.
func Enumerate(m any) *np.Array { return ScanEx(Sum, flags("dp.Enumerate", m).AsType(np.Int64)) }

// Pack returns the elements of x for which m is true, in their order. How many those are is looked at now.
func Pack(x, m any) *np.Array {
	a, keep := array("dp.Pack", x), flags("dp.Pack", m)
	if fmt.Sprint(a.Shape()) != fmt.Sprint(keep.Shape()) {
		check("dp.Pack", fmt.Errorf("the array has shape %v, the flags have %v", a.Shape(), keep.Shape()))
	}
	return a.At(keep)
}

// flags are m as bools.
func flags(op string, m any) *np.Array {
	a := array(op, m)
	if a.DType() != np.Bool {
		a = a.Ne(0)
	}
	return a
}
