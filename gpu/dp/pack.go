package dp

import (
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/scan"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Count returns how many elements of m, bools or numbers, are true or not 0: a 0-d array.
func Count(m any) *np.Array {
	f := flags("dp.Count", m)
	l := steps("dp.Count", f.Size(), pointerBits)
	l.reduce("count", f.Size(), pointerBits)
	if shows(f.Size()) {
		shown := f.Reshape(-1).Copy() // as it is now
		l.replay = func() []frame { return sumRounds(shown) }
	}
	return l.of(f.Sum())
}

// Enumerate returns for each element of m how many of those before it are true: what those that are true are numbered
// by, from 0.
func Enumerate(m any) *np.Array {
	f := flags("dp.Enumerate", m)
	l := steps("dp.Enumerate", f.Size(), pointerBits)
	l.scan("enumerate", f.Size(), pointerBits)
	if shows(f.Size()) {
		shown := f.Reshape(-1).Copy() // as it is now
		l.replay = func() []frame { return enumerated(shown) }
	}
	return l.of(scanned("dp.Enumerate", Sum, f.AsType(np.Int64), nil, true, nil))
}

// Pack returns the elements of x for which m is true, in their order. How many those are is looked at now.
func Pack(x, m any) *np.Array {
	a, keep := array("dp.Pack", x), flags("dp.Pack", m)
	if fmt.Sprint(a.Shape()) != fmt.Sprint(keep.Shape()) {
		check("dp.Pack", fmt.Errorf("the array has shape %v, the flags have %v", a.Shape(), keep.Shape()))
	}
	out := a.At(keep)
	l := steps("dp.Pack", a.Size(), sizeBits(a.DType())+pointerBits)
	l.scan("enumerate", a.Size(), pointerBits)
	l.send("to their numbers", a.Size(), sizeBits(a.DType()), out.Size())
	return l.of(out)
}

// flags are m as bools.
func flags(op string, m any) *np.Array {
	a := array(op, m)
	if a.DType() != np.Bool {
		a = a.NotEqual(0)
	}
	return a
}

// Split returns the elements of x for which m is false, in their order, and behind them those for which it is true: a
// pass of a radix sort. How many those are is looked at now.
func Split(x, m any) *np.Array {
	const name = "dp.Split"
	a, high := array(name, x), flags(name, m)
	if a.NDim() != 1 || fmt.Sprint(a.Shape()) != fmt.Sprint(high.Shape()) {
		check(name, fmt.Errorf("the array has shape %v, the flags have %v; both have one axis of one length", a.Shape(), high.Shape()))
	}
	n, places := a.Size(), kir.I32
	if n > math.MaxInt32 {
		places = kir.I64
	}
	count := Count(high)
	np.Eval(high, count)
	s := scan.Spec{
		Op: scan.Binary(kir.OpAdd, places), Lifted: 1, Exclusive: true, Numbered: true, Given: []int{n - count.Int()},
		Lift: func(b *kir.Builder, in []*kir.Value) []*kir.Value {
			return []*kir.Value{b.Convert(places, b.Op(kir.OpNot, in[0]))}
		},
		Lower: func(_ *kir.Builder, _, in []*kir.Value) []*kir.Value { return in[1:2] },
		Scatter: func(b *kir.Builder, state, in []*kir.Value) (to, ok *kir.Value) {
			low, i, lows := b.Convert(kir.I64, state[0]), in[2], in[3]
			high := b.Op(kir.OpAdd, lows, b.Op(kir.OpSub, i, low))
			return b.Op(kir.OpSelect, in[0], high, low), b.Bits(kir.Bool, 1)
		},
	}
	l := steps(name, n, sizeBits(a.DType())+pointerBits)
	l.splitting(n, sizeBits(a.DType()))
	return l.of(np.Wiring{}.ScanBy(kernelcall.Scan[np.Array]{Name: "split", Spec: s, Xs: []*np.Array{high, a}, DType: a.DType()}))
}

// splitting are the steps of a split of n elements, as the paper counts them.
func (l ledger) splitting(n, bits int) {
	l.scan("enumerate those that go first", n, pointerBits)
	l.reduce("count them", n, pointerBits)
	l.scan("enumerate the others", n, pointerBits)
	l.send("to their numbers", n, bits, n)
}
