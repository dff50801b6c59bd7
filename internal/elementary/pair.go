package elementary

import "math"

// pair is the unevaluated sum of two float64s, |lo| at most half a unit in the last place of hi: about 106 bits. Its
// operations are the double-word ones of Dekker and of Joldes, Muller and Popescu ("Tight and rigorous error bounds for
// basic building blocks of double-word arithmetic", 2017).
type pair struct{ hi, lo float64 }

// float64 returns the pair rounded once.
func (a pair) float64() float64 { return a.hi + a.lo }

func (a pair) neg() pair { return pair{-a.hi, -a.lo} }

func (a pair) half() pair { return pair{float64(a.hi / 2), float64(a.lo / 2)} }

// times is a*s for a power of two s.
func (a pair) times(s float64) pair { return pair{float64(a.hi * s), float64(a.lo * s)} }

func (a pair) add(b pair) pair {
	s := twoSum(a.hi, b.hi)
	return fastSum(s.hi, s.lo+(a.lo+b.lo))
}

func (a pair) mul(b pair) pair {
	p := twoProd(a.hi, b.hi)
	return fastSum(p.hi, math.FMA(a.lo, b.hi, math.FMA(a.hi, b.lo, p.lo)))
}

// div wants b.hi of a size whose reciprocal is finite.
func (a pair) div(b pair) pair {
	q, inverse := a.hi/b.hi, 1/b.hi // beside each other, not one after the other
	rest := math.FMA(-q, b.hi, a.hi) + math.FMA(-q, b.lo, a.lo)
	return fastSum(q, float64(rest*inverse))
}

// sqrt wants a.hi > 0.
func (a pair) sqrt() pair {
	r := math.Sqrt(a.hi)
	return fastSum(r, (math.FMA(-r, r, a.hi)+a.lo)/(2*r))
}

// twoSum returns a+b rounded, and what rounding lost.
func twoSum(a, b float64) pair {
	sum := a + b
	t := sum - a
	return pair{sum, (a - (sum - t)) + (b - t)}
}

// fastSum is twoSum for |a| >= |b| or a = 0.
func fastSum(a, b float64) pair {
	sum := a + b
	return pair{sum, b - (sum - a)}
}

// twoProd returns a*b rounded, and what rounding lost.
func twoProd(a, b float64) pair {
	p := float64(a * b)
	return pair{p, math.FMA(a, b, -p)}
}
