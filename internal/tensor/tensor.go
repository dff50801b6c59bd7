// Package tensor is what the matrix units of GPUs compute, as this project defines it: one definition for kernels in
// Go, the CPU engine and simulated GPUs. A unit adds products of numbers of at most 11 bits of precision, which are
// exact in float64, to a float32: here the exact sum is rounded once, to nearest even. NVIDIA does not say how its
// units round; measurements (Fasi and others, "Numerical behavior of NVIDIA tensor cores", 2021) find that they cut
// off some of the bits, by generations differently, so that a card's last bits may be others. Conversions to what the
// units take are PTX's cvt.
package tensor

import "math"

// MostDepth is how many products a sum has at most: the k of m16n8k32.
const MostDepth = 32

// Dot returns c plus the sum of a[i]*b[i], rounded once to the nearest float32, the even one of two. The factors have
// at most 11 bits and exponents of float32, so that products are exact in float64. An exact sum of zero is 0, unless
// all terms are -0; a NaN is the one of math.NaN.
func Dot(c float32, a, b []float64) float32 {
	sum, exact := float64(c), true
	for i := range a {
		p := float64(a[i] * b[i])
		s := sum + p
		t := s - sum
		exact = exact && (sum-(s-t))+(p-t) == 0
		sum = s
	}
	switch {
	case sum != sum:
		return float32(math.NaN())
	case exact || math.IsInf(sum, 0): // sums of float64 are far from its greatest: an infinity is one of the terms
		return float32(sum)
	}
	return rounded(c, a, b)
}

// rounded is Dot for finite terms whose sum float64 does not hold: terms become parts that do not overlap, after
// Shewchuk (Adaptive Precision Floating-Point Arithmetic, 1997), and what lies below the greatest decides its last
// bit, which is made odd where something does (Boldo and Melquiond, Emulation of a FMA and Correctly Rounded Sums,
// 2008).
func rounded(c float32, a, b []float64) float32 {
	var room [MostDepth + 1]float64
	parts := room[:0]
	add := func(x float64) {
		kept := 0
		for _, y := range parts {
			if math.Abs(x) < math.Abs(y) {
				x, y = y, x
			}
			hi := x + y
			if lo := y - (hi - x); lo != 0 {
				parts[kept] = lo
				kept++
			}
			x = hi
		}
		parts = append(parts[:kept], x)
	}
	add(float64(c))
	for i := range a {
		add(float64(a[i] * b[i]))
	}
	hi, lo := 0.0, 0.0
	for n := len(parts) - 1; n >= 0 && lo == 0; n-- {
		x := hi
		hi = x + parts[n]
		lo = parts[n] - (hi - x)
	}
	bits := math.Float64bits(hi)
	if lo != 0 && bits&1 == 0 {
		if (lo > 0) == (hi > 0) {
			bits++
		} else {
			bits--
		}
	}
	return float32(math.Float64frombits(bits))
}
