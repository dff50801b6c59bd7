package elementary

import "math"

// stirlingConstant is log(2*pi)/2 - 1/2.
func stirlingConstant() pair { return pair{0x1.acfe390c97d69p-2, 0x1.3494bc9001442p-56} }

func logPiPair() pair { return pair{0x1.250d048e7a1bdp+0, 0x1.7abf2ad8d5088p-57} }

// Gamma returns the gamma function of x.
func Gamma(x float64) float64 {
	abs := math.Abs(x)
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case abs < 0x1p-60:
		return 1 / x
	case x > 172:
		return math.Inf(1)
	case x < 0 && math.Floor(x) == x: // also -Inf
		return math.NaN()
	case x < -190:
		_, odd := parity(math.Floor(x))
		return withSign(0, odd)
	}
	g, k := gammaPair(abs)
	if x < 0 { // gamma(x)*gamma(-x) = -pi/(x*sin(pi*x))
		g = piPair().div(sinPi(abs).mul(pair{x, 0}).mul(g))
		k = -k
	}
	return scale(g.float64(), k)
}

// Lgamma returns log(|gamma(x)|). Near its zeros on the negative axis the error is bounded by 2^-54, not by the last place.
func Lgamma(x float64) float64 {
	abs := math.Abs(x)
	switch {
	case x != x:
		return x
	case abs > 0x1p1015:
		return math.Inf(1)
	case abs < 0x1p-60:
		return -Log(abs)
	case x < 0 && math.Floor(x) == x:
		return math.Inf(1)
	case x == 1 || x == 2:
		return 0
	case math.Abs(x-1) <= 0.125:
		return lgammaNear(x-1, -0.5772156649015329, lgammaAt1(x-1), 0x1.6cb90701fbfabp-58)
	case math.Abs(x-2) <= 0.125:
		return lgammaNear(x-2, 0.42278433509846713, lgammaAt2(x-2), 0x1.6cb90701fbfabp-58)
	}
	l := lgammaPair(abs)
	if x < 0 {
		s := sinPi(abs).mul(pair{abs, 0})
		if s.hi < 0 {
			s = s.neg()
		}
		l = logPiPair().add(logPair(s).add(l).neg())
	}
	return l.float64()
}

// lgammaNear is z times a polynomial with the constant term first, which continues in lo, and the others rest*z.
func lgammaNear(z, first, rest, lo float64) float64 {
	return float64(z * (first + math.FMA(z, rest, lo)))
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

// stirlingTail is x*(log(gamma(x)) - (x-1/2)*log(x) + x - log(2*pi)/2) in 1/x^2, for x >= 9.
func stirlingTail(x float64) float64 {
	y := 0.005309112723116172
	y = math.FMA(y, x, -0.0018997392907116831)
	y = math.FMA(y, x, 0.0008416046109130645)
	y = math.FMA(y, x, -0.0005952374715172976)
	y = math.FMA(y, x, 0.0007936507923767944)
	y = math.FMA(y, x, -0.002777777777776798)
	y = math.FMA(y, x, 0.08333333333333333)
	return y
}

// gammaPair returns gamma(x) = g*2^k for 2^-60 <= x < 200.
func gammaPair(x float64) (g pair, k int64) {
	l, product := shifted(x)
	m, k := expPair(l)
	one := fastSum(1, m.hi)
	one.lo += m.lo
	return one.div(product), k
}

// lgammaPair returns log(gamma(x)) for x >= 2^-60.
func lgammaPair(x float64) pair {
	l, product := shifted(x)
	if product.hi != 1 {
		l = l.add(logPair(product).neg())
	}
	return l
}

// shifted returns log(gamma(x+9)) and x*(x+1)*...*(x+8) for x < 9, and log(gamma(x)) and 1 above.
func shifted(x float64) (lgamma, product pair) {
	product = pair{1, 0}
	y := pair{x, 0}
	if x < 9 {
		product = y
		for i := 1.0; i < 9; i++ {
			product = product.mul(twoSum(x, i))
		}
		y = twoSum(9, x)
	}
	return stirling(y), product
}

// stirling is log(gamma(x)) for x >= 9, as (x-1/2)*(log(x)-1) + log(2*pi)/2 - 1/2 + tail(x).
func stirling(x pair) pair {
	l := logPair(x).add(pair{-1, 0})
	head := x.add(pair{-0.5, 0}).mul(l)
	inverse := 1 / x.hi
	tail := float64(inverse * stirlingTail(float64(inverse*inverse)))
	return head.add(stirlingConstant().add(pair{tail, 0}))
}
