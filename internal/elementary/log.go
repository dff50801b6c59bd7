package elementary

import "math"

const (
	smallestNormal = 0x1p-1022
	sqrtHalfBits   = 0x3fe6a09e667f3bcd
	fractionMask   = 1<<52 - 1

	log10of2Hi  = 0x1.34413509f4p-2 // 40 bits, so that k*log10of2Hi is exact for every exponent k
	log10of2Mid = 0x1.cff7988f8959bp-41
)

func log10ePair() pair { return pair{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57} }

func twoThirds() pair { return pair{0x1.5555555555555p-1, 0x1.5555555555555p-55} }

// split writes a positive, finite and normal x as m*2^(biased-1023) with sqrt(1/2) <= m < sqrt(2).
func split(x float64) (m float64, biased uint64) {
	bits := math.Float64bits(x) + (1023<<52 - sqrtHalfBits)
	return math.Float64frombits(bits&fractionMask + sqrtHalfBits), bits >> 52
}

// unbiased is biased-1023 as a float: the conversion of an int is more on most machines.
func unbiased(biased uint64) float64 {
	return math.Float64frombits(biased|0x433<<52) - (0x1p52 + 1023)
}

// logEdge is the logarithm where it is not finite.
func logEdge(x float64) (edge float64, found bool) {
	switch {
	case x == 0:
		return math.Inf(-1), true
	case x < 0:
		return math.NaN(), true
	case !(x <= math.MaxFloat64):
		return x, true
	}
	return 0, false
}

// isNormal reports whether x is a positive number of full precision, for which the logarithms are formulas alone.
func isNormal(x float64) bool { return x >= smallestNormal && x <= math.MaxFloat64 }

// Log returns the natural logarithm of x. With s = f/(2+f), log(1+f) = f - f^2/2 + s*(f^2/2 + R(s^2)).
func Log(x float64) float64 {
	if !isNormal(x) {
		if edge, found := logEdge(x); found {
			return edge
		}
		m, biased := split(x * 0x1p54)
		return logOf(m, unbiased(biased)-54)
	}
	m, biased := split(x)
	return logOf(m, unbiased(biased))
}

// logOf is the natural logarithm of m*2^k.
func logOf(m, k float64) float64 {
	f := m - 1
	s := f / (2 + f)
	half := float64(float64(f*f) / 2)
	tail := math.FMA(s, logRest(s, half), float64(k*ln2Mid))
	return math.FMA(k, ln2Hi, f-(half-tail))
}

// logRest is f^2/2 + R(s^2), for half = f^2/2, to 2^-59 of log(1+f).
func logRest(s, half float64) float64 {
	z := float64(s * s)
	z2 := float64(z * z)
	a := math.FMA(z, 0.3999999999941641, 0.6666666666666734)
	b := math.FMA(z, 0.22222198591659933, 0.2857142874212242)
	c := math.FMA(z, 0.15314058696039642, 0.18183563718515303)
	a = math.FMA(z2, b, a)
	c = math.FMA(z2, 0.14795931349560112, c)
	return math.FMA(z, math.FMA(float64(z2*z2), c, a), half)
}

// logFraction returns log(m) for sqrt(1/2) <= m < sqrt(2) by the formula of Log, as a sum to 2^-55 of itself: lo is
// small enough, a twentieth of hi, that products with it need no pair.
func logFraction(m float64) (hi, lo float64) {
	f := m - 1
	s := f / (2 + f)
	half := float64(float64(f*f) / 2)
	hi = f - half
	return hi, math.FMA(s, logRest(s, half), (f-hi)-half)
}

// Log1p returns log(1+x), accurate near zero.
func Log1p(x float64) float64 {
	if edge, found := logEdge(1 + x); found {
		return edge
	}
	return math.Copysign(log1p(pair{x, 0}), x) // of a zero too
}

// log1p is log(1+w) for w above -1, by the formula of Log: what rounding loses of 1+w, and w.lo, count to first order.
func log1p(w pair) float64 {
	u := twoSum(1, w.hi)
	m, biased := split(u.hi)
	k := int64(biased) - 1023
	f, lo := m-1, float64((u.lo+w.lo)*pow2(-min(k, 1000)))
	if k == 0 {
		f, lo = w.hi, w.lo
	}
	s := f / (2 + f)
	lo *= math.FMA(s, math.FMA(s, 2, -2), 1) // over 1+f, near enough
	kf := unbiased(biased)
	half := float64(float64(f*f) / 2)
	tail := math.FMA(s, logRest(s, half), math.FMA(kf, ln2Mid, lo))
	return math.FMA(kf, ln2Hi, f-(half-tail))
}

