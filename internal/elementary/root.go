package elementary

import "math"

// cbrtStart is the cube root of x in [1/2, 1], to 2^-16.
func cbrtStart(x float64) float64 {
	y := -0.12829009991928064
	y = math.FMA(y, x, 0.5275189932675065)
	y = math.FMA(y, x, -0.9332461525564669)
	y = math.FMA(y, x, 1.129820613223312)
	y = math.FMA(y, x, 0.404190511454454)
	return y
}

// Cbrt returns the cube root of x: Halley's step from 16 to 48 bits, then Newton's with an exact residue.
func Cbrt(x float64) float64 {
	abs := math.Abs(x)
	if abs == 0 || !(abs <= math.MaxFloat64) {
		return x
	}
	bias := int64(0)
	if abs < smallestNormal {
		abs *= 0x1p54
		bias = 18
	}
	bits := math.Float64bits(abs)
	e := float64(int64(bits>>52) - 1022) // abs = m*2^e
	m := math.Float64frombits(bits&fractionMask | 1022<<52)
	kf, third := nearest(float64(e * (1.0 / 3)))
	y := cbrtStart(m)
	switch rest := math.FMA(-3, kf, e); {
	case rest > 0:
		y *= 0x1.428a2f98d728bp+0 // the cube root of 2
		m *= 2
	case rest < 0:
		y *= 0x1.965fea53d6e3dp-1 // and of 1/2
		m /= 2
	}
	cube := float64(y * float64(y*y))
	y = float64(y*math.FMA(2, m, cube)) / math.FMA(2, cube, m)

	sq := twoProd(y, y)
	residue := math.FMA(-y, sq.lo, math.FMA(-y, sq.hi, m))
	y += residue / (3 * sq.hi)
	return math.Copysign(y*pow2(third-bias), x)
}

// Hypot returns sqrt(x^2+y^2) without overflow or underflow on the way.
func Hypot(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	switch {
	case x > math.MaxFloat64 || y > math.MaxFloat64:
		return math.Inf(1)
	case x != x || y != y:
		return x + y
	}
	if x < y {
		x, y = y, x
	}
	if x == 0 {
		return 0
	}
	down, up := unitScale(x)
	x, y = x*down, y*down
	a, b := twoProd(x, x), twoProd(y, y)
	s := fastSum(a.hi, b.hi)
	return fastSum(s.hi, s.lo+(a.lo+b.lo)).sqrt().float64() * up
}

// unitScale returns a power of two that takes x > 0 into [1, 4), or into [2^-52, 1) if it is subnormal, and its
// reciprocal.
func unitScale(x float64) (down, up float64) {
	e := min(max(int64(math.Float64bits(x)>>52)-1023, -1022), 1022)
	return pow2(-e), pow2(e)
}
