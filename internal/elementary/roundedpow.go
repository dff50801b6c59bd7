package elementary

import "github.com/arrayrepl/arrayrepl/internal/fma"

// powLog2Pairf is the binary logarithm of m*2^k for sqrt(1/2) <= m < sqrt(2), to 2^-43 of itself: a product of it with
// 127 is still off by 2^-36 at most. With s = (m-1)/(m+1) and z = s^2 it is k + 2/log(2)*s*(1 + z/3 + z^2/5 + ...),
// where what follows z^3/7 is small enough for one float32.
func powLog2Pairf(m, k float32) pairf {
	f := m - 1
	d := fastSumf(2, f)
	inverse := 1 / d.hi
	hi := float32(f * inverse)
	s := pairf{hi, float32(fma.Float32(-hi, d.lo, fma.Float32(-hi, d.hi, f)) * inverse)}
	z := s.mul(s)
	w := fma.Float32(z.hi, 0x1.e1e1e2p-5, 0x1.111112p-4) // 1/17, 1/15
	w = fma.Float32(z.hi, w, 0x1.3b13b2p-4)
	w = fma.Float32(z.hi, w, 0x1.745d18p-4)
	w = fma.Float32(z.hi, w, 0x1.c71c72p-4)
	p := pairf{0x1.24924ap-3, -0x1.b6db6ep-28}.plus(z.times(w)) // 1/7 + z/9 + ...
	p = pairf{0x1.99999ap-3, -0x1.99999ap-29}.plus(z.mul(p))
	p = pairf{0x1.555556p-2, -0x1.555556p-27}.plus(z.mul(p))
	u := s.mul(pairf{0x1.715476p1, 0x1.4ae0cp-25}) // 2/log(2)
	rest := u.mul(z.mul(p))
	sum := fastSumf(u.hi, rest.hi)
	sum.lo += u.lo + rest.lo
	all := fastSumf(k, sum.hi)
	return pairf{all.hi, all.lo + sum.lo}
}

// exp2Pairf is 2^(e.hi+e.lo) as a pair times 2^k, for |e.lo| much below |e.hi|, or both small.
func exp2Pairf(e pairf) (y pairf, k int32) {
	kf, k := nearestf(e.hi)
	f := fastSumf(e.hi-kf, e.lo)
	return pairf{1, 0}.plus(expm1Pairf(f.mul(pairf{0x1.62e43p-1, -0x1.05c61p-29}))), k
}

// PowRounded is float32(Pow(float64(x), float64(y))).
func PowRounded(x, y float32) float32 {
	if isNormalf(x) {
		e := powLog2Pairf(splitf(x)).times(y)
		if e.hi >= -126 && e.hi <= 127 { // the result is a normal number
			p, k := exp2Pairf(e)
			if power, certain := p.rounds(powOff); certain {
				return float32(power * pow2f(k))
			}
		}
	}
	return float32(Pow(float64(x), float64(y)))
}