// Log2 returns the binary logarithm of x, exact for powers of two.
func Log2(x float64) float64 {
	if !isNormal(x) {
		if edge, found := logEdge(x); found {
			return edge
		}
		m, biased := split(x * 0x1p54)
		return log2Of(m, unbiased(biased)-54)
	}
	m, biased := split(x)
	return log2Of(m, unbiased(biased))
}

func log2Of(m, k float64) float64 {
	hi, lo := logFraction(m)
	return k + math.FMA(hi, math.Log2E, float64(lo*math.Log2E))
}

// Log10 returns the decimal logarithm of x, exact for powers of ten.
func Log10(x float64) float64 {
	if !isNormal(x) {
		if edge, found := logEdge(x); found {
			return edge
		}
		m, biased := split(x * 0x1p54)
		return log10Of(m, unbiased(biased)-54)
	}
	m, biased := split(x)
	return log10Of(m, unbiased(biased))
}

func log10Of(m, k float64) float64 {
	hi, lo := logFraction(m)
	p := float64(hi * log10ePair().hi)
	rest := math.FMA(hi, log10ePair().hi, -p) + math.FMA(lo, log10ePair().hi, float64(k*log10of2Mid))
	sum := fastSum(float64(k*log10of2Hi), p)
	return sum.hi + (sum.lo + rest)
}

// logPair returns the natural logarithm of a positive, finite and normal x to about 2^-65, also relative to a result
// near zero.
func logPair(x pair) pair {
	m, biased := split(x.hi)
	k := int64(biased) - 1023
	lo := 0.0
	if x.lo != 0 {
		lo = scale(x.lo, -k)
	}
	num := twoSum(m-1, lo)
	den := twoSum(m, 1)
	den = fastSum(den.hi, den.lo+lo)
	kf := unbiased(biased)
	return pair{float64(kf * ln2Hi), float64(kf * ln2Mid)}.add(atanhPair(num, den))
}

// atanhTail is (2*atanh(s)-2s-2s^3/3)/s^5 in s^2.
func atanhTail(z float64) float64 {
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	z8 := float64(z4 * z4)
	a := math.FMA(z, 0.28571428571428564, 0.4)
	b := math.FMA(z, 0.18181818179654063, 0.22222222222228438)
	c := math.FMA(z, 0.1333329650168309, 0.1538461576158711)
	d := math.FMA(z, 0.10456295532271644, 0.11766814537542832)
	a = math.FMA(z2, b, a)
	b = math.FMA(z2, d, c)
	a = math.FMA(z4, b, a)
	return math.FMA(z8, 0.10762711993094388, a)
}

// atanhPair returns 2*atanh(num/den) = log((den+num)/(den-num)), |num/den| <= 0.1716.
func atanhPair(num, den pair) pair {
	s := num.div(den)
	sq := s.mul(s)
	cube := sq.mul(s)
	tail := float64(float64(cube.hi*sq.hi) * atanhTail(sq.hi))
	third := cube.mul(twoThirds())
	sum := fastSum(2*s.hi, third.hi)
	return fastSum(sum.hi, sum.lo+(tail+(third.lo+2*s.lo)))
}

// Logaddexp returns log(e^a + e^b) without overflow. Where the result is below 2^-10, its error is bounded by 2^-62,
// not by its last place.
func Logaddexp(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	d := twoSum(b, -a)
	switch {
	case a != a || b != b:
		return a + b
	case a == b:
		return a + math.Ln2
	case d.hi < -800: // also infinities
		return a + 0 // -0 + e^b is 0
	}
	m, k := expPair(d)
	one := fastSum(1, m.hi)
	e := pair{one.hi, one.lo + m.lo}.times(pow2(max(k, -1022))) // e^(b-a), below 1
	if k < -1022 {
		e = pair{scale(one.hi+(one.lo+m.lo), k), 0}
	}
	if e.hi < 0x1p-54 {
		return a + e.hi
	}
	u := twoSum(1, e.hi)
	return pair{a, 0}.add(logPair(fastSum(u.hi, u.lo+e.lo))).float64()
}
