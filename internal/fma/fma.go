// Package fma has the fused multiply-add of float32, which package math has for float64 only. It is what a vector unit
// and a GPU do in one instruction, to the bit, and knows nothing of who needs it.
package fma

import "math"

// Float32 returns x*y + z rounded once. The product is exact in float64. The sum is rounded there and again to float32,
// which is the same as rounding once but where the first rounding may have come to the middle between two float32, or
// where these are subnormal.
func Float32(x, y, z float32) float32 {
	s := float64(x)*float64(y) + float64(z)
	if b := math.Float64bits(s); b&(1<<29-1) == 1<<28 || b<<1>>53 < 1023-126 {
		return toOdd(x, y, z)
	}
	return float32(s)
}

// toOdd rounds the sum to odd, which keeps what the rounding to float32 must know (Boldo and Melquiond, "When double
// rounding is odd", 2005).
//
//go:noinline
func toOdd(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z)
	s := float64(p + c)
	if math.IsNaN(s) || math.IsInf(s, 0) {
		return float32(s)
	}
	t := float64(s - p)
	lost := float64(float64(p-float64(s-t)) + float64(c-t)) // p + c - s, exactly (Knuth's two-sum)
	if bits := math.Float64bits(s); lost != 0 && bits&1 == 0 {
		if (lost > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
		s = math.Float64frombits(bits)
	}
	return float32(s)
}
