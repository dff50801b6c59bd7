package kir

import "math"

// elementaryOps gives the operation of each function of package elementary, which defines them for every back end and for
// eager arrays: exact operations only, for equal bits on real devices too.
var elementaryOps = func() map[string]Op {
	m := make(map[string]Op)
	for o := Op(0); o < numOps; o++ {
		if o.IsElementary() {
			m[opTable[o].name] = o
		}
	}
	return m
}()

type float interface{ float32 | float64 }

func sqrt[T float](x T) T { return T(math.Sqrt(float64(x))) } // rounding twice is harmless: 53 >= 2*24+2 bits

// FMA32 returns x*y+z rounded once. The product is exact in float64; the sum is rounded to odd there, which keeps what the
// final rounding to float32 must know (Boldo and Melquiond, "When double rounding is odd", 2005).
func FMA32(x, y, z float32) float32 {
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
