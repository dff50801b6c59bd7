package elementary

import "math"

// The logarithms of float32 are float32 throughout. Their formula is Log's.

// splitf writes a positive, finite and normal x as m*2^k with sqrt(1/2) <= m < sqrt(2).
func splitf(x float32) (m, k float32) {
	const sqrtHalf = 0x3f3504f3
	bits := math.Float32bits(x) + (127<<23 - sqrtHalf)
	return math.Float32frombits(bits&(1<<23-1) + sqrtHalf), float32(int32(bits>>23) - 127)
}

// isNormalf reports whether x is a positive number of full precision, for which the logarithms are formulas alone.
func isNormalf(x float32) bool { return x >= 0x1p-126 && x <= math.MaxFloat32 }

// logRestf is f^2/2 + R(s^2), for half = f^2/2, to 2^-30 of log(1+f).
func logRestf(s, half float32) float32 {
	z := float32(s * s)
	a := float32(z*0.39977580308914185) + 0.6666677594184875
	return half + float32(z*(a+float32(float32(z*z)*0.2987094223499298)))
}

// Logf returns the natural logarithm of x: at most 0.9 ulp.
func Logf(x float32) float32 {
	if !isNormalf(x) {
		if edge, found := logEdge(float64(x)); found {
			return float32(edge)
		}
		m, k := splitf(x * 0x1p24)
		return logOff(m, k-24)
	}
	return logOff(splitf(x))
}

// logOff is the natural logarithm of m*2^k.
func logOff(m, k float32) float32 {
	f := m - 1
	s := f / (2 + f)
	half := float32(float32(f*f) / 2)
	tail := float32(s*logRestf(s, half)) + float32(k*0x1.7f7d1cp-20)
	return float32(k*0x1.62e4p-1) + (f - (half - tail))
}

// logFractionf returns log(m) for sqrt(1/2) <= m < sqrt(2) as a sum of which hi has 12 bits, so that its product with
// another 12 is exact.
func logFractionf(m float32) (hi, lo float32) {
	f := m - 1
	s := f / (2 + f)
	half := float32(float32(f*f) / 2)
	hi = math.Float32frombits(math.Float32bits(f-half) &^ 0xfff)
	return hi, ((f - hi) - half) + float32(s*logRestf(s, half))
}

// Log2f returns the binary logarithm of x, exact for powers of two: at most 0.9 ulp.
func Log2f(x float32) float32 {
	if !isNormalf(x) {
		if edge, found := logEdge(float64(x)); found {
			return float32(edge)
		}
		m, k := splitf(x * 0x1p24)
		return log2Off(m, k-24)
	}
	return log2Off(splitf(x))
}

func log2Off(m, k float32) float32 {
	const log2eHi, log2eLo = 0x1.716p0, -0.00017605286103659264 // 12 bits of 1/log(2), and what follows
	hi, lo := logFractionf(m)
	return k + (float32(hi*log2eHi) + (float32(lo*log2eHi) + float32((hi+lo)*log2eLo)))
}

// Log10f returns the decimal logarithm of x, exact for powers of ten: at most 0.9 ulp.
func Log10f(x float32) float32 {
	if !isNormalf(x) {
		if edge, found := logEdge(float64(x)); found {
			return float32(edge)
		}
		m, k := splitf(x * 0x1p24)
		return log10Off(m, k-24)
	}
	return log10Off(splitf(x))
}

func log10Off(m, k float32) float32 {
	const log10eHi, log10eLo = 0x1.bcap-2, 9.038034075182765e-05     // 12 bits of 1/log(10), and what follows
	const log10of2Hi, log10of2Lo = 0x1.344p-2, 4.605038981195214e-06 // of log(2)/log(10)
	hi, lo := logFractionf(m)
	rest := float32(lo*log10eHi) + (float32((hi+lo)*log10eLo) + float32(k*log10of2Lo))
	big, small := float32(k*log10of2Hi), float32(hi*log10eHi) // both exact
	sum := big + small
	return sum + ((small - (sum - big)) + rest)
}
