package elementary

import "math"

func logPiPair() pair { return pair{0x1.250d048e7a1bdp+0, 0x1.7abf2ad8d5088p-57} }

// Gamma returns the gamma function of x.
func Gamma(x float64) float64 {
	if !(x >= 0x1p-60 && x <= 172) {
		return gammaEdge(x)
	}
	g, k := gammaPair(x)
	return scale(g.float64(), k)
}

// gammaEdge is Gamma where it is not a plain formula of a positive x.
func gammaEdge(x float64) float64 {
	abs := math.Abs(x)
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case abs < 0x1p-60:
		return 1 / x
	case x > 172:
		return math.Inf(1)
	case math.Floor(x) == x: // also -Inf
		return math.NaN()
	case x < -190:
		_, odd := parity(math.Floor(x))
		return withSign(0, odd)
	}
	g, k := gammaPair(abs) // gamma(x)*gamma(-x) = -pi/(x*sin(pi*x))
	g = piPair().div(sinPi(abs).mul(pair{x, 0}).mul(g))
	return scale(g.float64(), -k)
}

// Lgamma returns log(|gamma(x)|). Near its zeros on the negative axis the error is bounded by 2^-54, not by the last
// place.
func Lgamma(x float64) float64 {
	if !(x >= 0x1p-60 && x <= 0x1p60) {
		return lgammaEdge(x)
	}
	y := lgammaPair(x).float64()
	if math.Abs(x-1) <= 0.125 {
		y = lgammaNear(x-1, -0.5772156649015329, lgammaAt1(x-1), 0x1.6cb90701fbfabp-58)
	}
	if math.Abs(x-2) <= 0.125 {
		y = lgammaNear(x-2, 0.42278433509846713, lgammaAt2(x-2), 0x1.6cb90701fbfabp-58)
	}
	return y
}

// lgammaEdge is Lgamma where it is not a plain formula of a positive x.
func lgammaEdge(x float64) float64 {
	abs := math.Abs(x)
	switch {
	case x != x:
		return x
	case abs > 0x1p1015:
		return math.Inf(1)
	case abs < 0x1p-60:
		return -Log(abs)
	case x > 0:
		return float64(x * (Log(x) - 1)) // the rest is below 2^-60 of it
	case math.Floor(x) == x:
		return math.Inf(1)
	}
	s := sinPi(abs).mul(pair{abs, 0})
	if s.hi < 0 {
		s = s.neg()
	}
	return logPiPair().add(logPair(s).add(lgammaPair(abs)).neg()).float64()
}

// lgammaNear is z times a polynomial with the constant term first, which continues in lo, and the others rest*z.
func lgammaNear(z, first, rest, lo float64) float64 {
	return float64(z*(first+math.FMA(z, rest, lo))) + 0 // log(gamma(1)) is not -0
}

// lgammaAt1 is log(gamma(1+x))/x, |x| <= 1/8, less its constant term and divided by x.
func lgammaAt1(x float64) float64 {
	y := -0.07022659734497104
	y = math.FMA(y, x, 0.07521244656279079)
	y = math.FMA(y, x, -0.07684826542129629)
	y = math.FMA(y, x, 0.08326434783781689)
	y = math.FMA(y, x, -0.09095502774481004)
	y = math.FMA(y, x, 0.10010053095217802)
	y = math.FMA(y, x, -0.11133425939176178)
	y = math.FMA(y, x, 0.12550966264426572)
	y = math.FMA(y, x, -0.14404989679013636)
	y = math.FMA(y, x, 0.16955717702002163)
	y = math.FMA(y, x, -0.20738555102864314)
	y = math.FMA(y, x, 0.2705808084277518)
	y = math.FMA(y, x, -0.40068563438653143)
	y = math.FMA(y, x, 0.8224670334241132)
	return y
}

