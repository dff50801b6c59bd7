package exact

import (
	"math/big"
	"sync"
)

// Prec is the working precision in bits; results are good to about 200.
const Prec = 320

// reducePrec is enough to take a multiple of pi from the largest float64 and have Prec bits left.
const reducePrec = 1024 + 64 + Prec

func from(x float64) *big.Float            { return number().SetFloat64(x) }
func number() *big.Float                   { return new(big.Float).SetPrec(Prec) }
func add(a, b *big.Float) *big.Float       { return number().Add(a, b) }
func sub(a, b *big.Float) *big.Float       { return number().Sub(a, b) }
func mul(a, b *big.Float) *big.Float       { return number().Mul(a, b) }
func quo(a, b *big.Float) *big.Float       { return number().Quo(a, b) }
func neg(a *big.Float) *big.Float          { return number().Neg(a) }
func sqrt(a *big.Float) *big.Float         { return number().Sqrt(a) }
func half(a *big.Float) *big.Float         { return shift(a, -1) }
func shift(a *big.Float, k int) *big.Float { return number().SetMantExp(a, k) }

// small says that a is below 2^exp.
func small(a *big.Float, exp int) bool { return a.Sign() == 0 || a.MantExp(nil) <= exp }

// nearest is the integer nearest to a.
func nearest(a *big.Float) *big.Int {
	h := new(big.Float).SetPrec(a.Prec()).Add(a, big.NewFloat(0.5))
	n, accuracy := h.Int(nil)
	if accuracy == big.Above { // a negative one, truncated
		n.Sub(n, big.NewInt(1))
	}
	return n
}

// pi by the Gauss-Legendre iteration.
var pi = sync.OnceValue(func() *big.Float {
	n := func() *big.Float { return new(big.Float).SetPrec(reducePrec + 64) }
	a, b, t, p := n().SetInt64(1), n(), n().SetFloat64(0.25), n().SetInt64(1)
	b.Sqrt(n().SetFloat64(0.5))
	for range 12 {
		next := n().Quo(n().Add(a, b), n().SetInt64(2))
		b = n().Sqrt(n().Mul(a, b))
		d := n().Sub(a, next)
		t = n().Sub(t, n().Mul(p, n().Mul(d, d)))
		p = n().Mul(p, n().SetInt64(2))
		a = next
	}
	s := n().Add(a, b)
	return n().Quo(n().Mul(s, s), n().Mul(t, n().SetInt64(4)))
})

// Pi returns pi.
func Pi() *big.Float { return number().Set(pi()) }

// ln2 = 2*atanh(1/3).
var ln2 = sync.OnceValue(func() *big.Float { return doubleAtanh(quo(from(1), from(3))) })
