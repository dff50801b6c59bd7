package dp

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Histogram returns how often each of the ints 0 to n-1 is in keys. It panics with *np.Error where one is another. The
// keys are looked at now.
func Histogram(keys any, n int) *np.Array {
	const name = "dp.Histogram"
	a := pointers(name, keys, 0).Reshape(-1)
	if n < 0 {
		check(name, fmt.Errorf("%d counts cannot be made; give 0 or more", n))
	}
	if a.Size() > 0 {
		inside(name, a, n)
	}
	l := steps(name, max(a.Size(), n), 2*pointerBits)
	l.send("a one to each key's place", max(a.Size(), n), pointerBits, a.Size())
	return l.of(np.BinCount(a, np.MinLength(n)))
}

// RunLength returns the runs of equal neighbours of x, which has one axis: the value of each run, and how long it is.
// How many runs there are is looked at now.
func RunLength(x any) (values, lengths *np.Array) {
	const name = "dp.RunLength"
	a := array(name, x)
	if a.NDim() != 1 {
		check(name, fmt.Errorf("the array has shape %v; runs are of one axis: Reshape(-1) makes it one", a.Shape()))
	}
	n := a.Size()
	if n == 0 {
		return a.Copy(), np.Zeros(0).AsType(np.Int64)
	}
	i := np.Arange(n)
	heads := a.NotEqual(a.At(np.Maximum(i.Sub(1), 0))).LogicalOr(i.Equal(0))
	return Pack(a, heads), SegReduce(Sum, np.Ones(n).AsType(np.Int64), Heads(heads))
}

// SummedArea returns the summed-area table of img, which has two axes: at (i, j) the sum of all elements of rows 0 to i
// and columns 0 to j, so that four of them give the sum of any rectangle.
func SummedArea(img any) *np.Array {
	a := array("dp.SummedArea", img)
	if a.NDim() != 2 {
		check("dp.SummedArea", fmt.Errorf("the array has shape %v; a summed-area table has two axes", a.Shape()))
	}
	return a.CumSum(1).CumSum(0)
}