// lgammaAt2 is log(gamma(2+x))/x, |x| <= 1/8, less its constant term and divided by x.
func lgammaAt2(x float64) float64 {
	y := -9.543759105071787e-06
	y = math.FMA(y, x, 2.0730898128832535e-05)
	y = math.FMA(y, x, -4.492419563553019e-05)
	y = math.FMA(y, x, 9.945313422652387e-05)
	y = math.FMA(y, x, -0.0002231547776092392)
	y = math.FMA(y, x, 0.0005096695658352037)
	y = math.FMA(y, x, -0.001192753911615913)
	y = math.FMA(y, x, 0.0028905103305541476)
	y = math.FMA(y, x, -0.007385551028674156)
	y = math.FMA(y, x, 0.020580808427784914)
	y = math.FMA(y, x, -0.06735230105319809)
	y = math.FMA(y, x, 0.3224670334241132)
	return y
}

// gammaPair returns gamma(x) = g*2^k for 2^-60 <= x < 200.
func gammaPair(x float64) (g pair, k int64) {
	l, product := shifted(x)
	p, k := exp2Pair(l.hi, l.lo)
	return p.div(product), k
}

// lgammaPair returns log(gamma(x)) for 2^-60 <= x <= 2^60.
func lgammaPair(x float64) pair {
	l, product := shifted(x)
	m, biased := split(product.hi)
	hi, lo := powLog2(m, unbiased(biased))
	d := twoSum(l.hi, -hi)
	d.lo += l.lo - math.FMA(product.lo/product.hi, math.Log2E, lo)
	p := float64(d.hi * ln2Pair().hi)
	return fastSum(p, math.FMA(d.lo, ln2Pair().hi, math.FMA(d.hi, ln2Pair().lo, math.FMA(d.hi, ln2Pair().hi, -p))))
}

// shifted returns the binary logarithm of gamma(x+9), and x*(x+1)*...*(x+8), for x < 9, that of gamma(x), and 1, above.
// The logarithm's second number is below 1/64.
func shifted(x float64) (lgamma, product pair) {
	y := pair{x, 0}
	product = pair{1, 0}
	if x < 9 {
		y = twoSum(9, x)
		product = rising(x)
	}
	return stirling(y), product
}

// rising is x*(x+1)*...*(x+8): with p = x*(x+8), it is p*(p+7)*(p+12)*(p+15)*(x+4).
func rising(x float64) pair {
	p := rough(pair{x, 0}, twoSum(x, 8))
	return rough(rough(rough(p, plus(p, 7)), rough(plus(p, 12), plus(p, 15))), twoSum(x, 4))
}

// plus is a+b, and rough is a*b, whose second numbers may be some units in the last place of the first: enough where
// few follow.
func plus(a pair, b float64) pair {
	s := twoSum(a.hi, b)
	return pair{s.hi, s.lo + a.lo}
}

func rough(a, b pair) pair {
	p := twoProd(a.hi, b.hi)
	return pair{p.hi, math.FMA(a.lo, b.hi, math.FMA(a.hi, b.lo, p.lo))}
}

// stirlingTail is x*(log2(gamma(x)) - (x-1/2)*log2(x) + (x-log(2*pi)/2)/log(2)) in 1/x^2, for x >= 9, to 2^-60 of x.
func stirlingTail(x float64) float64 {
	y := -0.0024330990156948575
	y = math.FMA(y, x, 0.0012094237678592873)
	y = math.FMA(y, x, -0.000858710839054063)
	y = math.FMA(y, x, 0.0011449959346796577)
	y = math.FMA(y, x, -0.004007486224491485)
	y = math.FMA(y, x, 0.12022458674074686)
	return y
}

// stirling is log2(gamma(x)) for x >= 9, as (x-1/2)*(log2(x)-1/log(2)) + (log(2*pi)-1)/(2*log(2)) + tail(x). What x.lo
// adds is its product with the derivative.
func stirling(x pair) pair {
	const constant, constantLo = 0x1.3573fcf6d5af9p-1, 0x1.0e57879459ce1p-55
	m, biased := split(x.hi)
	hi, lo := powLog2(m, unbiased(biased))
	inverse := 1 / x.hi
	tail := math.FMA(inverse, stirlingTail(float64(inverse*inverse)), constantLo)
	tail = math.FMA(x.lo, math.FMA(inverse, -math.Log2E/2, hi), tail)
	l := hi - math.Log2E
	lo += ((hi - l) - math.Log2E) - log2eLo
	a := x.hi - 0.5
	p := twoProd(a, l)
	s := fastSum(p.hi, constant)
	return pair{s.hi, s.lo + (math.FMA(a, lo, p.lo) + tail)}
}
