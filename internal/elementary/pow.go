package elementary

import "math"

// Pow returns x to the power y within 2 ulp. math.Pow multiplies repeatedly and is tens of ulp off for large exponents,
// so here the power is exp(y*log(x)) with the logarithm in two float64s (about 70 bits); the special cases are math.Pow's,
// which are C's. Products that feed sums are explicit FMAs or explicit conversions: every machine gives the same bits.
func Pow(x, y float64) float64 {
	abs := math.Abs(x)
	switch {
	case y == 2:
		return x * x
	case y == 1:
		return x
	case abs == 0 || abs == 1 || y == 0 || x-x != 0 || y-y != 0: // also NaN and Inf
		return math.Pow(x, y)
	}
	negative := false
	if x < 0 {
		if math.Trunc(y) != y {
			return math.NaN()
		}
		negative = math.Mod(y, 2) != 0
	}
	hi, lo := logPair(abs)
	// y*(hi+lo) as two floats again.
	product := float64(y * hi)
	rest := math.FMA(y, hi, -product) + float64(y*lo)
	if product-product != 0 { // y*hi overflowed: the result is 0 or Inf whatever the rest
		rest = 0
	}
	e := Exp(product)
	if e != 0 && !math.IsInf(e, 0) {
		e = math.FMA(e, rest, e) // exp(p+r) = exp(p)*(1+r+...), |r| < 2^-43
	}
	if negative {
		return -e
	}
	return e
}

// logPair returns the natural logarithm of x > 0, finite, as hi+lo. With x = 2^k*m and s = (m-1)/(m+1),
// log(m) = 2s + 2s^3/3 + 2s^5/5 + ...; the first two terms are carried in two floats, the tail is below 2^-12 of them.
func logPair(x float64) (hi, lo float64) {
	const (
		ln2Hi = 0x1.62e42fefap-1 // the first 37 bits of log(2), so that k*ln2Hi is exact
		ln2Lo = 0x1.cf79abc9e3b398p-40
	)
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		k--
	}
	num := m - 1 // exact: m is in [0.7, 1.42]
	den := m + 1
	denLo := (m - den) + 1 // fast two-sum needs the larger first
	if m < 1 {
		denLo = (1 - den) + m
	}
	s := num / den
	sLo := (math.FMA(-s, den, num) - float64(s*denLo)) / den

	sq := float64(s * s)
	sqLo := math.FMA(s, s, -sq) + float64(2*s*sLo)
	cube := float64(s * sq)
	cubeLo := math.FMA(s, sq, -cube) + float64(sLo*sq) + float64(s*sqLo)
	third := float64(cube*2) / 3
	thirdLo := (math.FMA(-third, 3, cube*2) + float64(cubeLo*2)) / 3

	tail := 0.0
	for _, c := range atanhTail {
		tail = math.FMA(tail, sq, c)
	}
	tail = float64(tail * float64(cube*sq))

	kf := float64(k)
	hi, lo = twoSum(float64(kf*ln2Hi), 2*s)
	hi, carry := twoSum(hi, third)
	lo += carry + thirdLo + float64(2*sLo) + tail + float64(kf*ln2Lo)
	return twoSum(hi, lo)
}

// atanhTail is the series of 2*atanh(s) from s^5 on, in sq = s*s < 0.0295, highest power first: its 12 terms reach 2^-70.
var atanhTail = [...]float64{2. / 27, 2. / 25, 2. / 23, 2. / 21, 2. / 19, 2. / 17, 2. / 15, 2. / 13, 2. / 11, 2. / 9, 2. / 7, 2. / 5}

// twoSum returns a+b rounded, and what rounding lost.
func twoSum(a, b float64) (sum, lost float64) {
	sum = a + b
	t := sum - a
	return sum, (a - (sum - t)) + (b - t)
}
