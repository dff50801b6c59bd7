package elementary

import "math"

// Pow returns x to the power y as 2^(y*log2(x)), with the logarithm and the product in two numbers each: to 0.9 ulp at
// worst near the ends of the range, 0.6 elsewhere. The special cases are C's.
func Pow(x, y float64) float64 {
	abs := math.Abs(x)
	if !(abs >= smallestNormal && abs <= math.MaxFloat64 && math.Abs(y) < 0x1p40) {
		return powEdge(x, y)
	}
	m, biased := split(abs)
	hi, lo := powLog2(m, unbiased(biased))
	e := float64(y * hi)
	rest := math.FMA(y, lo, math.FMA(y, hi, -e)) // below 1 where e is clamped
	if e > 1100 {
		e = 1100
	}
	if e < -1100 {
		e = -1100
	}
	t := y + shifter // its last bit is that of a whole y
	power := exp2Sum(e, rest)
	if y == 2 {
		power = abs * abs
	}
	if y == 1 {
		power = abs
	}
	if x < 0 && t-shifter != y {
		power = math.NaN()
	}
	return math.Float64frombits(math.Float64bits(power) ^ math.Float64bits(x)&(math.Float64bits(t)<<63))
}

// powEdge is Pow where x is zero, subnormal or infinite, y is large, or one of them is NaN.
func powEdge(x, y float64) float64 {
	abs := math.Abs(x)
	switch {
	case y == 0 || x == 1:
		return 1
	case x != x || y != y:
		return x + y
	case y == 2:
		return x * x
	case y == 1:
		return x
	case math.Abs(y) > math.MaxFloat64:
		return powInfinite(abs, y > 0)
	}
	integer, odd := parity(y)
	negative := odd && math.Signbit(x)
	switch {
	case abs == 0 || abs > math.MaxFloat64:
		return withSign(powOfEdge((abs == 0) == (y > 0)), negative)
	case x < 0 && !integer:
		return math.NaN()
	}
	down := 0.0
	if abs < smallestNormal {
		abs, down = abs*0x1p54, 54
	}
	m, biased := split(abs)
	hi, lo := powLog2(m, unbiased(biased)-down)
	e := float64(y * hi)
	rest := math.FMA(y, lo, math.FMA(y, hi, -e))
	if e > 1100 {
		e, rest = 1100, 0
	}
	if e < -1100 {
		e, rest = -1100, 0
	}
	return withSign(exp2Sum(e, rest), negative)
}

// exp2Sum is 2^(e+rest) for |e| <= 1100, rest much smaller where the result is finite.
func exp2Sum(e, rest float64) float64 {
	t, k := exp2Tail(e, rest)
	return scale(1+t, k)
}

// exp2Pair is the same as p*2^k.
func exp2Pair(e, rest float64) (p pair, k int64) {
	t, k := exp2Tail(e, rest)
	return fastSum(1, t), k
}

// exp2Tail is the same as (1+t)*2^k.
func exp2Tail(e, rest float64) (t float64, k int64) {
	kf, k := nearest(e)
	head := e - kf
	f := head + rest
	f2 := float64(f * f)
	return math.FMA(head, math.Ln2, math.FMA(f2, exp2Rest(f, f2), float64(rest*math.Ln2))), k
}

// powLog2 is the binary logarithm of m*2^k as a sum to 2^-63 of itself. With s = f/(2+f) it is k + c*s*(1+w), where c =
// 2/log(2) and w = atanh(s)/s - 1 is below 2^-6. The one division leaves a rest, and 1/(1+m) = (1-s)/2.
func powLog2(m, k float64) (hi, lo float64) {
	const c, cLo = 0x1.71547652b82fep+1, 0x1.777d0ffda0d24p-55
	f := m - 1
	den := m + 1
	s := f / den
	rest := math.FMA(-s, m-(den-1), math.FMA(-s, den, f))
	rest = math.FMA(-s, rest, rest) // s + rest/2 = f/(2+f)
	a := float64(s * c)
	aLo := math.FMA(rest, c/2, math.FMA(s, cLo, math.FMA(s, c, -a)))
	z := float64(s * s)
	zLo := math.FMA(s, rest, math.FMA(s, s, -z))
	const third = 1.0 / 3
	q := float64(float64(z*z) * powTail(z))
	w := math.FMA(z, third, q)
	wLo := math.FMA(zLo, third, math.FMA(z, third, -w)+q)
	h := math.FMA(a, w, a)
	l := math.FMA(a, w, a-h)
	l = math.FMA(a, wLo, math.FMA(aLo, w, l)+aLo)
	sum := fastSum(k, h)
	return sum.hi, sum.lo + l
}

// powTail is (atanh(s)/s - 1 - z/3)/z^2 in z = s^2, and what the float64 third leaves out, so that w is to 2^-66.
func powTail(z float64) float64 {
	z2 := float64(z * z)
	a := math.FMA(z, 0.14285714284704804, 0.20000000000002463)
	b := math.FMA(z, 0.09090889161753891, 0.11111111303646336)
	c := math.FMA(z, 0.06626054394881113, 0.07693495221468426)
	a = math.FMA(z2, b, a)
	c = math.FMA(z2, 0.06617579214848417, c)
	return math.FMA(float64(z2*z2), c, a)
}

// powInfinite is abs to the power of plus or minus infinity.
func powInfinite(abs float64, plus bool) float64 {
	if abs == 1 {
		return 1
	}
	return powOfEdge((abs < 1) == plus)
}

func powOfEdge(zero bool) float64 {
	if zero {
		return 0
	}
	return math.Inf(1)
}

func withSign(x float64, negative bool) float64 {
	if negative {
		return -x
	}
	return x
}

// parity says whether a finite y is an integer, and an odd one.
func parity(y float64) (integer, odd bool) {
	half := float64(y / 2)
	integer = math.Trunc(y) == y
	return integer, integer && math.Trunc(half) != half
}
