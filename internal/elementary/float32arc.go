package elementary

import "math"

// Tanf returns the tangent of x radians, for every finite x: of the reduced r a quotient of polynomials to 2^-26, or
// the negative of its reciprocal: at most 0.75 ulp.
func Tanf(x float32) float32 {
	w := float64(x)
	if !(math.Abs(w) <= math.MaxFloat32) {
		return float32(math.NaN())
	}
	r, q := reduceHalfPiFor32(w)
	z := float64(r * r)
	num := float64(r * math.FMA(z, -0.0958018050263573, 0.9999999857393113))
	den := math.FMA(z, math.FMA(z, 0.009716871302221682, -0.4291358110954674), 1)
	if q&1 == 1 {
		num, den = den, num
	}
	return float32(negateIfOdd(num/den, q))
}

// Sincf returns sin(pi*x)/(pi*x), and 1 at 0.
func Sincf(x float32) float32 {
	w := float64(x)
	switch abs := math.Abs(w); {
	case abs < 0x1p-13:
		return 1
	case abs > math.MaxFloat32:
		return 0
	case w != w:
		return x
	case math.Floor(w) == w:
		return 0
	}
	turns, _ := nearest(float64(w / 2))
	half := math.FMA(-2, turns, w)
	q, quadrant := nearest(2 * half)
	r := float64((half - float64(q/2)) * math.Pi)
	s := sinShort(r)
	if quadrant&1 == 1 {
		s = cosShort(r)
	}
	return float32(flip(s, quadrant) / float64(w*math.Pi))
}

// asinShort is (asin(x)-x)/x^3 in x^2, for |x| <= 1/2.
func asinShort(z float64) float64 {
	z2 := float64(z * z)
	a := math.FMA(z, 0.07499992404401838, 0.16666666686085643)
	b := math.FMA(z, 0.030269138728589183, 0.04464766388813485)
	c := math.FMA(z, 0.010574415516912909, 0.023611817008891752)
	c = math.FMA(z2, 0.030974540371355073, c)
	return math.FMA(z2, math.FMA(z2, c, b), a)
}

// arcsine returns asin(abs), and beyond 1/2 the half of what is left of it to pi/2.
func arcsine(abs float64) (angle float64, beyond bool) {
	z, root := float64(abs*abs), abs
	if abs > 0.5 {
		z = float64((1 - abs) / 2)
		root = math.Sqrt(z)
	}
	return math.FMA(float64(root*z), asinShort(z), root), abs > 0.5
}

// Asinf returns the arc sine of x, -1 <= x <= 1.
func Asinf(x float32) float32 {
	angle, beyond := arcsine(math.Abs(float64(x)))
	if beyond {
		angle = math.FMA(-2, angle, halfPiHi)
	}
	return float32(math.Copysign(angle, float64(x)))
}

// Acosf returns the arc cosine of x, -1 <= x <= 1.
func Acosf(x float32) float32 {
	w := float64(x)
	angle, beyond := arcsine(math.Abs(w))
	y := halfPiHi - math.Copysign(angle, w)
	if beyond {
		y = 2 * angle
		if w < 0 {
			y = 2*halfPiHi - y
		}
	}
	return float32(y)
}

// arctanShort is atan(q) for 0 <= q <= 1.
func arctanShort(q float64) float64 {
	z := float64(q * q)
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	a := math.FMA(z2, math.FMA(z, 0.11109392308322223, -0.14285624891483525), math.FMA(z, 0.19999998154086215, -0.3333333332694414))
	b := math.FMA(z2, math.FMA(z, 0.047294798621813336, -0.06246315194128317), math.FMA(z, 0.0758665283364667, -0.09073553118976409))
	c := math.FMA(z2, math.FMA(z, 0.0005930437556365282, -0.0042216579909296476), math.FMA(z, 0.014072923344697239, -0.02991311194551696))
	return math.FMA(float64(q*z), math.FMA(z4, math.FMA(z4, c, b), a), q)
}

// Atanf returns the arc tangent of x.
func Atanf(x float32) float32 {
	abs := math.Abs(float64(x))
	q := abs
	if abs > 1 {
		q = 1 / abs
	}
	y := arctanShort(q)
	if abs > 1 {
		y = halfPiHi - y
	}
	return float32(math.Copysign(y, float64(x)))
}

// Atan2f returns the angle of the point (x, y), in [-pi, pi].
func Atan2f(y, x float32) float32 {
	v, w := float64(y), float64(x)
	n, d := math.Abs(v), math.Abs(w)
	switch {
	case v != v || w != w:
		return float32(v + w)
	case n > math.MaxFloat32 && d > math.MaxFloat32:
		n, d = 1, 1
	case n == 0:
		d = 1
	}
	q := n / d
	if n > d {
		q = d / n
	}
	angle := arctanShort(q)
	if n > d {
		angle = halfPiHi - angle
	}
	if math.Signbit(w) {
		angle = 2*halfPiHi - angle
	}
	return float32(math.Copysign(angle, v))
}

// Hypotf returns sqrt(x^2+y^2). The squares are exact.
func Hypotf(x, y float32) float32 {
	v, w := math.Abs(float64(x)), math.Abs(float64(y))
	if v > math.MaxFloat32 || w > math.MaxFloat32 {
		return float32(math.Inf(1))
	}
	return float32(math.Sqrt(math.FMA(v, v, float64(w*w))))
}
