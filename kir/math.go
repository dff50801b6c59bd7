package kir

import (
	"math"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
)

// The elementary functions are those of package elementary, for every back end and for eager arrays: exact operations only, for
// equal bits on real devices too.

type float interface{ float32 | float64 }

func sqrt[T float](x T) T   { return T(math.Sqrt(float64(x))) } // rounding twice is harmless: 53 >= 2*24+2 bits
func exp[T float](x T) T    { return elementary.ExpOf(x) }
func log[T float](x T) T    { return elementary.LogOf(x) }
func sin[T float](x T) T    { return elementary.SinOf(x) }
func cos[T float](x T) T    { return elementary.CosOf(x) }
func pow[T float](x, y T) T { return elementary.PowOf(x, y) }

// fma32 returns x*y+z rounded once. The product is exact in float64; the sum is rounded to odd there, which keeps what the
// final rounding to float32 must know (Boldo and Melquiond, "When double rounding is odd", 2005).
func fma32(x, y, z float32) float32 {
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
