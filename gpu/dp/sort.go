package dp

import (
	"fmt"
	"math/bits"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/cm"
)

// SortMethod is how [Sort] sorts: [Radix], [Bitonic] or [Quicksort].
type SortMethod struct {
	name string
	sort func(l ledger, a *np.Array) *np.Array
}

// The ways to sort that are there to be compared, each made of the verbs of this package, of ints of one axis.
var (
	// Radix is [Split] by each bit, from the lowest on up to the highest that differs.
	Radix = SortMethod{"radix", radixSort}
	// Bitonic is Batcher's: in log2(n)·(log2(n)+1)/2 steps each element meets one other, and keeps the less or the
	// larger.
	Bitonic = SortMethod{"bitonic", bitonicSort}
	// Quicksort splits every segment by an element from its middle into those that are less, equal and larger, all
	// segments at once, until all is in order.
	Quicksort = SortMethod{"quicksort", quicksort}
)

// Sort returns the elements of x in ascending order along its last axis, as np.Sort, or those of ints of one axis by a
// method that is named: how many passes there are depends on the elements, which are looked at now.
func Sort(x any, by ...SortMethod) *np.Array {
	const name = "dp.Sort"
	a := array(name, x)
	if len(by) == 0 {
		return a.Sort()
	}
	if len(by) > 1 || by[0].sort == nil {
		check(name, fmt.Errorf("%d methods are named; name dp.Radix, dp.Bitonic, dp.Quicksort or none", len(by)))
	}
	if d := a.DType(); !d.IsInt() || a.NDim() != 1 {
		check(name, fmt.Errorf("they are %v of shape %v; by %s ints of one axis are sorted: leave the method out", d, a.Shape(), by[0].name))
	}
	l := steps(name+" "+by[0].name, a.Size(), 2*sizeBits(a.DType())+2*pointerBits)
	if a.Size() < 2 {
		return l.of(a.Copy())
	}
	return l.of(by[0].sort(l, a))
}

func radixSort(l ledger, a *np.Array) *np.Array {
	d, least := a.DType(), a.Min()
	np.Eval(a, least)
	unsigned := map[int]np.DType{1: np.Uint8, 2: np.Uint16, 4: np.Uint32, 8: np.Uint64}[d.Size()]
	keys := a.Sub(least).AsType(unsigned) // the differences wrap to what they are without a sign
	top := keys.Max()
	np.Eval(keys, top)
	l.passed(a, nil)
	for bit := range bits.Len64(top.AsType(np.Uint64).Item().(uint64)) {
		one := np.Full(uint64(1) << bit).AsType(unsigned)
		high := keys.BitAnd(one).NotEqual(0)
		keys = Split(keys, high)
		l.splitting(a.Size(), sizeBits(d))
		if shows(a.Size()) {
			l.passed(keys.AsType(d).Add(least), splitPlaces(high))
		}
	}
	return keys.AsType(d).Add(least)
}

func bitonicSort(l ledger, a *np.Array) *np.Array {
	n := a.Size()
	all := 1 << bits.Len(uint(n-1))
	i := np.Arange(all)
	most := a.Max()
	keys := np.Where(i.Less(n), a.At(np.Minimum(i, n-1)), most).AsType(a.DType()) // those behind the end are not less
	l.passed(keys, nil)
	for run := 2; run <= all; run *= 2 {
		for far := run / 2; far > 0; far /= 2 {
			other := keys.At(i.BitXor(far))
			less := i.BitAnd(run).Equal(0).Equal(i.BitAnd(far).Equal(0)) // whether the less of the two stays
			keys = np.Where(less, np.Minimum(keys, other), np.Maximum(keys, other))
			np.Eval(keys)
			l.add(cm.Exchange, "the less or the larger", all, sizeBits(a.DType()), all, all)
			if shows(all) {
				l.passed(keys, i.BitXor(far).Ints())
			}
		}
	}
	return keys.At(np.S(0, n)).Copy()
}

func quicksort(l ledger, a *np.Array) *np.Array {
	n := a.Size()
	i := np.Arange(n)
	before := np.Maximum(i.Sub(1), 0)
	heads := i.Equal(0)
	l.passed(a, nil)
	for {
		np.Eval(a, heads)
		l.reduce("whether all is in order", n, 1)
		if !a.Less(a.At(before)).AnyTrue().Item().(bool) {
			return a.Copy()
		}
		l.scan("pivots", n, sizeBits(a.DType()))
		for range 3 {
			l.scan("enumerate a class of each segment", n, pointerBits)
		}
		l.send("to their numbers", n, sizeBits(a.DType()), n)
		number := Scan(Sum, heads.AsType(np.Int64)).Sub(1) // the segment of each element
		start := np.NonZero(heads)[0]
		s := Heads(heads)
		length := SegReduce(Sum, np.Ones(n).AsType(np.Int64), s)
		pivot := a.At(start.Add(length.FloorDivide(2)).At(number))
		class := np.Where(a.Less(pivot), 0, np.Where(a.Equal(pivot), 1, 2))
		to := start.At(number)
		for c := range 3 { // those of a class go behind all of the classes before it
			is := class.Equal(c)
			flags := is.AsType(np.Int64)
			to = np.Where(is, to.Add(SegScanEx(Sum, flags, s)), np.Where(class.Greater(c), to.Add(SegReduce(Sum, flags, s).At(number)), to))
		}
		a, class, number = Permute(a, to), Permute(class, to), Permute(number, to)
		if shows(n) {
			l.passed(a, to.Ints())
		}
		heads = i.Equal(0).LogicalOr(class.NotEqual(class.At(before))).LogicalOr(number.NotEqual(number.At(before)))
	}
}
