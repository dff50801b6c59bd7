package elementary

import "math"

// Sin returns the sine of x radians, for every finite x.
func Sin(x float64) float64 {
	if !(math.Abs(x) >= 0x1p-27 && math.Abs(x) <= math.MaxFloat64) {
		return sinEdge(x)
	}
	r, q := reduceHalfPi(x)
	if q&1 == 1 {
		return flip(cosReduced(r), q)
	}
	return flip(sinReduced(r), q)
}

// Cos returns the cosine of x radians, for every finite x.
func Cos(x float64) float64 {
	if !(math.Abs(x) <= math.MaxFloat64) {
		return math.NaN()
	}
	r, q := reduceHalfPi(x)
	if q&1 == 1 {
		return flip(sinReduced(r), q+1)
	}
	return flip(cosReduced(r), q+1)
}

// Tan returns the tangent of x radians, for every finite x.
func Tan(x float64) float64 {
	if !(math.Abs(x) >= 0x1p-27 && math.Abs(x) <= math.MaxFloat64) {
		return sinEdge(x)
	}
	r, q := reduceHalfPi(x)
	num, den := sinPair(r), cosPair(r)
	z := float64(r.hi * r.hi)
	inverse := math.FMA(z, 0.65, 0.99) // 1/cos(r) to 2 %, enough for what the quotient lacks
	if q&1 == 1 {
		num, den = den, num
	}
	t := num.hi / den.hi
	if q&1 == 1 {
		inverse *= t // 1/sin(r)
	}
	rest := math.FMA(-t, den.lo, math.FMA(-t, den.hi, num.hi)+num.lo)
	return negateIfOdd(math.FMA(rest, inverse, t), q)
}

// negateIfOdd negates x in the quadrants of odd numbers.
func negateIfOdd(x float64, q int64) float64 {
	return math.Float64frombits(math.Float64bits(x) ^ uint64(q)<<63)
}

// Sinc returns sin(pi*x)/(pi*x), and 1 at 0.
func Sinc(x float64) float64 {
	switch abs := math.Abs(x); {
	case abs < 0x1p-28:
		return 1
	case abs > math.MaxFloat64:
		return 0
	case x != x:
		return x
	case math.Floor(x) == x:
		return 0
	}
	return sinPi(x).div(pair{x, 0}.mul(piPair())).float64()
}

// sinEdge is the sine and the tangent where they are x itself or no number.
func sinEdge(x float64) float64 {
	if math.Abs(x) < 1 {
		return x
	}
	return math.NaN()
}

// flip negates x in the quadrants whose second bit is set.
func flip(x float64, q int64) float64 {
	return math.Float64frombits(math.Float64bits(x) ^ uint64(q&2)<<62)
}

func piPair() pair { return pair{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53} }

// sinReduced is the sine of |r| <= pi/4.
func sinReduced(r pair) float64 { return r.hi + sinRest(r) }

func sinRest(r pair) float64 {
	z := float64(r.hi * r.hi)
	z2 := float64(z * z)
	a := math.FMA(z, 0.008333333333333331, -0.16666666666666666)
	b := math.FMA(z, 2.7557319219335453e-06, -0.0001984126984126506)
	c := math.FMA(z, 1.605853141458901e-10, -2.5052106231157904e-08)
	c = math.FMA(z2, -7.586685070091267e-13, c)
	s := math.FMA(z2, math.FMA(z2, c, b), a)
	return math.FMA(float64(z*r.hi), s, math.FMA(float64(z*-0.5), r.lo, r.lo))
}

// cosReduced is the cosine of |r| <= pi/4.
func cosReduced(r pair) float64 {
	half := float64(float64(r.hi*r.hi) / 2)
	head := 1 - half
	return head + (((1 - head) - half) + cosRest(r))
}

// cosRest is cos(r) - (1 - r.hi*r.hi/2), the product rounded, to 2^-56.
func cosRest(r pair) float64 {
	z := float64(r.hi * r.hi)
	z2 := float64(z * z)
	a := math.FMA(z, -0.0013888888888888887, 0.041666666666666664)
	b := math.FMA(z, -2.755731922140076e-07, 2.4801587301584645e-05)
	c := math.FMA(z, -1.1470460773969325e-11, 2.0876755790363397e-09)
	c = math.FMA(z2, 4.7458652037874553e-14, c)
	s := math.FMA(z2, math.FMA(z2, c, b), a)
	return math.FMA(z2, s, -float64(r.hi*r.lo))
}

// sinPair and cosPair are to about 2^-56 of the result, for |r| <= pi/4.
func sinPair(r pair) pair { return fastSum(r.hi, sinRest(r)) }

func cosPair(r pair) pair {
	half := twoProd(r.hi, r.hi).half()
	head := fastSum(1, -half.hi)
	return fastSum(head.hi, head.lo+(cosRest(r)-half.lo))
}

// sinPi is sin(pi*x) for |x| < 2^52, to about 2^-56.
func sinPi(x float64) pair {
	turns, _ := nearest(float64(x / 2))
	x = math.FMA(-2, turns, x)
	q, quadrant := nearest(float64(2 * x))
	r := pair{x - float64(q/2), 0}.mul(piPair())
	s := sinPair(r)
	if quadrant&1 == 1 {
		s = cosPair(r)
	}
	if quadrant&2 == 2 {
		s = s.neg()
	}
	return s
}
